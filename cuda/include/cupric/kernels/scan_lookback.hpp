/* kernels/scan_lookback.hpp: what the kernels of scan_dense.hpp and scan_shared.hpp share:
 * their parameters, the position of a tile, and the look-back that finds its prefix.
 *
 * Where a sequence is longer than a tile, `down` tiles make it up, in groups. Every tile
 * publishes its aggregate, and the last tile of a group that of the group. A tile looks
 * back: it combines the aggregates of the groups before its own and of the tiles of its
 * own group, in an order that depends on its position alone. So the result does not depend
 * on the order in which blocks run, and a chain of waits is two tiles long at most.
 *
 * Each 32-bit word of an aggregate is published together with the epoch of the launch, in
 * one store of 8 bytes: a reader that finds the epoch has a valid word.
 */
#ifndef CUPRIC_KERNELS_SCAN_LOOKBACK_HPP
#define CUPRIC_KERNELS_SCAN_LOOKBACK_HPP

#include "cupric/kernels/dense.hpp"

CUPRIC_BEGIN

constexpr int scan_block = CUPRIC_BLOCK;

/* Groups before its own of which a tile reads the tiles' aggregates: the group's is
 * published late, as its last tile has to look back first. */
constexpr int scan_nearby = 1;

/* Columns of a tile that others depend on, at most, whatever their type. */
constexpr int scan_max_columns = CUPRIC_SCAN_MAX_COLUMNS(1);

enum { scan_of_run, scan_of_columns };

template <int N>
struct dense_scan_params : cu_dense_scan_head {
    space<2, N> kept;
};

__device__ constexpr int
larger_of(int a, int b)
{
    return a > b ? a : b;
}

template <class Op>
constexpr int scan_each = CUPRIC_SCAN_EACH(larger_of(sizeof(typename Op::SA),
                                                     sizeof(typename Op::S)));

template <class Op>
constexpr int scan_vector = CUPRIC_SCAN_VECTOR(scan_each<Op>,
                                               larger_of(sizeof(typename Op::SA),
                                                         sizeof(typename Op::OUT)));

/* Shared memory of a block's look-back. */
template <class Op, int STAGES, int COLUMNS>
struct lookback_storage {
    uninitialized<partial<Op>, scan_block> partials;
    uninitialized<partial<Op>, COLUMNS> prefix; /* of the tile, by column */
    uninitialized<typename Op::S, COLUMNS>
        own[STAGES]; /* aggregates of the tiles in flight */
};

/* ---- publishing and looking back ----------------------------------------------------- */

template <class S>
__device__ inline void
publish(unsigned long long *at, const S &x, unsigned int epoch)
{
    words<S> w;
    w.value = x;
#pragma unroll
    for (int k = 0; k < int(sizeof w.word / 4); k++) {
        ((volatile unsigned long long *)at)[k] =
            (unsigned long long)epoch << 32 | w.word[k];
    }
}

__device__ inline unsigned long long *
at_row(unsigned long long *published, int i, unsigned int words)
{
    return published + (unsigned long long)(unsigned int)i * words;
}

/* Appends to acc the aggregates published at from(j), from(j + step), … below end. M of
 * them are polled at a time, until each has been published. */
template <class Op, class FROM>
__device__ inline void
append_published(partial<Op> &acc, int j, int end, int step, unsigned int epoch,
                 const FROM &from)
{
    typedef typename Op::S S;
    constexpr int W = (sizeof(S) + 3) / 4, M = W > 1 ? 1 : 2;
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
combine_partials(partial<Op> acc, int columns,
                 uninitialized<partial<Op>, scan_block> &partials)
{
    const int lanes = scan_block / columns;
    int rows = lanes;
    __syncthreads(); /* the shared memory is free again */
    if (columns == 1) {
#pragma unroll
        for (int by = 16; by > 0; by /= 2) {
            accumulate<Op>(acc, shuffle_down(acc, by));
        }
        rows = scan_block / 32;
        if (threadIdx.x % 32 == 0) partials.at[threadIdx.x / 32] = acc;
    } else {
        partials.at[threadIdx.x] = acc;
        if (rows > 8) {
            combine_rows<Op>(partials.at, rows, columns);
            rows = 1;
        }
    }
    __syncthreads();
    if ((int)threadIdx.x < columns) {
        acc = partials.at[threadIdx.x];
        for (int r = 1; r < rows; r++) {
            accumulate<Op>(acc, partials.at[r * columns + threadIdx.x]);
        }
    }
    return acc;
}

template <class Op, class P, class STORAGE>
__device__ inline void
publish_tile(const P &p, int tile, int stack, const typename Op::S &total, int stage,
             STORAGE &r)
{
    constexpr int W = (sizeof(typename Op::S) + 3) / 4;
    publish(p.published +
                ((tile * p.stacks + stack) * p.columns + (int)threadIdx.x) * W,
            total, (unsigned int)p.epoch);
    r.own[stage].at[threadIdx.x] = total;
}

/* The exclusive prefix of a tile, by column, in r.prefix; r.own[stage] is the tile's own
 * aggregate. */
template <class Op, class P, class STORAGE>
__device__ inline void
look_back(const P &p, int tile, int stack, int columns, int stage, STORAGE &r)
{
    constexpr int W = (sizeof(typename Op::S) + 3) / 4;
    const int size = (int)p.group, group = tile / size, first = group * size;
    const unsigned int row = (unsigned int)(p.stacks * p.columns * W);
    const bool mine = (int)threadIdx.x < columns;
    const bool closes = tile + 1 == first + size && tile + 1 < p.down;
    const unsigned int epoch = (unsigned int)p.epoch;
    const int lane = threadIdx.x / columns, column = threadIdx.x - lane * columns;
    const int lanes = scan_block / columns;
    unsigned long long *const tiles = p.published + (stack * p.columns + column) * W;
    const int down = (int)p.down; /* groups are stored behind the tiles */

    /* Of `far` groups the groups' aggregates, then those of tiles. */
    const int far = group > scan_nearby ? group - scan_nearby : 0;
    const int near = far * size;
    partial<Op> acc, here;
    here.n = 0;
    if (closes) {
        acc.n = 0;
        if (lane < lanes) {
            append_published<Op>(acc, first + lane, tile, lanes, epoch,
                                 [=](int j) { return at_row(tiles, j, row); });
        }
        here = combine_partials<Op>(acc, columns, r.partials);
        if (mine) {
            partial<Op> all = here;
            append_to<Op>(all, r.own[stage].at[threadIdx.x]);
            publish(at_row(tiles, down + group, row), all.s, epoch);
        }
    }
    acc.n = 0;
    if (lane < lanes) {
        append_published<Op>(
            acc, lane, far + (closes ? first : tile) - near, lanes, epoch, [=](int j) {
                return at_row(tiles, j < far ? down + j : j - far + near, row);
            });
    }
    acc = combine_partials<Op>(acc, columns, r.partials);
    if (mine) {
        if (closes && here.n) append_to<Op>(acc, here.s);
        r.prefix.at[threadIdx.x] = acc;
    }
    __syncthreads();
}

/* ---- a tile -------------------------------------------------------------------------- */

/* Its position and extent. */
struct tile_position {
    int stack, down;
    const char *in;
    char *out;
    int columns, length, valid;
};

template <class PARAMS>
__device__ inline void
find_tile(const PARAMS &p, unsigned int number, tile_position &t)
{
    const unsigned int stacks = (unsigned int)p.stacks,
                       abreast = (unsigned int)p.across;
    const unsigned int down = number / stacks, stack = number - down * stacks;
    const unsigned int outer = stack / abreast;
    const long long first = down * p.length;
    const long long column = (long long)(stack - outer * abreast) * p.columns;
    long long at[2];
    t.valid = number < p.tiles;
    if (!t.valid) return;
    locate<long long>(p.kept, outer * p.width + column, at);
    t.down = down;
    t.stack = stack;
    t.columns = (int)(p.width - column < p.columns ? p.width - column : p.columns);
    t.length = (int)(p.n - first < p.length ? p.n - first : p.length);
    t.in = address(p.op[0]) + at[0] + first * p.in_step;
    t.out = address(p.op[1]) + at[1] + first * p.out_step;
}

template <class Op>
__device__ inline typename Op::S
map_element(const typename stored_type<typename Op::SA>::type x)
{
    return Op::map(as_input<Op>(x), typename Op::B(), typename Op::N(0), 0);
}

template <class Op>
__device__ inline typename Op::OUT
finish_element(const typename Op::S &x)
{
    return Op::finish(x, typename Op::N(0), typename Op::N(0));
}

CUPRIC_END

#endif
