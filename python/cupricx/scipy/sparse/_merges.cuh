/* _merges.cuh: elementwise operations of two compressed matrices of one shape.
 *
 * Both are canonical. Their elements, of each row in the order of columns, with one item
 * more for the end of each row, are a sequence that is cut into tiles of as many items,
 * so that rows of any length are as much work. Elements of one place are neighbours in
 * it, the first matrix's before the second's, and are in one tile.
 *
 * 1. split_merge: where tiles begin in both matrices;
 * 2. merge_tiles: what each tile keeps of its results, those that are not zero, one
 *    behind the other from where its elements begin, in buffers with room for all; and
 *    how many they are, of which a scan makes offsets;
 * 3. gather_tiles: the results of all tiles without gaps.
 *
 * index: indptr and indices of the first, indptr and indices of the second; data: of both.
 */
#include "_elements.cuh"
#include "cupric/block.hpp"

/* Before an item: the row that it lies in, and the elements of each matrix. */
struct merge_point {
    long long row, a, b;
};

template <class I>
struct merge_pair {
    const I *a_begin, *a_index, *b_begin, *b_index;

    __device__ explicit merge_pair(const Views<I, 1, 4> &index)
        : a_begin(index[0].begin_ptr()), a_index(index[1].begin_ptr()),
          b_begin(index[2].begin_ptr()), b_index(index[3].begin_ptr())
    {
    }
    /* Items before row r. */
    __device__ long long items_before(long long r) const
    {
        return (long long)a_begin[r] + (long long)b_begin[r] + r;
    }
};

/* The row of an item, of rows 0 to `rows`. */
template <class I>
__device__ inline long long
row_of_item(const merge_pair<I> &m, long long rows, long long item)
{
    long long low = 0, high = rows;
    while (low < high) {
        const long long middle = low + (high - low + 1) / 2;
        if (m.items_before(middle) <= item) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

template <class I>
__device__ inline merge_point
point_before(const merge_pair<I> &m, long long rows, long long item)
{
    merge_point p;
    p.row = row_of_item(m, rows, item);
    p.a = m.a_begin[p.row];
    p.b = m.b_begin[p.row];
    const long long k = item - m.items_before(p.row);
    if (k == 0) return p;

    const long long na = m.a_begin[p.row + 1] - p.a, nb = m.b_begin[p.row + 1] - p.b;
    long long low = k > nb ? k - nb : 0, high = k < na ? k : na;
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        if (m.a_index[p.a + middle] <= m.b_index[p.b + k - 1 - middle]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    p.a += low;
    p.b += k - low;
    const bool parts_a_pair =
        low > 0 && k - low < nb && m.a_index[p.a - 1] == m.b_index[p.b];
    p.b += parts_a_pair;
    return p;
}

/* points (3, tiles + 1). Launch: elements(n), n = s.tiles + 1. */
template <class I>
__global__ void
split_merge(Views<I, 1, 4> index, long long *points, merge_sizes s, long long n)
{
    const merge_pair<I> m(index);

    CUPRIC_EACH (t, n) {
        const long long item = t * s.tile;
        const merge_point p = point_before(m, s.rows, item < s.items ? item : s.items);
        points[t] = p.row;
        points[n + t] = p.a;
        points[2 * n + t] = p.b;
    }
}

__device__ inline merge_point
loaded_point(const long long *points, long long tiles, long long t)
{
    const merge_point p = {points[t], points[tiles + 1 + t],
                           points[2 * (tiles + 1) + t]};
    return p;
}

/* The elements of a tile: the columns of both, one behind the other, where rows begin in
 * either, and a byte for each place in their sequence: whether it is kept. */
template <class I>
struct merge_tile {
    enum { size = MERGE_THREADS * MERGE_EACH };
    I column[size];
    unsigned short a_row[size + 1], b_row[size + 1];
    alignas(8) unsigned char kept[size];
    int rank[MERGE_THREADS];
    cupric::block_memory<int> memory;
};

/* What a thread knows of an element: its place in the sequence, and what it gives. */
template <class R>
struct merged_element {
    int place;
    bool kept;
    R value;
};

struct merge_extent {
    merge_point begin;
    int na, nb, rows; /* rows that end within the tile, or at its end */
};

template <class I>
__device__ inline merge_extent
load_merge_tile(const merge_pair<I> &m, const long long *points, const merge_sizes &s,
                long long t, merge_tile<I> &r)
{
    const merge_point begin = loaded_point(points, s.tiles, t);
    const merge_point end = loaded_point(points, s.tiles, t + 1);
    const merge_extent x = {begin, (int)(end.a - begin.a), (int)(end.b - begin.b),
                            (int)(end.row - begin.row)};

    for (int i = threadIdx.x; i < x.na; i += MERGE_THREADS)
        r.column[i] = m.a_index[begin.a + i];
    for (int i = threadIdx.x; i < x.nb; i += MERGE_THREADS)
        r.column[x.na + i] = m.b_index[begin.b + i];
    for (int i = threadIdx.x; i <= x.rows; i += MERGE_THREADS) {
        const long long a = i ? m.a_begin[begin.row + i] - begin.a : 0;
        const long long b = i ? m.b_begin[begin.row + i] - begin.b : 0;
        r.a_row[i] = (unsigned short)a;
        r.b_row[i] = (unsigned short)b;
    }
    __syncthreads();
    return x;
}

/* The last of the rows 0 to `rows` that begins at or before an element. */
__device__ inline int
row_in_tile(const unsigned short *begins, int rows, int i)
{
    int low = 0, high = rows;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (begins[middle] <= i) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/* The first of the columns from begin to end that is not less. */
template <class I>
__device__ inline int
column_in_tile(const I *column, int begin, int end, I wanted)
{
    while (begin < end) {
        const int middle = (begin + end) / 2;
        if (column[middle] < wanted) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

/* Element i of those of the tile, the first matrix's and then the second's. */
template <class R, class I, class T>
__device__ inline merged_element<R>
merged(const merge_tile<I> &r, const merge_extent &x, int i, const T *a, const T *b,
       int op)
{
    const bool is_first = i < x.na;
    const int own = is_first ? i : i - x.na;
    const unsigned short *const own_row = is_first ? r.a_row : r.b_row;
    const unsigned short *const other_row = is_first ? r.b_row : r.a_row;
    const int row = row_in_tile(own_row, x.rows, own);
    const int shift = is_first ? x.na : 0; /* of the other's columns */
    const int begin = other_row[row];
    const int end = row < x.rows ? other_row[row + 1] : (is_first ? x.nb : x.na);
    const int other = column_in_tile(r.column + shift, begin, end, r.column[i]);
    const bool is_pair = other < end && r.column[shift + other] == r.column[i];

    merged_element<R> e = {own + other + (is_pair && !is_first), false, R(0)};
    if (is_first) {
        const T u = cupric::load(a + x.begin.a + own);
        const T v = is_pair ? cupric::load(b + x.begin.b + other) : T(0);
        e.value = combined<R>(op, u, v);
    } else if (!is_pair) {
        e.value = combined<R>(op, T(0), cupric::load(b + x.begin.b + own));
    }
    e.kept = e.value != R(0);
    return e;
}

template <class R, class I, class T>
__device__ inline void
merge_elements(merge_tile<I> &r, const merge_extent &x, const Views<T, 1, 2> &data,
               int op, merged_element<R> *mine)
{
    const T *const a = data[0].begin_ptr(), *const b = data[1].begin_ptr();
#pragma unroll
    for (int k = 0; k < MERGE_EACH; k++) {
        const int i = k * MERGE_THREADS + (int)threadIdx.x;
        mine[k].kept = false;
        if (i >= x.na + x.nb) continue;
        mine[k] = merged<R>(r, x, i, a, b, op);
        r.kept[mine[k].place] = mine[k].kept;
    }
}

/* rank = elements that are kept before those of each thread's share of the sequence;
 * returns how many all are. */
template <class I>
__device__ inline int
rank_kept(merge_tile<I> &r, int n)
{
    int kept = 0, all;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < MERGE_EACH; k++) {
        const int i = threadIdx.x * MERGE_EACH + k;
        kept += i < n ? r.kept[i] : 0;
    }
    r.rank[threadIdx.x] =
        cupric::block_exclusive_scan(kept, cupric::sum_of<int>(), r.memory, &all);
    __syncthreads();
    return all;
}

/* Elements that are kept before a place in the sequence, one of at most `size`. */
template <class I>
__device__ inline int
rank_of_place(const merge_tile<I> &r, int place)
{
    if (place == 0) return 0;
    const int last = place - 1, share = last / MERGE_EACH;
    const unsigned long long bytes = *(const unsigned long long *)(r.kept + share * 8);
    const int upto = last - share * MERGE_EACH;
    return r.rank[share] + __popcll(bytes & (~0ull >> (56 - 8 * upto)));
}

/* What a tile writes: its elements, and rows that begin in it or at its end. */
template <class R, class I>
__device__ inline void
store_merged(const merge_tile<I> &r, const merge_extent &x,
             const merged_element<R> *mine, I *indptr, I *indices, R *results)
{
    const long long base = x.begin.a + x.begin.b;
#pragma unroll
    for (int k = 0; k < MERGE_EACH; k++) {
        if (!mine[k].kept) continue;
        const long long to = base + rank_of_place(r, mine[k].place);
        indices[to] = r.column[k * MERGE_THREADS + (int)threadIdx.x];
        results[to] = mine[k].value;
    }
    for (int i = threadIdx.x + 1; i <= x.rows; i += MERGE_THREADS)
        indptr[x.begin.row + i] = (I)rank_of_place(r, r.a_row[i] + r.b_row[i]);
}

/* counts[t] = elements that tile t keeps, counts[s.tiles] = 0; indices and results have
 * room for the elements of both; indptr counts from the beginning of each tile.
 * Launch: blocks(s.tiles, MERGE_THREADS). */
template <class I, class T, class R>
__global__ void
merge_tiles(Views<I, 1, 4> index, Views<T, 1, 2> data, const long long *points,
            long long *counts, I *indptr, I *indices, R *results, merge_sizes s)
{
    __shared__ merge_tile<I> r;
    const merge_pair<I> m(index);

    CUPRIC_EACH_BLOCK (t, s.tiles) {
        merged_element<R> mine[MERGE_EACH];
        const merge_extent x = load_merge_tile(m, points, s, t, r);
        merge_elements<R>(r, x, data, s.op, mine);
        const int kept = rank_kept(r, x.na + x.nb);
        store_merged(r, x, mine, indptr, indices, results);
        if (threadIdx.x == 0) {
            counts[t] = kept;
            if (t == 0) counts[s.tiles] = indptr[0] = 0;
        }
        __syncthreads(); /* before the next tile is loaded */
    }
}

/* offsets (s.tiles + 1): elements that tiles before each one keep.
 * Launch: blocks(s.tiles, MERGE_THREADS). */
template <class I, class R>
__global__ void
gather_tiles(const long long *points, const long long *offsets, const I *indices,
             const R *results, I *indptr, I *out_indices, R *out_data, merge_sizes s)
{
    CUPRIC_EACH_BLOCK (t, s.tiles) {
        const merge_point begin = loaded_point(points, s.tiles, t);
        const long long base = begin.a + begin.b, offset = offsets[t];
        const long long n = offsets[t + 1] - offset, last = points[t + 1];
        for (long long i = threadIdx.x; i < n; i += blockDim.x) {
            out_indices[offset + i] = indices[base + i];
            out_data[offset + i] = results[base + i];
        }
        for (long long row = begin.row + 1 + threadIdx.x; row <= last;
             row += blockDim.x)
            indptr[row] += (I)offset;
    }
}
