/* kernels/scan.hpp: out[k, i] = in[k, 0] op … op in[k, i], i < n.
 *
 * Rows are cut into chunks of `chunk` elements, a multiple of the tile; a block takes a
 * chunk, tile after tile.
 *
 *   scan_totals   what each chunk comes to      grid: chunks of all rows
 *   scan_carries  the prefix of each one         grid: rows
 *   scan_apply    the results                   grid: chunks of all rows
 *   scan_serial   a thread for each row, from left to right; for operations that may not
 *                 be regrouped, and where neighbouring rows lie side by side
 *
 * With one chunk to a row the last step is all. Blocks of 256 threads.
 */
#ifndef CUPRIC_KERNELS_SCAN_HPP
#define CUPRIC_KERNELS_SCAN_HPP

#include "cupric/kernels/group.hpp"
#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

template <int N>
struct scan_params : cu_scan_head {
    space<2, N> kept;
};

template <class Op>
struct scan_tile {
    typedef typename Op::S S;
    enum {
        items = /* of a thread */
        sizeof(S) > 8 ? CUPRIC_SCAN_ITEMS / 2 : CUPRIC_SCAN_ITEMS
    };
    enum { size = CUPRIC_BLOCK * items };
};

/* A thread's item k of a tile in shared memory, one element of padding in each row. */
template <class Op>
__device__ inline int
padded(int i)
{
    return i + i / scan_tile<Op>::items;
}

template <class Op>
__device__ inline typename Op::S
scan_element(const char *in, long long i, long long stride)
{
    return Op::map(convert<typename Op::A>(load<typename Op::SA>(in + i * stride)),
                   typename Op::B(), typename Op::N(0), i);
}

/* The combination of the threads before this one, in order, through *before (not set in
 * the first); of all, which every thread gets, is the result. `mine` counts where `any`. */
template <class Op>
__device__ inline typename Op::S
scan_block(typename Op::S mine, bool any, typename Op::S *before, bool *any_before,
           bool *any_at_all)
{
    typedef typename Op::S S;
    __shared__ uninitialized<S, 8> totals;
    __shared__ bool full[8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    S sum = mine;
    int has = any;
    for (int by = 1; by < 32; by *= 2) {
        const S left = shuffle_up(sum, by);
        const int left_has = __shfl_up_sync(0xffffffffu, has, by);
        if (lane < by || !left_has) continue;
        sum = has ? Op::combine(left, sum) : left;
        has = 1;
    }
    __syncthreads(); /* the shared memory is free again */
    if (lane == 31) {
        totals.at[warp] = sum;
        full[warp] = has;
    }
    S exclusive = shuffle_up(sum, 1);
    int exclusive_has = __shfl_up_sync(0xffffffffu, has, 1);
    if (lane == 0) exclusive_has = 0;
    __syncthreads();
    S prefix, all;
    bool prefix_has = false, all_has = false;
    for (int w = 0; w < 8; w++) {
        if (w == warp) {
            prefix = all;
            prefix_has = all_has;
        }
        if (!full[w]) continue;
        all = all_has ? Op::combine(all, totals.at[w]) : totals.at[w];
        all_has = true;
    }
    *any_before = prefix_has || exclusive_has;
    *before = !exclusive_has ? prefix
              : prefix_has   ? Op::combine(prefix, exclusive)
                             : exclusive;
    *any_at_all = all_has;
    return all;
}

/* The results of elements [begin, end) of a row; `carry` is their prefix. The
 * next tile is read while one is worked on. */
template <class Op>
__device__ inline void
scan_through(const char *in, char *out, long long in_stride, long long out_stride,
             long long begin, long long end, typename Op::S carry, bool has_carry)
{
    typedef typename Op::S S;
    constexpr int items = scan_tile<Op>::items, size = scan_tile<Op>::size;
    __shared__ uninitialized<S, size + CUPRIC_BLOCK> tile;
    S next[items];
#pragma unroll
    for (int k = 0; k < items; k++) {
        const long long i = begin + k * CUPRIC_BLOCK + threadIdx.x;
        if (i < end) next[k] = scan_element<Op>(in, i, in_stride);
    }
    for (long long start = begin; start < end; start += size) {
        const int n = (int)(end - start < size ? end - start : size);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < items; k++) {
            const int i = k * CUPRIC_BLOCK + threadIdx.x;
            if (i < n) tile.at[padded<Op>(i)] = next[k];
        }
#pragma unroll
        for (int k = 0; k < items; k++) {
            const long long i = start + size + k * CUPRIC_BLOCK + threadIdx.x;
            if (i < end) next[k] = scan_element<Op>(in, i, in_stride);
        }
        __syncthreads();
        const int first = threadIdx.x * items;
        S mine[items], before;
        bool any_before, any;
#pragma unroll
        for (int k = 0; k < items; k++) {
            if (first + k >= n) continue;
            mine[k] = tile.at[padded<Op>(first + k)];
            if (k > 0) mine[k] = Op::combine(mine[k - 1], mine[k]);
        }
        S last = mine[0];
#pragma unroll
        for (int k = 1; k < items; k++) {
            if (first + k < n) last = mine[k];
        }
        const S all = scan_block<Op>(last, first < n, &before, &any_before, &any);
        if (has_carry) {
            before = any_before ? Op::combine(carry, before) : carry;
            any_before = true;
        }
#pragma unroll
        for (int k = 0; k < items; k++) {
            if (first + k >= n) continue;
            tile.at[padded<Op>(first + k)] =
                any_before ? Op::combine(before, mine[k]) : mine[k];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < items; k++) {
            const int i = k * CUPRIC_BLOCK + threadIdx.x;
            if (i >= n) continue;
            store(out + (start + i) * out_stride,
                  Op::finish(tile.at[padded<Op>(i)], typename Op::N(0),
                             typename Op::N(0)));
        }
        carry = has_carry ? Op::combine(carry, all) : all;
        has_carry = true;
    }
}

/* In no particular order: operations that are cut into chunks allow it. */
template <class Op, int N>
__device__ inline void
scan_totals(const scan_params<N> &p)
{
    typedef typename Op::S S;
    constexpr int U = 8;
    const long long row = blockIdx.x / p.chunks, chunk = blockIdx.x % p.chunks;
    const long long begin = chunk * p.chunk, limit = begin + p.chunk;
    const long long end = limit < p.n ? limit : p.n;
    long long at[2], i = begin + threadIdx.x;
    bool has = false, any_before, any;
    S acc = S(), before;
    locate<long long>(p.kept, row, at);
    const char *const in = address(p.op[0]) + at[0];
    for (; i + (U - 1) * CUPRIC_BLOCK < end; i += U * CUPRIC_BLOCK) {
        S x[U];
#pragma unroll
        for (int u = 0; u < U; u++)
            x[u] = scan_element<Op>(in, i + u * CUPRIC_BLOCK, p.in_stride);
#pragma unroll
        for (int by = 1; by < U; by *= 2) {
#pragma unroll
            for (int u = 0; u + by < U; u += 2 * by) {
                x[u] = Op::combine(x[u], x[u + by]);
            }
        }
        acc = has ? Op::combine(acc, x[0]) : x[0];
        has = true;
    }
    for (; i < end; i += CUPRIC_BLOCK) {
        const S x = scan_element<Op>(in, i, p.in_stride);
        acc = has ? Op::combine(acc, x) : x;
        has = true;
    }
    const S total = scan_block<Op>(acc, has, &before, &any_before, &any);
    if (threadIdx.x == 0) ((S *)p.carry)[row * p.chunks + chunk] = total;
}

/* In place: carry[c] = the chunks up to and with c. */
template <class Op, int N>
__device__ inline void
scan_carries(const scan_params<N> &p)
{
    typedef typename Op::S S;
    S *const carry = (S *)p.carry + blockIdx.x * p.chunks;
    S so_far = S();
    for (long long start = 0; start < p.chunks; start += CUPRIC_BLOCK) {
        const long long c = start + threadIdx.x;
        const bool inside = c < p.chunks;
        S mine = S(), before;
        bool any_before, any;
        if (inside) mine = carry[c];
        const S all = scan_block<Op>(mine, inside, &before, &any_before, &any);
        if (any_before) mine = Op::combine(before, mine);
        if (start > 0) mine = Op::combine(so_far, mine);
        so_far = start > 0 ? Op::combine(so_far, all) : all;
        if (inside) carry[c] = mine;
    }
}

template <class Op, int N>
__device__ inline void
scan_apply(const scan_params<N> &p)
{
    typedef typename Op::S S;
    const long long row = blockIdx.x / p.chunks, chunk = blockIdx.x % p.chunks;
    const long long begin = chunk * p.chunk, limit = begin + p.chunk;
    long long at[2];
    S carry = S();
    locate<long long>(p.kept, row, at);
    if (chunk > 0) carry = ((const S *)p.carry)[row * p.chunks + chunk - 1];
    scan_through<Op>(address(p.op[0]) + at[0], address(p.op[1]) + at[1], p.in_stride,
                     p.out_stride, begin, limit < p.n ? limit : p.n, carry, chunk > 0);
}

template <class Op, int N>
__device__ inline void
scan_serial(const scan_params<N> &p)
{
    typedef typename Op::S S;
    const long long row = (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x;
    long long at[2];
    if (row >= p.kept.size) return;
    locate<long long>(p.kept, row, at);
    const char *in = address(p.op[0]) + at[0];
    char *out = address(p.op[1]) + at[1];
    S acc = scan_element<Op>(in, 0, p.in_stride);
    for (long long i = 0;;) {
        store(out + i * p.out_stride,
              Op::finish(acc, typename Op::N(0), typename Op::N(0)));
        if (++i == p.n) break;
        acc = Op::combine(acc, scan_element<Op>(in, i, p.in_stride));
    }
}

CUPRIC_END

#endif
