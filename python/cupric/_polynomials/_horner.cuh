/* _horner.cuh: values of polynomials. */
#include "_horner.h"

/* The polynomial of n coefficients, `step` apart, by Horner's rule. */
template <class T>
__device__ inline T
polynomial_at(const T *c, const T at, long long n, long long step)
{
    T y = (T)((T)(at * T(0)) + *c); /* NaN at an infinity, as NumPy's */
    for (long long k = 1; k < n; k++) {
        c += step;
        y = (T)((T)(y * at) + *c);
    }
    return y;
}

/* out[i] = the polynomial of column m of c at x[j]; c has the highest power first. Of all
 * columns at all points, out is (m, points); else out and x are (m,).
 * Launch: elements(p.size). */
template <class T>
__global__ void
horner(const T *c, const T *x, T *out, const __grid_constant__ horner_sizes p)
{
    CUPRIC_EACH (i, p.size) {
        const long long column = p.all ? i / p.points : i;
        const T at = x[(p.all ? i % p.points : i) * p.x_step];
        out[i] = polynomial_at(c + column, at, p.n, p.step);
    }
}
