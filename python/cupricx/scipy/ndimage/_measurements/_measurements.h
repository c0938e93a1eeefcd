/* _measurements.h: what kernels of _measurements.cuh take besides slots. */

enum { GROUP_THREADS = 256, GROUP_TILE = 4096 };

/* The elements are `rows` rows of n, of an array of ndim axes. */
struct moment_rows {
    long long rows, n;
    int ndim;
};
