/* linear.hpp: small kernels around the libraries for matrices and Fourier transforms:
 * products of integers and of small matrices, determinants from factors, transposition, scaling.
 */
#ifndef CUPRIC_LINEAR_HPP
#define CUPRIC_LINEAR_HPP

#include "cupric/device_types.hpp"
#include "cupric/linear_params.h"

namespace cupric {

/* What products are summed in: integers wrap, as NumPy's do. */
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

/* c = a @ b in tiles of 32 by 32 by a block of 32 by 8 threads. */
template <class T>
__global__ void
matmul_tiles(cu_product p, cu_batch_steps batch)
{
    typedef product_sum<T> sum;
    __shared__ alignas(T) char memory[2 * 32 * 33 * sizeof(T)];
    T(*left)[33] = (T(*)[33])memory, (*right)[33] = left + 32;
    const long long columns = (p.n + 31) / 32;
    const int tx = threadIdx.x, ty = threadIdx.y;

    for (long long z = blockIdx.y; z < batch.size; z += gridDim.y) {
        const char *pa = p.a, *pb = p.b;
        char *pc = p.c;
        long long rest = z;
        for (int d = (int)batch.ndim - 1; d >= 0; d--) {
            const long long i = rest % batch.shape[d];
            rest /= batch.shape[d];
            pa += i * batch.a[d];
            pb += i * batch.b[d];
            pc += i * batch.c[d];
        }
        const long long i0 = blockIdx.x / columns * 32, j0 = blockIdx.x % columns * 32;
        typename sum::type s[4] = {};
        for (long long l0 = 0; l0 < p.k; l0 += 32) {
            for (int r = ty; r < 32; r += 8) {
                const bool in_a = i0 + r < p.m && l0 + tx < p.k;
                const bool in_b = l0 + r < p.k && j0 + tx < p.n;
                left[r][tx] =
                    in_a ? load<T>(pa + (i0 + r) * p.a_row + (l0 + tx) * p.a_col)
                         : T(0);
                right[r][tx] =
                    in_b ? load<T>(pb + (l0 + r) * p.b_row + (j0 + tx) * p.b_col)
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
            if (i < p.m && j < p.n) *(T *)(pc + i * p.c_row + j * p.c_col) = (T)s[r];
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

/* parts[y][x] = sum over l of a[i, l] * b[l, j], part * y <= l < part * (y + 1), for the few
 * outputs x = i * n + j of a long product; blocks of 256, grid (outputs, parts). */
template <class T>
__global__ void
matmul_dots(cu_product p, T *parts, long long part)
{
    typedef product_sum<T> sum;
    const char *const pa = p.a + blockIdx.x / p.n * p.a_row;
    const char *const pb = p.b + blockIdx.x % p.n * p.b_col;
    const long long begin = blockIdx.y * part, limit = begin + part;
    const long long end = limit < p.k ? limit : p.k;
    typename sum::type s = {};
    for (long long l = begin + threadIdx.x; l < end; l += 256) {
        sum::add(s, load<T>(pa + l * p.a_col), load<T>(pb + l * p.b_row));
    }
    s = block_sum<T>(s);
    if (threadIdx.x == 0) parts[(long long)blockIdx.y * gridDim.x + blockIdx.x] = (T)s;
}

/* c[x] = sum over y of parts[y][x]; a block for each x */
template <class T>
__global__ void
join_dots(cu_product p, const T *parts, long long nparts)
{
    typedef product_sum<T> sum;
    typename sum::type s = {};
    for (long long y = threadIdx.x; y < nparts; y += 256) {
        sum::join(s, (typename sum::type)parts[y * gridDim.x + blockIdx.x]);
    }
    s = block_sum<T>(s);
    if (threadIdx.x == 0)
        *(T *)(p.c + blockIdx.x / p.n * p.c_row + blockIdx.x % p.n * p.c_col) = (T)s;
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
