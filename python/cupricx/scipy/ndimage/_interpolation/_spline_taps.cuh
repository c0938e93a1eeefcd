/* _spline_taps.cuh: where the samples lie that a value between them is made of, and by which
 * weights.
 *
 * W is what is computed in, float or double. Coordinates are computed as SciPy does, in
 * double and without fused operations: whether a point is outside, or which of two samples
 * is nearer, is the same decision.
 */
#include "../_boundary.cuh"
#include "_spline_modes.h"

/* ---- coordinates and weights ------------------------------------------------------------ */

/* c >= 0, less the whole periods in it. */
__device__ inline double
less_periods(double c, double period)
{
    return add_product(c, -period, trunc(c / period));
}

/* A coordinate beyond the first or the last of n samples as one between them, or less than
 * a sample beyond; -2 where it is outside. */
__device__ CUPRIC_RARE double
coordinate_brought_inside(double c, long long n, int mode)
{
    const double last = (double)(n - 1);
    if (mode == NEAREST) { /* the taps are brought inside, one by one */
        if (c != c) return -64;
        return c < -32 ? -32 : c > last + 32 ? last + 32 : c;
    }
    if (mode == CONSTANT || c != c) return -2;
    if (n == 1) return 0;
    if (mode == MIRROR) {
        const double period = 2 * last;
        if (c < 0) {
            c = less_periods(-c, period);
            return c >= last ? period - c : c;
        }
        c = less_periods(c, period);
        return c >= (double)n ? period - c : c;
    }
    if (mode == WRAP) {
        if (c < 0) return add_product(c, last, trunc(-c / last) + 1);
        return less_periods(c, last);
    }
    if (mode == GRID_WRAP) {
        if (c < 0) return add_product(c, (double)n, trunc((-1 - c) / (double)n) + 1);
        return less_periods(c, (double)n);
    }
    const double period = 2 * (double)n; /* REFLECT */
    if (c < 0) {
        if (c < -period) c = add_product(c, period, trunc(-c / period));
        if (c < -(double)n) return c + period;
        return (c > -1e-15 ? 1e-15 : -c) - 1; /* more than -1 */
    }
    c = less_periods(c, period);
    return c >= (double)n ? period - c - 1 : c;
}

/* Any coordinate. */
__device__ inline double
coordinate_inside(double c, long long n, int mode)
{
    return c >= 0 && c <= (double)(n - 1) ? c : coordinate_brought_inside(c, n, mode);
}

/* The index that stands for i, or -1. */
__device__ CUPRIC_RARE long long
tap_index(long long i, long long n, int around)
{
    return boundary(i, n, around);
}

/* The weights of the order + 1 B-splines at x, its distance to the middle one's knot. */
template <class W, int ORDER>
__device__ inline void
spline_weights(W x, int order, W *w)
{
    W rest = W(1);
    if (ORDER == 1) {
        if (order == 1) rest = x, w[0] = 1 - x;
    } else if (order == 2) {
        const W y = W(0.5) - x;
        w[0] = W(0.5) * y * y;
        w[1] = add_product(W(0.75), -x, x);
        rest = 1 - w[0] - w[1];
    } else if (ORDER == 3 || order == 3) {
        const W y = 1 - x;
        w[0] = y * y * y / 6;
        w[1] = add_product(W(2.0 / 3), x * x, add_product(W(-1), x, W(0.5)));
        w[2] = add_product(W(2.0 / 3), y * y, add_product(W(-1), y, W(0.5)));
        rest = 1 - w[0] - w[1] - w[2];
    } else if (order == 4) {
        const W t = x * x, y = 1 + x, z = 1 - x, v = (W(0.5) - x) * (W(0.5) - x);
        w[0] = v * v / 24;
        const auto outer = [](W u) {
            const W v = add_product(W(5.0 / 24), u, u * (5 - u) / 6 - W(1.25));
            return add_product(W(55.0 / 96), u, v);
        };
        w[1] = outer(y);
        w[2] = add_product(W(115.0 / 192), t, add_product(W(-0.625), t, W(0.25)));
        w[3] = outer(z);
        rest = 1 - w[0] - w[1] - w[2] - w[3];
    } else {
        const W z = 1 - x, tx = x * x, tz = z * z, a = 1 + x, b = 1 + z;
        w[0] = z * tz * tz / 120;
        const auto outer = [](W u) {
            W v = add_product(W(1.25), u, u / 24 - W(0.375));
            v = add_product(W(0.625), u, add_product(W(-1.75), u, v));
            return add_product(W(0.425), u, v);
        };
        const auto inner = [](W t, W y) {
            const W v = add_product(W(-0.5), t, W(0.25) - y / 12);
            return add_product(W(0.55), t, v);
        };
        w[1] = outer(a);
        w[2] = inner(tx, x);
        w[3] = inner(tz, z);
        w[4] = outer(b);
        rest = 1 - w[0] - w[1] - w[2] - w[3] - w[4];
    }
#pragma unroll
    for (int j = 0; j <= ORDER; j++) {
        if (j == order) w[j] = rest;
    }
}

/* What a coordinate takes along an axis of n: taps w[j] at[j], by index. Returns the weight
 * of the constant, by which taps outside were replaced: 0 if none were, 1 if all. */
template <class W, int ORDER, class I>
__device__ inline W
axis_taps(double c, I n, int mode, int around, int order, W *w, I *at)
{
    c = coordinate_inside(c, n, mode);
    if (!(c > -1) && (mode != NEAREST || c < -48)) {
#pragma unroll
        for (int j = 0; j <= ORDER; j++) w[j] = W(0), at[j] = 0;
        return W(1);
    }
    const double knot = floor(order & 1 ? c : c + 0.5);
    const I start = (I)knot - order / 2;
    spline_weights<W, ORDER>((W)(c - knot), order, w);
    if (start >= 0 && start + order < n) {
#pragma unroll
        for (int j = 0; j <= ORDER; j++) at[j] = start + j;
        return W(0);
    }
    W kept = W(0);
    int outside = 0;
#pragma unroll
    for (int j = 0; j <= ORDER; j++) {
        if (j > order) break;
        const I i = (I)tap_index(start + j, n, around);
        at[j] = i >= 0 ? i : start + j < 0 ? 0 : n - 1;
        if (i < 0) {
            w[j] = W(0);
            outside++;
        } else {
            kept += w[j];
        }
    }
    return outside ? outside > order ? W(1) : 1 - kept : W(0);
}

/* A value as an element: integers are rounded, and bounded by what their type holds. */
template <class Y>
struct rounded {
    template <class W>
    __device__ static Y of(W v)
    {
        const bool is_signed = Y(-1) < Y(0);
        const double half_range = (double)(1ull << (8 * sizeof(Y) - 1));
        const double least = is_signed ? -half_range : 0;
        const double most = is_signed ? half_range - 1 : 2 * half_range - 1;
        double t = (double)v;
        t = t > 0 ? t + 0.5 : is_signed ? t - 0.5 : 0;
        if (t >= most) return is_signed ? Y(~(1ull << (8 * sizeof(Y) - 1))) : Y(~0ull);
        return t <= least ? Y(least) : Y(t);
    }
};
template <>
struct rounded<bool> {
    template <class W>
    __device__ static bool of(W v)
    {
        return (long long)v != 0;
    }
};
template <>
struct rounded<float> {
    __device__ static float of(float v) { return v; }
};
template <>
struct rounded<double> {
    __device__ static double of(double v) { return v; }
};
