/* special/incomplete_beta.hpp: the regularised incomplete beta function I_x(a, b) and its
 * complement I_y(b, a), y = 1 - x, of double. Each takes x and y, of which the smaller one
 * has all its digits.
 *
 * Near the mean of a large a and b by a uniform expansion, of which
 * tools/beta_expansion.py makes the coefficients. Else by a continued fraction of the one
 * that is small, which converges in some ten steps: A. R. DiDonato and A. H. Morris,
 * "Significant digit computation of the incomplete beta function ratios", ACM Transactions
 * on Mathematical Software 18 (1992), (9); and where a or b is below 1 on that side by a
 * series of powers (https://dlmf.nist.gov/8.17.E7), from which both follow without
 * cancellation.
 */
#ifndef CUPRIC_SPECIAL_INCOMPLETE_BETA_HPP
#define CUPRIC_SPECIAL_INCOMPLETE_BETA_HPP

#include "cupric/math/special.hpp"
#include "cupric/special/beta_expansion.hpp"
#include "cupric/special/incomplete_gamma.hpp"

CUPRIC_BEGIN

namespace elementary {

/* What I_x(a, b) is computed of. */
struct beta_place {
    double a, b, x, y;
    double above; /* (a + b) x - a, in which nothing is lost */
    double
        power; /* log((x / mean)**a (y / (1 - mean))**b), where both are from 10 on */
    double n;  /* a b / (a + b) */
};

CUPRIC_MATH double
beta_above(double a, double b, double x, double y)
{
    const double sum = a + b, large = fmax(a, b), small = fmin(a, b);
    const double low = small - (sum - large);
    if (x <= y) return fused(x, sum, -a) + x * low;
    return -(fused(y, sum, -b) + y * low);
}

/* log(ratio) - r, ratio = 1 + r. */
CUPRIC_MATH double
log_over_ratio(double r, double ratio)
{
    return r > -0.45 && r < 0.8 ? log1p_rest(r) : log(ratio) - r;
}

CUPRIC_MATH beta_place
beta_place_of(double a, double b, double x, double y)
{
    const double sum = a + b, above = beta_above(a, b, x, y);
    double power = 0;
    if (a >= 10 && b >= 10)
        power = a * log_over_ratio(above / a, x * (sum / a)) +
                b * log_over_ratio(-above / b, y * (sum / b));
    return {a, b, x, y, above, power, a * (b / sum)};
}

/* (stirling_rest(a + b) - stirling_rest(b)) / a for b >= 10: the difference of a polynomial's
 * values over that of its arguments, by Horner's scheme. */
CUPRIC_MATH double
stirling_rest_slope(double b, double a)
{
    const double u = 1 / (a + b), v = 1 / b, s = u * u, t = v * v;
    const double c[] = {-3617.0 / 122400, 1.0 / 156,  -691.0 / 360360, 1.0 / 1188,
                        -1.0 / 1680,      1.0 / 1260, -1.0 / 360,      1.0 / 12};
    double value = c[0], slope = 0; /* of t; over s - t */
    for (int i = 1; i < 8; i++) {
        slope = fused(slope, s, value);
        value = fused(value, t, c[i]);
    }
    /* u p(s) - v p(t) = (u - v) (p(t) + u (u + v) (p(s) - p(t)) / (s - t)) */
    return -u * v * (value + u * (u + v) * slope);
}

/* log(gamma(a + b) / (gamma(b) b**a)) for b >= 10 and a < b. */
CUPRIC_MATH double
gamma_ratio_rest(double b, double a)
{
    const double r = a / b;
    return (a + b) * log1p_rest(r) + a * r - 0.5 * log1p(r) +
           a * stirling_rest_slope(b, a);
}

/* log(gamma(a + b) / gamma(b)) for a < 1, to the last digits where a is small. */
CUPRIC_APART double
gammaln_step(double b, double a)
{
    double product_less_1 = 0; /* of what is 1 + a / b, from b to 10 */
    for (; b < 10; b += 1) {
        const double r = a / b;
        product_less_1 += r + r * product_less_1;
    }
    return a * log(b) + gamma_ratio_rest(b, a) - log1p(product_less_1);
}

/* x**a / (a B(a, b)) of a < 10. */
CUPRIC_APART double
beta_start(double a, double b, double x)
{
    if (b >= 10) return pow(x * b, a) * exp(gamma_ratio_rest(b, a)) / gamma(1 + a);
    return pow(x, a) * gamma(1 + (a + b)) / (gamma(1 + a) * gamma(1 + b)) *
           (b / (a + b));
}

/* exp(l) of two words. */
CUPRIC_MATH double
exp_of_words(words<double> l)
{
    const double e = exp(l.hi);
    return e + e * l.lo;
}

/* log(y), y = 1 - x. */
CUPRIC_MATH words<double>
log_of_other(double x, double y)
{
    if (!(x < 0.5)) return logarithm_of(y).value;
    const words<double> rest = ordered_sum(1.0, -x);
    return log_with_low(logarithm_of(rest.hi), rest.lo);
}

/* x**a y**b / B(a, b) of small a and large b. */
CUPRIC_MATH double
beta_term_of_small(double a, double b, double x, double y)
{
    if (!(y > 1e-200)) return 0;
    const words<double> power = words_product(log_of_other(x, y), b);
    if (power.hi < -1000) return 0;
    const words<double> sum = exact_sum(power.hi, power.lo + gamma_ratio_rest(b, a));
    const double root = exp_of_words({0.5 * sum.hi, 0.5 * sum.lo});
    return root * (pow(x * b, a) * (a / gamma(1 + a))) * root;
}

/* a log_over_ratio(r, 1 + r) in two words, r = above / a and 1 + r = x sum / a. */
CUPRIC_MATH words<double>
beta_side(double a, double above, double x, double sum)
{
    const double r = above / a;
    if (r > -0.45 && r < 0.8) return exact_product(a, log1p_rest(r));
    const words<double> over = exact_product(x, sum);
    const double ratio = over.hi / a;
    const double lost = (fused(-ratio, a, over.hi) + over.lo) / a;
    const words<double> l = log_with_low(logarithm_of(ratio), lost);
    return words_sum(words_product(l, a), {-above, 0});
}

/* (x / mean)**a (y / (1 - mean))**b exp(-rest) of large a and b. */
CUPRIC_APART double
beta_power(const beta_place &p, double rest)
{
    if (p.power > -30) return exp(p.power - rest);
    const double s = p.a + p.b;
    if (!(p.power > -750)) return 0;
    const words<double> l =
        words_sum(beta_side(p.a, p.above, p.x, s), beta_side(p.b, -p.above, p.y, s));
    return exp_of_words(exact_sum(l.hi, l.lo - rest));
}

/* x**a y**b / B(a, b). */
CUPRIC_APART double
beta_term(const beta_place &p)
{
    const double two_pi = 6.283185307179586477;
    const double a = p.a, b = p.b, small = fmin(a, b), large = fmax(a, b);
    if (small >= 10) {
        const double rest =
            stirling_rest(a) + (stirling_rest(b) - stirling_rest(a + b));
        return beta_power(p, rest) * sqrt(p.n / two_pi);
    }
    if (large >= 10)
        return a < b ? beta_term_of_small(a, b, p.x, p.y)
                     : beta_term_of_small(b, a, p.y, p.x);
    return a * beta_start(a, b, p.x) * pow(p.y, b);
}

/* I_x(a, b) by the continued fraction, for x below the mean, of which numerators and
 * denominators are computed without a division. It is looked at after every four steps. */
CUPRIC_APART double
beta_fraction(const beta_place &p, double term)
{
    if (!(term > 0)) return term;
    const double a = p.a, b = p.b, s = a + b;
    const double scale = 1 / (1 - p.above), x = p.x * scale, step = (2 - p.x) * scale;
    double r = 1 / (a + 1), p0 = 1, p1 = a * r, q0 = 0, q1 = 1;
    double h = 1 / p1, last_change = h;
    for (int n = 1; n < 400;) {
        for (int i = 0; i < 4; i++, n++) {
            const double k = n, m = k * ((b - k) * x);
            const double next = ordinary_reciprocal(a + 2 * k + 1);
            const double numerator = ((a + (k - 1)) * r) * ((s + (k - 1)) * x * r) * m;
            const double denominator =
                fused(m, r, fused((a + k) * next, fused(k, step, 1.0), k * scale));
            r = next;
            const double p2 = fused(denominator, p1, numerator * p0);
            const double q2 = fused(denominator, q1, numerator * q0);
            p0 = p1, p1 = p2;
            q0 = q1, q1 = q2;
        }
        const double before = h;
        h = q1 / p1;
        /* the changes shrink by one ratio, nearly: what is left is the next one */
        const double change = without_sign(h - before), least = 1e-16 * without_sign(h);
        if (change <= 3 * least || change * (change / last_change) <= least) break;
        last_change = change;
        const double size = without_sign(p1);
        const double unit = size > 1e100 ? 1e-100 : size < 1e-100 ? 1e100 : 1;
        p0 *= unit, p1 *= unit, q0 *= unit, q1 *= unit;
    }
    return term * h * scale;
}

/* I_x(a, b) or, where `upper`, 1 less that, of a < 1 and a small b x:
 * x**a / (a B(a, b)) (1 + a sum of (1 - b)_n x**n / (n! (a + n))). */
CUPRIC_APART double
beta_series(const beta_place &p, bool upper)
{
    const double a = p.a, b = p.b, x = p.x;
    double power = 1, sum = 0;
    for (int n = 1; n < 400; n++) {
        const double r = ordinary_reciprocal(n * (a + n));
        power *= (n - b) * x * ((a + n) * r);
        const double next = power * (n * r);
        sum += next;
        if (without_sign(next) <= 1e-17 * without_sign(sum)) break;
    }
    const double lower = beta_start(a, b, x) * (1 + a * sum);
    if (!upper) return lower;
    if (lower < 0.8) return 1 - lower;
    const double most = expm1(a * log(x) + (gammaln_step(b, a) - gammaln1p(a)));
    return -most - (1 + most) * a * sum;
}

CUPRIC_MATH int
terms_of_expansion(double size, double n)
{
    if (size > 0.5 || n < 60) return 28;
    return size > 0.15 || n < 1000 ? 16 : 10;
}

/* I_x(a, b) or 1 less that by the expansion. */
CUPRIC_APART double
beta_by_expansion(const beta_place &p, double term, bool upper)
{
    const double a = p.a, b = p.b, size = sqrt(-2 * p.power / p.n), z = sqrt(-p.power);
    const bool right = p.above > 0;
    const double tail = term / p.n *
                        beta_expansion(right ? size : -size, 1 / p.n, (b - a) / (a + b),
                                       terms_of_expansion(size, p.n));
    return upper ? 0.5 * erfc(right ? z : -z) + tail
                 : 0.5 * erfc(right ? -z : z) - tail;
}

/* Of 0 < a, b < infinity and 0 < x, y; `term` is x**a y**b / B(a, b). */
CUPRIC_APART double
incomplete_beta(double a, double b, double x, double y, bool upper, double &term)
{
    beta_place p = beta_place_of(a, b, x, y);
    term = beta_term(p);
    if (p.n >= 20 && -2 * p.power <= p.n) return beta_by_expansion(p, term, upper);
    const bool a_small = a < 1, b_small = b < 1;
    bool swap = p.above > 0, series = false;
    if (a_small != b_small) {
        series = a_small ? b * x <= 2 && x < 0.8 : a * y <= 2 && y < 0.8;
        swap = a_small ? !series : series;
    } else if (a_small) {
        series = true;
        swap = x > 0.5;
    }
    if (swap) {
        p = {b, a, y, x, -p.above, p.power, p.n};
        upper = !upper;
    }
    if (series && p.above > 0) return beta_series(p, upper);
    const double value = beta_fraction(p, term);
    if (series && upper && value > 0.8) return beta_series(p, upper);
    return upper ? 1 - value : value;
}

/* At the borders; NaN outside. */
CUPRIC_MATH double
incomplete_beta_anywhere(double a, double b, double x, double y, bool upper)
{
    const double limit = infinity<double>();
    if (!(a >= 0 && b >= 0 && x >= 0 && y >= 0)) return nan<double>();
    if ((a == 0 && b == 0) || (a == limit && b == limit)) return nan<double>();
    if (x == 0 || y == 0) return (x == 0) == upper;
    if (a == 0 || b == limit) return !upper;
    if (b == 0 || a == limit) return upper;
    double term;
    return incomplete_beta(a, b, x, y, upper, term);
}

} /* namespace elementary */

CUPRIC_END

#endif
