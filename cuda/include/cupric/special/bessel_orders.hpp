/* special/bessel_orders.hpp: Bessel functions of real order and real argument, of double.
 *
 * Of large arguments or orders Debye's expansions; between, from a start of small order up
 * by recurrence, which is stable for the functions that do not decay; those that do have
 * their power series, or follow from the others by the ratio of two neighbours and the
 * Wronskian. The start is by N. M. Temme's series ("On the numerical evaluation of the
 * ordinary Bessel function of the second kind", 1976, and "... of the modified Bessel
 * function of the third kind", 1975) or the second's backward recurrence. Negative orders
 * are reflected (https://dlmf.nist.gov/10.4, 10.27).
 */
#ifndef CUPRIC_SPECIAL_BESSEL_ORDERS_HPP
#define CUPRIC_SPECIAL_BESSEL_ORDERS_HPP

#include "cupric/special/bessel_starts.hpp"

CUPRIC_BEGIN

namespace elementary {

/* J of order + 1 over J of order, for order >= x, by recurrence from where J is 1e-17 of what
 * it is there. */
CUPRIC_APART double
ratio_of_decaying(double order, double x)
{
    const int steps = 5 + int(8 * cbrt(x));
    const double w = 2 / x;
    double above = 0, at = 0x1p-900;
    for (int k = steps; k > 0; k--) {
        const double below = product((order + k) * w, at) - above;
        above = at;
        at = below;
    }
    return above / at;
}

/* J and Y of an order and of the next one. */
struct bessel_steps {
    bessel_pair at, next;
};

/* The next one, where `order` is that of b.next and w = 2 / x. */
CUPRIC_MATH void
step_up(bessel_steps &b, double order, double w)
{
    const double c = order * w;
    const bessel_pair up = {c * b.next.first - b.at.first,
                            c * b.next.second - b.at.second};
    b.at = b.next;
    b.next = up;
}

/* J and Y up from a start of an order `steps` below. */
CUPRIC_APART bessel_pair
bessel_up(bessel_steps b, double start, int steps, double x)
{
    const double order = start + steps, w = 2 / x;
    for (int k = 1; k <= steps && b.at.second > -infinity<double>(); k++)
        step_up(b, start + k, w);
    if (order > x && b.at.second > -infinity<double>()) {
        const double ratio = ratio_of_decaying(order, x);
        const double wronskian = w * 0.31830988618379067154;
        b.at.first = wronskian / (ratio * b.at.second - b.next.second);
    }
    return b.at;
}

/* Y of `steps` orders up from those of order m and the next. */
CUPRIC_MATH double
second_up(bessel_pair y, double m, int steps, double w)
{
    double at = y.first, next = y.second;
    for (int k = 1; k <= steps && at > -infinity<double>(); k++) {
        const double up = (m + k) * w * next - at;
        at = next;
        next = up;
    }
    return at;
}

/* For 2 <= x < 30: numbers that are as J down from where it is nothing to |m| <= 1/2; the
 * slope of J + i Y there and the Wronskian have their scale and Y. */
CUPRIC_APART bessel_pair
bessel_down(double m, int steps, double x)
{
    const double w = 2 / x;
    const int above = int(8 * cbrt(x)) + 5, whole = int(x);
    const int last = (steps > whole ? steps : whole) + above;
    double next = 0, at = 0x1p-300, wanted = 0;
    for (int k = last; k > 0; k--) {
        wanted = k == steps ? at : wanted;
        const double below = (m + k) * w * at - next;
        next = at;
        at = below;
    }
    if (steps == 0) wanted = at;
    const double slope = m / x * at - next;
    const bessel_complex h = bessel_slope(m, x);
    const double other = (h.real * at - slope) / h.imag; /* as Y */
    const double scale =
        root(0.31830988618379067154 * w / (h.imag * (at * at + other * other)));
    const double y = scale * other;
    const double y_slope = scale * (h.imag * at + h.real * other);
    return {scale * wanted, second_up({y, m / x * y - y_slope}, m, steps, w)};
}

/* J and Y of order >= 0 and x > 0 where neither has an expansion. For x < 2 J is left to its
 * series. */
CUPRIC_APART bessel_pair
bessel_between(double order, double x)
{
    const int steps = x < 30 ? int(rint(order)) : 0;
    const double m = order - steps;
    if (x < 2)
        return {0, second_up(m == 0 ? bessel_pair{y0(x), y1(x)} : temme_y(m, x), m,
                             steps, 2 / x)};
    if (x < 30 && m == 0)
        return bessel_up({{j0(x), y0(x)}, {j1(x), y1(x)}}, m, steps, x);
    if (x < 30) return bessel_down(m, steps, x);
    /* with too many steps for an order this near x, and hardly a digit of the phase */
    if (x > 1e12) return {nan<double>(), nan<double>()};
    /* from where the phase is some 27 from that of the turning point */
    const double low = x - 9.4 * cbrt(x);
    const double below = order > low ? ceil(order - low) : 0;
    const double start = order - below;
    const bessel_steps b = {debye_waves(start, x), debye_waves(start + 1, x)};
    return bessel_up(b, start, int(below), x);
}

/* From where on 16 terms are enough. */
enum { DEBYE_DISTANCE = 21, DEBYE_ORDER = 20, DEBYE_RADIUS = 20 };

/* (x / 2)**order / gamma(order + 1) */
CUPRIC_MATH double
bessel_term(double order, double x)
{
    if (order < 150) return pow(0.5 * x, order) / gamma(order + 1);
    return exp(order * log(0.5 * x) - gammaln(order + 1));
}

/* The series of J, or where s > 0 of I, over its first term, s = -x**2 / 4 or x**2 / 4. */
CUPRIC_APART double
bessel_series(double order, double s)
{
    double term = 1, sum = 1;
    for (int k = 1; k < 200; k++) {
        term *= s / (k * (order + k));
        sum += term;
        if (without_sign(term) <= 0x1p-56 * without_sign(sum)) break;
    }
    return sum;
}

/* J and Y of order >= 0 and 0 < x < infinity; only one of them is asked for. */
CUPRIC_APART bessel_pair
bessel_pair_of(double order, double x, bool first, bool second)
{
    const bool series = x * x <= 4 * (order + 1);
    if (first && !second && series && order < 150)
        return {bessel_term(order, x) * bessel_series(order, -0.25 * x * x), 0};
    bessel_pair found;
    const bool may = x > order || order > DEBYE_ORDER;
    if (may && debye_distance(order, x) > DEBYE_DISTANCE)
        found = order < x ? debye_waves(order, x) : debye_slopes(order, x);
    else
        found = bessel_between(order, x);
    if (series && order < 150)
        found.first = bessel_term(order, x) * bessel_series(order, -0.25 * x * x);
    return found;
}

/* What a function of an order that is not finite is: `up` of infinity. */
CUPRIC_MATH double
of_no_order(double order, double x, double up)
{
    return order > 0 && x >= 0 && x < infinity<double>() ? up : nan<double>();
}

CUPRIC_MATH bool
is_whole(double x)
{
    return x == rint(x);
}

CUPRIC_MATH bool
is_odd(double whole)
{
    return 0.5 * whole != rint(0.5 * whole);
}

/* The sign of 1 / gamma(order + 1), of an order that is no negative whole number. */
CUPRIC_MATH double
sign_of_term(double order)
{
    return order < -1 && is_odd(floor(order)) ? 1 : order < -1 ? -1 : 1;
}

CUPRIC_MATH double
first_at_zero(double order)
{
    if (order == 0) return 1;
    if (order > 0 || is_whole(order)) return 0;
    return sign_of_term(order) * infinity<double>();
}

/* The sign of a function of a whole order left of 0. */
CUPRIC_MATH double
parity(double order)
{
    return is_odd(order) ? -1 : 1;
}

/* Whole orders up to here are some steps from 0 and 1, and lose no digits that matter. */
CUPRIC_MATH bool
is_few_steps(double n)
{
    return n >= 2 && n <= 32 && is_whole(n);
}

/* f of order n, from those of orders 0 and 1, f(n + 1) = 2 n / x f(n) - f(n - 1); with the
 * other sign if `modified`. Stable where f grows with n: https://dlmf.nist.gov/10.74#iv. */
CUPRIC_APART double
by_steps(double n, double x, double f0, double f1, bool modified)
{
    const double w = 2 / x, sign = modified ? 1 : -1;
    for (int k = 1; k < n && without_sign(f1) < infinity<double>(); k++) {
        const double up = k * w * f1 + sign * f0;
        f0 = f1;
        f1 = up;
    }
    return f1;
}

CUPRIC_APART double
jv(double order, double x)
{
    const double n = without_sign(order), y = without_sign(x);
    if (!(n < infinity<double>())) return of_no_order(order, x, 0);
    if (!(x >= 0 || is_whole(order)) || x != x) return nan<double>();
    const bool odd = is_whole(order) && is_odd(order);
    const double sign = odd && bits_of(x) >> 63 ? -1 : 1;
    if (y == 0) return sign * first_at_zero(order);
    if (y == infinity<double>()) return 0;
    if (n == 0) return j0(y);
    if (n == 1) return (order < 0 ? -sign : sign) * j1(y);
    if (is_few_steps(n) && y > n) {
        const double f = by_steps(n, y, j0(y), j1(y), false);
        return order < 0 && odd ? -sign * f : sign * f;
    }
    if (order > 0) return sign * bessel_pair_of(n, y, true, false).first;
    const bessel_pair turn = sine_and_cosine_of_turns(n);
    const bessel_pair f = bessel_pair_of(n, y, true, turn.first != 0);
    const double all = turn.second * f.first;
    return turn.first == 0 ? sign * all : all - turn.first * f.second;
}

CUPRIC_APART double
yv(double order, double x)
{
    const double n = without_sign(order);
    if (!(n < infinity<double>())) return of_no_order(order, x, -infinity<double>());
    if (!(x >= 0)) return nan<double>();
    const bessel_pair turn = sine_and_cosine_of_turns(n);
    if (x == 0) {
        if (order >= 0) return -infinity<double>();
        return turn.second == 0 ? 0 : -turn.second * infinity<double>();
    }
    if (x == infinity<double>()) return 0;
    if (n == 0) return y0(x);
    if (n == 1) return order < 0 ? -y1(x) : y1(x);
    if (is_few_steps(n)) {
        const double f = by_steps(n, x, y0(x), y1(x), false);
        return order < 0 ? parity(n) * f : f;
    }
    if (order > 0) return bessel_pair_of(n, x, false, true).second;
    const bessel_pair f = bessel_pair_of(n, x, turn.first != 0, turn.second != 0);
    const double all = turn.second == 0 ? 0 : turn.second * f.second;
    return turn.first == 0 ? all : all + turn.first * f.first;
}

/* ---- modified functions --------------------------------------------------------------- */

/* K of order >= 0 and 0 < x < infinity, times exp(x) if `scaled`. */
CUPRIC_APART double
k_of(double order, double x, bool scaled)
{
    if (hypot(order, x) > DEBYE_RADIUS) return debye_k(order, x, scaled);
    const int steps = int(rint(order));
    const double start = order - steps, w = 2 / x;
    bessel_pair b = modified_start(start, x, scaled);
    for (int k = 1; k <= steps && b.first < infinity<double>(); k++) {
        const double up = (start + k) * w * b.second + b.first;
        b.first = b.second;
        b.second = up;
    }
    return b.first;
}

/* I of order >= 0 and 0 < x < infinity, times exp(-x) if `scaled`. */
CUPRIC_APART double
i_of(double order, double x, bool scaled)
{
    if (hypot(order, x) > DEBYE_RADIUS && !(order < 150 && x * x < 4 * (order + 1)))
        return debye_i(order, x, scaled);
    const double i = bessel_term(order, x) * bessel_series(order, 0.25 * x * x);
    return scaled ? i * exp(-x) : i;
}

CUPRIC_APART double
kv_of(double order, double x, bool scaled)
{
    const double n = without_sign(order);
    if (!(n < infinity<double>()))
        return order == order && x >= 0 && x < infinity<double>() ? infinity<double>()
                                                                  : nan<double>();
    if (!(x > 0)) return x == 0 ? infinity<double>() : nan<double>();
    if (x == infinity<double>()) return 0;
    if (n == 0) return scaled ? k0e(x) : k0(x);
    if (n == 1) return scaled ? k1e(x) : k1(x);
    if (is_few_steps(n))
        return scaled ? by_steps(n, x, k0e(x), k1e(x), true)
                      : by_steps(n, x, k0(x), k1(x), true);
    return k_of(n, x, scaled);
}

CUPRIC_APART double
iv_of(double order, double x, bool scaled)
{
    const double n = without_sign(order), y = without_sign(x);
    if (!(n < infinity<double>())) return of_no_order(order, x, 0);
    if (!(x >= 0 || is_whole(order)) || x != x) return nan<double>();
    const bool odd = is_whole(order) && is_odd(order);
    const double sign = odd && bits_of(x) >> 63 ? -1 : 1;
    if (y == 0) return sign * first_at_zero(order);
    if (y == infinity<double>()) return scaled ? 0 : sign * y;
    if (n == 0) return scaled ? i0e(y) : i0(y);
    if (n == 1) return sign * (scaled ? i1e(y) : i1(y));
    const double first = sign * i_of(n, y, scaled);
    if (order > 0 || is_whole(order)) return first;
    const double sine = sine_and_cosine_of_turns(n).first;
    const double other = 0.63661977236758134308 * sine * k_of(n, y, scaled);
    return first + (scaled ? other * exp(-y) * exp(-y) : other);
}

} /* namespace elementary */

/* Bessel functions of real order and argument. */
CUPRIC_MATH double
jv(double order, double x)
{
    return elementary::jv(order, x);
}

CUPRIC_MATH double
yv(double order, double x)
{
    return elementary::yv(order, x);
}

CUPRIC_MATH double
iv(double order, double x)
{
    return elementary::iv_of(order, x, false);
}

CUPRIC_MATH double
kv(double order, double x)
{
    return elementary::kv_of(order, x, false);
}

/* Scaled by exp(-|x|) and exp(x); jv and yv by exp(-|imaginary part|), which is 1. */
CUPRIC_MATH double
jve(double order, double x)
{
    return elementary::jv(order, x);
}

CUPRIC_MATH double
yve(double order, double x)
{
    return elementary::yv(order, x);
}

CUPRIC_MATH double
ive(double order, double x)
{
    return elementary::iv_of(order, x, true);
}

CUPRIC_MATH double
kve(double order, double x)
{
    return elementary::kv_of(order, x, true);
}

/* Of whole order; SciPy and CuPy leave off the digits of others. */
CUPRIC_MATH double
yn(double order, double x)
{
    return elementary::yv(trunc(order), x);
}
CUPRIC_MATH float
yn(float order, float x)
{
    return float(yn(double(order), double(x)));
}

CUPRIC_MATH double
kn(double order, double x)
{
    return elementary::kv_of(trunc(order), x, false);
}
CUPRIC_MATH float
kn(float order, float x)
{
    return float(kn(double(order), double(x)));
}

CUPRIC_END

#endif
