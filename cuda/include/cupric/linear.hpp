/* linear.hpp: small kernels around the libraries for matrices and Fourier transforms:
 * products of integers and of small, thin and long matrices, determinants from factors,
 * transposition, scaling.
 */
#ifndef CUPRIC_LINEAR_HPP
#define CUPRIC_LINEAR_HPP

#include "cupric/device_types.hpp"
#include "cupric/linear_params.h"

namespace cupric {

/* What products are summed in: integers wrap, as NumPy's do; of halves float, as cuBLAS's. */
template <class T, bool INTEGER = is_integer<T>::value, bool WIDE = (sizeof(T) > 4)>
struct product_sum {
    typedef T type;
    __device__ static void add(type &s, const T &x, const T &y) { s += x * y; }
    __device__ static void join(type &s, const type &x) { s += x; }
};
template <class T>
struct product_sum<T, true, false> {
    typedef unsigned int type;
    __device__ static void add(type &s, T x, T y) { s += (type)x * (type)y; }
    __device__ static void join(type &s, type x) { s += x; }
};
template <class T>
struct product_sum<T, true, true> {
    typedef unsigned long long type;
    __device__ static void add(type &s, T x, T y) { s += (type)x * (type)y; }
    __device__ static void join(type &s, type x) { s += x; }
};
template <>
struct product_sum<bool, true, false> {
    typedef unsigned int type;
    __device__ static void add(type &s, bool x, bool y) { s |= (unsigned)(x && y); }
    __device__ static void join(type &s, type x) { s |= x; }
};
template <class T>
struct short_product_sum {
    typedef float type;
    __device__ static void add(type &s, T x, T y) { s += (float)x * (float)y; }
    __device__ static void join(type &s, type x) { s += x; }
};
template <>
struct product_sum<half, false, false> : short_product_sum<half> {
};
template <>
struct product_sum<bfloat16, false, false> : short_product_sum<bfloat16> {
};

/* The product number z of a batch. */
__device__ inline cu_product
product_at(cu_product p, const cu_batch_steps &batch, long long z)
{
    for (int d = (int)batch.ndim - 1; d >= 0; d--) {
        const long long i = d ? z % batch.shape[d] : z;
        if (d) z /= batch.shape[d];
        p.a += i * batch.a[d];
        p.b += i * batch.b[d];
        p.c += i * batch.c[d];
    }
    return p;
}

/* c = a @ b in tiles of 32 by 32 by a block of 32 by 8 threads. */
template <class T>
__global__ void
matmul_tiles(cu_product first, cu_batch_steps batch)
{
    typedef product_sum<T> sum;
    __shared__ alignas(T) char memory[2 * 32 * 33 * sizeof(T)];
    T(*left)[33] = (T(*)[33])memory, (*right)[33] = left + 32;
    const long long columns = (first.n + 31) / 32;
    const int tx = threadIdx.x, ty = threadIdx.y;

    for (long long z = blockIdx.y; z < batch.size; z += gridDim.y) {
        const cu_product p = product_at(first, batch, z);
        const long long i0 = blockIdx.x / columns * 32, j0 = blockIdx.x % columns * 32;
        typename sum::type s[4] = {};
        for (long long l0 = 0; l0 < p.k; l0 += 32) {
            for (int r = ty; r < 32; r += 8) {
                const bool in_a = i0 + r < p.m && l0 + tx < p.k;
                const bool in_b = l0 + r < p.k && j0 + tx < p.n;
                left[r][tx] =
                    in_a ? load<T>(p.a + (i0 + r) * p.a_row + (l0 + tx) * p.a_col)
                         : T(0);
                right[r][tx] =
                    in_b ? load<T>(p.b + (l0 + r) * p.b_row + (j0 + tx) * p.b_col)
                         : T(0);
            }
            __syncthreads();
            for (int l = 0; l < 32; l++) {
                const T y = right[l][tx];
                for (int r = 0; r < 4; r++) sum::add(s[r], left[ty + 8 * r][l], y);
            }
            __syncthreads();
        }
        for (int r = 0; r < 4; r++) {
            const long long i = i0 + ty + 8 * r, j = j0 + tx;
            if (i < p.m && j < p.n) *(T *)(p.c + i * p.c_row + j * p.c_col) = (T)s[r];
        }
    }
}

/* Four neighbours of a row, stored at once where they lie so. */
template <class T>
struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) four_of {
    T x[4];
};

/* c = a @ b where few products make an element, of many: a thread takes four neighbours of
 * a row. A block of any threads, in a grid of one dimension. */
template <class T>
__global__ void
matmul_thin(cu_product first, cu_batch_steps batch)
{
    typedef product_sum<T> sum;
    const long long across = (first.n + 3) / 4, parts = first.m * across;
    const long long count = batch.size * parts;
    const bool narrow = count <= 0xffffffff;

    for (long long e = blockIdx.x * (long long)blockDim.x + threadIdx.x; e < count;
         e += (long long)gridDim.x * blockDim.x) {
        const long long z = narrow ? (unsigned)e / (unsigned)parts : e / parts;
        const unsigned part = (unsigned)(e - z * parts);
        const long long i = part / (unsigned)across;
        const long long j = 4 * (part - i * across);
        const cu_product p = product_at(first, batch, z);
        const char *const left = p.a + i * p.a_row, *const right = p.b + j * p.b_col;
        char *const to = p.c + i * p.c_row + j * p.c_col;
        const int columns = p.n - j < 4 ? (int)(p.n - j) : 4;
        typename sum::type s[4] = {};
        for (long long l = 0; l < p.k; l++) {
            const T x = load<T>(left + l * p.a_col);
#pragma unroll
            for (int c = 0; c < 4; c++) {
                if (c < columns)
                    sum::add(s[c], x, load<T>(right + l * p.b_row + c * p.b_col));
            }
        }
        if (columns == 4 && p.c_col == sizeof(T) &&
            (unsigned long long)to % alignof(four_of<T>) == 0) {
            *(four_of<T> *)to = {(T)s[0], (T)s[1], (T)s[2], (T)s[3]};
            continue;
        }
#pragma unroll
        for (int c = 0; c < 4; c++) {
            if (c < columns) *(T *)(to + c * p.c_col) = (T)s[c];
        }
    }
}

/* The sum over the 256 threads of a block, in the first. */
template <class T>
__device__ typename product_sum<T>::type
block_sum(typename product_sum<T>::type s)
{
    typedef product_sum<T> sum;
    __shared__ alignas(T) char memory[256 * sizeof(typename sum::type)];
    typename sum::type *const all = (typename sum::type *)memory;
    all[threadIdx.x] = s;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x >= half) continue;
        sum::join(s, all[threadIdx.x + half]);
        all[threadIdx.x] = s;
    }
    return s;
}

/* The sums over the 256 threads of a block, each, in the first. */
template <class T, int RESULTS>
__device__ inline void
block_sums(typename product_sum<T>::type *s)
{
    typedef product_sum<T> sum;
    __shared__ alignas(T) char memory[RESULTS * 128 * sizeof(typename sum::type)];
    typename sum::type *const all = (typename sum::type *)memory;
    const int thread = threadIdx.x;

    for (int half = 128; half > 0; half /= 2) {
#pragma unroll
        for (int d = 0; d < RESULTS; d++) {
            if (thread >= half && thread < 2 * half)
                all[d * 128 + thread - half] = s[d];
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < RESULTS; d++) {
            if (thread < half) sum::join(s[d], all[d * 128 + thread]);
        }
        __syncthreads();
    }
}

/* The sums over l of a[i, l] * b[l, j] for the few outputs of each long product z, in tiles
 * x of ROWS by COLUMNS and parts y of `part` elements, U at a time: sums[(y * batch + z) *
 * outputs + i * n + j], or c where there is one part. Blocks of 256, grid (tiles, parts,
 * any). */
template <class T, int ROWS, int COLUMNS, int U>
__device__ inline void
sum_dots(const cu_product &first, const cu_batch_steps &batch,
         typename product_sum<T>::type *sums, long long part)
{
    typedef product_sum<T> sum;
    constexpr int RESULTS = ROWS * COLUMNS;
    const int m = (int)first.m, n = (int)first.n, across = (n + COLUMNS - 1) / COLUMNS;
    const int i0 = blockIdx.x / across * ROWS, j0 = blockIdx.x % across * COLUMNS;
    const long long begin = blockIdx.y * part, limit = begin + part;
    const long long end = limit < first.k ? limit : first.k;

    for (long long z = blockIdx.z; z < batch.size; z += gridDim.z) {
        const cu_product p = product_at(first, batch, z);
        const long long place = (blockIdx.y * batch.size + z) * m * n;
        typename sum::type s[RESULTS] = {};
        long long l = begin + threadIdx.x;
        const char *left = p.a + i0 * p.a_row + l * p.a_col;
        const char *right = p.b + j0 * p.b_col + l * p.b_row;
        while (l < end) {
            T x[U][ROWS], y[U][COLUMNS];
            const bool whole = l + (U - 1) * 256 < end;
#pragma unroll
            for (int u = 0; u < U; u++) {
                const bool there = u == 0 || whole;
#pragma unroll
                for (int d = 0; d < ROWS; d++)
                    x[u][d] = there && i0 + d < m ? load<T>(left + d * p.a_row) : T();
#pragma unroll
                for (int d = 0; d < COLUMNS; d++)
                    y[u][d] = there && j0 + d < n ? load<T>(right + d * p.b_col) : T();
                if (!there) continue;
                left += 256 * p.a_col;
                right += 256 * p.b_row;
            }
#pragma unroll
            for (int u = 0; u < U; u++) {
#pragma unroll
                for (int d = 0; d < RESULTS; d++)
                    sum::add(s[d], x[u][d / COLUMNS], y[u][d % COLUMNS]);
            }
            l += whole ? U * 256 : 256;
        }
        block_sums<T, RESULTS>(s);
#pragma unroll
        for (int d = 0; d < RESULTS; d++) {
            const int i = i0 + d / COLUMNS, j = j0 + d % COLUMNS;
            if (threadIdx.x || i >= m || j >= n) continue;
            if (gridDim.y > 1)
                sums[place + i * n + j] = s[d];
            else
                *(T *)(p.c + i * p.c_row + j * p.c_col) = (T)s[d];
        }
    }
}

template <class T>
__global__ void
matmul_dots(cu_product first, cu_batch_steps batch, typename product_sum<T>::type *sums,
            long long part)
{
    sum_dots<T, CUPRIC_DOTS, CUPRIC_DOTS, 2>(first, batch, sums, part);
}

/* The same of a matrix and a vector. */
template <class T>
__global__ void
vector_dots(cu_product first, cu_batch_steps batch, typename product_sum<T>::type *sums,
            long long part)
{
    if (first.m == 1)
        sum_dots<T, 1, 1, 8>(first, batch, sums, part);
    else
        sum_dots<T, CUPRIC_DOTS, 1, 4>(first, batch, sums, part);
}

/* c of each product, its parts added up; blocks of 256, grid (outputs, any). */
template <class T>
__global__ void
join_dots(cu_product first, cu_batch_steps batch,
          const typename product_sum<T>::type *sums, long long nparts)
{
    typedef product_sum<T> sum;
    const int i = blockIdx.x / (int)first.n, j = blockIdx.x % (int)first.n;

    for (long long z = blockIdx.y; z < batch.size; z += gridDim.y) {
        const cu_product p = product_at(first, batch, z);
        typename sum::type s = {};
        for (long long y = threadIdx.x; y < nparts; y += 256)
            sum::join(s, sums[(y * batch.size + z) * gridDim.x + blockIdx.x]);
        s = block_sum<T>(s);
        if (threadIdx.x == 0) *(T *)(p.c + i * p.c_row + j * p.c_col) = (T)s;
        __syncthreads(); /* as above */
    }
}

/* The first n of each `pitch` numbers, of some rows. */
template <class T>
__global__ void
scale_values(T *p, long long rows, long long n, long long pitch, T factor)
{
    const long long count = rows * n;

    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count;
         i += (long long)gridDim.x * blockDim.x) {
        const long long row = rows == 1             ? 0
                              : count <= 0xffffffff ? (unsigned)i / (unsigned)n
                                                    : i / n;
        p[i + row * (pitch - n)] *= factor;
    }
}

/* ---- matrices in C order, one after the other ------------------------------------------- */

template <class T>
struct real_part_of {
    typedef T type;
};
template <class T>
struct real_part_of<complex<T>> {
    typedef T type;
};
__device__ inline float
conjugate(float x)
{
    return x;
}
__device__ inline double
conjugate(double x)
{
    return x;
}
template <class T>
__device__ complex<T>
conjugate(const complex<T> &x)
{
    return conj(x);
}
__device__ inline float
size_of(float x)
{
    return fabsf(x);
}
__device__ inline double
size_of(double x)
{
    return fabs(x);
}
__device__ inline float
size_of(const complex<float> &x)
{
    return hypotf(x.real(), x.imag());
}
__device__ inline double
size_of(const complex<double> &x)
{
    return hypot(x.real(), x.imag());
}

/* out[b][j][i] = in[b][i][j] over rows i and columns j; block of 32 by 8 */
template <class T>
__global__ void
transpose_matrices(const T *in, T *out, long long rows, long long columns,
                   long long batch, int conjugated)
{
    __shared__ alignas(T) char memory[32 * 33 * sizeof(T)];
    T(*tile)[33] = (T(*)[33])memory;
    const long long across = (columns + 31) / 32;
    const long long i0 = blockIdx.x / across * 32, j0 = blockIdx.x % across * 32;

    for (long long z = blockIdx.y; z < batch; z += gridDim.y) {
        const T *from = in + z * rows * columns;
        T *to = out + z * rows * columns;
        __syncthreads();
        for (int r = threadIdx.y; r < 32; r += 8) {
            const long long i = i0 + r, j = j0 + threadIdx.x;
            if (i < rows && j < columns) tile[r][threadIdx.x] = from[i * columns + j];
        }
        __syncthreads();
        for (int r = threadIdx.y; r < 32; r += 8) {
            const long long i = i0 + threadIdx.x, j = j0 + r;
            if (i >= rows || j >= columns) continue;
            const T x = tile[threadIdx.x][r];
            to[j * rows + i] = conjugated ? conjugate(x) : x;
        }
    }
}

template <class T>
__global__ void
identity_matrices(T *out, long long rows, long long columns, long long batch)
{
    const long long n = rows * columns * batch;

    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x) {
        const long long at = i % (rows * columns);
        out[i] = T(at / columns == at % columns ? 1 : 0);
    }
}

/* Zero above the diagonal. */
template <class T>
__global__ void
keep_lower(T *a, long long order, long long batch)
{
    const long long n = order * order * batch;

    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x) {
        const long long at = i % (order * order);
        if (at % order > at / order) a[i] = T(0);
    }
}

/* out (rows, columns), in C order, is the upper triangle of factors in Fortran order,
 * whose columns are `height` long. */
template <class T>
__global__ void
take_upper(const T *factors, T *out, long long rows, long long columns,
           long long height, long long stride, long long batch)
{
    const long long n = rows * columns * batch;

    for (long long k = blockIdx.x * (long long)blockDim.x + threadIdx.x; k < n;
         k += (long long)gridDim.x * blockDim.x) {
        const long long at = k % (rows * columns), i = at / columns, j = at % columns;
        const long long z = k / (rows * columns);
        out[k] = i <= j ? factors[z * stride + j * height + i] : T(0);
    }
}

/* out[b][i][j], element i of eigenvector j of a real matrix, from vectors as LAPACK packs
 * them: of values j, j + 1 that are a conjugate pair, the first of a positive imaginary
 * part, rows j and j + 1 of packed[b] are the vectors' real and imaginary parts. */
template <class T>
__global__ void
unpack_eigenvectors(const T *packed, const complex<T> *values, complex<T> *out,
                    long long order, long long batch)
{
    const long long n = order * order * batch;

    for (long long k = blockIdx.x * (long long)blockDim.x + threadIdx.x; k < n;
         k += (long long)gridDim.x * blockDim.x) {
        const long long i = k / order % order, j = k % order;
        const T *const vectors = packed + k / (order * order) * (order * order);
        const T side = values[k / (order * order) * order + j].imag();
        const long long first = side < 0 ? j - 1 : j;
        const T x = vectors[first * order + i];
        const T y = side != 0 ? vectors[(first + 1) * order + i] : T(0);
        out[k] = complex<T>(x, side < 0 ? -y : y);
    }
}

/* Determinants from LU factors and their pivots (from 1), one thread per matrix. */
template <class T>
__global__ void
determinants(const T *lu, const int *pivots, long long order, long long batch, T *out)
{
    const long long z = blockIdx.x * (long long)blockDim.x + threadIdx.x;

    if (z >= batch) return;
    T product = T(1);
    bool odd = false;
    for (long long i = 0; i < order; i++) {
        product *= lu[(z * order + i) * order + i];
        odd ^= pivots[z * order + i] != i + 1;
    }
    out[z] = odd ? -product : product;
}

template <class T>
__global__ void
log_determinants(const T *lu, const int *pivots, long long order, long long batch,
                 T *sign, typename real_part_of<T>::type *logarithm)
{
    typedef typename real_part_of<T>::type real;
    const long long z = blockIdx.x * (long long)blockDim.x + threadIdx.x;

    if (z >= batch) return;
    T unit = T(1);
    double sum = 0;
    bool odd = false, zero = false;
    for (long long i = 0; i < order; i++) {
        const T x = lu[(z * order + i) * order + i];
        const real size = size_of(x);
        zero |= size == 0;
        unit *= size == 0 ? T(1) : T(x / size);
        sum += log((double)size);
        odd ^= pivots[z * order + i] != i + 1;
    }
    sign[z] = zero ? T(0) : odd ? -unit : unit;
    logarithm[z] = (real)sum;
}

} // namespace cupric

#endif
