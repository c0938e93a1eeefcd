/* reduce.hpp: what the expressions of ops/reduce.def are written with.
 *
 * The accumulator of a search for an extreme element is a value with its index, and -1
 * while there is none. Combining does not depend on the order in which elements come:
 * of equal ones the smallest index stays, as it does among NaNs.
 */
#ifndef CUPRIC_REDUCE_HPP
#define CUPRIC_REDUCE_HPP

#include "cupric/math.hpp"
#include "cupric/types.hpp"

CUPRIC_BEGIN

template <class T>
struct indexed {
    T value;
    long long index;
};

/* The least and the greatest of some elements, or NaN. */
template <class T>
struct extremes {
    T low, high;
};

template <class T>
CUPRIC_HD inline extremes<T>
join_extremes(const extremes<T> a, const extremes<T> b)
{
    return extremes<T>{minimum(a.low, b.low), maximum(a.high, b.high)};
}

/* Whether a exceeds (is below) b; NaN exceeds all. Of two NaNs neither does. */
template <class T>
CUPRIC_HD inline bool
exceeds(const T a, const T b)
{
    return less(b, a) ? !is_nan(b) : is_nan(a) && !is_nan(b);
}
template <class T>
CUPRIC_HD inline bool
is_below(const T a, const T b)
{
    return less(a, b) ? !is_nan(b) : is_nan(a) && !is_nan(b);
}

/* Of two candidates the one further out, or the earlier one. */
template <class T>
CUPRIC_HD inline indexed<T>
arg_max(const indexed<T> a, const indexed<T> b)
{
    if (a.index < 0 || b.index < 0) return a.index < 0 ? b : a;
    if (exceeds(a.value, b.value)) return a;
    if (exceeds(b.value, a.value)) return b;
    return a.index < b.index ? a : b;
}
template <class T>
CUPRIC_HD inline indexed<T>
arg_min(const indexed<T> a, const indexed<T> b)
{
    if (a.index < 0 || b.index < 0) return a.index < 0 ? b : a;
    if (is_below(a.value, b.value)) return a;
    if (is_below(b.value, a.value)) return b;
    return a.index < b.index ? a : b;
}
template <class T>
CUPRIC_HD inline T
nan_to(const T a, const T instead)
{
    return is_nan(a) ? instead : a;
}

/* |a|**2 */
template <class T>
CUPRIC_HD inline typename real_type<T>::type
square_magnitude(const T a)
{
    if constexpr (is_complex<T>::value) {
        return a.re * a.re + a.im * a.im;
    } else {
        return multiply(a, a);
    }
}

template <class T>
CUPRIC_HD inline T
over_count(const T s, const typename real_type<T>::type count)
{
    if constexpr (is_complex<T>::value) {
        return T(s.re / count, s.im / count);
    } else {
        return s / count;
    }
}

/* What the sum of squared deviations is divided by. */
template <class T>
CUPRIC_HD inline T
freedom(const T count, const T ddof)
{
    return count > ddof ? count - ddof : T(0);
}

/* s over the degrees of freedom; NaN where there are none. */
template <class T>
CUPRIC_HD inline T
over_freedom(const T s, const T count, const T ddof)
{
    return count > ddof ? over_count(s, count - ddof)
                        : T(double_of(0x7ff8000000000000ull));
}

CUPRIC_END

#endif
