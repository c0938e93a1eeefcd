/* _horner.h: what horner of _horner.cuh takes by value. */

/* Coefficients (n, m), rows `step` elements apart, and points, `x_step` apart: the result
 * has `size` elements, those of each column at all `points`, or, without `all`, of each at
 * a point of its own. */
struct horner_sizes {
    long long size, n, step, x_step, points;
    bool all;
};
