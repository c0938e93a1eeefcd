/* _selections.host.hpp: rows and words one after the other.
 */

/* Calls each(row, begin, end) for the parts of rows between two elements. */
template <class I, class EACH>
inline void
each_row(const I *indptr, long long n, long long begin, long long end, const EACH &each)
{
    long long row = row_of(indptr, 0, n - 1, begin);
    for (long long p = begin; p < end; row++) {
        const long long next = indptr[row + 1], stop = next < end ? next : end;
        if (p < stop) each(row, p, stop);
        p = stop;
    }
}

template <class I, class T>
__global__ void
take_rows(const I *taken, const I *begins, const I *indices, const T *data,
          I *out_indices, T *out_data, take_sizes s)
{
    CUPRIC_EACH_BLOCK (tile, s.tiles) {
        const long long begin = tile * TILE, end = end_of_tile(begin, s.nnz);
        each_row(taken, s.n, begin, end, [&](long long r, long long p, long long stop) {
            const long long by = (long long)begins[r] - (long long)taken[r];
            for (long long q = p; q < stop; q++) out_indices[q] = indices[q + by];
            for (long long q = p; q < stop; q++) out_data[q] = data[q + by];
        });
    }
}

template <class I>
struct unsigned_index {
    typedef unsigned long long type;
};
template <>
struct unsigned_index<int> {
    typedef unsigned int type;
};

/* A bit for each of 32 elements that are in a range: without branches, for vectors. */
template <class I>
inline unsigned int
range_word(const I *x, long long low, long long high)
{
    typedef typename unsigned_index<I>::type U;
    const U first = (U)low, n = (U)(high - low);
    unsigned int word = 0;
    for (int k = 0; k < 32; k++) word |= (unsigned int)((U)x[k] - first < n) << k;
    return word;
}

/* The bits of up to 32 elements from p on. */
template <int KIND, class I>
inline unsigned int
word_of(const I *indices, const I *places, long long p, int n, const keep_rule &r)
{
    unsigned int word = 0;
    if (KIND == KEEP_RANGE && n == 32) {
        word = range_word(indices + p, r.low, r.high);
        if (r.step == 1 || word == 0) return word;
        word = 0;
    }
    for (int k = 0; k < n; k++) {
        const bool kept = is_kept<KIND>((long long)indices[p + k], 0, places, r);
        word |= (unsigned int)kept << k;
    }
    return word;
}

template <class I, int KIND>
__global__ void
mark(const I *indptr, const I *indices, const I *places, unsigned int *mask,
     keep_rule r)
{
    CUPRIC_EACH_BLOCK (tile, r.tiles) {
        const long long begin = tile * TILE, end = end_of_tile(begin, r.nnz);
        if (KIND == KEEP_RANGE || KIND == KEEP_PLACES) {
            for (long long p = begin; p < end; p += 32) {
                const int n = end - p < 32 ? (int)(end - p) : 32;
                mask[p / 32] = word_of<KIND>(indices, places, p, n, r);
            }
            continue;
        }
        for (long long p = begin; p < end; p += 32) mask[p / 32] = 0;
        each_row(indptr, r.n_major, begin, end,
                 [&](long long row, long long p, long long stop) {
                     for (; p < stop; p++) {
                         const bool kept =
                             is_kept<KIND>((long long)indices[p], row, places, r);
                         mask[p / 32] |= (unsigned int)kept << (p & 31);
                     }
                 });
    }
}

template <class I, class T>
__global__ void
compact(const unsigned int *mask, const I *rank, const I *indices, const T *data,
        const I *places, I *out_indices, T *out_data, keep_rule r)
{
    CUPRIC_EACH_BLOCK (tile, r.tiles) {
        const long long begin = tile * TILE, end = end_of_tile(begin, r.nnz);
        long long at = rank[begin / 32];
        for (long long p = begin; p < end; p += 32) {
            for (unsigned int word = mask[p / 32]; word; word &= word - 1) {
                const long long from = p + __ffs((int)word) - 1;
                out_indices[at] = renamed(indices[from], places, r);
                out_data[at++] = data[from];
            }
        }
    }
}

template <class I, class T>
__global__ void
move_apart(const I *indices, const T *data, const long long *bound,
           const long long *slot, I *out_indices, T *out_data, point_sizes s)
{
    CUPRIC_EACH_BLOCK (tile, s.work) {
        const long long end = end_of_tile(tile * TILE, s.nnz);
        long long p = tile * TILE, k = bound_of<true>(bound, 0, s.n, p);
        while (p < end) {
            while (k < s.n && bound[k] <= p) k++;
            const long long stop = k < s.n && bound[k] < end ? bound[k] : end;
            const long long by = slot[k];
            for (long long q = p; q < stop; q++) out_indices[q + by] = indices[q];
            for (long long q = p; q < stop; q++) out_data[q + by] = data[q];
            p = stop;
        }
    }
}

/* Points and rows both ascend. */
template <class I>
__global__ void
move_rows(const I *indptr, const long long *i, const long long *slot, I *out_indptr,
          long long n, long long rows)
{
    long long k = -1;
    CUPRIC_EACH (row, rows) {
        if (k < 0) k = bound_of<false>(i, 0, n, row);
        while (k < n && i[k] < row) k++;
        out_indptr[row] = indptr[row] + (I)slot[k];
    }
}

template <class I, class T>
__global__ void
clear_marked(const I *indptr, const I *indices, const bool *rows, const bool *columns,
             T *data, point_sizes s)
{
    CUPRIC_EACH_BLOCK (tile, s.work) {
        const long long begin = tile * TILE, end = end_of_tile(begin, s.nnz);
        each_row(indptr, s.n_major, begin, end,
                 [&](long long row, long long p, long long stop) {
                     if (!rows[row]) return;
                     for (; p < stop; p++) {
                         if (columns[indices[p]]) data[p] = T(0);
                     }
                 });
    }
}
