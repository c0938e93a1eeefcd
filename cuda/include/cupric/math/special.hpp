/* math/special.hpp: the special functions that the expressions of src/ops/special.def are
 * written in, of float, double and, where it says so, complex numbers.
 *
 * erf, erfc, ndtr, logit, gamma and gammaln have the same bits on the host and on a GPU, as
 * the functions of elementary.hpp. The other formulas are chosen so that no digits cancel;
 * each says where.
 */
#ifndef CUPRIC_MATH_SPECIAL_HPP
#define CUPRIC_MATH_SPECIAL_HPP

#include "cupric/math.hpp"
#include "cupric/math/erf_pieces.hpp"
#include "cupric/math/gamma.hpp"
#include "cupric/math/gammaln.hpp"
#include "cupric/math/log_by_table.hpp"
#include "cupric/math/special_polynomials.hpp"

CUPRIC_BEGIN

namespace elementary {

/* erf(x), y = |x|, by pieces, where y is `small` by a polynomial in its square. */
template <class F>
CUPRIC_MATH F
erf_at(F x, F y, place<F> p, bool small)
{
    p.rest = chosen(small, product(y, y), p.rest);
    const words<F> w = erf_piece(p);
    const F sum = w.hi + w.lo;
    return times_sign(chosen(small, fused(y, sum, y), sum), x);
}

CUPRIC_MATH float
erf(float x)
{
    const float y = without_sign(x);
    place<float> p = place_of<8>(chosen(y > 3.93f, 3.93f, y));
    p.piece &= 31; /* of a NaN, too */
    return erf_at(x, y, p, y <= 0.5625f);
}

CUPRIC_MATH double
erf(double x)
{
    const double y = without_sign(x);
    place<double> p = place_of_octave<4>(chosen(y > 5.99, 5.99, y), 1.0);
    p.piece &= 63; /* of a NaN, too */
    return erf_at(x, y, p, y < 0.375);
}

/* Of pieces that are a quarter of an octave of 1 and more; the first one's middle is the
 * number 0. */
CUPRIC_MATH place<double>
place_in_octaves(double x)
{
    const place<double> p = place_of_octave<2>(x, 1.125);
    return {p.piece & 31, p.rest}; /* of a NaN, too */
}

/* Of float an eighth; the table's row is in the number's bits as they are. */
CUPRIC_MATH place<float>
place_in_octaves(float x)
{
    const place<float> p = place_of_octave<3>(x, 1.0625f);
    return {(p.piece + 24) & 31, p.rest};
}

/* exp(-square) (w.hi + w.lo), or that subtracted from `reflected` where `reflect`. */
CUPRIC_MATH double
bell_tail(words<double> square, words<double> w, double reflected, bool reflect)
{
    typedef format<double> T;
    typedef constants<double> K;
    /* -square = n log(2) + r + r_low, r exact */
    const double rounder = fused(square.hi, -K::LOG2_E(), T::ROUNDER());
    const double n = rounder - T::ROUNDER(), r = fused(n, -K::LN2(), -square.hi);
    const double r_low = fused(n, -K::LN2_LOW(), -square.lo);
    const words<double> power = small_exp(words<double>{r, 0});
    const words<double> p = exact_product(w.hi, power.hi);
    const double power_low = fused(power.hi, r_low, power.lo);
    const double low = fused(w.hi + w.lo, power_low, p.lo);
    const double whole = p.hi + fused(w.lo, power.hi, low);
    /* 2**n may not be a normal number */
    const double scale =
        from_bits((bits_of(rounder) + (T::BIAS() + 128)) << T::FRACTION());
    const double result = product(product(whole, scale), 0x1p-128);
    return chosen(reflect, reflected - result, result);
}

/* The same of floats. */
CUPRIC_MATH float
bell_tail(words<float> square, words<float> w, float reflected, bool reflect)
{
    typedef format<float> T;
    typedef constants<float> K;
    const float rounder = fused(square.hi, -K::LOG2_E(), T::ROUNDER());
    const float n = rounder - T::ROUNDER(), r = fused(n, -K::LN2(), -square.hi);
    const float r_low = fused(n, -K::LN2_LOW(), -square.lo);
    const float rest = exp_rest(words<float>{r, 0});
    const float most = fused(w.hi, r, w.hi), lost = fused(w.hi, r, w.hi - most);
    const float w_low = fused(w.hi + w.lo, r_low, w.lo);
    const float low = fused(w_low, 1 + (r + rest), fused(w.hi, rest, lost));
    /* 2**n may not be a normal number */
    const float scale = from_bits((bits_of(rounder) << T::FRACTION()) +
                                  ((T::BIAS() + 64u) << T::FRACTION()));
    const float result = product(product(most + low, scale), 0x1p-64f);
    return chosen(reflect, reflected - result, result);
}

/* exp(-y**2) times what hardly varies, in pieces; 2 - erfc(y) for x = -y. */
CUPRIC_MATH double
erfc(double x)
{
    const double limit = 27.3, size = without_sign(x),
                 y = chosen(size > limit, limit, size);
    const words<double> w = erfc_piece(place_in_octaves(y));
    return bell_tail(exact_product(y, y), w, 2, x < 0);
}

CUPRIC_MATH float
erfc(float x)
{
    const float limit = 10.25f, size = without_sign(x),
                y = chosen(size > limit, limit, size);
    const words<float> w = erfc_piece(place_in_octaves(y));
    return bell_tail(exact_product(y, y), w, 2, x < 0);
}

/* erfc(-x / sqrt(2)) / 2 likewise */
CUPRIC_MATH double
ndtr(double x)
{
    const double limit = 38.6, size = without_sign(x),
                 y = chosen(size > limit, limit, size);
    const words<double> w = ndtr_piece(place_in_octaves(y));
    return bell_tail(exact_product(y, 0.5 * y), w, 1, x > 0);
}

CUPRIC_MATH float
ndtr(float x)
{
    const float limit = 14.25f, size = without_sign(x),
                y = chosen(size > limit, limit, size);
    const words<float> w = ndtr_piece(place_in_octaves(y));
    return bell_tail(exact_product(y, 0.5f * y), w, 1, x > 0);
}

/* log(x / y) for positive, finite x and y, and y's significand in two words. The quotient of
 * the significands m and l is 1 + (m - l) / l, whose numerator is exact. */
template <class F>
CUPRIC_MATH F
log_of_ratio(F x, F y, F low)
{
    const decomposed<F> a = decompose(x), b = decompose(y);
    const words<F> over = exact_sum(a.f - b.f, -low);
    const F under = b.f + F(1), r = quotient(F(1), under), q = product(over.hi, r);
    const F rest = fused(-q, under, over.hi) + fused(-q, low, over.lo);
    return log_of_sum(q, product(rest, r), a.k - b.k);
}

/* What logit is at the ends of [0, 1], and outside. */
template <class F>
CUPRIC_MATH F
logit_of(F x, F result)
{
    const F end =
        chosen(x == 1, infinity<F>(), chosen(x == 0, -infinity<F>(), nan<F>()));
    return chosen((x > 0) & (x < 1), result, end);
}

/* log(x / (1 - x)). The logarithm of the quotient's place is that of 1, 0, where it is near
 * 1, so that none of the result's digits is lost there. */
CUPRIC_MATH double
logit(double x)
{
    typedef format<double> T;
    typedef constants<double> K;
    const words<double> y = ordered_sum(1.0, -x);
    const bool tiny = x < T::LEAST_NORMAL();
    const double over = product(x, chosen(tiny, T::LIFT(), 1.0));
    const double inverse = quotient(1.0, y.hi), q = product(over, inverse);
    const double q_rest = fused(-q, y.lo, fused(-q, y.hi, over));
    const log_parts d = log_parts_of(q);
    const double k = d.k - chosen(tiny, double(T::LIFTED()), 0.0);
    const double r = fused(q, d.scale, -1.0); /* exact near 1 */
    const double r_rest = product(product(q_rest, inverse), d.scale);
    const double whole = fused(k, K::LN2_SHORT(), d.place.log); /* exact */
    const words<double> sum = ordered_sum(whole, r);
    const double low = fused(k, K::LN2_SHORT_LOW(), d.place.log_low) + sum.lo;
    const double rest = fused(-r, r_rest, r_rest) + low;
    return logit_of(x, sum.hi + fused(product(r, r), wide_log_square(r), rest));
}

/* log(x / (1 - x)) for 0 < x < 1 by the smaller of x and 1 - x, as the other has rounding
 * errors. That may be 2**(lifted / 2**23) times too large, where it is small. */
CUPRIC_MATH float
logit_of_fraction(float x, float smaller, unsigned int lifted)
{
    typedef format<float> T;
    constexpr T::bits OCTAVE = 1u << T::FRACTION();
    /* 2**k m = smaller / (1 - smaller), m from 0.6 to 1.25 */
    const T::bits k =
        (bits_of(smaller) - bits_of(1.0f - smaller) + 3 * (OCTAVE / 4)) & ~(OCTAVE - 1);
    const float power = from_bits(k + T::ONE());
    const float half =
        half_log_of_quotient(k - lifted, fused(smaller, 1.0f + power, -power),
                             fused(smaller, 1.0f - power, power));
    return times_sign(half + half, 0.5f - x);
}

CUPRIC_MATH float
any_logit(float x)
{
    typedef format<float> T;
    const bool tiny = x < T::LEAST_NORMAL();
    const float other = 1.0f - x, smaller = x < other ? x : other;
    const float result = logit_of_fraction(x, product(smaller, tiny ? T::LIFT() : 1.0f),
                                           tiny ? T::LIFTED() << T::FRACTION() : 0);
    return logit_of(x, result);
}

#if defined(__CUDA_ARCH__)
CUPRIC_APART float
rare_logit(float x)
{
    return any_logit(x);
}

CUPRIC_MATH float
logit(float x)
{
    typedef format<float> T;
    constexpr T::bits LEAST = 1u << T::FRACTION();
    if (bits_of(x) - LEAST >= T::ONE() - LEAST) return rare_logit(x);
    return logit_of_fraction(x, fminf(x, 1.0f - x), 0);
}
#else
CUPRIC_MATH float
logit(float x)
{
    return any_logit(x);
}
#endif

} /* namespace elementary */

CUPRIC_MATH float
erf(float x)
{
    return elementary::erf(x);
}
CUPRIC_MATH double
erf(double x)
{
    return elementary::erf(x);
}
CUPRIC_MATH float
erfc(float x)
{
    return elementary::erfc(x);
}
CUPRIC_MATH double
erfc(double x)
{
    return elementary::erfc(x);
}

CUPRIC_MATH float
ndtr(float x)
{
    return elementary::ndtr(x);
}
CUPRIC_MATH double
ndtr(double x)
{
    return elementary::ndtr(x);
}

CUPRIC_MATH float
gamma(float x)
{
    return elementary::gamma(x);
}
CUPRIC_MATH double
gamma(double x)
{
    return elementary::gamma(x);
}
template <class F>
CUPRIC_MATH F
gamma(const batched<F> a)
{
    return elementary::gamma_of_batched(a.value);
}

CUPRIC_MATH float
gammaln(float x)
{
    return elementary::gammaln(x);
}
CUPRIC_MATH double
gammaln(double x)
{
    return elementary::gammaln(x);
}
template <class F>
CUPRIC_MATH F
gammaln(const batched<F> a)
{
    return elementary::gammaln_of_batched(a.value);
}

/* exp(-|x|) never overflows, and below zero it is as exact as the result. */
template <class T>
CUPRIC_MATH T
expit(const T a)
{
    typedef typename compute_type<T>::type F;
    const F x = a, e = exp(x < 0 ? x : -x);
    return T((x < 0 ? e : F(1)) / (F(1) + e));
}

template <class T>
CUPRIC_MATH T
logit(const T a)
{
    typedef typename compute_type<T>::type F;
    return T(elementary::logit(F(a)));
}

template <class T>
CUPRIC_MATH T
log_expit(const T a)
{
    typedef typename compute_type<T>::type F;
    const F x = a, l = log1p(exp(x < 0 ? x : -x));
    return T(x < 0 ? x - l : -l);
}

template <class T>
CUPRIC_MATH T
entr(const T a)
{
    typedef typename compute_type<T>::type F;
    const F x = a, other = elementary::chosen(x == 0, F(0), -elementary::infinity<F>());
    const F result = elementary::chosen(x > 0, -x * log(x), other);
    return T(elementary::chosen(x != x, x, result));
}

template <class T>
CUPRIC_MATH T
rel_entr(const T a, const T b)
{
    using elementary::chosen;
    typedef typename compute_type<T>::type F;
    const F x = a, y = b, infinity = elementary::infinity<F>();
    const F product = x * elementary::log_of_ratio(x, y, F(0));
    const F whole = chosen((x < infinity) & (y < infinity), product, x - y);
    const F result = chosen((x > 0) & (y > 0), whole, infinity);
    const F defined = chosen((x == 0) & (y >= 0), F(0), result);
    return T(chosen((x != x) | (y != y), x + y, defined));
}

/* Of real and complex numbers. */
template <class T>
CUPRIC_MATH T
xlogy(const T a, const T b)
{
    typedef typename compute_type<T>::type F;
    const F x = a, y = b;
    return T((x == F(0)) & !is_nan(y) ? F(0) : x * log(y));
}

template <class T>
CUPRIC_MATH T
xlog1py(const T a, const T b)
{
    typedef typename compute_type<T>::type F;
    const F x = a, y = b;
    return T((x == F(0)) & !is_nan(y) ? F(0) : x * log1p(y));
}

CUPRIC_END

#include "cupric/special/gamma_complex.hpp" /* gamma of complex numbers */

#endif
