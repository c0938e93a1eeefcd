/* _windows.cuh: windows, one thread a point. Every window is symmetric but the exponential
 * one off its centre, so that formulas take the distance from the nearer end.
 */
#include "_windows.h"
#include "cupric/block.hpp"
#include "cupric/math.hpp"
#include "cupric/monoids.hpp"

#define WINDOW_PI 3.14159265358979323846

/* The sum of n terms c[k] cupric::cos(k angle). */
__device__ inline double
sum_of_cosines(const double *a, const window_shape &p, double angle)
{
    double sum = 0;
    for (int k = 0; k < p.n; k++) {
        sum += (a == NULL ? p.terms[k] : a[k]) * cupric::cos((double)k * angle);
    }
    return sum;
}

/* Piecewise polynomials of x, from 0 at the centre to 1 near the ends, of point j. */
__device__ inline double
polynomial_window(const window_shape &p, long long j)
{
    const double m = (double)p.m, n = (double)j;
    if (p.formula == TRIANGLE) {
        return p.m % 2 ? 2 * (n + 1) / (m + 1) : (2 * (n + 1) - 1) / m;
    }
    if (p.formula == BARTLETT) return 2 * n / (m - 1);
    const double away = 0.5 * (m - 1) - n, x = away / (0.5 * m); /* Parzen */
    if (away > 0.25 * (m - 1)) {
        const double y = 1 - x;
        return 2 * y * y * y;
    }
    return 1 - 6 * x * x + 6 * x * x * x;
}

/* Windows of sines and cosines, of point j. */
__device__ inline double
trigonometric_window(const window_shape &p, long long j, const double *a)
{
    const double m = (double)p.m, n = (double)j;
    const double x = 2 * n / (m - 1) - 1; /* -1 at the end, 0 at the centre */
    switch (p.formula) {
    case TAYLOR: return p.q * sum_of_cosines(a, p, WINDOW_PI * (2 * n + 1 - m) / m);
    case BOHMAN:
        return j == 0 ? 0
                      : (1 + x) * cupric::cos(WINDOW_PI * x) -
                            cupric::sin(WINDOW_PI * x) / WINDOW_PI;
    case BARTHANN: return 0.62 + 0.24 * x + 0.38 * cupric::cos(WINDOW_PI * x);
    case TUKEY:
        if (n > p.q) return 1;
        return 0.5 * (1 + cupric::cos(WINDOW_PI * (2 * n / p.p / (m - 1) - 1)));
    case COSINE: return cupric::sin(WINDOW_PI / m * (n + 0.5));
    case LANCZOS:
        return x == 0 ? 1 : j == 0 ? 0 : cupric::sin(WINDOW_PI * x) / (WINDOW_PI * x);
    default: return sum_of_cosines(a, p, WINDOW_PI * x);
    }
}

/* Windows of exponentials and Bessel functions, of point j, which is i seen from the
 * nearer end. */
__device__ inline double
exponential_window(const window_shape &p, long long i, long long j)
{
    const double half = 0.5 * (double)(p.m - 1), away = half - (double)j;
    switch (p.formula) {
    case KAISER: {
        const double x = away / half;
        return cupric::i0(p.p * sqrt(1 - x * x)) / p.q;
    }
    case GAUSSIAN: return cupric::exp(-away * away / p.p);
    case POWER: return cupric::exp(-0.5 * pow(fabs(away / p.q), 2 * p.p));
    default: return cupric::exp(-fabs((double)i - p.p) / p.q);
    }
}

/* Point i of a window. */
__device__ inline double
window_point(const double *a, const window_shape &p, long long i)
{
    const long long mirrored = p.m - 1 - i, j = i < mirrored ? i : mirrored;
    switch (p.formula) {
    case BOXCAR: return 1;
    case TRIANGLE:
    case BARTLETT:
    case PARZEN: return polynomial_window(p, j);
    case KAISER:
    case GAUSSIAN:
    case POWER:
    case EXPONENTIAL: return exponential_window(p, i, j);
    default: return trigonometric_window(p, j, a);
    }
}

/* w[i], the points of a window: of symmetric ones the first `pieces` and their mirror
 * images. Launch: elements(p.pieces). */
__global__ void
window_points(double *w, const double *a, const __grid_constant__ window_shape p)
{
    CUPRIC_EACH (i, p.pieces) {
        const double value = window_point(a, p, i);
        const long long mirrored = p.m - 1 - i;
        w[i] = value;
        if (p.pieces < p.count && mirrored < p.count) w[mirrored] = value;
    }
}

/* The value of the Chebyshev polynomial, by which points of the transform are real. */
__device__ inline double
chebyshev(double order, double x)
{
    const double y = fabs(x);
    if (y <= 1) return cupric::cos(order * acos(x));
    const double value = cosh(order * acosh(y));
    return x < 0 && fmod(order, 2.0) != 0 ? -value : value;
}

/* The transform of a Dolph-Chebyshev window (C. L. Dolph, Proc. IRE 34, 1946): of the odd
 * ones real, of the even ones shifted by half a point. Launch: elements(p.m). */
__global__ void
chebyshev_terms(complex<double> *w, chebyshev_sizes p)
{
    CUPRIC_EACH (k, p.m) {
        const double angle = WINDOW_PI * (double)k / (double)p.m;
        const double value = chebyshev(p.order, p.scale * cupric::cos(angle));
        if (p.m % 2) {
            w[k] = complex<double>(value, 0);
        } else {
            w[k] =
                complex<double>(value * cupric::cos(angle), value * cupric::sin(angle));
        }
    }
}

/* Half of the tridiagonal matrix that commutes with the concentration operator (D. Slepian,
 * Bell Syst. Tech. J. 57, 1978). It is symmetric about both diagonals, so that eigenvectors
 * are symmetric, or antisymmetric where their number is odd: with what the other half adds,
 * a matrix of h rows has either. */
struct dpss_half {
    long long m, h;
    double cosine, bound, last; /* added to the last element of the diagonal */
    bool is_doubled;            /* the last product of elements beside the diagonal */

    __device__ dpss_half(const dpss_sizes &p, bool is_odd)
        : m(p.m), h(is_odd ? p.m / 2 : (p.m + 1) / 2), cosine(p.cosine), bound(p.bound),
          last(0), is_doubled(p.m % 2 && !is_odd)
    {
        if (m % 2 == 0) last = is_odd ? -beside(h) : beside(h);
    }
    __device__ double diagonal(long long i) const
    {
        const double x = 0.5 * (double)(m - 1 - 2 * i);
        return x * x * cosine;
    }
    __device__ double beside(long long i) const /* of rows i - 1 and i */
    {
        return 0.5 * (double)i * (double)(m - i);
    }
    /* The pivot of row i of this less x, after that of the row before. */
    __device__ double pivot(long long i, double x, double before) const
    {
        const double e = beside(i), least = 2.3e-16 * 2.3e-16 * bound;
        double d = diagonal(i) - x;
        if (i == h - 1) d += last;
        if (i > 0) d -= (is_doubled && i == h - 1 ? 2 * e : e) * e / before;
        return fabs(d) < least ? (d < 0 ? -least : least) : d;
    }
    /* The number of eigenvalues above x: of the signs of Sturm's sequence. */
    __device__ long long above(double x) const
    {
        long long count = 0;
        double d = 1;
        for (long long i = 0; i < h; i++) {
            d = pivot(i, x, d);
            count += d > 0;
        }
        return count;
    }
};

/* The eigenvalue with `order` ones above it: each round the threads of the block try as
 * many points between the bounds. */
__device__ inline double
dpss_eigenvalue(const dpss_half &t, long long order)
{
    __shared__ cupric::block_memory<double> memory;
    double low = -t.bound, high = t.bound;
    for (int round = 0; round < 128; round++) {
        const double step = (high - low) / (double)(blockDim.x + 1);
        const double x = low + step * (double)(threadIdx.x + 1);
        const bool is_below = t.above(x) > order;
        const double below = cupric::block_reduce(is_below ? x : low,
                                                  cupric::maximum_of<double>(), memory);
        const double above = cupric::block_reduce(is_below ? high : x,
                                                  cupric::minimum_of<double>(), memory);
        if (below == low && above == high) break;
        low = below;
        high = above;
    }
    return 0.5 * (low + high);
}

/* v, a multiple of the eigenvector of eigenvalue x: the first half by substitution from the
 * middle, the other half by symmetry. Until then the pivots lie there. */
__device__ inline void
dpss_vector(const dpss_half &t, double x, double *v, bool is_odd)
{
    if (threadIdx.x == 0) {
        double d = 1;
        for (long long i = 0; i < t.h - 1; i++) v[t.m - 1 - i] = d = t.pivot(i, x, d);
        double z = v[t.h - 1] = 1;
        for (long long i = t.h - 1; i > 0; i--) {
            v[i - 1] = z = -t.beside(i) / v[t.m - i] * z;
        }
    }
    __syncthreads();
    for (long long i = threadIdx.x; i < t.h; i += blockDim.x) {
        v[t.m - 1 - i] = is_odd ? -v[i] : v[i];
    }
    if (threadIdx.x == 0 && is_odd && t.m % 2) v[t.h] = 0;
    __syncthreads();
}

/* The square of the length of v, and its sign: of the mean, or of the first point that is
 * not small, of windows that are antisymmetric. */
__device__ inline double
dpss_factor(const double *v, long long m, bool is_odd)
{
    __shared__ cupric::block_memory<double> sums;
    __shared__ cupric::block_memory<long long> places;
    double squares = 0, sum = 0;
    for (long long i = threadIdx.x; i < m; i += blockDim.x) {
        squares += v[i] * v[i];
        sum += v[i];
    }
    squares = cupric::block_reduce(squares, cupric::sum_of<double>(), sums);
    sum = cupric::block_reduce(sum, cupric::sum_of<double>(), sums);
    double sign = sum < 0 ? -1 : 1;
    if (is_odd) {
        const double small = fmax(1e-7, 1.0 / (double)m) * squares;
        long long first = m - 1;
        for (long long i = threadIdx.x; i < first; i += blockDim.x) {
            if (v[i] * v[i] > small) first = i;
        }
        first = cupric::block_reduce(first, cupric::minimum_of<long long>(), places);
        sign = v[first] < 0 ? -1 : 1;
    }
    return sign / sqrt(squares);
}

/* w[k], the k-th discrete prolate spheroidal sequence of m points, of length 1. Launch:
 * blocks(p.count, DPSS_THREADS). */
__global__ void
dpss_windows(double *w, dpss_sizes p)
{
    CUPRIC_EACH_BLOCK (k, p.count) {
        double *v = w + k * p.m;
        const bool is_odd = k % 2;
        const dpss_half t(p, is_odd);
        dpss_vector(t, dpss_eigenvalue(t, k / 2), v, is_odd);
        const double factor = dpss_factor(v, p.m, is_odd);
        __syncthreads();
        for (long long i = threadIdx.x; i < p.m; i += blockDim.x) v[i] *= factor;
    }
}
