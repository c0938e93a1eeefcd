/* cuda/module.h: loaded kernels, and which were launched last. */
#ifndef CUPRIC_CUDA_MODULE_H
#define CUPRIC_CUDA_MODULE_H

#include "device/backend.h"

/* Names of the kernels launched last, newest first, for a message; "" if none. */
void cu_cuda_launched_names(char *out, size_t nout);

/* Load an image without names of ours, which stays where it is for ever. */
cu_status cu_cuda_module_load_static(int ordinal, const void *image, cu_module **out);

/* With CUPRIC_DEBUG=launch every launch is waited for, so that a fault shows at its
 * call. Called once, when the plugin is loaded. */
void cu_cuda_module_configure(const char *debug);

#endif
