/* special/zeta.hpp: the zeta functions of Riemann and Hurwitz, of real and complex
 * exponents.
 *
 * Riemann's of real numbers by polynomials right of -1 and by its functional equation left
 * of it (https://dlmf.nist.gov/25.4); the others by the Euler-Maclaurin formula
 * (25.2.9, 25.11.5).
 */
#ifndef CUPRIC_SPECIAL_ZETA_HPP
#define CUPRIC_SPECIAL_ZETA_HPP

#include "cupric/special/gamma_complex.hpp"
#include "cupric/special/zeta_polynomials.hpp"

CUPRIC_BEGIN

namespace elementary {

/* ---- of Riemann ------------------------------------------------------------------------ */

/* zeta(x) - 1 for x > 1; at 1 infinite. */
CUPRIC_APART double
zeta_less_1(double x)
{
    const double log_2_3 = -0.4054651081081643820, log_2_5 = -0.9162907318741550652;
    const double distance = x - 1;
    if (x <= 2) return zeta_middle(x - 1.5) / distance;
    const double power = exp2(-x);
    if (x <= 4) return zeta_right_0(x - 3) * power / distance;
    if (x <= 8) return zeta_right_1(x - 6) * power / distance;
    if (x <= 16) return zeta_right_2(x - 12) * power / distance;
    if (x <= 36) return zeta_right_3(x - 26) * power / distance;
    return power * (1 + (exp(log_2_3 * x) + (power + exp(log_2_5 * x))));
}

/* For y > 1 gamma(y) zeta(y) 2 / (2 pi)**y. Where gamma overflows, by its duplication formula;
 * the power is that of the rounded pi, less y times what that is off. */
CUPRIC_APART double
reflected_zeta(double y)
{
    const double pi = constants<double>::PI(), root_pi = 1.7724538509055160273;
    const double off = constants<double>::PI_LOW() / pi;
    const double zeta = 1 + zeta_less_1(y);
    if (y < 140) return 2 * (gamma(y) * pow(2 * pi, -y)) * (zeta - zeta * y * off);
    if (y > 300) return infinity<double>();
    const double power = pow(pi, -0.5 * y), half = 0.5 * y;
    const double first = gamma(half) * power, second = gamma(half + 0.5) * power;
    return first * ((zeta - zeta * y * off) / root_pi) * second;
}

/* zeta(x) - 1 or, where `whole`, zeta(x). */
CUPRIC_APART double
riemann_zeta(double x, bool whole)
{
    const double one = whole ? 1 : 0;
    if (x >= 1) return one + zeta_less_1(x);
    if (x > -1) return zeta_left(x) / (x - 1) - (1 - one);
    if (!(x > -infinity<double>())) return nan<double>();
    const double half = 0.5 * x; /* of the sine, exact */
    if (half == rint(half)) return one - 1;
    return half_turn_of(half).sine * reflected_zeta(1 - x) - (1 - one);
}

/* ---- of Hurwitz ------------------------------------------------------------------------ */

/* The rest of a zeta function from a on, a**-x a (1 / (x - 1) + 1 / (2 a) + ...). */
CUPRIC_APART double
zeta_rest(double x, double a, double power)
{
    const coefficients<double, 12> c = bernoulli_terms();
    const double inverse = 1 / a, square = inverse * inverse;
    double term = x * inverse, sum = 0, n = x;
    for (int j = 0; j < 12; j++) {
        const double next = term * c[j];
        sum += next;
        if (without_sign(next) <= 1e-17 * sum) break;
        term *= (n + 1) * (n + 2) * square;
        n += 2;
    }
    if (power > 1e-280) return power * (a / (x - 1) + (0.5 + sum));
    return pow(a, 1 - x) * (1 / (x - 1) + (0.5 + sum) * inverse);
}

/* Of x > 1 and q > 0. The tenth term is the first that the rest begins at, and where q is
 * large beside x the first. */
CUPRIC_APART double
hurwitz_right(double x, double q)
{
    double a = q, power = pow(a, -x), sum = 0;
    if (x > 1e4 && power == 0) return 0;
    if (power == infinity<double>()) return power;
    for (int i = 0; i < 10 && (a < 10 || x > 0.7 * a); i++) {
        sum += power;
        a += 1;
        const double next = pow(a, -x);
        if (next <= 1e-17 * sum && a < 10 + q && x > 2) {
            const double ratio =
                next / power; /* what follows is below a geometric series */
            if (ratio < 0.1) return sum;
        }
        power = next;
    }
    return sum + zeta_rest(x, a, power);
}

/* Of q <= 0, which x has to be a whole number for: what is left of 0, from -q down to the
 * fraction of -q, is a difference of two such sums. For odd x its signs are the others. */
CUPRIC_APART double
hurwitz_left(double x, double q)
{
    if (q == rint(q)) return q == q ? infinity<double>() : q;
    if (x != rint(x)) return nan<double>();
    const double part = -q - floor(-q), right = hurwitz_right(x, 1 - part);
    const double left = hurwitz_right(x, part), beyond = hurwitz_right(x, 1 - q);
    const bool odd = 0.5 * x != rint(0.5 * x);
    return odd ? (right - left) + beyond : right + (left - beyond);
}

/* a**-z. */
CUPRIC_APART complex128
complex_power(double a, complex128 z)
{
    const words<double> apart = logarithm_of(a).value;
    const words<double> l = ordered_sum(apart.hi, apart.lo);
    const words<double> turn = exact_product(-z.im, l.hi);
    const double size = exp(-z.re * (l.hi + l.lo));
    const double low = turn.lo - z.im * l.lo;
    const double c = cos(turn.hi), s = sin(turn.hi);
    return complex128(size * (c - low * s), size * (s + low * c));
}

/* Of q >= 1, Re z >= 0 and |Im z| < 3e6. The sum is the longer, the larger Im z is. */
CUPRIC_APART complex128
complex_hurwitz(complex128 z, double q)
{
    const coefficients<double, 12> c = bernoulli_terms();
    const double size = magnitude(z.re) + magnitude(z.im), least = 10 + 0.9 * size;
    double a = q;
    complex128 sum(0), power = complex_power(a, z);
    for (int i = 0; i < 2000000 && a < least; i++) {
        sum += power;
        a += 1;
        power = complex_power(a, z);
        const double tiny = magnitude(power.re) + magnitude(power.im);
        if (z.re > 2 * a && tiny < 1e-18 * magnitude(sum.re)) return sum;
    }
    const double inverse = 1 / a, square = inverse * inverse;
    complex128 term = scaled(inverse, z), rest(0.5), n = z;
    for (int j = 0; j < 12; j++) {
        rest += scaled(c[j], term);
        term = term * scaled(square, (n + complex128(1)) * (n + complex128(2)));
        n.re += 2;
    }
    return sum + power * (complex128(a) / (z - complex128(1)) + rest);
}

/* Left of 0: 2 (2 pi)**(z - 1) sin(pi z / 2) gamma(1 - z) zeta(1 - z). The sine, which
 * overflows where gamma vanishes, is of exponentials then. */
CUPRIC_APART complex128
complex_reflected_zeta(complex128 z)
{
    const double two_pi = 6.283185307179586477, pi = constants<double>::PI();
    const complex128 y = complex128(1) - z;
    const complex128 zeta = complex_hurwitz(y, 1);
    const double log_two_pi = in_double::log(two_pi);
    complex128 l = loggamma(y) - scaled(log_two_pi, y);
    const double height = magnitude(z.im);
    if (height < 40)
        return scaled(2, in_double::exp(l) * sine_of_half_turns(scaled(0.5, z))) * zeta;
    /* 2 sin(pi z / 2) = i exp(-i pi z / 2), Im z > 0; conjugate below */
    const double turn = 0.5 * pi * (1 - z.re);
    l.re += 0.5 * pi * height;
    l.im += z.im > 0 ? turn : -turn;
    return in_double::exp(l) * zeta;
}

} /* namespace elementary */

/* The zeta function of Hurwitz: the sum of (q + n)**-x. */
CUPRIC_APART double
hurwitz_zeta(double x, double q)
{
    using namespace elementary;
    if (x == 1) return infinity<double>();
    if (!(x > 1) || q != q) return nan<double>();
    if (q <= 0) return hurwitz_left(x, q);
    if (x == infinity<double>()) return q < 1 ? x : q == 1;
    return q == infinity<double>() ? 0 : hurwitz_right(x, q);
}

CUPRIC_MATH double
riemann_zeta(double x)
{
    return elementary::riemann_zeta(x, true);
}

/* zeta(x) - 1 */
CUPRIC_MATH double
zetac(double x)
{
    return elementary::riemann_zeta(x, false);
}

CUPRIC_APART complex128
riemann_zeta(complex128 z)
{
    using namespace elementary;
    const double not_a_number = nan<double>();
    if (z.im == 0) {
        const double real = riemann_zeta(z.re, true);
        return complex128(real, 0);
    }
    if (!is_finite(z.re) || !(magnitude(z.im) < 3e6))
        return complex128(not_a_number, not_a_number);
    return z.re < 0 ? complex_reflected_zeta(z) : complex_hurwitz(z, 1);
}

/* Of q >= 1 or Re z > 1 only, as SciPy's. */
CUPRIC_APART complex128
hurwitz_zeta(complex128 z, double q)
{
    using namespace elementary;
    const double not_a_number = nan<double>();
    if (z.im == 0) return complex128(hurwitz_zeta(z.re, q), 0);
    if (!(q > 0) || !is_finite(z.re) || !(z.re >= 0) || !(magnitude(z.im) < 3e6))
        return complex128(not_a_number, not_a_number);
    if (q < 1) return complex_power(q, z) + complex_hurwitz(z, q + 1);
    return complex_hurwitz(z, q);
}

CUPRIC_END

#endif
