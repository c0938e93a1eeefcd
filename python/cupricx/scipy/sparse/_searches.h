/* _searches.h: sizes, and what a wait brings. */
#ifndef CUPRIC_SPARSE_SEARCHES_H
#define CUPRIC_SPARSE_SEARCHES_H

/* Threads of a block, and stored elements that it takes: whole words of a mask. */
enum { THREADS = 256, TILE = 4096 };

struct point_sizes {
    long long n, n_major, n_minor;
    long long first_major, first_minor; /* of a diagonal */
    long long nnz;
    long long work;   /* n, or as many threads as share in them */
    long long x_step; /* 0: one value for all points */
};

/* What a wait brings: how many elements there are; whether an index is out of bounds;
 * whether an index or a stored element occurs twice. */
enum { INFO_COUNT, INFO_OUT_OF_BOUNDS, INFO_REPEATED, INFO_SIZE };

#endif
