/* special/chebyshev.hpp: Chebyshev's polynomials T_n and U_n of integer degree, and the
 * functions of real degree that they are of.
 *
 * Few steps of the recurrence, or for higher degrees doubled ones, T_(2 k) = 2 T_k**2 - 1
 * and so on (https://dlmf.nist.gov/18.7), in words of two doubles, so that they lose no
 * digits of the result.
 */
#ifndef CUPRIC_SPECIAL_CHEBYSHEV_HPP
#define CUPRIC_SPECIAL_CHEBYSHEV_HPP

#include "cupric/special/recurrences.hpp"

CUPRIC_BEGIN

namespace elementary {
namespace orthogonal {

typedef words<double> long_double;

CUPRIC_MATH long_double
long_product(long_double a, long_double b)
{
    const words<double> p = exact_product(a.hi, b.hi);
    return ordered_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

CUPRIC_MATH long_double
long_difference(long_double a, long_double b)
{
    const words<double> s = exact_sum(a.hi, -b.hi);
    return ordered_sum(s.hi, s.lo + (a.lo - b.lo));
}

CUPRIC_MATH long_double
twice(long_double a)
{
    return {2 * a.hi, 2 * a.lo};
}

/* T_n for 0 <= n <= MOST_STEPS(), from T_0 and T_1 over the bits of n. */
CUPRIC_APART double
chebyshev_t_doubled(int n, long_double x)
{
    const long_double one = {1, 0};
    long_double now = one, next = x;
    for (int bit = 1 << 24; bit > 0; bit >>= 1) {
        if (n < bit) continue;
        const long_double middle = long_difference(twice(long_product(now, next)), x);
        if (n & bit) {
            next = long_difference(twice(long_product(next, next)), one);
            now = middle;
        } else {
            now = long_difference(twice(long_product(now, now)), one);
            next = middle;
        }
    }
    return now.hi + now.lo;
}

/* U_n, from U_-1 and U_0: U_(2 k) = U_k**2 - U_(k - 1)**2 and so on. */
CUPRIC_APART double
chebyshev_u_doubled(int n, long_double x)
{
    long_double before = {0, 0}, now = {1, 0};
    for (int bit = 1 << 24; bit > 0; bit >>= 1) {
        if (n < bit) continue;
        const long_double even =
            long_difference(long_product(now, now), long_product(before, before));
        if (n & bit) {
            const long_double slope = long_difference(long_product(x, now), before);
            now = twice(long_product(now, slope));
            before = even;
        } else {
            const long_double slope = long_difference(now, long_product(x, before));
            before = twice(long_product(before, slope));
            now = even;
        }
    }
    return now.hi + now.lo;
}

/* Few steps, of either kind: `first` is that of degree 1 less that of degree 0. */
template <class T>
CUPRIC_MATH T
chebyshev_steps(double n, folded_point<T> p, bool second)
{
    const T twice_x = times(2, p.x), twice_rest = times(2, p.rest);
    if (is_near_one(p)) {
        T now = 1, other = second ? twice_x - T(1) : p.rest;
        for (double k = 0; k < n; k++) {
            now = now + other;
            other = other + twice_rest * now;
        }
        return unfolded(p, n, now);
    }
    T now = 1, before = second ? T(0) : p.x;
    for (double k = 0; k < n; k++) {
        const T next = twice_x * now - before;
        before = now;
        now = next;
    }
    return unfolded(p, n, now);
}

/* x without loss: 1 and what is beside it. */
CUPRIC_MATH long_double
long_x(folded_point<double> p)
{
    return is_near_one(p) ? exact_sum(1.0, p.rest) : long_double{p.x, 0};
}

/* cos(n acos(x)) and its like, of x >= 0 or, of no integer n, x >= -1. */
CUPRIC_APART double
chebyshev_t_of_angle(double n, double x)
{
    return x > 1 ? cosh(n * acosh(x)) : cos(n * acos(x));
}
CUPRIC_APART double
chebyshev_u_of_angle(double n, double x)
{
    if (x == 1) return n + 1;
    const double size = ::sqrt((1 + x) * without_sign(1 - x));
    return (x > 1 ? sinh((n + 1) * acosh(x)) : sin((n + 1) * acos(x))) / size;
}

/* The sides of the cut x < -1 are one: that of the lower half-plane. */
CUPRIC_MATH complex128
cut_below(complex128 z)
{
    return z.im == 0 && z.re < -1 ? complex128(z.re, -0.0) : z;
}
CUPRIC_APART complex128
chebyshev_t_of_angle(double n, complex128 z)
{
    return in_double::cos(times(n, in_double::acos(cut_below(z))));
}
CUPRIC_APART complex128
chebyshev_u_of_angle(double n, complex128 z)
{
    if (z.im == 0 && z.re == 1) return complex128(n + 1, 0);
    const complex128 angle = in_double::acos(cut_below(z));
    return in_double::sin(times(n + 1, angle)) / in_double::sin(angle);
}

/* Of integer degree n >= 0. */
template <class T>
CUPRIC_MATH T
chebyshev_t_at(double n, folded_point<T> p)
{
    if (n <= 32) return chebyshev_steps(n, p, false);
    if constexpr (is_same<T, double>::value) {
        if (n <= MOST_STEPS()) {
            const double value = chebyshev_t_doubled(int(n), long_x(p));
            const bool is_beyond = p.x > 1 && !(value < infinity<double>());
            return unfolded(p, n, is_beyond ? infinity<double>() : value);
        }
    }
    return unfolded(p, n, chebyshev_t_of_angle(n, p.x));
}
template <class T>
CUPRIC_MATH T
chebyshev_u_at(double n, folded_point<T> p)
{
    if (n <= 32) return chebyshev_steps(n, p, true);
    if constexpr (is_same<T, double>::value) {
        if (n <= MOST_STEPS()) {
            const double value = chebyshev_u_doubled(int(n), long_x(p));
            const bool is_beyond = p.x > 1 && !(value < infinity<double>());
            return unfolded(p, n, is_beyond ? infinity<double>() : value);
        }
    }
    return unfolded(p, n, chebyshev_u_of_angle(n, p.x));
}

/* Of any degree: with `x` the point, and `p` what it is folded to. */
template <class T>
CUPRIC_MATH T
chebyshev_t(double n, T x, folded_point<T> p)
{
    if (is_not_number(x)) return x;
    if (is_whole(n)) return chebyshev_t_at(without_sign(n), p);
    return chebyshev_t_of_angle(n, x);
}
template <class T>
CUPRIC_MATH T
chebyshev_u(double n, T x, folded_point<T> p)
{
    if (is_whole(n)) {
        if (n == -1) return T(0);
        if (is_not_number(x)) return x;
        return n < 0 ? -chebyshev_u_at(-n - 2, p) : chebyshev_u_at(n, p);
    }
    return chebyshev_u_of_angle(n, x);
}

} /* namespace orthogonal */
} /* namespace elementary */

CUPRIC_END

#endif
