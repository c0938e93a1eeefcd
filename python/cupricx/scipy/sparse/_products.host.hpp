/* _products.host.hpp: a piece has whole rows, those that end in it: nothing is carried. */
#include "cupric/lanes.hpp"

/* Row of a piece. */
template <class I>
inline long long
piece_row(const I *indptr, const path_sizes &s, long long p)
{
    return p < s.pieces ? rows_before(indptr, s, p * s.length) : s.rows;
}

template <class T, class I>
__global__ void
path_matvec(const I *indptr, const I *indices, const T *data, const I *order,
            const T *x, T *y, long long *workspace, path_sizes s)
{
    typedef typename ring<T>::sum sum;

    CUPRIC_EACH_BLOCK (p, s.pieces) {
        const long long end = piece_row(indptr, s, p + 1);
        long long k = indptr[piece_row(indptr, s, p)];
        for (long long row = piece_row(indptr, s, p); row < end; row++) {
            const long long last = indptr[row + 1];
            sum all = ring<T>::zero();
            for (; k < last; k++) {
                const sum a = ring<T>::load(data, order ? (long long)order[k] : k);
                all = ring<T>::add(
                    all, x ? ring<T>::multiply(a, ring<T>::load(x, indices[k])) : a);
            }
            ring<T>::store(y, row, all);
        }
    }
}

/* COUNT columns of a row, in registers. */
template <int COUNT, class T, class I>
inline void
some_columns(const I *indices, const T *data, const I *order, const T *x, T *y,
             long long begin, long long end, long long columns)
{
    typedef typename ring<T>::sum sum;
    sum sums[COUNT];
    for (int c = 0; c < COUNT; c++) sums[c] = ring<T>::zero();
    for (long long k = begin; k < end; k++) {
        const sum a = ring<T>::load(data, order ? (long long)order[k] : k);
        const T *const row = x + indices[k] * columns;
        for (int c = 0; c < COUNT; c++) {
            sums[c] =
                ring<T>::add(sums[c], ring<T>::multiply(a, ring<T>::load(row, c)));
        }
    }
    for (int c = 0; c < COUNT; c++) ring<T>::store(y, c, sums[c]);
}

/* COUNT vectors of columns. */
template <int COUNT, class T, class I>
inline void
some_vectors(const I *indices, const T *data, const I *order, const T *x, T *y,
             long long begin, long long end, long long columns)
{
    typedef cupric::lanes<T> L;
    L sums[COUNT];
    for (int v = 0; v < COUNT; v++) sums[v] = L(T(0));
    for (long long k = begin; k < end; k++) {
        const L a(data[order ? (long long)order[k] : k]);
        const T *const row = x + indices[k] * columns;
        for (int v = 0; v < COUNT; v++) sums[v] += a * L::load(row + v * L::size);
    }
    for (int v = 0; v < COUNT; v++) sums[v].store(y + v * L::size);
}

template <class T, class I>
__global__ void
path_matmat(const I *indptr, const I *indices, const T *data, const I *order,
            const T *x, T *y, long long *workspace, path_sizes s)
{
    enum { MANY = 64 / (int)sizeof(typename ring<T>::sum) };

    CUPRIC_EACH (p, s.pieces) {
        const long long last_row = piece_row(indptr, s, p + 1);
        for (long long row = piece_row(indptr, s, p); row < last_row; row++) {
            const long long begin = indptr[row], end = indptr[row + 1], n = s.columns;
            T *const out = y + row * n;
            long long c = 0;
            if constexpr (cupric::is_long_float<T>::value) {
                const int size = cupric::lanes<T>::size;
                for (; c + 4 * size <= n; c += 4 * size) {
                    some_vectors<4>(indices, data, order, x + c, out + c, begin, end,
                                    n);
                }
                for (; c + size <= n; c += size) {
                    some_vectors<1>(indices, data, order, x + c, out + c, begin, end,
                                    n);
                }
            }
            for (; c + MANY <= n; c += MANY) {
                some_columns<MANY>(indices, data, order, x + c, out + c, begin, end, n);
            }
            for (; c < n; c++) {
                some_columns<1>(indices, data, order, x + c, out + c, begin, end, n);
            }
        }
    }
}

template <class T>
__global__ void
path_carries(T *y, long long *workspace, path_sizes s, long long blocks)
{
}

/* to += the rows of a piece, transposed, times x: of ONE column, or of any number. */
template <bool ONE, class T, class I>
inline void
scatter_piece(const I *indptr, const I *indices, const T *data, const T *x,
              typename ring<T>::sum *to, long long begin, long long end, long long n)
{
    typedef typename ring<T>::sum sum;
    const long long columns = ONE ? 1 : n;

    for (long long row = begin; row < end; row++) {
        const long long last = indptr[row + 1];
        const T *const from = x + row * columns;
        const sum b = ring<T>::load(from, 0);
        for (long long k = indptr[row]; k < last; k++) {
            const sum a = ring<T>::load(data, k);
            sum *const y = to + indices[k] * columns;
            if constexpr (ONE) {
                *y = ring<T>::add(*y, ring<T>::multiply(a, b));
            } else {
                for (long long c = 0; c < columns; c++) {
                    y[c] = ring<T>::add(y[c],
                                        ring<T>::multiply(a, ring<T>::load(from, c)));
                }
            }
        }
    }
}

template <class T, class I>
__global__ void
scatter_rows(const I *indptr, const I *indices, const T *data, const T *x,
             typename ring<T>::sum *parts, long long minors, path_sizes s)
{
    CUPRIC_EACH_BLOCK (p, s.pieces) {
        typename ring<T>::sum *const y = parts + p * minors * s.columns;
        const long long begin = piece_row(indptr, s, p);
        const long long end = piece_row(indptr, s, p + 1);
        if (s.columns == 1)
            scatter_piece<true>(indptr, indices, data, x, y, begin, end, 1);
        else
            scatter_piece<false>(indptr, indices, data, x, y, begin, end, s.columns);
    }
}
