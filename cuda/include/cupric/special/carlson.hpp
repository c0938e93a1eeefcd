/* special/carlson.hpp: Carlson's symmetric elliptic integrals RC, RD, RF, RG and RJ, of
 * double and of complex<double>.
 *
 * By duplication: each step moves the arguments closer to each other, by a factor of 4 in
 * the end, until a series in what is left of their differences, up to its seventh order,
 * gives all digits. B. C. Carlson, "Numerical computation of real or complex elliptic
 * integrals", Numerical Algorithms 10 (1995); https://dlmf.nist.gov/19.36.
 */
#ifndef CUPRIC_SPECIAL_CARLSON_HPP
#define CUPRIC_SPECIAL_CARLSON_HPP

#include "cupric/math/complex_double.hpp"
#include "cupric/math/special.hpp"

CUPRIC_BEGIN

namespace carlson {

/* More steps than the widest range of arguments takes. */
enum { MOST_STEPS = 60 };

CUPRIC_MATH double
root(double x)
{
    return elementary::root(x);
}
CUPRIC_MATH complex128
root(complex128 z)
{
    return in_double::sqrt(z);
}

CUPRIC_MATH double
size(double x)
{
    return elementary::without_sign(x);
}
/* Within a factor of the root of 2. */
CUPRIC_MATH double
size(complex128 z)
{
    const double x = magnitude(z.re), y = magnitude(z.im);
    return x > y ? x : y;
}

template <class T>
CUPRIC_MATH double
largest(T a, T b, T c)
{
    const double x = size(a), y = size(b), z = size(c);
    const double most = x > y ? x : y;
    return most > z ? most : z;
}

/* ---- the series ----------------------------------------------------------------------- */

/* Elementary symmetric functions of what the arguments differ by from their mean. */
template <class T>
struct symmetric {
    T e2, e3, e4, e5;
};

template <class T>
CUPRIC_MATH T
series_of_rf(T e2, T e3)
{
    return T(1) + e2 * (e2 * (T(1 / 24.0) - e2 * T(5 / 208.0)) - T(0.1)) +
           e3 * (T(1 / 14.0) - e2 * T(3 / 44.0) + e3 * T(3 / 104.0) +
                 e2 * e2 * T(1 / 16.0));
}

template <class T>
CUPRIC_MATH T
series_of_rd(const symmetric<T> &s)
{
    const T e2 = s.e2, e3 = s.e3, e4 = s.e4, e5 = s.e5, square = e2 * e2;
    return T(1) - e2 * T(3 / 14.0) + e3 * T(1 / 6.0) + square * T(9 / 88.0) -
           e4 * T(3 / 22.0) - e2 * e3 * T(9 / 52.0) + e5 * T(3 / 26.0) -
           square * e2 * T(1 / 16.0) + e3 * e3 * T(3 / 40.0) + e2 * e4 * T(3 / 20.0) +
           square * e3 * T(45 / 272.0) - (e3 * e4 + e2 * e5) * T(9 / 68.0);
}

/* ---- duplication ---------------------------------------------------------------------- */

/* Of arguments in the plane cut along the negative real axis, one of them 0 at most. */
template <class T>
CUPRIC_APART T
rf(T x, T y, T z)
{
    const T mean = x * T(1 / 3.0) + y * T(1 / 3.0) + z * T(1 / 3.0);
    T dx = mean - x, dy = mean - y, a = mean;
    double room = largest(dx, dy, T(mean - z)) * 85;
    double scale = 1;
    for (int i = 0; i < MOST_STEPS && !(room <= size(a)); i++) {
        const T u = root(x), v = root(y), w = root(z);
        const T lambda = u * v + (u + v) * w;
        x = (x + lambda) * T(0.25), y = (y + lambda) * T(0.25);
        z = (z + lambda) * T(0.25), a = (a + lambda) * T(0.25);
        room *= 0.25, scale *= 0.25;
    }
    dx = dx * T(scale) / a, dy = dy * T(scale) / a;
    const T dz = -(dx + dy);
    const T e2 = dx * dy - dz * dz, e3 = dx * dy * dz;
    return series_of_rf(e2, e3) / root(a);
}

/* z, the third, is not 0. */
template <class T>
CUPRIC_APART T
rd(T x, T y, T z)
{
    const T mean = x * T(0.2) + y * T(0.2) + z * T(0.6);
    T dx = mean - x, dy = mean - y, a = mean, sum = T(0);
    double room = largest(dx, dy, T(mean - z)) * 130;
    double scale = 1;
    for (int i = 0; i < MOST_STEPS && !(room <= size(a)); i++) {
        const T u = root(x), v = root(y), w = root(z);
        const T lambda = u * v + (u + v) * w;
        sum = sum + T(scale) / (w * (z + lambda));
        x = (x + lambda) * T(0.25), y = (y + lambda) * T(0.25);
        z = (z + lambda) * T(0.25), a = (a + lambda) * T(0.25);
        room *= 0.25, scale *= 0.25;
    }
    dx = dx * T(scale) / a, dy = dy * T(scale) / a;
    const T dz = (dx + dy) * T(-1 / 3.0), xy = dx * dy, zz = dz * dz;
    const symmetric<T> s = {xy - zz * T(6), (xy * T(3) - zz * T(8)) * dz,
                            (xy - zz) * zz * T(3), xy * zz * dz};
    return T(scale) * series_of_rd(s) / (a * root(a)) + sum * T(3);
}

/* RC(1, 1 + e) for a small e. */
template <class T>
CUPRIC_MATH T
rc_near_1(T e)
{
    T sum = T(1 / 19.0);
    for (int k = 17; k > 0; k -= 2) sum = T(1.0 / k) - e * sum;
    return sum;
}

/* RC(x, y) for y > 0: an arctangent or a logarithm. */
CUPRIC_APART double
rc_of_positive(double x, double y)
{
    using namespace elementary;
    const double d = y - x, width = root(without_sign(d));
    if (without_sign(d) <= 1e-2 * x) return rc_near_1(d / x) / root(x);
    if (d > 0)
        return (x == 0 ? 0.5 * constants<double>::PI()
                       : elementary::atan(width / root(x))) /
               width;
    return (y < 0.5 * x ? elementary::log((root(x) + width) / root(y))
                        : elementary::atanh(width / root(x))) /
           width;
}

/* RC of the plane cut along the negative real axis. */
CUPRIC_APART complex128
rc_of_plane(complex128 x, complex128 y)
{
    const complex128 mean = x * (1 / 3.0) + y * (2 / 3.0);
    complex128 a = mean, s = y - mean;
    double room = size(complex128(mean - x)) * 150, scale = 1;
    for (int i = 0; i < MOST_STEPS && !(room <= size(a)); i++) {
        const complex128 lambda = root(x) * root(y) * 2.0 + y;
        x = (x + lambda) * 0.25, y = (y + lambda) * 0.25, a = (a + lambda) * 0.25;
        room *= 0.25, scale *= 0.25;
    }
    s = s * scale / a;
    complex128 sum = s * (9 / 8.0) + 159 / 208.0;
    sum = sum * s + 9 / 22.0;
    sum = sum * s + 3 / 8.0;
    sum = sum * s + 1 / 7.0;
    sum = sum * s + 3 / 10.0;
    return (sum * s * s + 1.0) / root(a);
}

/* Roots of the arguments, and the sum of their products without p's, of a step of RJ. */
template <class T>
struct step_of_rj {
    T u, v, w, q, lambda;
};

/* What a step adds to RJ: 3 RC(x**2, p (p + lambda)**2), x = p (u + v + w) + u v w. Nothing
 * cancels in it. B. C. Carlson, "Computing elliptic integrals by duplication", Numerische
 * Mathematik 33 (1979). */
CUPRIC_MATH double
share_of_rj(const step_of_rj<double> &s, double p, double)
{
    const double x = p * (s.u + s.v + s.w) + s.u * s.v * s.w, r = (p + s.lambda) / x;
    const double y = p * r * r, e = y - 1;
    return 3 * (magnitude(e) < 1e-2 ? rc_near_1(e) : rc_of_positive(1, y)) / x;
}
/* Of complex numbers by the form that tells its branch. */
CUPRIC_MATH complex128
share_of_rj(const step_of_rj<complex128> &s, complex128, complex128 delta)
{
    const complex128 d = (s.q + s.u) * (s.q + s.v) * (s.q + s.w), e = delta / (d * d);
    return (size(e) < 7e-3 ? rc_near_1(e) : rc_of_plane(complex128(1), e + 1.0)) * 6.0 /
           d;
}

/* p is not 0 and off the cut, the largest of all of the size of 1. */
template <class T>
CUPRIC_APART T
rj(T x, T y, T z, T p)
{
    const T mean = (x + y + z + p * T(2)) * T(0.2);
    const T dx = mean - x, dy = mean - y, dz = mean - z;
    T a = mean, sum = T(0), delta = (p - x) * (p - y) * (p - z);
    double room = largest(dx, dy, dz), scale = 1;
    if (size(T(mean - p)) > room) room = size(T(mean - p));
    room *= 130;
    for (int i = 0; i < MOST_STEPS && !(room <= size(a)); i++) {
        const T u = root(x), v = root(y), w = root(z), q = root(p);
        const T lambda = u * v + (u + v) * w;
        const step_of_rj<T> s = {u, v, w, q, lambda};
        sum = sum + share_of_rj(s, p, delta) * T(scale);
        x = (x + lambda) * T(0.25), y = (y + lambda) * T(0.25);
        z = (z + lambda) * T(0.25), p = (p + lambda) * T(0.25);
        a = (a + lambda) * T(0.25);
        room *= 0.25, scale *= 0.25, delta = delta * T(1 / 64.0);
    }
    const T ux = dx * T(scale) / a, uy = dy * T(scale) / a, uz = dz * T(scale) / a;
    const T up = (ux + uy + uz) * T(-0.5), pp = up * up, xyz = ux * uy * uz;
    const T e2 = ux * uy + ux * uz + uy * uz - pp * T(3);
    const symmetric<T> s = {e2, xyz + e2 * up * T(2) + pp * up * T(4),
                            (xyz * T(2) + e2 * up + pp * up * T(3)) * up, xyz * pp};
    return T(scale) * series_of_rd(s) / (a * root(a)) + sum;
}

/* ---- of any arguments: real ones ------------------------------------------------------ */

CUPRIC_MATH void
sort(double &a, double &b)
{
    const double least = a < b ? a : b, most = a < b ? b : a;
    a = least, b = most;
}

/* The same in order; a NaN if one of them is or is negative. */
CUPRIC_MATH bool
sort(double &a, double &b, double &c)
{
    if (!(a >= 0 && b >= 0 && c >= 0)) return false;
    sort(a, b), sort(b, c), sort(a, b);
    return true;
}

/* A power of 4 that brings a positive x near 1. */
CUPRIC_MATH double
scale_of(double x)
{
    const int n = int(bits_of(x) >> 52 & 0x7ff) - 1023;
    const int even = (n < -1000 ? -1000 : n > 1000 ? 1000 : n) & ~1;
    return double_of((unsigned long long)(1023 - even) << 52);
}

/* Of 0 <= x <= y <= z and p > 0. */
CUPRIC_APART double
rj_of_positive(double x, double y, double z, double p)
{
    const double k = scale_of(z > p ? z : p), half = root(k);
    return rj(x * k, y * k, z * k, p * k) * k * half;
}

/* Cauchy's principal value of RJ(x, y, z, -q), 0 <= x <= y <= z: (2.21) of Carlson's. */
CUPRIC_APART double
rj_of_negative(double x, double y, double z, double q)
{
    const double k = scale_of(z > q ? z : q);
    x *= k, y *= k, z *= k, q *= k;
    const double over = (z - y) * (y - x) / (y + q), p = y + over;
    const double pq = p * q, product = x * z;
    const double last =
        3 * root(product * y / (product + pq)) * rc_of_positive(product + pq, pq);
    const double first = over == 0 ? 0 : over * rj(x, y, z, p);
    return (first - 3 * rf(x, y, z) + last) / (y + q) * k * root(k);
}

} /* namespace carlson */

/* ---- functions of double --------------------------------------------------------------- */

/* A y < 0 gives Cauchy's principal value. */
CUPRIC_APART double
elliprc(double x, double y)
{
    const double infinite = elementary::infinity<double>();
    if (!(x >= 0) || y == 0 || y != y) return elementary::nan<double>();
    if (x == infinite || y == infinite || y == -infinite)
        return y == -infinite && x == infinite ? elementary::nan<double>() : 0;
    if (y > 0) return carlson::rc_of_positive(x, y);
    const double k = carlson::scale_of(x > -y ? x : -y);
    x *= k, y *= k;
    return elementary::root(x / (x - y)) * carlson::rc_of_positive(x - y, -y) *
           elementary::root(k);
}

CUPRIC_APART double
elliprf(double x, double y, double z)
{
    if (!carlson::sort(x, y, z)) return elementary::nan<double>();
    if (z == elementary::infinity<double>()) return 0;
    return y == 0 ? elementary::infinity<double>() : carlson::rf(x, y, z);
}

CUPRIC_APART double
elliprd(double x, double y, double z)
{
    if (!(x >= 0 && y >= 0 && z >= 0)) return elementary::nan<double>();
    if (z == 0 || (x == 0 && y == 0 && z < elementary::infinity<double>()))
        return elementary::infinity<double>();
    const double most = carlson::largest(x, y, z);
    if (most == elementary::infinity<double>()) return 0;
    const double k = carlson::scale_of(most);
    return carlson::rd(x * k, y * k, z * k) * k * elementary::root(k);
}

/* By (19.21.10) of https://dlmf.nist.gov, which has positive terms if z is the middle one. */
CUPRIC_APART double
elliprg(double x, double z, double y)
{
    using namespace carlson;
    if (!sort(x, z, y)) return elementary::nan<double>();
    if (y == elementary::infinity<double>()) return y;
    if (z == 0) return 0.5 * root(y);
    const double k = scale_of(y);
    x *= k, y *= k, z *= k;
    const double last = (z - x) * (y - z),
                 difference = last == 0 ? 0 : last * rd(x, y, z);
    const double sum = z * rf(x, y, z) + difference / 3 + root(x * (y / z));
    return 0.5 * sum / root(k);
}

/* A p < 0 gives Cauchy's principal value. */
CUPRIC_APART double
elliprj(double x, double y, double z, double p)
{
    using namespace elementary;
    if (!carlson::sort(x, y, z) || p != p) return nan<double>();
    if (z == infinity<double>() || without_sign(p) == infinity<double>())
        return y == 0 && p != 0                   ? infinity<double>()
               : p == 0 && z < infinity<double>() ? nan<double>()
                                                  : 0;
    if (p == 0) return nan<double>();
    if (y == 0) return infinity<double>();
    return p > 0 ? carlson::rj_of_positive(x, y, z, p)
                 : carlson::rj_of_negative(x, y, z, -p);
}

CUPRIC_END

#endif
