/* cuda.h: what it declares is known to every kernel already. */
#ifndef CUPRIC_HOST_SHIM_CUDA_H
#define CUPRIC_HOST_SHIM_CUDA_H
#endif
