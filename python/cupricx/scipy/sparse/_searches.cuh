/* _searches.cuh: indices, and the rows of stored elements.
 *
 * Work is cut by stored elements, not by rows, of which one may have nearly all: a block
 * takes TILE of them.
 */
#ifndef CUPRIC_SPARSE_SEARCHES_CUH
#define CUPRIC_SPARSE_SEARCHES_CUH
#include "_searches.h"

/* An index that counts from the end where it is negative; *info is set where it is out of
 * bounds, and the index wraps. */
__device__ inline long long
wrapped(long long i, long long n, long long *info)
{
    if (i < 0) i += n;
    if ((unsigned long long)i < (unsigned long long)n) return i;
    if (info) info[INFO_OUT_OF_BOUNDS] = 1;
    if (n <= 0) return 0;
    i %= n;
    return i < 0 ? i + n : i;
}

/* The first of the places from begin to end whose x is not less than (or, UPPER, is greater
 * than) a value; x ascends. */
template <bool UPPER, class X>
__device__ inline long long
bound_of(const X *x, long long begin, long long end, long long value)
{
    while (begin < end) {
        const long long middle = begin + (end - begin) / 2;
        const bool is_before = UPPER ? x[middle] <= value : x[middle] < value;
        if (is_before) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

/* The row of stored element p, which lies between rows `low` and `high`. */
template <class I>
__device__ inline long long
row_of(const I *indptr, long long low, long long high, long long p)
{
    return bound_of<true>(indptr, low, high + 1, p) - 1;
}

/* The rows that elements begin to end - 1 lie in: first[0] to first[1], in shared memory.
 * By all threads of a block. */
template <class I>
__device__ inline void
rows_of_tile(const I *indptr, long long n, long long begin, long long end,
             long long *first)
{
    __syncthreads(); /* those of the last tile are read no longer */
    if (threadIdx.x < 2) {
        first[threadIdx.x] = row_of(indptr, 0, n - 1, threadIdx.x ? end - 1 : begin);
    }
    __syncthreads();
}

__device__ inline long long
end_of_tile(long long begin, long long n)
{
    return begin + TILE < n ? begin + TILE : n;
}

#endif
