/* cuda/module.h: loaded kernels. */
#ifndef CUPRIC_CUDA_MODULE_H
#define CUPRIC_CUDA_MODULE_H

#include "device/backend.h"

/* Load an image without names of ours, which stays where it is for ever. */
cu_status cu_cuda_module_load_static(int ordinal, const void *image, cu_module **out);

/* The kernel of `whole` whose name in the image is `name`, as a module of its own under
 * whatever name it is asked for. Both stay for ever. */
cu_status cu_cuda_module_of_one(const cu_module *whole, const char *name,
                                cu_module **out);

/* Launch on a stream and note the name for messages about faults. The stream's context
 * is made current. Arguments are read during the call. */
cu_status cu_cuda_launch_1d(cu_function *f, unsigned blocks, unsigned threads,
                            unsigned shared_bytes, void **args, cu_stream *s);

#endif
