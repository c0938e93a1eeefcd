/* _row_of_block.cuh: a row that a block of a GPU holds in registers, and its elements by
 * their place in order. */
#include "_quantiles.h"

/* Elements by numbers that are ordered as they are sorted: all NaNs are the greatest. */
template <class T, bool IS_SHORT = sizeof(T) == 4>
struct ranks {
    typedef unsigned long long type;
    enum : type { sign = 1ull << 63 };
    __device__ static double floating(type bits) { return cupric::double_of(bits); }
};
template <class T>
struct ranks<T, true> {
    typedef unsigned int type;
    enum : type { sign = 1u << 31 };
    __device__ static float floating(type bits) { return cupric::float_of(bits); }
};

template <class T>
__device__ inline typename ranks<T>::type
rank_of(const T x)
{
    typedef typename ranks<T>::type K;
    constexpr K sign = ranks<T>::sign;

    if constexpr (cupric::is_integer<T>::value) {
        return K(x) ^ sign;
    } else {
        const K bits = cupric::bits_of(x);
        return x != x ? K(~K(0)) : bits & sign ? K(~bits) : K(bits | sign);
    }
}

template <class T>
__device__ inline T
element_of(const typename ranks<T>::type rank)
{
    typedef typename ranks<T>::type K;
    constexpr K sign = ranks<T>::sign;

    if constexpr (cupric::is_integer<T>::value)
        return T(rank ^ sign);
    else
        return ranks<T>::floating(rank & sign ? K(rank ^ sign) : K(~rank));
}

/* What the threads of a block hand each other, by turns in either half. */
template <class K>
struct exchange {
    K part[2][32]; /* of warps */
};

/* A row in the registers of a block, whose threads all ask for the same. */
template <class T>
struct row_of_block {
    typedef typename ranks<T>::type K;

    K held[HELD]; /* every blockDim.x-th element; the greatest number where none is */
    long long n;
    exchange<K> &hands;
    int turn;
    K least, most;
    long long nans;
    K found; /* by find(), and how many are not greater */
    long long upto;

    template <class F>
    __device__ K joined(K mine, K none, const F &join)
    {
        const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
#pragma unroll
        for (int by = 16; by > 0; by /= 2)
            mine = join(mine, __shfl_xor_sync(0xffffffffu, mine, by));
        if (warps == 1) return mine;
        if (lane == 0) hands.part[turn][threadIdx.x / 32] = mine;
        __syncthreads();
        mine = lane < warps ? hands.part[turn][lane] : none;
        turn ^= 1;
#pragma unroll
        for (int by = 16; by > 0; by /= 2)
            mine = join(mine, __shfl_xor_sync(0xffffffffu, mine, by));
        return mine;
    }

    __device__ row_of_block(exchange<K> &hands, const View<T, 2> &x, long long row)
        : n(x.shape()[1]), hands(hands), turn(0), nans(0)
    {
        K low = K(~K(0)), high = 0;
#pragma unroll
        for (int k = 0; k < HELD; k++) {
            const cupric::extent at[] = {row, k * (int)blockDim.x + (int)threadIdx.x};
            held[k] = K(~K(0));
            if (at[1] < n) held[k] = rank_of(x[at]);
        }
#pragma unroll
        for (int k = 0; k < HELD; k++) {
            const bool there = k * (int)blockDim.x + (int)threadIdx.x < n;
            low = held[k] < low ? held[k] : low;
            high = there && held[k] > high ? held[k] : high;
        }
        least = joined(low, K(~K(0)), [](K a, K b) { return a < b ? a : b; });
        most = joined(high, 0, [](K a, K b) { return a > b ? a : b; });
        if (!cupric::is_integer<T>::value && most == K(~K(0)))
            nans = n - not_above(most - 1);
    }

    /* How many elements are not greater than a number, which is not the greatest one. */
    __device__ long long not_above(K limit)
    {
        K mine = 0;
#pragma unroll
        for (int k = 0; k < HELD; k++) mine += held[k] <= limit;
        return (long long)joined(mine, 0, [](K a, K b) { return a + b; });
    }

    /* The least element that is greater than `limit`, or not less: there is one. */
    template <bool EQUAL>
    __device__ K least_above(K limit)
    {
        K mine = K(~K(0));
#pragma unroll
        for (int k = 0; k < HELD; k++) {
            const bool is_above = EQUAL ? held[k] >= limit : held[k] > limit;
            if (is_above && held[k] < mine) mine = held[k];
        }
        return joined(mine, K(~K(0)), [](K a, K b) { return a < b ? a : b; });
    }

    /* By halving the range of numbers, until one element is left in it, or one number. */
    __device__ T find(long long place)
    {
        K low = least, high = most;
        long long below = 0;

        upto = n;
        while (low < high && upto - below > 1) {
            const K middle = low + (high - low) / 2;
            const long long count = not_above(middle);
            if (place < count) {
                high = middle;
                upto = count;
            } else {
                low = middle + 1;
                below = count;
            }
        }
        found = low < high ? least_above<true>(low) : low;
        return element_of<T>(found);
    }
    __device__ T next(long long place)
    {
        return element_of<T>(place + 1 < upto ? found : least_above<false>(found));
    }
    __device__ long long numbers() const
    {
        return n - nans;
    }
    __device__ T last() const
    {
        return element_of<T>(most);
    }
};
