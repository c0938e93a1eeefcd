/* math/special.hpp: the special functions that the expressions of src/ops/special.def are
 * written in, of float, double and, where it says so, complex numbers.
 *
 * erf, erfc, ndtr, gamma and gammaln have the same bits on the host and on a GPU, as the
 * functions of elementary.hpp. The other formulas are chosen so that no digits cancel; each
 * says where.
 */
#ifndef CUPRIC_MATH_SPECIAL_HPP
#define CUPRIC_MATH_SPECIAL_HPP

#include "cupric/math.hpp"
#include "cupric/math/gamma.hpp"
#include "cupric/math/special_polynomials.hpp"

CUPRIC_BEGIN

namespace elementary {

/* erfc(y + low) for y >= 1 / 2 as exp(-y**2) / (1 + 2 y) times what hardly varies, a polynomial in
 * (y - 4) / (y + 4). M. M. Shepherd and J. G. Laframboise, "Chebyshev approximation of
 * (1 + 2x) exp(x**2) erfc x in 0 <= x < infinity" (1981). */
template <class F>
CUPRIC_MATH F
large_erfc(F y, F low)
{
    typedef special_constants<F> K;
    y = clamped(y, F(0.5), F(sizeof(F) == 4 ? 10.75 : 27.3));
    const words<F> over = exact_sum(y, F(-4)), under = exact_sum(y, F(4));
    const F r = quotient(F(1), under.hi), t = product(over.hi, r);
    const F t_rest =
        fused(-t, under.hi, over.hi) + fused(-t, under.lo + low, over.lo + low);
    const F tail = erfcx_tail(t);
    const words<F> p = exact_product(t, tail);
    const words<F> sum = ordered_sum(K::ERFCX(), p.hi);
    /* the derivative, roughly */
    const F left = t < 0 ? t : F(0);
    const F slope = fused(product(left, left), F(-1.34) * left, F(-0.13));
    const F sum_low = sum.lo + fused(product(t_rest, r), slope, p.lo + K::ERFCX_LOW());
    const words<F> divisor = ordered_sum(F(2) * y, F(1));
    const F q = quotient(F(1), divisor.hi), w = product(sum.hi, q);
    const F divisor_low = fused(F(2), low, divisor.lo);
    const F w_rest = fused(-w, divisor.hi, sum.hi) + fused(-w, divisor_low, sum_low);
    const words<F> square = exact_product(y, y);
    const F square_low = fused(F(2) * y, low, square.lo);
    const exponential<F> e = exponential_of(-square.hi);
    const words<F> power = small_exp(ordered_sum(e.r.hi, e.r.lo - square_low));
    const words<F> result = exact_product(w, power.hi);
    const F rest = fused(w, power.lo, fused(product(w_rest, q), power.hi, result.lo));
    /* as scaled() likes its numbers */
    return scaled(F(64) * (result.hi + rest), e.rounder - F(6));
}

template <class F>
CUPRIC_MATH F
erf(F x)
{
    const F y = without_sign(x);
    const F small = fused(y, erf_rest(product(y, y)), y);
    return times_sign(y >= 1 ? F(1) - large_erfc(y, F(0)) : small, x);
}

/* erfc(x + low) */
template <class F>
CUPRIC_MATH F
erfc_of_words(F x, F low)
{
    const F y = without_sign(x), large = large_erfc(y, times_sign(low, x));
    const F square = product(x, x);
    const words<F> sum = ordered_sum(F(1), -x);
    /* the derivative, roughly, times what was rounded off */
    const F rest = fused(low, fused(square, F(1.128), F(-1.128)), sum.lo);
    const F small = sum.hi + fused(-x, erf_rest(square), rest);
    const F other = chosen(x < 0, F(2) - large, large);
    return chosen(y >= F(0.5), other, small);
}

template <class F>
CUPRIC_MATH F
erfc(F x)
{
    return erfc_of_words(x, F(0));
}

/* erfc(-x / sqrt(2)) / 2 */
template <class F>
CUPRIC_MATH F
ndtr(F x)
{
    typedef special_constants<F> K;
    const F most = F(sizeof(F) == 4 ? 20 : 50), bounded = clamped(x, -most, most);
    const words<F> p = exact_product(bounded, -K::ROOT_HALF());
    return F(0.5) * erfc_of_words(p.hi, fused(bounded, -K::ROOT_HALF_LOW(), p.lo));
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

/* log(x / (1 - x)) */
template <class F>
CUPRIC_MATH F
logit(F x)
{
    const words<F> y = ordered_sum(F(1), -x);
    /* as decompose() scales it; what is further below 1 is exact */
    const F low = chosen(y.hi < from_bits(format<F>::ROOT_HALF()), F(2) * y.lo, y.lo);
    const F result = log_of_ratio(x, y.hi, low);
    const F end =
        chosen(x == 1, infinity<F>(), chosen(x == 0, -infinity<F>(), nan<F>()));
    return chosen((x > 0) & (x < 1), result, end);
}

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

#endif
