/* _peaks.cuh: local maxima of an array of one axis, which of them satisfy conditions, their
 * prominences and widths.
 */
#include "_pyramid.cuh"
#include "cupric/scan.hpp"

/* ---- conditions ---------------------------------------------------------------------- */

__device__ inline double
bound_at(const double *arrays, double number, long long row, long long n, long long i)
{
    return row == BOUND_NUMBER ? number : arrays[row * n + i];
}

__device__ inline bool
above_least(const peak_bounds &c, int which, const double *arrays, double value,
            long long i)
{
    const long long row = c.least_row[which];
    return row == BOUND_NONE || bound_at(arrays, c.least[which], row, c.n, i) <= value;
}
__device__ inline bool
below_most(const peak_bounds &c, int which, const double *arrays, double value,
           long long i)
{
    const long long row = c.most_row[which];
    return row == BOUND_NONE || value <= bound_at(arrays, c.most[which], row, c.n, i);
}
__device__ inline bool
is_within(const peak_bounds &c, int which, const double *arrays, double value,
          long long i)
{
    return !c.has[which] || (above_least(c, which, arrays, value, i) &&
                             below_most(c, which, arrays, value, i));
}

/* ---- local maxima: a scan -------------------------------------------------------------
 *
 * A maximum is a rise, to `open`, equal elements, and a fall. One of one element is seen
 * at once, when it is loaded: whether it satisfies the conditions, too. Of others a state
 * has, for a run of elements, where the last rise is after which nothing but equal elements
 * came (or NO_RISE; or NO_EVENT, all being equal to what comes before the run); and the
 * fall that may end one that has begun before.
 */
enum { NO_RISE = -1, NO_EVENT = -2 };
enum { STEP_SAME, STEP_UP, STEP_DOWN, STEP_NONE, STEP_PEAK };

struct maxima_state {
    long long count, open, fall;
};
struct maxima_nothing {
};

template <class T>
struct maxima_scan {
    typedef maxima_state state;
    typedef long long input; /* 8 i + what it does */
    typedef maxima_nothing output;
    const T *x;
    const double *arrays;
    const peak_bounds *c;
    long long *peaks, *left, *right, *count;

    __device__ state identity() const { return {0, NO_EVENT, -1}; }
    __device__ state initial(long long) const { return identity(); }
    __device__ long long middle(long long open, long long fall) const
    {
        return (open + fall - 1) / 2;
    }
    __device__ bool is_kept(long long open, long long fall) const
    {
        const long long i = middle(open, fall);
        const double v = double(x[i]);
        if (!is_within(*c, PEAK_PLATEAU, arrays, double(fall - open), i)) return false;
        if (!is_within(*c, PEAK_HEIGHT, arrays, v, i)) return false;
        if (!c->has[PEAK_THRESHOLD]) return true;
        const double a = v - double(x[i - 1]), b = v - double(x[i + 1]);
        const double low = a <= b || a != a ? a : b, high = a >= b || a != a ? a : b;
        return above_least(*c, PEAK_THRESHOLD, arrays, low, i) &&
               below_most(*c, PEAK_THRESHOLD, arrays, high, i);
    }
    __device__ state combine(const state &a, const state &b) const
    {
        if (b.open == NO_EVENT) return a;
        state s = {a.count + b.count, b.open, a.open == NO_EVENT ? b.fall : a.fall};
        if (a.open >= 0 && b.fall >= 0) s.count += is_kept(a.open, b.fall);
        return s;
    }
    __device__ int step_to(long long i) const
    {
        if (i == 0) return STEP_NONE;
        const T before = x[i - 1], v = x[i];
        if (v < before) return STEP_DOWN;
        if (!(before < v)) return v == before ? STEP_SAME : STEP_NONE;
        if (i + 1 == c->n) return STEP_NONE;
        const T after = x[i + 1];
        if (after == v) return STEP_UP;
        return after < v && is_kept(i, i + 1) ? STEP_PEAK : STEP_NONE;
    }
    __device__ input load(long long, long long i) const { return 8 * i + step_to(i); }
    /* One element more. Whether it is, or ends, a maximum that is kept. */
    __device__ bool next(state &s, input v) const
    {
        const int step = (int)(v & 7);
        const long long i = v >> 3, open = s.open;
        if (step == STEP_SAME) return false;
        s.open = step == STEP_UP ? i : (long long)NO_RISE;
        if (step == STEP_DOWN) {
            if (open == NO_EVENT) s.fall = i;
            if (open < 0 || !is_kept(open, i)) return false;
        } else if (step != STEP_PEAK) {
            return false;
        }
        s.count++;
        return true;
    }
    __device__ state extend(state s, const input *v, int n) const
    {
#pragma unroll
        for (int k = 0; k < SCAN_EACH; k++) {
            if (k < n) next(s, v[k]);
        }
        return s;
    }
    __device__ state apply(state s, const input *v, output *, int n) const
    {
#pragma unroll
        for (int k = 0; k < SCAN_EACH; k++) {
            if (k >= n) continue;
            const bool is_single = (v[k] & 7) == STEP_PEAK;
            const long long i = v[k] >> 3, at = s.count;
            const long long open = is_single ? i : s.open, fall = is_single ? i + 1 : i;
            if (!next(s, v[k])) continue;
            peaks[at] = middle(open, fall);
            if (left == nullptr) continue;
            left[at] = open;
            right[at] = fall - 1;
        }
        return s;
    }
    __device__ void store(long long, long long, const output &) const {}
    __device__ void finish(long long, const state &s) const
    {
        *count = s.count;
    }
};

/* found[0] is how many maxima of x satisfy the conditions of `c`; from 1 on where they are;
 * behind `room` of these, where edges is not zero, their first elements, and behind as many
 * their last. Launch: blocks(s.tiles, SCAN_THREADS). */
template <class T>
__global__ void
peak_maxima(const T *x, const double *arrays, long long *found, long long room,
            int edges, const __grid_constant__ peak_bounds c, scan_layout s,
            unsigned int *workspace)
{
    maxima_scan<T> op;
    op.x = x;
    op.arrays = arrays;
    op.c = &c;
    op.count = found;
    op.peaks = found + 1;
    op.left = edges ? op.peaks + room : nullptr;
    op.right = edges ? op.left + room : nullptr;
    cupric::scan_rows(s, workspace, op);
}

/* ---- a pyramid ----------------------------------------------------------------------- */

/* Minima and maxima of runs of PYRAMID_FAN: of `least` and `most`, of n elements, `items`
 * of them, one behind the other. Launch: elements(items). */
template <class T>
__global__ void
pyramid_level(const T *least, const T *most, T *made, long long n, long long items)
{
    const cupric::minimum_of<T> smaller;
    const cupric::maximum_of<T> greater;
    CUPRIC_EACH (i, items) {
        const long long begin = i * PYRAMID_FAN;
        const int count = n - begin < PYRAMID_FAN ? (int)(n - begin) : PYRAMID_FAN;
        T a = least[begin], b = most[begin];
        for (int k = 1; k < count; k++) {
            a = smaller.combine(a, least[begin + k]);
            b = greater.combine(b, most[begin + k]);
        }
        made[i] = a;
        made[items + i] = b;
    }
}

/* ---- distance ---------------------------------------------------------------------------
 *
 * Peaks that are closer than `distance` to a higher one that is kept are removed; of equal
 * ones the last counts as higher. Each that is the highest within its distance is kept,
 * whatever becomes of others. What lies between two that are kept, farther from either
 * than the distance, depends on nothing else: its highest is kept, too, and what is
 * farther from that on either side is decided likewise.
 */

/* Passes peaks that are lower than one. */
template <class T>
struct lower_than {
    T height;
    bool before; /* those that come before it: of equal ones the last is the higher */

    __device__ bool is_lower(const T &v) const
    {
        return v < height || (before && v == height);
    }
    __device__ bool passes(const T &v, long long) const { return is_lower(v); }
    __device__ bool passes(const T &, const T &most, long long, long long, int,
                           long long) const
    {
        return is_lower(most);
    }
};

/* The next higher peaks on either side, above[i] and above[p.n + i]; -1 and p.n: none.
 * marks: whether a peak is the highest within its distance. Launch: elements(p.n). */
template <class T>
__global__ void
peak_highest(const T *heights, const T *memory, const long long *peaks,
             long long *above, long long *marks, const __grid_constant__ peak_search p)
{
    const pyramid_of<T> y = {heights, memory, &p};
    CUPRIC_EACH (i, p.n) {
        lower_than<T> v = {heights[i], true};
        const long long before = walk_down(y, v, i - 1, 0);
        v.before = false;
        const long long after = walk_up(y, v, i + 1, p.n - 1);
        above[i] = before;
        above[p.n + i] = after;
        marks[MARK_HEAD + i] = (before < 0 || peaks[i] - peaks[before] >= p.reach) &&
                               (after >= p.n || peaks[after] - peaks[i] >= p.reach);
    }
}

struct winners_scan : cupric::scan_of<cupric::sum_of<long long>> {
    typedef maxima_nothing output;
    const long long *marks;
    long long *winners;

    /* 2 i + whether it is marked */
    __device__ long long load(long long, long long i) const
    {
        return 2 * i + marks[MARK_HEAD + i];
    }
    __device__ long long extend(long long s, const long long *v, int n) const
    {
#pragma unroll
        for (int k = 0; k < SCAN_EACH; k++) {
            if (k < n) s += v[k] & 1;
        }
        return s;
    }
    __device__ long long apply(long long s, const long long *v, output *, int n) const
    {
#pragma unroll
        for (int k = 0; k < SCAN_EACH; k++) {
            if (k >= n) continue;
            if (v[k] & 1) winners[1 + s] = v[k] >> 1;
            s += v[k] & 1;
        }
        return s;
    }
    __device__ void store(long long, long long, const output &) const {}
    __device__ void finish(long long, const long long &s) const
    {
        winners[0] = s;
    }
};

/* winners[0] is how many peaks are marked, of which the numbers follow.
 * Launch: blocks(s.tiles, SCAN_THREADS). */
__global__ void
peak_winners(const long long *marks, long long *winners, scan_layout s,
             unsigned int *workspace)
{
    winners_scan op;
    op.marks = marks;
    op.winners = winners;
    cupric::scan_rows(s, workspace, op);
}

/* The first of the peaks from i + 1 to b that is at `place` or behind it; b + 1: none. */
__device__ inline long long
first_from(const long long *peaks, long long i, long long b, long long place)
{
    long long step = 1; /* it is near most often */
    while (i + step <= b && peaks[i + step] < place) {
        i += step;
        step *= 2;
    }
    long long end = i + step <= b ? i + step : b + 1;
    while (end - i > 1) { /* peaks[i] comes before it */
        const long long k = i + (end - i) / 2;
        if (peaks[k] < place)
            i = k;
        else
            end = k;
    }
    return end;
}

/* The last of the peaks from a to i - 1 that is at `place` or before it; a - 1: none. */
__device__ inline long long
last_upto(const long long *peaks, long long a, long long i, long long place)
{
    long long step = 1;
    while (i - step >= a && peaks[i - step] > place) {
        i -= step;
        step *= 2;
    }
    long long begin = i - step >= a ? i - step : a - 1;
    while (i - begin > 1) {
        const long long k = begin + (i - begin) / 2;
        if (peaks[k] > place)
            i = k;
        else
            begin = k;
    }
    return begin;
}

/* The highest of the peaks from a to b: from either end by the next higher ones, as many
 * steps as it takes from the nearer. */
__device__ inline long long
highest_of(const long long *above, long long n, long long a, long long b)
{
    for (;;) {
        const long long before = above[b], after = above[n + a];
        if (before < a) return b;
        if (after > b) return a;
        a = after;
        b = before;
    }
}

/* The peaks from a to b, which depend on no others: those that are kept are marked. */
__device__ inline void
mark_between(const long long *above, const long long *peaks, long long a, long long b,
             const peak_search &p, long long *marks)
{
    long long begin[64],
        end[64]; /* the longer part waits: each is half of one before */
    int waiting = 0;
    for (;;) {
        while (a <= b) {
            const long long i = highest_of(above, p.n, a, b);
            const long long last = last_upto(peaks, a, i, peaks[i] - p.reach);
            const long long first = first_from(peaks, i, b, peaks[i] + p.reach);
            const bool left_is_longer = last - a > b - first;
            marks[MARK_HEAD + i] = 1;
            begin[waiting] = left_is_longer ? a : first;
            end[waiting] = left_is_longer ? last : b;
            if (left_is_longer)
                a = first;
            else
                b = last;
            if (begin[waiting] <= end[waiting]) waiting++;
        }
        if (waiting == 0) return;
        waiting--;
        a = begin[waiting];
        b = end[waiting];
    }
}

/* Marks what is kept between winners, and before and behind them. Launch:
 * elements(p.count): there may be a gap for each peak, and one more. */
__global__ void
peak_gaps(const long long *above, const long long *peaks, const long long *winners,
          long long *marks, const __grid_constant__ peak_search p)
{
    const long long count = winners[0];
    CUPRIC_EACH (k, p.count) {
        long long a = 0, b = p.n - 1;
        if (k > count) continue;
        if (k > 0) {
            const long long i = winners[k];
            a = first_from(peaks, i, b, peaks[i] + p.reach);
        }
        if (k < count) {
            const long long i = winners[1 + k];
            b = last_upto(peaks, 0, i, peaks[i] - p.reach);
        }
        mark_between(above, peaks, a, b, p, marks);
    }
}

/* ---- prominences and widths ---------------------------------------------------------- */

/* Passes what is not above a peak; has the least of it. */
template <class T>
struct base_of_peak {
    T height, value;
    int level;
    long long item;

    __device__ void look(const T &v, int at, long long i)
    {
        if (!(v < value)) return;
        value = v;
        level = at;
        item = i;
    }
    __device__ bool passes(const T &v, long long i)
    {
        if (!(v <= height)) return false;
        look(v, 0, i);
        return true;
    }
    __device__ bool passes(const T &least, const T &most, long long, long long, int at,
                           long long i)
    {
        if (!(most <= height)) return false;
        look(least, at, i);
        return true;
    }
};

/* Of each peak: its prominence, and where its bases are, bases[k] and bases[count + k],
 * at most p.reach away. Launch: elements(p.count). */
template <class T>
__global__ void
peak_prominences(const T *x, const T *memory, const long long *peaks,
                 double *prominences, long long *bases, long long *marks,
                 const __grid_constant__ peak_search p)
{
    const pyramid_of<T> y = {x, memory, &p};
    const long long half = p.reach, count = p.count;
    CUPRIC_EACH (k, count) {
        const long long i = peaks[k];
        prominences[k] = 0;
        if (!marks[MARK_HEAD + k]) continue;
        if (i < 0 || i >= p.n) {
            atomicMin(marks + MARK_BAD, k);
            continue;
        }
        const long long first = i > half ? i - half : 0;
        const long long last = p.n - 1 - i > half ? i + half : p.n - 1;
        base_of_peak<T> left = {x[i], x[i], 0, i}, right = left;
        walk_down(y, left, i, first);
        walk_up(y, right, i, last);
        const double a = double(left.value), b = double(right.value);
        const double prominence = double(x[i]) - (a > b ? a : b);
        prominences[k] = prominence;
        if (prominence == 0) marks[MARK_FLAT] = 1;
        bases[k] = element_of(y, left.level, left.item, left.value, true);
        bases[count + k] = element_of(y, right.level, right.item, right.value, false);
    }
}

/* Passes what is above a height. */
template <class T>
struct above_height {
    double height;

    __device__ bool passes(const T &v, long long) const { return height < double(v); }
    __device__ bool passes(const T &least, const T &, long long, long long, int,
                           long long) const
    {
        return height < double(least);
    }
};

/* From the element next to the height, on the side of a peak, to where it is crossed. */
template <class T>
__device__ inline double
crossing(const T *x, long long i, long long inside, double height)
{
    const double v = double(x[i]);
    if (!(v < height)) return 0;
    return (height - v) / (double(x[inside]) - v);
}

/* Of each peak: its width, the height where it is measured, and where that is crossed on
 * the left and on the right: made[k], made[count + k], ... Launch: elements(p.count). */
template <class T>
__global__ void
peak_widths(const T *x, const T *memory, const long long *peaks,
            const double *prominences, const long long *bases, double *made,
            long long *marks, const __grid_constant__ peak_search p)
{
    const pyramid_of<T> y = {x, memory, &p};
    const long long count = p.count;
    CUPRIC_EACH (k, count) {
        const long long i = peaks[k], first = bases[k], last = bases[count + k];
        if (!marks[MARK_HEAD + k]) continue;
        if (first < 0 || first > i || i > last || last >= p.n) {
            atomicMin(marks + MARK_BAD, k);
            continue;
        }
        const double height = double(x[i]) - prominences[k] * p.rel_height;
        above_height<T> v = {height};
        long long a = walk_down(y, v, i, first), b = walk_up(y, v, i, last);
        if (a < first) a = first;
        if (b > last) b = last;
        const double left = double(a) + crossing(x, a, a < i ? a + 1 : i, height);
        const double right = double(b) - crossing(x, b, b > i ? b - 1 : i, height);
        if (right - left == 0) marks[MARK_NARROW] = 1;
        made[k] = right - left;
        made[count + k] = height;
        made[2 * count + k] = left;
        made[3 * count + k] = right;
    }
}

/* Marks of peaks of which a value is out of bounds become 0. Launch: elements(count). */
__global__ void
peak_within(const double *values, const long long *peaks, const double *arrays,
            long long *marks, const __grid_constant__ peak_bounds c, int which,
            long long count)
{
    CUPRIC_EACH (k, count) {
        if (!marks[MARK_HEAD + k]) continue;
        if (!is_within(c, which, arrays, values[k], peaks[k])) marks[MARK_HEAD + k] = 0;
    }
}
