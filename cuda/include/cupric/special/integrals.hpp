/* special/integrals.hpp: exponential, trigonometric and other integrals, rows of
 * ops/special/integrals.def: of double, with loops and branches. Those of float are the
 * same, rounded. Those of complex numbers are in integrals_complex.hpp.
 *
 * https://dlmf.nist.gov/6 and, of expn, 8.19.
 */
#ifndef CUPRIC_SPECIAL_INTEGRALS_HPP
#define CUPRIC_SPECIAL_INTEGRALS_HPP

#include "cupric/special/integrals_complex.hpp"

CUPRIC_BEGIN
namespace elementary {

/* ---- generalised exponential integrals ---------------------------------------------- */

/* E_n(x) for x <= 1: (-x)**(n - 1) / (n - 1)! (psi(n) - log(x)) less the sum of
 * (-x)**m / (m! (m - n + 1)) over the other m. */
CUPRIC_APART double
expn_series(double n, double x)
{
    const double euler = 0.57721566490153286061;
    double power = 1, sum = 0, psi = -euler, special = 0;
    for (int m = 0; m < 20; m++) {
        if (m + 1 == n) {
            special = power * (psi - log_apart(x));
        } else {
            sum -= power / (m + 1 - n);
        }
        psi += 1.0 / (m + 1);
        power *= -x / (m + 1);
    }
    return sum + special;
}

/* exp(x) E_n(x) for x > 1 by its continued fraction, whose numerators and denominators
 * follow from the two before each without a division. */
CUPRIC_APART double
expn_fraction(double n, double x)
{
    double b = x + n, p0 = 0, p1 = 1, q0 = 1, q1 = b, before = 0;
    for (int i = 1; i < 120; i += 6) {
        for (int k = i; k < i + 6; k++) {
            const double numerator = -k * (n + (k - 1));
            b += 2;
            const double p = b * p1 + numerator * p0, q = b * q1 + numerator * q0;
            p0 = p1, p1 = p;
            q0 = q1, q1 = q;
        }
        const double h = p1 / q1, scale = 1 / q1;
        if (without_sign(h - before) <= 2e-16 * h) break;
        before = h;
        p0 *= scale, p1 *= scale, q0 *= scale, q1 = 1;
    }
    return p1 / q1;
}

/* The integral of exp(-x t) / t**n from 1 to infinity, for whole n >= 0 and x >= 0. */
CUPRIC_APART double
expn(double order, double x)
{
    const double n = cupric::trunc(order);
    if (!(n >= 0) || !(x >= 0)) return nan<double>();
    if (x == 0) return n > 1 ? 1 / (n - 1) : infinity<double>();
    if (x > 746 || n == infinity<double>()) return 0;
    if (n == 0) return exp(-x) / x;
    if (n == 1) return exp1(x);
    if (x <= 1) return expn_series(n, x);
    const double h = n > 1e15 ? 1 / (x + n) : expn_fraction(n, x), half = exp(-0.5 * x);
    return half * h * half;
}

/* ---- several dtypes ------------------------------------------------------------------ */

template <class T>
CUPRIC_MATH void
sici(T x, T *s, T *c)
{
    if constexpr (is_complex<T>::value) {
        const cdouble_pair p = complex_sici(wide(x));
        *s = T(p.first), *c = T(p.second);
    } else {
        const double_pair p = sici_of(double(x));
        *s = T(p.first), *c = T(p.second);
    }
}

template <class T>
CUPRIC_MATH void
shichi(T x, T *s, T *c)
{
    if constexpr (is_complex<T>::value) {
        const cdouble_pair p = complex_shichi(wide(x));
        *s = T(p.first), *c = T(p.second);
    } else {
        const double_pair p = shichi_of(double(x));
        *s = T(p.first), *c = T(p.second);
    }
}

} /* namespace elementary */

using elementary::exp1;
using elementary::expi;
using elementary::expn;
using elementary::shichi;
using elementary::sici;
using elementary::spence;
using elementary::wide;

CUPRIC_END

#endif
