/* _horner.host.hpp: points side by side are computed with vectors. */

/* Of one polynomial at points side by side, a block of them at each step, so that a CPU
 * computes with vectors and does not wait for the step before. */
template <class T>
inline void
horner_run(const T *c, const T *x, T *out, long long count, long long n, long long step)
{
    constexpr int BLOCK = 1024 / sizeof(T);

    for (long long first = 0; first < count; first += BLOCK) {
        const int m = count - first < BLOCK ? (int)(count - first) : BLOCK;
        T at[BLOCK], y[BLOCK];
        for (int j = 0; j < m; j++) {
            at[j] = x[first + j];
            y[j] = (T)((T)(at[j] * T(0)) + c[0]);
        }
        for (long long k = 1; k < n; k++) {
            const T next = c[k * step];
            for (int j = 0; j < m; j++) y[j] = (T)((T)(y[j] * at[j]) + next);
        }
        for (int j = 0; j < m; j++) out[first + j] = y[j];
    }
}

template <class T>
__global__ void
horner(const T *c, const T *x, T *out, horner_sizes p)
{
    if (p.all && p.points == p.size && p.x_step == 1) {
        const long long begin = cupric::share_of(p.size, blockIdx.x, gridDim.x);
        const long long end = cupric::share_of(p.size, blockIdx.x + 1, gridDim.x);
        horner_run(c, x + begin, out + begin, end - begin, p.n, p.step);
        return;
    }
    CUPRIC_EACH (i, p.size) {
        const long long column = p.all ? i / p.points : i;
        const T at = x[(p.all ? i % p.points : i) * p.x_step];
        out[i] = polynomial_at(c + column, at, p.n, p.step);
    }
}
