/* Arrays whose elements follow from their places. On the host a row of the result, one
 * along its last axis, is a plain loop; on a GPU each element has a thread. */
#include "cupric/math.hpp"
#include "cupric/pack.hpp"

/* out[i] = start + i * factor, or start + i / divisor * factor where divisor is not 0; the
 * last one is `stop` where `ends`; rounded down where `floors`. */
template <class T>
__global__ void
linspace(T *out, long long n, double start, double stop, double factor, double divisor,
         bool ends, bool floors)
{
    const long long last = ends ? n - 1 : n;
    if (divisor != 0) {
        CUPRIC_EACH (i, n) {
            const double y = i == last ? stop : double(i) / divisor * factor + start;
            out[i] = cupric::convert<T>(floors ? floor(y) : y);
        }
    } else {
        CUPRIC_EACH (i, n) {
            const double y = i == last ? stop : double(i) * factor + start;
            out[i] = cupric::convert<T>(floors ? floor(y) : y);
        }
    }
}

/* out[i] = sign * base to the power of what linspace would have there; the first one is
 * sign * first and, where `ends`, the last sign * last, if `given`. */
template <class T>
__global__ void
logspace(T *out, long long n, double start, double stop, double factor, double divisor,
         bool ends, double base, double sign, bool given, double first, double last)
{
    CUPRIC_EACH (i, n) {
        const bool is_last = ends && i == n - 1;
        const double steps = divisor != 0 ? double(i) / divisor : double(i);
        const double exponent = is_last ? stop : steps * factor + start;
        double y = cupric::power(base, exponent);
        if (given) y = sign * (is_last ? last : i == 0 ? first : y);
        out[i] = cupric::convert<T>(y);
    }
}

/* The columns of a row up to its k-th diagonal, between 0 and all of them. */
__device__ inline long long
columns_below(long long row, long long k, long long columns)
{
    const long long n = row + k + 1;
    return n < 0 ? 0 : n > columns ? columns : n;
}

/* out, (rows, columns): one on and below the k-th diagonal. Of `pieces`, rows on the host,
 * elements on a GPU. */
template <class T>
__global__ void
ones_below(T *out, long long pieces, long long columns, long long k, T one)
{
#if defined(CUPRIC_HOST)
    CUPRIC_EACH (row, pieces) {
        const long long cut = columns_below(row, k, columns);
        T *y = out + row * columns;
        for (long long j = 0; j < cut; j++) y[j] = one;
        for (long long j = cut; j < columns; j++) y[j] = T();
    }
#else
    CUPRIC_EACH (i, pieces) {
        const long long row = cupric::quotient(i, columns);
        out[i] = i - row * columns < columns_below(row, k, columns) ? one : T();
    }
#endif
}

#if defined(CUPRIC_HOST)
enum { SMALL_TRIANGLE = 256 }; /* elements */

/* `triangles` of small matrices without gaps, an element of some words of W: one mask serves
 * them all, and a matrix is one loop. */
template <class W>
inline void
small_triangles(const W *x, W *out, long long matrices, long long rows,
                long long columns, long long words, long long k, bool lower)
{
    const long long size = rows * columns * words;
    W kept[2 * SMALL_TRIANGLE];

    for (long long i = 0; i < size; i++) {
        const long long row = i / words / columns, column = i / words % columns;
        kept[i] = (column < columns_below(row, k, columns)) == lower ? ~W(0) : W(0);
    }
    CUPRIC_EACH (m, matrices) {
        const W *from = x + m * size;
        W *to = out + m * size;
        for (long long i = 0; i < size; i++) to[i] = from[i] & kept[i];
    }
}

/* What an element is moved as. */
template <class T>
struct words_of {
    typedef T type;
};
template <>
struct words_of<complex<double>> {
    typedef unsigned long long type;
};
#endif

/* out = x, (matrices, rows, columns), with zeros above the k-th diagonals where `lower`,
 * else on and below them. Of `pieces`, rows on the host, elements on a GPU, where out is
 * an allocation. */
template <class T>
__global__ void
triangles(View<T, 3> x, T *out, long long pieces, long long k, bool lower)
{
    const long long rows = x.shape()[1], columns = x.shape()[2];
#if defined(CUPRIC_HOST)
    const bool dense = x.strides()[2] == (long long)sizeof(T) &&
                       x.strides()[1] == columns * (long long)sizeof(T) &&
                       x.strides()[0] == rows * columns * (long long)sizeof(T);
    if (dense && rows * columns <= SMALL_TRIANGLE) {
        typedef typename words_of<T>::type W;
        small_triangles((const W *)x.data, (W *)out, pieces / rows, rows, columns,
                        (long long)(sizeof(T) / sizeof(W)), k, lower);
        return;
    }
    CUPRIC_EACH (piece, pieces) {
        const long long matrix = cupric::quotient(piece, rows),
                        row = piece - matrix * rows;
        const long long cut = columns_below(row, k, columns);
        const long long from = lower ? 0 : cut, to = lower ? cut : columns;
        const cupric::extent at[] = {matrix, row, 0};
        const char *p = columns ? (const char *)&x[at] : 0;
        const long long step = x.strides()[2];
        T *y = out + piece * columns;
        for (long long j = 0; j < from; j++) y[j] = T();
        if (step == (long long)sizeof(T)) {
            for (long long j = from; j < to; j++) y[j] = ((const T *)p)[j];
        } else {
            for (long long j = from; j < to; j++) y[j] = *(const T *)(p + j * step);
        }
        for (long long j = to; j < columns; j++) y[j] = T();
    }
#else
    typedef cupric::pack<T> P;
    constexpr int PACK = P::size;
    const bool packed = cupric::is_packed(x), stacked = x.shape()[0] > 1;

    CUPRIC_EACH (p, (pieces + PACK - 1) / PACK) {
        const long long first = p * PACK, piece = cupric::quotient(first, columns);
        const long long matrix = stacked ? cupric::quotient(piece, rows) : 0;
        const long long row = piece - matrix * rows, column = first - piece * columns;
        const int count = (int)(pieces - first < PACK ? pieces - first : PACK);

        if (packed && column + PACK <= columns) { /* of one row, and whole */
            const long long below = columns_below(row, k, columns) - column;
            const unsigned ones = (1u << (below < 0      ? 0
                                          : below < PACK ? below
                                                         : PACK)) -
                                  1;
            const unsigned kept = lower ? ones : ~ones & ((1u << PACK) - 1);
            P values = {};
            if (kept) values = ((const P *)x.data)[p];
#pragma unroll
            for (int u = 0; u < PACK; u++) {
                if (!(kept >> u & 1)) values.item[u] = T();
            }
            ((P *)out)[p] = values;
            continue;
        }
        cupric::extent at[] = {matrix, row, column};
        long long cut = columns_below(row, k, columns);
        for (int u = 0; u < count; u++) {
            out[first + u] = (at[2] < cut) == lower ? x[at] : T();
            if (++at[2] < columns) continue;
            at[2] = 0;
            if (++at[1] == rows) at[1] = 0, ++at[0];
            cut = columns_below(at[1], k, columns);
        }
    }
#endif
}

/* out, (axes, d0, ..., d7): the place along each axis, of which the last `axes` count. Of
 * `pieces`, rows of all axes on the host, elements of one on a GPU. */
template <class T>
__global__ void
coordinates(T *out, long long pieces, long long axes, long long d0, long long d1,
            long long d2, long long d3, long long d4, long long d5, long long d6,
            long long d7)
{
    const long long lengths[] = {d0, d1, d2, d3, d4, d5, d6, d7};
#if defined(CUPRIC_HOST)
    const long long rows = pieces / axes;
    CUPRIC_EACH (piece, pieces) {
        const long long axis = 8 - axes + piece / rows;
        long long rest = piece % rows;
        T *y = out + piece * d7;
        if (axis == 7) {
            for (long long j = 0; j < d7; j++) y[j] = T(j);
            continue;
        }
        for (long long a = 6; a > axis; a--) rest /= lengths[a];
        const T place = T(rest % lengths[axis]);
        for (long long j = 0; j < d7; j++) y[j] = place;
    }
#else
    CUPRIC_EACH (i, pieces) {
        long long rest = i;
#pragma unroll
        for (int a = 7; a >= 0; a--) {
            if (8 - a > axes) break;
            const long long outer =
                8 - a < axes ? cupric::quotient(rest, lengths[a]) : 0;
            out[(a - 8 + axes) * pieces + i] = T(rest - outer * lengths[a]);
            rest = outer;
        }
    }
#endif
}

/* out, (n, columns): the powers of x from 0 on, each the product of the one before and x;
 * or from the last column on. Integers as unsigned ones, which wrap. */
template <class X, class T>
__global__ void
vandermonde(View<X, 1> x, T *out, long long n, long long columns, bool increasing)
{
    CUPRIC_EACH (i, n) {
        const T base = cupric::convert<T>(x[i]);
        T power = base;
        T *y = out + i * columns + (increasing ? 0 : columns - 1);
        const long long step = increasing ? 1 : -1;
        for (long long j = 0; j < columns; j++) {
            if (j > 1) power = power * base;
            y[j * step] = j == 0 ? T(1) : power;
        }
    }
}

/* The places of a matrix on and below its k-th diagonal, or, where `upper`, of the others,
 * in rows before `row`. */
__device__ inline long long
places_before(long long row, long long columns, long long k, bool upper)
{
    const long long first = k < 0 ? -k : 0, rows = row > first ? row - first : 0;
    const long long length =
        columns_below(first, k, columns); /* then one more in each */
    const long long growing = rows < columns - length ? rows : columns - length;
    const long long below =
        growing * length + growing * (growing - 1) / 2 + (rows - growing) * columns;
    return upper ? row * columns - below : below;
}

/* out, (2, n): the rows and the columns of these n places. Of `pieces`, rows on the host,
 * places on a GPU. */
__global__ void
triangle_places(long long *out, long long pieces, long long n, long long rows,
                long long columns, long long k, bool upper)
{
#if defined(CUPRIC_HOST)
    (void)rows;
    CUPRIC_EACH (row, pieces) {
        const long long cut = columns_below(row, k, columns);
        const long long begin = upper ? cut : 0, length = upper ? columns - cut : cut;
        long long *y = out + places_before(row, columns, k, upper), *x = y + n;
        for (long long j = 0; j < length; j++) y[j] = row;
        for (long long j = 0; j < length; j++) x[j] = begin + j;
    }
#else
    CUPRIC_EACH (i, pieces) {
        long long row = 0;
        for (long long left = rows - 1; left > 0;) {
            const long long half = (left + 1) / 2;
            const bool after = places_before(row + half, columns, k, upper) <= i;
            row += after ? half : 0;
            left = after ? left - half : half - 1;
        }
        const long long begin = upper ? columns_below(row, k, columns) : 0;
        out[i] = row;
        out[n + i] = begin + i - places_before(row, columns, k, upper);
    }
#endif
}

/* An element of x in each place of a grid along one axis of which its elements are, with
 * `inner` places between them. */
template <class T>
struct Along {
    View<T, 1> x;
    T *out;
    long long inner;

    /* The elements of out from i on, n of them, a row of the grid. */
    __device__ void row(long long i, long long n) const
    {
        const long long length = x.shape()[0];
        T *const to = out + i;

        if (inner == 1 && length == n) {
            for (long long j = 0; j < n; j++) to[j] = x[j];
        } else {
            const T value = x[i / inner % length];
            for (long long j = 0; j < n; j++) to[j] = value;
        }
    }

    __device__ void element(long long i) const
    {
        const long long length = x.shape()[0], place = cupric::quotient(i, inner);
        out[i] = x[place - cupric::quotient(place, length) * length];
    }
};

/* Of vectors, the first `count` of x, y and z, the grids that they span, each of n
 * elements. Rows of `last` on the host, elements on a GPU are the pieces. */
template <class T>
__global__ void
grids(View<T, 1> x, View<T, 1> y, View<T, 1> z, T *x_out, T *y_out, T *z_out,
      long long x_inner, long long y_inner, long long z_inner, int count,
      long long last, long long pieces)
{
    const Along<T> xs{x, x_out, x_inner}, ys{y, y_out, y_inner}, zs{z, z_out, z_inner};

    CUPRIC_EACH (piece, pieces) {
#if defined(CUPRIC_HOST)
        xs.row(piece * last, last);
        if (count > 1) ys.row(piece * last, last);
        if (count > 2) zs.row(piece * last, last);
#else
        xs.element(piece);
        if (count > 1) ys.element(piece);
        if (count > 2) zs.element(piece);
#endif
    }
}
