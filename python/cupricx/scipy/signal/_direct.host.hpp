/* _direct.host.hpp: a row after the other, in transposed form, whose delays are a vector.
 * `history`: order + 1 numbers of each row. */

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
