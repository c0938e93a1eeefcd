/* _bands.host.hpp: a row's bins in plain loops, without a division for each. */

/* y, of a row, from bin `first` up to `last`: as analytic_band has it. */
template <class T>
inline void
analytic_bins(const complex<T> *x, complex<T> *y, const band_sizes &s, long long first,
              long long last)
{
    const T once = T(s.scale), twice = T(2 * s.scale);
    const long long high = s.high - s.low < last ? s.high - s.low : last;
    long long i = first;

    for (; i < last && s.low + i <= 0; i++) { /* what has no double */
        const long long f = s.low + i;
        const bool kept = i < high && (f == 0 || 2 * f == -s.n);
        y[i] = kept ? scaled(x[-f], s.scale) : complex<T>(0);
    }
    for (; i < high; i++) {
        const complex<T> v = x[s.low + i];
        const T by = 2 * (s.low + i) == s.n ? once : twice;
        y[i] = complex<T>(v.real() * by, v.imag() * by);
    }
    for (; i < last; i++) y[i] = complex<T>(0);
}

template <class C>
__global__ void
analytic_band(const C *x, C *y, band_sizes s, long long pieces)
{
    CUPRIC_EACH (i, pieces) {
        const long long r = i / s.samples, begin = r * s.samples;
        const long long end = begin + s.samples < i_end ? begin + s.samples : i_end;
        analytic_bins(x + r * (s.n / 2 + 1), y + begin, s, i - begin, end - begin);
        i = end - 1;
    }
}
