/* kernels/reduceat.hpp: out[k, j] = combine of in[k, i] over starts[j] <= i < starts[j+1].
 *
 * The last slice ends at `length`; a start that is not below its successor takes one
 * element. `starts` lies in device memory. Launch: a warp for each (k, j), eight to a
 * block; reduceat_serial a thread for each, 256 to a block.
 */
#ifndef CUPRIC_KERNELS_REDUCEAT_HPP
#define CUPRIC_KERNELS_REDUCEAT_HPP

#include "cupric/kernels/reduce.hpp"

CUPRIC_BEGIN

template <int N>
struct reduceat_params : cu_reduceat_head {
    space<2, N> kept;
};

template <class Op, class P>
__device__ inline void
reduce_slice(const P &p, long long task, int lane, int lanes)
{
    const bool real_task = task < p.kept.size * p.nstarts;
    long long at[2] = {0, 0};
    partial<Op> acc;
    acc.n = 0;
    const long long j = real_task ? task % p.nstarts : 0;
    if (real_task) {
        const long long begin = p.starts[j];
        long long end = j + 1 < p.nstarts ? p.starts[j + 1] : p.length;
        locate<long long>(p.kept, task / p.nstarts, at);
        if (end <= begin) end = begin + 1;
        for (long long i = begin + lane; i < end; i += lanes) {
            partial<Op> x;
            x.n = 1;
            x.s = Op::map(convert<typename Op::A>(load<typename Op::SA>(
                              address(p.op[0]) + at[0] + i * p.in_stride)),
                          typename Op::B(), typename Op::N(0), i);
            accumulate<Op>(acc, x);
        }
    }
    acc = combine_lanes(acc, lanes);
    if (lane == 0 && real_task) {
        store(address(p.op[1]) + at[1] + j * p.out_stride,
              Op::finish(acc.s, typename Op::N(0), typename Op::N(0)));
    }
}

template <class Op, int N>
__device__ inline void
reduceat_rows(const reduceat_params<N> &p)
{
    reduce_slice<Op>(p, (long long)blockIdx.x * (CUPRIC_BLOCK / 32) + threadIdx.x / 32,
                     threadIdx.x % 32, 32);
}

template <class Op, int N>
__device__ inline void
reduceat_serial(const reduceat_params<N> &p)
{
    reduce_slice<Op>(p, (long long)blockIdx.x * CUPRIC_BLOCK + threadIdx.x, 0, 1);
}

CUPRIC_END

#endif
