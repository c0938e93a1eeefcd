/* _assignments.host.hpp: points and rows, which both ascend, one after the other. */

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
