/* _legendre.cuh: Legendre functions of integer degree and order, with D - 1 derivatives, of
 * elements X that are computed as T, and spherical harmonics.
 */
#include "_legendre.h"
#include "cupric/special/associated.hpp"

namespace walks = cupric::elementary::orthogonal;

/* What elements are computed in. */
__device__ inline double
wide(float x)
{
    return x;
}
__device__ inline double
wide(double x)
{
    return x;
}
__device__ inline complex<double>
wide(complex<float> z)
{
    return z;
}
__device__ inline complex<double>
wide(complex<double> z)
{
    return z;
}

/* Values of degree n from those that `walk` begins with, that of degree `first`; of a degree
 * below it 0. Degrees that are not counted up to are not numbers. */
template <class T, int D, class WALK>
__device__ inline walks::jet<T, D>
walked(WALK &walk, long long first, long long n)
{
    walks::jet<T, D> r;
    r.scale = 0;
    for (int d = 0; d < D; d++)
        r.at[d] = T(n > 16777216 ? cupric::elementary::nan<double>() : 0.0);
    if (n < first || n > 16777216) return r;
    for (long long k = first; k < n; k++) walk.advance();
    return walk.value();
}

template <class T, int D>
__device__ inline walks::jet<T, D>
legendre_at(long long n, long long m, T z, int kind, int cut)
{
    if (kind == POLYNOMIAL) {
        walks::legendre_walk<T, D> walk;
        walk.start(z);
        return walked<T, D>(walk, 0, n);
    }
    const long long a = m < 0 ? -m : m;
    if constexpr (cupric::is_same<T, double>::value) {
        if (kind == SPHERICAL) {
            walks::spherical_walk<D> walk;
            walk.start(a > n ? 0 : (int)m, z);
            return walked<T, D>(walk, a, n);
        }
    }
    walks::associated_walk<T, D> walk;
    walk.start(a > n ? 0 : (int)m, z, kind == NORMALIZED, cut);
    return walked<T, D>(walk, a, n);
}

/* out, (D, count): one value a point. Launch: elements(p.count). */
template <class X, int D>
__global__ void
each_point(const long long *n, const long long *m, const X *z, const long long *cut,
           X *out, legendre_points p)
{
    CUPRIC_EACH (i, p.count) {
        auto x = wide(z[i * p.z_step]);
        typedef decltype(x) T;
        const walks::jet<T, D> r = legendre_at<T, D>(
            n[i * p.n_step], m[i * p.m_step], x, p.kind, (int)cut[i * p.cut_step]);
        for (int d = 0; d < D; d++) out[d * p.count + i] = X(r.at[d]);
    }
}

/* The values of a walk from degree `first` to the last, 0 below; `step` elements apart. */
template <class X, class T, int D, class WALK>
__device__ inline void
every_degree(WALK &walk, long long first, const legendre_orders &p, X *out,
             long long step)
{
    for (long long k = 0; k <= p.n; k++) {
        if (k > first) walk.advance();
        if (k < first) {
            for (int d = 0; d < D; d++) out[(d * (p.n + 1) + k) * step] = X(0);
        } else {
            const walks::jet<T, D> r = walk.value();
            for (int d = 0; d < D; d++) out[(d * (p.n + 1) + k) * step] = X(r.at[d]);
        }
    }
}

/* out, (D, n + 1, 2 m + 1, count), of a polynomial (D, n + 1, count): every degree of an
 * order at a point. Launch: elements(total), total = (2 m + 1) count. */
template <class X, int D>
__global__ void
every_order(const X *z, const long long *cut, X *out, long long total,
            legendre_orders p)
{
    const long long orders = 2 * p.m + 1;
    CUPRIC_EACH (i, total) {
        const long long point = i % p.count, place = i / p.count;
        const long long m = place <= p.m ? place : place - orders, a = m < 0 ? -m : m;
        auto x = wide(z[point * p.z_step]);
        typedef decltype(x) T;
        X *const first = out + i;
        if (p.kind == POLYNOMIAL) {
            walks::legendre_walk<T, D> walk;
            walk.start(x);
            every_degree<X, T, D>(walk, 0, p, first, total);
            continue;
        }
        if constexpr (cupric::is_same<T, double>::value) {
            if (p.kind == SPHERICAL) {
                walks::spherical_walk<D> walk;
                walk.start((int)m, x);
                every_degree<X, T, D>(walk, a, p, first, total);
                continue;
            }
        }
        walks::associated_walk<T, D> walk;
        walk.start((int)m, x, p.kind == NORMALIZED, (int)cut[point * p.cut_step]);
        every_degree<X, T, D>(walk, a, p, first, total);
    }
}

/* One harmonic, its gradient and its Hessian over theta and phi. */
template <class X, int D>
__device__ inline void
harmonic(const walks::jet<double, D> &r, double m, complex<double> turn, complex<X> *y,
         complex<X> *gradient, complex<X> *hessian)
{
    const complex<double> slope(0, m); /* of exp(i m phi), relative */
    const complex<double> value = walks::times(r.at[0], turn);
    *y = complex<X>(value);
    if constexpr (D > 1) {
        const complex<double> along = walks::times(r.at[1], turn);
        gradient[0] = complex<X>(along);
        gradient[1] = complex<X>(slope * value);
        if constexpr (D > 2) {
            hessian[0] = complex<X>(walks::times(r.at[2], turn));
            hessian[1] = hessian[2] = complex<X>(slope * along);
            hessian[3] = complex<X>(walks::times(-m * m, value));
        }
    }
}

__device__ inline complex<double>
turned_by(double angle)
{
    return complex<double>(cupric::elementary::cos(angle),
                           cupric::elementary::sin(angle));
}

/* y, (count), gradient, (count, 2), and hessian, (count, 2, 2). Launch: elements(p.count). */
template <class X, int D>
__global__ void
each_harmonic(const long long *n, const long long *m, const X *theta, const X *phi,
              complex<X> *y, complex<X> *gradient, complex<X> *hessian,
              harmonic_points p)
{
    CUPRIC_EACH (i, p.count) {
        const long long order = m[i * p.m_step];
        const walks::jet<double, D> r = legendre_at<double, D>(
            n[i * p.n_step], order, wide(theta[i * p.theta_step]), SPHERICAL, 2);
        const complex<double> turn = turned_by(order * wide(phi[i * p.phi_step]));
        harmonic<X, D>(r, order, turn, y + i, gradient + 2 * i, hessian + 4 * i);
    }
}

/* The same of all degrees and orders, y (n + 1, 2 m + 1, count) and so on. Launch:
 * elements(total), total = (2 m + 1) count. */
template <class X, int D>
__global__ void
every_harmonic(const X *theta, const X *phi, complex<X> *y, complex<X> *gradient,
               complex<X> *hessian, long long total, harmonic_orders p)
{
    const long long orders = 2 * p.m + 1;
    CUPRIC_EACH (i, total) {
        const long long point = i % p.count, place = i / p.count;
        const long long m = place <= p.m ? place : place - orders, a = m < 0 ? -m : m;
        const complex<double> turn = turned_by(m * wide(phi[point * p.phi_step]));
        walks::spherical_walk<D> walk;
        walk.start((int)m, wide(theta[point * p.theta_step]));
        for (long long k = 0; k <= p.n; k++) {
            const long long at = k * total + i;
            if (k > a) walk.advance();
            walks::jet<double, D> r;
            if (k < a)
                for (int d = 0; d < D; d++) r.at[d] = 0;
            else
                r = walk.value();
            harmonic<X, D>(r, (double)m, turn, y + at, gradient + 2 * at,
                           hessian + 4 * at);
        }
    }
}
