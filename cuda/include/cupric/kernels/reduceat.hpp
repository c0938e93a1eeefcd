/* kernels/reduceat.hpp: out[k, j] = combine of in[k, i] over starts[j] <= i < starts[j+1].
 *
 * The last slice ends at `length`; a start that is not below its successor takes one
 * element. `starts` lies in device memory.
 *
 *   reduceat_rows    `lanes` threads, a power of two up to 32, for each (k, j), CUPRIC_BLOCK
 *                    to a block; neighbours differ in k where `across` is set, else in j.
 *                    What is longer than a block should take goes into the queue, in
 *                    parts, where there is one.
 *   reduceat_queued  takes it from there. Launch: as many blocks as run side by side. The
 *                    last to finish a part of a slice joins its parts, in their order.
 *   reduceat_serial  a thread for each
 */
#ifndef CUPRIC_KERNELS_REDUCEAT_HPP
#define CUPRIC_KERNELS_REDUCEAT_HPP

#include "cupric/kernels/reduce.hpp"

CUPRIC_BEGIN

template <int N>
struct reduceat_params : cu_reduceat_head {
    space<2, N> kept;
};

/* Elements of a slice for one of its threads. Slices that have more are taken by the block
 * together, one after the other, where the longest would keep its threads waiting longer: a
 * thread has TURN elements in the time that the block takes to begin with another slice. */
constexpr int MOST_OF_SLICE = 64, TURN = 32;

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

template <class Op, class P>
__device__ inline partial<Op>
element_of_slice(const P &p, const slice &s, long long i)
{
    partial<Op> x;
    x.n = 1;
    x.s = Op::map(input<Op>(s.in + i * p.in_stride), typename Op::B(),
                  typename Op::N(0), i);
    return x;
}

/* Every `lanes`-th element of a slice, U on their way at a time. */
template <class Op, class P>
__device__ inline partial<Op>
part_of_slice(const P &p, const slice &s, int lane, int lanes)
{
    constexpr int U = 4;
    long long i = s.begin + lane;
    partial<Op> acc;
    acc.n = 0;
    for (; i + (U - 1) * lanes < s.end; i += U * lanes) {
        uninitialized<partial<Op>, U> x;
#pragma unroll
        for (int u = 0; u < U; u++) x.at[u] = element_of_slice<Op>(p, s, i + u * lanes);
#pragma unroll
        for (int u = 0; u < U; u++) accumulate<Op>(acc, x.at[u]);
    }
    for (; i < s.end; i += lanes) accumulate<Op>(acc, element_of_slice<Op>(p, s, i));
    return acc;
}

template <class Op>
__device__ inline void
store_slice(const slice &s, const partial<Op> &acc)
{
    store(s.out, Op::finish(acc.s, typename Op::N(0), typename Op::N(0)));
}

/* Whether a slice is left to reduceat_queued. The block gets here as one. */
template <class P>
__device__ inline bool
puts_into_queue(const P &p, const slice &s, long long task)
{
    __shared__ long long first;
    const long long parts = (s.end - s.begin + p.part - 1) / p.part;
    if (p.queue == nullptr || parts < 2) return false;
    __syncthreads(); /* the shared memory is free again */
    if (threadIdx.x == 0)
        first = (long long)atomicAdd(p.count, (unsigned long long)parts);
    __syncthreads();
    const bool fits = first + parts <= p.capacity;
    for (long long k = threadIdx.x; k < parts && first + k < p.capacity;
         k += CUPRIC_BLOCK) {
        const cu_reduceat_part one = {fits ? task : -1, (unsigned int)first, 0};
        p.queue[first + k] = one;
    }
    return fits;
}

template <class Op, int N>
__device__ inline void
reduceat_rows(const reduceat_params<N> &p)
{
    __shared__ int tasks[CUPRIC_BLOCK], ntasks, longest; /* of the block: long slices */
    const int lanes = (int)p.lanes, each = CUPRIC_BLOCK / lanes;
    const int mine = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    const long long first = (long long)blockIdx.x * each;
    if (threadIdx.x == 0) ntasks = longest = 0;
    __syncthreads();
    slice s = slice_of(p, first + mine);
    const long long turns = (s.end - s.begin) / lanes;
    const bool is_long = turns >= MOST_OF_SLICE;
    if (is_long && lane == 0) {
        tasks[atomicAdd(&ntasks, 1)] = mine;
        atomicMax(&longest, turns < 1 << 30 ? (int)turns : 1 << 30);
    }
    __syncthreads();
    const bool together = longest / TURN > ntasks;
    if (is_long && together) s.begin = s.end; /* not now */
    partial<Op> acc = combine_lanes(part_of_slice<Op>(p, s, lane, lanes), lanes);
    if (lane == 0 && s.begin < s.end) store_slice<Op>(s, acc);
    if (!together) return;
    for (int i = 0; i < ntasks; i++) {
        s = slice_of(p, first + tasks[i]);
        if (puts_into_queue(p, s, first + tasks[i])) continue;
        acc = combine_lanes(part_of_slice<Op>(p, s, threadIdx.x, CUPRIC_BLOCK),
                            CUPRIC_BLOCK);
        if (threadIdx.x == 0) store_slice<Op>(s, acc);
    }
}

template <class Op, int N>
__device__ inline void
reduceat_queued(const reduceat_params<N> &p)
{
    partial<Op> *const partials = (partial<Op> *)p.scratch;
    const long long queued = (long long)*p.count;
    const long long n = queued < p.capacity ? queued : p.capacity;
    for (long long k = blockIdx.x; k < n; k += gridDim.x) {
        const long long task = p.queue[k].task, first = p.queue[k].first;
        if (task < 0) continue; /* there was no room for all of it */
        const slice whole = slice_of(p, task);
        slice s = whole;
        s.begin += (k - first) * p.part;
        if (s.end - s.begin > p.part) s.end = s.begin + p.part;
        partial<Op> acc = combine_lanes(
            part_of_slice<Op>(p, s, threadIdx.x, CUPRIC_BLOCK), CUPRIC_BLOCK);
        if (threadIdx.x == 0) partials[k] = acc;
        const int parts = (int)((whole.end - whole.begin + p.part - 1) / p.part);
        if (!is_last_of(&p.queue[first].arrived, (unsigned int)parts)) continue;
        acc.n = 0;
        for (int i = threadIdx.x; i < parts; i += CUPRIC_BLOCK)
            accumulate<Op>(acc, get_partial<Op>(partials + first + i));
        acc = combine_lanes(acc, CUPRIC_BLOCK);
        if (threadIdx.x == 0) store_slice<Op>(whole, acc);
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
