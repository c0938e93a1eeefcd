/* kernels/reduceat.hpp: out[k, j] = combine of in[k, i] over starts[j] <= i < starts[j+1].
 *
 * The last slice ends at `length`; a start that is not below its successor takes one
 * element. `starts` lies in device memory. Launch: `lanes` threads, a power of two up to 32,
 * for each (k, j), CUPRIC_BLOCK to a block; neighbours differ in k where `across` is set,
 * else in j. reduceat_serial takes one thread for each.
 */
#ifndef CUPRIC_KERNELS_REDUCEAT_HPP
#define CUPRIC_KERNELS_REDUCEAT_HPP

#include "cupric/kernels/reduce.hpp"

CUPRIC_BEGIN

template <int N>
struct reduceat_params : cu_reduceat_head {
    space<2, N> kept;
};

/* Elements of a slice for one of its threads: of more, the block takes it together. */
constexpr int MOST_OF_SLICE = 64;

struct slice {
    long long begin, end;
    const char *in;
    char *out;
};

/* An empty slice for tasks behind the last one. */
template <class P>
__device__ inline slice
slice_of(const P &p, long long task)
{
    slice s = {0, 0, nullptr, nullptr};
    long long at[2];
    if (task >= p.kept.size * p.nstarts) return s;
    const long long j = p.across ? task / p.kept.size : task % p.nstarts;
    locate<long long>(p.kept, p.across ? task % p.kept.size : task / p.nstarts, at);
    s.begin = p.starts[j];
    s.end = j + 1 < p.nstarts ? p.starts[j + 1] : p.length;
    if (s.end <= s.begin) s.end = s.begin + 1;
    s.in = address(p.op[0]) + at[0];
    s.out = address(p.op[1]) + at[1] + j * p.out_stride;
    return s;
}

/* Every `lanes`-th element of a slice. */
template <class Op, class P>
__device__ inline partial<Op>
part_of_slice(const P &p, const slice &s, int lane, int lanes)
{
    partial<Op> acc;
    acc.n = 0;
    for (long long i = s.begin + lane; i < s.end; i += lanes) {
        partial<Op> x;
        x.n = 1;
        x.s = Op::map(input<Op>(s.in + i * p.in_stride), typename Op::B(),
                      typename Op::N(0), i);
        accumulate<Op>(acc, x);
    }
    return acc;
}

template <class Op>
__device__ inline void
store_slice(const slice &s, const partial<Op> &acc)
{
    store(s.out, Op::finish(acc.s, typename Op::N(0), typename Op::N(0)));
}

template <class Op, int N>
__device__ inline void
reduceat_rows(const reduceat_params<N> &p)
{
    __shared__ int tasks[CUPRIC_BLOCK], ntasks; /* of the block: long slices */
    const int lanes = (int)p.lanes, each = CUPRIC_BLOCK / lanes;
    const int mine = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    const long long first = (long long)blockIdx.x * each;
    if (threadIdx.x == 0) ntasks = 0;
    __syncthreads();
    slice s = slice_of(p, first + mine);
    if (s.end - s.begin > MOST_OF_SLICE * lanes) {
        if (lane == 0) tasks[atomicAdd(&ntasks, 1)] = mine;
        s.begin = s.end; /* not now */
    }
    partial<Op> acc = combine_lanes(part_of_slice<Op>(p, s, lane, lanes), lanes);
    if (lane == 0 && s.begin < s.end) store_slice<Op>(s, acc);
    __syncthreads();
    for (int i = 0; i < ntasks; i++) {
        s = slice_of(p, first + tasks[i]);
        acc = combine_lanes(part_of_slice<Op>(p, s, threadIdx.x, CUPRIC_BLOCK),
                            CUPRIC_BLOCK);
        if (threadIdx.x == 0) store_slice<Op>(s, acc);
    }
}

template <class Op, int N>
__device__ inline void
reduceat_serial(const reduceat_params<N> &p)
{
    const slice s = slice_of(p, (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x);
    if (s.begin < s.end) store_slice<Op>(s, part_of_slice<Op>(p, s, 0, 1));
}

CUPRIC_END

#endif
