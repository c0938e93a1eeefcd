/* kernels/scan_shared.hpp: out[k, i] = in[k, 0] op … op in[k, i], i < n, by way of shared
 * memory: short rows, one behind the other or apart, and narrow matrices without gaps. For
 * Op see kernels/reduce.hpp; wider ones are in scan_dense.hpp.
 *
 * A block takes a tile: `columns` sequences, `length` elements of each. `ways` threads run
 * through `each` elements of a sequence, then their totals are scanned. A tile's prefix
 * comes from a look-back, see scan_lookback.hpp. That relies, as CUB's scans do, on blocks
 * that start in the order of their numbers and stay resident until they end.
 *
 * Launch: a block of scan_block threads for each tile.
 */
#ifndef CUPRIC_KERNELS_SCAN_SHARED_HPP
#define CUPRIC_KERNELS_SCAN_SHARED_HPP

#include "cupric/kernels/scan_lookback.hpp"

CUPRIC_BEGIN

template <class Op>
struct tile_of {
    typedef typename Op::S S;
    enum { width = sizeof(S), size = scan_block * scan_each<Op> };
    enum { line = 128 / width, gap = width < 4 ? 4 / width : 1 };
    uninitialized<S, size + size / line * gap> data;

    __device__ S &operator[](int i) { return data.at[bank_padded<width>(i)]; }
};

template <class Op>
struct scan_shared_storage {
    tile_of<Op> tile;
    uninitialized<typename Op::S, scan_block> totals;
    lookback_storage<Op, 1, scan_max_columns> lookback;
};

/* The elements of a tile, one run of memory. */
template <class Op, int P>
__device__ inline void
load_run(const char *in, int all, tile_of<Op> &tile)
{
    typedef elements<typename Op::SA, P> E;
    constexpr int U = P < 4 ? 8 : 32 / P;
    typedef typename Op::N N;
    const typename Op::B b = typename Op::B();
    int done = 0;
    if ((unsigned long long)in % sizeof(E) == 0) {
        const int vectors = all / P;
        for (int v = threadIdx.x; v < vectors; v += U * scan_block) {
            E x[U];
#pragma unroll
            for (int u = 0; u < U; u++) {
                if (v + u * scan_block < vectors)
                    x[u] = ((const E *)in)[v + u * scan_block];
            }
#pragma unroll
            for (int u = 0; u < U; u++) {
                if (v + u * scan_block >= vectors) continue;
#pragma unroll
                for (int k = 0; k < P; k++) {
                    tile[(v + u * scan_block) * P + k] =
                        Op::map(as_input<Op>(x[u].at[k]), b, N(0), 0);
                }
            }
        }
        done = vectors * P;
    }
#pragma unroll 8
    for (int i = done + threadIdx.x; i < all; i += scan_block) {
        tile[i] =
            Op::map(input<Op>(in + (long long)i * sizeof(typename Op::SA)), b, N(0), 0);
    }
}

template <class Op, int P>
__device__ inline void
store_run(char *out, int all, tile_of<Op> &tile)
{
    typedef typename Op::OUT OUT;
    typedef elements<OUT, P> E;
    typedef typename Op::N N;
    int done = 0;
    if ((unsigned long long)out % sizeof(E) == 0) {
        const int vectors = all / P;
        for (int v = threadIdx.x; v < vectors; v += scan_block) {
            E x;
#pragma unroll
            for (int k = 0; k < P; k++) {
                x.at[k] = Op::finish(tile[v * P + k], N(0), N(0));
            }
            ((E *)out)[v] = x;
        }
        done = vectors * P;
    }
    for (int i = done + threadIdx.x; i < all; i += scan_block) {
        store(out + (long long)i * sizeof(OUT), Op::finish(tile[i], N(0), N(0)));
    }
}

/* Rows apart: `length` elements `step` bytes apart each. */
template <class Op>
__device__ inline void
load_rows(const char *in, int all, int length, long long row, long long step,
          tile_of<Op> &tile)
{
#pragma unroll 8
    for (int i = threadIdx.x; i < all; i += scan_block) {
        const int r = i / length, k = i - r * length;
        tile[i] = Op::map(input<Op>(in + r * row + k * step), typename Op::B(),
                          typename Op::N(0), 0);
    }
}

template <class Op>
__device__ inline void
store_rows(char *out, int all, int length, long long row, long long step,
           tile_of<Op> &tile)
{
    for (int i = threadIdx.x; i < all; i += scan_block) {
        const int r = i / length, k = i - r * length;
        store(out + r * row + k * step,
              Op::finish(tile[i], typename Op::N(0), typename Op::N(0)));
    }
}

template <class Op, class PARAMS>
__device__ inline void
scan_shared(const PARAMS &p, const tile_position &t, scan_shared_storage<Op> &r)
{
    typedef typename Op::S S;
    constexpr int P = scan_vector<Op>;
    tile_of<Op> &tile = r.tile;
    const int all = t.columns * t.length;
    if (p.in_row)
        load_rows<Op>(t.in, all, t.length, p.in_row, p.in_step, tile);
    else
        load_run<Op, P>(t.in, all, tile);
    __syncthreads();

    /* Each thread its elements, then the threads of a sequence. Those of a row stand side
     * by side: rows of a power of two begin in one bank. */
    const int c_stride = p.rows ? t.length : 1, r_stride = p.rows ? 1 : t.columns;
    const int each = (int)p.each, ways = (t.length + each - 1) / each;
    const int tasks = ways * t.columns, beside = p.rows ? ways : t.columns;
    const int y_stride = p.rows ? 1 : t.columns; /* tasks */
    int begin = 0, end = 0, y = 0, c = 0;
    for (int task = threadIdx.x; task < tasks; task += scan_block) {
        const int outer = ways == 1 ? 0 : task / beside, inner = task - outer * beside;
        y = ways == 1 ? 0 : p.rows ? inner : outer;
        c = ways == 1 ? task : p.rows ? outer : inner;
        end = (y + 1) * each < t.length ? each : t.length - y * each;
        begin = c * c_stride + y * each * r_stride;
        int i = begin;
        S acc = tile[i];
#pragma unroll 8
        for (int j = 1; j < end; j++) {
            i += r_stride;
            acc = Op::append(acc, tile[i]);
            tile[i] = acc;
        }
        if (task < scan_block) r.totals.at[task] = acc;
    }
    for (int by = 1; by < ways; by *= 2) {
        S left;
        const bool has = (int)threadIdx.x < tasks && y >= by;
        __syncthreads();
        if (has) left = r.totals.at[threadIdx.x - by * y_stride];
        __syncthreads();
        if (has) r.totals.at[threadIdx.x] = Op::append(left, r.totals.at[threadIdx.x]);
    }
    __syncthreads();
    if (p.down > 1) {
        if ((int)threadIdx.x < t.columns && t.down + 1 < p.down) {
            publish_tile<Op>(p, t.down, t.stack,
                             r.totals.at[(ways - 1) * t.columns + threadIdx.x], 0,
                             r.lookback);
        }
        look_back<Op>(p, t.down, t.stack, t.columns, 0, r.lookback);
    }

    /* The prefix of a thread's elements. */
    if ((int)threadIdx.x < tasks && (ways > 1 || t.down > 0)) {
        partial<Op> start;
        start.n = 0;
        if (t.down > 0) start = r.lookback.prefix.at[c];
        if (y > 0) append_to<Op>(start, r.totals.at[threadIdx.x - y_stride]);
        if (start.n) {
            int i = begin;
#pragma unroll 8
            for (int j = 0; j < end; j++, i += r_stride) {
                tile[i] = Op::append(start.s, tile[i]);
            }
        }
    }
    __syncthreads();
    if (p.in_row)
        store_rows<Op>(t.out, all, t.length, p.out_row, p.out_step, tile);
    else
        store_run<Op, P>(t.out, all, tile);
}

template <class Op, int N>
__device__ inline void
scan_shared_tiles(const dense_scan_params<N> &p)
{
    __shared__ scan_shared_storage<Op> r;
    tile_position t;
    find_tile(p, blockIdx.x, t);
    scan_shared<Op>(p, t, r);
}

CUPRIC_END

#endif
