/* _cepstrum.cuh: what is done with spectra on the way to a cepstrum and back.
 */

/* y = log(abs(z)), complex. Launch: elements(of z). */
template <class T>
__global__ void
log_magnitudes(const complex<T> *z, complex<T> *y, long long total)
{
    CUPRIC_EACH (i, total) {
        y[i] = complex<T>((T)log(hypot((double)z[i].real(), (double)z[i].imag())), 0);
    }
}

/* Where the phase of n points is made zero: in the middle. */
__device__ inline long long
middle_of(long long n)
{
    return n == 1 ? 0 : (n + 1) / 2;
}

/* y = log(z), rows of n, less the whole turns of delay that the unwrapped phases have in
 * the middle, `delays` of each row. Launch: elements(of z). */
template <class T>
__global__ void
log_spectra(const complex<T> *z, const T *phases, complex<T> *y, T *delays, long long n,
            long long total)
{
    const double pi = 3.14159265358979323846;
    CUPRIC_EACH (i, total) {
        const long long row = cupric::quotient(i, n), j = i - row * n;
        const long long middle = middle_of(n);
        const double delay = rint((double)phases[row * n + middle] / pi);
        const double linear = middle == 0 ? 0 : pi * delay * (double)j / (double)middle;
        const double size = hypot((double)z[i].real(), (double)z[i].imag());
        y[i] = complex<T>((T)log(size), (T)((double)phases[i] - linear));
        if (j == 0) delays[row] = (T)delay;
    }
}

/* y = exp(z), with the delays of rows of n. Launch: elements(of z). */
template <class T>
__global__ void
delayed_spectra(const complex<T> *z, const T *delays, complex<T> *y, long long n,
                long long total)
{
    const double pi = 3.14159265358979323846;
    CUPRIC_EACH (i, total) {
        const long long row = cupric::quotient(i, n), j = i - row * n;
        const long long middle = middle_of(n);
        const double delay = (double)delays[row];
        const double linear = middle == 0 ? 0 : pi * delay * (double)j / (double)middle;
        const double size = exp((double)z[i].real()),
                     angle = (double)z[i].imag() + linear;
        y[i] = complex<T>((T)(size * cos(angle)), (T)(size * sin(angle)));
    }
}

/* y = x, rows of n, with the elements of negative times on those of positive ones. Launch:
 * elements(of x). */
template <class T>
__global__ void
folded(const T *x, T *y, long long n, long long total)
{
    CUPRIC_EACH (i, total) {
        const long long j = i - cupric::quotient(i, n) * n;
        const bool is_alone = j == 0 || 2 * j == n;
        y[i] = is_alone ? x[i] : 2 * j < n ? 2 * x[i] : T(0);
    }
}
