/* special/noncentral.hpp: the noncentral chi-square, F and t distributions, of double.
 *
 * The first two are mixtures of central ones with the weights of a Poisson distribution. As
 * in D. Benton and K. Krishnamoorthy, "Computing discrete mixtures of continuous
 * distributions", Computational Statistics & Data Analysis 43 (2003), the sum starts at its
 * largest term; here from above it, so that each distribution follows from the one before
 * by an addition, and the sum has all digits also where it is small.
 */
#ifndef CUPRIC_SPECIAL_NONCENTRAL_HPP
#define CUPRIC_SPECIAL_NONCENTRAL_HPP

#include "cupric/special/beta.hpp"
#include "cupric/special/incomplete_gamma.hpp"

CUPRIC_BEGIN

namespace elementary {

/* exp(-m) m**j / j!. */
CUPRIC_MATH double
poisson_weight(double j, double m)
{
    return j == 0 ? exp(-m) : gamma_term(j, m);
}

/* P(a + j, x), by j: what two neighbours differ by, and that term's quotient by the next. */
struct gamma_mixture {
    double a, x;

    CUPRIC_MATH double value(double j) const
    {
        return incomplete_gamma_anywhere(a + j, x, false);
    }

    CUPRIC_MATH double term(double j) const /* value(j) - value(j + 1) */
    {
        return gamma_term(a + j, x);
    }

    CUPRIC_MATH double growth(double j) const /* term(j + 1) / term(j) */
    {
        return x / (a + j + 1);
    }

    CUPRIC_MATH double
    largest(double m) const /* about the j of the largest term(j) times weight(j) */
    {
        const double half = 0.5 * a;
        return m * x / (half + sqrt(half * half + m * x));
    }
};

/* I_x(a + j, b) likewise. */
struct beta_mixture {
    double a, b, x, y;

    CUPRIC_MATH double value(double j) const
    {
        double unused;
        return incomplete_beta(a + j, b, x, y, false, unused);
    }

    CUPRIC_MATH double term(double j) const
    {
        return beta_term(beta_place_of(a + j, b, x, y)) / (a + j);
    }

    CUPRIC_MATH double growth(double j) const
    {
        return x * ((a + b + j) / (a + j + 1));
    }

    CUPRIC_MATH double largest(double m) const /* j (a + j) = m x (a + b + j) */
    {
        const double half = 0.5 * (a - m * x), c = m * x * (a + b);
        const double root = sqrt(half * half + c);
        return half > 0 ? c / (half + root) : root - half;
    }
};

/* The sum of the values with the weights of the Poisson distribution of mean m. */
template <class M>
CUPRIC_APART double
poisson_mixture(const M &of, double m)
{
    const int most = 400000; /* terms to either side: m up to some 10**9 */
    double j = floor(fmin(of.largest(m), m)), part = 1;
    int n = 0;
    for (; part > 1e-18 && n < most; n++) {
        const double growth = of.growth(j);
        part *= m / (j + 1) * (growth < 1 ? growth : 1);
        j += 1;
    }
    double weight = poisson_weight(j, m), value = of.value(j), sum = 0;
    double term = j > 0 ? of.term(j - 1) : 0;
    for (n = 0; n < 2 * most; n++) {
        const double next = weight * value;
        sum += next;
        if (j == 0 || (next < 1e-18 * sum && j < m)) break;
        weight *= j / m;
        value += term;
        j -= 1;
        if (j > 0) term /= of.growth(j - 1);
    }
    return n < 2 * most ? sum : nan<double>();
}

/* Whether the mean of the weights is one for which the sum is short enough. */
CUPRIC_MATH bool
is_noncentrality(double nc)
{
    return nc >= 0 && nc <= 1e9;
}

} /* namespace elementary */

CUPRIC_APART double
chndtr(double x, double df, double nc)
{
    using namespace elementary;
    if (!(df > 0 && df < infinity<double>() && is_noncentrality(nc) && x == x))
        return nan<double>();
    if (x <= 0) return x < 0 ? nan<double>() : 0;
    if (x == infinity<double>()) return 1;
    if (nc == 0) return incomplete_gamma_anywhere(0.5 * df, 0.5 * x, false);
    const double sum = poisson_mixture(gamma_mixture{0.5 * df, 0.5 * x}, 0.5 * nc);
    return sum > 1 ? 1 : sum;
}

CUPRIC_APART double
ncfdtr(double dfn, double dfd, double nc, double f)
{
    using namespace elementary;
    const double limit = infinity<double>();
    if (!(dfn > 0 && dfd > 0 && dfn < limit && dfd < limit)) return nan<double>();
    if (!(nc >= 0 && f >= 0)) return nan<double>();
    if (f == limit && nc < limit) return 1;
    if (!is_noncentrality(nc)) return nan<double>();
    if (nc == 0) return fdtr(dfn, dfd, f);
    const double t = dfn / dfd * f, y = 1 / (1 + t);
    const double x = t > 1 ? 1 / (1 + 1 / t) : t * y;
    if (x == 0 || y == 0) return y == 0;
    const double sum =
        poisson_mixture(beta_mixture{0.5 * dfn, 0.5 * dfd, x, y}, 0.5 * nc);
    return sum > 1 ? 1 : sum;
}

CUPRIC_END

#endif
