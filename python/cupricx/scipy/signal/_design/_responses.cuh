/* _responses.cuh: responses of filters, one thread a frequency. Sums are complex128, and
 * rounded once.
 */
#include "_responses.h"
#include "cupric/math.hpp"

typedef complex<double> wide;

/* A response below this is zero but for rounding errors: ten times the spacing of 1. */
#define TINY 2.220446049250313e-15

/* The angle of point i; what it is called is stored. */
template <class R>
__device__ inline double
angle_at(const R *w, R *points, const response_points &p, long long i)
{
    const double at = w == NULL ? p.step * (double)i : (double)w[i];
    if (points != NULL) points[i] = R(at);
    return p.scale * at;
}

/* 1 / z of a digital filter, s of an analog one. */
__device__ inline wide
variable_at(double angle, int analog)
{
    if (analog) return wide(0, angle);
    return wide(cupric::cos(angle), -cupric::sin(angle));
}

/* c[0] + c[1] x + ... + c[n - 1] x**(n - 1), by Horner's scheme; where `descending`, c[0]
 * is that of the highest power. */
template <class T>
__device__ inline wide
polynomial(const T *c, int n, long long stride, wide x, int descending)
{
    wide sum(0);
    for (int k = 0; k < n; k++) {
        sum = sum * x + wide(c[(descending ? k : n - 1 - k) * stride]);
    }
    return sum;
}

/* h = b(x) / a(x). Launch: elements(p.n). */
template <class T, class R>
__global__ void
polynomial_response(const T *b, const T *a, const R *w, R *points, complex<R> *h,
                    response_points p)
{
    CUPRIC_EACH (i, p.n) {
        const wide x = variable_at(angle_at(w, points, p, i), p.analog);
        const long long first = i * p.apart;
        const wide above = polynomial(b + first, p.above, p.stride, x, p.analog);
        const wide below = polynomial(a + first, p.below, p.stride, x, p.analog);
        h[i] = complex<R>(above / below);
    }
}

/* h = the product of the responses of `above` sections, of six coefficients each.
 * Launch: elements(p.n). */
template <class T, class R>
__global__ void
sections_response(const T *sos, const R *w, R *points, complex<R> *h, response_points p)
{
    CUPRIC_EACH (i, p.n) {
        const wide x = variable_at(angle_at(w, points, p, i), 0);
        wide product(1);
        for (int k = 0; k < p.above; k++) {
            const T *c = sos + 6 * k;
            product *= polynomial(c, 3, 1, x, 0) / polynomial(c + 3, 3, 1, x, 0);
        }
        h[i] = complex<R>(product);
    }
}

/* h = gain (x - zeros) / (x - poles), x = z or s; there are `above` zeros and `below`
 * poles. Launch: elements(p.n). */
template <class R>
__global__ void
roots_response(const complex<double> *zeros, const complex<double> *poles, const R *w,
               R *points, complex<R> *h, complex<double> gain, response_points p)
{
    CUPRIC_EACH (i, p.n) {
        wide x = variable_at(angle_at(w, points, p, i), p.analog);
        if (!p.analog) x.im = -x.im;
        wide above = gain, below(1);
        for (int k = 0; k < p.above; k++) above *= x - zeros[k];
        for (int k = 0; k < p.below; k++) below *= x - poles[k];
        h[i] = complex<R>(above / below);
    }
}

/* The delay slope / sum, less `below`, and what it is. */
__device__ inline int
put_delay(wide slope, wide sum, int below, double &delay)
{
    const double found = (slope / sum).re - below;
    const bool finite = found - found == 0;
    const bool small = sum.re * sum.re + sum.im * sum.im < TINY * TINY;
    delay = finite ? found : 0;
    return !finite ? SINGULAR : small ? NEARLY_SINGULAR : REGULAR;
}

/* delay = the real part of sum(k c[k] x**k) / sum(c[k] x**k), less `below`, or 0 where that
 * is not finite; state = SINGULAR there, NEARLY_SINGULAR where the sum is all but zero.
 * Launch: elements(p.n). */
template <class T>
__global__ void
group_delays(const T *c, const double *w, double *points, double *delay, int *state,
             response_points p)
{
    CUPRIC_EACH (i, p.n) {
        const wide x = variable_at(angle_at(w, points, p, i), 0);
        wide sum(0), slope(0);
        for (int k = p.above - 1; k >= 0; k--) {
            slope = slope * x + (double)k * wide(c[k]);
            sum = sum * x + wide(c[k]);
        }
        state[i] = put_delay(slope, sum, p.below, delay[i]);
    }
}
