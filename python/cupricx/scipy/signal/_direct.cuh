/* _direct.cuh: recursive filters of any order, in direct form:
 *
 *     y[k] = zi[k] + b[0] x[k] + b[1] x[k - 1] + ... - a[1] y[k - 1] - ...
 *
 * Where a chunk of a row begins it needs the y before it. Chunks are gone through at rest,
 * then those y are a recurrence (_state_space.py), and then chunks are gone through again.
 */
#include "_direct.h"
#include "_twofold.cuh"

/* Element k of a row but for its recursion: its part of zi and of x. */
template <class T, class W>
__device__ inline W
direct_input(const T *x, const T *zi, const W *b, long long k, const direct_sizes &p)
{
    W sum = zi != nullptr && k < p.order ? W(zi[k]) : W(0);
    const int taps = (int)(k + 1 < p.b ? k + 1 : p.b);
    for (int j = 0; j < taps; j++) sum = sum + b[j] * W(x[k - j]);
    return sum;
}

/* zf[i] = what the elements up to the end leave for the i-th behind it. */
template <class T, class W>
__device__ inline void
direct_ends(const T *x, const T *zi, T *zf, const W *h, const W *b,
            const direct_sizes &p)
{
    const int m = p.a - 1;
    const W *const a = b + p.b;
    const long long begin = (p.chunks - 1) * p.length;
    for (int i = 0; i < p.order; i++) {
        W sum = zi != nullptr && p.n + i < p.order ? W(zi[p.n + i]) : W(0);
        for (int j = i + 1; j < p.b && p.n + i - j >= 0; j++) {
            sum = sum + b[j] * W(x[p.n + i - j]);
        }
        for (int j = i + 1; j <= m; j++) {
            sum = sum - a[j - 1] * h[(p.n - begin + i - j + m) % m];
        }
        zf[i] = T(sum);
    }
}

/* Chunks of rows; `history`: the a - 1 results before each, in which those at its end take
 * their places. c: b, then a from a[1] on, over a[0]. Launch: elements(work). */
template <class T, class W>
__global__ void
direct_chunks(const T *x, T *y, const T *zi, T *zf, W *history, const W *c,
              direct_sizes p)
{
    const int m = p.a - 1;
    const W *const a = c + p.b;

    CUPRIC_EACH (at, p.rows * p.chunks) {
        const long long row = at / p.chunks, begin = (at % p.chunks) * p.length;
        const long long end = begin + p.length < p.n ? begin + p.length : p.n;
        const T *const xs = x + row * p.n;
        const T *const zs = zi == nullptr ? zi : zi + row * p.order;
        W *const h = history + at * m;
        /* The oldest result, and the place of the next one: 0 at the end of a chunk that
         * began at rest, whose history is zero in any order. */
        int slot = p.is_final ? 0 : (int)((m - p.length % m) % m);
        for (long long k = begin; k < end; k++) {
            W sum = direct_input(xs, zs, c, k, p);
            for (int j = 1; j <= slot; j++) sum = sum - a[j - 1] * h[slot - j];
            for (int j = slot + 1; j <= m; j++) sum = sum - a[j - 1] * h[slot - j + m];
            h[slot] = sum;
            slot = slot + 1 == m ? 0 : slot + 1;
            if (p.is_final) y[row * p.n + k] = T(sum);
        }
        if (p.is_final && zf != nullptr && end == p.n) {
            direct_ends(xs, zs, zf + row * p.order, h, c, p);
        }
    }
}

/* The same without recursion: y, and zf as what follows it. c: b over a[0].
 * Launch: elements(work). */
template <class T, class W>
__global__ void
direct_taps(const T *x, T *y, const T *zi, T *zf, const W *c, direct_sizes p)
{
    const long long each = p.n + (zf == nullptr ? 0 : p.order);

    CUPRIC_EACH (i, p.rows * each) {
        const long long row = i / each, k = i - row * each;
        const T *const xs = x + row * p.n;
        const int first = (int)(k < p.n ? 0 : k - p.n + 1);
        const int taps = (int)(k + 1 < p.b ? k + 1 : p.b);
        W sum = zi != nullptr && k < p.order ? W(zi[row * p.order + k]) : W(0);
        for (int j = first; j < taps; j++) sum = sum + c[j] * W(xs[k - j]);
        if (k < p.n)
            y[row * p.n + k] = T(sum);
        else
            zf[row * p.order + k - p.n] = T(sum);
    }
}
