/* cupy/carray.cuh: CArray, what a raw parameter is, and the loop over n elements that the
 * threads of a grid share. */
#include "cupric/carray.cuh"
#ifndef CUPY_FOR
#define CUPY_FOR(i, n)                                                                 \
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < (n);      \
         i += (long long)blockDim.x * gridDim.x)
#endif
