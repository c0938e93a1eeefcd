/* _krylov.cuh: a vector is made orthogonal to the vectors of a basis: four launches.
 *
 * Classical Gram-Schmidt, twice, which is as good as it can be made. Each launch reads what
 * the one before found in its tiles, so that nothing waits within a launch and sums have one
 * order:
 *
 *     project           partial[i, tile] = <dual_i, w> over the tile
 *     subtract<false>   h_i = the sum of partial[i]; w -= h_i basis_i; partial anew, of that
 *     subtract<true>    the same again; norms[tile] = |w|^2 over the tile
 *     normalize         w / |w|
 *
 * `dual` is the basis itself, or, for an inner product <x, M y>, M times it.
 */
#include "_krylov.h"
#include "cupric/block.hpp"
#include "cupric/math.hpp"

template <class T>
__device__ inline double
square_of(const T x)
{
    const double a = double(cupric::real(x)), b = double(cupric::imag(x));
    return a * a + b * b;
}

/* partial[i, tile] of all rows: a warp takes some. */
template <class T>
__device__ inline void
project_tile(const T *dual, const T *w, T *partial, long long tile,
             const krylov_sizes &s)
{
    const long long begin = tile * s.tile;
    const long long end = begin + s.tile < s.n ? begin + s.tile : s.n;
    const int lane = threadIdx.x % 32, warps = KRYLOV_THREADS / 32;
    for (int first = threadIdx.x / 32 * KRYLOV_ROWS; first < s.rows;
         first += warps * KRYLOV_ROWS) {
        const int rows = s.rows - first;
        T sum[KRYLOV_ROWS] = {};
        for (long long j = begin + lane; j < end; j += 32) {
            const T x = w[j];
#pragma unroll
            for (int k = 0; k < KRYLOV_ROWS; k++)
                if (k < rows) sum[k] += cupric::conj(dual[(first + k) * s.n + j]) * x;
        }
#pragma unroll
        for (int k = 0; k < KRYLOV_ROWS; k++) {
            sum[k] = cupric::warp_reduce(sum[k], cupric::sum_of<T>());
            if (lane == 0 && k < rows)
                partial[(long long)(first + k) * s.tiles + tile] = sum[k];
        }
    }
}

/* Launch: blocks(s.tiles, KRYLOV_THREADS). */
template <class T>
__global__ void
project(const T *dual, const T *w, T *partial, krylov_sizes s)
{
    CUPRIC_EACH_BLOCK (tile, s.tiles) {
        project_tile(dual, w, partial, tile, s);
    }
}

/* h[i] = the sum of partial[i], for the block: a warp takes some rows. */
template <class T>
__device__ inline void
add_tiles(const T *partial, T *h, const krylov_sizes &s)
{
    const int lane = threadIdx.x % 32, warps = KRYLOV_THREADS / 32;
    for (int first = threadIdx.x / 32 * KRYLOV_ROWS; first < s.rows;
         first += warps * KRYLOV_ROWS) {
        const int rows = s.rows - first;
        T sum[KRYLOV_ROWS] = {};
        for (int i = lane; i < s.tiles; i += 32) {
#pragma unroll
            for (int k = 0; k < KRYLOV_ROWS; k++)
                if (k < rows) sum[k] += partial[(long long)(first + k) * s.tiles + i];
        }
#pragma unroll
        for (int k = 0; k < KRYLOV_ROWS; k++) {
            sum[k] = cupric::warp_reduce(sum[k], cupric::sum_of<T>());
            if (lane == 0 && k < rows) h[first + k] = sum[k];
        }
    }
}

/* y = x - the projections that `scratch` begins with. It has these (rows, tiles), of this call,
 * then those of the next, then a row of coefficients for each block. `column`, (rows): what
 * was subtracted so far; the first time it is written. With LAST, norms[tile] takes the place
 * of the next projections.
 * Launch: blocks(s.tiles, KRYLOV_THREADS). */
template <class T, bool LAST>
__global__ void
subtract(const T *basis, const T *dual, const T *x, T *y, T *scratch, double *norms,
         T *column, krylov_sizes s)
{
    __shared__ cupric::block_memory<double> memory;
    const long long size = (long long)s.rows * s.tiles;
    T *const h = scratch + 2 * size + (long long)s.rows * blockIdx.x;
    const T *const partial = LAST ? scratch + size : scratch;

    add_tiles(partial, h, s);
    __syncthreads();
    if (blockIdx.x == 0) {
        for (int i = threadIdx.x; i < s.rows; i += KRYLOV_THREADS)
            column[i] = LAST ? column[i] + h[i] : h[i];
    }
    CUPRIC_EACH_BLOCK (tile, s.tiles) {
        const long long begin = tile * s.tile;
        const long long end = begin + s.tile < s.n ? begin + s.tile : s.n;
        double norm = 0;
        for (long long j = begin + threadIdx.x; j < end; j += KRYLOV_THREADS) {
            T value = x[j];
#pragma unroll 8
            for (int i = 0; i < s.rows; i++) value -= h[i] * basis[i * s.n + j];
            y[j] = value;
            norm += square_of(value);
        }
        if (LAST) {
            norm = cupric::block_reduce(norm, cupric::sum_of<double>(), memory);
            if (threadIdx.x == 0) norms[tile] = norm;
        } else {
            __syncthreads(); /* y is written */
            project_tile(dual, y, scratch + size, tile, s);
        }
    }
}

/* norms[tile] = the real part of <x, y> over the tile: the squared norm of x by an inner
 * product, of which y is the matrix times x.
 * Launch: blocks(s.tiles, KRYLOV_THREADS). */
template <class T>
__global__ void
square_norms(const T *x, const T *y, double *norms, krylov_sizes s)
{
    __shared__ cupric::block_memory<double> memory;
    CUPRIC_EACH_BLOCK (tile, s.tiles) {
        const long long begin = tile * s.tile;
        const long long end = begin + s.tile < s.n ? begin + s.tile : s.n;
        double sum = 0;
        for (long long j = begin + threadIdx.x; j < end; j += blockDim.x) {
            sum += double(cupric::real(x[j])) * double(cupric::real(y[j])) +
                   double(cupric::imag(x[j])) * double(cupric::imag(y[j]));
        }
        sum = cupric::block_reduce(sum, cupric::sum_of<double>(), memory);
        if (threadIdx.x == 0) norms[tile] = sum;
    }
}

/* The norm whose squares are in `norms`; 0 where nothing but rounding errors of what was
 * subtracted, `column`, is left: the vector lies in the basis. */
template <class T>
__device__ inline double
length_of(const double *norms, const T *column, double least, const krylov_sizes &s)
{
    __shared__ cupric::block_memory<double> memory;
    double norm = 0, rest = 0;
    for (int k = threadIdx.x; k < s.tiles; k += blockDim.x) norm += norms[k];
    for (int i = threadIdx.x; i < s.rows; i += blockDim.x) rest += square_of(column[i]);
    norm = cupric::block_reduce(norm, cupric::sum_of<double>(), memory);
    rest = cupric::block_reduce(rest, cupric::sum_of<double>(), memory);
    return norm <= least * least * (norm + rest) ? 0 : sqrt(norm);
}

/* y = x divided by its norm, which is written behind the `rows` elements of `column`. Where
 * it lies in the basis: zeros. `least`: the ratio up to which what is left is rounding error.
 * Launch: blocks(s.tiles, KRYLOV_THREADS). */
template <class T>
__global__ void
normalize(const T *x, T *y, const double *norms, T *column, double least,
          krylov_sizes s)
{
    typedef typename cupric::real_type<T>::type R;
    const double norm = length_of(norms, column, least, s);
    const double factor = norm > 0 ? 1 / norm : norm; /* NaN stays */

    if (blockIdx.x == 0 && threadIdx.x == 0) column[s.rows] = T(R(norm));
    CUPRIC_EACH_BLOCK (tile, s.tiles) {
        const long long begin = tile * s.tile;
        const long long end = begin + s.tile < s.n ? begin + s.tile : s.n;
        for (long long j = begin + threadIdx.x; j < end; j += blockDim.x)
            y[j] = x[j] * T(R(factor));
    }
}
