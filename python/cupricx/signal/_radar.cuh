/* _radar.cuh: thresholds of detectors.
 */
#include "_radar.h"

/* The sum of elements [i0, i1) and [j0, j1) of what `sums`, (n, m), are sums up to each. */
__device__ inline double
sum_within(const double *sums, long long m, long long i0, long long i1, long long j0,
           long long j1)
{
    double sum = sums[(i1 - 1) * m + j1 - 1];
    if (i0 > 0) sum -= sums[(i0 - 1) * m + j1 - 1];
    if (j0 > 0) sum -= sums[(i1 - 1) * m + j0 - 1];
    if (i0 > 0 && j0 > 0) sum += sums[(i0 - 1) * m + j0 - 1];
    return sum;
}

/* `factor` times what is around each element of x, but for the guard cells beside it; 0
 * near the border. Detections are elements above that. Launch: elements(total). */
template <class T>
__global__ void
cell_averages(const T *x, const double *sums, T *threshold, bool *detection,
              const __grid_constant__ cfar_cells c, long long total)
{
    CUPRIC_EACH (e, total) {
        const long long i = cupric::quotient(e, c.m), j = e - i * c.m;
        const long long a = c.guard[0], b = c.guard[1];
        const long long p = a + c.reference[0], q = b + c.reference[1];
        T value = 0;
        if (i >= p && i < c.n - p && j >= q && j < c.m - q) {
            const double outer =
                sum_within(sums, c.m, i - p, i + p + 1, j - q, j + q + 1);
            const double inner =
                sum_within(sums, c.m, i - a, i + a + 1, j - b, j + b + 1);
            value = (T)(c.factor * (outer - inner));
        }
        threshold[e] = value;
        detection[e] = x[e] - value > 0;
    }
}
