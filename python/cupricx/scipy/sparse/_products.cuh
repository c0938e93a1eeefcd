/* _products.cuh: products of a compressed matrix with dense vectors and matrices.
 *
 * `order`, where it is not NULL: data[order[k]] belongs to indices[k], so that the
 * structure of a transposed matrix serves whatever the elements are.
 *
 * Work is cut along the merge path (Merrill and Garland, "Merge-based parallel sparse
 * matrix-vector multiplication", 2016). What a piece has of a row that goes on in the next
 * is its carry: the row's number and the sum, in the workspace. They are added afterwards
 * in their order: no result depends on which block is first.
 */
#include "_products.h"
#include "_rings.cuh"
#include "cupric/block.hpp"

/* ---- the path ------------------------------------------------------------------------- */

/* How many rows end before item d of the path. */
template <class I>
__device__ inline long long
rows_before(const I *indptr, const path_sizes &s, long long d)
{
    long long low = d > s.stored ? d - s.stored : 0, high = d < s.rows ? d : s.rows;
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        if (indptr[middle + 1] + middle < d)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The same by a whole warp: 32 rows are compared at once. */
template <class I>
__device__ inline long long
rows_before_by_warp(const I *indptr, const path_sizes &s, long long d)
{
    long long low = d > s.stored ? d - s.stored : 0, high = d < s.rows ? d : s.rows;
    while (low < high) {
        const long long step = (high - low + 31) / 32;
        const long long row = low + ((threadIdx.x & 31) + 1) * step - 1;
        const bool ends = row < high && indptr[row + 1] + row < d;
        low += __popc(__ballot_sync(cupric::whole_warp, ends)) * step;
        high = low + step - 1 < high ? low + step - 1 : high;
    }
    return low;
}

template <class T>
__device__ inline typename ring<T>::sum *
carried_sums(long long *workspace, const path_sizes &s)
{
    return (typename ring<T>::sum *)((char *)workspace + s.sums);
}

/* ---- vectors -------------------------------------------------------------------------- */

/* Of the items up to a thread's: whether a row has ended, and the sum since. */
template <class S>
struct open_row {
    bool ended;
    S sum;
};
template <class T>
struct open_row_of {
    typedef open_row<typename ring<T>::sum> state;

    __device__ state identity() const { return {false, ring<T>::zero()}; }
    __device__ state combine(const state &a, const state &b) const
    {
        return {a.ended || b.ended, b.ended ? b.sum : ring<T>::add(a.sum, b.sum)};
    }
};

/* A piece of the path in shared memory: its rows. */
struct path_rows {
    int ends[PATH_TILE]; /* of rows, counted from the tile's first element */
    long long corner[2]; /* rows that end before the tile, and before the next */
};
template <class T>
struct path_tile : path_rows {
    typedef typename ring<T>::sum sum;
    cupric::storage_of<sum, PATH_TILE> products;
    cupric::block_memory<open_row<sum>> memory;
};

template <class I>
__device__ inline void
find_corners(const I *indptr, long long begin, long long end, const path_sizes &s,
             path_rows &tile)
{
    const int warp = threadIdx.x / 32;
    if (warp < 2) {
        const long long row = rows_before_by_warp(indptr, s, warp ? end : begin);
        if (threadIdx.x % 32 == 0) tile.corner[warp] = row;
    }
    __syncthreads();
}

/* The tile's rows, and its products, or without `x` its elements. Neighbouring threads
 * read neighbours. */
template <class T, class I>
__device__ inline void
load_tile(const I *indptr, const I *indices, const T *data, const I *order, const T *x,
          long long begin, long long end, const path_sizes &s, path_tile<T> &tile)
{
    find_corners(indptr, begin, end, s, tile);
    const long long row = tile.corner[0], first = begin - row;
    const int rows = (int)(tile.corner[1] - row), count = (int)(end - begin) - rows;
    typename ring<T>::sum a[PATH_EACH];
    long long column[PATH_EACH];
#pragma unroll
    for (int e = 0; e < PATH_EACH; e++) {
        const int k = e * PATH_THREADS + threadIdx.x;
        if (k >= count) continue;
        if (x) column[e] = indices[first + k];
        a[e] = ring<T>::load(data, order ? order[first + k] : first + k);
    }
    for (int r = threadIdx.x; r < rows; r += PATH_THREADS) {
        tile.ends[r] = (int)(indptr[row + r + 1] - first);
    }
#pragma unroll
    for (int e = 0; e < PATH_EACH; e++) {
        const int k = e * PATH_THREADS + threadIdx.x;
        if (k >= count) continue;
        tile.products[k] =
            x ? ring<T>::multiply(a[e], ring<T>::load(x, column[e])) : a[e];
    }
    __syncthreads();
}

/* How many rows of a tile end before its item d. */
__device__ inline int
tile_rows_before(const int *ends, int rows, int count, int d)
{
    int low = d > count ? d - count : 0, high = d < rows ? d : rows;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (ends[middle] + middle < d)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Each thread has PATH_EACH items of the tile: rows that begin and end among them are
 * written at once, the first that ends when what came before is known. */
template <class T>
__device__ inline open_row<typename ring<T>::sum>
sum_rows(path_tile<T> &tile, int items, T *y)
{
    typedef typename ring<T>::sum sum;
    const long long row = tile.corner[0];
    const int rows = (int)(tile.corner[1] - row);
    const int begin = (int)threadIdx.x * PATH_EACH;
    const int d = begin < items ? begin : items;
    int r = tile_rows_before(tile.ends, rows, items - rows, d), k = d - r, first = -1;
    sum open = ring<T>::zero(), first_sum = open;

#pragma unroll
    for (int e = 0; e < PATH_EACH; e++) {
        if (d + e >= items) continue;
        if (r < rows && tile.ends[r] == k) {
            if (first < 0) {
                first = r;
                first_sum = open;
            } else {
                ring<T>::store(y, row + r, open);
            }
            open = ring<T>::zero();
            r++;
        } else {
            open = ring<T>::add(open, tile.products[k++]);
        }
    }
    open_row<sum> all;
    const open_row<sum> before = cupric::block_exclusive_scan(
        open_row<sum>{first >= 0, open}, open_row_of<T>(), tile.memory, &all);
    if (first >= 0) ring<T>::store(y, row + first, ring<T>::add(before.sum, first_sum));
    return all;
}

/* y = A x, but for the carries; without `x` the sums of the rows.
 * Launch: blocks(s.pieces, PATH_THREADS). */
template <class T, class I>
__global__ void
path_matvec(const I *indptr, const I *indices, const T *data, const I *order,
            const T *x, T *y, long long *workspace, path_sizes s)
{
    __shared__ path_tile<T> tile;
    const long long items = s.rows + s.stored;

    CUPRIC_EACH_BLOCK (p, s.pieces) {
        const long long begin = p * PATH_TILE;
        const long long end = items - begin < PATH_TILE ? items : begin + PATH_TILE;
        load_tile(indptr, indices, data, order, x, begin, end, s, tile);
        const open_row<typename ring<T>::sum> all =
            sum_rows(tile, (int)(end - begin), y);
        if (threadIdx.x == 0 && s.pieces > 1) {
            workspace[p] = tile.corner[1];
            carried_sums<T>(workspace, s)[p] = all.sum;
        }
        __syncthreads(); /* before the next tile is loaded */
    }
}

/* ---- matrices ------------------------------------------------------------------------- */

/* The rows of a piece, for one column of a dense matrix. */
template <class T, class I>
struct column_walk {
    typedef typename ring<T>::sum sum;
    const I *indptr;
    T *y; /* the column */
    long long rows, columns, row, row_end;
    sum open;

    __device__ void begin(long long first)
    {
        row = first;
        open = ring<T>::zero();
        row_end = row < rows ? indptr[row + 1] : -1;
    }
    __device__ void end_row()
    {
        ring<T>::store(y, row * columns, open);
        begin(row + 1);
    }
    __device__ void add(long long k, const sum &product)
    {
        while (k == row_end) end_row();
        open = ring<T>::add(open, product);
    }
};

/* y = A x, but for the carries; x: (columns of A, s.columns), y: (s.rows, s.columns). A
 * thread has a piece of the path and a column, neighbours the neighbouring column.
 * Launch: elements(work), s.pieces * s.lanes. */
template <class T, class I>
__global__ void
path_matmat(const I *indptr, const I *indices, const T *data, const I *order,
            const T *x, T *y, long long *workspace, path_sizes s)
{
    typedef typename ring<T>::sum sum;
    const long long items = s.rows + s.stored;

    CUPRIC_EACH (thread, s.pieces * s.lanes) {
        const long long p = thread / s.lanes, column = thread - p * s.lanes;
        if (column >= s.columns) continue;
        const long long begin = p * s.length;
        const long long end = items - begin < s.length ? items : begin + s.length;
        const long long last = rows_before(indptr, s, end), stop = end - last;
        column_walk<T, I> walk = {indptr, y + column, s.rows, s.columns};
        walk.begin(rows_before(indptr, s, begin));
        for (long long k = begin - walk.row; k < stop; k += BATCH) {
            sum a[BATCH], b[BATCH];
#pragma unroll
            for (int e = 0; e < BATCH; e++) {
                if (k + e >= stop) continue;
                a[e] = ring<T>::load(data, order ? order[k + e] : k + e);
                b[e] = ring<T>::load(x, indices[k + e] * s.columns + column);
            }
#pragma unroll
            for (int e = 0; e < BATCH; e++) {
                if (k + e < stop) walk.add(k + e, ring<T>::multiply(a[e], b[e]));
            }
        }
        while (walk.row < last) walk.end_row();
        if (s.pieces == 1) continue;
        if (column == 0) workspace[p] = last;
        carried_sums<T>(workspace, s)[p * s.columns + column] = walk.open;
    }
}

/* ---- carries -------------------------------------------------------------------------- */

/* The piece after the last that carries to the row of piece p. */
__device__ inline long long
end_of_run(const long long *rows, long long p, long long pieces)
{
    long long low = p + 1, high = pieces;
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        if (rows[middle] == rows[p])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* y += the carries: by the first piece of each run that carries to the same row. Threads
 * share a run for a vector, else they have a column each.
 * Launch: blocks(s.pieces * groups of CARRY_THREADS columns, CARRY_THREADS). */
template <class T>
__global__ void
path_carries(T *y, long long *workspace, path_sizes s, long long blocks)
{
    typedef typename ring<T>::sum sum;
    const long long *const rows = workspace;
    const sum *const sums = carried_sums<T>(workspace, s);
    const long long groups = blocks / s.pieces;
    const bool one = s.columns == 1;

    CUPRIC_EACH_BLOCK (b, blocks) {
        const long long p = b / groups, row = rows[p];
        const long long column = one ? 0 : (b - p * groups) * blockDim.x + threadIdx.x;
        if (row >= s.rows || (p > 0 && rows[p - 1] == row)) continue;
        const long long end = end_of_run(rows, p, s.pieces);
        sum all = ring<T>::zero();
        if (column < s.columns) {
#pragma unroll 8
            for (long long q = one ? p + threadIdx.x : p; q < end;
                 q += one ? blockDim.x : 1) {
                all = ring<T>::add(all, sums[q * s.columns + column]);
            }
        }
        if (one) all = cupric::warp_reduce(all, cupric::sum_of<sum>());
        if (column < s.columns && (!one || threadIdx.x == 0)) {
            const long long at = row * s.columns + column;
            ring<T>::store(y, at, ring<T>::add(all, ring<T>::load(y, at)));
        }
    }
}

/* ---- transposed ----------------------------------------------------------------------- */

/* parts[p] = of rows begin to end of piece p, their elements times those of x, added to
 * the row of their index; a thread has a column, and goes through the rows in their order.
 * x: (s.rows, s.columns), parts: (s.pieces, minors, s.columns), all 0.
 * Launch: blocks(s.pieces, PATH_THREADS). */
template <class T, class I>
__global__ void
scatter_rows(const I *indptr, const I *indices, const T *data, const T *x,
             typename ring<T>::sum *parts, long long minors, path_sizes s)
{
    typedef typename ring<T>::sum sum;

    CUPRIC_EACH_BLOCK (p, s.pieces) {
        sum *const y = parts + p * minors * s.columns;
        const long long begin = rows_before(indptr, s, p * s.length);
        const long long end =
            p + 1 < s.pieces ? rows_before(indptr, s, (p + 1) * s.length) : s.rows;
        for (long long row = begin; row < end; row++) {
            for (long long k = indptr[row]; k < indptr[row + 1]; k++) {
                const sum a = ring<T>::load(data, k);
                for (long long c = threadIdx.x; c < s.columns; c += blockDim.x) {
                    const sum b = ring<T>::load(x, row * s.columns + c);
                    sum &to = y[indices[k] * s.columns + c];
                    to = ring<T>::add(to, ring<T>::multiply(a, b));
                }
            }
        }
    }
}
