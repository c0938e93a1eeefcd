/* _reductions.cuh: each row of a compressed matrix reduced to a number.
 *
 * Elements of each row, with one item more for its end, are cut into tiles of as many
 * items, so that rows of any length are as much work. A tile has the result of rows that
 * begin and end in it. Of the row that began before it, it keeps the state of its part as
 * `head`, and of the one that does not end as `carry`; a second kernel combines these, in
 * the order of tiles. So a result depends on the matrix alone.
 *
 * states (tiles, 2) of ROWS_STATE bytes: head and carry of each tile.
 */
#include "_reductions.h"
#include "cupric/block.hpp"
#include "cupric/warp.hpp"

/* ---- what is reduced -------------------------------------------------------------------
 *
 * A reduction has a state, of which `combine` does not depend on the order of its operands;
 * `load` that of element p, and `store` what a row comes to, from begin to end.
 */
template <class T>
__device__ inline bool
has_nan(const T &x)
{
    if constexpr (cupric::is_complex<T>::value)
        return x.re != x.re || x.im != x.im;
    else
        return x != x;
}

template <class T>
__device__ inline bool
exceeds(const T &a, const T &b)
{
    if constexpr (cupric::is_complex<T>::value)
        return a.re > b.re || (a.re == b.re && a.im > b.im);
    else
        return a > b;
}

/* Whether a is before b in the order of the reduction. */
template <int KIND, class T>
__device__ inline bool
is_better(const T &a, const T &b)
{
    const bool greatest =
        KIND == REDUCE_MAXIMUM || KIND == REDUCE_NANMAX || KIND == REDUCE_ARGMAX;
    return greatest ? exceeds(a, b) : exceeds(b, a);
}

/* What all reductions read. */
template <class I, class T>
struct row_source {
    const I *indptr, *indices;
    const T *data;
    long long columns;
    bool is_explicit;
};

template <class I, class T, class R>
struct row_sums : row_source<I, T> {
    typedef typename cupric::compute_type<R>::type state;
    R *out;

    __device__ state identity() const { return state(0); }
    __device__ state load(long long p) const
    {
        return cupric::convert<state>(cupric::load(this->data + p));
    }
    __device__ state combine(const state &a, const state &b) const
    {
        return cupric::sum_of<state>().combine(a, b);
    }
    __device__ void store(long long row, long long, long long, const state &s) const
    {
        out[row] = cupric::convert<R>(s);
    }
};

template <class T>
struct extreme_state {
    T value;
    long long at; /* the element; -1: there is none */
};

/* The extreme of a row, the first of those that are equal. NaN is before all numbers, or,
 * where they are ignored, after them. */
template <class I, class T, int KIND>
struct row_extreme_elements : row_source<I, T> {
    typedef extreme_state<T> state;
    enum : bool { ignores_nan = KIND == REDUCE_NANMAX || KIND == REDUCE_NANMIN };

    __device__ state identity() const { return state{T(0), -1}; }
    __device__ state load(long long p) const
    {
        return state{cupric::load(this->data + p), p};
    }
    __device__ state combine(const state &a, const state &b) const
    {
        if (a.at < 0 || b.at < 0) return a.at < 0 ? b : a;
        const bool a_is_nan = has_nan(a.value), b_is_nan = has_nan(b.value);
        if (a_is_nan != b_is_nan) return a_is_nan != (bool)ignores_nan ? a : b;
        if (!a_is_nan && is_better<KIND>(a.value, b.value)) return a;
        if (!a_is_nan && is_better<KIND>(b.value, a.value)) return b;
        return a.at < b.at ? a : b;
    }
};

/* Its value; that of a row without elements is zero. */
template <class I, class T, class R, int KIND>
struct row_extremes : row_extreme_elements<I, T, KIND> {
    typedef extreme_state<T> state;
    R *out;

    __device__ void store(long long row, long long begin, long long end, state s) const
    {
        /* A zero behind all elements: it is as good as any other. */
        const state zero = {T(0), end};
        if (!this->is_explicit && end - begin < this->columns)
            s = this->combine(s, zero);
        out[row] = s.at < 0 ? T(0) : s.value;
    }
};

/* The column of its first place, zeros that are not stored included; of a row without
 * elements 0. */
template <class I, class T, class R, int KIND>
struct row_extreme_places : row_extreme_elements<I, T, KIND> {
    typedef extreme_state<T> state;
    R *out;

    /* The first column that has no element. */
    __device__ long long first_missing(long long begin, long long end) const
    {
        long long low = 0, high = end - begin;
        while (low < high) {
            const long long middle = low + (high - low) / 2;
            if ((long long)this->indices[begin + middle] > middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
    __device__ void store(long long row, long long begin, long long end,
                          const state &s) const
    {
        if (s.at < 0) {
            out[row] = R(0);
            return;
        }
        const long long column = this->indices[s.at];
        if (this->is_explicit || end - begin == this->columns ||
            is_better<KIND>(s.value, T(0))) {
            out[row] = R(column);
            return;
        }
        const long long missing = first_missing(begin, end);
        out[row] = R(s.value == T(0) && column < missing ? column : missing);
    }
};

template <class I, class T, class R, int KIND>
struct row_reduction {
    typedef row_extremes<I, T, R, KIND> type;
};
template <class I, class T, class R>
struct row_reduction<I, T, R, REDUCE_SUM> {
    typedef row_sums<I, T, R> type;
};
template <class I, class T, class R>
struct row_reduction<I, T, R, REDUCE_ARGMAX> {
    typedef row_extreme_places<I, T, R, REDUCE_ARGMAX> type;
};
template <class I, class T, class R>
struct row_reduction<I, T, R, REDUCE_ARGMIN> {
    typedef row_extreme_places<I, T, R, REDUCE_ARGMIN> type;
};

template <class OP, class I, class T, class R>
__device__ inline OP
reduction_of(const I *indptr, const I *indices, const T *data, R *out,
             const row_sizes &s)
{
    OP op;
    op.indptr = indptr;
    op.indices = indices;
    op.data = data;
    op.columns = s.columns;
    op.is_explicit = s.is_explicit;
    op.out = out;
    return op;
}

/* ---- tiles -----------------------------------------------------------------------------
 */

/* rows (tiles + 1): the row that each tile begins in. Launch: elements(n), n tiles + 1. */
template <class I>
__global__ void
split_rows(const I *indptr, long long *rows, row_sizes s, long long n)
{
    CUPRIC_EACH (t, n) {
        const long long item = t * s.tile < s.items ? t * s.tile : s.items;
        long long low = 0, high = s.rows;
        while (low < high) {
            const long long middle = low + (high - low + 1) / 2;
            if ((long long)indptr[middle] + middle <= item) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        rows[t] = low;
    }
}

/* The rows and the elements of a tile: rows row to last - 1 end in it. */
struct row_tile {
    long long row, last, begin, end;

    __device__ row_tile(const long long *rows, const row_sizes &s, long long t)
        : row(rows[t]), last(rows[t + 1]), begin(t * s.tile - row),
          end(((t + 1) * s.tile < s.items ? (t + 1) * s.tile : s.items) - last)
    {
    }
};

template <class S>
__device__ inline S &
state_at(unsigned char *states, long long t, int which)
{
    return *(S *)(states + (2 * t + which) * ROWS_STATE);
}

/* The state of a row as far as it is in a tile: of the row that began before it, or does
 * not end in it, it is kept, else it is the row's. */
template <class OP, class I>
__device__ inline void
put_row(const OP &op, const I *indptr, const row_tile &x, long long row, long long t,
        const typename OP::state &s, unsigned char *states)
{
    typedef typename OP::state state;
    if (row == x.last) {
        state_at<state>(states, t, 1) = s;
    } else if ((long long)indptr[row] < x.begin) {
        state_at<state>(states, t, 0) = s;
    } else {
        op.store(row, indptr[row], indptr[row + 1], s);
    }
}

/* By as many lanes as suit rows of their mean length in this tile; all threads of a warp
 * go through the loop as often. */
template <class OP, class I>
__device__ inline void
reduce_tile(const OP &op, const I *indptr, const row_tile &x, long long rows,
            long long t, unsigned char *states)
{
    typedef typename OP::state state;
    const long long count = x.last - x.row + (x.last < rows);
    int lanes = 1;
    while (lanes < 32 && lanes * 2 * count <= x.end - x.begin) lanes *= 2;

    const int lane = threadIdx.x % lanes, groups = ROWS_THREADS / lanes;
    for (long long first = 0; first < count; first += groups) {
        const long long k = first + (int)threadIdx.x / lanes, row = x.row + k;
        state s = op.identity();
        if (k < count) {
            const long long row_end = indptr[row + 1];
            const long long end = row_end < x.end ? row_end : x.end;
            const long long own = indptr[row];
            for (long long p = (own > x.begin ? own : x.begin) + lane; p < end;
                 p += lanes)
                s = op.combine(s, op.load(p));
        }
        for (int by = lanes / 2; by > 0; by /= 2)
            s = op.combine(s, cupric::shuffle_down(s, by));
        if (k < count && lane == 0) put_row(op, indptr, x, row, t, s, states);
    }
}

/* Launch: blocks(s.tiles, ROWS_THREADS). */
template <class I, class T, class R, int KIND>
__global__ void
reduce_rows(const I *indptr, const I *indices, const T *data, const long long *rows,
            unsigned char *states, R *out, row_sizes s)
{
    typedef typename row_reduction<I, T, R, KIND>::type OP;
    const OP op = reduction_of<OP>(indptr, indices, data, out, s);

    CUPRIC_EACH_BLOCK (t, s.tiles) {
        reduce_tile(op, indptr, row_tile(rows, s, t), s.rows, t, states);
    }
}

/* Rows that end in a tile and began before it. Launch: blocks(s.tiles,
 * ROWS_FINISH_THREADS). */
template <class I, class T, class R, int KIND>
__global__ void
finish_rows(const I *indptr, const I *indices, const T *data, const long long *rows,
            unsigned char *states, R *out, row_sizes s)
{
    typedef typename row_reduction<I, T, R, KIND>::type OP;
    typedef typename OP::state state;
    const OP op = reduction_of<OP>(indptr, indices, data, out, s);

    CUPRIC_EACH_BLOCK (t, s.tiles) {
        const row_tile x(rows, s, t);
        if (x.row == x.last || (long long)indptr[x.row] >= x.begin) continue;
        const long long first = ((long long)indptr[x.row] + x.row) / s.tile;
        state all = op.identity();
        for (long long i = first + threadIdx.x; i < t; i += blockDim.x)
            all = op.combine(all, state_at<state>(states, i, 1));
        all = cupric::warp_reduce(all, op);
        if (threadIdx.x > 0) continue;
        all = op.combine(all, state_at<state>(states, t, 0));
        op.store(x.row, indptr[x.row], indptr[x.row + 1], all);
    }
}
