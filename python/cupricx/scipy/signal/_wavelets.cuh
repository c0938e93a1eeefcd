/* _wavelets.cuh: wavelets. */
#include "_wavelets.h"

#define SQRT_SQRT_PI 1.3313353638003897 /* pi**(1/4) */

/* The second derivative of a Gaussian, normalized, at t from its middle. */
__device__ inline double
ricker_at(double t, double a)
{
    const double square = t * t / (a * a);
    return 2 / (sqrt(3 * a) * SQRT_SQRT_PI) * (1 - square) * exp(-square / 2);
}

/* exp(i w t) in a Gaussian, at t. */
__device__ inline complex<double>
morlet_at(double t, double w)
{
    const double size = exp(-0.5 * t * t) / SQRT_SQRT_PI;
    return complex<double>(cos(w * t) * size, sin(w * t) * size);
}

/* y = the wavelet of n points. Launch: elements(n). */
__global__ void
rickers(double *y, double a, long long n)
{
    CUPRIC_EACH (i, n) y[i] = ricker_at((double)i - (double)(n - 1) / 2, a);
}
__global__ void
morlets2(complex<double> *y, double s, double w, long long n)
{
    CUPRIC_EACH (i, n) {
        const complex<double> v = morlet_at(((double)i - (double)(n - 1) / 2) / s, w);
        const double scale = 1 / sqrt(s);
        y[i] = complex<double>(v.real() * scale, v.imag() * scale);
    }
}

/* The same from -2 pi s to 2 pi s, less `mean` times the Gaussian. Launch: elements(n). */
__global__ void
morlets(complex<double> *y, double s, double w, double mean, long long n)
{
    const double end = s * 6.283185307179586476925286766559;
    CUPRIC_EACH (i, n) {
        const double t = n > 1 ? -end + 2 * end * (double)i / (double)(n - 1) : -end;
        const complex<double> v = morlet_at(t, w);
        const double size = exp(-0.5 * t * t) / SQRT_SQRT_PI;
        y[i] = complex<double>(v.real() - mean * size, v.imag());
    }
}

template <class T>
struct bank_element {
    __device__ static T of(double t, double s, const wavelet_bank &)
    {
        return ricker_at(t, s);
    }
};
template <>
struct bank_element<complex<double>> {
    __device__ static complex<double> of(double t, double s, const wavelet_bank &b)
    {
        const complex<double> v = morlet_at(t / s, b.w);
        const double scale = 1 / sqrt(s);
        return complex<double>(v.real() * scale, -v.imag() * scale);
    }
};

/* y, (widths, b.length): for each width the wavelet of min(10 width, b.most) points,
 * reversed and conjugated, with its middle at the same place in every row; elsewhere 0.
 * Launch: elements(pieces). */
template <class T>
__global__ void
wavelet_rows(T *y, const double *widths, wavelet_bank b, long long pieces)
{
    CUPRIC_EACH (i, pieces) {
        const long long row = i / b.length;
        const double s = widths[row];
        long long n = (long long)(10 * s);
        if (n > b.most) n = b.most;
        const long long at = i - row * b.length - (b.first - (n - 1) / 2);
        T v = T(0);
        if (at >= 0 && at < n)
            v = bank_element<T>::of((double)(n - 1 - at) - (double)(n - 1) / 2, s, b);
        y[i] = v;
    }
}
