/* kernels/scan_dense.hpp: out[k, i] = in[k, 0] op … op in[k, i], i < n, in one pass over
 * memory. For Op see kernels/reduce.hpp. What does not fit here is in scan_shared.hpp.
 *
 * A tile is `columns` sequences, `length` elements of each.
 *
 *   runs      one sequence, or a piece of it, whose elements are neighbours. A warp has a
 *             run of the tile, a thread every 32nd pack of that: what lanes come to is
 *             scanned by shuffles.
 *   columns   neighbouring columns, a power of two: `across` threads with P columns each
 *             stand side by side, `ways` such rows of threads have `each` elements of a
 *             column, one after the other.
 *
 * A thread has packs of 16 bytes. They are copied to shared memory, each thread's to a
 * place of its own, where no other thread looks; then a tile is scanned in registers and
 * written from there. While a block is at work on a tile, the one or two that come next
 * (scan_ahead) are copied, added up and told, so that memory is read while what stands
 * before a tile is heard (see scan_told.hpp), and most of that has been told by then: a
 * tile waits for the slowest copy of some hundred tiles before it.
 *
 * Where tiles wait for those before them, as many blocks as there is room for take tiles
 * by number until there are none. A number is only held by a block that runs, and a block
 * waits for smaller numbers than it works on, so that the smallest always gets on. Each
 * block takes one number too many; the last of those takes the counter back to zero.
 *
 * Launch: a block of scan_block threads for each `turns` tiles, or as many as fit.
 */
#ifndef CUPRIC_KERNELS_SCAN_DENSE_HPP
#define CUPRIC_KERNELS_SCAN_DENSE_HPP

#include "cupric/kernels/scan_told.hpp"

CUPRIC_BEGIN

#if defined(__CUDA_ARCH__)
constexpr int scan_major = __CUDA_ARCH__ / 100;
#else
constexpr int scan_major = 0;
#endif
constexpr int scan_ahead = CUPRIC_SCAN_AHEAD(scan_major);
constexpr int scan_nbytes = CUPRIC_SCAN_NBYTES(scan_major);
/* Of this tile, those ahead, and the one after them. */
constexpr int scan_places = scan_ahead + 2;

/* Packs of a thread. */
template <class Op>
constexpr int scan_packs = scan_each<Op> / scan_pack<Op>;

/* Columns of tiles that others come after, at most. */
template <class Op>
constexpr int scan_columns_of =
    CUPRIC_SCAN_ABREAST(larger_of(sizeof(typename Op::SA), sizeof(typename Op::OUT)));

template <class Op>
struct scan_rooms {
    typedef elements<typename Op::SA, scan_pack<Op>> E;
    room<E, scan_packs<Op> * scan_block> packs[scan_ahead]; /* [pack][thread] */
    room<typename Op::S, scan_block * scan_pack<Op>> totals;
    talk_rooms<Op, scan_places, scan_columns_of<Op>> talk;
    tile_place place[scan_places];
};

/* ---- packs --------------------------------------------------------------------------- */

/* What a thread has of a tile: `packs` packs, `in_step` bytes from each to its next. */
struct scan_part {
    const char *from;
    char *to;
    long long in_step, out_step;
    int packs, left, fewer;

    /* Elements of pack u that are there: none, if not above 0. */
    __device__ int there(int u) const { return u < packs ? left - u * fewer : 0; }
};

/* Where a thread stands: `row` rows of threads before it, and c columns. */
struct scan_stand {
    int across, row, c;
};

template <class Op, class PARAMS>
__device__ inline scan_stand
stand_of(const PARAMS &p)
{
    scan_stand s;
    s.across = (int)p.columns / scan_pack<Op>;
    s.row = threadIdx.x >> (31 - __clz(s.across));
    s.c = (threadIdx.x & (s.across - 1)) * scan_pack<Op>;
    return s;
}

template <class Op, int KIND, class PARAMS>
__device__ inline scan_part
part_of(const PARAMS &p, const tile_place &t)
{
    constexpr int P = scan_pack<Op>, U = scan_packs<Op>;
    constexpr int in_size = sizeof(typename Op::SA),
                  out_size = sizeof(typename Op::OUT);
    scan_part a;
    if constexpr (KIND == scan_of_run) {
        const int first = threadIdx.x / 32 * 32 * U * P + threadIdx.x % 32 * P;
        a.from = t.in + first * in_size;
        a.to = t.out + first * out_size;
        a.in_step = 32 * P * in_size;
        a.out_step = 32 * P * out_size;
        a.packs = U;
        a.left = t.length - first;
        a.fewer = 32 * P;
    } else {
        const scan_stand s = stand_of<Op>(p);
        const int first = s.row * (int)p.each, rows = t.length - first;
        a.from = t.in + first * p.in_step + s.c * in_size;
        a.to = t.out + first * p.out_step + s.c * out_size;
        a.in_step = p.in_step;
        a.out_step = p.out_step;
        a.packs = rows < p.each ? rows : (int)p.each;
        a.left = t.columns - s.c;
        a.fewer = 0;
    }
    return a;
}

/* From global to shared memory, for this thread: there after wait_for_copies. */
template <class E>
__device__ inline void
copy_pack(E *to, const char *from)
{
#if __CUDA_ARCH__ >= 800
    if constexpr (sizeof(E) >= 4) {
        const unsigned int at = (unsigned int)__cvta_generic_to_shared(to);
        if constexpr (sizeof(E) == 16) {
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at),
                         "l"(from)
                         : "memory");
        } else {
            asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at),
                         "l"(from), "n"(sizeof(E))
                         : "memory");
        }
        return;
    }
#endif
    *to = *(const E *)from;
}

__device__ inline void
end_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* All but the LEFT tiles that came last are there. */
template <int LEFT>
__device__ inline void
wait_for_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory");
#endif
}

template <class Op, int KIND, class PARAMS>
__device__ inline void
copy_tile(const PARAMS &p, const tile_place &t, int ahead, scan_rooms<Op> &r)
{
    typedef typename Op::SA SA;
    constexpr int P = scan_pack<Op>, U = scan_packs<Op>;
    typedef elements<SA, P> E;
    const scan_part a = part_of<Op, KIND>(p, t);
    const bool packed =
        ((unsigned long long)a.from | (unsigned long long)a.in_step) % sizeof(E) == 0;
    E *const to = r.packs[ahead].at + threadIdx.x;
    if (packed) {
#pragma unroll
        for (int u = 0; u < U; u++) {
            if (a.there(u) >= P) copy_pack(to + u * scan_block, a.from + u * a.in_step);
        }
    }
    end_copies();
    if (packed && a.fewer == 0 && a.left >= P) return;
#pragma unroll 4
    for (int u = 0; u < U; u++) {
        const int n = a.there(u);
        E e = {};
        if (n <= 0 || (packed && n >= P)) continue;
#pragma unroll
        for (int k = 0; k < P; k++) {
            if (k < n)
                e.at[k] = ((const elements<SA, 1> *)(a.from + u * a.in_step))[k].at[0];
        }
        to[u * scan_block] = e;
    }
}

template <class Op>
__device__ inline void
take_pack(typename Op::S (&x)[scan_pack<Op>], int u, int ahead, const scan_rooms<Op> &r)
{
    const typename scan_rooms<Op>::E e =
        r.packs[ahead].at[u * scan_block + threadIdx.x];
#pragma unroll
    for (int k = 0; k < scan_pack<Op>; k++) x[k] = mapped_alone<Op>(e.at[k]);
}

template <class Op, int KIND, class PARAMS>
__device__ inline void
write_tile(const typename Op::S (&x)[scan_packs<Op>][scan_pack<Op>], const PARAMS &p,
           const tile_place &t)
{
    typedef typename Op::OUT OUT;
    constexpr int P = scan_pack<Op>, U = scan_packs<Op>;
    typedef elements<OUT, P> E;
    const scan_part a = part_of<Op, KIND>(p, t);
    const bool packed =
        ((unsigned long long)a.to | (unsigned long long)a.out_step) % sizeof(E) == 0;
#pragma unroll
    for (int u = 0; u < U; u++) {
        const int n = a.there(u);
        char *const to = a.to + u * a.out_step;
        E e;
#pragma unroll
        for (int k = 0; k < P; k++) e.at[k] = finished_alone<Op>(x[u][k]);
        if (packed && n >= P) {
            *(E *)to = e;
        } else {
#pragma unroll
            for (int k = 0; k < P; k++) {
                if (k < n) ((elements<OUT, 1> *)to)[k].at[0] = e.at[k];
            }
        }
    }
}

/* ---- sums ---------------------------------------------------------------------------- */

/* Adds up the tile of a place, that lies in shared memory, and tells it. Its packs are
 * whole or not there at all, as others come after it. */
template <class Op, int KIND, class PARAMS>
__device__ inline void
sum_tile(const PARAMS &p, int place, int ahead, scan_rooms<Op> &r)
{
    typedef typename Op::S S;
    constexpr int P = scan_pack<Op>, U = scan_packs<Op>;
    const tile_place &t = r.place[place];
    const scan_part a = part_of<Op, KIND>(p, t);
    const int lane = threadIdx.x % 32;
    S sum[P];
    partial<Op> acc;
    int sets, width = 1;
    if (t.down + 1 == p.down) return;
    take_pack<Op>(sum, 0, ahead, r);
#pragma unroll 2
    for (int u = 1; u < U; u++) {
        S x[P];
        if (a.there(u) <= 0) continue;
        take_pack<Op>(x, u, ahead, r);
#pragma unroll
        for (int k = 0; k < P; k++) sum[k] = Op::append(sum[k], x[k]);
    }
    if constexpr (KIND == scan_of_run) {
        acc.s = sum[0];
        acc.n = a.there(0) > 0;
#pragma unroll
        for (int k = 1; k < P; k++) acc.s = Op::append(acc.s, sum[k]);
        for (int by = 16; by > 0; by /= 2) {
            accumulate<Op>(acc, from_lane_below(acc, by));
        }
        if (lane == 0) r.totals.at[threadIdx.x / 32] = acc.s;
        sets = (t.length + 32 * U * P - 1) / (32 * U * P);
    } else {
        const scan_stand s = stand_of<Op>(p);
        const int in_warp = s.across < 32 ? 32 / s.across : 1;
        const int ways = (t.length + (int)p.each - 1) / (int)p.each;
        width = s.across * P;
        sets = (ways + in_warp - 1) / in_warp;
#pragma unroll
        for (int k = 0; k < P; k++) {
            acc.s = sum[k];
            acc.n = a.packs > 0;
            for (int by = 16; by >= s.across; by /= 2) {
                accumulate<Op>(acc, from_lane_below(acc, by));
            }
            if (lane < s.across && s.row / in_warp < sets) {
                r.totals.at[s.row / in_warp * width + s.c + k] = acc.s;
            }
        }
    }
    __syncthreads();
    if ((int)threadIdx.x < t.columns) {
        S total = r.totals.at[threadIdx.x];
        for (int w = 1; w < sets; w++) {
            total = Op::append(total, r.totals.at[w * width + threadIdx.x]);
        }
        tell_tile<Op>(p, t.down, t.stack, total, place, r.talk);
    }
}

/* ---- scans --------------------------------------------------------------------------- */

template <class Op, int P>
__device__ inline void
put_before(const typename Op::S &start, typename Op::S (&x)[P])
{
#pragma unroll
    for (int k = 0; k < P; k++) x[k] = Op::append(start, x[k]);
}

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

/* The elements of a warp's run; totals: of each warp. */
template <class Op>
__device__ inline void
scan_run(typename Op::S (&x)[scan_packs<Op>][scan_pack<Op>], scan_rooms<Op> &r)
{
    constexpr int P = scan_pack<Op>, U = scan_packs<Op>;
    scan_warp<Op, U, P>(x, threadIdx.x % 32);
    if (threadIdx.x % 32 == 31) r.totals.at[threadIdx.x / 32] = x[U - 1][P - 1];
}

/* What stands before a run goes in front of it. Only whole runs come before another. */
template <class Op>
__device__ inline void
finish_run(typename Op::S (&x)[scan_packs<Op>][scan_pack<Op>], bool follows,
           scan_rooms<Op> &r)
{
    const int warp = threadIdx.x / 32;
    partial<Op> start;
    start.n = 0;
    if (follows) start = r.talk.before.at[0];
    for (int w = 0; w < warp; w++) append_to<Op>(start, r.totals.at[w]);
    if (!start.n) return;
#pragma unroll
    for (int u = 0; u < scan_packs<Op>; u++) put_before<Op>(start.s, x[u]);
}

/* A thread's columns, then the rows of threads of a warp; totals: of each warp, or row
 * wider than one. upto: what its row and those before it come to. */
template <class Op, class PARAMS>
__device__ inline void
scan_columns(typename Op::S (&x)[scan_packs<Op>][scan_pack<Op>],
             typename Op::S (&upto)[scan_pack<Op>], const PARAMS &p, int rows,
             scan_rooms<Op> &r)
{
    typedef typename Op::S S;
    constexpr int P = scan_pack<Op>, U = scan_packs<Op>;
    const scan_stand s = stand_of<Op>(p);
    const int lane = threadIdx.x % 32, width = s.across * P;
    const int in_warp = s.across < 32 ? 32 / s.across : 1;
#pragma unroll
    for (int u = 1; u < U; u++) {
#pragma unroll
        for (int k = 0; k < P; k++) {
            x[u][k] = u < rows ? Op::append(x[u - 1][k], x[u][k]) : x[u - 1][k];
        }
    }
#pragma unroll
    for (int k = 0; k < P; k++) upto[k] = x[U - 1][k];
    for (int by = s.across; by < 32; by *= 2) {
#pragma unroll
        for (int k = 0; k < P; k++) {
            const S above = from_lane_above(upto[k], by);
            if (lane >= by) upto[k] = Op::append(above, upto[k]);
        }
    }
    if (s.row % in_warp == in_warp - 1) {
#pragma unroll
        for (int k = 0; k < P; k++) {
            r.totals.at[s.row / in_warp * width + s.c + k] = upto[k];
        }
    }
}

template <class Op, class PARAMS>
__device__ inline void
finish_columns(typename Op::S (&x)[scan_packs<Op>][scan_pack<Op>],
               const typename Op::S (&upto)[scan_pack<Op>], const PARAMS &p,
               bool follows, scan_rooms<Op> &r)
{
    typedef typename Op::S S;
    const scan_stand s = stand_of<Op>(p);
    const int lane = threadIdx.x % 32, width = s.across * scan_pack<Op>;
    const int set = s.across < 32 ? threadIdx.x / 32 : s.row;
#pragma unroll
    for (int k = 0; k < scan_pack<Op>; k++) {
        partial<Op> start;
        start.n = 0;
        if (follows) start = r.talk.before.at[s.c + k];
        for (int w = 0; w < set; w++)
            append_to<Op>(start, r.totals.at[w * width + s.c + k]);
        if (s.across < 32) {
            const S above = from_lane_above(upto[k], s.across);
            if (lane >= s.across) append_to<Op>(start, above);
        }
        if (!start.n) continue;
#pragma unroll
        for (int u = 0; u < scan_packs<Op>; u++) x[u][k] = Op::append(start.s, x[u][k]);
    }
}

/* ---- the kernel ---------------------------------------------------------------------- */

/* The number of a block's i-th tile; past the last one there is none. */
template <class PARAMS>
__device__ inline unsigned int
take_number(const PARAMS &p, int i)
{
    if (p.turns) {
        return i < p.turns ? blockIdx.x * (unsigned int)p.turns + i
                           : (unsigned int)p.tiles;
    }
    const unsigned int number = atomicAdd(p.taken, 1u);
    if (number == (unsigned int)p.tiles + gridDim.x - 1) *p.taken = 0;
    return number;
}

/* The numbers of a block's first tiles, up to one that is not there. */
template <class PARAMS, class ROOMS>
__device__ inline void
take_first(const PARAMS &p, ROOMS &r)
{
    bool more = true;
    for (int i = 0; i <= scan_ahead; i++) {
        r.place[i].there = 0;
        if (!more) continue;
        find_tile(p, take_number(p, i), r.place[i]);
        more = r.place[i].there;
    }
}

/* Copies the tiles of the first places, adds them up and tells them. */
template <class Op, int KIND, class PARAMS>
__device__ inline void
start_tiles(const PARAMS &p, scan_rooms<Op> &r)
{
#pragma unroll 1
    for (int i = 0; i < scan_ahead; i++) {
        if (r.place[i].there)
            copy_tile<Op, KIND>(p, r.place[i], i, r);
        else
            end_copies();
    }
#pragma unroll 1
    for (int i = 0; i < scan_ahead; i++) {
        if (i + 1 < scan_ahead)
            wait_for_copies<scan_ahead - 1>();
        else
            wait_for_copies<0>();
        if (p.down == 1 || !r.place[i].there) continue;
        if (i > 0) __syncthreads(); /* totals are read */
        sum_tile<Op, KIND>(p, i, i, r);
    }
}

template <class Op, int KIND, int N>
__device__ inline void
scan_tiles(const dense_scan_params<N> &p)
{
    constexpr int P = scan_pack<Op>, U = scan_packs<Op>;
    static_assert(U * P == scan_each<Op>, "a thread has whole packs");
    static_assert(sizeof(scan_rooms<Op>) <= scan_nbytes, "what the launch asks for");
    extern __shared__ double2 scan_memory[];
    scan_rooms<Op> &r = *(scan_rooms<Op> *)scan_memory;
    if (threadIdx.x == 0) take_first(p, r);
    __syncthreads();
    if (!r.place[0].there) return;
    start_tiles<Op, KIND>(p, r);
    int here = 0, ahead = 0; /* the place of this tile, and where it was copied to */
    for (int i = scan_ahead + 1;; i++) {
        typename Op::S x[U][P], upto[P];
        unsigned int number = 0;
        __syncthreads();
        const int next = (here + 1) % scan_places;
        const int last = (here + scan_ahead) % scan_places;
        const int after = (last + 1) % scan_places;
        const tile_place &t = r.place[here];
        const bool more = r.place[last].there;
#pragma unroll
        for (int u = 0; u < U; u++) take_pack<Op>(x[u], u, ahead, r);
        if (more) {
            if (threadIdx.x == 0) number = take_number(p, i);
            copy_tile<Op, KIND>(p, r.place[last], ahead, r);
        }
        if constexpr (KIND == scan_of_run)
            scan_run<Op>(x, r);
        else
            scan_columns<Op>(x, upto, p, part_of<Op, KIND>(p, t).packs, r);
        if (p.down > 1)
            look_back<Op>(p, t.down, t.stack, t.columns, here, r.talk);
        else
            __syncthreads();
        if constexpr (KIND == scan_of_run)
            finish_run<Op>(x, t.down > 0, r);
        else
            finish_columns<Op>(x, upto, p, t.down > 0, r);
        write_tile<Op, KIND>(x, p, t);
        wait_for_copies<0>();
        if (threadIdx.x == 0) {
            r.place[after].there = 0;
            if (more) find_tile(p, number, r.place[after]);
        }
        if (more && p.down > 1) {
            __syncthreads(); /* totals are read */
            sum_tile<Op, KIND>(p, last, ahead, r);
        }
        if (!r.place[next].there) break;
        here = next;
        ahead = (ahead + 1) % scan_ahead;
    }
}

CUPRIC_END

#endif
