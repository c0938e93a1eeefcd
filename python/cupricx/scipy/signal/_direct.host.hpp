/* _direct.host.hpp: a row after the other, in transposed form, whose delays are a vector.
 * `history`: order + 1 numbers of each row. Without recursion, tap after tap. */

enum { TAPS_RUN = 512 };

/* One element more: z[order] is zero. */
template <class W>
inline W
direct_step(W *z, const W &v, const W *b, const W *a, const direct_sizes &p)
{
    const W out = z[0] + b[0] * v;
    const int both = p.a < p.b ? p.a : p.b;
    for (int i = 0; i + 1 < both; i++) z[i] = z[i + 1] + b[i + 1] * v - a[i] * out;
    for (int i = both - 1; i + 1 < p.b; i++) z[i] = z[i + 1] + b[i + 1] * v;
    for (int i = both - 1; i + 1 < p.a; i++) z[i] = z[i + 1] - a[i] * out;
    return out;
}

template <class T, class W>
__global__ void
direct_chunks(const T *x, T *y, const T *zi, T *zf, W *history, const W *c,
              direct_sizes p)
{
    const int n = p.order;

    CUPRIC_EACH (row, p.rows) {
        W *const z = history + row * (n + 1);
        for (int i = 0; i < n; i++) z[i] = zi == nullptr ? W(0) : W(zi[row * n + i]);
        z[n] = W(0);
        for (long long k = 0; k < p.n; k++) {
            const W v = W(x[row * p.n + k]);
            y[row * p.n + k] = T(direct_step(z, v, c, c + p.b, p));
        }
        if (zf == nullptr) continue;
        for (int i = 0; i < n; i++) zf[row * n + i] = T(z[i]);
    }
}

/* y = results k ... k + n - 1 of a row, of which those from p.n on are states. */
template <class T, class W>
inline void
sum_of_taps(const T *x, const T *zi, const W *c, W *y, long long k, int n,
            const direct_sizes &p)
{
    for (int i = 0; i < n; i++)
        y[i] = zi != nullptr && k + i < p.order ? W(zi[k + i]) : W(0);
    for (int j = 0; j < p.b; j++) {
        const long long begin = j > k ? j - k : 0;
        const long long left = p.n + j - k, end = left < n ? left : n;
        const T *const from = x + k - j;
        for (long long i = begin; i < end; i++) y[i] = y[i] + c[j] * W(from[i]);
    }
}

template <class T, class W>
__global__ void
direct_taps(const T *x, T *y, const T *zi, T *zf, const W *c, direct_sizes p)
{
    const long long each = p.n + (zf == nullptr ? 0 : p.order), size = p.rows * each;
    const long long end = cupric::share_of(size, blockIdx.x + 1, gridDim.x);
    long long i = cupric::share_of(size, blockIdx.x, gridDim.x);
    W sums[TAPS_RUN];
    while (i < end) {
        const long long row = i / each, k = i - row * each;
        long long n = each - k < end - i ? each - k : end - i;
        n = n < TAPS_RUN ? n : TAPS_RUN;
        const T *const states = zi == nullptr ? zi : zi + row * p.order;
        sum_of_taps(x + row * p.n, states, c, sums, k, (int)n, p);
        for (long long j = 0; j < n; j++) {
            if (k + j < p.n)
                y[row * p.n + k + j] = T(sums[j]);
            else
                zf[row * p.order + k + j - p.n] = T(sums[j]);
        }
        i += n;
    }
}
