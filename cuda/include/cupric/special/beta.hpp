/* special/beta.hpp: the beta function's relatives, rows of ops/special/beta.def: of double,
 * with loops and branches. Those of float are the same, rounded. The binomial, F and
 * Student's distributions are incomplete beta functions,
 * M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 26.5 to 26.7.
 */
#ifndef CUPRIC_SPECIAL_BETA_HPP
#define CUPRIC_SPECIAL_BETA_HPP

#include "cupric/special/beta_function.hpp"
#include "cupric/special/beta_inverse.hpp"

CUPRIC_BEGIN

CUPRIC_MATH double
betainc(double a, double b, double x)
{
    return elementary::incomplete_beta_anywhere(a, b, x, 1 - x, false);
}

CUPRIC_MATH double
betaincc(double a, double b, double x)
{
    return elementary::incomplete_beta_anywhere(a, b, x, 1 - x, true);
}

CUPRIC_MATH double
betaincinv(double a, double b, double p)
{
    return elementary::beta_inverse_anywhere(a, b, p, 1 - p).x;
}

CUPRIC_MATH double
betainccinv(double a, double b, double q)
{
    return elementary::beta_inverse_anywhere(a, b, 1 - q, q).x;
}

/* ---- the binomial distribution: k of n, of the probability p ---------------------------- */

CUPRIC_MATH double
bdtr(double k, double n, double p)
{
    k = floor(k), n = trunc(n);
    if (!(p >= 0 && p <= 1 && k >= 0 && n >= k && n < elementary::infinity<double>()))
        return elementary::nan<double>();
    if (k == n) return 1;
    return elementary::incomplete_beta_anywhere(k + 1, n - k, p, 1 - p, true);
}

CUPRIC_MATH double
bdtrc(double k, double n, double p)
{
    k = floor(k), n = trunc(n);
    if (!(p >= 0 && p <= 1 && n >= k && n < elementary::infinity<double>()))
        return elementary::nan<double>();
    if (k < 0 || k == n) return k < 0;
    return elementary::incomplete_beta_anywhere(k + 1, n - k, p, 1 - p, false);
}

CUPRIC_MATH double
bdtri(double k, double n, double y)
{
    k = floor(k), n = trunc(n);
    if (!(y >= 0 && y <= 1 && k >= 0 && n > k && n < elementary::infinity<double>()))
        return elementary::nan<double>();
    return elementary::beta_inverse_anywhere(n - k, k + 1, y, 1 - y).y;
}

/* ---- the negative binomial distribution: k failures before n successes ------------------ */

namespace elementary {
CUPRIC_MATH bool
is_negative_binomial(double k, double n)
{
    const double limit = infinity<double>();
    return k >= 0 && n >= 1 && k < limit && n < limit;
}
} /* namespace elementary */

CUPRIC_MATH double
nbdtr(double k, double n, double p)
{
    k = trunc(k), n = trunc(n);
    if (!elementary::is_negative_binomial(k, n)) return elementary::nan<double>();
    return betainc(n, k + 1, p);
}

CUPRIC_MATH double
nbdtrc(double k, double n, double p)
{
    k = trunc(k), n = trunc(n);
    if (!elementary::is_negative_binomial(k, n)) return elementary::nan<double>();
    return betaincc(n, k + 1, p);
}

CUPRIC_MATH double
nbdtri(double k, double n, double y)
{
    k = trunc(k), n = trunc(n);
    if (!elementary::is_negative_binomial(k, n)) return elementary::nan<double>();
    return betaincinv(n, k + 1, y);
}

/* ---- Fisher's F ------------------------------------------------------------------------- */

namespace elementary {
CUPRIC_MATH double
f_distribution(double a, double b, double x, bool upper)
{
    const double limit = infinity<double>(), t = (a / b) * x;
    if (!(a > 0 && b > 0 && x >= 0)) return nan<double>();
    if (x == limit) return !upper;
    if (!(a < limit && b < limit)) return nan<double>();
    const double left = t > 1 ? 1 / (1 + 1 / t) : t / (1 + t);
    return incomplete_beta_anywhere(0.5 * a, 0.5 * b, left, 1 / (1 + t), upper);
}
} /* namespace elementary */

CUPRIC_MATH double
fdtr(double a, double b, double x)
{
    return elementary::f_distribution(a, b, x, false);
}

CUPRIC_MATH double
fdtrc(double a, double b, double x)
{
    return elementary::f_distribution(a, b, x, true);
}

CUPRIC_MATH double
fdtri(double a, double b, double p)
{
    using namespace elementary;
    if (!(a < infinity<double>() && b < infinity<double>())) return nan<double>();
    const beta_root r = beta_inverse_anywhere(0.5 * a, 0.5 * b, p, 1 - p);
    return (b / a) * (r.x / r.y);
}

/* ---- Student's t ------------------------------------------------------------------------ */

namespace elementary {
/* Below -t. */
CUPRIC_APART double
student_tail(double df, double t)
{
    const double r = t / sqrt(df), square = r * r;
    if (r > 1e100)
        return df < 10 ? 0.5 * beta_start(0.5 * df, 0.5, 1.0) * pow(1 / r, df) : 0;
    const double x = 1 / (1 + square);
    return 0.5 * incomplete_beta_anywhere(0.5 * df, 0.5, x, square * x, false);
}

/* t of that, p <= 1/2. */
CUPRIC_APART double
student_inverse(double df, double p)
{
    if (df < 10) {
        const double log_of_root = 0.5 * beta_power_start(0.5 * df, 0.5, 2 * p);
        if (log_of_root < -100) return exp(-log_of_root) * sqrt(df);
    }
    const beta_root r = beta_inverse_anywhere(0.5 * df, 0.5, 2 * p, 1 - 2 * p);
    return sqrt(df) * sqrt(r.y / r.x);
}
} /* namespace elementary */

CUPRIC_MATH double
stdtr(double df, double t)
{
    using namespace elementary;
    if (!(df > 0 && t == t)) return nan<double>();
    if (df == infinity<double>()) return elementary::ndtr(t);
    const double tail = student_tail(df, without_sign(t));
    return t > 0 ? 1 - tail : tail;
}

CUPRIC_MATH double
stdtrit(double df, double p)
{
    using namespace elementary;
    if (!(df > 0 && p >= 0 && p <= 1)) return nan<double>();
    if (p == 0 || p == 1) return p == 0 ? -infinity<double>() : infinity<double>();
    if (df == infinity<double>()) return ndtri(p);
    return p >= 0.5 ? student_inverse(df, 1 - p) : -student_inverse(df, p);
}

CUPRIC_END

#endif
