/* _find_objects.h: what kernels of _find_objects.cuh take by value. */

enum { BOUNDS_THREADS = 256, MOST_AXES = 64 };

/* `rows` rows of n labels; bounds are found of those up to `most`. */
struct object_sizes {
    long long rows, n, most, pieces;
    int ndim;
};
