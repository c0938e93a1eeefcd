/* _blocks.h: what kernels of _blocks.cuh take by value. */

/* A block of nnz elements, and the column of the wider matrix where it begins. */
struct block_sizes {
    long long nnz, column;
};
