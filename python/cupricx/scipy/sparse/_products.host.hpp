/* _products.host.hpp: a piece has whole rows, those that end in it: nothing is carried. */

/* Sums of up to COUNT columns, in registers; x and y begin at the first of them. */
template <int COUNT, class T, class I>
inline void
columns_of_row(const I *indices, const T *data, const I *order, const T *x, T *y,
               long long begin, long long end, long long columns, int count = COUNT)
{
    typedef typename ring<T>::sum sum;
    sum sums[COUNT];
    for (int c = 0; c < COUNT; c++) sums[c] = ring<T>::zero();
    for (long long k = begin; k < end; k++) {
        const sum a = ring<T>::load(data, order ? order[k] : k);
        const T *const row = x + indices[k] * columns;
        for (int c = 0; c < count; c++) {
            sums[c] =
                ring<T>::add(sums[c], ring<T>::multiply(a, ring<T>::load(row, c)));
        }
    }
    for (int c = 0; c < count; c++) ring<T>::store(y, c, sums[c]);
}

template <class T, class I>
__global__ void
path_matvec(const I *indptr, const I *indices, const T *data, const I *order,
            const T *x, T *y, long long *workspace, path_sizes s)
{
    CUPRIC_EACH_BLOCK (p, s.pieces) {
        const long long begin = rows_before(indptr, s, p * s.length);
        const long long end =
            p + 1 < s.pieces ? rows_before(indptr, s, (p + 1) * s.length) : s.rows;
        for (long long row = begin; row < end; row++) {
            columns_of_row<1>(indices, data, order, x, y + row, indptr[row],
                              indptr[row + 1], 1);
        }
    }
}

template <class T, class I>
__global__ void
path_matmat(const I *indptr, const I *indices, const T *data, const I *order,
            const T *x, T *y, long long *workspace, path_sizes s)
{
    enum { COUNT = 128 / (int)sizeof(typename ring<T>::sum) };

    CUPRIC_EACH (p, s.pieces) {
        const long long begin = rows_before(indptr, s, p * s.length);
        const long long end =
            p + 1 < s.pieces ? rows_before(indptr, s, (p + 1) * s.length) : s.rows;
        for (long long row = begin; row < end; row++) {
            const long long first = indptr[row], last = indptr[row + 1];
            T *const out = y + row * s.columns;
            long long c = 0;
            for (; c + COUNT <= s.columns; c += COUNT) {
                columns_of_row<COUNT>(indices, data, order, x + c, out + c, first, last,
                                      s.columns);
            }
            if (c < s.columns)
                columns_of_row<COUNT>(indices, data, order, x + c, out + c, first, last,
                                      s.columns, (int)(s.columns - c));
        }
    }
}

template <class T>
__global__ void
path_carries(T *y, long long *workspace, path_sizes s, long long blocks)
{
}

template <class T, class I>
__global__ void
scatter_rows(const I *indptr, const I *indices, const T *data, const T *x,
             typename ring<T>::sum *parts, long long minors, path_sizes s)
{
    typedef typename ring<T>::sum sum;

    CUPRIC_EACH_BLOCK (p, s.pieces) {
        sum *const y = parts + p * minors * s.columns;
        const long long columns = s.columns;
        const long long begin = rows_before(indptr, s, p * s.length);
        const long long end =
            p + 1 < s.pieces ? rows_before(indptr, s, (p + 1) * s.length) : s.rows;
        for (long long row = begin; row < end; row++) {
            const long long last = indptr[row + 1];
            const T *const from = x + row * columns;
            for (long long k = indptr[row]; k < last; k++) {
                const sum a = ring<T>::load(data, k);
                sum *const to = y + indices[k] * columns;
                for (long long c = 0; c < columns; c++) {
                    to[c] = ring<T>::add(to[c],
                                         ring<T>::multiply(a, ring<T>::load(from, c)));
                }
            }
        }
    }
}
