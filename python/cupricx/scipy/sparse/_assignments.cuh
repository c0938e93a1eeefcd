/* _assignments.cuh: values set at points of compressed matrices, in place and inserted.
 *
 * indptr (n_major + 1), indices, data (nnz): a matrix; I is int or long long, and T where
 * data are moved only an unsigned integer of their size.
 *
 * 1. locate: the stored element of each point, or where a new one would go;
 * 2. count_missing: how many are new before each point: Python waits for their number;
 * 3. set_found: the values of those that are stored;
 * 4. move_rows, move_apart, put_missing: new arrays, with the new elements.
 */
#include "_assignments.h"
#include "_searches.cuh"
#include "cupric/scan.hpp"

/* Points (i[k], j[k]) ascend; of equal ones the last counts. found[k]: the element to be
 * set, POINT_MISSING, or POINT_IGNORED. bound[k], which ascends: the element that an
 * inserted one comes before, in its order where rows are SORTED, else behind the row.
 * Launch: elements(s.n).
 */
template <class I, bool SORTED>
__global__ void
locate(const I *indptr, const I *indices, const long long *i, const long long *j,
       long long *found, long long *bound, long long *info, point_sizes s)
{
    CUPRIC_EACH (k, s.n) {
        const long long row = i[k], minor = j[k];
        const bool is_in =
            row >= 0 && row < s.n_major && minor >= 0 && minor < s.n_minor;
        found[k] = POINT_IGNORED;
        bound[k] = is_in ? indptr[row + 1] : s.nnz;
        if (!is_in) {
            info[INFO_OUT_OF_BOUNDS] = 1;
            continue;
        }
        long long p = indptr[row];
        const long long end = indptr[row + 1];
        if (SORTED) {
            p = bound_of<false>(indices, p, end, minor);
            bound[k] = p;
        } else {
            while (p < end && indices[p] != minor) p++;
        }
        if (k + 1 < s.n && i[k + 1] == row && j[k + 1] == minor) continue;
        found[k] = p < end && indices[p] == minor ? p : POINT_MISSING;
        if (found[k] < 0) continue;
        for (p++; p < end && (!SORTED || indices[p] == minor); p++) {
            if (indices[p] == minor) info[INFO_REPEATED] = 1;
        }
    }
}

/* slot[k]: the points before k that are missing. */
struct missing_before : cupric::scan_of<cupric::sum_of<long long>, true> {
    const long long *found;
    long long *slot, *info, n;

    __device__ long long load(long long, long long k) const
    {
        return found[k] == POINT_MISSING;
    }
    __device__ void store(long long, long long k, long long sum) const
    {
        slot[k] = sum;
    }
    __device__ void finish(long long, long long sum) const
    {
        slot[n] = sum;
        info[INFO_COUNT] = sum;
    }
};

/* Launch: blocks(s.tiles, SCAN_THREADS). */
__global__ void
count_missing(const long long *found, long long *slot, long long *info, scan_layout s,
              unsigned int *workspace)
{
    missing_before op;
    op.found = found;
    op.slot = slot;
    op.info = info;
    op.n = s.n;
    cupric::scan_rows(s, workspace, op);
}

/* data[found[k]] = x[k]. Launch: elements(s.n). */
template <class T>
__global__ void
set_found(const long long *found, const T *x, T *data, point_sizes s)
{
    CUPRIC_EACH (k, s.n) {
        if (found[k] >= 0) data[found[k]] = x[k * s.x_step];
    }
}

/* The elements that there were, moved behind those inserted before them. A block takes
 * TILE. Launch: blocks(s.work, THREADS). */
template <class I, class T>
__global__ void
move_apart(const I *indices, const T *data, const long long *bound,
           const long long *slot, I *out_indices, T *out_data, point_sizes s)
{
    __shared__ long long first[2];

    CUPRIC_EACH_BLOCK (tile, s.work) {
        const long long begin = tile * TILE, end = end_of_tile(begin, s.nnz);
        __syncthreads();
        if (threadIdx.x < 2) {
            first[threadIdx.x] =
                bound_of<true>(bound, 0, s.n, threadIdx.x ? end - 1 : begin);
        }
        __syncthreads();
        for (long long p = begin + threadIdx.x; p < end; p += THREADS) {
            const long long at = p + slot[bound_of<true>(bound, first[0], first[1], p)];
            out_indices[at] = indices[p];
            out_data[at] = data[p];
        }
    }
}

/* Those that are inserted. Launch: elements(s.n). */
template <class I, class T>
__global__ void
put_missing(const long long *found, const long long *bound, const long long *slot,
            const long long *j, const T *x, I *out_indices, T *out_data, point_sizes s)
{
    CUPRIC_EACH (k, s.n) {
        if (found[k] != POINT_MISSING) continue;
        out_indices[bound[k] + slot[k]] = (I)j[k];
        out_data[bound[k] + slot[k]] = x[k * s.x_step];
    }
}

/* out_indptr: with those that are inserted. Launch: elements(rows). */
template <class I>
__global__ void
move_rows(const I *indptr, const long long *i, const long long *slot, I *out_indptr,
          long long n, long long rows)
{
    CUPRIC_EACH (row, rows) {
        out_indptr[row] = indptr[row] + (I)slot[bound_of<false>(i, 0, n, row)];
    }
}

/* data = 0 where both the row and the column are marked. Launch: blocks(s.work, THREADS).
 */
template <class I, class T>
__global__ void
clear_marked(const I *indptr, const I *indices, const bool *rows, const bool *columns,
             T *data, point_sizes s)
{
    __shared__ long long first[2];

    CUPRIC_EACH_BLOCK (tile, s.work) {
        const long long begin = tile * TILE, end = end_of_tile(begin, s.nnz);
        rows_of_tile(indptr, s.n_major, begin, end, first);
        for (long long p = begin + threadIdx.x; p < end; p += THREADS) {
            if (columns[indices[p]] && rows[row_of(indptr, first[0], first[1], p)])
                data[p] = T(0);
        }
    }
}
