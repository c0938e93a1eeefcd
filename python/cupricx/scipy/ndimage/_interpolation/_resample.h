/* _resample.h: what `resample` of _resample.cuh takes by value. */

enum { THREADS = 256 };

/* x: (rows, n, inner), y: (rows, m, inner). Output i lies at ((i + shift) zoom, or
 * (i + 1/2) zoom - 1/2 if `grid`) + pad. `fill`: the constant, of even elements of `inner` and
 * of odd ones. */
struct resampled_axis {
    long long rows, n, m, inner, pad;
    double shift, zoom, fill[2];
    int grid, order, mode, around;
};
