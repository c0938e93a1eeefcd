/* _covariance.host.hpp: deviations are computed once for a block of rows and columns. */

template <class T>
__global__ void
correlations(const T *c, T *out, long long n, long long pieces, double factor)
{
    constexpr int W = 128; /* columns at once */
    const T f = cupric::convert<T>(factor);

    CUPRIC_EACH (piece, pieces) {
        const long long begin = piece * RUN, end = begin + RUN < n ? begin + RUN : n;
        T own[RUN], other[W];
        for (long long i = begin; i < end; i++)
            own[i - begin] = cupric::convert<T>(deviation(c, i, n, factor));
        for (long long first = 0; first < n; first += W) {
            const int w = n - first < W ? int(n - first) : W;
            for (int j = 0; j < w; j++)
                other[j] = cupric::convert<T>(deviation(c, first + j, n, factor));
            for (long long i = begin; i < end; i++) {
                const T *const from = c + i * n + first;
                T *const to = out + i * n + first;
                for (int j = 0; j < w; j++)
                    to[j] = within_one(from[j] * f / own[i - begin] / other[j]);
            }
        }
    }
}
