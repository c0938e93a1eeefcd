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

/* How many of xp, m numbers that ascend, are at or before each of W values; NaNs are last.
 * Steps do not depend on the values, so that those of several overlap. */
template <int W, class T, class C>
__device__ inline void
count_before(const View<T, 1> &xp, long long m, const C *at, long long *count)
{
    for (int w = 0; w < W; w++) count[w] = 0;
#if defined(CUPRIC_HOST)
    /* By addresses, as products of places and steps would take longer than the rest. */
    const long long step = xp.strides()[0];
    long long behind[W] = {};
    for (long long left = m, half; left > 0; left -= half) {
        half = left > 1 ? left / 2 : 1;
        const char *const middle = (const char *)&xp[0] + (half - 1) * step;
        const long long bytes = half * step;
        for (int w = 0; w < W; w++) {
            const C place = C(*(const T *)(middle + behind[w]));
            const bool before = (place <= at[w]) | (at[w] != at[w]); /* no branch */
            behind[w] += bytes & -(long long)before;
        }
    }
    for (int w = 0; w < W; w++) count[w] = step ? behind[w] / step : 0;
#else
    for (long long left = m, half; left > 0; left -= half) {
        half = left > 1 ? left / 2 : 1;
        for (int w = 0; w < W; w++) {
            const C place = C(xp[count[w] + half - 1]);
            const bool before = (place <= at[w]) | (at[w] != at[w]); /* no branch */
            count[w] += half & -(long long)before;
        }
    }
#endif
}

#if defined(CUPRIC_HOST)
/* Whether W values are all in the interval of which `begin` of xp, m numbers that ascend,
 * are at or before the start, and all but `end` behind the end. */
template <int W, class T, class C>
inline bool
are_between(const View<T, 1> &xp, long long begin, long long end, long long m,
            const C *at)
{
    const C low = C(xp[begin ? begin - 1 : 0]), high = C(xp[end < m ? end : m - 1]);
    const bool is_first = begin == 0, is_last = end == m;
    for (int w = W - 1; w >= 0; w--) { /* the last one is foreseen to be the farthest */
        const bool ends = ((low <= at[w]) | is_first) & ((at[w] < high) | is_last);
        if (!ends | (at[w] != at[w])) return false;
    }
    return true;
}

/* count_before of values that often are near the place where `near` numbers are before
 * them, as those of a grid are: it is reached in steps then. */
template <int W, class T, class C>
inline void
count_near(const View<T, 1> &xp, long long m, const C *at, long long near,
           long long *count)
{
    const long long reach = m > 64 ? 16 : 2;
    const long long begin = near > reach ? near - reach : 0;
    const long long end = m - near > reach ? near + reach : m;
    const bool steps = m > 8 && are_between<W>(xp, begin, end, m, at);
    if (!steps) return count_before<W>(xp, m, at, count);
    for (int w = 0; w < W; w++) {
        while (near < end && C(xp[near]) <= at[w]) near++;
        while (near > begin && at[w] < C(xp[near - 1])) near--;
        count[w] = near;
    }
}

/* The values at W places where they are all between the points number near - 1 and near, as
 * they are where the places are a fine grid; else false. */
template <int W, class T, class F, class R, class C>
inline bool
on_one_line(const View<T, 1> &xp, const View<F, 1> &fp, long long m, const C *at,
            long long near, R *y)
{
    if (near < 1 || near >= m || !are_between<W>(xp, near, near, m, at)) return false;
    const double x0 = double(xp[near - 1]), x1 = double(xp[near]);
    const R y0 = R(fp[near - 1]), y1 = R(fp[near]);
    for (int w = 0; w < W; w++) y[w] = on_line(double(at[w]), x0, y0, x1, y1);
    return true;
}

#else

template <int W, class T, class C>
__device__ inline void
count_near(const View<T, 1> &xp, long long m, const C *at, long long, long long *count)
{
    count_before<W>(xp, m, at, count);
}

template <int W, class T, class F, class R, class C>
__device__ inline bool
on_one_line(const View<T, 1> &, const View<F, 1> &, long long, const C *, long long,
            R *)
{
    return false;
}
#endif

/* The values at W places of the lines through the m points (xp, fp), of which the first and
 * the last one have no ends. `near`: how many points were before the last place, and are. */
template <int W, class T, class F, class R, class C>
__device__ inline void
on_lines_through(const View<T, 1> &xp, const View<F, 1> &fp, long long m, const C *at,
                 long long &near, R *y)
{
    long long count[W];

    count_near<W>(xp, m, at, near, count);
    near = count[W - 1];
    for (int w = 0; w < W; w++) {
        const long long before = count[w] - 1, end = m - 2;
        const long long k = before < 0 ? 0 : before > end ? end : before;
        y[w] = on_line(double(at[w]), double(xp[k]), R(fp[k]), double(xp[k + 1]),
                       R(fp[k + 1]));
    }
}

/* out[i] = the value at x[i] of the lines through the m points (xp, fp), xp ascending;
 * left before them, or the first value, and right behind them, or the last. Of `pieces`, W
 * elements each. */
template <class T, class F, class R>
__global__ void
interpolate_lines(View<T, 1> x, View<T, 1> xp, View<F, 1> fp, R *out, long long pieces,
                  long long n, long long m, bool has_left, R left, bool has_right,
                  R right)
{
#if defined(CUPRIC_HOST)
    constexpr int W = 8;
#else
    constexpr int W = 1;
#endif
    typedef typename compared<T>::type C;
    const C first = C(xp[0]), last = C(xp[m - 1]);
    const R at_last = R(fp[m - 1]), before_all = has_left ? left : R(fp[0]),
            behind_all = has_right ? right : at_last;
    long long near = 0;

    CUPRIC_EACH (piece, pieces) {
        C at[W];
        R y[W];
        bool any = false; /* between the first and the last point, or NaN */
        for (int w = 0; w < W; w++) {
            const long long i = piece * W + w;
            at[w] = C(x[i < n ? i : n - 1]);
            y[w] = at_last;
        }
        if (!on_one_line<W>(xp, fp, m, at, near, y)) {
            for (int w = 0; w < W; w++) any |= !((at[w] < first) | (at[w] >= last));
            /* Of all of them: which are between is not foreseen. */
            if (any && m > 1) on_lines_through<W>(xp, fp, m, at, near, y);
            for (int w = 0; w < W; w++) {
                y[w] = at[w] == last ? at_last : y[w];
                y[w] = at[w] < first ? before_all : y[w];
                y[w] = at[w] > last ? behind_all : y[w];
            }
        }
        for (int w = 0; w < W && piece * W + w < n; w++) out[piece * W + w] = y[w];
    }
}

/* The n - 2 points (xp, fp) in an order by xp, after the last of them a period before, and
 * before the first of them a period behind. */
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
