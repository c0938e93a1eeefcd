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
 * Launch: blocks of 256, as many as run at a time, or fewer where tiles are.
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
    if (columns > 1) {
        combine_rows<Op>(at, heard, columns);
        return;
    }
    /* One column: the lanes of a block. */
    partial<Op> all;
    all.n = 0;
    if ((int)threadIdx.x < heard) all = at[threadIdx.x];
    if (heard <= 32) {
        if (threadIdx.x < 32) all = combine_lanes(all, 32);
    } else {
        all = combine_lanes(all, 256);
    }
    if (threadIdx.x == 0) at[0] = all;
    __syncthreads();
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
    long long down, stack;
    const char *in;
    char *out;
    int columns, length;
};

template <class P>
__device__ inline tile_place
place_of(const P &p, unsigned int number)
{
    tile_place t;
    t.down = number / (unsigned int)p.stacks;
    t.stack = number % (unsigned int)p.stacks;
    const long long outer = t.stack / p.abreast, across = t.stack - outer * p.abreast;
    const long long first = t.down * p.length, column = across * p.columns;
    long long at[2];
    locate<long long>(p.kept, outer * p.width + column, at);
    t.columns = (int)(p.width - column < p.columns ? p.width - column : p.columns);
    t.length = (int)(p.n - first < p.length ? p.n - first : p.length);
    t.in = address(p.op[0]) + at[0] + first * p.in_step;
    t.out = address(p.op[1]) + at[1] + first * p.out_step;
    return t;
}

/* Pack w of a tile: its place in the tile and in memory, and its elements. A tile is one
 * run of memory, or `length` runs of `columns` elements, of which p.columns, a power of
 * two times P, stand in the tile. */
struct pack_place {
    int at, count;
    long long row, column;
};

template <int P, class PARAMS>
__device__ inline pack_place
pack_of(const PARAMS &p, const tile_place &t, int w)
{
    pack_place r;
    if (p.gapless) {
        const int all = t.columns * t.length;
        r.at = w * P;
        r.row = 0;
        r.column = r.at;
        r.count = all - r.at < P ? all - r.at : P;
    } else {
        const int across = (int)p.columns / P, shift = 31 - __clz(across);
        const int row = w >> shift, column = (w & (across - 1)) * P;
        r.at = row * (int)p.columns + column;
        r.row = row;
        r.column = column;
        r.count = t.columns - column < P ? t.columns - column : P;
        if (row >= t.length) r.count = 0;
    }
    return r;
}

template <class Op, int P, int U, class PARAMS>
__device__ inline void
fetch_tile(const PARAMS &p, const tile_place &t, elements<typename Op::SA, P> (&x)[U])
{
    typedef elements<typename Op::SA, P> E;
    const long long step = p.gapless ? 0 : p.in_step;
    const bool packed =
        ((unsigned long long)t.in | (unsigned long long)step) % sizeof(E) == 0;
#pragma unroll
    for (int u = 0; u < U; u++) {
        const pack_place r = pack_of<P>(p, t, u * 256 + threadIdx.x);
        const char *const from =
            t.in + r.row * step + r.column * (int)sizeof(typename Op::SA);
        if (packed && r.count == P) {
            x[u] = *(const E *)from;
            continue;
        }
#pragma unroll
        for (int k = 0; k < P; k++) {
            if (k < r.count)
                x[u].at[k] = ((const elements<typename Op::SA, 1> *)from)[k].at[0];
        }
    }
}

template <class Op, int P, int U, class PARAMS>
__device__ inline void
put_tile(const PARAMS &p, const tile_place &t,
         const elements<typename Op::SA, P> (&x)[U], tile_of<typename Op::S> &tile)
{
#pragma unroll
    for (int u = 0; u < U; u++) {
        const pack_place r = pack_of<P>(p, t, u * 256 + threadIdx.x);
#pragma unroll
        for (int k = 0; k < P; k++) {
            if (k < r.count)
                tile[r.at + k] = Op::map(as_input<Op>(x[u].at[k]), typename Op::B(),
                                         typename Op::N(0), 0);
        }
    }
}

template <class Op, int P, int U, class PARAMS>
__device__ inline void
write_tile(const PARAMS &p, const tile_place &t, tile_of<typename Op::S> &tile)
{
    typedef typename Op::OUT OUT;
    typedef typename Op::N N;
    typedef elements<OUT, P> E;
    const long long step = p.gapless ? 0 : p.out_step;
    const bool packed =
        ((unsigned long long)t.out | (unsigned long long)step) % sizeof(E) == 0;
#pragma unroll
    for (int u = 0; u < U; u++) {
        const pack_place r = pack_of<P>(p, t, u * 256 + threadIdx.x);
        char *const to = t.out + r.row * step + r.column * (int)sizeof(OUT);
        E y;
#pragma unroll
        for (int k = 0; k < P; k++) {
            if (k >= r.count) continue;
            y.at[k] = Op::finish(tile[r.at + k], N(0), N(0));
            if (!packed || r.count < P) ((elements<OUT, 1> *)to)[k].at[0] = y.at[k];
        }
        if (packed && r.count == P) *(E *)to = y;
    }
}

/* The totals of the threads, [way][column], each with those before it. */
template <class Op>
__device__ inline void
scan_totals_of_tile(typename Op::S *totals, int tasks, int columns)
{
    typedef typename Op::S S;
    const int t = threadIdx.x;
    if (columns > 1) {
        for (int by = columns; by < tasks; by *= 2) {
            S left;
            const bool has = t < tasks && t >= by;
            __syncthreads();
            if (has) left = totals[t - by];
            __syncthreads();
            if (has) totals[t] = Op::append(left, totals[t]);
        }
        __syncthreads();
        return;
    }
    __shared__ room<S, 8> warps;
    const int lane = t % 32, warp = t / 32;
    S mine;
    __syncthreads();
    if (t < tasks) mine = totals[t];
    for (int by = 1; by < 32; by *= 2) {
        const S left = from_lane_above(mine, by);
        if (lane >= by && t < tasks) mine = Op::append(left, mine);
    }
    if (lane == 31) warps.at[warp] = mine;
    __syncthreads();
    if (warp > 0 && t < tasks) {
        S before = warps.at[0];
        for (int w = 1; w < warp; w++) before = Op::append(before, warps.at[w]);
        mine = Op::append(before, mine);
    }
    if (t < tasks) totals[t] = mine;
    __syncthreads();
}

/* ---- the kernel ---------------------------------------------------------------------- */

/* Tiles are handed out in order where they wait for each other. The block that is refused
 * last leaves the counter as it was. */
template <class P>
__device__ inline unsigned int
take_tile(const P &p, unsigned int tiles)
{
    const unsigned int mine = atomicAdd(p.taken, 1u);
    if (mine + 1 == tiles + gridDim.x) *p.taken = 0;
    return mine;
}

/* A block works on one tile while the next one is on its way. */
template <class Op, int N>
__device__ inline void
scan_tiles(const dense_scan_params<N> &p)
{
    typedef typename Op::S S;
    constexpr int in_size = sizeof(typename Op::SA),
                  out_size = sizeof(typename Op::OUT);
    constexpr int P = 16 / (in_size > out_size ? in_size : out_size);
    constexpr int U = tile_of<S>::size / P / 256;
    __shared__ tile_of<S> tile;
    __shared__ room<S, 256> totals;
    __shared__ room<partial<Op>, 256> before;
    __shared__ unsigned int taken;
    const unsigned int tiles = (unsigned int)(p.stacks * p.down);
    const bool ordered = p.down > 1;
    unsigned int number = blockIdx.x;
    elements<typename Op::SA, P> x[U];
    tile_place t, next;

    if (ordered) {
        if (threadIdx.x == 0) taken = take_tile(p, tiles);
        __syncthreads();
        number = taken;
    }
    if (number < tiles) {
        next = place_of(p, number);
        fetch_tile<Op, P, U>(p, next, x);
    }
    while (number < tiles) {
        t = next;
        put_tile<Op, P, U>(p, t, x, tile);
        __syncthreads();
        if (ordered && threadIdx.x == 0) taken = take_tile(p, tiles);

        /* Each thread its elements, then the threads of a sequence. */
        const int apart_c = p.rows ? t.length : 1,
                  apart_r = p.rows ? 1 : (int)p.columns;
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
        if (ways > 1 || ordered) {
            scan_totals_of_tile<Op>(totals.at, tasks < 256 ? tasks : 256, t.columns);
        }
        number = ordered ? taken : number + gridDim.x;
        if (number < tiles) {
            next = place_of(p, number);
            fetch_tile<Op, P, U>(p, next, x);
        }
        if (ordered) {
            look_back<Op>(p, t.down, t.stack, t.columns,
                          totals.at + (ways - 1) * t.columns, before.at);
        }

        /* What stands before a thread's elements goes in front of them. */
        if ((int)threadIdx.x < tasks && (ways > 1 || t.down > 0)) {
            const int y = threadIdx.x / t.columns, c = threadIdx.x - y * t.columns;
            const int end = (y + 1) * each < t.length ? (y + 1) * each : t.length;
            int i = c * apart_c + y * each * apart_r;
            partial<Op> start;
            start.n = 0;
            if (t.down > 0) start = before.at[c];
            if (y > 0) append_to<Op>(start, totals.at[threadIdx.x - t.columns]);
            if (start.n) {
#pragma unroll 8
                for (int r = y * each; r < end; r++, i += apart_r) {
                    tile[i] = Op::append(start.s, tile[i]);
                }
            }
        }
        __syncthreads();
        write_tile<Op, P, U>(p, t, tile);
        __syncthreads(); /* before the room is filled again */
    }
}

CUPRIC_END

#endif
