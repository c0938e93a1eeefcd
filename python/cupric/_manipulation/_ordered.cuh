/* _ordered.cuh: sorted vectors as sets of their elements. */
#include "_ordered.h"
#include "cupric/kernels/order.hpp"

/* Whether x, of a sorted vector, begins another value than the element before it. With
 * `equal_nan` the NaNs, which are at the end, are one value. No branches, for vectors. */
template <class T>
__device__ inline bool
differs_from_last(const T *x, bool equal_nan)
{
    return !(x[0] == x[-1]) & !(equal_nan & (x[-1] != x[-1]));
}

/* out[i]: whether element i of a sorted vector, which has some, is the first of its value.
 * Launch: elements(n). */
template <class T>
__global__ void
begins_value(const T *x, bool *out, long long n, bool equal_nan)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = true;
    CUPRIC_EACH (i, n - 1) {
        out[i + 1] = differs_from_last(x + i + 1, equal_nan);
    }
}

/* Whether a comes before b in a sorted vector, where b may be a NaN that is looked for in
 * vain: without branches, but for complex numbers. */
template <class T>
__device__ inline bool
is_less(const T a, const T b)
{
    if constexpr (cupric::is_complex<T>::value) {
        return cupric::sorts_before(a, b);
    } else {
        return a < b;
    }
}

/* found[k]: whether each of W values is in a sorted vector of one element at least. All take
 * the same steps, and move by a product: a CPU cannot predict where to, and searches for 16
 * at once five times as fast (10^6 int64 among 250 000). */
template <int W, class T>
__device__ inline void
find(const T *x, long long n, const T *values, bool *found)
{
    long long low[W];

#pragma unroll
    for (int k = 0; k < W; k++) low[k] = 0;
    while (n > 1) {
        const long long half = n / 2;
#pragma unroll
        for (int k = 0; k < W; k++) {
            low[k] += half * (long long)is_less(x[low[k] + half - 1], values[k]);
        }
        n -= half;
    }
#pragma unroll
    for (int k = 0; k < W; k++) found[k] = x[low[k]] == values[k];
}

/* Flags for values that are close together: flags[v - first] for those from `first` on that
 * are no more than `range` above. None where the values of a sorted vector take more. */
struct Flags {
    bool *flags;
    unsigned long long first, range;

    template <class T>
    __device__ Flags(bool *memory, long long capacity, const T *sorted,
                     long long length)
        : flags(memory), first(0), range(0)
    {
        if (!cupric::is_integer<T>::value || capacity == 0 || length == 0) {
            flags = nullptr;
            return;
        }
        first = number(sorted[0]);
        range = number(sorted[length - 1]) - first;
        if (range >= (unsigned long long)capacity) flags = nullptr;
    }
    template <class T>
    static __device__ unsigned long long number(const T x)
    {
        if constexpr (cupric::is_integer<T>::value) {
            return (unsigned long long)x;
        } else {
            return 0;
        }
    }
    template <class T>
    __device__ bool has(const T x) const
    {
        const unsigned long long at = number(x) - first;
        return at <= range && flags[at];
    }
};

/* The flags, of which `capacity` are false, of the values of a sorted vector.
 * Launch: elements(length). */
template <class T>
__global__ void
flag_values(const T *among, bool *flags, long long length, long long capacity)
{
    const Flags f(flags, capacity, among, length);

    CUPRIC_EACH (i, length) {
        if (f.flags) f.flags[Flags::number(among[i]) - f.first] = true;
    }
}

/* out[i]: whether element i of x, as T, is in the sorted vector `among`, by the flags of its
 * values, where there are as many as that takes. Launch: elements(n). */
template <class X, class T>
__global__ void
is_among(const X *x, const T *among, bool *flags, bool *out, long long n,
         long long length, long long capacity, int options)
{
    const bool inverted = options & INVERTED, only_first = options & ONLY_FIRST;
    const Flags table(flags, capacity, among, length);

    CUPRIC_EACH (i, n) {
        const T value = cupric::convert<T>(x[i]);
        bool found = table.flags && table.has(value);
        if (length > 0 && !table.flags) find<1>(among, length, &value, &found);
        out[i] = found != inverted &&
                 (!only_first || i == 0 || differs_from_last(x + i, true));
    }
}

/* flags[v - first] = true for each of `length` values, `step` apart, none of which is below
 * `first`, or so far above it that there is no flag. Launch: elements(length). */
template <class T>
__global__ void
mark_values(const T *values, bool *flags, long long length, long long step,
            long long first)
{
    CUPRIC_EACH (i, length) {
        const unsigned long long at = (unsigned long long)values[i * step] - first;
        flags[at] = true;
    }
}

/* out[i]: whether the value of element i of x, whose elements are `x_step` apart, is marked
 * among the `range` values from `first` on, or is not if `inverted`.
 * Launch: elements(n). */
template <class X>
__global__ void
is_marked(const X *x, const bool *flags, bool *out, long long n, long long x_step,
          long long first, long long range, bool inverted)
{
    CUPRIC_EACH (i, n) {
        const unsigned long long at = (unsigned long long)x[i * x_step] - first;
        const bool is_inside = at < (unsigned long long)range;
        out[i] = (is_inside & flags[is_inside ? at : 0]) != inverted;
    }
}

/* out[i]: whether element i of x as T, whose elements are `x_step` apart, is one of
 * `length` values in any order, `step` apart, or is none if `inverted`.
 * Launch: elements(n). */
template <class X, class T>
__global__ void
is_one_of(const X *x, const T *values, bool *out, long long n, long long length,
          long long x_step, long long step, bool inverted)
{
    CUPRIC_EACH (i, n) {
        const T own = cupric::convert<T>(x[i * x_step]);
        bool found = false;
        for (long long j = 0; j < length; j++) found |= own == values[j * step];
        out[i] = found != inverted;
    }
}
