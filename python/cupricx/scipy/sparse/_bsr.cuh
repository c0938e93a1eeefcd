/* _bsr.cuh: matrices of dense blocks, of which rows of blocks are compressed. */
#include "_bsr.h"
#include "cupric/block.hpp"

/* The elements of blocks row by row, as csr has them; major = the row of each block.
 * Launch: elements(all), of n * height. */
template <class I, class V>
__global__ void
spread_blocks(const I *indptr, const I *major, const I *indices, const V *data,
              I *indices_to, V *data_to, block_sizes p, long long all)
{
    CUPRIC_EACH (k, all) {
        const long long b = k / p.height, r = k - b * p.height;
        const long long begin = indptr[major[b]], end = indptr[major[b] + 1];
        const long long to =
            (begin * p.height + r * (end - begin) + (b - begin)) * p.width;
        const long long column = indices[b] * p.width;
        for (long long c = 0; c < p.width; c++) {
            indices_to[to + c] = (I)(column + c);
            data_to[to + c] = data[k * p.width + c];
        }
    }
}

template <class T>
struct block_sum {
    typedef T type;
};
template <>
struct block_sum<half> {
    typedef float type;
};

/* y (rows, columns) = the product with x, whose rows are the blocks' columns.
 * Launch: elements(all), of rows * columns. */
template <class I, class T>
__global__ void
multiply_blocks(const I *indptr, const I *indices, const T *data, const T *x, T *y,
                block_product p, long long all)
{
    typedef typename block_sum<T>::type sum_type;
    const cupric::sum_of<sum_type> add;
    const cupric::product_of<sum_type> multiply;

    CUPRIC_EACH (k, all) {
        const long long row = k / p.columns, column = k - row * p.columns;
        const long long i = row / p.height, r = row - i * p.height;
        const long long end = indptr[i + 1];
        sum_type sum = sum_type(0);
        for (long long b = indptr[i]; b < end; b++) {
            const T *const block = data + (b * p.height + r) * p.width;
            const T *const with =
                x + indices[b] * p.width * p.row_stride + column * p.column_stride;
            for (long long c = 0; c < p.width; c++) {
                const sum_type a = (sum_type)block[c];
                sum = add.combine(
                    sum, multiply.combine(a, (sum_type)with[c * p.row_stride]));
            }
        }
        y[k] = (T)sum;
    }
}
