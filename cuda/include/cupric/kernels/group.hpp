/* kernels/group.hpp: values handed between the threads of a warp and of a block. */
#ifndef CUPRIC_KERNELS_GROUP_HPP
#define CUPRIC_KERNELS_GROUP_HPP

#include "cupric/types.hpp"

CUPRIC_BEGIN

/* A value as the 32-bit words that shuffles move. */
template <class T>
union words {
    T value;
    unsigned int word[(sizeof(T) + 3) / 4];
    __device__ words() {}
};

/* The value of the lane `by` further; every lane of the warp takes part. */
template <class T>
__device__ inline T
from_lane_below(const T &x, int by)
{
    words<T> w;
    w.value = x;
#pragma unroll
    for (int k = 0; k < int(sizeof w.word / 4); k++) {
        w.word[k] = __shfl_down_sync(0xffffffffu, w.word[k], by);
    }
    return w.value;
}

/* … `by` before. */
template <class T>
__device__ inline T
from_lane_above(const T &x, int by)
{
    words<T> w;
    w.value = x;
#pragma unroll
    for (int k = 0; k < int(sizeof w.word / 4); k++) {
        w.word[k] = __shfl_up_sync(0xffffffffu, w.word[k], by);
    }
    return w.value;
}

/* Shared memory for N values, without running constructors. */
template <class T, int N>
union room {
    T at[N];
    unsigned long long word[(sizeof(T) * N + 7) / 8];
    __device__ room() {}
};

CUPRIC_END

#endif
