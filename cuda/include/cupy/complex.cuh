/* cupy/complex.cuh: complex<T> under the name that kernels know it by. */
#include "cupric/complex.cuh"
