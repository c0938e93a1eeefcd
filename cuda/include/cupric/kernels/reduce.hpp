/* kernels/reduce.hpp: out[k] = finish(combine of map(a[k, j], b[k, j]) over j < n).
 *
 * The generated struct `Op`: A, B computed inputs, SA, SB stored, IA, IB immediate; S the
 * accumulator; OUT the stored result; map, combine, finish; `append`, which is combine
 * where the second operand comes later; identity(); `starts`: the identity is combined
 * with every result; `skips`: elements of which the first
 * input is NaN are left out; `is_plain`: S is a number; `is_moments`: S is a `moments`, and b of
 * map is what elements are counted from. Operands: inputs, output, mask.
 *
 *   reduce_rows     `lanes` threads (a power of two up to 32, or the whole block of 256)
 *                   for each result; where reduced elements are the denser ones
 *   reduce_columns  a block of 32 x 8 threads for 32 results; where kept ones are
 *   reduce_serial   a thread for each result, from left to right; operations whose
 *                   operands may not be regrouped
 *
 * These take any layout; kernels/reduce_dense.hpp has those for neighbours in memory.
 *
 * Launch: x over results, y over parts of the elements. Partial results lie in scratch,
 * [part][result]; of the blocks of one x, the last to finish joins them, in the order of
 * the parts. What is cut depends on shape and device alone, so results repeat.
 */
#ifndef CUPRIC_KERNELS_REDUCE_HPP
#define CUPRIC_KERNELS_REDUCE_HPP

#include "cupric/kernels/group.hpp"
#include "cupric/kernels/moments.hpp"
#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

template <int K, int NK, int NR>
struct reduce_params : cu_reduce_head {
    slot op[K];
    space<K, NK> kept;
    space<K, NR> reduced;
};

/* An accumulator of n elements (only whether n is zero counts where nothing is masked). */
template <class Op>
struct partial {
    typename Op::S s;
    typename Op::count_type n;
};

template <class Op>
__device__ inline void
accumulate(partial<Op> &acc, const partial<Op> &x)
{
    if (x.n == 0) return;
    acc.s = acc.n == 0 ? x.s : Op::combine(acc.s, x.s);
    acc.n += x.n;
}

/* The element at p as Op takes it. */
template <class Op>
__device__ inline typename Op::A
input(const char *p)
{
    return convert<typename Op::A>(load<typename Op::SA>(p));
}

/* b of map where nothing is stored for it. */
template <class Op>
__device__ inline typename Op::B
origin(const char *first)
{
    if constexpr (Op::is_moments)
        return finite_or_zero(input<Op>(first));
    else
        return typename Op::B();
}

/* Element j of the result at `base`. */
template <class Op, class I, class P, int K>
__device__ inline partial<Op>
element(const P &p, const I (&base)[K], I j)
{
    I at[K];
    partial<Op> x;
    locate<I>(p.reduced, j, at);
    x.n = 1;
    if constexpr (Op::masked) {
        x.n = load<bool>(address(p.op[K - 1]) + base[K - 1] + at[K - 1]);
        if (x.n == 0) return x;
    }
    typename Op::A a;
    typename Op::B b;
    if constexpr (Op::IA)
        a = convert<typename Op::A>(value_of<typename Op::SA>(p.op[0]));
    else
        a = input<Op>(address(p.op[0]) + base[0] + at[0]);
    if constexpr (Op::skips) {
        x.n = !is_nan(a);
        if (x.n == 0) return x;
    }
    if constexpr (Op::is_moments) {
        if constexpr (Op::IA)
            b = finite_or_zero(a);
        else
            b = origin<Op>(address(p.op[0]) + base[0]);
    } else if constexpr (Op::nin > 1) {
        if constexpr (Op::IB)
            b = convert<typename Op::B>(value_of<typename Op::SB>(p.op[1]));
        else
            b = convert<typename Op::B>(
                load<typename Op::SB>(address(p.op[1]) + base[1] + at[1]));
    }
    x.s = Op::map(a, b, (typename Op::N)p.param, j);
    return x;
}

/* Elements j, j + lanes, … of the tiles of this part. Parts take turns: each has every tile
 * that lies `parts` further on, so that blocks side by side read what is side by side. */
template <class Op, class I, class P, int K>
__device__ inline partial<Op>
run_through(const P &p, const I (&base)[K], I lane, I lanes)
{
    constexpr int U = 4;
    const I end = (I)p.reduced.size, tile = U * lanes, stride = (I)p.parts * tile;
    partial<Op> acc;
    acc.n = 0;
    I j = (I)blockIdx.y * tile + lane;
    for (; j < end && end - j > (U - 1) * lanes; j += stride) {
        partial<Op> x[U];
#pragma unroll
        for (int u = 0; u < U; u++) x[u] = element<Op>(p, base, (I)(j + u * lanes));
#pragma unroll
        for (int by = 1; by < U; by *= 2) {
#pragma unroll
            for (int u = 0; u + by < U; u += 2 * by) accumulate<Op>(x[u], x[u + by]);
        }
        accumulate<Op>(acc, x[0]);
    }
    for (; j < end; j += lanes) accumulate<Op>(acc, element<Op>(p, base, j));
    return acc;
}

/* Combine over groups of `lanes` neighbours, a power of two; valid in the first. */
template <class Op>
__device__ inline partial<Op>
combine_lanes(partial<Op> acc, int lanes)
{
    __shared__ uninitialized<partial<Op>, 16> warps;
    for (int by = (lanes < 32 ? lanes : 32) / 2; by > 0; by /= 2) {
        accumulate<Op>(acc, shuffle_down(acc, by));
    }
    if (lanes <= 32) return acc;
    const int warp = threadIdx.x / 32;
    __syncthreads(); /* the shared memory is free again */
    if (threadIdx.x % 32 == 0) warps.at[warp] = acc;
    __syncthreads();
    const int each = lanes / 32, lane = threadIdx.x % 32;
    if (warp % each == 0) {
        acc.n = 0;
        if (lane < each) acc = warps.at[warp + lane];
        for (int by = each / 2; by > 0; by /= 2) {
            accumulate<Op>(acc, shuffle_down(acc, by));
        }
    }
    return acc;
}

/* The rows of a matrix in shared memory, `width` wide, combined into the first one. */
template <class Op>
__device__ inline void
combine_rows(partial<Op> *at, int rows, int width)
{
    while (rows > 1) {
        const int half = (rows + 1) / 2;
        __syncthreads();
        for (int e = threadIdx.x; e < (rows - half) * width; e += blockDim.x) {
            accumulate<Op>(at[e], at[e + half * width]);
        }
        rows = half;
    }
    __syncthreads();
}

/* What is stored for an accumulator. */
template <class Op, class P>
__device__ inline typename Op::OUT
result_of(const P &p, partial<Op> acc)
{
    if constexpr (Op::is_plain) {
        typename Op::S start = Op::identity();
        if (p.has_initial) {
            start = convert<typename Op::S>(value_of<typename Op::RES>(p.initial));
        }
        if (acc.n == 0)
            acc.s = start;
        else if ((p.has_initial || Op::starts) && !Op::serial)
            acc.s = Op::combine(start, acc.s);
    } else if (acc.n == 0) {
        acc.s = Op::identity(); /* all were masked: nothing has been set */
    }
    const double count = Op::masked || Op::skips ? (double)acc.n : p.count;
    return Op::finish(acc.s, (typename Op::N)count, (typename Op::N)p.param);
}

template <class Op, class I, class P>
__device__ inline void
emit(const P &p, const partial<Op> &acc, I result)
{
    I at[sizeof p.op / sizeof p.op[0]];
    locate<I>(p.kept, result, at);
    store(address(p.op[Op::nin]) + at[Op::nin], result_of<Op>(p, acc));
}

/* ---- parts --------------------------------------------------------------------------- */

template <class Op, class P>
__device__ inline void
put_partial(const P &p, const partial<Op> &acc, long long result)
{
    ((partial<Op> *)p.scratch)[blockIdx.y * p.kept.size + result] = acc;
}

/* What is loaded at once of a partial result, as __ldcg takes it. */
template <int NBYTES>
struct cached_unit {
    typedef unsigned int type;
};
template <>
struct cached_unit<8> {
    typedef uint2 type;
};
template <>
struct cached_unit<16> {
    typedef uint4 type;
};

/* What another block put there. */
template <class Op>
__device__ inline partial<Op>
get_partial(const partial<Op> *place)
{
    constexpr int size = sizeof(partial<Op>);
    typedef typename cached_unit<size % 16 == 0  ? 16
                                 : size % 8 == 0 ? 8
                                                 : 4>::type unit;
    constexpr int N = size / sizeof(unit);
    static_assert(size % sizeof(unit) == 0, "moved in whole units");
    union pieces {
        unit piece[N];
        partial<Op> value;
        __device__ pieces() {}
    } w;
    const unit *const from = (const unit *)place;
#pragma unroll
    for (int k = 0; k < N; k++) w.piece[k] = __ldcg(from + k);
    return w.value;
}

/* Parts part, part + step, … of a result. U are on their way at a time, then as many as
 * there are: one after the other, their latencies would be longer than the reduction. */
template <class Op, int U, class P>
__device__ inline void
accumulate_parts(partial<Op> &acc, const P &p, int part, int step, long long result)
{
    const partial<Op> *const from = (const partial<Op> *)p.scratch + result;
    for (; part + (U - 1) * step < (int)p.parts; part += U * step) {
        uninitialized<partial<Op>, U> x;
#pragma unroll
        for (int u = 0; u < U; u++) {
            x.at[u] = get_partial<Op>(from + (part + u * step) * p.kept.size);
        }
#pragma unroll
        for (int u = 0; u < U; u++) accumulate<Op>(acc, x.at[u]);
    }
    if constexpr (U > 1) {
        accumulate_parts<Op, U / 4 + (U < 4)>(acc, p, part, step, result);
    }
}

/* Parts first, first + step, … of a result. */
template <class Op, class P>
__device__ inline partial<Op>
get_partials(const P &p, int first, int step, long long result)
{
    constexpr int U = sizeof(partial<Op>) <= 8 ? 16 : sizeof(partial<Op>) <= 16 ? 8 : 4;
    partial<Op> acc;
    acc.n = 0;
    accumulate_parts<Op, U>(acc, p, first, step, result);
    return acc;
}

/* Whether it is the last of so many blocks to get here; the counter is zero before the first
 * and after the last. The first thread fences for its block: the barriers order the others'
 * accesses before and after. */
__device__ inline bool
is_last_of(unsigned int *arrived, unsigned int blocks)
{
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(arrived, 1u) + 1 == blocks;
        if (last) {
            __threadfence();
            *arrived = 0;
        }
    }
    __syncthreads();
    return last;
}

/* Whether all other blocks of this x have put their partial results. */
template <class P>
__device__ inline bool
is_last_part(const P &p)
{
    return is_last_of(p.arrived + blockIdx.x, (unsigned int)p.parts);
}

/* One result, of which the first thread has this part. */
template <class Op, class I, class P>
__device__ inline void
finish_result(const P &p, partial<Op> acc, I result)
{
    if (p.parts == 1) {
        if (threadIdx.x == 0) emit<Op>(p, acc, result);
        return;
    }
    if (threadIdx.x == 0) put_partial(p, acc, result);
    if (!is_last_part(p)) return;
    acc = get_partials<Op>(p, (int)threadIdx.x, (int)blockDim.x, result);
    acc = combine_lanes(acc, (int)blockDim.x);
    if (threadIdx.x == 0) emit<Op>(p, acc, result);
}

/* `width` results side by side from `first` on, as many of them as are below `end`; their
 * parts are the first row of `at`, of `size` partial results. */
template <class Op, class I, class P>
__device__ inline void
finish_results(const P &p, partial<Op> *at, int size, int width, I first, I end)
{
    if (p.parts > 1) {
        for (int e = threadIdx.x; e < width && first + e < end; e += blockDim.x) {
            put_partial(p, at[e], first + e);
        }
        if (!is_last_part(p)) return;
        int rows = (int)blockDim.x / width;
        if (rows * width > size) rows = size / width;
        if (rows < 1) rows = 1;
        for (int e = threadIdx.x; e < rows * width; e += blockDim.x) {
            const int row = e / width, column = e - row * width;
            partial<Op> acc;
            acc.n = 0;
            if (first + column < end) {
                acc = get_partials<Op>(p, row, rows, first + column);
            }
            at[e] = acc;
        }
        combine_rows<Op>(at, rows, width);
    }
    for (int e = threadIdx.x; e < width && first + e < end; e += blockDim.x) {
        emit<Op>(p, at[e], (I)(first + e));
    }
}

/* ---- kernels ------------------------------------------------------------------------- */

template <class Op, class I, int K, int NK, int NR>
__device__ inline void
reduce_rows(const reduce_params<K, NK, NR> &p)
{
    const int lanes = (int)p.lanes, lane = threadIdx.x % lanes;
    const I result =
        (I)((long long)blockIdx.x * (CUPRIC_BLOCK / lanes) + threadIdx.x / lanes);
    I base[K];
    partial<Op> acc;
    acc.n = 0;
    if (result < (I)p.kept.size) {
        locate<I>(p.kept, result, base);
        acc = run_through<Op>(p, base, (I)lane, (I)lanes);
    }
    acc = combine_lanes(acc, lanes);
    if (lanes == CUPRIC_BLOCK)
        finish_result(p, acc, result);
    else if (lane == 0 && result < (I)p.kept.size)
        emit<Op>(p, acc, result);
}

template <class Op, class I, int K, int NK, int NR>
__device__ inline void
reduce_columns(const reduce_params<K, NK, NR> &p)
{
    constexpr int across = CUPRIC_REDUCE_ACROSS, down = CUPRIC_BLOCK / across;
    __shared__ uninitialized<partial<Op>, CUPRIC_BLOCK> rows;
    const int x = threadIdx.x % across, y = threadIdx.x / across;
    const I result = (I)((long long)blockIdx.x * across + x);
    I base[K];
    partial<Op> acc;
    acc.n = 0;
    if (result < (I)p.kept.size) {
        locate<I>(p.kept, result, base);
        acc = run_through<Op>(p, base, (I)y, (I)down);
    }
    rows.at[y * across + x] = acc;
    combine_rows<Op>(rows.at, down, across);
    finish_results<Op>(p, rows.at, CUPRIC_BLOCK, across,
                       (I)((long long)blockIdx.x * across), (I)p.kept.size);
}

template <class Op, class I, int K, int NK, int NR>
__device__ inline void
reduce_serial(const reduce_params<K, NK, NR> &p)
{
    const I result = (I)((long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x);
    I base[K];
    partial<Op> acc;
    acc.n = 0;
    if (result >= (I)p.kept.size) return;
    if (p.has_initial) {
        acc.s = convert<typename Op::S>(value_of<typename Op::RES>(p.initial));
        acc.n = 1;
    }
    locate<I>(p.kept, result, base);
    for (I j = 0; j < (I)p.reduced.size; j++) {
        accumulate<Op>(acc, element<Op>(p, base, j));
    }
    emit<Op>(p, acc, result);
}

CUPRIC_END

#endif
