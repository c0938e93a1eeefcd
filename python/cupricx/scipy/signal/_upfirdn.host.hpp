/* _upfirdn.host.hpp: an output is a product of vectors, a phase of the filter by neighbouring
 * elements; h has the reversed phases that upfirdn_phases makes, of s.taps coefficients each.
 *
 * Phases of few coefficients are applied to many outputs at once: each up-th output has the
 * same one, and their elements are `down` apart. A tile's elements are laid out as `down`
 * columns, so that they are neighbours.
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

/* Column d of a tile: elements from + d, from + d + down, ... */
template <class T>
inline void
read_columns(T *columns, const T *row, long long from, const upfirdn_sizes &s,
             T background)
{
    const long long down = s.down, all = down * s.span;
    const bool inside = from >= 0 && from + all <= s.n && background == T(0);

    for (long long k = 0; k < s.span; k++) {
        const T *x = row + from + k * down;
        if (inside) {
            for (long long d = 0; d < down; d++) columns[d * s.span + k] = x[d];
            continue;
        }
        for (long long d = 0; d < down; d++)
            columns[d * s.span + k] =
                upfirdn_element(row, from + k * down + d, s, background);
    }
}

/* UPFIRDN_LANES outputs of a phase c, whose first elements stand at `at` in the columns. */
template <class T, class H>
inline void
sum_columns(T *y, const H *c, const T *columns, long long at, const upfirdn_sizes &s)
{
    T sum[UPFIRDN_LANES];
    for (int k = 0; k < UPFIRDN_LANES; k++) sum[k] = T(0);
    long long d = at % s.down, off = at / s.down;
    for (long long q = 0; q < s.taps; q++) {
        const T *x = columns + d * s.span + off;
        for (int k = 0; k < UPFIRDN_LANES; k++) sum[k] = add_tap(sum[k], c[q], x[k]);
        if (++d == s.down) d = 0, off++;
    }
    for (int k = 0; k < UPFIRDN_LANES; k++) y[k] = sum[k];
}
template <class R>
inline void
sum_real_columns(R *y, const R *c, const R *columns, long long at,
                 const upfirdn_sizes &s)
{
    typedef cupric::lanes<R> L;
    enum { COUNT = UPFIRDN_LANES / L::size };
    L sum[COUNT];
    for (int k = 0; k < COUNT; k++) sum[k] = L(R(0));
    long long d = at % s.down, off = at / s.down;
    for (long long q = 0; q < s.taps; q++) {
        const R *x = columns + d * s.span + off;
        const L w(c[q]);
        for (int k = 0; k < COUNT; k++) sum[k] += w * L::load(x + k * L::size);
        if (++d == s.down) d = 0, off++;
    }
    for (int k = 0; k < COUNT; k++) sum[k].store(y + k * L::size);
}
inline void
sum_columns(float *y, const float *c, const float *columns, long long at,
            const upfirdn_sizes &s)
{
    sum_real_columns(y, c, columns, at, s);
}
inline void
sum_columns(double *y, const double *c, const double *columns, long long at,
            const upfirdn_sizes &s)
{
    sum_real_columns(y, c, columns, at, s);
}

/* A tile of outputs from m0 on, of which there are `count`. */
template <class T, class H>
inline void
upfirdn_columns(const T *row, const H *h, T *out, long long m0, long long count,
                const upfirdn_sizes &s, T background)
{
    T columns[UPFIRDN_ROOM], y[UPFIRDN_LANES];
    const long long t0 = m0 * s.down + s.start, from = t0 / s.up - (s.taps - 1);

    read_columns(columns, row, from, s, background);
    for (long long r = 0; r < s.up && r < count; r++) {
        const long long t = t0 + r * s.down, j = t / s.up;
        const H *const c = h + (t - j * s.up) * s.taps;
        const long long many = (count - r + s.up - 1) / s.up;
        for (long long k = 0; k < many; k += UPFIRDN_LANES) {
            const long long at = j - (s.taps - 1) - from + k * s.down;
            const long long left = many - k;
            sum_columns(y, c, columns, at, s);
            for (int l = 0; l < UPFIRDN_LANES && l < left; l++)
                out[m0 + r + (k + l) * s.up] = y[l] + background;
        }
    }
}

/* The same by a product of vectors for each. */
template <class T, class H>
inline void
upfirdn_products(const T *row, const H *h, T *out, long long m0, long long count,
                 const upfirdn_sizes &s, T background)
{
    const long long step = s.down / s.up, rest = s.down - step * s.up;
    const long long t = m0 * s.down + s.start;
    long long j = t / s.up, p = t - j * s.up; /* of output m */

    j -= s.taps - 1;
    for (long long m = m0; m < m0 + count; m++) {
        const H *const c = h + p * s.taps;
        const bool inside = j >= 0 && j + s.taps <= s.n;
        if (inside && background == T(0))
            out[m] = upfirdn_dot(c, row + j, s.taps);
        else
            out[m] = background + upfirdn_edge_dot(c, row, j, s, background);
        j += step, p += rest;
        if (p >= s.up) p -= s.up, j++;
    }
}

template <class T, class H>
__global__ void
upfirdn_rows(const T *x, const H *h, T *y, const T *background, upfirdn_sizes s,
             long long pieces)
{
    CUPRIC_EACH_BLOCK (b, pieces) {
        const long long r = b / s.tiles, m0 = (b - r * s.tiles) * s.tile;
        const long long left = s.outputs - m0, count = left < s.tile ? left : s.tile;
        const T *const row = x + r * s.n;
        const T less = background ? background[r] : T(0);
        T *const out = y + r * s.outputs;
        if (s.span)
            upfirdn_columns(row, h, out, m0, count, s, less);
        else
            upfirdn_products(row, h, out, m0, count, s, less);
    }
}
