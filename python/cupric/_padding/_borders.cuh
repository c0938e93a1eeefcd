/* _borders.cuh: arrays with borders of their own elements, or of one value. */
#include "_borders.h"

/* Whether 0 <= i < n. */
__device__ inline bool
is_within(int i, int n)
{
    return (unsigned)i < (unsigned)n;
}

__device__ inline bool
is_within(long long i, long long n)
{
    return (unsigned long long)i < (unsigned long long)n;
}

/* Where an element i places from the first of n comes from: a place among them, or -1. */
template <class I>
__device__ inline I
source_of(I i, I n, int mode)
{
    if (is_within(i, n)) return i;
    if (mode == CONSTANT) return -1;
    if (mode == EDGE) return i < 0 ? 0 : n - 1;
    if (mode == REFLECT && n == 1) return 0;
    const I period = mode == WRAP ? n : mode == SYMMETRIC ? 2 * n : 2 * n - 2;
    if (i < -period || i >= period) i %= period; /* borders are rarely that wide */
    if (i < 0) i += period;
    return i < n ? i : (mode == SYMMETRIC ? 2 * n - 1 : 2 * n - 2) - i;
}

__device__ inline int
quotient_of(int i, int n)
{
    return (int)((unsigned)i / (unsigned)n);
}

__device__ inline long long
quotient_of(long long i, long long n)
{
    return cupric::quotient(i, n);
}

/* What a thread writes at once: neighbours in the result, which may be of several rows. */
template <class T>
struct alignas(sizeof(T) < 8 ? 4 * sizeof(T) : 16) neighbours {
    enum { size = sizeof(T) < 8 ? 4 : 16 / (int)sizeof(T) };
    T item[size];
};

/* Where a row of the result, counted from the first, has its elements from: bytes from the
 * first element of x; false where it is all outside. I has room for all places and for the
 * bytes between elements of x. */
template <class I, class T>
__device__ inline bool
find_row(const View<T, NDIM> &x, const border_sizes &p, int mode, I row, I &start)
{
    const I m1 = (I)p.m[1], m2 = (I)p.m[2];
    I two = row;
    bool outside = false;

    start = 0;
    if (p.m[0] != 1 || m1 != 1) {
        const I rest = quotient_of(row, m2), zero = quotient_of(rest, m1);
        const I i = source_of<I>(zero - (I)p.b[0], (I)x.shape()[0], mode);
        const I k = source_of<I>(rest - zero * m1 - (I)p.b[1], (I)x.shape()[1], mode);
        two -= rest * m2;
        outside = i < 0 || k < 0;
        start = i * (I)x.strides()[0] + k * (I)x.strides()[1];
    }
    two = source_of<I>(two - (I)p.b[2], (I)x.shape()[2], mode);
    outside = outside || two < 0;
    start += two * (I)x.strides()[2];
    return !outside;
}

/* Neighbours' places are divided out together, and all of them are read before the first
 * has come. */
template <class I, class T>
__device__ inline void
write_neighbours(const View<T, NDIM> &x, T *out, T value, const border_sizes &p,
                 int mode)
{
    constexpr int SIZE = neighbours<T>::size;
    const I m3 = (I)p.m[3], b3 = (I)p.b[3];
    const I n = (I)x.shape()[3], step = (I)x.strides()[3],
            size = (I)p.m[0] * (I)p.m[1] * (I)p.m[2] * m3;

    CUPRIC_EACH (piece, p.pieces) {
        const I first = (I)piece * SIZE;
        I row = quotient_of(first, m3), from[SIZE];
        unsigned within = 0; /* a bit for each that is an element of x */
        for (I j = first - row * m3;; j -= m3, row++) { /* of the first, in the row */
            I start;
            const bool inside = find_row<I>(x, p, mode, row, start);
            if (mode == CONSTANT) start += (j - b3) * step;
#pragma unroll
            for (int e = 0; e < SIZE; e++) {
                if (mode == CONSTANT) {
                    if (!is_within(j - b3 + e, n) || !inside) continue;
                    from[e] = start + e * step;
                } else {
                    if (!is_within(j + e, m3)) continue;
                    from[e] = start + source_of<I>(j - b3 + e, n, mode) * step;
                }
                within |= 1u << e;
            }
            if (j + SIZE <= m3) break;
        }
        neighbours<T> made;
#pragma unroll
        for (int e = 0; e < SIZE; e++) {
            made.item[e] = value;
            if (within >> e & 1)
                made.item[e] = *(const T *)((const char *)x.data + from[e]);
        }
        if (first + SIZE <= size) {
            *(neighbours<T> *)(out + first) = made;
        } else {
#pragma unroll
            for (int e = 0; e < SIZE; e++)
                if (first + e < size) out[first + e] = made.item[e];
        }
    }
}

/* out is x with borders. Launch: elements(p.pieces). */
template <class T>
__global__ void
bordered(View<T, NDIM> x, T *out, T value, border_sizes p)
{
    if (!p.is_short)
        write_neighbours<long long>(x, out, value, p, p.mode);
    else if (p.mode == CONSTANT)
        write_neighbours<int>(x, out, value, p, CONSTANT);
    else
        write_neighbours<int>(x, out, value, p, p.mode);
}
