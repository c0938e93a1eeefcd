/* _upfirdn.cuh: a FIR filter between two sampling rates, along rows.
 *
 *     y[m] = sum_q h[p + q up] x[j - q],   m down + start = j up + p,  0 <= p < up
 *
 * Only the products that are not with one of the zeros between elements are computed: each
 * output takes every up-th coefficient, one phase of the filter (polyphase form). T is what
 * is filtered, H what the coefficients are of: T, or real where T is complex.
 */
#include "_upfirdn.h"
#include "cupric/rare.hpp"

/* Index i of a signal that is repeated with every second copy reversed; *copy is the number
 * of the copy. `period` is the length of one; a copy has elements 0 ... period - 1. */
__device__ inline long long
index_in_copy(long long i, long long period, long long *copy)
{
    long long k = i / period;
    if (k * period > i) k--;
    *copy = k;
    return i - k * period;
}

/* What stands for element i, which is not in [0, n). n > 0. */
template <class T>
__device__ CUPRIC_RARE T
upfirdn_outside(const T *x, long long i, long long n, int mode, T fill)
{
    const T first = x[0], last = x[n - 1];
    const bool before = i < 0;
    long long copy = 0, r;

    if (mode == UPFIRDN_CONSTANT) return fill;
    if (mode == UPFIRDN_EDGE) return before ? first : last;
    if (mode == UPFIRDN_WRAP) return x[index_in_copy(i, n, &copy)];
    if (mode == UPFIRDN_SYMMETRIC || mode == UPFIRDN_ANTISYMMETRIC) {
        r = index_in_copy(i, n, &copy);
        const T v = x[copy % 2 ? n - 1 - r : r];
        return mode == UPFIRDN_ANTISYMMETRIC && copy % 2 ? -v : v;
    }
    if (n == 1) return first;
    const double from_end = before ? (double)i : (double)(i - n + 1);
    const T end = before ? first : last;
    if (mode == UPFIRDN_SMOOTH) {
        const T slope = before ? x[1] - first : last - x[n - 2];
        return T(end + slope * T(from_end));
    }
    if (mode == UPFIRDN_LINE)
        return T(end + (last - first) / T((double)(n - 1)) * T(from_end));
    r = index_in_copy(i, n - 1, &copy);
    const T v = x[copy % 2 ? n - 1 - r : r];
    if (mode == UPFIRDN_REFLECT) return v;
    /* about each end the signal goes on as its image through that point */
    const T risen = T((double)copy) * (last - first);
    return copy % 2 ? T(first + last + risen - v) : T(v + risen);
}

/* sum + h x, of a real h, too. */
template <class T>
__device__ inline T
add_tap(const T &sum, const T &h, const T &x)
{
    return sum + h * x;
}
template <class R>
__device__ inline complex<R>
add_tap(const complex<R> &sum, const R &h, const complex<R> &x)
{
    return complex<R>(sum.real() + h * x.real(), sum.imag() + h * x.imag());
}

/* Element i of a row less its background, or what stands for it. */
template <class T>
__device__ inline T
upfirdn_element(const T *row, long long i, const upfirdn_sizes &s, T background)
{
    if (i >= 0 && i < s.n) return row[i] - background;
    return upfirdn_outside(row, i, s.n, s.mode, T(s.fill));
}

/* The output at place t, of a row in memory. */
template <class T, class H>
__device__ inline T
upfirdn_sum(const T *row, const H *h, long long t, const upfirdn_sizes &s, T background)
{
    const long long j = t / s.up;
    long long q = 0;
    T sum = T(0);
    for (long long k = t - j * s.up; k < s.taps; k += s.up, q++)
        sum = add_tap(sum, h[k], upfirdn_element(row, j - q, s, background));
    return sum;
}

/* The same, of a tile's elements in shared memory, from element `from` on. */
template <class T, class H>
__device__ inline T
upfirdn_staged_sum(const T *staged, const H *h, int t, int from, const upfirdn_sizes &s)
{
    const int up = (int)s.up, taps = (int)s.taps, j = t / up;
    const T *x = staged + (j - from);
    T sum = T(0);
    for (int k = t - j * up; k < taps; k += up) sum = add_tap(sum, h[k], *x--);
    return sum;
}

/* The same where threads' elements are an even number apart: as they are skewed, those of a
 * warp are in different banks. */
template <class T, class H>
__device__ inline T
upfirdn_skewed_sum(const T *staged, const H *h, int at, const upfirdn_sizes &s)
{
    const int taps = (int)s.taps;
    T sum = T(0);
    for (int k = 0; k < taps; k++, at--)
        sum = add_tap(sum, h[k], staged[at + at / UPFIRDN_BANKS]);
    return sum;
}

/* y, (rows, s.outputs), of x, (rows, s.n), with s.taps coefficients h. `background`, of each
 * row, is taken off before and added afterwards; it may be null.
 * Launch: blocks(rows * s.tiles, UPFIRDN_THREADS), with the shared memory that the tile's
 * s.span elements and, if s.staged, the coefficients take. */
template <class T, class H>
__global__ void
upfirdn_rows(const T *x, const H *h, T *y, const T *background, upfirdn_sizes s,
             long long pieces)
{
    extern __shared__ __align__(16) char tile_memory[];
    T *const staged = (T *)tile_memory;
    H *const coefficients = (H *)(staged + s.span + s.span / UPFIRDN_BANKS + 1);

    if (s.staged) {
        for (int k = threadIdx.x; k < s.taps; k += UPFIRDN_THREADS)
            coefficients[k] = h[k];
        h = coefficients;
    }
    CUPRIC_EACH_BLOCK (b, pieces) {
        const long long r = b / s.tiles, m0 = (b - r * s.tiles) * s.tile;
        const long long end = m0 + s.tile < s.outputs ? m0 + s.tile : s.outputs;
        const T *const row = x + r * s.n;
        const T less = background ? background[r] : T(0);
        T *const out = y + r * s.outputs;
        /* Places are counted from the element that the tile's first output stands at. */
        const long long t0 = m0 * s.down + s.start, j0 = t0 / s.up;
        const long long from = j0 - (s.taps - 1) / s.up;

        __syncthreads();
        for (int k = threadIdx.x; k < s.span; k += UPFIRDN_THREADS)
            staged[s.skewed ? k + k / UPFIRDN_BANKS : k] =
                upfirdn_element(row, from + k, s, less);
        __syncthreads();
        for (long long m = m0 + threadIdx.x; m < end; m += UPFIRDN_THREADS) {
            const long long t = m * s.down + s.start;
            T sum;
            if (s.skewed)
                sum = upfirdn_skewed_sum(staged, h, (int)(t - from), s);
            else if (s.span)
                sum = upfirdn_staged_sum(staged, h, (int)(t - j0 * s.up),
                                         (int)(from - j0), s);
            else
                sum = upfirdn_sum(row, h, t, s, less);
            out[m] = sum + less;
        }
    }
}

/* c, (up, each): the phases of h, each reversed, filled up with zeros. What the host's rows
 * are computed from. Launch: elements(pieces). */
template <class H>
__global__ void
upfirdn_phases(const H *h, H *c, long long taps, long long up, long long each,
               long long pieces)
{
    CUPRIC_EACH (i, pieces) {
        const long long p = i / each, q = each - 1 - (i - p * each), k = p + q * up;
        c[i] = k < taps ? h[k] : H(0);
    }
}
