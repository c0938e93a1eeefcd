/* special/associated.hpp: associated Legendre functions of integer degree and order, with
 * derivatives, of real and complex arguments (https://dlmf.nist.gov/14.7, 14.10).
 *
 * P_n^m(z) is (1 - z**2)**(|m| / 2) times a polynomial. Its recurrence over n, and those of
 * the derivatives of the polynomial, have no singularity; the factor and its derivatives are
 * multiplied in at the end. Both have scales, powers of 2**512: one is tiny or huge where
 * the product is neither (T. Fukushima, "Numerical computation of spherical harmonics of
 * arbitrary degree and order by extending exponent", Journal of Geodesy 86 (2012)).
 */
#ifndef CUPRIC_SPECIAL_ASSOCIATED_HPP
#define CUPRIC_SPECIAL_ASSOCIATED_HPP

#include "cupric/special/recurrences.hpp"

CUPRIC_BEGIN

namespace elementary {
namespace orthogonal {

/* A function's value and first derivatives, D numbers, times 2**(512 scale). */
template <class T, int D>
struct jet {
    T at[D];
    int scale;
};

/* The jet without its scale. */
template <class T, int D>
CUPRIC_MATH void
unscale(jet<T, D> &j)
{
    for (int d = 0; d < D; d++) {
        for (int s = j.scale; s > 0 && is_finite_number(j.at[d]); s--)
            j.at[d] = times(0x1p512, j.at[d]);
        for (int s = j.scale; s < 0 && is_larger(j.at[d], 0); s++)
            j.at[d] = times(0x1p-512, j.at[d]);
    }
    j.scale = 0;
}

/* Of a product. */
template <class T, int D>
CUPRIC_MATH jet<T, D>
multiplied(const jet<T, D> &a, const jet<T, D> &b)
{
    jet<T, D> r;
    r.scale = a.scale + b.scale;
    r.at[0] = a.at[0] * b.at[0];
    if constexpr (D > 1) r.at[1] = a.at[1] * b.at[0] + a.at[0] * b.at[1];
    if constexpr (D > 2)
        r.at[2] = a.at[2] * b.at[0] + times(2, a.at[1] * b.at[1]) + a.at[0] * b.at[2];
    return r;
}

/* w**n = value 2**(512 scale), n >= 0. */
template <class T>
CUPRIC_APART void
scaled_power(T w, int n, T *value, int *scale)
{
    T result = 1;
    int of_result = 0, of_w = 0;
    for (; n > 0; n >>= 1) {
        if (is_larger(w, 0x1p200)) w = times(0x1p-512, w), of_w++;
        if (is_larger(w, 0) && !is_larger(w, 0x1p-312)) w = times(0x1p512, w), of_w--;
        if (n & 1) {
            result = result * w;
            of_result += of_w;
            if (is_larger(result, 0x1p200))
                result = times(0x1p-512, result), of_result++;
            if (is_larger(result, 0) && !is_larger(result, 0x1p-312))
                result = times(0x1p512, result), of_result--;
        }
        w = w * w;
        of_w *= 2;
    }
    *value = result;
    *scale = of_result;
}

/* The root of 1 - z**2, or of z**2 - 1 for `cut` 3, and its square. */
CUPRIC_MATH double
root_of_point(double z, int cut, double *square)
{
    *square = cut == 3 ? (z - 1) * (z + 1) : (1 - z) * (1 + z);
    const double w = ::sqrt(*square);
    return cut == 3 && z < 0 ? -w : w;
}
CUPRIC_MATH complex128
root_of_point(complex128 z, int cut, complex128 *square)
{
    const complex128 one = 1;
    if (cut == 3) {
        *square = (z - one) * (z + one);
        const complex128 less(z.re - 1, z.im), more(z.re + 1, z.im);
        return in_double::sqrt(less) * in_double::sqrt(more);
    }
    *square = (one - z) * (one + z);
    if (z.im == 0) square->im = 0; /* of both zeros, the root in the upper half-plane */
    return in_double::sqrt(*square);
}

/* The factor of order a = |m|. */
template <class T, int D>
CUPRIC_APART jet<T, D>
order_factor(int a, T z, int cut)
{
    T square, power;
    const T w = root_of_point(z, cut, &square);
    const double sign = cut == 3 ? 1 : -1;
    T f[3] = {T(1), T(0), T(0)};
    int scale = 0;
    if (a == 1) {
        f[0] = w;
        f[1] = times(sign, z) / w;
        f[2] = T(-1) / (square * w);
    } else if (a == 2) {
        f[0] = square;
        f[1] = times(2 * sign, z);
        f[2] = T(2 * sign);
    } else if (a == 3) {
        f[0] = square * w;
        f[1] = times(3 * sign, z * w);
        f[2] = times(3, times(2, z * z) - T(1)) / w;
    } else if (a > 3) {
        scaled_power(square, (a - 4) / 2, &power, &scale);
        if (a & 1) power = power * w;
        f[2] = times(a, power * (times(a - 1, z * z) - T(1)));
        f[1] = times(a * sign, z * (power * square));
        f[0] = power * square * square;
    }
    jet<T, D> r;
    r.scale = scale;
    for (int d = 0; d < D; d++) r.at[d] = f[d];
    return r;
}

/* The same for z = cos(theta), with derivatives over theta: |sin(theta)|**a. */
template <int D>
CUPRIC_APART jet<double, D>
order_factor_of_angle(int a, double cosine, double sine)
{
    const double size = without_sign(sine), slope = sine < 0 ? -cosine : cosine;
    double f[3] = {1, 0, 0}, power;
    int scale = 0;
    if (a == 1) {
        f[0] = size;
        f[1] = slope;
        f[2] = -size;
    } else if (a > 1) {
        scaled_power(size, a - 2, &power, &scale);
        f[0] = power * size * size;
        f[1] = a * (power * size) * slope;
        f[2] = a * ((a - 1) * power * cosine * cosine - f[0]);
    }
    jet<double, D> r;
    r.scale = scale;
    for (int d = 0; d < D; d++) r.at[d] = f[d];
    return r;
}

/* What P_n^m is over its factor, from n = |m| on, by advance(). */
template <class T, int D>
struct associated_polynomial {
    T z;
    double degree, order, before_root;
    bool normal;
    jet<T, D> now, before;

    /* `sign`: whether (-1)**m belongs to it, where m > 0. */
    CUPRIC_MATH void start(int m, T point, bool is_normal, bool sign)
    {
        const int a = m < 0 ? -m : m;
        z = point, degree = a, order = m, before_root = 1, normal = is_normal;
        for (int d = 0; d < D; d++) now.at[d] = before.at[d] = T(0);
        now.scale = before.scale = 0;
        double first = is_normal ? 0.5 : 1;
        for (double j = 1; j <= a; j++) {
            first *= is_normal ? (2 * j + 1) / (2 * j)
                     : m < 0   ? 1 / (2 * j)
                               : 2 * j - 1;
            if (first > 0x1p400) first *= 0x1p-512, now.scale++;
            if (first < 0x1p-400) first *= 0x1p512, now.scale--;
        }
        if (is_normal) first = ::sqrt(first);
        now.at[0] = T(sign && m > 0 && (m & 1) ? -first : first);
    }

    CUPRIC_MATH void advance()
    {
        const double k = degree, m = order;
        double slope, other;
        if (normal) {
            slope = ::sqrt((2 * k + 1) * (2 * k + 3) / ((k + 1 - m) * (k + 1 + m)));
            other = slope / before_root;
            before_root = slope;
        } else {
            const double r = 1 / (k - m + 1);
            slope = (2 * k + 1) * r;
            other = (k + m) * r;
        }
        for (int d = D - 1; d >= 0; d--) {
            T rise = z * now.at[d];
            if (d > 0) rise = rise + times(d, now.at[d > 0 ? d - 1 : 0]);
            const T next = times(slope, rise) - times(other, before.at[d]);
            before.at[d] = now.at[d];
            keep.at[d] = next;
        }
        for (int d = 0; d < D; d++) now.at[d] = keep.at[d];
        degree++;
        if (!is_larger(now.at[D - 1], 0x1p300) && !is_larger(now.at[0], 0x1p300))
            return;
        for (int d = 0; d < D; d++) {
            now.at[d] = times(0x1p-512, now.at[d]);
            before.at[d] = times(0x1p-512, before.at[d]);
        }
        now.scale++;
    }

  private:
    jet<T, D> keep;
};

/* P_n^m of every kind, from degree |m| on. */
template <class T, int D>
struct associated_walk {
    associated_polynomial<T, D> inner;
    jet<T, D> factor;
    double sine; /* of an angle */

    /* `kind`: 0, or 1 for normalized ones; `cut` 2 or 3. */
    CUPRIC_MATH void start(int m, T z, int kind, int cut)
    {
        inner.start(m, z, kind != 0, cut != 3);
        factor = order_factor<T, D>(m < 0 ? -m : m, z, cut);
    }
    CUPRIC_MATH void advance() { inner.advance(); }
    CUPRIC_MATH jet<T, D> value() const
    {
        jet<T, D> r = multiplied(inner.now, factor);
        unscale(r);
        return r;
    }
};

/* The spherical harmonic of degree n >= |m| and order m at longitude 0, and its derivatives
 * over theta. */
template <int D>
struct spherical_walk {
    associated_polynomial<double, D> inner;
    jet<double, D> factor;
    double cosine, sine;

    CUPRIC_MATH void start(int m, double theta)
    {
        const double rest = 0.39894228040143267794; /* 1 / sqrt(2 pi) */
        cosine = cos(theta), sine = sin(theta);
        inner.start(m, cosine, true, true);
        factor = order_factor_of_angle<D>(m < 0 ? -m : m, cosine, sine);
        for (int d = 0; d < D; d++) factor.at[d] *= rest;
    }
    CUPRIC_MATH void advance() { inner.advance(); }
    CUPRIC_MATH jet<double, D> value() const
    {
        jet<double, D> q = inner.now;
        if constexpr (D > 2) q.at[2] = sine * sine * q.at[2] - cosine * q.at[1];
        if constexpr (D > 1) q.at[1] = -sine * q.at[1];
        jet<double, D> r = multiplied(q, factor);
        unscale(r);
        return r;
    }
};

/* P_n and its derivatives, from n = 0 on: by differences near 1, as legendre_by_degree(). */
template <class T, int D>
struct legendre_walk {
    folded_point<T> p;
    double degree;
    T now[D], other[D];

    CUPRIC_MATH void start(T z)
    {
        p = folded(z);
        degree = 0;
        for (int d = 0; d < D; d++) now[d] = other[d] = T(0);
        now[0] = T(1);
    }
    CUPRIC_MATH void advance()
    {
        const double k = degree, r = 1 / (k + 1);
        const bool near = is_near_one(p);
        const T along = near ? p.rest : p.x;
        for (int d = D - 1; d >= 0; d--) {
            T rise = along * now[d];
            if (d > 0) rise = rise + times(d, now[d > 0 ? d - 1 : 0]);
            if (near) {
                other[d] = other[d] + times(2 * k + 1, rise);
            } else {
                const T next = times((2 * k + 1) * r, rise) - times(k * r, other[d]);
                other[d] = now[d];
                ahead[d] = next;
            }
        }
        for (int d = 0; d < D; d++)
            now[d] = near ? now[d] + times(r, other[d]) : ahead[d];
        degree++;
    }
    CUPRIC_MATH jet<T, D> value() const
    {
        jet<T, D> r;
        r.scale = 0;
        for (int d = 0; d < D; d++)
            r.at[d] = p.turned && is_odd(degree + d) ? -now[d] : now[d];
        return r;
    }

  private:
    T ahead[D];
};

} /* namespace orthogonal */
} /* namespace elementary */

CUPRIC_END

#endif
