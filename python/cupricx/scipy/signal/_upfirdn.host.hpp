/* _upfirdn.host.hpp: an output is a product of vectors, a phase of the filter by neighbouring
 * elements; h has the reversed phases that upfirdn_phases makes, of s.taps coefficients each.
 */
#include "cupric/lanes.hpp"

/* sum_k c[k] x[k] */
template <class T, class H>
inline T
upfirdn_dot(const H *c, const T *x, long long n)
{
    T sum = T(0), other = T(0);
    long long k = 0;
    for (; k + 2 <= n; k += 2) {
        sum = add_tap(sum, c[k], x[k]);
        other = add_tap(other, c[k + 1], x[k + 1]);
    }
    if (k < n) sum = add_tap(sum, c[k], x[k]);
    return sum + other;
}
template <class R>
inline R
upfirdn_real_dot(const R *c, const R *x, long long n)
{
    typedef cupric::lanes<R> L;
    L sum(R(0)), other(R(0));
    long long k = 0;
    for (; k + 2 * L::size <= n; k += 2 * L::size) {
        sum += L::load(c + k) * L::load(x + k);
        other += L::load(c + k + L::size) * L::load(x + k + L::size);
    }
    for (; k + L::size <= n; k += L::size) sum += L::load(c + k) * L::load(x + k);
    if (k < n) {
        const int rest = (int)(n - k);
        other += L::load(c + k, rest, R(0)) * L::load(x + k, rest, R(0));
    }
    return cupric::sum(sum + other);
}
inline float
upfirdn_dot(const float *c, const float *x, long long n)
{
    return upfirdn_real_dot(c, x, n);
}
inline double
upfirdn_dot(const double *c, const double *x, long long n)
{
    return upfirdn_real_dot(c, x, n);
}

/* The same where some of the elements, or all, are outside the row, from j on. */
template <class T, class H>
inline T
upfirdn_edge_dot(const H *c, const T *row, long long j, const upfirdn_sizes &s,
                 T background)
{
    T sum = T(0);
    for (long long k = 0; k < s.taps; k++) {
        const long long i = j + k;
        sum = add_tap(sum, c[k], upfirdn_element(row, i, s, background));
    }
    return sum;
}

template <class T, class H>
__global__ void
upfirdn_rows(const T *x, const H *h, T *y, const T *background, upfirdn_sizes s,
             long long pieces)
{
    const long long step = s.down / s.up, rest = s.down - step * s.up;
    CUPRIC_EACH_BLOCK (b, pieces) {
        const long long r = b / s.tiles, m0 = (b - r * s.tiles) * s.tile;
        const long long end = m0 + s.tile < s.outputs ? m0 + s.tile : s.outputs;
        const T *const row = x + r * s.n;
        const T less = background ? background[r] : T(0);
        T *const out = y + r * s.outputs;
        const long long t = m0 * s.down + s.start;
        long long j = t / s.up, p = t - j * s.up; /* of output m */

        j -= s.taps - 1;
        for (long long m = m0; m < end; m++) {
            const H *const c = h + p * s.taps;
            const bool inside = j >= 0 && j + s.taps <= s.n;
            if (inside && less == T(0))
                out[m] = upfirdn_dot(c, row + j, s.taps);
            else
                out[m] = less + upfirdn_edge_dot(c, row, j, s, less);
            j += step, p += rest;
            if (p >= s.up) p -= s.up, j++;
        }
    }
}
