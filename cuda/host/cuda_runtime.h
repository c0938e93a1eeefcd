/* cuda_runtime.h: what it declares is known to every kernel already. */
#ifndef CUPRIC_HOST_SHIM_CUDA_RUNTIME_H
#define CUPRIC_HOST_SHIM_CUDA_RUNTIME_H
#endif
