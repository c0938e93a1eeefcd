/* _small_common.cuh: what the kernels for stacks of small matrices share: scalars, places,
 * loads. They are launched on GPUs alone.
 */
#include "_small_common.h"
#include "cupric/pack.hpp"

using cupric::pack;

/* The real type of T. */
template <class T>
struct real_of {
    typedef T type;
};
template <class R>
struct real_of<complex<R>> {
    typedef R type;
};

/* NVRTC has no <math.h>. */
template <class R>
__device__ inline R
infinity()
{
    return R(cupric::double_of(0x7ff0000000000000ull));
}

template <class R>
__device__ inline R
nan_of()
{
    return R(cupric::double_of(0x7ff8000000000000ull));
}

template <class R>
__device__ inline R
real_part(R x)
{
    return x;
}
template <class R>
__device__ inline R
real_part(complex<R> x)
{
    return x.re;
}

template <class R>
__device__ inline R
imaginary_part(R)
{
    return R(0);
}
template <class R>
__device__ inline R
imaginary_part(complex<R> x)
{
    return x.im;
}

template <class R>
__device__ inline R
conjugate(R x)
{
    return x;
}
template <class R>
__device__ inline complex<R>
conjugate(complex<R> x)
{
    return complex<R>(x.re, -x.im);
}

template <class R>
__device__ inline R
modulus(R x)
{
    return x < R(0) ? -x : x;
}
template <class R>
__device__ inline R
modulus(complex<R> x)
{
    return hypot(x.re, x.im);
}

template <class T>
__device__ inline void
exchange(T &x, T &y)
{
    const T t = x;
    x = y;
    y = t;
}

/* What pivots are compared by, as LAPACK's i?amax does; a NaN is the largest. */
template <class R>
__device__ inline R
pivot_size(R x)
{
    return x != x ? infinity<R>() : modulus(x);
}
template <class R>
__device__ inline R
pivot_size(complex<R> x)
{
    const R size = modulus(x.re) + modulus(x.im);
    return size != size ? infinity<R>() : size;
}

/* Divides by x as LAPACK's getf2 does, by its reciprocal: of an x so small that it has none,
 * by that of scale * x. */
template <class T>
struct divisor {
    typedef typename real_of<T>::type R;
    T reciprocal;
    R scale;

    __device__ divisor() {}
    __device__ explicit divisor(T x)
    {
        const bool single = sizeof(R) == 4;
        const bool small = pivot_size(x) < R(single ? 0x1p-120f : 0x1p-1000);
        scale = small ? R(single ? 0x1p50f : 0x1p100) : R(1);
        reciprocal = T(1) / (x * T(scale));
    }
    __device__ T operator()(T y) const { return y * reciprocal * T(scale); }
};

template <class T>
__device__ inline T
not_a_number()
{
    return T(nan_of<typename real_of<T>::type>());
}

/* A matrix in memory: the strides are in bytes. */
struct matrix_place {
    char *data;
    long long row, column;
};

template <class T>
__device__ inline matrix_place
place_of(const View<T, 3> &x, long long i)
{
    return {(char *)x.data + i * x.strides()[0], x.strides()[1], x.strides()[2]};
}

/* visit(i, j) for the elements of an m by n matrix, those of a row or a column (whichever
 * is asked for) by neighbouring threads of the group. m, n > 0. */
template <class F>
__device__ inline void
each_element(int m, int n, bool by_columns, int lane, int lanes, const F &visit)
{
    const int inner = by_columns ? m : n, outer = by_columns ? n : m;

    for (int i = 0, j = lane;; j += lanes) {
        for (; j >= inner; j -= inner) i++;
        if (i >= outer) return;
        if (by_columns) {
            visit(j, i);
        } else {
            visit(i, j);
        }
    }
}

/* The first M of x, at address `to`. */
template <int M, class T, int N>
__device__ inline void
store_row(T *to, const T (&x)[N])
{
    if constexpr (M % pack<T>::size == 0) {
#pragma unroll
        for (int q = 0; q < M / pack<T>::size; q++) {
            pack<T> p;
#pragma unroll
            for (int c = 0; c < pack<T>::size; c++)
                p.item[c] = x[q * pack<T>::size + c];
            ((pack<T> *)to)[q] = p;
        }
    } else {
#pragma unroll
        for (int j = 0; j < M; j++) to[j] = x[j];
    }
}

/* visit(j, row[j]) for j < M */
template <int M, class T, class F>
__device__ inline void
each_of_row(const T *row, const F &visit)
{
    if constexpr (M % pack<T>::size == 0) {
#pragma unroll
        for (int q = 0; q < M / pack<T>::size; q++) {
            const pack<T> p = ((const pack<T> *)row)[q];
#pragma unroll
            for (int c = 0; c < pack<T>::size; c++)
                visit(q * pack<T>::size + c, p.item[c]);
        }
    } else {
#pragma unroll
        for (int j = 0; j < M; j++) visit(j, row[j]);
    }
}

/* to[i * ld + j] = from[i, j]. A thread issues several loads before it
 * waits for one. */
template <class T>
__device__ inline void
fetch_elements(const matrix_place &from, int m, int n, T *to, int ld, int lane,
               int lanes)
{
    constexpr int AT_ONCE = sizeof(T) > 8 ? 4 : 8;
    const long long row = from.row < 0 ? -from.row : from.row;
    const long long column = from.column < 0 ? -from.column : from.column;
    const bool by_columns = row < column;
    const int inner = by_columns ? m : n, size = m * n;
    const long long step = by_columns ? from.row : from.column;
    const long long leap = by_columns ? from.column : from.row;
    const int to_step = by_columns ? ld : 1, to_leap = by_columns ? 1 : ld;
    const int leaps = lanes / inner, steps = lanes - leaps * inner; /* to the next */
    int i = lane / inner, j = lane - i * inner;
    const char *data = from.data + i * leap + j * step;
    int place = i * to_leap + j * to_step;

    for (int e = lane; e < size; e += AT_ONCE * lanes) {
        T value[AT_ONCE];
        int places[AT_ONCE];

#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            const bool past = j + steps >= inner;
            places[k] = place;
            /* always of something: a load under a condition keeps what was before */
            value[k] = *(const T *)(e + k * lanes < size ? data : from.data);
            j += past ? steps - inner : steps;
            data += leaps * leap + steps * step + (past ? leap - inner * step : 0);
            place += leaps * to_leap + steps * to_step +
                     (past ? to_leap - inner * to_step : 0);
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            if (e + k * lanes < size) to[places[k]] = value[k];
        }
    }
}

/* The same, by 16 bytes where the rows of both are made of those. */
template <class T>
__device__ inline void
fetch(const matrix_place &from, int m, int n, T *to, int ld, int lane, int lanes)
{
    typedef pack<T> P;
    const long long address = (long long)from.data | (long long)to | from.row;

    if (P::size > 1 && from.column == (long long)sizeof(T) && address % 16 == 0 &&
        (n | ld) % P::size == 0) {
        const matrix_place packs = {from.data, from.row, 16};
        fetch_elements(packs, m, n / P::size, (P *)to, ld / P::size, lane, lanes);
    } else {
        fetch_elements(from, m, n, to, ld, lane, lanes);
    }
}

/* The group of neighbouring threads that a thread is of, and where its matrices lie. */
struct small_group {
    int lanes, lane;
    long long in_block; /* groups of a block */
    char *memory;
    long long number; /* of the group in its block */

    /* The first row from `start` on that is this thread's. */
    __device__ int own(int start) const
    {
        return start + ((lane - start) & (lanes - 1));
    }
};

__device__ inline small_group
group_of_thread(char *memory, int lanes, long long bytes)
{
    const int number = threadIdx.x / lanes;
    return {lanes, (int)threadIdx.x % lanes, (int)blockDim.x / lanes,
            memory + number * bytes, number};
}
