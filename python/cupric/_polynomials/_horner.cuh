#if defined(CUPRIC_HOST)

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

#endif

/* out[i] = the polynomial of column m of c at x[j], by Horner's rule.
 *
 * c (n, m) has the highest power first, rows `step` elements apart; elements of x are
 * `x_step` apart. Of `all` columns at all points, out is (m, points); of each column at a
 * point of its own, out and x are (m,). */
template <class T>
__global__ void
horner(const T *c, const T *x, T *out, long long size, long long n, long long step,
       long long x_step, long long points, bool all)
{
#if defined(CUPRIC_HOST)
    if (all && points == size && x_step == 1) {
        const long long begin = cupric::share_of(size, blockIdx.x, gridDim.x);
        const long long end = cupric::share_of(size, blockIdx.x + 1, gridDim.x);
        horner_run(c, x + begin, out + begin, end - begin, n, step);
        return;
    }
#endif
    CUPRIC_EACH (i, size) {
        const long long column = all ? i / points : i;
        const T at = x[(all ? i % points : i) * x_step];
        const T *next = c + column;
        T y = (T)((T)(at * T(0)) + *next); /* NaN at an infinity, as NumPy's */
        for (long long k = 1; k < n; k++) {
            next += step;
            y = (T)((T)(y * at) + *next);
        }
        out[i] = y;
    }
}
