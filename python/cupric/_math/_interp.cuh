/* _interp.cuh: values on straight lines through points. */
#include "_interp.h"

/* The value at x on the line through (x0, y0), which it is there also where the slope or
 * x is infinite. */
__device__ inline double
from_point(double x, double x0, double y0, double slope)
{
    return x == x0 ? y0 : slope * (x - x0) + y0;
}

/* The value at x on the line from (x0, y0) to (x1, y1): seen from its first point, and
 * where that gives NaN, as it may next to an infinity, from its second. */
__device__ inline double
on_line(double x, double x0, double y0, double x1, double y1)
{
    const double slope = (y1 - y0) / (x1 - x0);
    const double y = from_point(x, x0, y0, slope);
    if (y == y) return y;
    /* A level line has no slope between infinities either, and, where it comes from -inf
     * and goes to inf, is the same seen from any finite place. */
    if (y0 != y1) return from_point(x, x1, y1, slope);
    return from_point(x, x1 - x1 == 0 ? x1 : 0.0, y1, 0.0);
}

/* An infinite part of a complex number leaves the other one as it is. At NaN only the real
 * part is one. */
__device__ inline complex<double>
on_line(double x, double x0, complex<double> y0, double x1, complex<double> y1)
{
    if (x != x) return complex<double>(x, 0.0);
    return complex<double>(on_line(x, x0, y0.re, x1, y1.re),
                           on_line(x, x0, y0.im, x1, y1.im));
}

/* What numbers are compared as: with the result that doubles have, and sooner. */
template <class T>
struct compared {
    typedef double type;
};
template <>
struct compared<float> {
    typedef float type;
};
template <>
struct compared<int> {
    typedef int type;
};

/* How many of xp, m numbers that ascend, are at or before a value; NaNs are last. */
template <class T, class C>
__device__ inline long long
count_before(const View<T, 1> &xp, long long m, const C at)
{
    long long count = 0;

    for (long long left = m, half; left > 0; left -= half) {
        half = left > 1 ? left / 2 : 1;
        const C place = C(xp[count + half - 1]);
        const bool before = (place <= at) | (at != at); /* no branch */
        count += half & -(long long)before;
    }
    return count;
}

/* The value at a place of the lines through the m points (xp, fp), of which the first and
 * the last one have no ends; `count` of them are at or before it. */
template <class R, class T, class F, class C>
__device__ inline R
on_lines_through(const View<T, 1> &xp, const View<F, 1> &fp, long long m, const C at,
                 long long count)
{
    const long long before = count - 1, end = m - 2;
    const long long k = before < 0 ? 0 : before > end ? end : before;
    return on_line(double(at), double(xp[k]), R(fp[k]), double(xp[k + 1]),
                   R(fp[k + 1]));
}

/* Values at the last point, before the first and behind the last. */
template <class C, class R>
struct Ends {
    C first, last;
    R at_last, before_all, behind_all;

    template <class T, class F>
    __device__ Ends(const View<T, 1> &xp, const View<F, 1> &fp, long long m,
                    const lines_ends<R> &e)
        : first(C(xp[0])), last(C(xp[m - 1])), at_last(R(fp[m - 1])),
          before_all(e.has_left ? e.left : R(fp[0])),
          behind_all(e.has_right ? e.right : at_last)
    {
    }
    /* Whether a place is between the first and the last point, or NaN. */
    __device__ bool are_around(const C at) const
    {
        return !((at < first) | (at >= last));
    }
    /* The value at a place that may be at an end, else y. */
    __device__ R operator()(const C at, R y) const
    {
        y = at == last ? at_last : y;
        y = at < first ? before_all : y;
        return at > last ? behind_all : y;
    }
};

/* out[i] = the value at x[i] of the lines through the points (xp, fp), xp ascending; and at
 * the ends. Launch: elements(p.pieces). */
template <class T, class F, class R>
__global__ void
interpolate_lines(View<T, 1> x, View<T, 1> xp, View<F, 1> fp, R *out, lines_ends<R> e,
                  lines_sizes p)
{
    typedef typename compared<T>::type C;
    const Ends<C, R> ends(xp, fp, p.m, e);

    CUPRIC_EACH (i, p.pieces) {
        const C at = C(x[i]);
        R y = ends.at_last;
        if (ends.are_around(at) && p.m > 1)
            y = on_lines_through<R>(xp, fp, p.m, at, count_before(xp, p.m, at));
        out[i] = ends(at, y);
    }
}

/* The n - 2 points (xp, fp) in an order by xp, after the last of them a period before, and
 * before the first of them a period behind. Launch: elements(n). */
template <class F, class R>
__global__ void
wrap_points(View<double, 1> xp, const long long *order, View<F, 1> fp, double *places,
            R *values, long long n, double period)
{
    CUPRIC_EACH (i, n) {
        const long long from = order[i == 0 ? n - 3 : i == n - 1 ? 0 : i - 1];
        const double shift = i == 0 ? -period : i == n - 1 ? period : 0.0;
        const double place = xp[from];
        places[i] = shift == 0 ? place : place + shift;
        values[i] = cupric::convert<R>(fp[from]);
    }
}
