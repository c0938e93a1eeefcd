/* special/kolmogorov.hpp: distributions of the statistics of Kolmogorov and Smirnov, of
 * double: the limit of the two-sided one, and the one-sided one of n numbers, by
 * Z. W. Birnbaum and F. H. Tingey, "One-sided confidence contours for probability
 * distribution functions", The Annals of Mathematical Statistics 22 (1951).
 */
#ifndef CUPRIC_SPECIAL_KOLMOGOROV_HPP
#define CUPRIC_SPECIAL_KOLMOGOROV_HPP

#include "cupric/special/incomplete_beta.hpp"
#include "cupric/special/monotone_root.hpp"

CUPRIC_BEGIN

namespace elementary {

struct kolmogorov_values {
    double cdf, sf, density;
};

/* By one of two theta series, each of which converges at once on its side. */
CUPRIC_APART kolmogorov_values
kolmogorov_at(double x)
{
    const double pi = constants<double>::PI(), root = 2.5066282746310005024;
    if (x < 1) {
        /* sqrt(2 pi) / x (q + q**9 + q**25 + q**49), q = exp(-pi**2 / (8 x**2)) */
        const double w = pi * pi / (8 * x * x), q = exp(-w), q8 = exp(-8 * w);
        const double q24 = q8 * q8 * q8, scale = root / x;
        const double sum = 1 + q8 * (1 + q8 * q8 * (1 + q24));
        const double weighted = 1 + q8 * (9 + q8 * q8 * (25 + 49 * q24));
        const double cdf = scale * q * sum;
        return {cdf, 1 - cdf, scale * q * (2 * w * weighted - sum) / x};
    }
    const double v = exp(-2 * x * x), v2 = v * v, v3 = v2 * v, v5 = v2 * v3;
    const double sf = 2 * v * (1 - v3 * (1 - v5 * (1 - v5 * v2)));
    const double weighted = 1 - v3 * (4 - v5 * (9 - 16 * v5 * v2));
    return {1 - sf, sf, 8 * x * v * weighted};
}

} /* namespace elementary */

CUPRIC_MATH double
kolmogorov(double x)
{
    if (!(x > 0)) return x == x ? 1 : x;
    if (x < 0.02) return 1;
    return elementary::kolmogorov_at(x).sf;
}

namespace elementary {

CUPRIC_APART double
kolmogorov_inverse(double p)
{
    if (!(p >= 0 && p <= 1)) return nan<double>();
    if (p == 0 || p == 1) return p == 0 ? infinity<double>() : 0;
    /* by Newton's steps for the logarithm of what is smaller */
    const bool upper = p <= 0.5;
    const double wanted = upper ? p : 1 - p;
    double x = sqrt(-0.5 * log(0.5 * p));
    if (!upper) {
        x = 0.7;
        for (int i = 0; i < 2; i++)
            x = constants<double>::PI() /
                sqrt(-8 * log(wanted * x / 2.5066282746310005));
    }
    for (int i = 0; i < 20; i++) {
        const kolmogorov_values k = kolmogorov_at(x);
        const double value = upper ? k.sf : k.cdf;
        const double step = log(value / wanted) * value / k.density;
        x += upper ? step : -step;
        if (without_sign(step) < 1e-9 * x) break;
    }
    return x;
}

/* log(gamma(j + 1)) less Stirling's formula for it. */
CUPRIC_MATH double
factorial_rest(double j)
{
    if (j >= 10) return stirling_rest(j);
    const double half_log_of_two_pi = 0.91893853320467274178;
    return gammaln(j + 1) - ((j + 0.5) * log(j) - j + half_log_of_two_pi);
}

/* Of n numbers, the probability of a deviation of at least d, 0 < d < 1: d times the sum of
 * binomial(n, j) (d + j / n)**(j - 1) (1 - d - j / n)**(n - j), all of whose terms are
 * positive. */
CUPRIC_APART double
smirnov_sum(double n, double d)
{
    const double pi = constants<double>::PI(), nd = n * d;
    const double rest = factorial_rest(n);
    double sum = exp(n * log1p(-d)); /* of j = 0 */
    for (double j = 1; j < n; j++) {
        const double left = (n - j) - nd;
        if (!(left > 0)) break;
        const double power = j * log_over_ratio(nd / j, (j + nd) / j) +
                             (n - j) * log_over_ratio(-nd / (n - j), left / (n - j));
        if (power < -800) continue;
        const double rests = rest - factorial_rest(j) - factorial_rest(n - j);
        const double size = sqrt(n / (2 * pi * j * (n - j)));
        sum += nd / (nd + j) * size * exp(power + rests);
    }
    return sum < 1 ? sum : 1;
}

/* Of more numbers than the sum is for, an approximation whose error is some 1 / n. */
CUPRIC_MATH double
smirnov_of(double n, double d)
{
    const double z = 6 * n * d + 1;
    return n > 1e6 ? exp(-z * z / (18 * n)) : smirnov_sum(n, d);
}

/* How far the logarithm is from a wanted one. */
struct smirnov_mismatch {
    double n, p;

    CUPRIC_MATH double operator()(double d) const
    {
        const double value = d < 1 ? smirnov_of(n, d) : 0;
        return value > 0 ? tail_mismatch(1 - value, value, 1 - p, p) : 1e3;
    }
};

/* d of that probability p. */
CUPRIC_APART double
smirnov_inverse(double n, double p)
{
    if (n == 1) return 1 - p;
    const double start = (sqrt(-18 * n * log(p)) - 1) / (6 * n);
    const double last = -expm1(log(p) / n); /* of one term, right where d > 1 - 1 / n */
    if (last >= 1 - 1 / n) return last;
    return monotone_root(smirnov_mismatch{n, p}, fmin(fmax(start, 1e-3 / n), 0.9), 700);
}

} /* namespace elementary */

CUPRIC_MATH double
kolmogi(double p)
{
    return elementary::kolmogorov_inverse(p);
}

CUPRIC_APART double
smirnov(double n, double d)
{
    n = trunc(n);
    if (!(n >= 1 && n <= 2147483647.0 && d >= 0 && d <= 1))
        return elementary::nan<double>();
    if (d == 0 || d == 1) return d == 0;
    return elementary::smirnov_of(n, d);
}

CUPRIC_APART double
smirnovi(double n, double p)
{
    using namespace elementary;
    n = trunc(n);
    if (!(n >= 1 && n <= 2147483647.0 && p >= 0 && p <= 1)) return nan<double>();
    if (p == 0 || p == 1) return p == 0;
    return smirnov_inverse(n, p);
}

CUPRIC_END

#endif
