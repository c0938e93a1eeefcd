/* special/confluent.hpp: the confluent hypergeometric functions 0F1 and 1F1 of real and
 * complex arguments, and U of real ones.
 *
 * 1F1 is led to the right half plane by Kummer's transformation (https://dlmf.nist.gov/13.2
 * 13.2.39), where it is its power series, or beside infinity an asymptotic one (13.7), or
 * between these where the terms of both cancel steps of Taylor's series.
 */
#ifndef CUPRIC_SPECIAL_CONFLUENT_HPP
#define CUPRIC_SPECIAL_CONFLUENT_HPP

#include "cupric/special/hypergeometric_series.hpp"

CUPRIC_BEGIN

namespace hypergeometric {

/* cos(pi x) and sin(pi x), exact for whole x. */
CUPRIC_MATH double
cos_of_turns(double x)
{
    const double n = rint(x), c = in_double::cos(half_turn() * (x - n));
    return n == 2 * rint(0.5 * n) ? c : -c;
}

/* ---- 0F1 ---------------------------------------------------------------------------------- */

/* By Hankel's expansions of Bessel functions of the order v = c - 1 (10.17.3, 10.40.1): of
 * x = 2 sqrt(|z|), which `low` adds to. */
CUPRIC_APART double
hankel_of_real(double c, double z)
{
    const double v = c - 1, mu = 4 * v * v, root_of = ::sqrt(magnitude(z)),
                 x = 2 * root_of;
    const double low = elementary::fused(-root_of, root_of, magnitude(z)) / root_of;
    double term = 1, even = 1, odd = 0, all = 1;
    for (int k = 1; k < 200; k++) {
        const double next = term * ((mu - (2 * k - 1.0) * (2 * k - 1.0)) / (8 * k * x));
        if (magnitude(next) > magnitude(term) && k > v) break;
        term = next;
        all += k & 1 ? -term : term;
        (k & 1 ? odd : even) += k & 2 ? -term : term;
        if (magnitude(term) < 1e-17) break;
    }
    const double scale = power_of(root_of, -v) / ::sqrt(half_turn() * x);
    if (z > 0) {
        const double half = in_double::exp(0.5 * x), more = all + all * low;
        return gamma_of(c) * scale * 0.7071067811865475244 * half * more * half;
    }
    /* cos(x + low - turn), the turn (v / 2 + 1 / 4) pi */
    const double turn = 0.5 * v + 0.25, c1 = cos_of_turns(turn),
                 s1 = cos_of_turns(turn - 0.5);
    const double s = in_double::sin(x), c0 = in_double::cos(x);
    const double co = c0 * c1 + s * s1, si = s * c1 - c0 * s1;
    const double cosine = co - low * si, sine = si + low * co;
    return gamma_of(c) * scale * 1.4142135623730950488 * (cosine * even - sine * odd);
}

CUPRIC_APART complex128
hankel_of_complex(double c, complex128 z)
{
    const double v = c - 1, mu = 4 * v * v;
    const complex128 root_of = in_double::sqrt(z), x = root_of * 2.0, over = 1.0 / x;
    complex128 term(1), plus(1), minus(1);
    double before = 1;
    for (int k = 1; k < 200; k++) {
        term = term * over * ((mu - (2 * k - 1.0) * (2 * k - 1.0)) / (8.0 * k));
        const double s = size(term);
        if (s > before && k > v) break;
        before = s;
        plus = plus + term, minus = k & 1 ? minus - term : minus + term;
        if (s < 1e-17) break;
    }
    /* i exp(i v pi), or its conjugate below the real axis */
    const double cosine = cos_of_turns(v);
    const complex128 turn(-cos_of_turns(v - 0.5), z.im < 0 ? -cosine : cosine);
    const complex128 half = in_double::exp(root_of);
    const complex128 sum = half * minus * half + turn * in_double::exp(-x) * plus;
    return sum * power_of(root_of, -v) / in_double::sqrt(x) *
           (gamma_of(c) * 0.39894228040143267794);
}

CUPRIC_MATH double
hankel_of(double c, double z)
{
    return hankel_of_real(c, z);
}
CUPRIC_MATH complex128
hankel_of(double c, complex128 z)
{
    return hankel_of_complex(c, z);
}

/* By n steps of 0F1(c) = 0F1(c + 1) + z / (c (c + 1)) 0F1(c + 2), from c + n. */
template <class T>
CUPRIC_APART T
bessel_by_steps(double c, T z, int n)
{
    const parameters p = {0, 0, false, false, c + n},
                     q = {0, 0, false, false, c + n + 1};
    T above = power_series(q, z, 1.0).value, value = power_series(p, z, 1.0).value;
    for (int i = n - 1; i >= 0; i--) {
        const T below = value + times(z, 1 / ((c + i) * (c + i + 1))) * above;
        above = value, value = below;
    }
    return value;
}

template <class T>
CUPRIC_APART T
bessel_series(double c, T z)
{
    const parameters p = {0, 0, false, false, c};
    const double r = length(z), x = 2 * ::sqrt(r), v = c - 1, order = v * v;
    if (x >= 20 && order <= 2 * x && magnitude(c) < 150) return hankel_of(c, z);
    if ((c > 0 && r <= 1.5 + 0.5 * c) || (c > 0 && real_of(z) == r && x < 2000))
        return power_series(p, z, 1.0).value;
    if (c < 0) {
        const summed<T> direct = power_series(p, z, 1.0);
        if (direct.loss < 20 || c < -500) return direct.value;
    }
    const double least = real_of(z) == r ? 1 : 0.7 * r, n = ceil(least - c);
    return n < 600 ? bessel_by_steps(c, z, int(n > 0 ? n : 0)) : continued(p, z);
}

/* ---- 1F1 ---------------------------------------------------------------------------------- */

/* 2F0(a, b; z), whose terms fall and rise again; `loss` is what they leave. */
template <class T>
CUPRIC_APART summed<T>
asymptotic_series(double a, double b, T z)
{
    T term = T(1), sum = T(1);
    double before = 1, most = 1;
    for (int k = 0; k < 400; k++) {
        term = term * times(z, (a + k) * (b + k) / (k + 1.0));
        const double s = size(term);
        if (s > before && k * double(k) > size(a * b))
            return {sum, before / size(sum) * 1e16};
        sum = sum + term;
        if (s > most) most = s;
        before = s;
        if (s <= 1e-17 * size(sum)) break;
    }
    return summed_up(sum, most);
}

/* exp(+-i pi a), of which a real argument takes the mean. */
CUPRIC_MATH double
turned(double a, double)
{
    return cos_of_turns(a);
}
CUPRIC_MATH complex128
turned(double a, complex128 z)
{
    return complex128(cos_of_turns(a), (z.im < 0 ? -1 : 1) * cos_of_turns(a - 0.5));
}

/* exp(-shift) 1F1(a; b; z) beside infinity, Re z >= 0: 13.2.41 and 13.7.3. */
template <class T>
CUPRIC_APART summed<T>
kummer_far(double a, double b, T z, double shift)
{
    const T over = T(1) / z;
    const summed<T> first = asymptotic_series(b - a, 1 - a, over);
    const summed<T> second = asymptotic_series(a, a - b + 1, T(-over));
    const T half = exp_of(T((z - T(shift)) * T(0.5)));
    const double quotient = is_pole(a) ? 0 : gamma_quotient(b, 1, a, 1);
    T value = T(0);
    double loss = 1;
    if (!is_pole(a)) {
        value = half * power_of(z, a - b) * T(quotient) * first.value * half;
        loss = size(quotient) > 1e-280 ? first.loss : 1e300;
    }
    if (!is_pole(b - a) && (is_pole(a) || real_of(z) < 45 || a < 0)) {
        const T other = turned(a, z) * power_of(z, -a) * second.value *
                        T(gamma_quotient(b, 1, b - a, 1) * in_double::exp(-shift));
        const double all = size(value) + size(other) + 1e-300;
        loss = (loss * size(value) + second.loss * size(other)) / all;
        value = value + other;
    }
    return {value, loss < 1e300 && size(value) < 1e300 ? loss : 1e300};
}

/* 1F1(-n; b; x), by the recurrence of Laguerre's polynomials. */
template <class T>
CUPRIC_APART T
kummer_polynomial(double n, double b, T z)
{
    const parameters p = {-n, 0, true, false, b};
    const summed<T> direct = power_series(p, z, 1.0);
    if (direct.loss < 8 || n > 1e5 || b <= 0) return direct.value;
    T before = T(1), value = T(1) - z * T(1 / b);
    for (double k = 1; k < n; k++) {
        const T next = (T(2 * k + b) - z) * value - before * T(k);
        before = value, value = next * T(1 / (b + k));
    }
    return n == 0 ? before : value;
}

/* exp(-shift) 1F1(a; b; z) for Re z >= 0; shift is 0 or Re z. */
template <class T>
CUPRIC_APART T
kummer_right(double a, double b, T z, double shift)
{
    const parameters p = {a, 0, true, false, b};
    const double r = length(z), by = in_double::exp(-0.5 * shift);
    if (is_pole(a)) return kummer_polynomial(-a, b, z) * T(by) * T(by);
    if (r > 25) {
        const summed<T> far = kummer_far(a, b, z, shift);
        if (far.loss < 20) return far.value;
    }
    const summed<T> direct = power_series(p, z, by);
    if (direct.loss < 30 || b < 0) return direct.value * T(by);
    return continued(p, z) * T(by) * T(by);
}

template <class T>
CUPRIC_HD inline T kummer_of_positive(double a, double b, T z);

/* Of b < 0 by steps of 13.3.2 from b > 0. */
template <class T>
CUPRIC_APART T
kummer_by_steps(double a, double b, T z)
{
    double at = b + (int(-b) + 1);
    T above = kummer_of_positive(a, at + 1, z), value = kummer_of_positive(a, at, z);
    for (; at > b + 0.5; at -= 1) {
        const T below = (T(at * (at - 1)) + z * T(at)) * value - z * T(at - a) * above;
        above = value, value = below * T(1 / (at * (at - 1)));
    }
    return value;
}

CUPRIC_MATH bool
is_real(double)
{
    return true;
}
CUPRIC_MATH bool
is_real(complex128)
{
    return false;
}

/* Of b < 0: by one of both series or by steps, which are stable for a > 0, and on the real
 * axis. */
template <class T>
CUPRIC_APART T
kummer_of_negative(double a, double b, T z)
{
    const parameters p = {a, 0, true, false, b}, q = {b - a, 0, true, false, b};
    const summed<T> direct = power_series(p, z, 1.0);
    if (direct.loss < 8 || is_pole(b)) return direct.value;
    if (length(z) > 25) {
        const bool left = real_of(z) < 0;
        const summed<T> far =
            left ? kummer_far(b - a, b, T(-z), -real_of(z)) : kummer_far(a, b, z, 0);
        if (far.loss < 20)
            return left ? exp_of(T(z - T(real_of(z)))) * far.value : far.value;
    }
    const summed<T> other = power_series(q, T(-z), 1.0);
    const double least = other.loss < direct.loss ? other.loss : direct.loss;
    if (!(least < 20) && b > -100) {
        if (a > 1 || is_real(z)) return kummer_by_steps(a, b, z);
        if (b - a > 1) return exp_of(z) * kummer_by_steps(b - a, b, T(-z));
    }
    return other.loss < direct.loss ? exp_of(z) * other.value : direct.value;
}

/* Of b > 0, or a polynomial. */
template <class T>
CUPRIC_HD inline T
kummer_of_positive(double a, double b, T z)
{
    const parameters p = {a, 0, true, false, b};
    const double x = real_of(z);
    if (length(z) * (size(a) + 1) < 0.7 * (size(b) + 1) || (is_pole(a) && x < 0)) {
        const summed<T> direct = power_series(p, z, 1.0);
        if (direct.loss < 4 || b < 0) return direct.value;
    }
    if (x >= 0 || is_pole(a)) return kummer_right(a, b, z, 0);
    const T turn = exp_of(T(z - T(x))); /* the imaginary part's */
    return turn * kummer_right(b - a, b, T(-z), -x);
}

template <class T>
CUPRIC_MATH T
kummer(double a, double b, T z)
{
    return b < 0 && !is_pole(a) ? kummer_of_negative(a, b, z)
                                : kummer_of_positive(a, b, z);
}

} /* namespace hypergeometric */

CUPRIC_APART double
hyp0f1(double c, double z)
{
    using namespace hypergeometric;
    if (is_pole(c) || c != c || z != z) return no_number();
    if (z == infinite()) return z;
    if (z == -infinite()) return no_number();
    return bessel_series(c, z);
}

CUPRIC_APART complex128
hyp0f1(double c, complex128 z)
{
    using namespace hypergeometric;
    if (z.im == 0) return complex128(hyp0f1(c, z.re), z.im);
    if (is_pole(c) || c != c || !is_finite(z))
        return complex128(no_number(), no_number());
    return bessel_series(c, z);
}

CUPRIC_APART double
hyp1f1(double a, double b, double x)
{
    using namespace hypergeometric;
    if (a != a || b != b || x != x) return no_number();
    if (is_pole(b) && (!is_pole(a) || a == 0 || a < b)) return infinite();
    if (a == 0 || x == 0) return 1;
    if (is_inf(a) || is_inf(b)) return no_number();
    if (x == infinite() || (is_inf(x) && is_pole(a)))
        return is_pole(a) && x > 0 && !is_whole(0.5 * a) ? -infinite()
               : a > 0 || is_pole(a)                     ? infinite()
                                                         : gamma_sign(a) * infinite();
    if (is_inf(x)) return a > 0 ? 0 : gamma_sign(b) * gamma_sign(b - a) * infinite();
    if (a == b && !is_pole(b)) return in_double::exp(x);
    return kummer(a, b, x);
}

CUPRIC_APART complex128
hyp1f1(double a, double b, complex128 z)
{
    using namespace hypergeometric;
    if (z.im == 0 && !is_pole(b)) return complex128(hyp1f1(a, b, z.re), z.im);
    if (a != a || b != b || is_nan(z)) return complex128(no_number(), no_number());
    if (is_pole(b)) return complex128(infinite(), 0);
    if (a == 0) return complex128(1);
    if (is_inf(a) || is_inf(b) || is_inf(z))
        return complex128(no_number(), no_number());
    if (a == b) return in_double::exp(z);
    return kummer(a, b, z);
}

CUPRIC_END

#endif
