/* _triangles.host.hpp: bodies of the host device: a chunk of columns, row after row. */

/* x of row `row`, of the columns from `first` on, of which there are `width`. */
template <class I, class T>
inline T
solve_columns(const I *indptr, const I *indices, const T *data, T *x, long long row,
              long long first, int width, const triangle_sizes &s)
{
    T sum[TRIANGLE_COLUMNS], diagonal = T(0);
    T *const own = x + row * s.k + first;
    for (int c = 0; c < width; c++) sum[c] = own[c];
    for (long long e = indptr[row]; e < indptr[row + 1]; e++) {
        const long long column = indices[e];
        const T a = element_of(data, e, s);
        if (column == row) diagonal += a;
        if (!is_inside(row, column, s)) continue;
        const T *const other = x + column * s.k + first;
        for (int c = 0; c < width; c++) sum[c] -= a * other[c];
    }
    for (int c = 0; c < width; c++) own[c] = s.unit ? sum[c] : sum[c] / diagonal;
    return diagonal;
}

/* The pieces of the launch are the rows of each chunk; that of its first does them all. */
template <class I, class T, bool WIDE>
__global__ void
solve_triangle(const I *indptr, const I *indices, const T *data, T *x,
               unsigned int *flags, long long word, const triangle_sizes s)
{
    CUPRIC_EACH_BLOCK (b, s.work) {
        if (b % s.n != 0) continue;
        const long long first = b / s.n * TRIANGLE_COLUMNS;
        const long long rest = s.k - first;
        const int width = rest < TRIANGLE_COLUMNS ? (int)rest : (int)TRIANGLE_COLUMNS;
        for (long long step = 0; step < s.n; step++) {
            const long long row = s.lower ? step : s.n - 1 - step;
            const T diagonal =
                solve_columns(indptr, indices, data, x, row, first, width, s);
            if (word != 0 && !s.unit && diagonal == T(0)) *(int *)word = 1;
        }
    }
}
