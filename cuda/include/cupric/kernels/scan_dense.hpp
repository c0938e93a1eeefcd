/* kernels/scan_dense.hpp: out[k, i] = in[k, 0] op … op in[k, i], i < n, in one pass over
 * memory. For Op see kernels/reduce.hpp.
 *
 * A block brings a tile to shared memory: `columns` sequences, `length` elements of each.
 *
 *     rows      short ones that follow each other, or a piece of a long one
 *     down      neighbouring columns, all of a narrow matrix or some of a wide one
 *
 * `ways` threads run through `each` elements of a sequence, and the totals of the threads
 * are scanned. Where a sequence is longer than a tile, `down` tiles make it up, in groups:
 * every tile tells what it comes to, the last of a group what the group does, and a tile
 * adds up the groups and the tiles of its own group before it, each set in a fixed order.
 * So the result does not depend on when anybody came, and no tile waits for more than two
 * others in turn.
 *
 * A word of what is told goes with the epoch of the launch in one store of 8 bytes: who
 * sees the epoch has the word. Tiles are handed out in order, so that those before a
 * running tile run too.
 *
 * Launch: a block of 256 for each tile.
 */
#ifndef CUPRIC_KERNELS_SCAN_DENSE_HPP
#define CUPRIC_KERNELS_SCAN_DENSE_HPP

#include "cupric/kernels/reduce_dense.hpp"

CUPRIC_BEGIN

template <int N>
struct dense_scan_params {
    slot op[2];                  /* in, out */
    long long n, width;          /* of all: elements of a sequence; sequences abreast */
    long long in_step, out_step; /* bytes from an element of a sequence to its next */
    long long columns, length, ways, each;
    long long rows;            /* whether sequences are rows */
    long long gapless;         /* whether a tile is one run of memory */
    long long stacks, abreast; /* of tiles: in all, and side by side in the width */
    long long down, group;     /* tiles of a stack, and of a group */
    unsigned int *taken;       /* zero before and after */
    unsigned long long *told;  /* of tiles, then of groups: [tile][stack][column] */
    long long epoch;
    space<2, N> kept;
};

/* Elements of a tile: 32 KiB, as many of smaller types as of those of 4 bytes, and a
 * fourth of these of 16 bytes. */
template <class S>
struct tile_of {
    static constexpr int width = sizeof(S);
    static constexpr int size = width <= 4 ? 8192 : 32768 / width / (width / 8);
    static constexpr int line = 128 / width, gap = width < 4 ? 4 / width : 1;
    room<S, size + size / line * gap> place;

    __device__ S &operator[](int i) { return place.at[apart<width>(i)]; }
};

/* ---- what tiles tell each other ------------------------------------------------------ */

template <class S>
__device__ inline void
tell(unsigned long long *at, const S &x, unsigned int epoch)
{
    words<S> w;
    w.value = x;
#pragma unroll
    for (int k = 0; k < int(sizeof w.word / 4); k++) {
        ((volatile unsigned long long *)at)[k] =
            (unsigned long long)epoch << 32 | w.word[k];
    }
}

template <class S>
__device__ inline S
hear(const unsigned long long *at, unsigned int epoch)
{
    words<S> w;
    bool all;
    do {
        all = true;
#pragma unroll
        for (int k = 0; k < int(sizeof w.word / 4); k++) {
            const unsigned long long x = ((const volatile unsigned long long *)at)[k];
            w.word[k] = (unsigned int)x;
            all &= (unsigned int)(x >> 32) == epoch;
        }
    } while (!all);
    return w.value;
}

/* The combination of what places first, first + 1, … below end of a stack told, for each
 * of `columns`: in the first row of `at`, 256 partial results. */
template <class Op, class P>
__device__ inline void
hear_all(const P &p, const unsigned long long *told, long long first, long long end,
         long long stack, int columns, partial<Op> *at)
{
    typedef typename Op::S S;
    constexpr int each = (sizeof(S) + 3) / 4;
    const int lanes = 256 / columns, lane = threadIdx.x / columns;
    const int column = threadIdx.x - lane * columns;
    __syncthreads();
    if (lane < lanes) {
        partial<Op> acc;
        acc.n = 0;
#pragma unroll 4
        for (long long j = first + lane; j < end; j += lanes) {
            const long long place = (j * p.stacks + stack) * p.columns + column;
            append_to<Op>(acc, hear<S>(told + place * each, (unsigned int)p.epoch));
        }
        at[threadIdx.x] = acc;
    }
    const int heard = (int)(end - first < lanes ? end - first : lanes);
    combine_rows<Op>(at, heard, columns);
}

/* What stands before a tile, for each column, in the first row of `before`; `totals` is
 * what the tile comes to. */
template <class Op, class P>
__device__ inline void
look_back(const P &p, long long tile, long long stack, int columns,
          const typename Op::S *totals, partial<Op> *before)
{
    typedef typename Op::S S;
    constexpr int each = (sizeof(S) + 3) / 4;
    __shared__ room<partial<Op>, 256> groups;
    const long long group = tile / p.group, first = group * p.group;
    unsigned long long *const of_groups = p.told + p.down * p.stacks * p.columns * each;
    const bool mine = (int)threadIdx.x < columns;
    const unsigned int epoch = (unsigned int)p.epoch;

    if (mine && tile + 1 < p.down) {
        tell(p.told + ((tile * p.stacks + stack) * p.columns + threadIdx.x) * each,
             totals[threadIdx.x], epoch);
    }
    hear_all<Op>(p, p.told, first, tile, stack, columns, before);
    partial<Op> here;
    here.n = 0;
    if (mine && tile > first) here = before[threadIdx.x];
    if (mine && tile + 1 == first + p.group && tile + 1 < p.down) {
        partial<Op> all = here;
        append_to<Op>(all, totals[threadIdx.x]);
        tell(of_groups + ((group * p.stacks + stack) * p.columns + threadIdx.x) * each,
             all.s, epoch);
    }
    hear_all<Op>(p, of_groups, 0, group, stack, columns, groups.at);
    if (mine) {
        partial<Op> all;
        all.n = 0;
        if (group > 0) all = groups.at[threadIdx.x];
        if (here.n) append_to<Op>(all, here.s);
        before[threadIdx.x] = all;
    }
    __syncthreads();
}

/* ---- a tile -------------------------------------------------------------------------- */

/* Where it is, and how much of it there is. */
struct tile_place {
    const char *in;
    char *out;
    int columns, length;
};

/* The elements of a tile, one run of memory. */
template <class Op, int P>
__device__ inline void
read_run(const char *in, int all, tile_of<typename Op::S> &tile)
{
    typedef elements<typename Op::SA, P> E;
    constexpr int U = P < 4 ? 8 : 32 / P;
    typedef typename Op::N N;
    const typename Op::B b = typename Op::B();
    int done = 0;
    if ((unsigned long long)in % sizeof(E) == 0) {
        const int packs = all / P;
        for (int v = threadIdx.x; v < packs; v += U * 256) {
            E x[U];
#pragma unroll
            for (int u = 0; u < U; u++) {
                if (v + u * 256 < packs) x[u] = ((const E *)in)[v + u * 256];
            }
#pragma unroll
            for (int u = 0; u < U; u++) {
                if (v + u * 256 >= packs) continue;
#pragma unroll
                for (int k = 0; k < P; k++) {
                    tile[(v + u * 256) * P + k] =
                        Op::map(as_input<Op>(x[u].at[k]), b, N(0), 0);
                }
            }
        }
        done = packs * P;
    }
#pragma unroll 8
    for (int i = done + threadIdx.x; i < all; i += 256) {
        tile[i] =
            Op::map(input<Op>(in + (long long)i * sizeof(typename Op::SA)), b, N(0), 0);
    }
}

template <class Op, int P>
__device__ inline void
write_run(char *out, int all, tile_of<typename Op::S> &tile)
{
    typedef typename Op::OUT OUT;
    typedef elements<OUT, P> E;
    typedef typename Op::N N;
    int done = 0;
    if ((unsigned long long)out % sizeof(E) == 0) {
        const int packs = all / P;
        for (int v = threadIdx.x; v < packs; v += 256) {
            E x;
#pragma unroll
            for (int k = 0; k < P; k++) {
                x.at[k] = Op::finish(tile[v * P + k], N(0), N(0));
            }
            ((E *)out)[v] = x;
        }
        done = packs * P;
    }
    for (int i = done + threadIdx.x; i < all; i += 256) {
        store(out + (long long)i * sizeof(OUT), Op::finish(tile[i], N(0), N(0)));
    }
}

/* The same, `length` runs of `columns` elements that stand p.columns apart in the tile:
 * packs of P, of which a row has a power of two. */
template <class Op, int P, class PARAMS>
__device__ inline void
read_rows(const PARAMS &p, const tile_place &t, tile_of<typename Op::S> &tile)
{
    typedef elements<typename Op::SA, P> E;
    typedef typename Op::N N;
    constexpr int U = 4, size = sizeof(typename Op::SA);
    const typename Op::B b = typename Op::B();
    const int across = (int)p.columns / P, shift = 31 - __clz(across);
    const int packs = t.length << shift;
    const bool packed =
        ((unsigned long long)t.in | (unsigned long long)p.in_step) % sizeof(E) == 0;
    for (int v = threadIdx.x; v < packs; v += U * 256) {
        E x[U];
#pragma unroll
        for (int u = 0; u < U; u++) {
            const int w = v + u * 256, row = w >> shift, c = (w & (across - 1)) * P;
            const char *const from = t.in + row * p.in_step + c * size;
            if (w >= packs) continue;
            if (packed && c + P <= t.columns) {
                x[u] = *(const E *)from;
                continue;
            }
#pragma unroll
            for (int k = 0; k < P; k++) {
                if (c + k < t.columns)
                    x[u].at[k] = ((const elements<typename Op::SA, 1> *)from)[k].at[0];
            }
        }
#pragma unroll
        for (int u = 0; u < U; u++) {
            const int w = v + u * 256, row = w >> shift, c = (w & (across - 1)) * P;
            if (w >= packs) continue;
#pragma unroll
            for (int k = 0; k < P; k++) {
                if (c + k < t.columns)
                    tile[row * (int)p.columns + c + k] =
                        Op::map(as_input<Op>(x[u].at[k]), b, N(0), 0);
            }
        }
    }
}

template <class Op, int P, class PARAMS>
__device__ inline void
write_rows(const PARAMS &p, const tile_place &t, tile_of<typename Op::S> &tile)
{
    typedef typename Op::OUT OUT;
    typedef elements<OUT, P> E;
    typedef typename Op::N N;
    const int across = (int)p.columns / P, shift = 31 - __clz(across);
    const int packs = t.length << shift;
    const bool packed =
        ((unsigned long long)t.out | (unsigned long long)p.out_step) % sizeof(E) == 0;
    for (int v = threadIdx.x; v < packs; v += 256) {
        const int row = v >> shift, c = (v & (across - 1)) * P;
        char *const to = t.out + row * p.out_step + c * (int)sizeof(OUT);
        E x;
#pragma unroll
        for (int k = 0; k < P; k++) {
            if (c + k >= t.columns) continue;
            x.at[k] = Op::finish(tile[row * (int)p.columns + c + k], N(0), N(0));
            if (!packed || c + P > t.columns)
                ((elements<OUT, 1> *)to)[k].at[0] = x.at[k];
        }
        if (packed && c + P <= t.columns) *(E *)to = x;
    }
}

/* ---- the kernel ---------------------------------------------------------------------- */

/* The number of this block's tile. */
template <class P>
__device__ inline unsigned int
take_tile(const P &p)
{
    __shared__ unsigned int mine;
    if (p.down == 1) return blockIdx.x;
    if (threadIdx.x == 0) {
        mine = atomicAdd(p.taken, 1u);
        if (mine + 1 == gridDim.x) *p.taken = 0;
    }
    __syncthreads();
    return mine;
}

template <class Op, int N>
__device__ inline void
scan_tiles(const dense_scan_params<N> &p)
{
    typedef typename Op::S S;
    constexpr int in_size = sizeof(typename Op::SA),
                  out_size = sizeof(typename Op::OUT);
    constexpr int P = 16 / (in_size > out_size ? in_size : out_size);
    __shared__ tile_of<S> tile;
    __shared__ room<S, 256> totals;
    __shared__ room<partial<Op>, 256> before;
    const unsigned int number = take_tile(p);
    const long long down = number / (unsigned int)p.stacks;
    const long long stack = number % (unsigned int)p.stacks;

    /* Which sequences, and which elements of theirs. */
    const long long outer = stack / p.abreast, across = stack - outer * p.abreast;
    const long long first = down * p.length, column = across * p.columns;
    long long at[2];
    tile_place t;
    locate<long long>(p.kept, outer * p.width + column, at);
    t.columns = (int)(p.width - column < p.columns ? p.width - column : p.columns);
    t.length = (int)(p.n - first < p.length ? p.n - first : p.length);
    t.in = address(p.op[0]) + at[0] + first * p.in_step;
    t.out = address(p.op[1]) + at[1] + first * p.out_step;

    if (p.gapless)
        read_run<Op, P>(t.in, t.columns * t.length, tile);
    else
        read_rows<Op, P>(p, t, tile);
    __syncthreads();

    /* Each thread its elements, then the threads of a sequence. */
    const int apart_c = p.rows ? t.length : 1, apart_r = p.rows ? 1 : (int)p.columns;
    const int each = (int)p.each, ways = (t.length + each - 1) / each;
    const int tasks = ways * t.columns;
    for (int task = threadIdx.x; task < tasks; task += 256) {
        const int y = task / t.columns, c = task - y * t.columns;
        const int end = (y + 1) * each < t.length ? (y + 1) * each : t.length;
        int i = c * apart_c + y * each * apart_r;
        S acc = tile[i];
#pragma unroll 8
        for (int r = y * each + 1; r < end; r++) {
            i += apart_r;
            acc = Op::append(acc, tile[i]);
            tile[i] = acc;
        }
        if (task < 256) totals.at[task] = acc;
    }
    for (int by = 1; by < ways; by *= 2) {
        S left;
        const bool has = (int)threadIdx.x < tasks && (int)threadIdx.x >= by * t.columns;
        __syncthreads();
        if (has) left = totals.at[threadIdx.x - by * t.columns];
        __syncthreads();
        if (has) totals.at[threadIdx.x] = Op::append(left, totals.at[threadIdx.x]);
    }
    __syncthreads();
    if (p.down > 1) {
        look_back<Op>(p, down, stack, t.columns, totals.at + (ways - 1) * t.columns,
                      before.at);
    }

    /* What stands before a thread's elements goes in front of them. */
    if ((int)threadIdx.x < tasks && (ways > 1 || down > 0)) {
        const int y = threadIdx.x / t.columns, c = threadIdx.x - y * t.columns;
        const int end = (y + 1) * each < t.length ? (y + 1) * each : t.length;
        int i = c * apart_c + y * each * apart_r;
        partial<Op> start;
        start.n = 0;
        if (down > 0) start = before.at[c];
        if (y > 0) append_to<Op>(start, totals.at[threadIdx.x - t.columns]);
        if (start.n) {
#pragma unroll 8
            for (int r = y * each; r < end; r++, i += apart_r) {
                tile[i] = Op::append(start.s, tile[i]);
            }
        }
    }
    __syncthreads();
    if (p.gapless)
        write_run<Op, P>(t.out, t.columns * t.length, tile);
    else
        write_rows<Op, P>(p, t, tile);
}

CUPRIC_END

#endif
