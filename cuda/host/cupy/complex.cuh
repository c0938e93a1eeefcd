/* cupy/complex.cuh: complex<T> under the name that kernels know it by. */
#ifndef CUPRIC_HOST_CUPY_COMPLEX_CUH
#define CUPRIC_HOST_CUPY_COMPLEX_CUH
#ifndef CUPRIC_SCAN
#include "cupric/kernel_types.hpp"
#endif
#endif
