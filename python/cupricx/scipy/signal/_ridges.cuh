/* _ridges.cuh: ridge lines through the relative maxima of a matrix, row after row from the
 * last, and order statistics of windows.
 *
 * A line has a number, in the order in which lines begin. What there is of it are
 *
 *     ends[id]     2**32 times rows - (its latest row), and its greatest column there
 *     sizes[id]    how many maxima it has
 *
 * so that an end is a maximum of what its points say, and these are added in parallel.
 * at[column], of the row before: 2**32 times that row and the first line that ends there.
 * As rows become less, the minimum is what the latest row has written.
 */
#include "_ridges.h"
#include "cupric/scan.hpp"

enum { COLUMN_BITS = 32 };
enum { POINT_NONE = -2, POINT_NEW = -1 };
enum : long long { LAST_COLUMN = (1ll << COLUMN_BITS) - 1 };

/* A maximum at column c: the line that it is added to. */
__device__ inline long long
line_near(const long long *at, const ridge_step &s, long long c)
{
    for (long long d = 0; d <= s.distance; d++) {
        long long found = LAST_COLUMN;
        if (c - d >= 0 && at[c - d] >> COLUMN_BITS == s.row + 1)
            found = at[c - d] & LAST_COLUMN;
        if (c + d < s.n && at[c + d] >> COLUMN_BITS == s.row + 1) {
            const long long other = at[c + d] & LAST_COLUMN;
            found = other < found ? other : found;
        }
        if (found != LAST_COLUMN) return found;
        if (c - d < 0 && c + d >= s.n) break;
    }
    return POINT_NEW;
}

struct ridge_point {
    long long column, line;
};
struct ridge_nothing {
};

/* Numbers new lines. */
struct ridge_scan : cupric::scan_of<cupric::sum_of<long long>> {
    typedef ridge_point input;
    typedef ridge_nothing output;
    const bool *maxima;
    const long long *at;
    long long *ends, *sizes, *totals;
    ridge_step s;

    __device__ long long initial(long long) const { return totals[s.row + 1]; }
    __device__ input load(long long, long long c) const
    {
        return {c, maxima[c] ? line_near(at, s, c) : (long long)POINT_NONE};
    }
    __device__ long long extend(long long count, const input *v, int n) const
    {
#pragma unroll
        for (int k = 0; k < SCAN_EACH; k++) {
            if (k < n) count += v[k].line == POINT_NEW;
        }
        return count;
    }
    __device__ void add(long long line, long long c) const
    {
        const long long key = (s.rows - s.row) << COLUMN_BITS;
        atomicMax(ends + line, key | c);
        atomicAdd((unsigned long long *)sizes + line, 1ull);
    }
    __device__ long long apply(long long count, const input *v, output *, int n) const
    {
#pragma unroll
        for (int k = 0; k < SCAN_EACH; k++) {
            if (k >= n || v[k].line == POINT_NONE) continue;
            const bool is_new = v[k].line == POINT_NEW;
            add(is_new ? count : v[k].line, v[k].column);
            count += is_new;
        }
        return count;
    }
    __device__ void store(long long, long long, const output &) const {}
    __device__ void finish(long long, const long long &count) const
    {
        totals[s.row] = count;
    }
};

/* Adds the maxima of a row to lines; totals[row] is how many lines there are then.
 * Launch: blocks(layout.tiles, SCAN_THREADS). */
__global__ void
ridge_row(const bool *maxima, const long long *at, long long *ends, long long *sizes,
          long long *totals, ridge_step s, scan_layout layout, unsigned int *workspace)
{
    ridge_scan op;
    op.maxima = maxima;
    op.at = at;
    op.ends = ends;
    op.sizes = sizes;
    op.totals = totals;
    op.s = s;
    cupric::scan_rows(layout, workspace, op);
}

/* Where the lines that may go on end. Launch: elements(s.lines). */
__global__ void
ridge_ends(const long long *ends, const long long *totals, long long *at, ridge_step s)
{
    const long long total = totals[s.row];
    CUPRIC_EACH (id, s.lines) {
        if (id >= total) continue;
        const long long row = s.rows - (ends[id] >> COLUMN_BITS);
        if (double(row - s.row) > s.gap) continue;
        atomicMin(at + (ends[id] & LAST_COLUMN), (s.row << COLUMN_BITS) | id);
    }
}

/* ---- order statistics of windows -------------------------------------------------------
 *
 * A wavelet matrix (Claude, Navarro and Ordonez, "The wavelet matrix", 2015) of the ranks
 * of a row: for each bit from the highest, ranks of which it is 0 come before the others,
 * in their order; zeros[bit][i] is how many of those before place i are 0.
 */

/* The order of a bit. Launch: elements(n). */
__global__ void
ridge_place(const int *ranks, const int *zeros, int *placed, int bit, long long n)
{
    CUPRIC_EACH (i, n) {
        const bool is_one = ranks[i] >> bit & 1;
        placed[is_one ? zeros[n] + i - zeros[i] : zeros[i]] = ranks[i];
    }
}

/* zeros[i + 1] = whether a bit is 0; zeros[0] = 0. Launch: elements(n). */
__global__ void
ridge_zeros(const int *ranks, int *zeros, int bit, long long n)
{
    CUPRIC_EACH (i, n) {
        if (i == 0) zeros[0] = 0;
        zeros[i + 1] = !(ranks[i] >> bit & 1);
    }
}

/* The rank that is number k among places a to b - 1. */
__device__ inline long long
rank_within(const int *zeros, long long n, int bits, long long a, long long b,
            long long k)
{
    long long rank = 0;
    for (int bit = bits - 1; bit >= 0; bit--, zeros += n + 1) {
        const long long before = zeros[a], upto = zeros[b], count = upto - before;
        if (k < count) {
            a = before;
            b = upto;
        } else {
            k -= count;
            rank |= 1ll << bit;
            a = zeros[n] + a - before;
            b = zeros[n] + b - upto;
        }
    }
    return rank;
}

/* Of the window around each line's end: the ranks between which a percentile lies, low and
 * ranks[lines + ...], and the weight of the second; NaN where it is empty.
 * Launch: elements(w.lines). */
__global__ void
ridge_noise(const long long *ends, const int *zeros, long long *ranks, double *weights,
            ridge_windows w)
{
    CUPRIC_EACH (id, w.lines) {
        const long long c = ends[id] & LAST_COLUMN;
        const long long a = c > w.before ? c - w.before : 0;
        const long long b = w.n - c > w.after ? c + w.after : w.n;
        ranks[id] = ranks[w.lines + id] = 0;
        weights[id] = cupric::float_of(0x7fc00000u);
        if (a >= b) continue;
        const double place = w.fraction * double(b - a - 1);
        const long long k = (long long)place;
        const bool is_between = place != double(k);
        weights[id] = place - double(k);
        ranks[id] = rank_within(zeros, w.n, w.bits, a, b, k);
        ranks[w.lines + id] =
            is_between ? rank_within(zeros, w.n, w.bits, a, b, k + 1) : ranks[id];
    }
}
