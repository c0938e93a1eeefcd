/* monoids.hpp: what the collectives of block.hpp, scan.hpp and keys.hpp combine by.
 *
 * A monoid is a structure with
 *
 *     typedef … state;                      what is combined: a number, or several
 *     state identity() const;
 *     state combine(state a, state b) const;    a comes before b
 *
 * `combine` is associative, but for rounding; it need not be commutative: what is combined
 * is always in order. The structure may have members, such as parameters of a kernel.
 */
#ifndef CUPRIC_MONOIDS_HPP
#define CUPRIC_MONOIDS_HPP

#include "cupric/kernel_types.hpp"

namespace cupric {

/* The least and the greatest number of a type; of floating-point types the infinities. */
template <class T>
__device__ inline T
least_of()
{
    if constexpr (is_float<T>::value)
        return T(float_of(0xff800000u));
    else if constexpr (T(-1) < T(1))
        return T((unsigned long long)1 << (8 * sizeof(T) - 1));
    else
        return T(0);
}
template <class T>
__device__ inline T
greatest_of()
{
    if constexpr (is_float<T>::value)
        return T(float_of(0x7f800000u));
    else
        return T(~least_of<T>());
}
template <>
__device__ inline bool
least_of<bool>()
{
    return false;
}
template <>
__device__ inline bool
greatest_of<bool>()
{
    return true;
}

/* Integers wrap; a sum of bools is whether any is true, as NumPy's is. */
template <class T>
struct sum_of {
    typedef T state;

    __device__ T identity() const { return T(0); }
    __device__ T combine(const T &a, const T &b) const
    {
        if constexpr (is_same<T, bool>::value)
            return a | b;
        else if constexpr (is_integer<T>::value)
            return T((wide)a + (wide)b);
        else
            return a + b;
    }

  private:
    typedef typename wrapping_type<T>::type wide;
};

template <class T>
struct product_of {
    typedef T state;

    __device__ T identity() const { return T(1); }
    __device__ T combine(const T &a, const T &b) const
    {
        if constexpr (is_same<T, bool>::value)
            return a & b;
        else if constexpr (is_integer<T>::value)
            return T((wide)a * (wide)b);
        else
            return a * b;
    }

  private:
    typedef typename wrapping_type<T>::type wide;
};

/* Of real numbers; NaN is greater and less than all. */
template <class T>
struct maximum_of {
    typedef T state;

    __device__ T identity() const { return least_of<T>(); }
    __device__ T combine(const T &a, const T &b) const
    {
        return a >= b || a != a ? a : b;
    }
};
template <class T>
struct minimum_of {
    typedef T state;

    __device__ T identity() const { return greatest_of<T>(); }
    __device__ T combine(const T &a, const T &b) const
    {
        return a <= b || a != a ? a : b;
    }
};

/* Bit by bit, of integers and bools. */
template <class T>
struct and_of {
    typedef T state;

    __device__ T identity() const { return greatest_of<T>() | least_of<T>(); }
    __device__ T combine(T a, T b) const { return T(a & b); }
};
template <class T>
struct or_of {
    typedef T state;

    __device__ T identity() const { return T(0); }
    __device__ T combine(T a, T b) const { return T(a | b); }
};

/* Two states at once. */
template <class A, class B>
struct pair_state {
    A first;
    B second;
};
template <class A, class B>
struct pair_of {
    typedef pair_state<typename A::state, typename B::state> state;
    A first;
    B second;

    __device__ state identity() const
    {
        return state{first.identity(), second.identity()};
    }
    __device__ state combine(const state &a, const state &b) const
    {
        return state{first.combine(a.first, b.first),
                     second.combine(a.second, b.second)};
    }
};

} // namespace cupric

#endif
