/* _bsplines.cuh: what splines need beside recursive filters: states at the ends of rows,
 * symmetric filters, values. */
#include "_bsplines.h"
#include "_twofold.cuh"
#include "cupric/block.hpp"

/* z = the states with which rows of x begin whose elements outside are those inside,
 * mirrored: sums by the weights w, (order, terms), from the first element on. Or the last:
 * the results that a backward filter begins with, as states behind `after`, what it
 * filters. Launch: blocks(blocks, SPLINE_THREADS). */
template <class T, class W>
__global__ void
end_states(const T *x, const T *after, const W *w, T *z, spline_ends p,
           long long blocks)
{
    __shared__ cupric::block_memory<W> memory;

    CUPRIC_EACH_BLOCK (row, blocks) {
        const T *const first = x + row * p.n;
        W sums[2] = {W(0), W(0)};
        for (int i = 0; i < p.order; i++) {
            W sum = W(0);
            for (long long k = threadIdx.x; k < p.terms; k += blockDim.x) {
                sum = sum + w[i * p.terms + k] * W(first[p.is_last ? p.n - 1 - k : k]);
            }
            sums[i] = cupric::block_reduce(sum, cupric::sum_of<W>(), memory);
        }
        if (threadIdx.x != 0) continue;
        if (p.is_last) {
            const T *const end = after + row * p.n + p.n - 1;
            sums[1] = sums[1] - W(p.second) * sums[0];
            sums[0] = sums[0] - W(p.gain) * W(end[0]);
            if (p.n > 1) sums[1] = sums[1] - W(p.gain) * W(end[-1]);
        }
        for (int i = 0; i < p.order; i++) z[row * p.order + i] = T(sums[i]);
    }
}

/* y = x convolved with h along its middle axis, mirrored outside. Launch: elements(work). */
template <class T, class W>
__global__ void
mirrored_filter(const T *x, T *y, const W *h, mirrored p)
{
    CUPRIC_EACH (i, p.outer * p.n * p.inner) {
        const long long rest = i / p.inner, at = rest % p.n;
        const T *const row = x + (rest / p.n * p.n * p.inner + i % p.inner);
        const long long first = at + p.taps / 2;
        W sum = W(0);
        for (int k = 0; k < p.taps; k++) {
            long long j = first - k;
            if (j < 0 || j >= p.n) {
                j = (j % (2 * p.n) + 2 * p.n) % (2 * p.n);
                if (j >= p.n) j = 2 * p.n - 1 - j;
            }
            sum = sum + h[k] * W(row[j * p.inner]);
        }
        y[i] = T(sum);
    }
}

/* The B-spline of an order at a distance t >= 0 from its centre. */
__device__ inline double
basis_spline(double t, int order)
{
    if (order == 2) {
        if (t < 0.5) return 0.75 - t * t;
        return t < 1.5 ? (t - 1.5) * (t - 1.5) / 2 : 0.0;
    }
    if (t < 1) return 2.0 / 3 - t * t * (2 - t) / 2;
    return t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0.0;
}

/* y = the spline of coefficients c at points x, mirrored at the first and the last of its
 * knots. Launch: elements(work). */
template <class T, class W, class R>
__global__ void
spline_values(const T *c, const R *x, T *y, spline_points p)
{
    CUPRIC_EACH (i, p.points) {
        double at = (double(x[i]) - p.x0) / p.dx;
        if (!(at - at == 0)) { /* NaN, or an infinity */
            y[i] = T(W((at - at) * 0));
            continue;
        }
        if (at < 0) at = -at;
        const double end = double(p.n - 1);
        if (at > end) {
            if (end > 0) at = fmod(at, 2 * end);
            if (at > end) at = end > 0 ? 2 * end - at : 0.0;
        }
        const double first = p.order == 2 ? floor(at - 1.5) + 1 : floor(at - 2) + 1;
        W sum = W(0);
        for (int k = 0; k <= p.order; k++) {
            const double j = first + k;
            const double inside = j < 0 ? 0.0 : j > end ? end : j;
            sum =
                sum + W(c[(long long)inside]) * W(basis_spline(fabs(at - j), p.order));
        }
        y[i] = T(sum);
    }
}
