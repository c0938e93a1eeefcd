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

    __device__ W at(double t) const { return mean + slope * W(t); }
};

/* The sums of x and t x of a segment's elements from `from` up to `to`, to every thread; the
 * middle of the segment is at `middle`, its first element `pivot`, which is taken off. */
template <class T, class W>
__device__ inline line<W>
moments(const T *row, long long from, long long to, double middle, const W &pivot)
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
    all.slope = cupric::block_reduce(moment, sum_of(), memory);
    return all;
}

/* The line of a segment of m elements, of the sums. */
template <class W>
__device__ inline line<W>
fitted_line(const line<W> &sums, double m)
{
    line<W> l;
    l.mean = sums.mean / W(m);
    l.slope = m > 1 ? sums.slope / W(m * (m * m - 1) / 12) : W(0);
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
        const line<W> sums = moments<T, W>(row, from, to, middle, pivot);
        const line<W> l = fitted_line(sums, (double)(to - from));

        for (long long i = from + threadIdx.x; i < to; i += blockDim.x)
            y[r * s.n + i] = T(W(row[i]) - pivot - l.at((double)i - middle));
    }
}

/* What a part of a segment has: elements from `from` up to `to`. */
struct part_of_segment {
    long long start, from, to;
    double middle; /* of the segment */

    __device__ part_of_segment(const long long *starts, long long segment,
                               long long part, long long parts)
    {
        start = starts[segment];
        const long long end = starts[segment + 1];
        const long long each = (end - start + parts - 1) / parts;
        from = start + part * each < end ? start + part * each : end;
        to = from + each < end ? from + each : end;
        middle = middle_of(start, end);
    }
};

/* sums, (rows, segments, parts): of long segments.
 * Launch: blocks(pieces, DETREND_THREADS), rows * segments * parts. */
template <class T, class W>
__global__ void
detrend_sums(const T *x, W *sums, const long long *starts, detrend_sizes s,
             long long pieces)
{
    CUPRIC_EACH_BLOCK (b, pieces) {
        const long long segment = b / s.parts % s.segments;
        const long long r = b / s.parts / s.segments;
        const part_of_segment p(starts, segment, b % s.parts, s.parts);
        const T *row = x + r * s.n;
        const line<W> sum = moments<T, W>(row, p.from, p.to, p.middle, W(row[p.start]));
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
        const line<W> l = fitted_line(sum, m);
        if (threadIdx.x == 0) {
            lines[2 * b] = l.mean;
            lines[2 * b + 1] = l.slope;
        }
    }
}

/* y = x less the lines, part by part.
 * Launch: blocks(pieces, DETREND_THREADS), rows * segments * parts. */
template <class T, class W>
__global__ void
detrend_parts(const T *x, T *y, const W *lines, const long long *starts,
              detrend_sizes s, long long pieces)
{
    CUPRIC_EACH_BLOCK (b, pieces) {
        const long long segment = b / s.parts % s.segments;
        const long long r = b / s.parts / s.segments;
        const part_of_segment p(starts, segment, b % s.parts, s.parts);
        const line<W> l = {lines[2 * (b / s.parts)], lines[2 * (b / s.parts) + 1]};
        const T *row = x + r * s.n;
        const W pivot = W(row[p.start]);

        for (long long i = p.from + threadIdx.x; i < p.to; i += blockDim.x)
            y[r * s.n + i] = T(W(row[i]) - pivot - l.at((double)i - p.middle));
    }
}
