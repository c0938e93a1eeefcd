/* cuda/module.h: loaded kernels, and which were launched last. */
#ifndef CUPRIC_CUDA_MODULE_H
#define CUPRIC_CUDA_MODULE_H

#include "device/backend.h"

/* Names of the kernels launched last, newest first, for a message; "" if none. */
void cu_cuda_launched_names(char *out, size_t nout);

/* Load an image without names of ours, which stays where it is for ever. */
cu_status cu_cuda_module_load_static(int ordinal, const void *image, cu_module **out);

/* The kernel of `whole` whose name in the image is `name`, as a module of its own under
 * whatever name it is asked for. Both stay for ever. */
cu_status cu_cuda_module_of_one(const cu_module *whole, const char *name,
                                cu_module **out);

/* With CUPRIC_DEBUG=launch every launch is waited for, so that a fault shows at its
 * call; from level 2 on each is timed and told. Called once, when the plugin is loaded. */
void cu_cuda_module_configure(const char *debug, int64_t level);

/* What the launch that follows reads and writes, to be told with its time. */
extern bool cu_cuda_tells_launches;
void cu_cuda_note_bytes(const cu_iter *it) __attribute__((cold));

static inline void
cu_cuda_tell_bytes(const cu_iter *it)
{
    if (CUPRIC_UNLIKELY(cu_cuda_tells_launches)) cu_cuda_note_bytes(it);
}

#endif
