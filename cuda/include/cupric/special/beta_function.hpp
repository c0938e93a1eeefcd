/* special/beta_function.hpp: the beta function, its logarithm and binomial coefficients, of
 * double. Those of negative arguments are by reflection, https://dlmf.nist.gov/5.5.E3, those
 * of positive ones follow.
 */
#ifndef CUPRIC_SPECIAL_BETA_FUNCTION_HPP
#define CUPRIC_SPECIAL_BETA_FUNCTION_HPP

#include "cupric/special/incomplete_beta.hpp"

CUPRIC_BEGIN

namespace elementary {

/* sin(pi x) for -1 <= x <= 1, exactly 0 at whole numbers. */
CUPRIC_MATH double
sine_of_turns(double x)
{
    const double pi = constants<double>::PI(), y = without_sign(x);
    return times_sign(sin(pi * (y > 0.5 ? 1 - y : y)), x);
}

CUPRIC_MATH bool
is_odd(double x)
{
    return rint(0.5 * x) != 0.5 * x;
}

/* sin(pi (x + y)). */
CUPRIC_MATH double
sine_of_turns(double x, double y)
{
    const double n = rint(x), m = rint(y);
    const double s = sine_of_turns((x - n) + (y - m));
    return is_odd(n) != is_odd(m) ? -s : s;
}

/* (large / (large + small))**large of two large numbers, and the same of the small one. */
CUPRIC_MATH double
power_of_part(double part, double other)
{
    const double sum = part + other, q = part / sum;
    if (q > 0.5) return exp(-part * log1p(other / part));
    /* what is lost in q counts `part` times */
    const double low = fmin(part, other) - (sum - fmax(part, other));
    const double lost = fused(-q, sum, part) - q * low;
    return pow(q, part) * (1 + lost / (q * sum) * part);
}

/* B(a, b) for 0 < a <= b. */
CUPRIC_APART double
beta_of_positive(double a, double b)
{
    const double two_pi = 6.283185307179586477;
    if (a < 10) return 1 / (a * beta_start(a, b, 1.0));
    const double rest = stirling_rest(a) + (stirling_rest(b) - stirling_rest(a + b));
    const double powers = power_of_part(a, b) * power_of_part(b, a);
    return powers * exp(rest) * sqrt(two_pi / (a * (b / (a + b))));
}

/* log(B(a, b)) likewise. */
CUPRIC_APART double
betaln_of_positive(double a, double b)
{
    const double half_log_of_two_pi = 0.91893853320467274178;
    if (a < 10 && b < 10) return log(beta_of_positive(a, b));
    if (b == infinity<double>()) return a == b ? nan<double>() : -b;
    if (a < 10) {
        const double log_of_power = a * log(b) + gamma_ratio_rest(b, a);
        if (a < 0.5) return gammaln1p(a) - log_of_power - log(a);
        return gammaln(a) - log_of_power;
    }
    const double rest = stirling_rest(a) + (stirling_rest(b) - stirling_rest(a + b));
    const double r = a / b, log_of_part = log(r) - log1p(r);
    return a * log_of_part - b * log1p(r) + (half_log_of_two_pi + rest) -
           0.5 * (log(b) + log_of_part);
}

/* B(a, b) = factor * B(p, q)**power of positive p and q. */
struct reflected_beta {
    double factor, p, q;
    bool inverse;
};

/* For a <= b, a < 0, none of them or a + b a pole of the gamma function. */
CUPRIC_MATH reflected_beta
reflected_beta_of(double a, double b)
{
    const double pi = constants<double>::PI(), s = a + b;
    if (b < 0) {
        const double under = sine_of_turns(a, 0) * sine_of_turns(b, 0);
        return {pi * sine_of_turns(a, b) / under / (1 - s), 1 - a, 1 - b, true};
    }
    if (s > 0) return {pi / (sine_of_turns(a, 0) * b), 1 - a, s, true};
    return {sine_of_turns(a, b) / sine_of_turns(a, 0), b, 1 - s, false};
}

CUPRIC_MATH bool
is_pole_of_gamma(double x)
{
    return x <= 0 && rint(x) == x;
}

/* At a pole in a: the limit over whole numbers b, where that is finite. */
CUPRIC_MATH double
beta_at_pole(double a, double b, bool logarithm)
{
    const double p = 1 - a - b, limit = infinity<double>();
    if (rint(b) != b || !(p > 0) || !(a > -2147483649.0)) return limit;
    if (logarithm) return b > 0 ? betaln_of_positive(fmin(p, b), fmax(p, b)) : limit;
    const double value = b > 0 ? beta_of_positive(fmin(p, b), fmax(p, b)) : limit;
    return is_odd(b) ? -value : value;
}

/* Where a < 0, a <= b. */
CUPRIC_APART double
beta_of_negative(double a, double b, bool logarithm)
{
    if (b == infinity<double>()) return logarithm || !is_odd(floor(a)) ? b : -b;
    if (is_pole_of_gamma(a + b)) return logarithm ? -infinity<double>() : 0;
    const reflected_beta r = reflected_beta_of(a, b);
    const double p = fmin(r.p, r.q), q = fmax(r.p, r.q);
    if (logarithm) {
        const double l = betaln_of_positive(p, q);
        return log(without_sign(r.factor)) + (r.inverse ? -l : l);
    }
    const double value = beta_of_positive(p, q);
    return r.inverse ? r.factor / value : r.factor * value;
}

CUPRIC_MATH double
beta_anywhere(double a, double b, bool logarithm)
{
    if (a != a || b != b) return nan<double>();
    if (is_pole_of_gamma(a)) return beta_at_pole(a, b, logarithm);
    if (is_pole_of_gamma(b)) return beta_at_pole(b, a, logarithm);
    const double least = fmin(a, b), most = fmax(a, b);
    if (least < 0) return beta_of_negative(least, most, logarithm);
    if (logarithm) return betaln_of_positive(least, most);
    if (most == infinity<double>()) return least == most ? nan<double>() : 0;
    return beta_of_positive(least, most);
}

/* n! / (k! (n - k)!) of a small whole k, as a product. */
CUPRIC_MATH double
binom_product(double n, double k)
{
    double over = 1, under = 1;
    for (double i = 1; i <= k; i++) {
        over *= (i - k) + n;
        under *= i;
        if (without_sign(over) > 1e50) {
            over /= under;
            under = 1;
        }
    }
    return over / under;
}

/* Where k > -1 and n - k < -1, of the sine of pi (n - k), by reflection. */
CUPRIC_MATH double
binom_reflected(double n, double k, double rest, double sine)
{
    const double pi = constants<double>::PI();
    if (n > -1) {
        const double value = (1 + k) * beta_anywhere(-rest, n + 2, false);
        return -sine * (value / (pi * (n + 1)));
    }
    return -sine /
           (sine_of_turns(n, 0) * (n + 1) * beta_anywhere(1 + k, -1 - n, false));
}

} /* namespace elementary */

CUPRIC_MATH double
beta(double a, double b)
{
    return elementary::beta_anywhere(a, b, false);
}

CUPRIC_MATH double
betaln(double a, double b)
{
    return elementary::beta_anywhere(a, b, true);
}

CUPRIC_APART double
binom(double n, double k)
{
    using namespace elementary;
    const double limit = infinity<double>();
    if (!(n == n && k < limit) || (n < 0 && n == rint(n))) return nan<double>();
    if (n == limit && k < 0) return 0;
    if (k == rint(k)) {
        const bool mirrored = n == rint(n) && n > 0 && k > 0.5 * n;
        const double least = mirrored ? n - k : k;
        if (least < 0) return 0;
        if (least < 20) return binom_product(n, least);
        if (mirrored) k = least;
    }
    const double rest = n - k;
    if (!(without_sign(rest) < limit)) return nan<double>();
    if (rest < -1 && k > -1) return binom_reflected(n, k, rest, sine_of_turns(n, -k));
    if (k < -1 && rest > -1) return binom_reflected(n, rest, k, sine_of_turns(k, 0));
    return 1 / ((n + 1) * beta(1 + rest, 1 + k));
}

CUPRIC_END

#endif
