/* _bands.cuh: spectra of another number of samples, and bands of spectra.
 *
 * A spectrum of real samples has n / 2 + 1 bins. Where n is even, its last is the frequency
 * n / 2 as well as -n / 2, of which it is the sum; bands have it as -n / 2.
 */
#include "_bands.h"

template <class T>
__device__ inline complex<T>
scaled(const complex<T> &x, double by)
{
    return complex<T>(T(x.real() * by), T(x.imag() * by));
}

__device__ inline bool
in_band(long long f, const band_sizes &s)
{
    return f >= s.low && f < s.high;
}

/* How much of the bin at `f` remains where there are more samples: it is shared by f and -f
 * where it stood for both; fewer samples have both in one bin. */
__device__ inline double
share_of_last(long long f, const band_sizes &s)
{
    const long long both = f < 0 ? -2 * f : 2 * f;
    if (s.n == s.samples) return 1;
    if (s.samples < s.n) return both == s.samples ? 2 : 1;
    return both == s.n ? 0.5 : 1;
}

/* y, (rows, samples / 2 + 1), of x, (rows, n / 2 + 1): the spectra of real samples; what is
 * in the band is left out. Launch: elements(pieces). */
template <class C>
__global__ void
resampled_real(const C *x, C *y, band_sizes s, long long pieces)
{
    const long long to = s.samples / 2 + 1, from = s.n / 2 + 1;
    const long long least = s.n < s.samples ? s.n : s.samples;
    CUPRIC_EACH (i, pieces) {
        const long long r = i / to, k = i - r * to;
        const bool kept = 2 * k <= least && !in_band(2 * k == s.n ? -k : k, s);
        y[i] = kept ? scaled(x[r * from + k], s.scale * share_of_last(k, s)) : C(0);
    }
}

/* y, (rows, samples), of x, (rows, n): the spectra of complex samples.
 * Launch: elements(pieces). */
template <class C>
__global__ void
resampled_complex(const C *x, C *y, band_sizes s, long long pieces)
{
    const long long least = s.n < s.samples ? s.n : s.samples;
    CUPRIC_EACH (i, pieces) {
        const long long r = i / s.samples, at = i - r * s.samples;
        const long long k = 2 * at <= s.samples ? at : at - s.samples;
        const long long both = k < 0 ? -2 * k : 2 * k;
        C sum = C(0);
        if (both < least || (both == least && s.n <= s.samples)) {
            const long long f = both == s.n && k > 0 ? -k : k;
            if (!in_band(f, s)) sum = x[r * s.n + (f < 0 ? f + s.n : f)];
            sum = scaled(sum, s.scale * share_of_last(k, s));
        } else if (both == least) { /* both ends fall on one bin */
            const C *row = x + r * s.n;
            const long long f = k < 0 ? -k : k;
            if (!in_band(f, s)) sum += row[f];
            if (!in_band(-f, s)) sum += row[s.n - f];
            sum = scaled(sum, s.scale);
        }
        y[i] = sum;
    }
}

/* y, (rows, samples), of x, (rows, n / 2 + 1): the spectrum of the analytic signal of real
 * samples, that is without negative frequencies and with positive ones twice; of the band
 * alone, shifted so that it begins at bin 0. Launch: elements(pieces). */
template <class C>
__global__ void
analytic_band(const C *x, C *y, band_sizes s, long long pieces)
{
    const long long from = s.n / 2 + 1;
    CUPRIC_EACH (i, pieces) {
        const long long r = i / s.samples, f = s.low + (i - r * s.samples);
        const bool is_last = 2 * f == s.n || 2 * f == -s.n;
        C v = C(0);
        if (f < s.high && (f >= 0 || is_last)) {
            v = x[r * from + (f < 0 ? -f : f)];
            v = scaled(v, f == 0 || is_last ? s.scale : 2 * s.scale);
        }
        y[i] = v;
    }
}

/* The same of the spectrum of complex samples, (rows, n), which is taken as it is.
 * Launch: elements(pieces). */
template <class C>
__global__ void
complex_band(const C *x, C *y, band_sizes s, long long pieces)
{
    CUPRIC_EACH (i, pieces) {
        const long long r = i / s.samples, f = s.low + (i - r * s.samples);
        C v = C(0);
        if (f < s.high) v = scaled(x[r * s.n + (f < 0 ? f + s.n : f)], s.scale);
        y[i] = v;
    }
}

/* Of a frequency along one of two axes. Unlike along one axis, n / 2 counts as negative. */
__device__ inline double
weight_of_axis(long long k, long long n)
{
    if (k == 0) return 1;
    return 2 * k < n ? 2 : 0;
}

/* y = x times the weights of the analytic signal over the last two axes, of n0 and n1
 * elements. Launch: elements(pieces). */
template <class C>
__global__ void
analytic_planes(const C *x, C *y, long long n0, long long n1, double scale,
                long long pieces)
{
    CUPRIC_EACH (i, pieces) {
        const long long row = i / n1, k1 = i - row * n1, k0 = row % n0;
        y[i] = scaled(x[i], scale * weight_of_axis(k0, n0) * weight_of_axis(k1, n1));
    }
}
