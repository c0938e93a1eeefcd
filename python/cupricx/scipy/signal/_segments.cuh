/* _segments.cuh: segments of signals, windowed and without their trends; averages of their
 * spectra; signals of overlapping segments.
 */
#include "_segments.h"
#include "cupric/block.hpp"
#include "cupric/monoids.hpp"

template <class T>
__device__ inline double
re_of(T x)
{
    return (double)x;
}
template <class T>
__device__ inline double
re_of(complex<T> x)
{
    return (double)x.real();
}
template <class T>
__device__ inline double
im_of(T x)
{
    return 0;
}
template <class T>
__device__ inline double
im_of(complex<T> x)
{
    return (double)x.imag();
}

/* Products, also of real and complex numbers. */
template <class T>
__device__ inline T
times(T x, T y)
{
    return x * y;
}
template <class T>
__device__ inline complex<T>
times(complex<T> x, T y)
{
    return complex<T>(x.real() * y, x.imag() * y);
}
template <class T>
__device__ inline T
scaled(double r, T x)
{
    return (T)(r * (double)x);
}
template <class T>
__device__ inline complex<T>
scaled(double r, complex<T> x)
{
    return complex<T>((T)(r * (double)x.real()), (T)(r * (double)x.imag()));
}

/* Element j of a row, by what lies outside of it. */
template <class T>
__device__ inline T
element(const T *x, long long j, const segment_sizes &s)
{
    const long long last = s.n - 1;
    if (0 <= j && j <= last) return x[j];
    if (s.boundary == ZEROS || j >= s.limit) return T(0);
    if (s.boundary == EDGE || last == 0) return x[j < 0 ? 0 : last];
    const long long period = 2 * last;
    long long turns = j / period;
    if (j - turns * period < 0) turns--;
    const long long i = j - turns * period; /* in [0, period) */
    if (s.boundary == EVEN) return x[i <= last ? i : period - i];
    const T rise = scaled(2.0 * (double)turns, x[last] - x[0]);
    return rise + (i <= last ? x[i] : x[last] + (x[last] - x[period - i]));
}

/* A line, from which elements are taken. */
template <class A>
struct line {
    A mean, slope;
    double middle;

    __device__ A at(long long k) const
    {
        return mean + scaled((double)k - middle, slope);
    }
};

/* The line of a segment, of all threads of the block. */
template <class A, class T>
__device__ inline line<A>
line_of(const T *x, long long begin, const segment_sizes &s)
{
    __shared__ cupric::block_memory<A> memory;
    line<A> found = {A(0), A(0), 0.5 * (double)(s.points - 1)};
    if (s.trend == NO_TREND) return found;
    A sum(0), moment(0);
    for (long long k = threadIdx.x; k < s.points; k += blockDim.x) {
        const A value = (A)element(x, begin + k, s);
        sum += value;
        moment += scaled((double)k - found.middle, value);
    }
    const double points = (double)s.points;
    found.mean =
        scaled(1 / points, cupric::block_reduce(sum, cupric::sum_of<A>(), memory));
    if (s.trend == LINEAR && s.points > 1) {
        const double squares = points * (points * points - 1) / 12;
        moment = cupric::block_reduce(moment, cupric::sum_of<A>(), memory);
        found.slope = scaled(1 / squares, moment);
    }
    return found;
}

/* Elements [from, to) of a windowed segment, wherever it lies. */
template <class T, class W, class A>
__device__ inline void
taper_part(const T *x, const W *w, T *y, const segment_sizes &s, long long begin,
           const line<A> &trend, long long from, long long to)
{
    for (long long q = from + threadIdx.x; q < to; q += blockDim.x) {
        const long long k =
            q + s.shift < s.length ? q + s.shift : q + s.shift - s.length;
        T value(0);
        if (k < s.points) {
            value = element(x, begin + k, s);
            if (s.trend != NO_TREND) value = (T)((A)value - trend.at(k));
            if (w != NULL) value = times(value, w[k]);
        }
        y[q] = value;
    }
}

/* The same of a segment that lies within the signal, and is neither rolled nor padded. */
template <class T, class W, class A>
__device__ inline void
taper_inner_part(const T *x, const W *w, T *y, const segment_sizes &s,
                 const line<A> &trend, long long from, long long to)
{
    if (s.trend != NO_TREND) {
        for (long long k = from + threadIdx.x; k < to; k += blockDim.x) {
            const T value = (T)((A)x[k] - trend.at(k));
            y[k] = w == NULL ? value : times(value, w[k]);
        }
    } else if (w != NULL) {
        for (long long k = from + threadIdx.x; k < to; k += blockDim.x) {
            y[k] = times(x[k], w[k]);
        }
    } else {
        for (long long k = from + threadIdx.x; k < to; k += blockDim.x) y[k] = x[k];
    }
}

/* y, (rows, segments, length): the segments of x, (rows, n), less their trends, times the
 * window w, or as they are. A is T of double precision. Launch: blocks(total, any). */
template <class T, class W, class A>
__global__ void
taper(const T *x, const W *w, T *y, const __grid_constant__ segment_sizes s,
      long long total)
{
    CUPRIC_EACH_BLOCK (b, total) {
        const long long segment = b / s.parts, row = segment / s.segments;
        const long long begin = s.first + (segment - row * s.segments) * s.step;
        const long long from = (b - segment * s.parts) * s.part;
        const long long to = from + s.part < s.length ? from + s.part : s.length;
        const T *values = x + row * s.n;
        T *out = y + segment * s.length;
        const line<A> trend = line_of<A>(values, begin, s);
        const bool is_inside = begin >= 0 && begin + s.points <= s.n;
        if (is_inside && s.shift == 0 && s.points == s.length) {
            taper_inner_part(values + begin, w, out, s, trend, from, to);
        } else {
            taper_part(values, w, out, s, begin, trend, from, to);
        }
        __syncthreads();
    }
}

/* v = w of n points, divided by its sum, or by the root of the sum of its squares times fs.
 * Launch: blocks(1, NORM_THREADS). */
template <class T, class V>
__global__ void
normalize(const T *w, V *v, long long n, int norm, double fs, long long total)
{
    __shared__ cupric::block_memory<double> memory;
    CUPRIC_EACH_BLOCK (b, total) {
        double sum = 0, imaginary = 0;
        for (long long k = threadIdx.x; k < n; k += blockDim.x) {
            const double re = re_of(w[k]), im = im_of(w[k]);
            sum += norm == BY_SUM ? re : re * re + im * im;
            imaginary += im;
        }
        sum = cupric::block_reduce(sum, cupric::sum_of<double>(), memory);
        imaginary = cupric::block_reduce(imaginary, cupric::sum_of<double>(), memory);
        double factor = 1;
        if (norm == BY_SUM) factor = 1 / hypot(sum, imaginary);
        if (norm == BY_SQUARES) factor = 1 / sqrt(fs * sum);
        for (long long k = threadIdx.x; k < n; k += blockDim.x)
            v[k] = (V)scaled(factor, w[k]);
    }
}

/* y[i] = (start + i step) / divisor, of i - n from `negative` on. Launch: elements(n). */
__global__ void
ramp(double *y, long long n, long long negative, double start, double step,
     double divisor)
{
    CUPRIC_EACH (i, n) {
        y[i] = (start + (double)(i < negative ? i : i - n) * step) / divisor;
    }
}

/* Products of spectra, summed. */
struct products_of_spectra {
    double xx, yy, re, im;

    template <class T>
    __device__ void add(const complex<T> *x, const complex<T> *y, long long i,
                        int products)
    {
        const double a = x[i].real(), b = x[i].imag();
        if (products != CROSS) xx += a * a + b * b;
        if (products == POWER) return;
        const double c = y[i].real(), d = y[i].imag();
        re += a * c + b * d;
        im += a * d - b * c;
        if (products == COHERENCE) yy += c * c + d * d;
    }
};

/* sums, (rows, chunks, m): the products of x and y, (rows, segments, m), of each chunk of
 * segments. Launch: blocks(s.rows * s.chunks * s.tiles, TILE). */
template <class T>
__global__ void
sum_products(const complex<T> *x, const complex<T> *y, double *sums,
             const __grid_constant__ average_sizes s, long long total)
{
    CUPRIC_EACH_BLOCK (b, total) {
        const long long chunk = b / s.tiles, tile = b - chunk * s.tiles;
        const long long row = chunk / s.chunks, part = chunk - row * s.chunks;
        const long long from = part * s.chunk;
        const long long to = from + s.chunk < s.segments ? from + s.chunk : s.segments;
        for (int j = threadIdx.x; j < TILE; j += blockDim.x) {
            const long long f = tile * TILE + j;
            if (f >= s.m) continue;
            products_of_spectra sum = {0, 0, 0, 0};
            for (long long k = from; k < to; k++) {
                sum.add(x, y, (row * s.segments + k) * s.m + f, s.products);
            }
            products_of_spectra *out = (products_of_spectra *)sums;
            out[chunk * s.m + f] = sum;
        }
    }
}

/* The mean of the sums of all chunks: real where z is NULL. Launch: elements(total). */
template <class T>
__global__ void
mean_products(const double *sums, T *real, complex<T> *z,
              const __grid_constant__ average_sizes s, long long total)
{
    CUPRIC_EACH (e, total) {
        const long long row = e / s.m, f = e - row * s.m;
        const products_of_spectra *parts = (const products_of_spectra *)sums;
        products_of_spectra sum = {0, 0, 0, 0};
        for (long long k = 0; k < s.chunks; k++) {
            const products_of_spectra &part = parts[(row * s.chunks + k) * s.m + f];
            sum.xx += part.xx;
            sum.yy += part.yy;
            sum.re += part.re;
            sum.im += part.im;
        }
        const double factor = (f > 0 && f < s.doubled ? 2 : 1) / s.count;
        if (s.products == POWER) {
            real[e] = (T)(sum.xx * factor);
        } else if (s.products == CROSS) {
            z[e] = complex<T>((T)(sum.re * factor), (T)(sum.im * factor));
        } else {
            real[e] = (T)((sum.re * sum.re + sum.im * sum.im) / sum.xx / sum.yy);
        }
    }
}

/* Products of single spectra, x and y, (rows, m). Launch: blocks(rows, any). */
template <class T>
__global__ void
products(const complex<T> *x, const complex<T> *y, T *real, complex<T> *z, long long m,
         long long doubled, long long rows)
{
    CUPRIC_EACH_BLOCK (row, rows) {
        for (long long f = threadIdx.x; f < m; f += blockDim.x) {
            const long long e = row * m + f;
            const T factor = f > 0 && f < doubled ? 2 : 1;
            const T a = x[e].real(), b = x[e].imag();
            if (z == NULL) {
                real[e] = factor * (a * a + b * b);
            } else {
                const T c = y[e].real(), d = y[e].imag();
                z[e] = complex<T>(factor * (a * c + b * d), factor * (a * d - b * c));
            }
        }
    }
}

/* Which segments reach elements [from, to) of a row. */
struct segment_range {
    long long first, end;

    __device__ segment_range(const overlap_sizes &s, long long from, long long to)
    {
        const long long behind = from - s.first - s.points + 1, last = to - 1 - s.first;
        first = behind <= 0 ? 0 : cupric::quotient(behind + s.step - 1, s.step);
        end = last < 0 ? 0 : cupric::quotient(last, s.step) + 1;
        if (end > s.segments) end = s.segments;
    }
};

/* y, (rows, n): the sum of all segments of x, (rows, segments, length), times w; divided by
 * the sum of the squares of w where it is above `least`. A is T of double precision.
 * Launch: blocks(total, OVERLAP_THREADS), of OVERLAP elements each. */
template <class T, class W, class A>
__global__ void
overlap_add(const T *x, const W *w, T *y, const __grid_constant__ overlap_sizes s,
            long long total)
{
    CUPRIC_EACH_BLOCK (b, total) {
        const long long row = b / s.tiles, begin = (b - row * s.tiles) * OVERLAP;
        const long long end = begin + OVERLAP < s.n ? begin + OVERLAP : s.n;
        for (long long i = begin + threadIdx.x; i < end; i += blockDim.x) {
            const segment_range range(s, i, i + 1);
            A sum(0);
            double norm = 0;
            for (long long k = range.first; k < range.end; k++) {
                const long long j = i - s.first - k * s.step;
                const long long q = j >= s.shift ? j - s.shift : j - s.shift + s.length;
                sum += (A)times(x[(row * s.segments + k) * s.length + q], w[j]);
                const double re = re_of(w[j]), im = im_of(w[j]);
                norm += re * re + im * im;
            }
            y[row * s.n + i] = (T)(norm > s.least ? scaled(1 / norm, sum) : sum);
        }
    }
}
