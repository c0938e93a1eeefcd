/* kernels/group.hpp: values that threads of a block compare and keep. */
#ifndef CUPRIC_KERNELS_GROUP_HPP
#define CUPRIC_KERNELS_GROUP_HPP

#include "cupric/math/arithmetic.hpp"
#include "cupric/warp.hpp"

CUPRIC_BEGIN

/* A value and where it was found. */
template <class T, class I>
struct placed {
    T value;
    I index;
};

template <class S>
struct is_placed {
    enum : bool { value = false };
};
template <class T, class I>
struct is_placed<placed<T, I>> {
    enum : bool { value = true };
};

/* Whether a is more extreme than b, in the direction UP; NaN is the most extreme or, with
 * SKIP, the least. For real numbers that is one unordered comparison, and one for NaN. */
template <bool UP, bool SKIP, class T>
__device__ inline bool
is_more_extreme(const T a, const T b)
{
    if constexpr (is_same<T, float>::value || is_same<T, double>::value) {
        if constexpr (SKIP)
            return !(UP ? a <= b : a >= b) && a == a;
        else
            return !(UP ? a <= b : a >= b) && b == b;
    }
    const bool beyond = UP ? less(b, a) : less(a, b);
    const bool a_nan = is_nan(a), b_nan = is_nan(b);
    return SKIP ? beyond || (b_nan && !a_nan) : (beyond || a_nan) && !b_nan;
}

/* a where `first`, else b: by members, as compilers move the padding of a whole, too. */
template <class T, class I>
__device__ inline placed<T, I>
either(bool first, const placed<T, I> a, const placed<T, I> b)
{
    return placed<T, I>{first ? a.value : b.value, first ? a.index : b.index};
}

/* The more extreme one, or the earlier one. */
template <bool UP, bool SKIP, class T, class I>
__device__ inline placed<T, I>
extreme(const placed<T, I> a, const placed<T, I> b)
{
    const bool later =
        is_more_extreme<UP, SKIP>(a.value, b.value) ||
        (a.index < b.index && !is_more_extreme<UP, SKIP>(b.value, a.value));
    return either(later, a, b);
}

/* The same where a precedes b. */
template <bool UP, bool SKIP, class T, class I>
__device__ inline placed<T, I>
extreme_in_order(const placed<T, I> a, const placed<T, I> b)
{
    return either(is_more_extreme<UP, SKIP>(b.value, a.value), b, a);
}

/* Shared memory for N values, without running constructors. */
template <class T, int N>
union uninitialized {
    T at[N];
    unsigned long long word[(sizeof(T) * N + 7) / 8];
    __device__ uninitialized() {}
};

CUPRIC_END

#endif
