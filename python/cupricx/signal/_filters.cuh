/* _filters.cuh: Volterra filters, and shifts of the frequency. */

/* y[i] = sum_a sum_b k[a, b] x[i + w - 1 - a] x[i + h - 1 - b], of k, (w, h).
 * Launch: elements(n). */
template <class T>
__global__ void
second_order(const T *x, const T *k, T *y, long long w, long long h, long long n)
{
    CUPRIC_EACH (i, n) {
        T sum = T(0);
        for (long long a = 0; a < w; a++) {
            T inner = T(0);
            for (long long b = 0; b < h; b++) inner += k[a * h + b] * x[i + h - 1 - b];
            sum += inner * x[i + w - 1 - a];
        }
        y[i] = sum;
    }
}

/* The same of the third order, of k, (w, h, d). Launch: elements(n). */
template <class T>
__global__ void
third_order(const T *x, const T *k, T *y, long long w, long long h, long long d,
            long long n)
{
    CUPRIC_EACH (i, n) {
        T sum = T(0);
        for (long long a = 0; a < w; a++) {
            T plane = T(0);
            for (long long b = 0; b < h; b++) {
                T inner = T(0);
                for (long long c = 0; c < d; c++)
                    inner += k[(a * h + b) * d + c] * x[i + d - 1 - c];
                plane += inner * x[i + h - 1 - b];
            }
            sum += plane * x[i + w - 1 - a];
        }
        y[i] = sum;
    }
}

/* x exp(-2 pi i r n) of element n. What r n has before the point does not count: the rest is
 * found with the product's rounding error, so that it stays exact for long signals. */
template <class T>
__device__ inline complex<double>
shifted(const T &x, double r, double n)
{
    const double product = r * n, error = fma(r, n, -product);
    const double angle =
        -6.283185307179586476925286766559 * ((product - floor(product)) + error);
    return complex<double>(x) * complex<double>(cos(angle), sin(angle));
}
