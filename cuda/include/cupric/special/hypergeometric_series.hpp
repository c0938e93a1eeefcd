/* special/hypergeometric_series.hpp: what the hypergeometric functions are made of, for real
 * and complex arguments: the power series at 0, with what cancels in it; steps of a Taylor
 * series along a path, which by the differential equation needs two numbers a step; quotients
 * of gamma functions.
 *
 * The steps are stable wherever a function is not small beside the equation's other solution,
 * and reach every place that a series or an asymptotic expansion leaves out. J. W. Pearson,
 * S. Olver and M. A. Porter, "Numerical methods for the computation of the confluent and
 * Gauss hypergeometric functions", Numerical Algorithms 74 (2017).
 */
#ifndef CUPRIC_SPECIAL_HYPERGEOMETRIC_SERIES_HPP
#define CUPRIC_SPECIAL_HYPERGEOMETRIC_SERIES_HPP

#include "cupric/math/complex_double.hpp"
#include "cupric/math/special.hpp"

CUPRIC_BEGIN

namespace hypergeometric {

enum { MOST_TERMS = 4000, MOST_STEPS = 4000 };

/* ---- of real and complex numbers alike ------------------------------------------------- */

CUPRIC_MATH double
size(double x)
{
    return magnitude(x);
}
/* Within a factor of the root of 2. */
CUPRIC_MATH double
size(complex128 z)
{
    const double x = magnitude(z.re), y = magnitude(z.im);
    return x > y ? x : y;
}
CUPRIC_MATH double
length(double x)
{
    return magnitude(x);
}
CUPRIC_MATH double
length(complex128 z)
{
    return in_double::hypot(z.re, z.im);
}
CUPRIC_MATH double
times(double x, double k)
{
    return x * k;
}
CUPRIC_MATH complex128
times(complex128 z, double k)
{
    return complex128(z.re * k, z.im * k);
}
CUPRIC_MATH double
real_of(double x)
{
    return x;
}
CUPRIC_MATH double
real_of(complex128 z)
{
    return z.re;
}
CUPRIC_MATH double
exp_of(double x)
{
    return in_double::exp(x);
}
CUPRIC_MATH complex128
exp_of(complex128 z)
{
    return in_double::exp(z);
}
CUPRIC_APART double
power_of(double x, double p)
{
    return elementary::pow(x, p);
}
CUPRIC_APART complex128
power_of(complex128 z, double p)
{
    if (z.im == 0 && z.re > 0) return complex128(power_of(z.re, p));
    const double turn = p * in_double::atan2(z.im, z.re), r = power_of(length(z), p);
    return complex128(r * in_double::cos(turn), r * in_double::sin(turn));
}

CUPRIC_MATH bool
is_whole(double x)
{
    return x == rint(x);
}
/* 0, -1, -2, ... */
CUPRIC_MATH bool
is_pole(double x)
{
    return x <= 0 && x == rint(x);
}
CUPRIC_MATH constexpr double
half_turn()
{
    return 3.14159265358979323846;
}
CUPRIC_MATH double
infinite()
{
    return elementary::infinity<double>();
}
CUPRIC_MATH double
no_number()
{
    return elementary::nan<double>();
}

/* A sum, and by how much its largest term exceeds it. */
template <class T>
struct summed {
    T value;
    double loss;
};

template <class T>
CUPRIC_MATH summed<T>
summed_up(T sum, double most)
{
    const double left = size(sum);
    return {sum, left > 0 ? most / left : left == left ? 1e300 : infinite()};
}

/* ---- quotients of gamma functions ------------------------------------------------------ */

CUPRIC_APART double
gamma_of(double x)
{
    return elementary::gamma(x);
}

/* The sign of gamma(x). */
CUPRIC_MATH double
gamma_sign(double x)
{
    return x < 0 && floor(x) != 2 * floor(0.5 * floor(x)) ? -1 : 1;
}

CUPRIC_APART double
log_gamma_of(double x)
{
    return elementary::gammaln(x);
}

/* gamma(p) gamma(q) / (gamma(r) gamma(s)); 0 at poles below. */
CUPRIC_APART double
gamma_quotient(double p, double q, double r, double s)
{
    if (is_pole(r) || is_pole(s)) return 0;
    const double most = size(p) > size(q) ? size(p) : size(q);
    const double under = size(r) > size(s) ? size(r) : size(s);
    if (most < 80 && under < 80)
        return gamma_of(p) / gamma_of(r) * (gamma_of(q) / gamma_of(s));
    const double sign = gamma_sign(p) * gamma_sign(q) * gamma_sign(r) * gamma_sign(s);
    const double a = log_gamma_of(p) - log_gamma_of(r);
    return sign * in_double::exp(a + (log_gamma_of(q) - log_gamma_of(s)));
}

/* ---- series at 0 ------------------------------------------------------------------------ */

/* The series of pFq with first + second * k for each parameter above: those that are not
 * there are 1 + 0 k. It ends at a term that is 0. */
struct parameters {
    double a, b; /* above */
    bool has_a, has_b;
    double c; /* below */
};

template <class T>
CUPRIC_APART summed<T>
power_series(const parameters p, T z, double first)
{
    T term = T(first), sum = term;
    double most = first;
    for (int k = 0; k < MOST_TERMS; k++) {
        const double above = (p.has_a ? p.a + k : 1.0) * (p.has_b ? p.b + k : 1.0);
        if (above == 0) break; /* maybe of 0 / 0 */
        term = term * times(z, above / ((p.c + k) * (k + 1.0)));
        sum = sum + term;
        const double s = size(term);
        if (s > most) most = s;
        if (s <= 1e-17 * size(sum) || !(s > 0)) {
            const double next =
                (p.has_a ? p.a + k + 1 : 1.0) * (p.has_b ? p.b + k + 1 : 1.0);
            const double ratio = size(next / ((p.c + k + 1) * (k + 2.0))) * size(z);
            if (s == 0 || s != s || ratio < 0.95)
                break; /* may grow again near c = -k */
        }
    }
    return summed_up(sum, most);
}

/* ---- Taylor's series elsewhere ----------------------------------------------------------- */

/* A solution and its derivative. */
template <class T>
struct solution {
    T value, slope;
};

/* The equation p0(z) w'' + p1(z) w' = (a)(b) w: z w'' + c w' = w of 0F1, z w'' + (c - z) w' =
 * a w of 1F1, and z (1 - z) w'' + (c - (a + b + 1) z) w' = a b w of 2F1, by `p` as in
 * power_series(). */
template <class T>
CUPRIC_MATH T
leading_of(const parameters p, T z)
{
    return p.has_b ? z * (T(1) - z) : z;
}

/* What multiplies (k + 1) c_(k+1): base + k step. */
template <class T>
CUPRIC_MATH T
base_of(const parameters p, T z)
{
    if (p.has_b) return T(p.c) - z * T(p.a + p.b + 1);
    return p.has_a ? T(p.c) - z : T(p.c);
}
template <class T>
CUPRIC_MATH T
step_of(const parameters p, T z)
{
    return p.has_b ? T(1) - z * T(2) : T(1);
}

/* w at z + h. */
template <class T>
CUPRIC_APART solution<T>
taylor_step(const parameters p, T z, T h, solution<T> w)
{
    const T over = T(1) / leading_of(p, z), base = base_of(p, z), step = step_of(p, z);
    const T first = -(h * over), second = h * h * over;
    T before = w.value, term = w.slope * h;
    T sum = before + term, slopes = term;
    for (int k = 0; k < 300; k++) {
        const double above = (p.has_a ? p.a + k : 1.0) * (p.has_b ? p.b + k : 1.0);
        const double under = 1 / ((k + 1.0) * (k + 2.0));
        const T turned = times(first * (base + times(step, k)), (k + 1.0) * under);
        const T next = times(second, above * under) * before + turned * term;
        before = term, term = next;
        sum = sum + next;
        slopes = slopes + times(next, k + 2.0);
        const double last = size(before) + size(term);
        if (last * (k + 2) <= 1e-17 * size(slopes) && last <= 1e-17 * size(sum)) break;
        if (last == 0 || last != last) break;
    }
    return {sum, slopes / h};
}

/* How far a step from z may lead, for no digits to cancel in it. */
template <class T>
CUPRIC_MATH double
length_of_step(const parameters p, T z)
{
    double most = 0.6 * length(z);
    if (p.has_b) {
        const double other = 0.6 * length(T(T(1) - z));
        most = other < most ? other : most;
    }
    const double a = p.has_a ? p.a : 1, b = p.has_b ? p.b : 1;
    const double lead = size(leading_of(p, z)), base = size(base_of(p, z));
    const double width = 2 * lead / (base + 1e-300);
    const double wave = ::sqrt(2 * lead / (size(a * b) + 1e-300));
    const double least = 0.25 * most; /* at a pole of a low order */
    double h = width < wave ? width : wave;
    if (p.has_b && h < least && size(p.a) + size(p.b) + size(p.c) < 8) h = least;
    return h < most ? h : most;
}

/* w from z straight to the end. */
template <class T>
CUPRIC_APART solution<T>
along_path(const parameters p, T z, T end, solution<T> w)
{
    for (int i = 0; i < MOST_STEPS; i++) {
        const T way = end - z;
        const double rest = length(way), most = length_of_step(p, z);
        if (rest == 0) break;
        if (rest <= most) return taylor_step(p, z, way, w);
        const T h = way * T(most / rest);
        w = taylor_step(p, z, h, w);
        z = z + h;
    }
    return w;
}

/* The function and its derivative on the way to z, where the power series loses nothing. */
template <class T>
struct beginning {
    T at;
    solution<T> w;
};

template <class T>
CUPRIC_APART beginning<T>
begun(const parameters p, T z)
{
    const double r = length(z), a = p.has_a ? size(p.a) + 1 : 1;
    parameters next = p;
    next.a += 1, next.b += 1, next.c += 1;
    double start = p.has_b ? 0.65 : 8 * (size(p.c) + 1) / a;
    if (start > r) start = r;
    summed<T> sum = {T(1), 1};
    T at = z;
    for (int i = 0; i < 60; i++) {
        at = z * T(start / r);
        sum = power_series(p, at, 1.0);
        if (sum.loss < 6) break;
        start *= 0.6;
    }
    const double factor = (p.has_a ? p.a : 1.0) * (p.has_b ? p.b : 1.0) / p.c;
    return {at, {sum.value, power_series(next, at, 1.0).value * T(factor)}};
}

/* At z by steps from there. */
template <class T>
CUPRIC_APART T
continued(const parameters p, T z)
{
    const beginning<T> first = begun(p, z);
    return along_path(p, first.at, z, first.w).value;
}

} /* namespace hypergeometric */

CUPRIC_END

#endif
