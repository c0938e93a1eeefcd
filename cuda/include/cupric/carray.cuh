/* carray.cuh: CArray, what a raw parameter is, by CuPy's name for the file. */
#ifndef CUPRIC_CARRAY_CUH
#define CUPRIC_CARRAY_CUH
#define CUPRIC_NO_HALF_NAME
#include "cupric/kernel.hpp"
#endif
