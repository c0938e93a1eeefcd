/* _interp.host.hpp: W places at once, so that searches for them overlap. */

/* count_before of W values. Steps do not depend on the values, so that those of several
 * overlap. By addresses, as products of places and steps would take longer than the rest. */
template <int W, class T, class C>
inline void
count_before_each(const View<T, 1> &xp, long long m, const C *at, long long *count)
{
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
}

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

/* count_before_each of values that often are near the place where `near` numbers are before
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
    if (!steps) return count_before_each<W>(xp, m, at, count);
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

template <class T, class F, class R>
__global__ void
interpolate_lines(View<T, 1> x, View<T, 1> xp, View<F, 1> fp, R *out, lines_ends<R> e,
                  lines_sizes p)
{
    constexpr int W = TOGETHER;
    typedef typename compared<T>::type C;
    const long long n = p.n, m = p.m;
    const Ends<C, R> ends(xp, fp, m, e);
    long long near = 0; /* how many points are before the last place */

    CUPRIC_EACH (piece, p.pieces) {
        C at[W];
        R y[W];
        bool any = false;
        for (int w = 0; w < W; w++) {
            const long long i = piece * W + w;
            at[w] = C(x[i < n ? i : n - 1]);
            y[w] = ends.at_last;
        }
        if (!on_one_line<W>(xp, fp, m, at, near, y)) {
            for (int w = 0; w < W; w++) any |= ends.are_around(at[w]);
            if (any && m > 1) { /* of all of them: which are between is not foreseen */
                long long count[W];
                count_near<W>(xp, m, at, near, count);
                near = count[W - 1];
                for (int w = 0; w < W; w++)
                    y[w] = on_lines_through<R>(xp, fp, m, at[w], count[w]);
            }
            for (int w = 0; w < W; w++) y[w] = ends(at[w], y[w]);
        }
        for (int w = 0; w < W && piece * W + w < n; w++) out[piece * W + w] = y[w];
    }
}
