/* kernels/scan_dense.hpp: out[k, i] = in[k, 0] op … op in[k, i], i < n, in one pass over
 * memory. For Op see kernels/reduce.hpp. What does not fit here is in scan_shared.hpp.
 *
 * A tile is `columns` sequences, `length` elements of each.
 *
 *   runs      one sequence, or a piece of it, whose elements are neighbours. A warp has a
 *             run of the tile, a thread every 32nd vector of that: what lanes come to is
 *             scanned by shuffles.
 *   columns   neighbouring columns, a power of two: `across` threads with P columns each
 *             are neighbours, `ways` such rows of threads have `each` elements of a
 *             column, one after the other.
 *
 * A thread has vectors of 16 bytes. They are copied to shared memory, each thread's to
 * addresses that no other thread reads; then a tile is scanned in registers and written
 * from there. It is a pipeline: while a block works on a tile, the next one or two
 * (scan_ahead) are copied and reduced, and their aggregates published, so that memory is
 * read during the look-back (see scan_lookback.hpp), which finds most of what it needs
 * published: a tile waits for the slowest copy of some hundred tiles before it.
 *
 * Where tiles depend on those before them, as many blocks as fit on the device take tiles
 * in the order of tickets, until there are none. A ticket is held by a running block only,
 * and a block waits for smaller tickets than its own, so that the smallest always makes
 * progress. Each block takes one ticket too many; the last of those resets the counter.
 *
 * Launch: a block of scan_block threads for every `tiles_per_block` tiles, or as many
 * blocks as fit.
 */
#ifndef CUPRIC_KERNELS_SCAN_DENSE_HPP
#define CUPRIC_KERNELS_SCAN_DENSE_HPP

#include "cupric/kernels/scan_lookback.hpp"

CUPRIC_BEGIN

#if defined(__CUDA_ARCH__)
constexpr int scan_major = __CUDA_ARCH__ / 100;
#else
constexpr int scan_major = 0;
#endif
constexpr int scan_ahead = CUPRIC_SCAN_AHEAD(scan_major);
constexpr int scan_nbytes = CUPRIC_SCAN_NBYTES(scan_major);
/* Of this tile, those ahead, and the one after them. */
constexpr int scan_stages = scan_ahead + 2;

/* Vectors of a thread. */
template <class Op>
constexpr int scan_vectors = scan_each<Op> / scan_vector<Op>;

/* Columns of a tile that others depend on, at most. */
template <class Op>
constexpr int scan_columns_of = CUPRIC_SCAN_MAX_COLUMNS(
    larger_of(sizeof(typename Op::SA), sizeof(typename Op::OUT)));

template <class Op>
struct scan_storage {
    typedef elements<typename Op::SA, scan_vector<Op>> E;
    uninitialized<E, scan_vectors<Op> * scan_block>
        vectors[scan_ahead]; /* [vector][thread] */
    uninitialized<typename Op::S, scan_block * scan_vector<Op>> totals;
    lookback_storage<Op, scan_stages, scan_columns_of<Op>> lookback;
    tile_position stage[scan_stages];
};

/* ---- vectors --------------------------------------------------------------------------- */

/* What a thread has of a tile: `vectors` vectors, `in_step` bytes from each to its next. */
struct scan_part {
    const char *from;
    char *to;
    long long in_step, out_step;
    int vectors, left, fewer;

    /* Elements of vector u, none if not above 0. */
    __device__ int remaining(int u) const { return u < vectors ? left - u * fewer : 0; }
};

/* A thread's position: `row` rows of threads and c columns come before it. */
struct scan_thread {
    int across, row, c;
};

template <class Op, class PARAMS>
__device__ inline scan_thread
thread_of(const PARAMS &p)
{
    scan_thread s;
    s.across = (int)p.columns / scan_vector<Op>;
    s.row = threadIdx.x >> (31 - __clz(s.across));
    s.c = (threadIdx.x & (s.across - 1)) * scan_vector<Op>;
    return s;
}

template <class Op, int KIND, class PARAMS>
__device__ inline scan_part
part_of(const PARAMS &p, const tile_position &t)
{
    constexpr int P = scan_vector<Op>, U = scan_vectors<Op>;
    constexpr int in_size = sizeof(typename Op::SA),
                  out_size = sizeof(typename Op::OUT);
    scan_part a;
    if constexpr (KIND == scan_of_run) {
        const int first = threadIdx.x / 32 * 32 * U * P + threadIdx.x % 32 * P;
        a.from = t.in + first * in_size;
        a.to = t.out + first * out_size;
        a.in_step = 32 * P * in_size;
        a.out_step = 32 * P * out_size;
        a.vectors = U;
        a.left = t.length - first;
        a.fewer = 32 * P;
    } else {
        const scan_thread s = thread_of<Op>(p);
        const int first = s.row * (int)p.each, rows = t.length - first;
        a.from = t.in + first * p.in_step + s.c * in_size;
        a.to = t.out + first * p.out_step + s.c * out_size;
        a.in_step = p.in_step;
        a.out_step = p.out_step;
        a.vectors = rows < p.each ? rows : (int)p.each;
        a.left = t.columns - s.c;
        a.fewer = 0;
    }
    return a;
}

/* From global to shared memory, for this thread: complete after wait_for_copies. */
template <class E>
__device__ inline void
copy_vector(E *to, const char *from)
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

/* All but the last LEFT tiles have been copied. */
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
copy_tile(const PARAMS &p, const tile_position &t, int ahead, scan_storage<Op> &r)
{
    typedef typename Op::SA SA;
    constexpr int P = scan_vector<Op>, U = scan_vectors<Op>;
    typedef elements<SA, P> E;
    const scan_part a = part_of<Op, KIND>(p, t);
    const bool vectorized =
        ((unsigned long long)a.from | (unsigned long long)a.in_step) % sizeof(E) == 0;
    E *const to = r.vectors[ahead].at + threadIdx.x;
    if (vectorized) {
#pragma unroll
        for (int u = 0; u < U; u++) {
            if (a.remaining(u) >= P)
                copy_vector(to + u * scan_block, a.from + u * a.in_step);
        }
    }
    end_copies();
    if (vectorized && a.fewer == 0 && a.left >= P) return;
#pragma unroll 4
    for (int u = 0; u < U; u++) {
        const int n = a.remaining(u);
        E e = {};
        if (n <= 0 || (vectorized && n >= P)) continue;
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
load_vector(typename Op::S (&x)[scan_vector<Op>], int u, int ahead,
            const scan_storage<Op> &r)
{
    const typename scan_storage<Op>::E e =
        r.vectors[ahead].at[u * scan_block + threadIdx.x];
#pragma unroll
    for (int k = 0; k < scan_vector<Op>; k++) x[k] = map_element<Op>(e.at[k]);
}

template <class Op, int KIND, class PARAMS>
__device__ inline void
write_tile(const typename Op::S (&x)[scan_vectors<Op>][scan_vector<Op>],
           const PARAMS &p, const tile_position &t)
{
    typedef typename Op::OUT OUT;
    constexpr int P = scan_vector<Op>, U = scan_vectors<Op>;
    typedef elements<OUT, P> E;
    const scan_part a = part_of<Op, KIND>(p, t);
    const bool vectorized =
        ((unsigned long long)a.to | (unsigned long long)a.out_step) % sizeof(E) == 0;
#pragma unroll
    for (int u = 0; u < U; u++) {
        const int n = a.remaining(u);
        char *const to = a.to + u * a.out_step;
        E e;
#pragma unroll
        for (int k = 0; k < P; k++) e.at[k] = finish_element<Op>(x[u][k]);
        if (vectorized && n >= P) {
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

/* Reduces the tile of a stage, which lies in shared memory, and publishes its aggregate.
 * Its vectors are whole or empty, as other tiles follow it. */
template <class Op, int KIND, class PARAMS>
__device__ inline void
sum_tile(const PARAMS &p, int stage, int ahead, scan_storage<Op> &r)
{
    typedef typename Op::S S;
    constexpr int P = scan_vector<Op>, U = scan_vectors<Op>;
    const tile_position &t = r.stage[stage];
    const scan_part a = part_of<Op, KIND>(p, t);
    const int lane = threadIdx.x % 32;
    S sum[P];
    partial<Op> acc;
    int sets, width = 1;
    if (t.down + 1 == p.down) return;
    load_vector<Op>(sum, 0, ahead, r);
#pragma unroll 2
    for (int u = 1; u < U; u++) {
        S x[P];
        if (a.remaining(u) <= 0) continue;
        load_vector<Op>(x, u, ahead, r);
#pragma unroll
        for (int k = 0; k < P; k++) sum[k] = Op::append(sum[k], x[k]);
    }
    if constexpr (KIND == scan_of_run) {
        acc.s = sum[0];
        acc.n = a.remaining(0) > 0;
#pragma unroll
        for (int k = 1; k < P; k++) acc.s = Op::append(acc.s, sum[k]);
        for (int by = 16; by > 0; by /= 2) {
            accumulate<Op>(acc, shuffle_down(acc, by));
        }
        if (lane == 0) r.totals.at[threadIdx.x / 32] = acc.s;
        sets = (t.length + 32 * U * P - 1) / (32 * U * P);
    } else {
        const scan_thread s = thread_of<Op>(p);
        const int in_warp = s.across < 32 ? 32 / s.across : 1;
        const int ways = (t.length + (int)p.each - 1) / (int)p.each;
        width = s.across * P;
        sets = (ways + in_warp - 1) / in_warp;
#pragma unroll
        for (int k = 0; k < P; k++) {
            acc.s = sum[k];
            acc.n = a.vectors > 0;
            for (int by = 16; by >= s.across; by /= 2) {
                accumulate<Op>(acc, shuffle_down(acc, by));
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
        publish_tile<Op>(p, t.down, t.stack, total, stage, r.lookback);
    }
}

/* ---- scans --------------------------------------------------------------------------- */

template <class Op, int P>
__device__ inline void
prepend(const typename Op::S &start, typename Op::S (&x)[P])
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
            const S left = shuffle_up(upto[u], by);
            if (lane >= by) upto[u] = Op::append(left, upto[u]);
        }
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        const S row = shuffle_from(upto[u], 31);
        S start = shuffle_up(upto[u], 1);
        if (u > 0) start = lane > 0 ? Op::append(carry, start) : carry;
        if (u > 0 || lane > 0) prepend<Op>(start, x[u]);
        carry = u > 0 ? Op::append(carry, row) : row;
    }
}

/* The elements of a warp's run; totals: of each warp. */
template <class Op>
__device__ inline void
scan_run(typename Op::S (&x)[scan_vectors<Op>][scan_vector<Op>], scan_storage<Op> &r)
{
    constexpr int P = scan_vector<Op>, U = scan_vectors<Op>;
    scan_warp<Op, U, P>(x, threadIdx.x % 32);
    if (threadIdx.x % 32 == 31) r.totals.at[threadIdx.x / 32] = x[U - 1][P - 1];
}

/* Applies the prefix of a run. Only whole runs come before another. */
template <class Op>
__device__ inline void
finish_run(typename Op::S (&x)[scan_vectors<Op>][scan_vector<Op>], bool follows,
           scan_storage<Op> &r)
{
    const int warp = threadIdx.x / 32;
    partial<Op> start;
    start.n = 0;
    if (follows) start = r.lookback.prefix.at[0];
    for (int w = 0; w < warp; w++) append_to<Op>(start, r.totals.at[w]);
    if (!start.n) return;
#pragma unroll
    for (int u = 0; u < scan_vectors<Op>; u++) prepend<Op>(start.s, x[u]);
}

/* A thread's columns, then the rows of threads of a warp; totals: of each warp, or row
 * wider than one. upto: what its row and those before it come to. */
template <class Op, class PARAMS>
__device__ inline void
scan_columns(typename Op::S (&x)[scan_vectors<Op>][scan_vector<Op>],
             typename Op::S (&upto)[scan_vector<Op>], const PARAMS &p, int rows,
             scan_storage<Op> &r)
{
    typedef typename Op::S S;
    constexpr int P = scan_vector<Op>, U = scan_vectors<Op>;
    const scan_thread s = thread_of<Op>(p);
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
            const S above = shuffle_up(upto[k], by);
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
finish_columns(typename Op::S (&x)[scan_vectors<Op>][scan_vector<Op>],
               const typename Op::S (&upto)[scan_vector<Op>], const PARAMS &p,
               bool follows, scan_storage<Op> &r)
{
    typedef typename Op::S S;
    const scan_thread s = thread_of<Op>(p);
    const int lane = threadIdx.x % 32, width = s.across * scan_vector<Op>;
    const int set = s.across < 32 ? threadIdx.x / 32 : s.row;
#pragma unroll
    for (int k = 0; k < scan_vector<Op>; k++) {
        partial<Op> start;
        start.n = 0;
        if (follows) start = r.lookback.prefix.at[s.c + k];
        for (int w = 0; w < set; w++)
            append_to<Op>(start, r.totals.at[w * width + s.c + k]);
        if (s.across < 32) {
            const S above = shuffle_up(upto[k], s.across);
            if (lane >= s.across) append_to<Op>(start, above);
        }
        if (!start.n) continue;
#pragma unroll
        for (int u = 0; u < scan_vectors<Op>; u++)
            x[u][k] = Op::append(start.s, x[u][k]);
    }
}

/* ---- the kernel ---------------------------------------------------------------------- */

/* The number of a block's i-th tile; not below p.tiles if there is none. */
template <class PARAMS>
__device__ inline unsigned int
take_ticket(const PARAMS &p, int i)
{
    if (p.tiles_per_block) {
        return i < p.tiles_per_block ? blockIdx.x * (unsigned int)p.tiles_per_block + i
                                     : (unsigned int)p.tiles;
    }
    const unsigned int number = atomicAdd(p.ticket, 1u);
    if (number == (unsigned int)p.tiles + gridDim.x - 1) *p.ticket = 0;
    return number;
}

/* The block's first tiles, up to one that does not exist. */
template <class PARAMS, class STORAGE>
__device__ inline void
take_first(const PARAMS &p, STORAGE &r)
{
    bool more = true;
    for (int i = 0; i <= scan_ahead; i++) {
        r.stage[i].valid = 0;
        if (!more) continue;
        find_tile(p, take_ticket(p, i), r.stage[i]);
        more = r.stage[i].valid;
    }
}

/* Copies and reduces the tiles of the first stages, and publishes their aggregates. */
template <class Op, int KIND, class PARAMS>
__device__ inline void
start_tiles(const PARAMS &p, scan_storage<Op> &r)
{
#pragma unroll 1
    for (int i = 0; i < scan_ahead; i++) {
        if (r.stage[i].valid)
            copy_tile<Op, KIND>(p, r.stage[i], i, r);
        else
            end_copies();
    }
#pragma unroll 1
    for (int i = 0; i < scan_ahead; i++) {
        if (i + 1 < scan_ahead)
            wait_for_copies<scan_ahead - 1>();
        else
            wait_for_copies<0>();
        if (p.down == 1 || !r.stage[i].valid) continue;
        if (i > 0) __syncthreads(); /* totals are read */
        sum_tile<Op, KIND>(p, i, i, r);
    }
}

template <class Op, int KIND, int N>
__device__ inline void
scan_tiles(const dense_scan_params<N> &p)
{
    constexpr int P = scan_vector<Op>, U = scan_vectors<Op>;
    static_assert(U * P == scan_each<Op>, "a thread has whole vectors");
    static_assert(sizeof(scan_storage<Op>) <= scan_nbytes, "what the launch asks for");
    extern __shared__ double2 scan_memory[];
    scan_storage<Op> &r = *(scan_storage<Op> *)scan_memory;
    if (threadIdx.x == 0) take_first(p, r);
    __syncthreads();
    if (!r.stage[0].valid) return;
    start_tiles<Op, KIND>(p, r);
    int here = 0, ahead = 0; /* stage of this tile, and buffer of its copy */
    for (int i = scan_ahead + 1;; i++) {
        typename Op::S x[U][P], upto[P];
        unsigned int number = 0;
        __syncthreads();
        const int next = (here + 1) % scan_stages;
        const int last = (here + scan_ahead) % scan_stages;
        const int after = (last + 1) % scan_stages;
        const tile_position &t = r.stage[here];
        const bool more = r.stage[last].valid;
#pragma unroll
        for (int u = 0; u < U; u++) load_vector<Op>(x[u], u, ahead, r);
        if (more) {
            if (threadIdx.x == 0) number = take_ticket(p, i);
            copy_tile<Op, KIND>(p, r.stage[last], ahead, r);
        }
        if constexpr (KIND == scan_of_run)
            scan_run<Op>(x, r);
        else
            scan_columns<Op>(x, upto, p, part_of<Op, KIND>(p, t).vectors, r);
        if (p.down > 1)
            look_back<Op>(p, t.down, t.stack, t.columns, here, r.lookback);
        else
            __syncthreads();
        if constexpr (KIND == scan_of_run)
            finish_run<Op>(x, t.down > 0, r);
        else
            finish_columns<Op>(x, upto, p, t.down > 0, r);
        write_tile<Op, KIND>(x, p, t);
        wait_for_copies<0>();
        if (threadIdx.x == 0) {
            r.stage[after].valid = 0;
            if (more) find_tile(p, number, r.stage[after]);
        }
        if (more && p.down > 1) {
            __syncthreads(); /* totals are read */
            sum_tile<Op, KIND>(p, last, ahead, r);
        }
        if (!r.stage[next].valid) break;
        here = next;
        ahead = (ahead + 1) % scan_ahead;
    }
}

CUPRIC_END

#endif
