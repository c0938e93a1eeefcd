/* cupy/type_dispatcher.cuh: dtypes by number, and the call of a function object for the type
 * of a number that is known at run time only. */
#ifndef CUPRIC_CUPY_TYPE_DISPATCHER_CUH
#define CUPRIC_CUPY_TYPE_DISPATCHER_CUH

#define CUPY_TYPE_INT8 0
#define CUPY_TYPE_UINT8 1
#define CUPY_TYPE_INT16 2
#define CUPY_TYPE_UINT16 3
#define CUPY_TYPE_INT32 4
#define CUPY_TYPE_UINT32 5
#define CUPY_TYPE_INT64 6
#define CUPY_TYPE_UINT64 7
#define CUPY_TYPE_FLOAT16 8
#define CUPY_TYPE_FLOAT32 9
#define CUPY_TYPE_FLOAT64 10
#define CUPY_TYPE_COMPLEX64 11
#define CUPY_TYPE_COMPLEX128 12
#define CUPY_TYPE_BOOL 13
#define CUPY_NUM_TYPES 14

#include "cupric/device_types.hpp"

/* f.operator()<T>(args…), T the type of number `dtype_id`; nothing for another number. */
template <class F, class... Args>
__device__ inline void
dtype_dispatcher(int dtype_id, F f, Args &&...args)
{
    switch (dtype_id) {
#define CUPRIC_CASE(NAME, ...)                                                         \
    case CUPY_TYPE_##NAME:                                                             \
        f.template operator()<__VA_ARGS__>(static_cast<Args &&>(args)...);             \
        break
        CUPRIC_CASE(INT8, signed char);
        CUPRIC_CASE(UINT8, unsigned char);
        CUPRIC_CASE(INT16, short);
        CUPRIC_CASE(UINT16, unsigned short);
        CUPRIC_CASE(INT32, int);
        CUPRIC_CASE(UINT32, unsigned int);
        CUPRIC_CASE(INT64, long long);
        CUPRIC_CASE(UINT64, unsigned long long);
        CUPRIC_CASE(FLOAT16, cupric::half);
        CUPRIC_CASE(FLOAT32, float);
        CUPRIC_CASE(FLOAT64, double);
        CUPRIC_CASE(COMPLEX64, cupric::complex<float>);
        CUPRIC_CASE(COMPLEX128, cupric::complex<double>);
        CUPRIC_CASE(BOOL, bool);
#undef CUPRIC_CASE
    }
}

#endif
