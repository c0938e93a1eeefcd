/* _bsplines.h: what kernels of splines take by value. */

enum { SPLINE_THREADS = 128 };

/* Rows of n elements; `terms` of a sum at an end. Of order 2 at the end that is the last:
 * what the states come to has `gain` of the elements of the row before, and `second`. */
struct spline_ends {
    long long rows, n, terms;
    int order, is_last;
    double gain, second;
};

/* An axis of n elements, (outer, n, inner), and the taps of a filter along it. */
struct mirrored {
    long long outer, n, inner;
    int taps;
};

/* n coefficients of a spline of order 2 or 3, and how many points. */
struct spline_points {
    long long n, points;
    int order;
    double x0, dx;
};
