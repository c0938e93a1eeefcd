/* cupy/carray.cuh: CArray under the name that kernels know it by. */
#include "cupric/carray.cuh"
