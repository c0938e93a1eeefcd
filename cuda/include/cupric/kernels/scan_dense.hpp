/* kernels/scan_dense.hpp: out[k, i] = in[k, 0] op … op in[k, i], i < n, in one pass over
 * memory. For Op see kernels/reduce.hpp.
 *
 * A block takes a tile: `columns` sequences, `length` elements of each.
 *
 *   scan_run      one sequence, or a piece of it, whose elements are neighbours. A warp has
 *                 a run of the tile, a thread every 32nd pack of that: what lanes come to
 *                 is scanned by shuffles.
 *   scan_columns  neighbouring columns, a power of two: `across` threads with P columns
 *                 each stand side by side, `ways` such rows of threads have `each` elements
 *                 of a column, one after the other.
 *   scan_shared   the rest, by way of shared memory: short rows that follow each other,
 *                 and narrow matrices without gaps. `ways` threads run through `each`
 *                 elements of a sequence, then their totals are scanned.
 *
 * The first two have a tile in registers, and read and write it in packs of 16 bytes
 * straight away: no pass through shared memory, where rows of a power of two meet in one
 * bank. While a thread looks at other tiles it puts its own elements aside there.
 *
 * Where a sequence is longer than a tile, `down` tiles make it up, in groups: every tile
 * tells what it comes to, the last of a group what the group does, and a tile adds up the
 * groups and the tiles before it, those of a group at hand one by one, in an order that
 * depends on its place alone. So the result does not depend on when anybody came, and no
 * tile waits for more than two others in turn.
 *
 * A word of what is told goes with the epoch of the launch in one store of 8 bytes: who
 * sees the epoch has the word. That a tile's blocks before it run too is what CUB's scans
 * count on as well: blocks start in the order of their numbers, and stay until they end.
 *
 * Launch: a block of scan_block threads for each tile.
 */
#ifndef CUPRIC_KERNELS_SCAN_DENSE_HPP
#define CUPRIC_KERNELS_SCAN_DENSE_HPP

#include "cupric/kernels/reduce_dense.hpp"

CUPRIC_BEGIN

constexpr int scan_block = 256;

/* Groups before its own of which a tile hears the tiles themselves: a group's sum is told
 * late, as its last tile has to hear the others first. */
constexpr int scan_nearby = 1;

/* Columns of tiles that others come after, at most. */
constexpr int scan_abreast = 64;

enum { scan_of_run, scan_of_columns, scan_of_rest };

template <int N>
struct dense_scan_params {
    slot op[2];                  /* in, out */
    long long n, width;          /* of all: elements of a sequence; sequences abreast */
    long long in_step, out_step; /* bytes from an element of a sequence to its next */
    long long columns, length, ways, each;
    long long kind;            /* scan_of_run, … */
    long long rows;            /* the rest: whether sequences are rows */
    long long stacks, abreast; /* of tiles: in all, and side by side in the width */
    long long down, group;     /* tiles of a stack, and of a group */
    unsigned long long *told;  /* of tiles, then of groups: [tile][stack][column] */
    long long epoch;
    space<2, N> kept;
};

/* Elements of a thread, and the tile that they make: 32 KiB, as many of smaller types as
 * of those of 4 bytes, and a fourth of these of 16 bytes. */
template <class S>
constexpr int scan_each = sizeof(S) <= 4   ? 32
                          : sizeof(S) == 8 ? 16
                                           : 4;

__device__ constexpr int
scan_pack_of(int each, int in_size, int out_size)
{
    const int pack = 16 / (in_size > out_size ? in_size : out_size);
    return pack < each ? pack : each;
}

template <class Op>
constexpr int scan_pack = scan_pack_of(scan_each<typename Op::S>,
                                       sizeof(typename Op::SA),
                                       sizeof(typename Op::OUT));

/* Packs of a thread. */
template <class Op>
constexpr int scan_packs = scan_each<typename Op::S> / scan_pack<Op>;

template <class S>
struct alignas(16) tile_of {
    static constexpr int width = sizeof(S), size = scan_block * scan_each<S>;
    static constexpr int line = 128 / width, gap = width < 4 ? 4 / width : 1;
    room<S, size + size / line * gap> place;

    __device__ S &operator[](int i) { return place.at[apart<width>(i)]; }
};

/* What the threads of a block hand each other. */
template <class Op>
struct scan_rooms {
    tile_of<typename Op::S> tile;
    room<typename Op::S, scan_block / 32 * scan_abreast> totals;
    room<partial<Op>, scan_block> heard;
    room<partial<Op>, scan_abreast> before; /* the tile, for each column */
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

/* Adds to acc what is told at from(j), from(j + step), … below end. M of them are asked
 * for at a time, and those not yet told once more. */
template <class Op, class FROM>
__device__ inline void
hear(partial<Op> &acc, long long j, long long end, int step, unsigned int epoch,
     const FROM &from)
{
    typedef typename Op::S S;
    constexpr int W = (sizeof(S) + 3) / 4, M = W > 2 ? 1 : 4 / W;
    for (; j < end; j += M * step) {
        unsigned long long x[M][W];
        bool all;
#pragma unroll
        for (int m = 0; m < M; m++) {
#pragma unroll
            for (int k = 0; k < W; k++) x[m][k] = 0;
        }
        do {
            all = true;
#pragma unroll
            for (int m = 0; m < M; m++) {
                if (j + m * step >= end) continue;
                const volatile unsigned long long *const at = from(j + m * step);
#pragma unroll
                for (int k = 0; k < W; k++) {
                    if ((unsigned int)(x[m][k] >> 32) != epoch) x[m][k] = at[k];
                }
            }
#pragma unroll
            for (int m = 0; m < M; m++) {
#pragma unroll
                for (int k = 0; k < W; k++) {
                    all &=
                        j + m * step >= end || (unsigned int)(x[m][k] >> 32) == epoch;
                }
            }
        } while (!all);
#pragma unroll
        for (int m = 0; m < M; m++) {
            words<S> w;
            if (j + m * step >= end) continue;
#pragma unroll
            for (int k = 0; k < W; k++) w.word[k] = (unsigned int)x[m][k];
            append_to<Op>(acc, w.value);
        }
    }
}

/* The accumulators of all threads, of which every `columns` th is of one column, combined
 * for each column: valid in the threads below `columns`. */
template <class Op>
__device__ inline partial<Op>
combine_heard(partial<Op> acc, int columns, room<partial<Op>, scan_block> &heard)
{
    const int lanes = scan_block / columns;
    int rows = lanes;
    __syncthreads(); /* the room of the call before is read */
    if (columns == 1) {
#pragma unroll
        for (int by = 16; by > 0; by /= 2) {
            accumulate<Op>(acc, from_lane_below(acc, by));
        }
        rows = scan_block / 32;
        if (threadIdx.x % 32 == 0) heard.at[threadIdx.x / 32] = acc;
    } else {
        heard.at[threadIdx.x] = acc;
        if (rows > 8) {
            combine_rows<Op>(heard.at, rows, columns);
            rows = 1;
        }
    }
    __syncthreads();
    if ((int)threadIdx.x < columns) {
        acc = heard.at[threadIdx.x];
        for (int r = 1; r < rows; r++) {
            accumulate<Op>(acc, heard.at[r * columns + threadIdx.x]);
        }
    }
    return acc;
}

/* What stands before a tile, for each column, in r.before; the threads below `columns`
 * bring in `total` what the tile comes to. */
template <class Op, class P>
__device__ inline void
look_back(const P &p, long long tile, long long stack, int columns,
          const typename Op::S &total, scan_rooms<Op> &r)
{
    constexpr int W = (sizeof(typename Op::S) + 3) / 4;
    const long long group = tile / p.group, first = group * p.group;
    const long long row = p.stacks * p.columns * W; /* words of a tile or group */
    const bool mine = (int)threadIdx.x < columns;
    const bool closes = tile + 1 == first + p.group && tile + 1 < p.down;
    const unsigned int epoch = (unsigned int)p.epoch;
    const int lane = threadIdx.x / columns, column = threadIdx.x - lane * columns;
    const int lanes = scan_block / columns;
    unsigned long long *const tiles = p.told + (stack * p.columns + column) * W;
    unsigned long long *const groups = tiles + p.down * row;

    if (mine && tile + 1 < p.down) tell(tiles + tile * row, total, epoch);

    /* As many groups, and the tiles from there on. */
    const long long far = group > scan_nearby ? group - scan_nearby : 0;
    const long long near = far * p.group;
    partial<Op> acc, here;
    here.n = 0;
    if (closes) {
        acc.n = 0;
        if (lane < lanes) {
            hear<Op>(acc, first + lane, tile, lanes, epoch,
                     [=](long long j) { return tiles + j * row; });
        }
        here = combine_heard<Op>(acc, columns, r.heard);
        if (mine) {
            partial<Op> all = here;
            append_to<Op>(all, total);
            tell(groups + group * row, all.s, epoch);
        }
    }
    acc.n = 0;
    if (lane < lanes) {
        hear<Op>(acc, lane, far + (closes ? first : tile) - near, lanes, epoch,
                 [=](long long j) {
                     return j < far ? groups + j * row : tiles + (j - far + near) * row;
                 });
    }
    acc = combine_heard<Op>(acc, columns, r.heard);
    if (mine) {
        if (closes && here.n) append_to<Op>(acc, here.s);
        r.before.at[threadIdx.x] = acc;
    }
    __syncthreads();
}

/* ---- a tile -------------------------------------------------------------------------- */

/* Where it is, and how much of it there is. */
struct tile_place {
    long long stack, down;
    const char *in;
    char *out;
    int columns, length;
};

template <class Op>
__device__ inline typename Op::S
mapped_alone(const typename held<typename Op::SA>::type x)
{
    return Op::map(as_input<Op>(x), typename Op::B(), typename Op::N(0), 0);
}

template <class Op>
__device__ inline typename Op::OUT
finished_alone(const typename Op::S &x)
{
    return Op::finish(x, typename Op::N(0), typename Op::N(0));
}

/* P neighbours, the first `n` of which are there: at once where they are all, and packs
 * are aligned. */
template <class T, int P>
__device__ inline void
read_pack(elements<T, P> &x, const char *from, int n, bool packed)
{
    if (packed && n >= P) {
        x = *(const elements<T, P> *)from;
    } else {
#pragma unroll
        for (int k = 0; k < P; k++) {
            if (k < n) x.at[k] = ((const elements<T, 1> *)from)[k].at[0];
        }
    }
}

template <class Op, int P>
__device__ inline void
write_pack(const typename Op::S (&x)[P], char *to, int n, bool packed)
{
    typedef typename Op::OUT OUT;
    elements<OUT, P> e;
#pragma unroll
    for (int k = 0; k < P; k++) e.at[k] = finished_alone<Op>(x[k]);
    if (packed && n >= P) {
        *(elements<OUT, P> *)to = e;
    } else {
#pragma unroll
        for (int k = 0; k < P; k++) {
            if (k < n) ((elements<OUT, 1> *)to)[k].at[0] = e.at[k];
        }
    }
}

template <class Op, int P>
__device__ inline void
put_before(const typename Op::S &start, typename Op::S (&x)[P])
{
#pragma unroll
    for (int k = 0; k < P; k++) x[k] = Op::append(start, x[k]);
}

template <class S>
struct alignas(16) sixteen_bytes {
    char at[16];
    __device__ S *values() { return (S *)at; }
};

/* A thread's elements to shared memory, and back: registers are needed for other things. */
template <class S, int U, int P>
__device__ inline void
put_aside(const S (&x)[U][P], tile_of<S> &tile)
{
    constexpr int V = 16 / sizeof(S), all = U * P / V;
    sixteen_bytes<S> *const to = (sixteen_bytes<S> *)&tile + threadIdx.x;
#pragma unroll
    for (int v = 0; v < all; v++) {
        sixteen_bytes<S> pack;
#pragma unroll
        for (int k = 0; k < V; k++) {
            pack.values()[k] = x[(v * V + k) / P][(v * V + k) % P];
        }
        to[v * scan_block] = pack;
    }
}

template <class S, int U, int P>
__device__ inline void
take_back(S (&x)[U][P], tile_of<S> &tile)
{
    constexpr int V = 16 / sizeof(S), all = U * P / V;
    sixteen_bytes<S> *const from = (sixteen_bytes<S> *)&tile + threadIdx.x;
#pragma unroll
    for (int v = 0; v < all; v++) {
        sixteen_bytes<S> pack = from[v * scan_block];
#pragma unroll
        for (int k = 0; k < V; k++) {
            x[(v * V + k) / P][(v * V + k) % P] = pack.values()[k];
        }
    }
}

/* ---- one sequence -------------------------------------------------------------------- */

/* x: what a thread has of its warp's run, scanned as far as the run goes. */
template <class Op, int U, int P>
__device__ inline void
scan_warp(typename Op::S (&x)[U][P], int lane)
{
    typedef typename Op::S S;
    S upto[U], carry;
#pragma unroll
    for (int u = 0; u < U; u++) {
#pragma unroll
        for (int k = 1; k < P; k++) x[u][k] = Op::append(x[u][k - 1], x[u][k]);
        upto[u] = x[u][P - 1];
    }
#pragma unroll
    for (int by = 1; by < 32; by *= 2) {
#pragma unroll
        for (int u = 0; u < U; u++) {
            const S left = from_lane_above(upto[u], by);
            if (lane >= by) upto[u] = Op::append(left, upto[u]);
        }
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        const S row = from_lane(upto[u], 31);
        S start = from_lane_above(upto[u], 1);
        if (u > 0) start = lane > 0 ? Op::append(carry, start) : carry;
        if (u > 0 || lane > 0) put_before<Op>(start, x[u]);
        carry = u > 0 ? Op::append(carry, row) : row;
    }
}

/* Packs that are whole are read one after the other, without a branch between. */
template <class Op, int U, int P>
__device__ inline void
read_run(typename Op::S (&x)[U][P], const tile_place &t, int first)
{
    typedef typename Op::SA SA;
    typedef elements<SA, P> E;
    constexpr int step = 32 * P;
    const char *const from = t.in + (long long)first * (int)sizeof(SA);
    const bool packed = (unsigned long long)from % sizeof(E) == 0;
    E e[U] = {};
    if (packed) {
#pragma unroll
        for (int u = 0; u < U; u++) {
            if (first + u * step + P <= t.length) e[u] = ((const E *)from)[u * 32];
        }
    }
    if (!packed || t.length % P) {
#pragma unroll
        for (int u = 0; u < U; u++) {
            const int left = t.length - first - u * step;
            if (!packed || left < P) {
                read_pack<SA, P>(e[u], from + u * (int)sizeof(E) * 32, left, false);
            }
        }
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
#pragma unroll
        for (int k = 0; k < P; k++) x[u][k] = mapped_alone<Op>(e[u].at[k]);
    }
}

template <class Op, class PARAMS>
__device__ inline void
scan_run(const PARAMS &p, const tile_place &t, scan_rooms<Op> &r)
{
    typedef typename Op::S S;
    typedef typename Op::OUT OUT;
    constexpr int P = scan_pack<Op>, U = scan_packs<Op>, run = 32 * U * P;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int first = warp * run + lane * P, left = t.length - warp * run;
    S x[U][P];

    read_run<Op, U, P>(x, t, first);
    scan_warp<Op, U, P>(x, lane);
    if (left >= run) {
        if (lane == 31) r.totals.at[warp] = x[U - 1][P - 1];
    } else {
#pragma unroll
        for (int u = 0; u < U; u++) {
#pragma unroll
            for (int k = 0; k < P; k++) {
                if ((u * 32 + lane) * P + k == left - 1) r.totals.at[warp] = x[u][k];
            }
        }
    }
    __syncthreads();
    if (p.down > 1) {
        S total;
        put_aside(x, r.tile);
        if (threadIdx.x == 0) {
            total = r.totals.at[0];
            for (int w = 1; w * run < t.length; w++) {
                total = Op::append(total, r.totals.at[w]);
            }
        }
        look_back<Op>(p, t.down, t.stack, 1, total, r);
        take_back(x, r.tile);
    }
    if (left <= 0) return;
    partial<Op> start;
    start.n = 0;
    if (t.down > 0) start = r.before.at[0];
    for (int w = 0; w < warp; w++) append_to<Op>(start, r.totals.at[w]);

    char *const to = t.out + (long long)first * (int)sizeof(OUT);
    const bool packed = (unsigned long long)to % sizeof(elements<OUT, P>) == 0;
#pragma unroll
    for (int u = 0; u < U; u++) {
        if (start.n) put_before<Op>(start.s, x[u]);
        write_pack<Op, P>(x[u], to + u * 32 * (int)sizeof(elements<OUT, P>),
                          t.length - first - u * 32 * P, packed);
    }
}

/* ---- columns ------------------------------------------------------------------------- */

/* The columns of a tile from `origin` on, as many as `across` threads have. */
template <class Op, class PARAMS>
__device__ inline void
scan_columns(const PARAMS &p, const tile_place &t, int origin, int across,
             scan_rooms<Op> &r)
{
    typedef typename Op::S S;
    typedef typename Op::SA SA;
    typedef typename Op::OUT OUT;
    constexpr int P = scan_pack<Op>, U = scan_packs<Op>;
    typedef elements<SA, P> E;
    S *const totals = p.down > 1 ? r.totals.at : r.tile.place.at;
    const int y = threadIdx.x >> (31 - __clz(across));
    const int c = (threadIdx.x & (across - 1)) * P, width = across * P;
    const int lane = threadIdx.x % 32, there = t.columns - origin - c;
    const int each = (int)p.each, ways = (t.length + each - 1) / each;
    const int left = t.length - y * each, rows = left < each ? left : each;
    const char *const from =
        t.in + y * each * p.in_step + (origin + c) * (int)sizeof(SA);
    char *const to = t.out + y * each * p.out_step + (origin + c) * (int)sizeof(OUT);
    S x[U][P], upto[P];
    E e[U] = {};

    if (((unsigned long long)from | (unsigned long long)p.in_step) % sizeof(E) == 0 &&
        there >= P) {
#pragma unroll
        for (int u = 0; u < U; u++) {
            if (u < rows) e[u] = *(const E *)(from + u * p.in_step);
        }
    } else {
#pragma unroll
        for (int u = 0; u < U; u++) {
            if (u < rows) {
                read_pack<SA, P>(e[u], from + u * p.in_step, there, false);
            }
        }
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
#pragma unroll
        for (int k = 0; k < P; k++) {
            x[u][k] = mapped_alone<Op>(e[u].at[k]);
            if (u > 0)
                x[u][k] = u < rows ? Op::append(x[u - 1][k], x[u][k]) : x[u - 1][k];
        }
    }
#pragma unroll
    for (int k = 0; k < P; k++) upto[k] = x[U - 1][k];

    /* The rows of threads of a warp, then the warps, or rows wider than one. */
    const int in_warp = across < 32 ? 32 / across : 1;
    for (int by = across; by < 32; by *= 2) {
#pragma unroll
        for (int k = 0; k < P; k++) {
            const S above = from_lane_above(upto[k], by);
            if (lane >= by) upto[k] = Op::append(above, upto[k]);
        }
    }
    const int set = y / in_warp, sets = (ways + in_warp - 1) / in_warp;
    if (ways > 1 || p.down > 1) {
        const int last = (set + 1) * in_warp < ways ? (set + 1) * in_warp : ways;
        if (y == last - 1) {
#pragma unroll
            for (int k = 0; k < P; k++) totals[set * width + c + k] = upto[k];
        }
        __syncthreads();
    }
    if (p.down > 1) {
        S total;
        put_aside(x, r.tile);
        if ((int)threadIdx.x < t.columns) {
            total = totals[threadIdx.x];
            for (int s = 1; s < sets; s++) {
                total = Op::append(total, totals[s * width + threadIdx.x]);
            }
        }
        look_back<Op>(p, t.down, t.stack, t.columns, total, r);
        take_back(x, r.tile);
    }
    const bool aligned = ((unsigned long long)to | (unsigned long long)p.out_step) %
                             sizeof(elements<OUT, P>) ==
                         0;
    const bool inner = across < 32 && lane >= across;
#pragma unroll
    for (int k = 0; k < P; k++) {
        partial<Op> start;
        start.n = 0;
        if (t.down > 0 && k < there) start = r.before.at[c + k];
        for (int s = 0; s < set; s++) append_to<Op>(start, totals[s * width + c + k]);
        if (across < 32) {
            const S above = from_lane_above(upto[k], across);
            if (inner) append_to<Op>(start, above);
        }
        if (start.n) {
#pragma unroll
            for (int u = 0; u < U; u++) x[u][k] = Op::append(start.s, x[u][k]);
        }
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        if (u < rows) write_pack<Op, P>(x[u], to + u * p.out_step, there, aligned);
    }
}

/* ---- by way of shared memory --------------------------------------------------------- */

/* The elements of a tile, one run of memory. */
template <class Op, int P>
__device__ inline void
bring_run(const char *in, int all, tile_of<typename Op::S> &tile)
{
    typedef elements<typename Op::SA, P> E;
    constexpr int U = P < 4 ? 8 : 32 / P;
    typedef typename Op::N N;
    const typename Op::B b = typename Op::B();
    int done = 0;
    if ((unsigned long long)in % sizeof(E) == 0) {
        const int packs = all / P;
        for (int v = threadIdx.x; v < packs; v += U * scan_block) {
            E x[U];
#pragma unroll
            for (int u = 0; u < U; u++) {
                if (v + u * scan_block < packs)
                    x[u] = ((const E *)in)[v + u * scan_block];
            }
#pragma unroll
            for (int u = 0; u < U; u++) {
                if (v + u * scan_block >= packs) continue;
#pragma unroll
                for (int k = 0; k < P; k++) {
                    tile[(v + u * scan_block) * P + k] =
                        Op::map(as_input<Op>(x[u].at[k]), b, N(0), 0);
                }
            }
        }
        done = packs * P;
    }
#pragma unroll 8
    for (int i = done + threadIdx.x; i < all; i += scan_block) {
        tile[i] =
            Op::map(input<Op>(in + (long long)i * sizeof(typename Op::SA)), b, N(0), 0);
    }
}

template <class Op, int P>
__device__ inline void
return_run(char *out, int all, tile_of<typename Op::S> &tile)
{
    typedef typename Op::OUT OUT;
    typedef elements<OUT, P> E;
    typedef typename Op::N N;
    int done = 0;
    if ((unsigned long long)out % sizeof(E) == 0) {
        const int packs = all / P;
        for (int v = threadIdx.x; v < packs; v += scan_block) {
            E x;
#pragma unroll
            for (int k = 0; k < P; k++) {
                x.at[k] = Op::finish(tile[v * P + k], N(0), N(0));
            }
            ((E *)out)[v] = x;
        }
        done = packs * P;
    }
    for (int i = done + threadIdx.x; i < all; i += scan_block) {
        store(out + (long long)i * sizeof(OUT), Op::finish(tile[i], N(0), N(0)));
    }
}

template <class Op, class PARAMS>
__device__ inline void
scan_shared(const PARAMS &p, const tile_place &t, scan_rooms<Op> &r)
{
    typedef typename Op::S S;
    constexpr int P = scan_pack<Op>;
    tile_of<S> &tile = r.tile;
    bring_run<Op, P>(t.in, t.columns * t.length, tile);
    __syncthreads();

    /* Each thread its elements, then the threads of a sequence. Those of a row stand side
     * by side: rows of a power of two begin in one bank. */
    const int apart_c = p.rows ? t.length : 1, apart_r = p.rows ? 1 : t.columns;
    const int each = (int)p.each, ways = (t.length + each - 1) / each;
    const int tasks = ways * t.columns, beside = p.rows ? ways : t.columns;
    const int apart_y = p.rows ? 1 : t.columns; /* tasks */
    int begin = 0, end = 0, y = 0, c = 0;
    for (int task = threadIdx.x; task < tasks; task += scan_block) {
        const int outer = ways == 1 ? 0 : task / beside, inner = task - outer * beside;
        y = ways == 1 ? 0 : p.rows ? inner : outer;
        c = ways == 1 ? task : p.rows ? outer : inner;
        end = (y + 1) * each < t.length ? each : t.length - y * each;
        begin = c * apart_c + y * each * apart_r;
        int i = begin;
        S acc = tile[i];
#pragma unroll 8
        for (int j = 1; j < end; j++) {
            i += apart_r;
            acc = Op::append(acc, tile[i]);
            tile[i] = acc;
        }
        if (task < scan_block) r.totals.at[task] = acc;
    }
    for (int by = 1; by < ways; by *= 2) {
        S left;
        const bool has = (int)threadIdx.x < tasks && y >= by;
        __syncthreads();
        if (has) left = r.totals.at[threadIdx.x - by * apart_y];
        __syncthreads();
        if (has) r.totals.at[threadIdx.x] = Op::append(left, r.totals.at[threadIdx.x]);
    }
    __syncthreads();
    if (p.down > 1) {
        S total;
        if ((int)threadIdx.x < t.columns)
            total = r.totals.at[(ways - 1) * t.columns + threadIdx.x];
        look_back<Op>(p, t.down, t.stack, t.columns, total, r);
    }

    /* What stands before a thread's elements goes in front of them. */
    if ((int)threadIdx.x < tasks && (ways > 1 || t.down > 0)) {
        partial<Op> start;
        start.n = 0;
        if (t.down > 0) start = r.before.at[c];
        if (y > 0) append_to<Op>(start, r.totals.at[threadIdx.x - apart_y]);
        if (start.n) {
            int i = begin;
#pragma unroll 8
            for (int j = 0; j < end; j++, i += apart_r) {
                tile[i] = Op::append(start.s, tile[i]);
            }
        }
    }
    __syncthreads();
    return_run<Op, P>(t.out, t.columns * t.length, tile);
}

/* ---- the kernel ---------------------------------------------------------------------- */

template <class Op, int N>
__device__ inline void
scan_tiles(const dense_scan_params<N> &p)
{
    typedef typename Op::S S;
    constexpr int P = scan_pack<Op>;
    static_assert(scan_packs<Op> * P == scan_each<S>, "a thread has whole packs");
    __shared__ scan_rooms<Op> r;
    tile_place t;

    /* Which sequences, and which elements of theirs. */
    t.down = blockIdx.x / (unsigned int)p.stacks;
    t.stack = blockIdx.x % (unsigned int)p.stacks;
    const long long outer = t.stack / p.abreast, across = t.stack - outer * p.abreast;
    const long long first = t.down * p.length, column = across * p.columns;
    long long at[2];
    locate<long long>(p.kept, outer * p.width + column, at);
    t.columns = (int)(p.width - column < p.columns ? p.width - column : p.columns);
    t.length = (int)(p.n - first < p.length ? p.n - first : p.length);
    t.in = address(p.op[0]) + at[0] + first * p.in_step;
    t.out = address(p.op[1]) + at[1] + first * p.out_step;

    if (p.kind == scan_of_run) {
        scan_run<Op>(p, t, r);
    } else if (p.kind == scan_of_columns) {
        const int lanes = (int)p.columns / P;
        const int most = lanes < scan_block ? lanes : scan_block;
        for (int c = 0; c < t.columns; c += scan_block * P) {
            scan_columns<Op>(p, t, c, most, r);
        }
    } else {
        scan_shared<Op>(p, t, r);
    }
}

CUPRIC_END

#endif
