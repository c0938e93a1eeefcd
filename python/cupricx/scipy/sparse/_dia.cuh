/* _dia.cuh: matrices of diagonals. data[d * length + j] is the element in column j of
 * diagonal d, that is in row j - offsets[d]; what is outside the matrix does not count.
 */
#include "_dia.h"
#include "cupric/block.hpp"

/* to[d, i] = the element in row i of diagonal order[d], or zero; order may be null.
 * Launch: elements(all), of count * rows. */
template <class I, class V>
__global__ void
align_by_rows(const V *data, const I *offsets, const I *order, V *to, diagonal_sizes p,
              long long all)
{
    CUPRIC_EACH (k, all) {
        const long long i = p.diagonal_stride == 1 ? k / p.count : k % p.rows;
        const long long d = p.diagonal_stride == 1 ? k % p.count : k / p.rows;
        const long long from = order ? order[d] : d;
        const long long j = i + offsets[from];
        const bool is_there = j >= 0 && j < p.columns && j < p.length;
        to[d * p.diagonal_stride + i * p.row_stride] =
            is_there ? data[from * p.length + j] : V(0);
    }
}

template <class T>
struct diagonal_sum {
    typedef T type;
};
template <>
struct diagonal_sum<half> {
    typedef float type;
};

/* y (rows, n) = the product with x (columns, n), diagonal by diagonal.
 * Launch: elements(all), of rows * n. */
template <class I, class T>
__global__ void
multiply_diagonals(const T *data, const I *offsets, const T *x, T *y,
                   diagonal_product p, long long all)
{
    typedef typename diagonal_sum<T>::type sum_type;
    const cupric::sum_of<sum_type> add;
    const cupric::product_of<sum_type> multiply;

    CUPRIC_EACH (k, all) {
        const long long i = k / p.n, c = k - i * p.n;
        sum_type sum = sum_type(0);
        for (long long d = 0; d < p.count; d++) {
            const long long j = i + offsets[d];
            if (j < 0 || j >= p.columns || j >= p.length) continue;
            const sum_type a = (sum_type)data[d * p.length + j];
            const sum_type b = (sum_type)x[j * p.row_stride + c * p.column_stride];
            sum = add.combine(sum, multiply.combine(a, b));
        }
        y[k] = (T)sum;
    }
}
