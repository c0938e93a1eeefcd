/* special/orthogonal.hpp: orthogonal polynomials and spherical harmonics, rows of
 * ops/special/orthogonal.def: of double and complex<double>, with loops and branches. Those
 * of float are the same, rounded.
 *
 * A degree that is an integer, of whatever dtype, is counted up to. Others are those of the
 * functions that the polynomials are of (https://dlmf.nist.gov/18.5 (iii)).
 */
#ifndef CUPRIC_SPECIAL_ORTHOGONAL_HPP
#define CUPRIC_SPECIAL_ORTHOGONAL_HPP

#include "cupric/special/chebyshev.hpp"
#include "cupric/special/confluent.hpp"
#include "cupric/special/legendre.hpp"

CUPRIC_BEGIN

namespace orthogonal = elementary::orthogonal;

/* ---- Chebyshev's ------------------------------------------------------------------------ */

template <class T>
CUPRIC_MATH T
eval_chebyt(double n, T x)
{
    return orthogonal::chebyshev_t(n, x, orthogonal::folded(x));
}
template <class T>
CUPRIC_MATH T
eval_chebyu(double n, T x)
{
    return orthogonal::chebyshev_u(n, x, orthogonal::folded(x));
}
template <class T>
CUPRIC_MATH T
eval_chebyc(double n, T x)
{
    return orthogonal::times(2, eval_chebyt(n, orthogonal::times(0.5, x)));
}
template <class T>
CUPRIC_MATH T
eval_chebys(double n, T x)
{
    return eval_chebyu(n, orthogonal::times(0.5, x));
}
template <class T>
CUPRIC_MATH T
eval_sh_chebyt(double n, T x)
{
    return orthogonal::chebyshev_t(n, orthogonal::times(2, x) - T(1),
                                   orthogonal::folded_shifted(x));
}
template <class T>
CUPRIC_MATH T
eval_sh_chebyu(double n, T x)
{
    return orthogonal::chebyshev_u(n, orthogonal::times(2, x) - T(1),
                                   orthogonal::folded_shifted(x));
}

/* ---- Legendre's, Gegenbauer's, Jacobi's ------------------------------------------------- */

namespace elementary {
namespace orthogonal {

/* (1 - x) / 2, from which series are about x = 1. */
CUPRIC_MATH double
half_from_one(double x)
{
    return 0.5 * (1 - x);
}
CUPRIC_MATH complex128
half_from_one(complex128 z)
{
    return complex128(0.5 * (1 - z.re), -0.5 * z.im);
}

/* P_v of no integer v. */
CUPRIC_APART double
legendre_of_no_integer(double v, double x)
{
    if (v < -0.5) v = -v - 1;
    if (!(v <= MOST_STEPS()) || !(x >= -1)) return nan<double>();
    if (x > 1) return legendre_beyond_one(v, x);
    return legendre_within(0, v, x);
}
CUPRIC_MATH complex128
legendre_of_no_integer(double v, complex128 z)
{
    return hyp2f1(-v, v + 1, 1.0, half_from_one(z));
}

/* Whether a polynomial of degree n >= 0 can be counted up to. */
CUPRIC_MATH bool
is_degree(double n)
{
    return is_whole(n) && n <= MOST_STEPS();
}

/* What is 0 at any point. */
template <class T>
CUPRIC_MATH T
none_of(T x)
{
    return is_not_number(x) ? x : T(0);
}

template <class T>
CUPRIC_MATH T
legendre_at(double n, T x, folded_point<T> p)
{
    if (!is_whole(n)) return legendre_of_no_integer(n, x);
    const double degree = n < 0 ? -n - 1 : n;
    return is_degree(degree) ? legendre_by_degree(degree, p) : T(nan<double>());
}

/* Whether a real x is left of where functions of no integer degree are real. */
CUPRIC_MATH bool
is_beyond_cut(double x)
{
    return x < -1;
}
CUPRIC_MATH bool
is_beyond_cut(complex128)
{
    return false;
}

/* gamma(a) / (gamma(b) gamma(c)), 0 at a pole of gamma(b) or gamma(c). */
CUPRIC_APART double
ratio_of_gammas(double a, double b, double c)
{
    if ((b <= 0 && is_whole(b)) || (c <= 0 && is_whole(c))) return 0;
    if (a > 100 && b > 0 && c > 0) return exp(gammaln(a) - gammaln(b) - gammaln(c));
    return gamma(a) / (gamma(b) * gamma(c));
}

/* P_v of alpha and beta at a degree that is no integer, by 2F1; from two of such degrees
 * below 2 the recurrence leads to larger ones. */
template <class T>
CUPRIC_APART T
jacobi_by_series(double v, double a, double b, T x)
{
    return times(ratio_of_gammas(v + a + 1, v + 1, a + 1),
                 hyp2f1(-v, v + a + b + 1, a + 1, half_from_one(x)));
}
template <class T>
CUPRIC_APART T
jacobi_of_no_integer(double v, double a, double b, T x)
{
    if (!(v <= MOST_STEPS()) || is_beyond_cut(x)) return T(nan<double>());
    if (v < 2 || a + b <= -2) return jacobi_by_series(v, a, b, x);
    const double u = v - floor(v);
    return jacobi_of_three(v, a, b, x, u + 1, jacobi_by_series(u + 1, a, b, x),
                           jacobi_by_series(u, a, b, x));
}

/* The same of C_v of alpha. */
template <class T>
CUPRIC_APART T
gegenbauer_by_series(double v, double a, T x)
{
    return times(ratio_of_gammas(v + 2 * a, v + 1, 2 * a),
                 hyp2f1(-v, v + 2 * a, a + 0.5, half_from_one(x)));
}
template <class T>
CUPRIC_APART T
gegenbauer_of_no_integer(double v, double a, T x)
{
    if (!(v <= MOST_STEPS()) || is_beyond_cut(x)) return T(nan<double>());
    if (v < 2) return gegenbauer_by_series(v, a, x);
    double k = v - floor(v) + 1;
    T now = gegenbauer_by_series(k, a, x), before = gegenbauer_by_series(k - 1, a, x);
    for (; k + 0.5 < v; k++) {
        const double r = 1 / (k + 1);
        const T next =
            times(2 * (k + a) * r, x) * now - times((k - 1 + 2 * a) * r, before);
        before = now;
        now = next;
    }
    return now;
}

template <class T>
CUPRIC_MATH T
jacobi_at(double n, double alpha, double beta, T x, folded_point<T> p)
{
    if (!is_whole(n)) return jacobi_of_no_integer(n, alpha, beta, x);
    if (!is_degree(n)) return T(nan<double>());
    if (n < 0) return none_of(x);
    return jacobi_by_degree(n, alpha, beta, p);
}

/* (n + a) (n + a - 1) ... (1 + a) / n!, binomial coefficients. */
CUPRIC_MATH double
binomial_of(double n, double a)
{
    if (!is_whole(n)) return ratio_of_gammas(n + a + 1, n + 1, a + 1);
    double result = 1;
    for (double k = 1; k <= n; k++) result *= (a + k) / k;
    return result;
}

} /* namespace orthogonal */
} /* namespace elementary */

template <class T>
CUPRIC_MATH T
eval_legendre(double n, T x)
{
    return orthogonal::legendre_at(n, x, orthogonal::folded(x));
}
template <class T>
CUPRIC_MATH T
eval_sh_legendre(double n, T x)
{
    return orthogonal::legendre_at(n, orthogonal::times(2, x) - T(1),
                                   orthogonal::folded_shifted(x));
}

template <class T>
CUPRIC_MATH T
eval_gegenbauer(double n, double alpha, T x)
{
    using namespace orthogonal;
    if (is_not_number(x)) return x;
    if (!is_whole(n)) return gegenbauer_of_no_integer(n, alpha, x);
    if (!is_degree(n)) return T(elementary::nan<double>());
    if (n < 0) return none_of(x);
    return gegenbauer_by_degree(n, alpha, folded(x));
}

template <class T>
CUPRIC_MATH T
eval_jacobi(double n, double alpha, double beta, T x)
{
    return orthogonal::jacobi_at(n, alpha, beta, x, orthogonal::folded(x));
}

/* Jacobi's of p - q and q - 1, shifted and with the leading coefficient 1. */
template <class T>
CUPRIC_MATH T
eval_sh_jacobi(double n, double p, double q, T x)
{
    using namespace orthogonal;
    if (!(n <= MOST_STEPS())) return T(elementary::nan<double>());
    const T y = times(2, x) - T(1);
    return jacobi_at(n, p - q, q - 1, y, folded_shifted(x)) /
           T(binomial_of(n, n + p - 1));
}

/* ---- Laguerre's ------------------------------------------------------------------------- */

namespace elementary {
namespace orthogonal {

CUPRIC_MATH double
laguerre_at(double n, double alpha, double x)
{
    const double value = laguerre_by_degree(n, alpha, x);
    /* of an x so large that steps of it overflow it is infinite */
    if (value == value || x != x) return value;
    return x > 0 && is_odd(n) ? -infinity<double>() : infinity<double>();
}
CUPRIC_MATH complex128
laguerre_at(double n, double alpha, complex128 x)
{
    return laguerre_by_degree(n, alpha, x);
}

} /* namespace orthogonal */
} /* namespace elementary */

template <class T>
CUPRIC_MATH T
eval_genlaguerre(double n, double alpha, T x)
{
    using namespace orthogonal;
    if (!(alpha > -1)) return T(elementary::nan<double>());
    if (is_not_number(x)) return x;
    if (!is_whole(n))
        return times(ratio_of_gammas(n + alpha + 1, n + 1, alpha + 1),
                     hyp1f1(-n, alpha + 1, x));
    if (!is_degree(n)) return T(elementary::nan<double>());
    if (n < 0) return none_of(x);
    return laguerre_at(n, alpha, x);
}
template <class T>
CUPRIC_MATH T
eval_laguerre(double n, T x)
{
    return eval_genlaguerre(n, 0, x);
}

/* ---- Hermite's, of integer degree ------------------------------------------------------- */

namespace elementary {
namespace orthogonal {

CUPRIC_MATH double
hermite(double n, double x, double factor)
{
    if (x != x || n < 0 || !(n <= MOST_STEPS())) return nan<double>();
    const double value = hermite_by_degree(n, without_sign(x), factor);
    /* of an x so large that steps of it overflow it is infinite */
    const double known = value == value ? value : infinity<double>();
    return x < 0 && is_odd(n) ? -known : known;
}

} /* namespace orthogonal */
} /* namespace elementary */

CUPRIC_MATH double
eval_hermite(double n, double x)
{
    return orthogonal::hermite(n, x, 2);
}
CUPRIC_MATH double
eval_hermitenorm(double n, double x)
{
    return orthogonal::hermite(n, x, 1);
}

/* ---- Associated Legendre functions ------------------------------------------------------ */

/* P_v^m, where m is an integer; |x| <= 1, or m is 0. */
CUPRIC_APART double
lpmv(double m, double v, double x)
{
    using namespace elementary;
    using namespace elementary::orthogonal;
    if (!is_whole(m) || !(without_sign(v) < infinity<double>()) || x != x)
        return nan<double>();
    if (v < -0.5) v = -v - 1;
    const double order = without_sign(m);
    if (order > MOST_STEPS() || (v == rint(v) && v > MOST_STEPS()))
        return nan<double>();
    if (without_sign(x) <= 1)
        return m < 0 ? legendre_of_negative_order(order, v, x)
                     : legendre_within(m, v, x);
    if (m != 0) return nan<double>();
    if (v == rint(v)) return legendre_by_degree(v, folded(x));
    return x > 1 ? legendre_beyond_one(v, x) : nan<double>();
}

CUPRIC_END

#endif
