/* curand_kernel.h: cuRAND's generators in kernels: XORWOW, Philox 4x32-10 and MRG32k3a. */
#ifndef CUPRIC_HOST_CURAND_KERNEL_H
#define CUPRIC_HOST_CURAND_KERNEL_H

#include "curand/distributions.hpp"

#endif
