/* _peaks.host.hpp: maxima, in tiles that are gone through once. */
#include "cupric/lanes.hpp"

/* Maxima that begin in a tile: each rise, and the fall that ends it. */
struct maxima_list {
    long long open[MAXIMA_TILE / 2 + 2], fall[MAXIMA_TILE / 2 + 2];
    int count;
};

/* Of rises from `begin` to end - 1, of n elements. Most elements are written where the
 * next maximum will be, without a branch. */
template <class T>
inline void
list_maxima(const T *x, long long begin, long long end, long long n, maxima_list &list)
{
    int count = 0;
    for (long long i = begin > 0 ? begin : 1; i < end && i + 1 < n; i++) {
        const T before = x[i - 1], v = x[i], after = x[i + 1];
        const bool rises = before < v;
        list.open[count] = i;
        list.fall[count] = i + 1;
        count += (int)rises & (int)(after < v);
        if ((int)rises & (int)(after == v)) {
            long long j = i + 2;
            while (j < n && x[j] == v) j++;
            list.fall[count] = j;
            count += j < n && x[j] < v;
        }
    }
    list.count = count;
}

/* The bounds of heights, where there are no others, and no arrays of them. */
inline bool
only_heights(const peak_bounds &c, double *least, double *most)
{
    if (c.has[PEAK_PLATEAU] || c.has[PEAK_THRESHOLD]) return false;
    const long long low = c.least_row[PEAK_HEIGHT], high = c.most_row[PEAK_HEIGHT];
    if (low >= 0 || high >= 0) return false;
    *least = low == BOUND_NUMBER ? c.least[PEAK_HEIGHT] : cupric::least_of<double>();
    *most = high == BOUND_NUMBER ? c.most[PEAK_HEIGHT] : cupric::greatest_of<double>();
    return true;
}

template <class T>
inline void
keep_maxima(const maxima_scan<T> &op, maxima_list &list)
{
    int kept = 0;
    double least, most;
    if (only_heights(*op.c, &least, &most)) {
        for (int k = 0; k < list.count; k++) { /* without a branch */
            const long long open = list.open[k], fall = list.fall[k];
            const double v = double(op.x[open]);
            list.open[kept] = open;
            list.fall[kept] = fall;
            kept += (int)(least <= v) & (int)(v <= most);
        }
        list.count = kept;
        return;
    }
    for (int k = 0; k < list.count; k++) {
        const long long open = list.open[k], fall = list.fall[k];
        list.open[kept] = open;
        list.fall[kept] = fall;
        kept += op.is_kept(open, fall);
    }
    list.count = kept;
}

template <class T>
__global__ void
peak_maxima(const T *x, const double *arrays, long long *found, long long room,
            int edges, const __grid_constant__ peak_bounds c, scan_layout s,
            unsigned int *workspace)
{
    const cupric::scan_nodes<long long> nodes(s, workspace, 0);
    maxima_list list;
    maxima_scan<T> op;
    op.x = x;
    op.arrays = arrays;
    op.c = &c;

    CUPRIC_EACH_BLOCK (b, s.tiles) {
        const long long t = s.tiles > 1 ? (long long)atomicAdd(workspace, 1u) : b;
        const long long begin = t * s.length;
        const long long end = s.n - begin < s.length ? s.n : begin + s.length;
        list_maxima(x, begin, end, s.n, list);
        if (c.has[PEAK_PLATEAU] || c.has[PEAK_HEIGHT] || c.has[PEAK_THRESHOLD])
            keep_maxima(op, list);
        const long long before = t > 0 ? nodes.wait(t - 1) : 0;
        if (t + 1 < s.tiles)
            nodes.publish(t, before + list.count);
        else
            found[0] = before + list.count;
        long long *const peaks = found + 1 + before;
        for (int k = 0; k < list.count; k++)
            peaks[k] = op.middle(list.open[k], list.fall[k]);
        for (int k = 0; edges && k < list.count; k++) {
            peaks[room + k] = list.open[k];
            peaks[2 * room + k] = list.fall[k] - 1;
        }
    }
}

template <class T>
__global__ void
pyramid_level(const T *least, const T *most, T *made, long long n, long long items)
{
    typedef cupric::lanes<T> L;
    const auto smaller = [](T a, T b) { return b < a ? b : a; };
    const auto greater = [](T a, T b) { return b > a ? b : a; };

    CUPRIC_EACH (i, items) {
        const long long begin = i * PYRAMID_FAN;
        const int count = n - begin < PYRAMID_FAN ? (int)(n - begin) : PYRAMID_FAN;
        T low = least[begin], high = most[begin];
        bool ordered = true;
        if (count == PYRAMID_FAN) {
            L a = L::load(least + begin), b = L::load(most + begin), sum = b - b;
            for (int k = L::size; k < PYRAMID_FAN; k += L::size) {
                const L u = L::load(least + begin + k), v = L::load(most + begin + k);
                a = select(u < a, u, a);
                b = select(v > b, v, b);
                sum += v - v;
            }
            low = cupric::reduce(a, smaller);
            high = cupric::reduce(b, greater);
            ordered = all(sum == L(T(0))); /* else one may be NaN, or infinite */
        }
        if (count < PYRAMID_FAN || !ordered) {
            const cupric::minimum_of<T> of_least;
            const cupric::maximum_of<T> of_most;
            low = least[begin];
            high = most[begin];
            for (int k = 1; k < count; k++) {
                low = of_least.combine(low, least[begin + k]);
                high = of_most.combine(high, most[begin + k]);
            }
        }
        made[i] = low;
        made[items + i] = high;
    }
}

/* Each thread goes through its peaks in both directions, from one to the next higher, and
 * to the pyramid where that is another thread's. */
template <class T>
__global__ void
peak_highest(const T *heights, const T *memory, const long long *peaks,
             long long *above, long long *marks, const __grid_constant__ peak_search p)
{
    const pyramid_of<T> y = {heights, memory, &p};
    const long long begin = cupric::share_of(p.n, blockIdx.x, gridDim.x);
    const long long end = cupric::share_of(p.n, blockIdx.x + 1, gridDim.x);
    long long *const later = above + p.n;

    for (long long i = begin; i < end; i++) {
        lower_than<T> v = {heights[i], true};
        long long j = i - 1;
        while (j >= begin && v.is_lower(heights[j])) j = above[j];
        above[i] = j >= begin ? j : walk_down(y, v, j, 0);
    }
    for (long long i = end - 1; i >= begin; i--) {
        lower_than<T> v = {heights[i], false};
        long long j = i + 1;
        while (j < end && v.is_lower(heights[j])) j = later[j];
        later[i] = j < end ? j : walk_up(y, v, j, p.n - 1);
        marks[MARK_HEAD + i] =
            (above[i] < 0 || peaks[i] - peaks[above[i]] >= p.reach) &&
            (later[i] >= p.n || peaks[later[i]] - peaks[i] >= p.reach);
    }
}
