/* _conversions.h: how the elements of a matrix are cut into tiles. */
#ifndef CUPRIC_SPARSE_CONVERSIONS_H
#define CUPRIC_SPARSE_CONVERSIONS_H

/* Threads of a block, and elements of its tile on a GPU. */
enum { TILE_THREADS = 256, TILE = 2048 };

/* Elements of a matrix of n_major rows, or columns. */
struct element_tiles {
    long long n_major, n, tiles;
    unsigned long long mask; /* of the bits of a value that tell it from zero */
};

/* Elements of an array (rows, columns) in C order. */
struct dense_tiles {
    long long rows, columns, tiles;
    unsigned long long mask;
};

/* Elements that are put into an array, with its strides in elements. */
struct dense_places {
    long long n_major, n, major_stride, minor_stride;
};

#endif
