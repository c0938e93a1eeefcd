/* _means.h: what kernels of _means.cuh take by value. */

enum { LINE_THREADS = 256 };

/* x, y: (rows, n, inner). A window of `size` elements begins `before` elements before its
 * output. `fill`: the constant, of even elements and of odd ones, which are imaginary where x
 * is complex. `height`: outputs of a piece of columns. */
struct mean_windows {
    long long rows, n, inner, size, before, height;
    double fill[2];
    int mode;
};
