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
            const long long rest = i / lengths[d];
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
 * or by N indices. */
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

#define CUPRIC_FOR(i, ind)                                                             \
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;               \
         i < (ind).size() && ((ind).set(i), true);                                     \
         i += (long long)gridDim.x * blockDim.x)

#endif

/* ---- reductions: s = reduce(map(0), map(1), …, map(n - 1)) --------------------------- */

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
template <class T, class MAP, class REDUCE>
inline T
reduce_block(long long n, const MAP &map, const REDUCE &reduce)
{
    return reduce_range<T>(0, n, map, reduce);
}
inline bool
is_writer()
{
    return true;
}

#else

/* One block makes one output at a time; blockDim.x is a power of two, at most 512. */
#define CUPRIC_FOR_OUTPUTS(i, ind)                                                     \
    for (long long i = blockIdx.x; i < (ind).size() && ((ind).set(i), true);           \
         i += gridDim.x)
#define CUPRIC_START(ind, first) ((void)0)
#define CUPRIC_STEP_BEFORE(ind, i) ((ind).set(i))
#define CUPRIC_STEP_AFTER(ind) ((void)0)
template <class T, class MAP, class REDUCE>
__device__ T
reduce_block(long long n, const MAP &map, const REDUCE &reduce)
{
    __shared__ alignas(T) char memory[512 * sizeof(T)];
    T *const shared = (T *)memory;
    const unsigned t = threadIdx.x;
    const unsigned filled = n < blockDim.x ? (unsigned)n : blockDim.x;

    if (t < n) {
        /* Sums of sums of sums, so that rounding errors grow slowly with n. */
        const long long step = blockDim.x;
        long long j = t;
        T s = map(j);
        for (j += step; j < n;) {
            T middle = map(j);
            j += step;
            for (int k = 0; k < 32 && j < n; k++) {
                T inner = map(j);
                j += step;
                for (int l = 0; l < 15 && j < n; l++, j += step) {
                    inner = reduce(inner, map(j));
                }
                middle = reduce(middle, inner);
            }
            s = reduce(s, middle);
        }
        shared[t] = s;
    }
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half && t + half < filled)
            shared[t] = reduce(shared[t], shared[t + half]);
    }
    __syncthreads();
    const T s = shared[0];
    __syncthreads(); /* before the memory is used for the next output */
    return s;
}
__device__ inline bool
is_writer()
{
    return threadIdx.x == 0;
}

#endif

} // namespace cupric

template <class T, int N, bool CONTIGUOUS, bool UNUSED = true>
using CArray = cupric::raw_array<T, N, CONTIGUOUS>;

#endif
