/* special/gamma_complex.hpp: the gamma function, its reciprocal and its logarithm of complex
 * numbers. psi.hpp has the derivative of that.
 *
 * Far from 0 by Stirling's formula; steps of gamma(z + 1) = z gamma(z) lead there from the
 * right half plane, and gamma(z) gamma(1 - z) = pi / sin(pi z) from the left one. Beside 0,
 * 1 and 2 by power series. https://dlmf.nist.gov/5.5, 5.7, 5.11; for the branches of the
 * logarithm D. E. G. Hare, "Computing the principal branch of log-Gamma", Journal of
 * Algorithms 25 (1997).
 */
#ifndef CUPRIC_SPECIAL_GAMMA_COMPLEX_HPP
#define CUPRIC_SPECIAL_GAMMA_COMPLEX_HPP

#include "cupric/math/special.hpp"
#include "cupric/special/gamma_complex_series.hpp"

CUPRIC_BEGIN

namespace elementary {

struct half_turn {
    double sine, cosine;
};

/* sin(pi x) and cos(pi x). */
CUPRIC_APART half_turn
half_turn_of(double x)
{
    const double y = without_sign(x), whole = rint(y), part = without_sign(y - whole);
    const half_turns turns = half_turns_of(y);
    const double sine = turns.odd & 1 ? -turns.sine.hi : turns.sine.hi;
    const double cosine = half_turns_of(0.5 - part).sine.hi;
    const bool odd = 0.5 * whole != rint(0.5 * whole);
    return {x < 0 ? -sine : sine, odd ? -cosine : cosine};
}

/* sin(pi z) for |Im z| < 200. */
CUPRIC_APART complex128
sine_of_half_turns(complex128 z)
{
    const double pi = constants<double>::PI();
    const half_turn t = half_turn_of(z.re);
    return complex128(t.sine * cosh(pi * z.im), t.cosine * sinh(pi * z.im));
}

CUPRIC_MATH complex128
scaled(double a, complex128 z)
{
    return complex128(a * z.re, a * z.im);
}

/* log(z) and 1 / z to within roundings of numbers of the size of 1. */
struct log_and_reciprocal {
    complex128 log, over;
};

CUPRIC_APART log_and_reciprocal
log_and_reciprocal_of(complex128 z)
{
    const bool huge = magnitude(z.re) > 1e150 || magnitude(z.im) > 1e150;
    if (huge) return {in_double::log(z), complex128(0)};
    const double square = z.re * z.re + z.im * z.im, r = 1 / square;
    const double angle = in_double::atan2(z.im, z.re);
    return {complex128(0.5 * in_double::log(square), angle),
            complex128(z.re * r, -z.im * r)};
}

/* A polynomial in z of COUNT real coefficients, that of the highest power first; from the
 * `first` of them on. The remainder by z**2 - 2 Re(z) z + |z|**2 takes no complex product. */
template <class C>
CUPRIC_MATH complex128
polynomial_of_complex(complex128 z, const C &c, int first, int count)
{
    const double p = z.re + z.re, q = z.re * z.re + z.im * z.im;
    double high = c[first], low = c[first + 1];
    for (int i = first + 2; i < count; i++) {
        const double next = c[i] - q * high;
        high = low + p * high;
        low = next;
    }
    return complex128(low + high * z.re, high * z.im);
}

/* log(gamma(z)) for |z| >= 7, but for what is below exp(-2 pi |Im z|) left of 0. */
CUPRIC_APART complex128
loggamma_far(complex128 z)
{
    const double half_log_two_pi = 0.91893853320467274178;
    static constexpr double c[] = {
        -174611.0 / 125400, 43867.0 / 244188, -3617.0 / 122400, 1.0 / 156,
        -691.0 / 360360,    1.0 / 1188,       -1.0 / 1680,      1.0 / 1260,
        -1.0 / 360,         1.0 / 12};
    const log_and_reciprocal l = log_and_reciprocal_of(z);
    const double square = z.re * z.re + z.im * z.im;
    const complex128 sum =
        polynomial_of_complex(l.over * l.over, c, square < 200 ? 0 : 5, 10);
    const complex128 rest = l.over * sum + half_log_two_pi;
    return z * (l.log - complex128(1)) - (scaled(0.5, l.log) - rest);
}

/* log(gamma(2 + z)) for |z| <= 0.55, and log(gamma(1 + z)) is less by log1p(z). */
CUPRIC_APART complex128
loggamma_beside_2(complex128 z)
{
    const double slope = 0.42278433509846713939; /* 1 - Euler's constant */
    return z * (z * polynomial_of_complex(z, gammaln1p_terms(), 0, 28) + slope);
}

/* z (z + 1) ... up to what has a real part from 7 on, which is left in z; *turns is by how
 * many turns the sum of the factors' angles is more than that of the product, of Im z >= 0. */
CUPRIC_APART complex128
product_to_far(complex128 *z, int *turns)
{
    complex128 product(1);
    *turns = 0;
    for (int i = 0; i < 8 && z->re < 7; i++) {
        const bool above = product.im >= 0;
        product = product * *z;
        z->re += 1;
        *turns += above && product.im < 0;
    }
    return product;
}

/* Of |Re z|, |Im z| < 7. */
CUPRIC_APART complex128
loggamma_near(complex128 z)
{
    const double two_pi = 6.283185307179586477;
    const complex128 v(z.re - 2, z.im), w(z.re - 1, z.im);
    if (v.re * v.re + v.im * v.im < 0.3) return loggamma_beside_2(v);
    if (w.re * w.re + w.im * w.im < 0.3)
        return loggamma_beside_2(w) - in_double::log1p(w);
    if (z.re * z.re + z.im * z.im < 0.3)
        return loggamma_beside_2(z) - in_double::log1p(z) - in_double::log(z);
    const bool below = sign_bit(z.im);
    complex128 far(z.re, below ? -z.im : z.im);
    int turns;
    const complex128 product = product_to_far(&far, &turns);
    complex128 result = loggamma_far(far) - log_and_reciprocal_of(product).log;
    result.im -= two_pi * turns;
    return complex128(result.re, below ? -result.im : result.im);
}

/* gamma(z) or, where `over`, 1 / gamma(z), of Re z >= 0 and |z| not large. */
CUPRIC_APART complex128
gamma_right(complex128 z, bool over)
{
    int turns;
    const complex128 product = product_to_far(&z, &turns), l = loggamma_far(z);
    return over ? product * in_double::exp(-l) : in_double::exp(l) / product;
}

/* Of pi / gamma(1 - z) = sin(pi z) gamma(z), of |Im z| < 7 left of 0. */
CUPRIC_APART complex128
gamma_left(complex128 z, bool over)
{
    const double pi = constants<double>::PI();
    const complex128 sine = sine_of_half_turns(z);
    const complex128 other = gamma_right(complex128(1) - z, !over);
    return over ? scaled(1 / pi, sine * other) : scaled(pi, other) / sine;
}

CUPRIC_MATH bool
is_pole_of_gamma(complex128 z)
{
    return z.im == 0 && z.re <= 0 && z.re == rint(z.re);
}

} /* namespace elementary */

/* 1 / gamma(x), 0 at the poles; gamma itself overflows sooner than it vanishes, so that steps
 * lead to where it does not. */
CUPRIC_APART double
rgamma(double x)
{
    const double size = elementary::without_sign(x), pi = 3.14159265358979323846;
    if (size < 1e-17) return x;
    if (x < 0 && x == rint(x)) return 0;
    if (size < 170) return 1 / gamma(x);
    if (!(x < 300)) return x > 0 ? 0 : x;
    double under = x > 0 ? x : 1 - x, result = 1;
    if (x < 0) { /* gamma(1 - x) sin(pi x) / pi */
        const elementary::half_turns turns = elementary::half_turns_of(size);
        result = (turns.odd & 1 ? turns.sine.hi : -turns.sine.hi) / pi;
    }
    const double steps = size < 300 ? ceil(under - 170) : 0;
    if (steps == 0) return result * elementary::infinity<double>();
    for (double i = 0; i < steps; i += 1) {
        under -= 1;
        result = x > 0 ? result / under : result * under;
    }
    return x > 0 ? result / gamma(under) : result * gamma(under);
}

/* The principal branch of the logarithm of gamma(z): analytic but for z <= 0. */
CUPRIC_APART complex128
loggamma(complex128 z)
{
    using namespace elementary;
    const double pi = constants<double>::PI(), log_pi = 1.1447298858494001741;
    if (!is_finite(z.re) || !is_finite(z.im)) {
        if (z.im == 0 && z.re > 0) return z;
        return complex128(nan<double>(), nan<double>());
    }
    if (is_pole_of_gamma(z)) return complex128(nan<double>(), nan<double>());
    if (z.im == 0) {
        const double turns = z.re < 0 ? floor(z.re) : 0;
        return complex128(cupric::gammaln(z.re),
                          turns == 0 ? z.im : with_sign(pi, z.im) * turns);
    }
    if (z.re >= 7 || magnitude(z.im) >= 7) return loggamma_far(z);
    if (z.re > -0.5) return loggamma_near(z);
    const complex128 other(1 - z.re, -z.im);
    const complex128 l = other.re >= 7 ? loggamma_far(other) : loggamma_near(other);
    const double turns = with_sign(2 * pi, z.im) * floor(0.5 * z.re + 0.25);
    return complex128(log_pi, turns) -
           log_and_reciprocal_of(sine_of_half_turns(z)).log - l;
}

/* 1 / gamma(z) or, where not `over`, gamma(z). */
CUPRIC_APART complex128
gamma_of_complex(complex128 z, bool over)
{
    using namespace elementary;
    if (is_pole_of_gamma(z)) {
        const double at_pole = over ? 0 : nan<double>();
        return complex128(at_pole, at_pole);
    }
    if (z.im == 0)
        return over ? complex128(rgamma(z.re), -z.im)
                    : complex128(cupric::gamma(z.re), z.im);
    if (!is_finite(z.re) || !is_finite(z.im))
        return complex128(nan<double>(), nan<double>());
    if (magnitude(z.im) < 7 && magnitude(z.re) < 140)
        return z.re < 0 ? gamma_left(z, over) : gamma_right(z, over);
    const complex128 l = loggamma(z);
    return in_double::exp(over ? -l : l);
}

CUPRIC_MATH complex128
gamma(complex128 z)
{
    return gamma_of_complex(z, false);
}

CUPRIC_MATH complex128
rgamma(complex128 z)
{
    return gamma_of_complex(z, true);
}

/* log(gamma(x)) where that is a real number. */
CUPRIC_MATH double
loggamma(double x)
{
    return x < 0 ? elementary::nan<double>() : gammaln(x);
}

#define CUPRIC_OF_SINGLE(name)                                                         \
    CUPRIC_MATH float name(float x)                                                    \
    {                                                                                  \
        return float(name(double(x)));                                                 \
    }                                                                                  \
    CUPRIC_MATH complex<float> name(complex<float> z)                                  \
    {                                                                                  \
        return complex<float>(name(complex128(z)));                                    \
    }
CUPRIC_OF_SINGLE(loggamma)
CUPRIC_OF_SINGLE(rgamma)
#undef CUPRIC_OF_SINGLE
CUPRIC_MATH complex<float>
gamma(complex<float> z)
{
    return complex<float>(gamma(complex128(z)));
}

/* The host's loops of gamma are of batches. */
template <class V>
CUPRIC_MATH complex<V>
gamma(const batched<complex<V>> z)
{
    return gamma(z.value);
}

CUPRIC_END

#endif