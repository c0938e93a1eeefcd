/* _bsr.h: blocks, as kernels take them. */
#ifndef CUPRIC_SPARSE_BSR_H
#define CUPRIC_SPARSE_BSR_H

/* Blocks of (height, width), `n` of them in `block_rows` rows. */
struct block_sizes {
    long long block_rows, n, height, width;
};

/* And what they are multiplied by: x (n, columns), with its strides in elements. */
struct block_product {
    long long rows, height, width, columns;
    long long row_stride, column_stride;
};

#endif
