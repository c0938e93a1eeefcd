/* _patterns.host.hpp: rows are plain loops. */

template <class T>
__global__ void
ones_below(T *out, long long pieces, long long columns, long long k, T one)
{
    CUPRIC_EACH (row, pieces) {
        const long long cut = columns_below(row, k, columns);
        T *y = out + row * columns;
        for (long long j = 0; j < cut; j++) y[j] = one;
        for (long long j = cut; j < columns; j++) y[j] = T();
    }
}

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

template <class T>
__global__ void
triangles(View<T, 3> x, T *out, long long pieces, long long k, bool lower)
{
    const long long rows = x.shape()[1], columns = x.shape()[2];
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
}

template <class T>
__global__ void
coordinates(T *out, coordinates_sizes p)
{
    const long long rows = p.pieces / p.axes, last = p.lengths[NDIM - 1];

    CUPRIC_EACH (piece, p.pieces) {
        const long long axis = NDIM - p.axes + piece / rows;
        long long rest = piece % rows;
        T *y = out + piece * last;
        if (axis == NDIM - 1) {
            for (long long j = 0; j < last; j++) y[j] = T(j);
            continue;
        }
        for (long long a = NDIM - 2; a > axis; a--) rest /= p.lengths[a];
        const T place = T(rest % p.lengths[axis]);
        for (long long j = 0; j < last; j++) y[j] = place;
    }
}

__global__ void
triangle_places(long long *out, long long pieces, long long n, long long rows,
                long long columns, long long k, bool upper)
{
    (void)rows;
    CUPRIC_EACH (row, pieces) {
        const long long cut = columns_below(row, k, columns);
        const long long begin = upper ? cut : 0, length = upper ? columns - cut : cut;
        long long *y = out + places_before(row, columns, k, upper), *x = y + n;
        for (long long j = 0; j < length; j++) y[j] = row;
        for (long long j = 0; j < length; j++) x[j] = begin + j;
    }
}

/* A row of a grid: n elements from element i on. */
template <class T>
inline void
fill_row(const Along<T> &of, long long i, long long n)
{
    const long long length = of.x.shape()[0];
    T *const to = of.out + i;

    if (of.inner == 1 && length == n) {
        for (long long j = 0; j < n; j++) to[j] = of.x[j];
    } else {
        const T value = of.x[i / of.inner % length];
        for (long long j = 0; j < n; j++) to[j] = value;
    }
}

template <class T>
__global__ void
grids(Views<T, 1, TOGETHER> x, Views<T, 1, TOGETHER> out, grids_sizes p)
{
    CUPRIC_EACH (piece, p.pieces) {
        for (int k = 0; k < p.count; k++)
            fill_row(Along<T>(x, out, p, k), piece * p.last, p.last);
    }
}
