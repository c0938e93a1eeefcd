/* scan.hpp: scans along rows of any length, of any monoid, in one launch.
 *
 * scan_rows(layout, workspace, op) is the body of a kernel that is launched over
 * blocks="s.tiles", threads="SCAN_THREADS". `op` is a monoid (monoids.hpp) that also has
 *
 *     typedef … input;  typedef … output;
 *     state initial(long long row) const;   what comes before the row: the identity
 *     input load(long long row, long long i) const;
 *     state extend(state before, const input *x, int n) const;
 *                                           … and n more elements, n <= SCAN_EACH
 *     state apply(state before, const input *x, output *y, int n) const;
 *                                           the same, and what is stored for each
 *     void store(long long row, long long i, const output &y) const;
 *     void finish(long long row, const state &after) const;      after its last element
 *
 * scan_of<M> is one for the elements of M::state themselves, to derive from.
 *
 * On a GPU a block takes a tile. A thread has `each` elements of a row, side by side; they
 * are read and written by way of shared memory, neighbours by neighbours. Short rows share
 * a tile. Where a row has several tiles they publish their aggregates, and a tile looks
 * back: it combines those of the tiles before it in its group of SCAN_FAN, those of the
 * groups before that one, and so on, level by level; the last tile of a group publishes the
 * group's. So what is combined, and in which order, depends on the layout alone, not on
 * which block is first, and a chain of waits has as many links as there are levels. Tiles
 * are taken by tickets: a block waits for smaller tickets than its own, whose blocks run.
 *
 * On the host device a tile is a run that stays in the cache. It is reduced, its aggregate
 * appended to the prefix of the tile before, which is published, and then gone through
 * again, so that all cores work on a long row. Again no order of events changes a result.
 *
 * The workspace begins with a counter and flags, all zero; a scan of which no row has two
 * tiles has none (plan_scan makes it).
 */
#ifndef CUPRIC_SCAN_HPP
#define CUPRIC_SCAN_HPP

#include "cupric/block.hpp"
#include "cupric/library.hpp"
#include "cupric/scan.h"
#include "cupric/warp.hpp"

namespace cupric {

/* What a scan of the elements of M does, but for `load` and `store`. */
template <class M, bool EXCLUSIVE = false>
struct scan_of : M {
    typedef typename M::state state, input, output;

    __device__ state initial(long long) const { return this->identity(); }
    __device__ state extend(state s, const input *x, int n) const
    {
#pragma unroll
        for (int k = 0; k < SCAN_EACH; k++) {
            if (k < n) s = this->combine(s, x[k]);
        }
        return s;
    }
    __device__ state apply(state s, const input *x, output *y, int n) const
    {
#pragma unroll
        for (int k = 0; k < SCAN_EACH; k++) {
            if (k >= n) continue;
            const state next = this->combine(s, x[k]);
            y[k] = EXCLUSIVE ? s : next;
            s = next;
        }
        return s;
    }
    __device__ void finish(long long, const state &) const {}
};

#if defined(CUPRIC_HOST)
/* The C library's function: the tile that is waited for may need this core. */
int give_way() __asm__("sched_yield");
#endif

/* What tiles publish: states, and flags that say which are there. */
template <class S>
struct scan_nodes {
    volatile unsigned int *flags;
    volatile unsigned int *states;

    __device__ scan_nodes(const scan_layout &s, unsigned int *workspace, long long row)
        : flags(workspace + SCAN_HEAD + row * s.nodes),
          states(workspace + s.states + row * s.nodes * width)
    {
    }
    __device__ void publish(long long i, const S &x) const
    {
        words<S> w;
        w.value = x;
#pragma unroll
        for (int k = 0; k < width; k++) states[i * width + k] = w.word[k];
        __threadfence();
        flags[i] = 1;
    }
    __device__ S wait(long long i) const
    {
        words<S> w;
#if defined(CUPRIC_HOST)
        while (flags[i] == 0) give_way();
#else
        while (flags[i] == 0) {
        }
#endif
        __threadfence();
#pragma unroll
        for (int k = 0; k < width; k++) w.word[k] = states[i * width + k];
        return w.value;
    }

  private:
    enum { width = (sizeof(S) + 3) / 4 };
};

/* Where a tile lies. */
struct scan_tile {
    long long row, t, begin; /* its first row; its number, and element, in that */
    long long length;
    int rows;

    __device__ scan_tile(const scan_layout &s, long long tile)
    {
        const long long first = tile / s.per_row;
        t = tile - first * s.per_row;
        row = first * s.together;
        begin = t * s.length;
        rows = (int)(s.rows - row < s.together ? s.rows - row : s.together);
        length = s.n - begin < s.length ? s.n - begin : s.length;
    }
};

#if defined(CUPRIC_ONE_THREAD)

/* `length` elements of a row from `begin` on. */
template <class OP>
inline typename OP::state
extend_by_run(const OP &op, typename OP::state s, long long row, long long begin,
              long long length)
{
    typename OP::input x[SCAN_EACH];
    long long i = 0;
    for (; i + SCAN_EACH <= length; i += SCAN_EACH) {
        for (int k = 0; k < SCAN_EACH; k++) x[k] = op.load(row, begin + i + k);
        s = op.extend(s, x, SCAN_EACH);
    }
    if (i == length) return s;
    for (int k = 0; k < length - i; k++) x[k] = op.load(row, begin + i + k);
    return op.extend(s, x, (int)(length - i));
}
template <class OP>
inline typename OP::state
apply_to_run(const OP &op, typename OP::state s, long long row, long long begin,
             long long length)
{
    typename OP::input x[SCAN_EACH];
    typename OP::output y[SCAN_EACH];
    long long i = 0;
    for (; i + SCAN_EACH <= length; i += SCAN_EACH) {
        for (int k = 0; k < SCAN_EACH; k++) x[k] = op.load(row, begin + i + k);
        s = op.apply(s, x, y, SCAN_EACH);
        for (int k = 0; k < SCAN_EACH; k++) op.store(row, begin + i + k, y[k]);
    }
    if (i == length) return s;
    for (int k = 0; k < length - i; k++) x[k] = op.load(row, begin + i + k);
    s = op.apply(s, x, y, (int)(length - i));
    for (int k = 0; k < length - i; k++) op.store(row, begin + i + k, y[k]);
    return s;
}

/* What comes before a tile of a row that has several; what comes before the next one is
 * published. */
template <class OP>
inline typename OP::state
prefix_of_tile(const OP &op, const scan_nodes<typename OP::state> &nodes,
               const scan_layout &s, const scan_tile &at)
{
    typename OP::state own = op.identity();
    const bool is_last = at.t + 1 == s.per_row;
    if (!is_last) own = extend_by_run(op, own, at.row, at.begin, at.length);
    const typename OP::state before =
        at.t > 0 ? nodes.wait(at.t - 1) : op.initial(at.row);
    if (!is_last) nodes.publish(at.t, op.combine(before, own));
    return before;
}

template <class OP>
inline void
scan_rows(const scan_layout &s, unsigned int *workspace, const OP &op)
{
    CUPRIC_EACH_BLOCK (b, s.tiles) {
        const scan_tile at(s, s.per_row > 1 ? (long long)atomicAdd(workspace, 1u) : b);
        for (long long row = at.row; row < at.row + at.rows; row++) {
            typename OP::state state =
                s.per_row > 1 ? prefix_of_tile(op, {s, workspace, row}, s, at)
                              : op.initial(row);
            state = apply_to_run(op, state, row, at.begin, at.length);
            if (at.begin + at.length == s.n) op.finish(row, state);
        }
    }
}

#else

template <class OP>
struct scan_storage {
    typedef typename OP::input input;
    typedef typename OP::output output;
    enum { size = SCAN_THREADS * SCAN_EACH };
    enum {
        wide = (int)(sizeof(input) > sizeof(output) ? sizeof(input) : sizeof(output))
    };
    struct item {
        alignas(input) alignas(output) unsigned char bytes[wide];
    };
    item items[size + size / 32];
    block_memory<typename OP::state> memory;
    storage_of<typename OP::state, 1> prefix;
    long long tile;

    /* Neighbouring threads, `each` elements apart, read from different banks. */
    __device__ input &x(int i) { return *(input *)items[i + i / 32].bytes; }
    __device__ output &y(int i) { return *(output *)items[i + i / 32].bytes; }
};

/* By a warp: what comes before tile t of a row, in the first lane, from what others
 * publish; `own`, its aggregate, is published first. */
template <class OP>
__device__ inline typename OP::state
look_back(const OP &op, const scan_nodes<typename OP::state> &nodes, long long per_row,
          long long t, typename OP::state own)
{
    const int lane = threadIdx.x & 31;
    typename OP::state prefix = op.identity();
    bool closes = true;                   /* all groups of the levels so far */
    long long level = 0, count = per_row; /* where a level begins, and its nodes */
    if (lane == 0) nodes.publish(t, own);
    for (long long i = t; i > 0; i /= SCAN_FAN) {
        const int before = (int)(i % SCAN_FAN);
        typename OP::state x = op.identity();
        if (lane < before) x = nodes.wait(level + i - before + lane);
        x = reduce_lanes(x, op, SCAN_FAN, before);
        closes = closes && before == SCAN_FAN - 1;
        if (closes && lane == 0) {
            own = op.combine(x, own);
            nodes.publish(level + count + i / SCAN_FAN, own);
        }
        if (before > 0) prefix = op.combine(x, prefix);
        level += count;
        count /= SCAN_FAN;
    }
    return prefix;
}

/* The elements of a tile, each thread's side by side. */
template <class OP>
__device__ inline void
load_tile(const OP &op, const scan_tile &at, int pieces, scan_storage<OP> &r)
{
    const int length = (int)at.length, all = at.rows * length;
    const int width = pieces * SCAN_EACH;
    for (int j = threadIdx.x; j < all; j += SCAN_THREADS) {
        const int row = at.rows == 1 ? 0 : j / length, i = j - row * length;
        r.x(row * width + i) = op.load(at.row + row, at.begin + i);
    }
}
template <class OP>
__device__ inline void
store_tile(const OP &op, const scan_tile &at, int pieces, scan_storage<OP> &r)
{
    const int length = (int)at.length, all = at.rows * length;
    const int width = pieces * SCAN_EACH;
    for (int j = threadIdx.x; j < all; j += SCAN_THREADS) {
        const int row = at.rows == 1 ? 0 : j / length, i = j - row * length;
        op.store(at.row + row, at.begin + i, r.y(row * width + i));
    }
}

/* What comes before this thread's elements, which come to `own`. */
template <class OP>
__device__ inline typename OP::state
prefix_of_thread(const OP &op, const scan_layout &s, unsigned int *workspace,
                 const scan_tile &at, int row, const typename OP::state &own,
                 scan_storage<OP> &r)
{
    typedef typename OP::state state;
    state total;
    const state before =
        block_exclusive_scan(own, op, r.memory, &total, row * s.pieces);
    if (s.per_row == 1) {
        if (row >= at.rows) return before;
        return op.combine(op.initial(at.row + row), before);
    }
    if (threadIdx.x < 32) {
        const scan_nodes<state> nodes(s, workspace, at.row);
        const state prefix = look_back(op, nodes, s.per_row, at.t, total);
        if (threadIdx.x == 0) r.prefix[0] = op.combine(op.initial(at.row), prefix);
    }
    __syncthreads();
    return op.combine(r.prefix[0], before);
}

template <class OP>
__device__ inline void
scan_one_tile(const OP &op, const scan_layout &s, unsigned int *workspace,
              const scan_tile &at, scan_storage<OP> &r)
{
    typedef typename OP::state state;
    const int row = s.pieces == SCAN_THREADS ? 0 : threadIdx.x / s.pieces;
    const int begin = ((int)threadIdx.x - row * s.pieces) * SCAN_EACH;
    const int left = row < at.rows ? (int)at.length - begin : 0;
    const int n = left > SCAN_EACH ? SCAN_EACH : left;
    typename OP::input x[SCAN_EACH];
    typename OP::output y[SCAN_EACH];
    state own = op.identity();

    load_tile(op, at, s.pieces, r);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < SCAN_EACH; k++) {
        if (k < n) x[k] = r.x(threadIdx.x * SCAN_EACH + k);
    }
    if (n > 0) own = op.extend(own, x, n);
    const state before = prefix_of_thread(op, s, workspace, at, row, own, r);
    if (n > 0) {
        const state after = op.apply(before, x, y, n);
        if (at.begin + begin + n == s.n) op.finish(at.row + row, after);
    }
#pragma unroll
    for (int k = 0; k < SCAN_EACH; k++) {
        if (k < n) r.y(threadIdx.x * SCAN_EACH + k) = y[k];
    }
    __syncthreads();
    store_tile(op, at, s.pieces, r);
    __syncthreads(); /* before the next tile is loaded */
}

template <class OP>
__device__ inline void
scan_rows(const scan_layout &s, unsigned int *workspace, const OP &op)
{
    __shared__ scan_storage<OP> r;
    CUPRIC_EACH_BLOCK (b, s.tiles) {
        if (s.per_row > 1) {
            if (threadIdx.x == 0) r.tile = atomicAdd(workspace, 1u);
            __syncthreads();
        }
        const scan_tile at(s, s.per_row > 1 ? r.tile : b);
        scan_one_tile(op, s, workspace, at, r);
    }
}

#endif

} // namespace cupric

#endif
