/* _splines.h: what `spline_coefficients` of _splines.cuh takes by value. */
#include "../_boundary.h"

enum { FLOAT_THREADS = 256 }; /* of a block; of double half as many */

/* x: (rows, n, inner), y: (rows, n + 2 * pad, inner): the mode in which the signal goes on
 * beyond its pads, and what is in them, NEAREST or CONSTANT, `fill`: of even elements of
 * `inner` and of odd ones. A chunk begins by `warm` elements before its results. The second
 * pole is 0 where there is one. */
struct spline_axis {
    long long rows, n, inner, pad;
    double fill[2], gain, poles[2];
    int mode, outside, warm;
};
