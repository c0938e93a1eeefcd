/* _detrend.cuh: rows less the lines that fit their segments.
 *
 * Segment s of a row has the elements from starts[s] up to starts[s + 1]. The line that fits
 * m elements x[i] best (least squares) is, with t = i - (m - 1) / 2 from the middle,
 *
 *     mean + slope t,    slope = sum(t x) / sum(t t),    sum(t t) = m (m m - 1) / 12
 *
 * Sums are float64, and of elements less the segment's first, so that a large mean costs
 * no digits.
 */
#include "_detrend.h"
#include "cupric/block.hpp"

template <class T>
struct wide_of {
    typedef double type;
};
template <class T>
struct wide_of<complex<T>> {
    typedef complex<double> type;
};

template <class W>
struct line {
    W mean, slope;
};

/* The sums of x and t x of a segment's elements from `from` up to `to`, to every thread; the
 * middle of the segment is at `middle`, its first element `pivot`, which is taken off. */
template <class T, class W>
__device__ inline line<W>
moments(const T *row, long long from, long long to, double middle, const W &pivot,
        bool linear)
{
    typedef cupric::sum_of<W> sum_of;
    __shared__ cupric::block_memory<W> memory;
    W sum = W(0), moment = W(0);

    for (long long i = from + threadIdx.x; i < to; i += blockDim.x) {
        const W v = W(row[i]) - pivot;
        sum += v;
        moment += W((double)i - middle) * v;
    }
    line<W> all;
    all.mean = cupric::block_reduce(sum, sum_of(), memory);
    all.slope = linear ? cupric::block_reduce(moment, sum_of(), memory) : W(0);
    return all;
}

/* The line of a segment of m elements, of the sums. */
template <class W>
__device__ inline line<W>
fitted_line(const line<W> &sums, double m, bool linear)
{
    line<W> l;
    l.mean = sums.mean / W(m);
    l.slope = linear && m > 1 ? sums.slope / W(m * (m * m - 1) / 12) : W(0);
    return l;
}

__device__ inline double
middle_of(long long from, long long to)
{
    return (double)from + (double)(to - from - 1) / 2;
}

/* y = x less the lines of segments that a block has time for.
 * Launch: blocks(pieces, DETREND_THREADS), rows * segments. */
template <class T>
__global__ void
detrend_segments(const T *x, T *y, const long long *starts, detrend_sizes s,
                 long long pieces)
{
    typedef typename wide_of<T>::type W;
    CUPRIC_EACH_BLOCK (b, pieces) {
        const long long r = b / s.segments, segment = b - r * s.segments;
        const long long from = starts[segment], to = starts[segment + 1];
        const double middle = middle_of(from, to);
        const T *row = x + r * s.n;
        const W pivot = from < to ? W(row[from]) : W(0);
        const line<W> sums = moments<T, W>(row, from, to, middle, pivot, s.linear);
        const line<W> l = fitted_line(sums, (double)(to - from), s.linear);

        for (long long i = from + threadIdx.x; i < to; i += blockDim.x)
            y[r * s.n + i] =
                T(W(row[i]) - pivot - (l.mean + l.slope * W((double)i - middle)));
    }
}

/* sums, (rows, segments, parts): of long segments.
 * Launch: blocks(pieces, DETREND_THREADS), rows * segments * parts. */
template <class T, class W>
__global__ void
detrend_sums(const T *x, W *sums, const long long *starts, detrend_sizes s,
             long long pieces)
{
    CUPRIC_EACH_BLOCK (b, pieces) {
        const long long part = b % s.parts, segment = b / s.parts % s.segments;
        const long long r = b / s.parts / s.segments;
        const long long from = starts[segment], to = starts[segment + 1];
        const long long each = (to - from + s.parts - 1) / s.parts;
        const long long first = from + part * each < to ? from + part * each : to;
        const long long last = first + each < to ? first + each : to;
        const T *row = x + r * s.n;
        const line<W> sum = moments<T, W>(row, first, last, middle_of(from, to),
                                          W(row[from]), s.linear);
        if (threadIdx.x == 0) {
            sums[2 * b] = sum.mean;
            sums[2 * b + 1] = sum.slope;
        }
    }
}

/* lines, (rows, segments, 2), of their sums.
 * Launch: blocks(pieces, DETREND_THREADS), rows * segments. */
template <class W>
__global__ void
detrend_lines(const W *sums, W *lines, const long long *starts, detrend_sizes s,
              long long pieces)
{
    typedef cupric::sum_of<W> sum_of;
    __shared__ cupric::block_memory<W> memory;
    CUPRIC_EACH_BLOCK (b, pieces) {
        const long long segment = b % s.segments;
        line<W> sum;
        sum.mean = sum.slope = W(0);
        for (long long k = threadIdx.x; k < s.parts; k += blockDim.x) {
            sum.mean += sums[2 * (b * s.parts + k)];
            sum.slope += sums[2 * (b * s.parts + k) + 1];
        }
        sum.mean = cupric::block_reduce(sum.mean, sum_of(), memory);
        sum.slope = cupric::block_reduce(sum.slope, sum_of(), memory);
        const double m = (double)(starts[segment + 1] - starts[segment]);
        const line<W> l = fitted_line(sum, m, s.linear);
        if (threadIdx.x == 0) {
            lines[2 * b] = l.mean;
            lines[2 * b + 1] = l.slope;
        }
    }
}

/* The segment that element i is in. */
__device__ inline long long
segment_of(long long i, const long long *starts, long long segments)
{
    long long low = 0, high = segments;
    while (high - low > 1) {
        const long long middle = (low + high) / 2;
        if (starts[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* y = x less the lines. Launch: elements(pieces), rows * n. */
template <class T, class W>
__global__ void
detrend_rows(const T *x, T *y, const W *lines, const long long *starts, detrend_sizes s,
             long long pieces)
{
    CUPRIC_EACH (k, pieces) {
        const long long r = k / s.n, i = k - r * s.n;
        const long long segment = segment_of(i, starts, s.segments);
        const W *l = lines + 2 * (r * s.segments + segment);
        const double t = (double)i - middle_of(starts[segment], starts[segment + 1]);
        const W pivot = W(x[r * s.n + starts[segment]]);
        y[k] = T(W(x[k]) - pivot - (l[0] + l[1] * W(t)));
    }
}
