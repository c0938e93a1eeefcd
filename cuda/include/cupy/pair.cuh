/* cupy/pair.cuh: thrust::pair, which is declared with the tuple. */
#include "cupy/tuple.cuh"
