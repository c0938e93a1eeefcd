/* _covariance.cuh: coefficients of correlation, and what rows deviate from their means. */
#include "_covariance.h"

/* The standard deviation of variable i, of n x n sums of products c and what they are
 * multiplied by. */
template <class T>
__device__ inline double
deviation(const T *c, long long i, long long n, double factor)
{
    const T variance = c[i * (n + 1)] * cupric::convert<T>(factor);
    return sqrt(cupric::convert<double>(variance));
}

__device__ inline double
within_one(double x)
{
    return x < -1 ? -1 : x > 1 ? 1 : x; /* NaN is NaN */
}

__device__ inline complex<double>
within_one(complex<double> x)
{
    return complex<double>(within_one(x.re), within_one(x.im));
}

/* out = the coefficients of correlation of n variables, of sums of products c. Of `pieces`:
 * on a GPU an element each; on the host RUN rows, of which each needs all deviations.
 * Launch: elements(pieces). */
template <class T>
__global__ void
correlations(const T *c, T *out, long long n, long long pieces, double factor)
{
    const T f = cupric::convert<T>(factor);

    CUPRIC_EACH (e, pieces) {
        const long long i = cupric::quotient(e, n), j = e - i * n;
        const T own = cupric::convert<T>(deviation(c, i, n, factor));
        const T other = cupric::convert<T>(deviation(c, j, n, factor));
        out[e] = within_one(c[e] * f / own / other);
    }
}

/* out (rows, n) = what x deviates from the mean of its row, in real numbers T. A block takes
 * a row. Launch: blocks(rows), THREADS, or any power of two below. */
template <class X, class T>
__global__ void
deviations(View<X, 2> x, T *out)
{
    __shared__ T parts[THREADS];
    const long long n = x.shape()[1];
    const int thread = threadIdx.x, threads = blockDim.x;

    CUPRIC_EACH_BLOCK (row, x.shape()[0]) {
        T sum = 0;
        for (long long i = thread; i < n; i += threads) {
            const cupric::extent at[] = {row, i};
            sum += cupric::convert<T>(x[at]);
        }
        parts[thread] = sum;
        for (int half = threads / 2; half > 0; half /= 2) {
            __syncthreads();
            if (thread < half) parts[thread] += parts[thread + half];
        }
        __syncthreads();
        const T mean = parts[0] / T(n);
        for (long long i = thread; i < n; i += threads) {
            const cupric::extent at[] = {row, i};
            out[row * n + i] = cupric::convert<T>(x[at]) - mean;
        }
        __syncthreads(); /* before the shared memory is reused */
    }
}
