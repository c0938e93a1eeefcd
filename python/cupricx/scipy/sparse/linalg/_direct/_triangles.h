/* _triangles.h: what kernels of _triangles.cuh share with Python. */

enum {
    TRIANGLE_THREADS =
        32, /* a block is a warp: its threads wait for other blocks alone */
    SHORT_ROW_THREADS = 256,
    TRIANGLE_COLUMNS = 32, /* of the right side, that a warp solves for at once */
};

/* A triangle of n rows and a right side of k columns, in rows. */
struct triangle_sizes {
    long long n, k;
    long long chunks; /* of the columns */
    long long work;   /* n * chunks */
    long long blocks; /* of solve_short_rows */
    int lower, unit;
    int conjugate; /* the elements are conjugated */
};
