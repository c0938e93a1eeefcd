/* _selections.cuh: rows, columns, points and diagonals of compressed matrices.
 *
 * indptr (n_major + 1), indices, data (nnz): a matrix; I is int or long long. Where data
 * are moved only, T is an unsigned integer of their size. Python waits once for the number
 * of elements of a result, between the kernels that count and those that fill.
 *
 * Whatever leaves out elements and keeps the order of the others goes by a mask, a bit for
 * each stored element, and its rank, the number of bits that are set before each word:
 *
 * 1. mark: the mask;
 * 2. rank_words: the bits before each word, a scan of words;
 * 3. ranked_rows: where rows begin in the result, as the rank of where they began;
 * 4. compact: the elements, each to its rank.
 *
 * Work is cut by stored elements, not by rows, of which one may have nearly all.
 */
#include "_searches.cuh"
#include "_selections.h"
#include "cupric/scan.hpp"

/* ---- rows ------------------------------------------------------------------------------
 *
 * Of the rows that are taken: begins[r], where one begins, and taken[r + 1], its length.
 * Launch: elements(s.n).
 */
template <class I>
__global__ void
find_rows(const I *indptr, const long long *rows, I *begins, I *taken, long long *info,
          take_sizes s)
{
    CUPRIC_EACH (r, s.n) {
        const long long row = wrapped(rows[r], s.n_major, info);
        const I begin = s.n_major > 0 ? indptr[row] : 0;
        begins[r] = begin;
        taken[r + 1] = s.n_major > 0 ? indptr[row + 1] - begin : 0;
    }
}

template <class I>
struct taken_lengths : cupric::scan_of<cupric::sum_of<long long>> {
    I *taken;
    long long *info;

    __device__ long long load(long long, long long r) const { return taken[r + 1]; }
    __device__ void store(long long, long long r, long long sum) const
    {
        taken[r + 1] = (I)sum;
    }
    __device__ void finish(long long, long long sum) const
    {
        taken[0] = 0;
        info[INFO_COUNT] = sum;
    }
};

/* taken[r + 1] = the elements of the first r + 1 of the rows, in place of lengths. Launch:
 * blocks(s.tiles, SCAN_THREADS). */
template <class I>
__global__ void
add_lengths(I *taken, long long *info, scan_layout s, unsigned int *workspace)
{
    taken_lengths<I> op;
    op.taken = taken;
    op.info = info;
    cupric::scan_rows(s, workspace, op);
}

/* The elements of rows, as `taken` says where they go; a block takes TILE of the result.
 * Launch: blocks(s.tiles, THREADS). */
template <class I, class T>
__global__ void
take_rows(const I *taken, const I *begins, const I *indices, const T *data,
          I *out_indices, T *out_data, take_sizes s)
{
    __shared__ long long first[2];

    CUPRIC_EACH_BLOCK (tile, s.tiles) {
        const long long begin = tile * TILE, end = end_of_tile(begin, s.nnz);
        rows_of_tile(taken, s.n, begin, end, first);
        for (long long p = begin + threadIdx.x; p < end; p += THREADS) {
            const long long r = row_of(taken, first[0], first[1], p);
            const long long from = (long long)begins[r] + (p - (long long)taken[r]);
            out_indices[p] = indices[from];
            out_data[p] = data[from];
        }
    }
}

/* ---- what is kept ----------------------------------------------------------------------
 *
 * places: for each minor index the one that it gets, or -1.
 */
template <int KIND, class I>
__device__ inline bool
is_kept(long long minor, long long major, const I *places, const keep_rule &r)
{
    if (KIND == KEEP_BELOW) return minor - major <= r.shift;
    if (KIND == KEEP_ABOVE) return minor - major >= r.shift;
    if (KIND == KEEP_PLACES) return places[minor] >= 0;
    if (minor < r.low || minor >= r.high) return false;
    return r.step == 1 || (minor - r.low) % r.step == 0;
}

template <class I>
__device__ inline I
renamed(I minor, const I *places, const keep_rule &r)
{
    if (r.kind == KEEP_PLACES) return places[minor];
    if (r.kind != KEEP_RANGE) return minor;
    const long long distance = ((long long)minor - r.start) * r.sign;
    return (I)(r.step == 1 ? distance : distance / r.step);
}

/* A warp makes a word at a time. Launch: blocks(r.tiles, THREADS). */
template <class I, int KIND>
__global__ void
mark(const I *indptr, const I *indices, const I *places, unsigned int *mask,
     keep_rule r)
{
    __shared__ long long first[2];

    CUPRIC_EACH_BLOCK (tile, r.tiles) {
        const long long begin = tile * TILE, end = end_of_tile(begin, r.nnz);
        if (KIND == KEEP_BELOW || KIND == KEEP_ABOVE)
            rows_of_tile(indptr, r.n_major, begin, end, first);
#pragma unroll 4
        for (int k = 0; k < TILE / THREADS; k++) {
            const long long p = begin + k * THREADS + (int)threadIdx.x;
            bool kept = false;
            if (p < end) {
                long long major = 0;
                if (KIND == KEEP_BELOW || KIND == KEEP_ABOVE)
                    major = row_of(indptr, first[0], first[1], p);
                kept = is_kept<KIND>((long long)indices[p], major, places, r);
            }
            const unsigned int word = __ballot_sync(~0u, kept);
            if (threadIdx.x % 32 == 0 && p < end) mask[p / 32] = word;
        }
    }
}

template <class I>
struct ranks_of_words : cupric::scan_of<cupric::sum_of<long long>, true> {
    const unsigned int *mask;
    I *rank;
    long long *info;

    __device__ long long load(long long, long long w) const { return __popc(mask[w]); }
    __device__ void store(long long, long long w, long long sum) const
    {
        rank[w] = (I)sum;
    }
    __device__ void finish(long long, long long sum) const { info[INFO_COUNT] = sum; }
};

/* Launch: blocks(s.tiles, SCAN_THREADS). */
template <class I>
__global__ void
rank_words(const unsigned int *mask, I *rank, long long *info, scan_layout s,
           unsigned int *workspace)
{
    ranks_of_words<I> op;
    op.mask = mask;
    op.rank = rank;
    op.info = info;
    cupric::scan_rows(s, workspace, op);
}

/* How many elements before p are kept, of a p that there is. */
template <class I>
__device__ inline long long
rank_of(const unsigned int *mask, const I *rank, long long p)
{
    const unsigned int before = mask[p / 32] & ((1u << (p & 31)) - 1);
    return (long long)rank[p / 32] + __popc(before);
}

/* out_indptr: where each row begins among what is kept. Launch: elements(n). */
template <class I>
__global__ void
ranked_rows(const unsigned int *mask, const I *rank, const I *indptr, I *out_indptr,
            const long long *info, long long nnz, long long n)
{
    CUPRIC_EACH (row, n) {
        const long long p = indptr[row];
        out_indptr[row] = (I)(p < nnz ? rank_of(mask, rank, p) : info[INFO_COUNT]);
    }
}

/* Launch: blocks(r.tiles, THREADS). */
template <class I, class T>
__global__ void
compact(const unsigned int *mask, const I *rank, const I *indices, const T *data,
        const I *places, I *out_indices, T *out_data, keep_rule r)
{
    CUPRIC_EACH_BLOCK (tile, r.tiles) {
        const long long begin = tile * TILE, end = end_of_tile(begin, r.nnz);
        for (long long p = begin + threadIdx.x; p < end; p += THREADS) {
            if (!(mask[p / 32] >> (p & 31) & 1)) continue;
            const long long at = rank_of(mask, rank, p);
            out_indices[at] = renamed(indices[p], places, r);
            out_data[at] = data[p];
        }
    }
}

/* ---- columns by their numbers ----------------------------------------------------------
 *
 * places[columns[k]] = k. One of those that are equal is put there. Launch: elements(n).
 */
template <class I>
__global__ void
place_columns(const long long *columns, I *places, long long *info, long long n_minor,
              long long n)
{
    CUPRIC_EACH (k, n) {
        const long long j = wrapped(columns[k], n_minor, info);
        if (n_minor > 0) places[j] = (I)k;
    }
}

/* Whether some are equal: those that are not put. Launch: elements(n). */
template <class I>
__global__ void
find_repeated(const long long *columns, const I *places, long long *info,
              long long n_minor, long long n)
{
    CUPRIC_EACH (k, n) {
        const long long j = wrapped(columns[k], n_minor, nullptr);
        if (n_minor > 0 && (long long)places[j] != k) info[INFO_REPEATED] = 1;
    }
}

/* Columns that are taken several times: starts[j] to starts[j + 1] are the places in
 * `order` of those equal to j. offset[p]: the elements that come of those before p. */
template <class I>
struct copies_of_elements : cupric::scan_of<cupric::sum_of<long long>, true> {
    const I *indices;
    const long long *starts;
    long long *offset, *info, nnz;

    __device__ long long load(long long, long long p) const
    {
        const long long j = indices[p];
        return starts[j + 1] - starts[j];
    }
    __device__ void store(long long, long long p, long long sum) const
    {
        offset[p] = sum;
    }
    __device__ void finish(long long, long long sum) const
    {
        offset[nnz] = sum;
        info[INFO_COUNT] = sum;
    }
};

/* Launch: blocks(s.tiles, SCAN_THREADS). */
template <class I>
__global__ void
count_copies(const I *indices, const long long *starts, long long *offset,
             long long *info, scan_layout s, unsigned int *workspace)
{
    copies_of_elements<I> op;
    op.indices = indices;
    op.starts = starts;
    op.offset = offset;
    op.info = info;
    op.nnz = s.n;
    cupric::scan_rows(s, workspace, op);
}

/* Launch: elements(nnz). */
template <class I, class T>
__global__ void
copy_columns(const I *indices, const T *data, const long long *starts,
             const long long *order, const long long *offset, I *out_indices,
             T *out_data, long long nnz)
{
    CUPRIC_EACH (p, nnz) {
        const long long first = starts[indices[p]], n = starts[indices[p] + 1] - first;
        const T x = data[p];
        for (long long k = 0; k < n; k++) {
            out_indices[offset[p] + k] = (I)order[first + k];
            out_data[offset[p] + k] = x;
        }
    }
}

/* ---- points ----------------------------------------------------------------------------
 *
 * y[k] = the sum of the elements at (i[k], j[k]). Rows whose indices are SORTED are
 * searched by a thread, to the last few, which it reads; others are read by a warp, if
 * there are 32 times as many threads as points.
 */
template <class T>
struct values_of : cupric::sum_of<T> {
};
template <>
struct values_of<bool> : cupric::or_of<bool> {
};

template <bool SORTED, class I, class T>
__device__ inline T
sum_at(const I *indices, const T *data, long long begin, long long end, long long j,
       int lane, int lanes)
{
    const values_of<T> values;
    T sum = values.identity();
    if (SORTED) {
        long long p = begin,
                  stop = end; /* the first that counts is before or at stop */
        while (stop - p > SHORT) {
            const long long middle = p + (stop - p) / 2;
            if (indices[middle] < j) {
                p = middle + 1;
            } else {
                stop = middle;
            }
        }
        for (; p < stop; p++) {
            if (indices[p] == j) sum = values.combine(sum, data[p]);
        }
        for (; p < end && indices[p] == j; p++) sum = values.combine(sum, data[p]);
    } else {
        for (long long p = begin + lane; p < end; p += lanes) {
            if (indices[p] == j) sum = values.combine(sum, data[p]);
        }
        if (lanes > 1) sum = cupric::warp_reduce(sum, values);
    }
    return sum;
}

/* Launch: elements(s.work). */
template <class I, class T, bool SORTED>
__global__ void
sum_points(const I *indptr, const I *indices, const T *data, const long long *i,
           const long long *j, T *y, point_sizes s)
{
    const int lanes = s.work > s.n ? 32 : 1;

    CUPRIC_EACH (t, s.work) {
        const long long k = t / lanes;
        const long long row = wrapped(i[k], s.n_major, nullptr);
        const long long minor = wrapped(j[k], s.n_minor, nullptr);
        const int lane = (int)(t % lanes);
        const T sum = sum_at<SORTED>(indices, data, indptr[row], indptr[row + 1], minor,
                                     lane, lanes);
        if (lane == 0) y[k] = sum;
    }
}

/* Points first + k, k. Launch: elements(s.work). */
template <class I, class T, bool SORTED>
__global__ void
sum_diagonal(const I *indptr, const I *indices, const T *data, T *y, point_sizes s)
{
    const int lanes = s.work > s.n ? 32 : 1;

    CUPRIC_EACH (t, s.work) {
        const long long k = t / lanes, row = s.first_major + k;
        const int lane = (int)(t % lanes);
        const T sum = sum_at<SORTED>(indices, data, indptr[row], indptr[row + 1],
                                     s.first_minor + k, lane, lanes);
        if (lane == 0) y[k] = sum;
    }
}
