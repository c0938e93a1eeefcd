/* _responses.h: what the kernels of _responses.cuh take by value. */

/* What a group delay is at a frequency. */
enum { REGULAR, NEARLY_SINGULAR, SINGULAR };

/* Where a response is taken: at `n` points, of which point i is i `step`s where there is no
 * array of them; a `scale` of 1 makes an angle, or a frequency in rad/s, of its number. The
 * transfer function is one of continuous time where `analog`.
 *
 * Polynomials have `above` and `below` coefficients. Coefficient k of point i is at
 * k * stride + i * apart: either all points have the same ones, of strides 1 and 0, or each
 * has its own. */
struct response_points {
    long long n, stride, apart;
    double step, scale;
    int above, below, analog;
};
