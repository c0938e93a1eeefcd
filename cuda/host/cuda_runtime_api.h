/* cuda_runtime_api.h: what it declares is known to every kernel already. */
#ifndef CUPRIC_HOST_SHIM_CUDA_RUNTIME_API_H
#define CUPRIC_HOST_SHIM_CUDA_RUNTIME_API_H
#endif
