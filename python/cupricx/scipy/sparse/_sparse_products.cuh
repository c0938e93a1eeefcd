/* _sparse_products.cuh: c = a b of compressed matrices, row by row (Gustavson, "Two fast
 * algorithms for sparse matrices: multiplication and permuted transposition", 1978).
 *
 * Columns are counted first, then results are written to arrays of just that size. A row
 * of few products is expanded in shared memory and sorted by column, equal ones in their
 * order, and each run is summed. Of a heavy row the columns come from a bitmap; a warp
 * sums a segment of them, through the row of a in its order, so that what is added to an
 * element comes in a fixed order. Rows of b then have no duplicates, and are sorted.
 *
 * Views m: indptr and indices of a, of b, and of c. values: of a, b, c. upto: the products
 * of rows up to each, inclusive.
 */
#include "_rings.cuh"
#include "_sparse_products.h"
#include "cupric/block.hpp"

typedef unsigned long long sort_key;

/* products[row]: how many make up row of c. Launch: elements(rows). */
template <class I>
__global__ void
count_products(Views<I, 1, 4> m, long long *products, long long rows)
{
    const I *const a_indptr = m[0].data, *const a_indices = m[1].data;
    const I *const b_indptr = m[2].data;

    CUPRIC_EACH (row, rows) {
        long long sum = 0;
        for (long long k = a_indptr[row]; k < a_indptr[row + 1]; k++) {
            const long long j = a_indices[k];
            sum += b_indptr[j + 1] - b_indptr[j];
        }
        products[row] = sum;
    }
}

__device__ inline long long
products_of(const long long *upto, long long row)
{
    return upto[row] - (row > 0 ? upto[row - 1] : 0);
}

/* ---- expansion of a row --------------------------------------------------------------- */

struct expansion_memory {
    cupric::block_memory<long long> scan;
    long long begin[ROW_THREADS]; /* of rows of b */
    int length[ROW_THREADS], place[ROW_THREADS];
};

/* put(place, k, l) of each product of elements k of a and l of b, which are numbered in
 * their order. */
template <class VIEWS, class PUT>
__device__ inline void
expand_row(const VIEWS &m, long long row, expansion_memory &memory, const PUT &put)
{
    const auto *const a_indptr = m[0].data, *const a_indices = m[1].data;
    const auto *const b_indptr = m[2].data;
    const long long end = a_indptr[row + 1];
    const int group = threadIdx.x / GROUP, lane = threadIdx.x % GROUP;
    long long before = 0;

    for (long long first = a_indptr[row]; first < end; first += ROW_THREADS) {
        const long long k = first + threadIdx.x;
        const long long j = k < end ? (long long)a_indices[k] : -1;
        const long long begin = j < 0 ? 0 : b_indptr[j];
        const long long length = j < 0 ? 0 : b_indptr[j + 1] - begin;
        long long all;
        const long long place = cupric::block_exclusive_scan(
            length, cupric::sum_of<long long>(), memory.scan, &all);
        memory.begin[threadIdx.x] = begin;
        memory.length[threadIdx.x] = (int)length;
        memory.place[threadIdx.x] = (int)(before + place);
        __syncthreads();
        const int some = end - first < ROW_THREADS ? (int)(end - first) : ROW_THREADS;
        for (int e = group; e < some; e += ROW_THREADS / GROUP) {
            for (int l = lane; l < memory.length[e]; l += GROUP) {
                put(memory.place[e] + l, first + e, memory.begin[e] + l);
            }
        }
        before += all;
        __syncthreads();
    }
}

/* Sort n keys, of which there is room for the next power of 2. */
__device__ inline void
sort_keys(sort_key *keys, int n)
{
    int padded = 1;
    while (padded < n) padded *= 2;
    for (int i = n + threadIdx.x; i < padded; i += ROW_THREADS) keys[i] = ~0ull;
    __syncthreads();
    for (int size = 2; size <= padded; size *= 2) {
        for (int step = size / 2; step > 0; step /= 2) {
            for (int i = threadIdx.x; i < padded / 2; i += ROW_THREADS) {
                const int low = 2 * i - (i & (step - 1)), high = low + step;
                const sort_key x = keys[low], y = keys[high];
                if ((x > y) == ((low & size) == 0)) {
                    keys[low] = y;
                    keys[high] = x;
                }
            }
            __syncthreads();
        }
    }
}

/* Whether a key is the first of its column. */
__device__ inline bool
begins_column(const sort_key *keys, int i)
{
    return i == 0 || keys[i] / LIGHT != keys[i - 1] / LIGHT;
}

/* ---- columns by a bitmap -------------------------------------------------------------- */

/* The bits of row's columns from `first` on. */
template <class VIEWS>
__device__ inline void
mark_columns(const VIEWS &m, long long row, long long first, long long columns,
             unsigned int *bitmap)
{
    const auto *const a_indptr = m[0].data, *const a_indices = m[1].data;
    const auto *const b_indptr = m[2].data, *const b_indices = m[3].data;
    const int group = threadIdx.x / GROUP, lane = threadIdx.x % GROUP;
    const long long left = columns - first, end = a_indptr[row + 1];
    const long long bits = left < BITMAP_COLUMNS ? left : BITMAP_COLUMNS;

    for (long long w = threadIdx.x; w < (bits + 31) / 32; w += ROW_THREADS) {
        bitmap[w] = 0;
    }
    __syncthreads();
    for (long long k = a_indptr[row] + group; k < end; k += ROW_THREADS / GROUP) {
        const long long j = a_indices[k], stop = b_indptr[j + 1];
        for (long long l = b_indptr[j] + lane; l < stop; l += GROUP) {
            const long long bit = b_indices[l] - first;
            if (bit < 0 || bit >= bits) continue;
            const unsigned int set = 1u << (bit & 31);
            if ((*(volatile unsigned int *)(bitmap + bit / 32) & set) == 0)
                atomicOr(bitmap + bit / 32, set);
        }
    }
    __syncthreads();
}

/* How many columns a row has: to every thread. Where `to` is not NULL they are written to
 * it in their order. */
template <class VIEWS, class I>
__device__ inline long long
columns_of_heavy(const VIEWS &m, long long row, long long columns, unsigned int *bitmap,
                 cupric::block_memory<long long> &memory, I *to)
{
    long long before = 0;
    for (long long first = 0; first < columns; first += BITMAP_COLUMNS) {
        mark_columns(m, row, first, columns, bitmap);
        const long long left = columns - first;
        const int words =
            left < BITMAP_COLUMNS ? (int)((left + 31) / 32) : BITMAP_WORDS;
        for (int base = 0; base < words; base += ROW_THREADS) {
            const int w = base + threadIdx.x;
            unsigned int bits = w < words ? bitmap[w] : 0;
            long long all;
            long long at = before + cupric::block_exclusive_scan(
                                        (long long)__popc(bits),
                                        cupric::sum_of<long long>(), memory, &all);
            before += all;
            for (; to && bits; bits &= bits - 1) {
                to[at++] = (I)(first + w * 32ll + __ffs((int)bits) - 1);
            }
        }
        __syncthreads(); /* before the bits are those of others */
    }
    return before;
}

/* ---- kernels -------------------------------------------------------------------------- */

/* counts[row]: columns; segments[row]: of a heavy row. scratch is the host's, all 0.
 * Launch: blocks(s.pieces, ROW_THREADS). */
template <class I>
__global__ void
count_columns(Views<I, 1, 4> m, const long long *upto, long long *counts,
              long long *segments, long long *scratch, sparse_sizes s)
{
    __shared__ expansion_memory memory;
    __shared__ union {
        sort_key keys[LIGHT];
        unsigned int bitmap[BITMAP_WORDS];
    } u;

    CUPRIC_EACH_BLOCK (row, s.pieces) {
        const long long products = products_of(upto, row);
        long long count = 0;
        if (products > s.light) {
            count = columns_of_heavy<Views<I, 1, 4>, I>(m, row, s.columns, u.bitmap,
                                                        memory.scan, nullptr);
        } else if (products > 0) {
            const I *const b_indices = m[3].data;
            expand_row(m, row, memory, [&](int place, long long, long long l) {
                u.keys[place] = (sort_key)b_indices[l] * LIGHT + place;
            });
            sort_keys(u.keys, (int)products);
            for (int i = threadIdx.x; i < products; i += ROW_THREADS) {
                count += begins_column(u.keys, i);
            }
            count =
                cupric::block_reduce(count, cupric::sum_of<long long>(), memory.scan);
        }
        if (threadIdx.x == 0) {
            counts[row] = count;
            segments[row] = products > s.light ? (count + SEGMENT - 1) / SEGMENT : 0;
        }
        __syncthreads();
    }
}

/* Sums of a sorted row; what of them is zero is counted. */
template <class T, class I>
__device__ inline void
write_runs(const sort_key *keys, typename ring<T>::sum *products, int n, I *to,
           T *values, cupric::block_memory<int> &memory, unsigned long long *zeros)
{
    int before = 0, nothing = 0;
    for (int base = 0; base < n; base += ROW_THREADS) {
        const int i = base + threadIdx.x;
        const bool begins = i < n && begins_column(keys, i);
        int some;
        const int at = before + cupric::block_compact(begins, memory, &some);
        before += some;
        if (!begins) continue;
        typename ring<T>::sum sum = products[keys[i] % LIGHT];
        for (int k = i + 1; k < n && !begins_column(keys, k); k++) {
            sum = ring<T>::add(sum, products[keys[k] % LIGHT]);
        }
        to[at] = (I)(keys[i] / LIGHT);
        ring<T>::store(values, at, sum);
        nothing += !cupric::convert<bool>(cupric::load(values + at));
    }
    if (nothing) atomicAdd(zeros, (unsigned long long)nothing);
}

/* Rows of c, and the columns of its heavy rows; *zeros: elements that are 0. scratch is
 * the host's, all 0. Launch: blocks(s.pieces, ROW_THREADS). */
template <class T, class I>
__global__ void
fill_rows(Views<I, 1, 6> m, Views<T, 1, 3> values, const long long *upto,
          unsigned long long *zeros, long long *scratch, sparse_sizes s)
{
    typedef typename ring<T>::sum sum;
    enum { MOST = sizeof(sum) > 8 ? LIGHT / 2 : LIGHT };
    __shared__ expansion_memory memory;
    __shared__ cupric::block_memory<int> compaction;
    __shared__ union {
        struct {
            sort_key keys[MOST];
            cupric::storage_of<sum, MOST> products;
        } light;
        unsigned int bitmap[BITMAP_WORDS];
    } u;
    const I *const b_indices = m[3].data, *const indptr = m[4].data;
    I *const indices = m[5].data;
    const T *const a = values[0].data, *const b = values[1].data;

    CUPRIC_EACH_BLOCK (row, s.pieces) {
        const long long products = products_of(upto, row);
        const long long begin = indptr[row];
        if (products > s.light) {
            columns_of_heavy(m, row, s.columns, u.bitmap, memory.scan, indices + begin);
        } else if (products > 0) {
            expand_row(m, row, memory, [&](int place, long long k, long long l) {
                u.light.keys[place] = (sort_key)b_indices[l] * LIGHT + place;
                u.light.products[place] =
                    ring<T>::multiply(ring<T>::load(a, k), ring<T>::load(b, l));
            });
            sort_keys(u.light.keys, (int)products);
            write_runs(u.light.keys, &u.light.products[0], (int)products,
                       indices + begin, values[2].data + begin, compaction, zeros);
        }
        __syncthreads();
    }
}

/* ---- segments of heavy rows ----------------------------------------------------------- */

template <class I>
__device__ inline long long
first_not_below(const I *sorted, long long low, long long high, long long x)
{
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        if (sorted[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A segment: its columns, and what has been added up for each. */
template <class T, class I>
struct segment_memory {
    cupric::storage_of<typename ring<T>::sum, SEGMENT> sums;
    I columns[SEGMENT];
};

/* The row of a, 32 elements at once, of which each thread looks where its row of b is
 * within the segment's columns; then these rows one after the other. */
template <class T, class I>
__device__ inline void
sum_segment(const Views<I, 1, 6> &m, const Views<T, 1, 3> &values, long long row,
            int count, segment_memory<T, I> &segment)
{
    const I *const a_indptr = m[0].data, *const a_indices = m[1].data;
    const I *const b_indptr = m[2].data, *const b_indices = m[3].data;
    const T *const a = values[0].data, *const b = values[1].data;
    const long long low = segment.columns[0], high = segment.columns[count - 1];
    const long long end = a_indptr[row + 1];

    for (long long first = a_indptr[row]; first < end; first += 32) {
        const long long k = first + threadIdx.x;
        long long from = 0, to = 0;
        if (k < end) {
            const long long j = a_indices[k];
            from = first_not_below(b_indices, b_indptr[j], b_indptr[j + 1], low);
            to = first_not_below(b_indices, from, b_indptr[j + 1], high + 1);
        }
        const int some = end - first < 32 ? (int)(end - first) : 32;
        for (int e = 0; e < some; e++) {
            const long long stop = cupric::shuffle_from(to, e);
            const typename ring<T>::sum factor = ring<T>::load(a, first + e);
            for (long long l = cupric::shuffle_from(from, e) + threadIdx.x; l < stop;
                 l += 32) {
                const long long at =
                    first_not_below(segment.columns, 0, count, b_indices[l]);
                segment.sums[(int)at] =
                    ring<T>::add(segment.sums[(int)at],
                                 ring<T>::multiply(factor, ring<T>::load(b, l)));
            }
            __syncwarp();
        }
    }
}

/* Values of heavy rows, whose columns are written. segments: of rows up to each.
 * Launch: blocks(pieces, SEGMENT_THREADS). */
template <class T, class I>
__global__ void
sum_segments(Views<I, 1, 6> m, Views<T, 1, 3> values, const long long *segments,
             unsigned long long *zeros, long long pieces, sparse_sizes s)
{
    __shared__ segment_memory<T, I> segment;
    const I *const indptr = m[4].data, *const indices = m[5].data;

    CUPRIC_EACH_BLOCK (p, pieces) {
        const long long row = first_not_below(segments, 0, s.rows, p + 1);
        const long long number = p - (row > 0 ? segments[row - 1] : 0);
        const long long begin = indptr[row] + number * SEGMENT;
        const long long left = indptr[row + 1] - begin;
        const int count = left < SEGMENT ? (int)left : SEGMENT;
        T *const y = values[2].data + begin;
        for (int i = threadIdx.x; i < count; i += SEGMENT_THREADS) {
            segment.columns[i] = indices[begin + i];
            segment.sums[i] = ring<T>::zero();
        }
        __syncwarp();
        sum_segment(m, values, row, count, segment);
        int nothing = 0;
        for (int i = threadIdx.x; i < count; i += SEGMENT_THREADS) {
            ring<T>::store(y, i, segment.sums[i]);
            nothing += !cupric::convert<bool>(cupric::load(y + i));
        }
        if (nothing) atomicAdd(zeros, (unsigned long long)nothing);
        __syncwarp();
    }
}
