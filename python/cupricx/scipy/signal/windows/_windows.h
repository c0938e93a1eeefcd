/* _windows.h: what the kernels of _windows.cuh take by value. */

/* The formula of a window. */
enum {
    BOXCAR,
    COSINES,
    TAYLOR,
    TRIANGLE,
    BARTLETT,
    PARZEN,
    BOHMAN,
    BARTHANN,
    TUKEY,
    KAISER,
    GAUSSIAN,
    POWER,
    COSINE,
    EXPONENTIAL,
    LANCZOS
};

enum { MOST_TERMS = 16, DPSS_THREADS = 256 };

/* The first `count` points of a window of m points, m > 1, of which `pieces` are computed,
 * with the parameters p and q and, of a sum of cosines, `n` coefficients: `terms`, where
 * there is no array of them. */
struct window_shape {
    long long count, m, pieces;
    double p, q;
    int formula, n;
    double terms[MOST_TERMS];
};

/* The windows of m points; the spectrum of the tridiagonal matrix is within `bound` of 0,
 * and `cosine` is that of the bandwidth. */
struct dpss_sizes {
    long long count, m;
    double cosine, bound;
};

/* Transform of a Dolph-Chebyshev window: the value of a Chebyshev polynomial at `scale`
 * times the cosine of a frequency. */
struct chebyshev_sizes {
    long long m;
    double scale, order;
};
