/* cupy/tuple.cuh: thrust::tuple and thrust::pair. */
#ifndef CUPRIC_CUPY_TUPLE_CUH
#define CUPRIC_CUPY_TUPLE_CUH

#include "cupric/standard.hpp"
#include "cupy/swap.cuh"

#if defined(__CUDACC_RTC__) && !defined(CUPRIC_HOST)
#define CUPRIC_TUPLES ::cupric::tuples
#else
#define CUPRIC_TUPLES ::std
#endif
namespace thrust {
using CUPRIC_TUPLES::get;
using CUPRIC_TUPLES::make_pair;
using CUPRIC_TUPLES::make_tuple;
using CUPRIC_TUPLES::pair;
using CUPRIC_TUPLES::tie;
using CUPRIC_TUPLES::tuple;
using CUPRIC_TUPLES::tuple_element;
using CUPRIC_TUPLES::tuple_size;
} // namespace thrust
#undef CUPRIC_TUPLES

#endif
