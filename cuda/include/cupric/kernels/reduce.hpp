/* kernels/reduce.hpp: out[k] = finish(combine of map(a[k, j], b[k, j]) over j < n).
 *
 * The generated struct `Op`: A, B computed inputs, SA, SB stored, IA, IB immediate; S the
 * accumulator; OUT the stored result; map, combine, finish; `has_identity`, identity();
 * `starts`: the identity is combined with every result. Operands: inputs, output, mask.
 *
 *   reduce_rows     `lanes` threads (a power of two up to 32, or the whole block of 256)
 *                   for each result; where reduced elements are the denser ones
 *   reduce_columns  a block of 32 x 8 threads for 32 results; where kept ones are
 *   reduce_serial   a thread for each result, from left to right; operations whose
 *                   operands may not be regrouped
 *   reduce_join     the partial results of the parts that the first two were cut into
 *
 * Launch: x over results, y over parts of `part` elements; partial results lie in scratch,
 * [part][result]. What is cut depends on the shape alone, so results repeat.
 */
#ifndef CUPRIC_KERNELS_REDUCE_HPP
#define CUPRIC_KERNELS_REDUCE_HPP

#include "cupric/kernels/group.hpp"
#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

template <int K, int NK, int NR>
struct reduce_params {
    slot op[K];
    slot initial; /* in the signature's result type */
    double count, param;
    long long has_initial, lanes, part, parts;
    char *scratch;
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
        a = convert<typename Op::A>(
            load<typename Op::SA>(address(p.op[0]) + base[0] + at[0]));
    if constexpr (Op::nin > 1) {
        if constexpr (Op::IB)
            b = convert<typename Op::B>(value_of<typename Op::SB>(p.op[1]));
        else
            b = convert<typename Op::B>(
                load<typename Op::SB>(address(p.op[1]) + base[1] + at[1]));
    }
    x.s = Op::map(a, b, (typename Op::N)p.param, j);
    return x;
}

/* Elements begin + lane, begin + lane + lanes, … below end. */
template <class Op, class I, class P, int K>
__device__ inline partial<Op>
run_through(const P &p, const I (&base)[K], I begin, I end, I lane, I lanes)
{
    constexpr int U = 4;
    partial<Op> acc;
    acc.n = 0;
    I j = begin + lane;
    for (; j < end && end - j > (U - 1) * lanes; j += U * lanes) {
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

/* Combine over groups of `lanes` neighbours; valid in the first. */
template <class Op>
__device__ inline partial<Op>
combine_lanes(partial<Op> acc, int lanes)
{
    __shared__ room<partial<Op>, 8> warps;
    for (int by = (lanes < 32 ? lanes : 32) / 2; by > 0; by /= 2) {
        accumulate<Op>(acc, from_lane_below(acc, by));
    }
    if (lanes <= 32) return acc;
    if (threadIdx.x % 32 == 0) warps.at[threadIdx.x / 32] = acc;
    __syncthreads();
    if (threadIdx.x < 32) {
        if (threadIdx.x < 8)
            acc = warps.at[threadIdx.x];
        else
            acc.n = 0;
        for (int by = 4; by > 0; by /= 2) {
            accumulate<Op>(acc, from_lane_below(acc, by));
        }
    }
    return acc;
}

template <class Op, class I, class P>
__device__ inline void
emit(const P &p, partial<Op> acc, I result)
{
    constexpr int out = Op::nin;
    I at[sizeof p.op / sizeof p.op[0]];
    if constexpr (!Op::is_position) {
        typename Op::S start = Op::identity();
        if (p.has_initial) {
            start = convert<typename Op::S>(value_of<typename Op::RES>(p.initial));
        }
        if (acc.n == 0)
            acc.s = start;
        else if ((p.has_initial || Op::starts) && !Op::serial)
            acc.s = Op::combine(start, acc.s);
    }
    locate<I>(p.kept, result, at);
    const double count = Op::masked ? (double)acc.n : p.count;
    store(address(p.op[out]) + at[out],
          Op::finish(acc.s, (typename Op::N)count, (typename Op::N)p.param));
}

template <class Op, class I, class P>
__device__ inline void
put_partial(const P &p, const partial<Op> &acc, I result)
{
    if (p.parts == 1) {
        emit<Op>(p, acc, result);
    } else {
        ((partial<Op> *)p.scratch)[blockIdx.y * p.kept.size + result] = acc;
    }
}

template <class Op, class I, int K, int NK, int NR>
__device__ inline void
reduce_rows(const reduce_params<K, NK, NR> &p)
{
    const int lanes = (int)p.lanes, lane = threadIdx.x % lanes;
    const I result = (I)((long long)blockIdx.x * (256 / lanes) + threadIdx.x / lanes);
    const long long begin = blockIdx.y * p.part, limit = begin + p.part;
    const I end = (I)(limit < p.reduced.size ? limit : p.reduced.size);
    I base[K];
    partial<Op> acc;
    acc.n = 0;
    if (result < (I)p.kept.size) {
        locate<I>(p.kept, result, base);
        acc = run_through<Op>(p, base, (I)begin, end, (I)lane, (I)lanes);
    }
    acc = combine_lanes(acc, lanes);
    if (lane == 0 && result < (I)p.kept.size) put_partial(p, acc, result);
}

template <class Op, class I, int K, int NK, int NR>
__device__ inline void
reduce_columns(const reduce_params<K, NK, NR> &p)
{
    __shared__ room<partial<Op>, 8 * 32> rows;
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
    const I result = (I)((long long)blockIdx.x * 32 + x);
    const long long begin = blockIdx.y * p.part, limit = begin + p.part;
    const I end = (I)(limit < p.reduced.size ? limit : p.reduced.size);
    I base[K];
    partial<Op> acc;
    acc.n = 0;
    if (result < (I)p.kept.size) {
        locate<I>(p.kept, result, base);
        acc = run_through<Op>(p, base, (I)begin, end, (I)y, (I)8);
    }
    rows.at[y * 32 + x] = acc;
    __syncthreads();
    if (y > 0 || result >= (I)p.kept.size) return;
    for (int k = 1; k < 8; k++) accumulate<Op>(acc, rows.at[k * 32 + x]);
    put_partial(p, acc, result);
}

template <class Op, class I, int K, int NK, int NR>
__device__ inline void
reduce_serial(const reduce_params<K, NK, NR> &p)
{
    const I result = (I)((long long)blockIdx.x * 256 + threadIdx.x);
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

template <class Op, class I, int K, int NK, int NR>
__device__ inline void
reduce_join(const reduce_params<K, NK, NR> &p)
{
    const int lanes = (int)p.lanes, lane = threadIdx.x % lanes;
    const I result = (I)((long long)blockIdx.x * (256 / lanes) + threadIdx.x / lanes);
    const partial<Op> *const from = (const partial<Op> *)p.scratch;
    partial<Op> acc;
    acc.n = 0;
    if (result < (I)p.kept.size) {
        for (long long part = lane; part < p.parts; part += lanes) {
            accumulate<Op>(acc, from[part * p.kept.size + result]);
        }
    }
    acc = combine_lanes(acc, lanes);
    if (lane == 0 && result < (I)p.kept.size) emit<Op>(p, acc, result);
}

CUPRIC_END

#endif
