/* _dia.h: diagonals, as kernels take them. */
#ifndef CUPRIC_SPARSE_DIA_H
#define CUPRIC_SPARSE_DIA_H

/* Of a matrix (rows, columns): `count` diagonals, each with `length` numbers in store. */
struct diagonal_sizes {
    long long rows, columns, count, length;
    long long diagonal_stride, row_stride; /* of the result, in elements */
};

/* And those that are multiplied by them: x (columns, n), with its strides in elements. */
struct diagonal_product {
    long long rows, columns, count, length;
    long long n, row_stride, column_stride;
};

#endif
