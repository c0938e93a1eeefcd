/* _nearest.cuh: along an axis before the last, the nearest element that is zero.
 *
 * The array is (outer, n, inner), n along `axis`. For an element (o, i, c) the nearest zero
 * is that of an element (o, j, c), for the j that makes
 *     cost(j) + (weights[axis] * (i - j))^2
 * smallest, where cost(j) is the square of the distance between (o, j, c) and its zero. Of
 * two the smaller j: then j never decreases with i.
 *
 * On the host a column's parabolas are reduced to their lower envelope (Felzenszwalb and
 * Huttenlocher 2012). On a GPU, and for columns of more than ENVELOPE, j is found for the i
 * in the middle first: it bounds the j of those before it and behind it, which come next,
 * as for the totally monotone matrices of Aggarwal and others (1987). A search goes from i
 * outwards and ends where the parabola alone is above what was found.
 *
 * W is int (all weights 1, no square above 2^31 - 2) or double. to[axis] is written always,
 * for it bounds the searches; the others, and distances, unless null. Where there is no
 * zero, the array's last pass (axis 0) takes one at (-1, 0, ...), as SciPy does.
 * Launch: blocks(work, NEAREST_THREADS), over pieces of NEAREST_COLUMNS columns.
 */
#include "_nearest.h"
#include "_squared_distances.cuh"

template <class W>
struct largest;
template <>
struct largest<int> {
    static __device__ int value() { return 0x7fffffff; }
};
template <>
struct largest<double> {
    static __device__ double value() { return 1.7976931348623157e308; }
};

/* A column: elements planes[k * size + at + j * inner]. */
template <class W>
struct column_of_zeros {
    const int *planes; /* of the axes behind, from the column's first element */
    long long size, inner;
    int count; /* of these axes */
    W weight;  /* of the axis */
    W weights[MOST_AXES];
    int index[MOST_AXES]; /* the column's, along the axes behind */

    __device__ W square(W weight_of, int distance) const
    {
        const W d = weight_of * (W)distance;
        return d * d;
    }

    __device__ W cost(long long j) const
    {
        const int *p = planes + j * inner;
        W sum = 0;
        if (*p < 0) return largest<W>::value();
        for (int k = 0; k < count; k++, p += size)
            sum += square(weights[k], *p - index[k]);
        return sum;
    }

    /* This column becomes `number`; its first element. */
    __device__ long long place(long long number, const int *of, const nearest_sizes &s,
                               const long long *shape, const double *sampling)
    {
        const long long step = s.inner;
        const int axis = s.axis;
        const long long o = cupric::quotient(number, step);
        const long long at = o * (s.n - 1) * step + number;
        long long rest = number - o * step;
        size = s.outer * s.n * step;
        inner = step;
        count = s.ndim - 1 - axis;
        weight = (W)sampling[axis];
        planes = of + (axis + 1) * size + at;
        for (int k = count - 1; k >= 0; k--) {
            const long long length = shape[axis + 1 + k];
            const long long next = cupric::quotient(rest, length);
            index[k] = (int)(rest - next * length);
            weights[k] = (W)sampling[axis + 1 + k];
            rest = next;
        }
        return at;
    }

    /* The place for i in [low, high], or -1. */
    __device__ int search(int i, int low, int high, W *found) const
    {
        W best = largest<W>::value();
        int at = -1;
        int left = i < low ? low - 1 : i > high ? high : i, right = left + 1;
        for (;;) {
            const W to_left = left >= low ? square(weight, i - left) : best;
            const W to_right = right <= high ? square(weight, right - i) : best;
            const bool go_left = left >= low && to_left <= best;
            const bool go_right = right <= high && to_right < best;
            if (!go_left && !go_right) break;
            const W a = go_left ? cost(left) : largest<W>::value();
            const W b = go_right ? cost(right) : largest<W>::value();
            if (a < largest<W>::value() && a + to_left <= best) {
                best = a + to_left;
                at = left;
            }
            if (b < largest<W>::value() && b + to_right < best) {
                best = b + to_right;
                at = right;
            }
            left--;
            right++;
        }
        *found = best;
        return at;
    }
};

template <class W, class D>
struct nearest_output {
    int *to;
    D *distances;
    const int *planes;
    long long size, inner;
    int axis, ndim;
    bool all;

    /* The element `at` is i along the axis; its zero is that of j, or there is none. */
    __device__ void write(const column_of_zeros<W> &column, long long at, int i, int j,
                          W square) const
    {
        to[axis * size + at] = j;
        double far = (double)square;
        if (j < 0 && axis == 0) {
            far = (double)column.square(column.weight, i + 1);
            for (int k = 0; k < column.count; k++)
                far += (double)column.square(column.weights[k], column.index[k]);
        }
        if (distances) distances[at] = (D)sqrt(far);
        if (!all) return;
        const long long from = at + (j - i) * inner;
        for (int k = axis + 1; k < ndim; k++) {
            const int none = axis == 0 ? 0 : -1;
            to[k * size + at] = j < 0 ? none : planes[k * size + from];
        }
    }
};

/* The elements of a column whose numbers are odd multiples of `step`, less 1: those of
 * thread t of `threads`. Their neighbours `step` away are known. */
template <class W, class D>
__device__ inline void
search_between(const column_of_zeros<W> &column, const nearest_output<W, D> &output,
               long long at, int n, int step, int t, int threads)
{
    const int *known = output.to + output.axis * column.size + at;

    for (long long m = t;; m += threads) {
        const long long place = step * (2 * m + 1) - 1;
        if (place >= n) break;
        const int i = (int)place;
        const int low = m > 0 ? known[(i - step) * column.inner] : 0;
        const int high =
            place + step < n ? known[(place + step) * column.inner] : n - 1;
        W far = largest<W>::value();
        const int j = low < 0 || high < 0 ? -1 : column.search(i, low, high, &far);
        output.write(column, at + i * column.inner, i, j, far);
    }
}

/* The largest power of two up to n: the step of a column's first search. */
__device__ inline int
first_step(long long n)
{
    int step = 1;
    while (2ll * step <= n) step *= 2;
    return step;
}

template <class W, class D>
__global__ void
nearest_along(const int *planes, int *to, D *distances, const long long *shape,
              const double *weights, nearest_sizes s)
{
    const nearest_output<W, D> output = {
        to, distances, planes, s.outer * s.n * s.inner, s.inner, s.axis, s.ndim, s.all};
    const long long columns = s.outer * s.inner;
    const long long pieces = (columns + NEAREST_COLUMNS - 1) / NEAREST_COLUMNS;
    const int middle = first_step(s.n);
    const int t = threadIdx.x / NEAREST_COLUMNS, c = threadIdx.x % NEAREST_COLUMNS;

    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long number = piece * NEAREST_COLUMNS + c;
        column_of_zeros<W> column;
        long long at = 0;
        if (number < columns) {
            at = column.place(number, planes, s, shape, weights);
        }
        for (int step = middle; step > 0; step /= 2) {
            if (number < columns) {
                search_between(column, output, at, (int)s.n, step, t,
                               (int)blockDim.x / NEAREST_COLUMNS);
            }
            __syncthreads(); /* what was written is read by other threads */
        }
    }
}
