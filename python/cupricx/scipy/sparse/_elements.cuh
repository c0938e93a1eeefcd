/* _elements.cuh: what two elements give, where one of them may not be stored, and is zero.
 *
 * Integers wrap, and give zero if they are divided by zero; float16 is computed in float;
 * the difference of bools is whether they differ. A maximum is the first operand unless it
 * is less: NaN is no less than a number, nor is a number less than NaN. Complex numbers
 * are compared by their real parts, then by their imaginary parts.
 */
#include "_merges.h"
#include "cupric/monoids.hpp"

template <class T>
__device__ inline bool
is_less(const T &a, const T &b)
{
    if constexpr (cupric::is_complex<T>::value)
        return a.re < b.re || (a.re == b.re && a.im < b.im);
    else
        return a < b;
}

template <class T>
__device__ inline T
difference(const T &a, const T &b)
{
    if constexpr (cupric::is_same<T, bool>::value) {
        return a != b;
    } else if constexpr (cupric::is_integer<T>::value) {
        typedef typename cupric::wrapping_type<T>::type wide;
        return T((wide)a - (wide)b);
    } else {
        return a - b;
    }
}

template <class T>
__device__ inline T
quotient(const T &a, const T &b)
{
    if constexpr (cupric::is_same<T, bool>::value) {
        return a & b;
    } else if constexpr (cupric::is_integer<T>::value) {
        if (b == T(0)) return T(0);
        if (cupric::is_signed_integer<T>::value && b == T(-1))
            return difference(T(0), a);
        return T(a / b);
    } else {
        return a / b;
    }
}

template <class T>
__device__ inline T
combined_numbers(int op, const T &a, const T &b)
{
    switch (op) {
    case OP_PLUS: return cupric::sum_of<T>().combine(a, b);
    case OP_MINUS: return difference(a, b);
    case OP_MULTIPLY: return cupric::product_of<T>().combine(a, b);
    case OP_DIVIDE: return quotient(a, b);
    case OP_MAXIMUM: return is_less(a, b) ? b : a;
    default: return is_less(b, a) ? b : a;
    }
}

template <class T>
__device__ inline bool
compared(int op, const T &a, const T &b)
{
    switch (op) {
    case OP_NE: return a != b;
    case OP_LT: return is_less(a, b);
    default: return is_less(b, a);
    }
}

/* R is T, or bool of what compares. */
template <class R, class T>
__device__ inline R
combined(int op, const T &x, const T &y)
{
    typedef typename cupric::compute_type<T>::type C;
    const C a = cupric::convert<C>(x), b = cupric::convert<C>(y);

    if constexpr (cupric::is_same<R, bool>::value) {
        if (!cupric::is_same<T, bool>::value || op >= OP_NE) return compared(op, a, b);
    }
    if constexpr (cupric::is_same<R, T>::value)
        return cupric::convert<R>(combined_numbers(op, a, b));
    return R(0);
}
