/* _correlation.h: what kernels of _correlation.cuh take by value. */

enum { CHUNK = 512, CHUNK_THREADS = 128 }; /* outputs of a piece of correlate_window */
enum { EACH = CHUNK / CHUNK_THREADS };

/* `skips`: weights that are zero are passed over, as in SciPy's n-dimensional filters.
 * `symmetry`: 1 or -1 where an odd number of weights are alike, or of other sign, on both
 * sides of that in the middle. `fill`: the constant, its real and its imaginary part. */
struct correlated_tiles {
    long long pieces;
    double fill[2];
    int skips, symmetry;
};

/* x, y: (rows, n, inner). A window begins `before` elements before its output. */
struct correlated_columns {
    long long rows, n, inner, before, height;
    double fill[2];
    int taps, mode, symmetry;
};

struct correlated_rows {
    long long rows, taps;
    double fill[2];
};
