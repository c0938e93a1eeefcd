/* _patterns.cuh: arrays whose elements follow from their places. On the host a row of the
 * result, one along its last axis, is a plain loop (_patterns.host.hpp); on a GPU each
 * element has a thread.
 */
#include "_patterns.h"
#include "cupric/math.hpp"
#include "cupric/pack.hpp"

/* out[i] = start + i * factor, or start + i / divisor * factor where divisor is not 0; the
 * last one is `stop` where `ends`; rounded down where `floors`.
 * Launch: elements(n). */
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

/* out[i] = base to the power of what linspace would have there. Launch: elements(n). */
template <class T>
__global__ void
logspace(T *out, long long n, double start, double stop, double factor, double divisor,
         powers_of p)
{
    CUPRIC_EACH (i, n) {
        const bool is_last = p.ends && i == n - 1;
        const double steps = divisor != 0 ? double(i) / divisor : double(i);
        const double exponent = is_last ? stop : steps * factor + start;
        double y = cupric::power(p.base, exponent);
        if (p.given) y = p.sign * (is_last ? p.last : i == 0 ? p.first : y);
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
 * elements on a GPU. Launch: elements(pieces). */
template <class T>
__global__ void
ones_below(T *out, long long pieces, long long columns, long long k, T one)
{
    CUPRIC_EACH (i, pieces) {
        const long long row = cupric::quotient(i, columns);
        out[i] = i - row * columns < columns_below(row, k, columns) ? one : T();
    }
}

/* out = x, (matrices, rows, columns), with zeros above the k-th diagonals where `lower`,
 * else on and below them. Of `pieces`, rows on the host, elements on a GPU, where out is
 * an allocation. Launch: elements, on a GPU those of a pack. */
template <class T>
__global__ void
triangles(View<T, 3> x, T *out, long long pieces, long long k, bool lower)
{
    const long long rows = x.shape()[1], columns = x.shape()[2];
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
}

/* out, (axes, ...): the place along each axis. Launch: elements(p.pieces). */
template <class T>
__global__ void
coordinates(T *out, coordinates_sizes p)
{
    CUPRIC_EACH (i, p.pieces) {
        long long rest = i;
#pragma unroll
        for (int a = NDIM - 1; a >= 0; a--) {
            if (NDIM - a > p.axes) break;
            const long long outer =
                NDIM - a < p.axes ? cupric::quotient(rest, p.lengths[a]) : 0;
            out[(a - NDIM + p.axes) * p.pieces + i] = T(rest - outer * p.lengths[a]);
            rest = outer;
        }
    }
}

/* out, (n, columns): the powers of x from 0 on, each the product of the one before and x;
 * or from the last column on. Integers as unsigned ones, which wrap.
 * Launch: elements(n). */
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
 * places on a GPU. Launch: elements(pieces). */
__global__ void
triangle_places(long long *out, long long pieces, long long n, long long rows,
                long long columns, long long k, bool upper)
{
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
}

/* An element of x in each place of a grid along one axis of which its elements are, with
 * `inner` places between them. */
template <class T>
struct Along {
    const View<T, 1> &x;
    T *out;
    long long inner;

    __device__ Along(const Views<T, 1, TOGETHER> &vectors,
                     const Views<T, 1, TOGETHER> &grids, const grids_sizes &p, int k)
        : x(vectors[k]), out(grids[k].data), inner(p.inner[k])
    {
    }
    __device__ void element(long long i) const
    {
        const long long length = x.shape()[0], place = cupric::quotient(i, inner);
        out[i] = x[place - cupric::quotient(place, length) * length];
    }
};

/* Of vectors, the grids that they span. Launch: elements(p.pieces). */
template <class T>
__global__ void
grids(Views<T, 1, TOGETHER> x, Views<T, 1, TOGETHER> out, grids_sizes p)
{
    const Along<T> xs(x, out, p, 0), ys(x, out, p, 1), zs(x, out, p, 2);

    CUPRIC_EACH (piece, p.pieces) {
        xs.element(piece);
        if (p.count > 1) ys.element(piece);
        if (p.count > 2) zs.element(piece);
    }
}
