/* special/recurrences.hpp: orthogonal polynomials of integer degree by their recurrences
 * over the degree (https://dlmf.nist.gov/18.9), of real and complex arguments.
 *
 * Near x = 1 the recurrence is one of differences, p(k + 1) - r(k) p(k), where r(k) is the
 * ratio of both at x = 1: what is multiplied by x - 1 there loses no digits. K. Reinsch
 * gave it to C. W. Clenshaw's sums: J. Stoer and R. Bulirsch, "Introduction to Numerical
 * Analysis" (1980), 2.3.2. Elsewhere the recurrence of three terms keeps the relative
 * error near x = 0, where every second polynomial has a root.
 */
#ifndef CUPRIC_SPECIAL_RECURRENCES_HPP
#define CUPRIC_SPECIAL_RECURRENCES_HPP

#include "cupric/math/special.hpp"

CUPRIC_BEGIN

namespace elementary {
namespace orthogonal {

/* The largest degree that is counted up to: beyond it a polynomial is not a number. */
CUPRIC_MATH constexpr double
MOST_STEPS()
{
    return 16777216;
}

CUPRIC_MATH bool
is_whole(double n)
{
    return n == rint(n) && without_sign(n) < infinity<double>();
}

CUPRIC_MATH bool
is_odd(double n)
{
    return n - 2 * rint(0.5 * n) != 0;
}

CUPRIC_MATH double
times(double a, double b)
{
    return a * b;
}
CUPRIC_MATH complex128
times(double a, complex128 z)
{
    return complex128(a * z.re, a * z.im);
}

CUPRIC_MATH double
real_part(double x)
{
    return x;
}
CUPRIC_MATH double
real_part(complex128 z)
{
    return z.re;
}

CUPRIC_MATH bool
is_finite_number(double x)
{
    return without_sign(x) < infinity<double>();
}
CUPRIC_MATH bool
is_finite_number(complex128 z)
{
    return is_finite_number(z.re) && is_finite_number(z.im);
}

CUPRIC_MATH bool
is_larger(double x, double bound)
{
    return without_sign(x) > bound;
}
CUPRIC_MATH bool
is_larger(complex128 z, double bound)
{
    return is_larger(z.re, bound) || is_larger(z.im, bound);
}

CUPRIC_MATH bool
is_not_number(double x)
{
    return x != x;
}
CUPRIC_MATH bool
is_not_number(complex128 z)
{
    return z.re != z.re || z.im != z.im;
}

/* A point with its real part folded onto x >= 0, and x - 1 to the last digit. */
template <class T>
struct folded_point {
    T x, rest;
    bool turned;
};

CUPRIC_MATH folded_point<double>
folded(double x)
{
    const double y = without_sign(x);
    return {y, y - 1, x < 0};
}
CUPRIC_MATH folded_point<complex128>
folded(complex128 z)
{
    const bool turned = z.re < 0;
    const complex128 y = turned ? -z : z;
    return {y, complex128(y.re - 1, y.im), turned};
}

/* The same of 2 x - 1, for the shifted polynomials. */
CUPRIC_MATH folded_point<double>
folded_shifted(double x)
{
    if (x < 0.5) return {1 - 2 * x, -2 * x, true};
    return {2 * x - 1, 2 * (x - 1), false};
}
CUPRIC_MATH folded_point<complex128>
folded_shifted(complex128 z)
{
    if (z.re < 0.5) return {complex128(1 - 2 * z.re, -2 * z.im), times(-2, z), true};
    return {complex128(2 * z.re - 1, 2 * z.im), complex128(2 * (z.re - 1), 2 * z.im),
            false};
}

template <class T>
CUPRIC_MATH bool
is_near_one(const folded_point<T> &p)
{
    return real_part(p.x) >= 0.5;
}

/* p, of the parity of n, at the point that was folded. */
template <class T>
CUPRIC_MATH T
unfolded(const folded_point<T> &p, double n, T value)
{
    return p.turned && is_odd(n) ? -value : value;
}

/* P_n: 0 <= n <= MOST_STEPS(). */
template <class T>
CUPRIC_APART T
legendre_by_degree(double n, folded_point<T> p)
{
    T now = 1, other = 0; /* (k) (P_k - P_(k - 1)), or P_(k - 1) */
    if (is_near_one(p)) {
        for (double k = 0; k < n; k++) {
            const double r = 1 / (k + 1);
            other = other + times(2 * k + 1, p.rest) * now;
            now = now + times(r, other);
        }
    } else {
        for (double k = 0; k < n; k++) {
            const double r = 1 / (k + 1);
            const T next = times((2 * k + 1) * r, p.x) * now - times(k * r, other);
            other = now;
            now = next;
        }
    }
    return unfolded(p, n, now);
}

/* C_n of alpha, any number but the infinite ones. */
template <class T>
CUPRIC_APART T
gegenbauer_by_degree(double n, double alpha, folded_point<T> p)
{
    T now = 1, other = 0;
    if (is_near_one(p)) {
        for (double k = 0; k < n; k++) {
            const double r = 1 / (k + 1);
            other = other + times(2 * (k + alpha), p.rest) * now;
            now = times(r, times(k + 2 * alpha, now) + other);
        }
    } else {
        for (double k = 0; k < n; k++) {
            const double r = 1 / (k + 1);
            const T next = times(2 * (k + alpha) * r, p.x) * now -
                           times((k - 1 + 2 * alpha) * r, other);
            other = now;
            now = next;
        }
    }
    return unfolded(p, n, now);
}

/* The sum of (n + s + 1)_j / j! (a + j + 1)_(n - j) / (n - j)! ((x - 1) / 2)**j, s = a + b:
 * Jacobi's polynomial of any a and b. */
template <class T>
CUPRIC_APART T
jacobi_sum(double n, double a, double s, T rest)
{
    T sum = 0, power = 1;
    double first = 1;
    for (double j = 0; j <= n; j++) {
        double second = 1;
        for (double i = 1; i <= n - j; i++) second *= (a + j + i) / i;
        sum = sum + times(first * second, power);
        power = power * times(0.5, rest);
        first *= (n + s + 1 + j) / (j + 1);
    }
    return sum;
}

/* Jacobi's recurrence of three terms from degree k and the one before, up to n. */
template <class T>
CUPRIC_MATH T
jacobi_of_three(double n, double a, double b, T x, double k, T now, T before)
{
    const double s = a + b, square = s * (a - b);
    for (; k + 0.5 < n; k++) { /* n may be no integer, nor k */
        const double t = 2 * k + s, r = 0.5 / ((k + 1) * (k + s + 1) * t);
        const T slope = times((t + 1) * r, times((t + 2) * t, x) + T(square));
        const T next = slope * now - times(2 * (k + a) * (k + b) * (t + 2) * r, before);
        before = now;
        now = next;
    }
    return now;
}

/* P_n of alpha and beta. The recurrence has poles where s = alpha + beta is an integer
 * below -1, behind which it starts then. */
template <class T>
CUPRIC_APART T
jacobi_by_degree(double n, double alpha, double beta, folded_point<T> p)
{
    const double a = p.turned ? beta : alpha, b = p.turned ? alpha : beta, s = a + b;
    if (n == 0) return T(1);
    T now = 0, before = 1;
    if (s <= -2 && s == rint(s)) {
        const double first = 1 - s;
        if (!(first < 1000)) return T(nan<double>());
        if (n <= first) return unfolded(p, n, jacobi_sum(n, a, s, p.rest));
        now = jacobi_sum(first, a, s, p.rest);
        before = jacobi_sum(first - 1, a, s, p.rest);
        now = jacobi_of_three(n, a, b, p.x, first, now, before);
    } else if (is_near_one(p)) {
        T other = times(0.5 * (s + 2), p.rest); /* P_k - (k + a) / k P_(k - 1) */
        now = T(1 + a) + other;
        for (double k = 1; k < n; k++) {
            const double t = 2 * k + s, u = (k + s + 1) * t, r = 1 / ((k + 1) * u);
            other = times(0.5 * t * (t + 1) * (t + 2) * r, p.rest) * now +
                    times(k * (k + b) * (t + 2) * r, other);
            now = times((k + 1 + a) * u * r, now) + other;
        }
    } else {
        now = times(0.5, T(a - b) + times(s + 2, p.x));
        now = jacobi_of_three(n, a, b, p.x, 1, now, before);
    }
    return unfolded(p, n, now);
}

/* ---- Laguerre and Hermite ---------------------------------------------------------------
 *
 * Steps, from degree k to the next; with scales, as results may be finite though what is
 * before them is not, and infinite ones have a sign.
 */
template <class T>
struct laguerre_step {
    typedef T type;
    T x;
    double alpha;
    T now, other; /* k L_k - (k + alpha) L_(k - 1) */
    CUPRIC_MATH void advance(double k)
    {
        other = other - x * now;
        now = times(1 / (k + 1), times(k + 1 + alpha, now) + other);
    }
};

/* H_n for `factor` 2, He_n for 1. */
struct hermite_step {
    typedef double type;
    double x, factor, now, other; /* of the degree before */
    CUPRIC_MATH void advance(double k)
    {
        const double next = factor * (x * now - k * other);
        other = now;
        now = next;
    }
};

template <class S>
CUPRIC_APART typename S::type
steps_with_scale(S s, double n)
{
    typedef typename S::type T;
    int scale = 0;
    for (double k = 0; k < n; k++) {
        s.advance(k);
        if (!is_larger(s.now, 1e150)) continue;
        s.now = times(1e-150, s.now);
        s.other = times(1e-150, s.other);
        scale++;
    }
    T result = s.now;
    for (; scale > 0 && is_larger(result, 0) && is_finite_number(result); scale--)
        result = times(1e150, result);
    return result;
}

template <class S>
CUPRIC_MATH typename S::type
steps(S s, double n)
{
    S start = s;
    for (double k = 0; k < n; k++) s.advance(k);
    if (is_finite_number(s.now)) return s.now;
    return steps_with_scale(start, n);
}

/* L_n of alpha > -1, n >= 0. */
template <class T>
CUPRIC_APART T
laguerre_by_degree(double n, double alpha, T x)
{
    const laguerre_step<T> s = {x, alpha, T(1), T(0)};
    return steps(s, n);
}

CUPRIC_APART double
hermite_by_degree(double n, double x, double factor)
{
    const hermite_step s = {x, factor, 1, 0};
    return steps(s, n);
}

} /* namespace orthogonal */
} /* namespace elementary */

CUPRIC_END

#endif
