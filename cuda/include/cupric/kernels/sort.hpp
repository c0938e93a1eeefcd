/* kernels/sort.hpp: stable merge sort of rows of n keys, with their positions if asked.
 *
 *   sort_tiles    each tile of 1024 by a bitonic network, equal keys by position
 *   sort_merge    pairs of sorted runs of `width` to runs of twice that; a block finds
 *                 its 1024 results on the merge path and each thread the rank of its keys
 *   sort_values   the keys back into the rows
 *   sort_order    the positions into `order`
 *
 * Launch: a block of 256 threads for each tile of each row, row-major.
 */
#ifndef CUPRIC_KERNELS_SORT_HPP
#define CUPRIC_KERNELS_SORT_HPP

#include "cupric/kernels/group.hpp"
#include "cupric/kernels/order.hpp"
#include "cupric/kernels/space.hpp"

CUPRIC_BEGIN

template <int N>
struct sort_params {
    slot op[1]; /* the rows, dense along the last axis */
    long long n, tiles, width, descending;
    char *keys[2], *places[2]; /* from [0], to [1] */
    long long *order;
    space<1, N> rows;
};

constexpr int SORT_TILE = 1024;

template <class T>
__device__ inline bool
comes_before(const T a, const T b, bool descending)
{
    return descending ? sorts_before(b, a) : sorts_before(a, b);
}

/* Of places past the last, which come after all others, the keys are not looked at. */
template <class T>
__device__ inline bool
precedes_in_tile(const T a, int i, const T b, int j, int m, bool descending)
{
    if (i >= m || j >= m) return i < j;
    if (comes_before(a, b, descending)) return true;
    return !comes_before(b, a, descending) && i < j;
}

template <class T, class P, bool ORDER, int N>
__device__ inline void
sort_tiles(const sort_params<N> &p)
{
    __shared__ room<T, SORT_TILE> key;
    __shared__ int place[SORT_TILE];
    const long long row = blockIdx.x / p.tiles;
    const long long first = blockIdx.x % p.tiles * SORT_TILE;
    const int m = (int)(p.n - first < SORT_TILE ? p.n - first : SORT_TILE);
    const bool descending = p.descending != 0;
    long long at[1];
    locate<long long>(p.rows, row, at);
    const T *from = (const T *)(address(p.op[0]) + at[0]) + first;
    for (int i = threadIdx.x; i < SORT_TILE; i += 256) {
        if (i < m) key.at[i] = load<T>((const char *)(from + i));
        place[i] = i;
    }
    for (int size = 2; size <= SORT_TILE; size *= 2) {
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            for (int k = threadIdx.x; k < SORT_TILE / 2; k += 256) {
                const int i = 2 * k - (k & (step - 1)), j = i + step;
                const bool up = (i & size) == 0;
                const T a = key.at[i], b = key.at[j];
                const int pa = place[i], pb = place[j];
                if (precedes_in_tile(b, pb, a, pa, m, descending) != up) continue;
                key.at[i] = b;
                key.at[j] = a;
                place[i] = pb;
                place[j] = pa;
            }
        }
    }
    __syncthreads();
    T *const keys = (T *)p.keys[1] + row * p.n + first;
    P *const places = (P *)p.places[1] + row * p.n + first;
    for (int i = threadIdx.x; i < m; i += 256) {
        keys[i] = key.at[i];
        if (ORDER) places[i] = (P)(first + place[i]);
    }
}

/* How many of the first `d` results come from a; a's element goes first where equal. */
template <class T>
__device__ inline long long
merge_path(const T *a, long long na, const T *b, long long nb, long long d,
           bool descending)
{
    long long low = d > nb ? d - nb : 0, high = d < na ? d : na;
    while (low < high) {
        const long long mid = (low + high) / 2;
        if (comes_before(b[d - 1 - mid], a[mid], descending))
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

template <class T, class P, bool ORDER, int N>
__device__ inline void
sort_merge(const sort_params<N> &p)
{
    __shared__ room<T, SORT_TILE> key;
    __shared__ long long bound[2];
    const long long row = blockIdx.x / p.tiles;
    const long long first = blockIdx.x % p.tiles * SORT_TILE;
    const long long base = first / (2 * p.width) * (2 * p.width);
    const bool descending = p.descending != 0;
    const long long na = p.n - base < p.width ? p.n - base : p.width;
    const long long rest = p.n - base - na, nb = rest < p.width ? rest : p.width;
    const T *const a = (const T *)p.keys[0] + row * p.n + base;
    const T *const b = a + na;
    const P *const places = (const P *)p.places[0] + row * p.n + base;
    const long long begin = first - base, limit = begin + SORT_TILE;
    const long long end = limit < na + nb ? limit : na + nb;
    if (threadIdx.x < 2) {
        bound[threadIdx.x] =
            merge_path(a, na, b, nb, threadIdx.x ? end : begin, descending);
    }
    __syncthreads();
    const long long a0 = bound[0], b0 = begin - a0;
    const int ma = (int)(bound[1] - a0), m = (int)(end - begin), mb = m - ma;
    for (int i = threadIdx.x; i < m; i += 256) {
        key.at[i] = i < ma ? a[a0 + i] : b[b0 + i - ma];
    }
    __syncthreads();
    T *const keys = (T *)p.keys[1] + row * p.n + first;
    P *const to = (P *)p.places[1] + row * p.n + first;
    for (int i = threadIdx.x; i < m; i += 256) {
        const bool in_a = i < ma;
        const T x = key.at[i];
        int low = 0, high = in_a ? mb : ma;
        while (low < high) {
            const int mid = (low + high) / 2;
            const T other = key.at[in_a ? ma + mid : mid];
            const bool goes_first = in_a ? comes_before(other, x, descending)
                                         : !comes_before(x, other, descending);
            if (goes_first)
                low = mid + 1;
            else
                high = mid;
        }
        const int rank = low + (in_a ? i : i - ma);
        keys[rank] = x;
        if (ORDER) to[rank] = places[in_a ? a0 + i : na + b0 + i - ma];
    }
}

template <class T, class P, bool ORDER, int N>
__device__ inline void
sort_values(const sort_params<N> &p)
{
    const long long row = blockIdx.x / p.tiles;
    const long long first = blockIdx.x % p.tiles * SORT_TILE;
    long long at[1];
    locate<long long>(p.rows, row, at);
    T *const to = (T *)(address(p.op[0]) + at[0]);
    for (long long i = first + threadIdx.x; i < first + SORT_TILE && i < p.n;
         i += 256) {
        to[i] = ((const T *)p.keys[0])[row * p.n + i];
    }
}

template <class T, class P, bool ORDER, int N>
__device__ inline void
sort_order(const sort_params<N> &p)
{
    const long long row = blockIdx.x / p.tiles;
    const long long first = blockIdx.x % p.tiles * SORT_TILE;
    for (long long i = first + threadIdx.x; i < first + SORT_TILE && i < p.n;
         i += 256) {
        p.order[row * p.n + i] = (long long)((const P *)p.places[0])[row * p.n + i];
    }
}

CUPRIC_END

#endif
