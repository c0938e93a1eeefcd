/* _nearest.h: what kernels of _nearest.cuh take by value. */

enum { NEAREST_THREADS = 512, NEAREST_COLUMNS = 8 };
enum { MOST_AXES = 64 };

/* An array (outer, n, inner) of ndim axes, n along `axis`. `all`: of all axes behind it
 * indices are written. */
struct nearest_sizes {
    long long outer, n, inner;
    int ndim, axis;
    bool all;
};
