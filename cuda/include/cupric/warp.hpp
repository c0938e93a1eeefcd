/* warp.hpp: values of any type handed between the threads of a warp and of a block.
 */
#ifndef CUPRIC_WARP_HPP
#define CUPRIC_WARP_HPP

#include "cupric/target.hpp"

CUPRIC_BEGIN

enum : unsigned int { whole_warp = 0xffffffffu };

/* A value as the 32-bit words that shuffles move. */
template <class T>
union words {
    T value;
    unsigned int word[(sizeof(T) + 3) / 4];
    __device__ words() {}
};

/* Shared memory for N values. It has no constructor, so that nothing runs before its first
 * use, whatever T has. */
template <class T, int N>
struct storage_of {
    alignas(T) unsigned char bytes[N * sizeof(T)];

    __device__ T &operator[](int i) { return ((T *)bytes)[i]; }
};

/* The value of the lane `by` further up; every lane of `mask` takes part, as it does in
 * those that follow. */
template <class T>
__device__ inline T
shuffle_down(const T &x, int by, unsigned int mask = whole_warp)
{
    words<T> w;
    w.value = x;
#pragma unroll
    for (int k = 0; k < int(sizeof w.word / 4); k++) {
        w.word[k] = __shfl_down_sync(mask, w.word[k], by);
    }
    return w.value;
}

/* … `by` before. */
template <class T>
__device__ inline T
shuffle_up(const T &x, int by, unsigned int mask = whole_warp)
{
    words<T> w;
    w.value = x;
#pragma unroll
    for (int k = 0; k < int(sizeof w.word / 4); k++) {
        w.word[k] = __shfl_up_sync(mask, w.word[k], by);
    }
    return w.value;
}

/* … numbered `lane`. */
template <class T>
__device__ inline T
shuffle_from(const T &x, int lane, unsigned int mask = whole_warp)
{
    words<T> w;
    w.value = x;
#pragma unroll
    for (int k = 0; k < int(sizeof w.word / 4); k++) {
        w.word[k] = __shfl_sync(mask, w.word[k], lane);
    }
    return w.value;
}

CUPRIC_END

#endif
