/* kernels/scan_told.hpp: what the kernels of scan_dense.hpp and scan_shared.hpp share: their
 * parameters, the place of a tile, and what tiles tell each other.
 *
 * Where a sequence is longer than a tile, `down` tiles make it up, in groups: every tile
 * tells what it comes to, the last of a group what the group does, and a tile adds up the
 * groups and the tiles before it, those of a group at hand one by one, in an order that
 * depends on its place alone. So the result does not depend on when anybody came, and no
 * tile waits for more than two others in turn.
 *
 * A word of what is told goes with the epoch of the launch in one store of 8 bytes: who
 * sees the epoch has the word.
 */
#ifndef CUPRIC_KERNELS_SCAN_TOLD_HPP
#define CUPRIC_KERNELS_SCAN_TOLD_HPP

#include "cupric/kernels/dense.hpp"

CUPRIC_BEGIN

constexpr int scan_block = CUPRIC_BLOCK;

/* Groups before its own of which a tile hears the tiles themselves: a group's sum is told
 * late, as its last tile has to hear the others first. */
constexpr int scan_nearby = 1;

/* Columns of tiles that others come after, at most, whatever their type. */
constexpr int scan_abreast = CUPRIC_SCAN_ABREAST(1);

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
constexpr int scan_pack = CUPRIC_SCAN_PACK(scan_each<Op>,
                                           larger_of(sizeof(typename Op::SA),
                                                     sizeof(typename Op::OUT)));

/* What the threads of a block hand each other as they look back. */
template <class Op, int PLACES, int ABREAST>
struct talk_rooms {
    room<partial<Op>, scan_block> heard;
    room<partial<Op>, ABREAST> before;         /* the tile, for each column */
    room<typename Op::S, ABREAST> own[PLACES]; /* the sums of tiles at work on */
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

__device__ inline unsigned long long *
at_row(unsigned long long *told, int i, unsigned int words)
{
    return told + (unsigned long long)(unsigned int)i * words;
}

/* Adds to acc what is told at from(j), from(j + step), … below end. M of them are asked
 * for at a time, and those not yet told once more. */
template <class Op, class FROM>
__device__ inline void
hear(partial<Op> &acc, int j, int end, int step, unsigned int epoch, const FROM &from)
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

template <class Op, class P, class ROOMS>
__device__ inline void
tell_tile(const P &p, int tile, int stack, const typename Op::S &total, int place,
          ROOMS &r)
{
    constexpr int W = (sizeof(typename Op::S) + 3) / 4;
    tell(p.told + ((tile * p.stacks + stack) * p.columns + (int)threadIdx.x) * W, total,
         (unsigned int)p.epoch);
    r.own[place].at[threadIdx.x] = total;
}

/* What stands before a tile, for each column, in r.before; r.own[place] is what the tile
 * comes to. */
template <class Op, class P, class ROOMS>
__device__ inline void
look_back(const P &p, int tile, int stack, int columns, int place, ROOMS &r)
{
    constexpr int W = (sizeof(typename Op::S) + 3) / 4;
    const int size = (int)p.group, group = tile / size, first = group * size;
    const unsigned int row = (unsigned int)(p.stacks * p.columns * W);
    const bool mine = (int)threadIdx.x < columns;
    const bool closes = tile + 1 == first + size && tile + 1 < p.down;
    const unsigned int epoch = (unsigned int)p.epoch;
    const int lane = threadIdx.x / columns, column = threadIdx.x - lane * columns;
    const int lanes = scan_block / columns;
    unsigned long long *const tiles = p.told + (stack * p.columns + column) * W;
    const int down = (int)p.down; /* the first group stands after the last tile */

    /* As many groups, and the tiles from there on. */
    const int far = group > scan_nearby ? group - scan_nearby : 0;
    const int near = far * size;
    partial<Op> acc, here;
    here.n = 0;
    if (closes) {
        acc.n = 0;
        if (lane < lanes) {
            hear<Op>(acc, first + lane, tile, lanes, epoch,
                     [=](int j) { return at_row(tiles, j, row); });
        }
        here = combine_heard<Op>(acc, columns, r.heard);
        if (mine) {
            partial<Op> all = here;
            append_to<Op>(all, r.own[place].at[threadIdx.x]);
            tell(at_row(tiles, down + group, row), all.s, epoch);
        }
    }
    acc.n = 0;
    if (lane < lanes) {
        hear<Op>(acc, lane, far + (closes ? first : tile) - near, lanes, epoch,
                 [=](int j) {
                     return at_row(tiles, j < far ? down + j : j - far + near, row);
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
    int stack, down;
    const char *in;
    char *out;
    int columns, length, there;
};

template <class PARAMS>
__device__ inline void
find_tile(const PARAMS &p, unsigned int number, tile_place &t)
{
    const unsigned int stacks = (unsigned int)p.stacks,
                       abreast = (unsigned int)p.abreast;
    const unsigned int down = number / stacks, stack = number - down * stacks;
    const unsigned int outer = stack / abreast;
    const long long first = down * p.length;
    const long long column = (long long)(stack - outer * abreast) * p.columns;
    long long at[2];
    t.there = number < p.tiles;
    if (!t.there) return;
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
mapped_alone(const typename stored_type<typename Op::SA>::type x)
{
    return Op::map(as_input<Op>(x), typename Op::B(), typename Op::N(0), 0);
}

template <class Op>
__device__ inline typename Op::OUT
finished_alone(const typename Op::S &x)
{
    return Op::finish(x, typename Op::N(0), typename Op::N(0));
}

CUPRIC_END

#endif
