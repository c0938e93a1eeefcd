/* kernel.hpp: what the source generated for ElementwiseKernel and ReductionKernel uses.
 *
 * A kernel takes its arrays as small structs by value (the core fills in the same bytes:
 * src/kernel/plan.c) and an indexer over the loop. On the GPU every thread takes elements
 * a whole grid apart; on the host device a block is one loop over neighbouring elements.
 */
#ifndef CUPRIC_KERNEL_HPP
#define CUPRIC_KERNEL_HPP

#include "cupric/kernel_types.hpp"

namespace cupric {

/* ptrdiff_t, which is what users' code calls it, without a header of the library. */
typedef decltype((char *)0 - (char *)0) extent;

/* i / n: 64-bit divisions take several times as long, and are rarely needed. */
__device__ inline long long
quotient(long long i, long long n)
{
    if (((unsigned long long)(i | n) >> 32) == 0) return (unsigned)i / (unsigned)n;
    return i / n;
}

/* An index into N axes, and the lengths of these. */
template <int N>
struct indexer {
    static constexpr int ndim = N;
    long long length; /* elements of the loop */
    extent lengths[N];
    extent index[N];

    __device__ long long size() const { return length; }
    __device__ const extent *shape() const { return lengths; }
    __device__ const extent *get() const { return index; }
    __device__ void set(long long i)
    {
        for (int d = N - 1; d > 0; d--) {
            const long long rest = quotient(i, lengths[d]);
            index[d] = i - rest * lengths[d];
            i = rest;
        }
        index[0] = i;
    }
    /* to the next element in C order */
    __device__ void next()
    {
        for (int d = N - 1; d > 0; d--) {
            if (++index[d] < lengths[d]) return;
            index[d] = 0;
        }
        index[0]++;
    }
};

/* An operand that is one run of elements in the order of the loop. */
template <class T>
struct dense {
    T *data;

    template <int N>
    __device__ T &at(const indexer<N> &, long long i) const
    {
        return data[i];
    }
};

/* An operand with a step in bytes along each axis of the loop. */
template <class T, int N>
struct strided {
    T *data;
    long long steps[N];

    __device__ T &at(const indexer<N> &ind, long long) const
    {
        long long offset = 0;
        for (int d = 0; d < N; d++) offset += ind.index[d] * steps[d];
        return *(T *)((char *)data + offset);
    }
};

/* A `raw` parameter: an array that the operation indexes itself, by a number in C order
 * or by N indices. Also what `_raw_x` is of a parameter x of the loop: its array, seen
 * through the axes of the loop. */
template <class T, int N, bool CONTIGUOUS>
struct raw_array {
    static constexpr int ndim = N;
    T *data;
    long long length;
    extent lengths[N > 0 ? N : 1];
    extent steps[N > 0 ? N : 1]; /* bytes */

    __device__ long long size() const { return length; }
    __device__ const extent *shape() const { return lengths; }
    __device__ const extent *strides() const { return steps; }
    __device__ T *begin_ptr() const { return data; }
    __device__ T &at(const indexer<N> &ind, long long) const
    {
        return (*this)[ind.index];
    }
    __device__ T &operator[](long long i) const { return linear(i); }
    __device__ T &operator[](unsigned long long i) const
    {
        return linear((long long)i);
    }
    __device__ T &operator[](int i) const { return linear(i); }
    __device__ T &operator[](unsigned int i) const { return linear((long long)i); }
    __device__ T &operator[](long i) const { return linear(i); }
    __device__ T &operator[](unsigned long i) const { return linear((long long)i); }
    template <class I>
    __device__ T &operator[](const I *index) const
    {
        long long offset = 0;
        for (int d = 0; d < N; d++) offset += (long long)index[d] * steps[d];
        return *(T *)((char *)data + offset);
    }

  private:
    __device__ T &linear(long long i) const
    {
        if constexpr (CONTIGUOUS || N == 0) {
            return data[i];
        } else {
            long long offset = 0;
            for (int d = N - 1; d > 0; d--) {
                const long long rest = i / lengths[d];
                offset += (i - rest * lengths[d]) * steps[d];
                i = rest;
            }
            return *(T *)((char *)data + offset + i * steps[0]);
        }
    }
};

#if defined(CUPRIC_HOST)

/* The elements of this block. */
template <int N>
inline long long
chunk_begin(indexer<N> &ind)
{
    const long long length = (ind.length + gridDim.x - 1) / gridDim.x;
    const long long begin = length * blockIdx.x;
    if (begin < ind.length) ind.set(begin);
    return begin;
}
template <int N>
inline long long
chunk_end(const indexer<N> &ind)
{
    const long long length = (ind.length + gridDim.x - 1) / gridDim.x;
    const long long end = length * (blockIdx.x + 1ll);
    return end < ind.length ? end : ind.length;
}
template <int N>
constexpr int
last_axis(const indexer<N> &)
{
    return N - 1;
}
/* Row by row, so that the compiler finds a plain loop along the last axis inside. */
template <int N>
inline long long
row_end(const indexer<N> &ind, long long i, long long end)
{
    const long long rest = N == 1 ? end - i : ind.lengths[N - 1] - ind.index[N - 1];
    return end - i < rest ? end : i + rest;
}
template <int N>
inline void
next_row(indexer<N> &ind)
{
    if (N == 1) return;
    ind.index[N - 1]--;
    ind.next();
}
#define CUPRIC_FOR(i, ind)                                                             \
    for (long long i = ::cupric::chunk_begin(ind), i##_end = ::cupric::chunk_end(ind); \
         i < i##_end; ::cupric::next_row(ind))                                         \
        for (const long long i##_row = ::cupric::row_end(ind, i, i##_end);             \
             i < i##_row; ++i, ++(ind).index[::cupric::last_axis(ind)])

#else

/* Not unrolled: most threads take one element, and the compiler less time. */
#define CUPRIC_FOR(i, ind)                                                             \
    _Pragma("unroll 1") for (long long i =                                             \
                                 blockIdx.x * (long long)blockDim.x + threadIdx.x;     \
                             i < (ind).size() && ((ind).set(i), true);                 \
                             i += (long long)gridDim.x * blockDim.x)

#endif

/* ---- reductions: s = reduce(map(0), map(1), …, map(n - 1)) --------------------------- */

/* How a reduction is shared out on a GPU: the core fills in the same bytes. */
struct split {
    long long lanes;       /* threads of an output, a power of two */
    long long across;      /* whether neighbouring threads make different outputs */
    long long part;        /* elements of an output that a block takes */
    long long parts;       /* blocks of an output, the grid's y */
    char *partial;         /* [part][output] */
    unsigned int *arrived; /* zero, for each x of the grid */
};

#if defined(CUPRIC_HOST)

/* Halves of halves, so that rounding errors grow with the logarithm of n. `map` is called
 * for one element after the other. */
template <class T, class MAP, class REDUCE>
inline T
reduce_range(long long begin, long long n, const MAP &map, const REDUCE &reduce)
{
    if (n > 256) {
        const long long half = n / 2 / 128 * 128;
        const T a = reduce_range<T>(begin, half, map, reduce);
        return reduce(a, reduce_range<T>(begin + half, n - half, map, reduce));
    }
    long long j = begin;
    const long long end = begin + n;
    if (n < 16) {
        T s = map(j++);
        while (j < end) s = reduce(s, map(j++));
        return s;
    }
    T s[8] = {map(j),     map(j + 1), map(j + 2), map(j + 3),
              map(j + 4), map(j + 5), map(j + 6), map(j + 7)}; /* in this order */
    for (j += 8; j + 8 <= end; j += 8) {
        for (int k = 0; k < 8; k++) s[k] = reduce(s[k], map(j + k));
    }
    for (int k = 0; j < end; j++, k++) s[k] = reduce(s[k], map(j));
    return reduce(reduce(reduce(s[0], s[1]), reduce(s[2], s[3])),
                  reduce(reduce(s[4], s[5]), reduce(s[6], s[7])));
}

/* One block makes a run of outputs, and meets the inputs in their order. */
/* Runs of at most CUPRIC_RUN outputs along their last axis. */
#define CUPRIC_RUN 128
template <int N>
inline long long
run_of(const indexer<N> &ind, long long i, long long end)
{
    const long long run = ::cupric::row_end(ind, i, end) - i;
    return run < CUPRIC_RUN ? run : CUPRIC_RUN;
}
#define CUPRIC_FOR_RUNS(i, run, ind)                                                   \
    for (long long i = ::cupric::chunk_begin(ind), i##_end = ::cupric::chunk_end(ind), \
                   run;                                                                \
         i < i##_end && (run = ::cupric::run_of(ind, i, i##_end), true); i += run)
#define CUPRIC_FOR_OUTPUTS(i, ind) CUPRIC_FOR(i, ind)
#define CUPRIC_START(ind, first) ((ind).size() > 0 ? (ind).set(first) : (void)0)
#define CUPRIC_STEP_BEFORE(ind, i) ((void)(i))
#define CUPRIC_STEP_AFTER(ind) ((ind).next())
struct sharer {
    explicit sharer(const split &) {}
    template <class T, class MAP, class REDUCE>
    T reduced(long long, bool, long long n, const MAP &map, const REDUCE &reduce)
    {
        return reduce_range<T>(0, n, map, reduce);
    }
    template <int N>
    bool is_there(const indexer<N> &, long long) const
    {
        return true;
    }
    bool is_writer() const { return true; }
};

#else

/* A block makes blockDim.x / lanes outputs at a time, or a part of each; blockDim.x is at
 * most 512. Threads without an output of their own take part in what has barriers. */
#define CUPRIC_FOR_OUTPUTS(i, ind)                                                     \
    for (long long i##_first = (long long)blockIdx.x * _share.groups,                  \
                   i = i##_first + _share.group;                                       \
         i##_first < (ind).size() && ((ind).set(i), true);                             \
         i##_first += (long long)gridDim.x * _share.groups,                            \
                   i = i##_first + _share.group)
#define CUPRIC_START(ind, first) ((void)0)
#define CUPRIC_STEP_BEFORE(ind, i) ((ind).set(i))
#define CUPRIC_STEP_AFTER(ind) ((void)0)

/* A value that is assigned before it is read, whatever constructors its type has. */
template <class T>
union place {
    T value;
    __device__ place() {}
};

struct sharer {
    const split &how;
    int lanes, groups, lane, group,
        step; /* step: from a lane to the next, in threads */
    bool there, writes;

    __device__ explicit sharer(const split &s) : how(s)
    {
        lanes = (int)s.lanes;
        groups = (int)blockDim.x / lanes;
        lane = s.across ? (int)threadIdx.x / groups : (int)threadIdx.x % lanes;
        group = s.across ? (int)threadIdx.x % groups : (int)threadIdx.x / lanes;
        step = s.across ? groups : 1;
        there = writes = false;
    }
    template <int N>
    __device__ bool is_there(const indexer<N> &ind, long long i)
    {
        there = i < ind.size();
        writes = there && lane == 0;
        return there;
    }
    __device__ bool is_writer() const { return writes; }

    /* map(first), map(first + lanes), … below end. Sums of sums of sums, so that rounding
     * errors grow slowly; eight elements are read at a time. */
    template <class T, class MAP, class REDUCE>
    __device__ T run(long long j, long long end, const MAP &map,
                     const REDUCE &reduce) const
    {
        const long long by = lanes, most = 7 * by;
        auto eight = [&]() -> T {
            const T s[8] = {map(j),          map(j + by),     map(j + 2 * by),
                            map(j + 3 * by), map(j + 4 * by), map(j + 5 * by),
                            map(j + 6 * by), map(j + 7 * by)};
            j += 8 * by;
            return reduce(reduce(reduce(s[0], s[1]), reduce(s[2], s[3])),
                          reduce(reduce(s[4], s[5]), reduce(s[6], s[7])));
        };
        place<T> sum, inner;
        bool any = false;
        int filled = 0; /* of inner */
        auto add = [&](const T &x) {
            sum.value = any ? reduce(sum.value, x) : x;
            any = true;
        };
        while (end - j > most) {
            const T x = eight();
            inner.value = filled ? reduce(inner.value, x) : x;
            if (++filled < 32 && end - j > most) continue;
            add(inner.value);
            filled = 0;
        }
        for (; j < end; j += by) add(map(j));
        return sum.value;
    }

    /* The `filled` first lanes' values in shared memory, into the first lane's. */
    template <class T, class REDUCE>
    __device__ void join(T *shared, long long filled, const REDUCE &reduce) const
    {
        const unsigned t = threadIdx.x;
        for (int half = lanes / 2; half > 0; half /= 2) {
            __syncthreads();
            if (lane < half && lane + half < filled)
                shared[t] = reduce(shared[t], shared[t + half * step]);
        }
        __syncthreads();
    }

    /* Whether every other block has put its parts of these outputs. */
    __device__ bool is_last() const
    {
        __shared__ bool last;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            last = atomicAdd(how.arrived + blockIdx.x, 1u) + 1 == gridDim.y;
        __syncthreads();
        __threadfence();
        return last;
    }

    /* The output's value, in its first lane. */
    template <class T, class MAP, class REDUCE>
    __device__ T reduced(long long output, long long outputs, long long n,
                         const MAP &map, const REDUCE &reduce)
    {
        __shared__ alignas(T) char memory[512 * sizeof(T)];
        T *const shared = (T *)memory;
        T *const partial = (T *)how.partial;
        const unsigned first = threadIdx.x - lane * step;
        const long long begin = blockIdx.y * how.part, limit = begin + how.part;
        const long long end = limit < n ? limit : n;

        if (there && begin + lane < end)
            shared[threadIdx.x] = run<T>(begin + lane, end, map, reduce);
        join(shared, end - begin, reduce);
        if (how.parts > 1) {
            if (writes) partial[blockIdx.y * outputs + output] = shared[first];
            if (!is_last()) {
                writes = false;
                return shared[first];
            }
            if (there && lane < how.parts) {
                T s = partial[lane * outputs + output];
                for (long long k = lane + lanes; k < how.parts; k += lanes)
                    s = reduce(s, partial[k * outputs + output]);
                shared[threadIdx.x] = s;
            }
            join(shared, how.parts, reduce);
        }
        const T s = shared[first];
        __syncthreads(); /* before the memory is used for the next output */
        return s;
    }
};

#endif

} // namespace cupric

template <class T, int N, bool CONTIGUOUS, bool UNUSED = true>
using CArray = cupric::raw_array<T, N, CONTIGUOUS>;

#endif
