/* _triangles.cuh: equations with a triangle of a compressed matrix: one launch.
 *
 * A warp solves a row: it waits until the rows that it needs are there, whose flags say so.
 * Rows are taken by tickets, in the order in which they can be solved. So a warp waits for
 * smaller tickets than its own, which other warps have and work on. The sum of a row is
 * made in one order, whichever row is there first.
 */
#include "_triangles.h"
#include "cupric/block.hpp"
#include "cupric/math.hpp"

/* An element that another block wrote, past the cache of this multiprocessor. */
template <class T>
__device__ inline T
read_published(const T *x)
{
    typedef typename cupric::real_type<T>::type R;
    const volatile R *const parts = (const volatile R *)x;
    if constexpr (cupric::is_complex<T>::value)
        return T(parts[0], parts[1]);
    else
        return parts[0];
}

/* Whether an element is one of the triangle's, without the diagonal. */
__device__ inline bool
is_inside(long long row, long long column, const triangle_sizes &s)
{
    return s.lower ? column < row : column > row;
}

__device__ inline void
wait_for(const unsigned int *flag)
{
    while (*(const volatile unsigned int *)flag == 0) {
    }
    __threadfence();
}

template <class T>
__device__ inline T
element_of(const T *data, long long e, const triangle_sizes &s)
{
    return s.conjugate ? cupric::conj(data[e]) : data[e];
}

/* A row of few columns: the threads share its elements. In thread 0: the diagonal. */
template <class I, class T>
__device__ inline T
solve_row(const I *indptr, const I *indices, const T *data, T *x,
          const unsigned int *flags, long long row, const triangle_sizes &s)
{
    const long long begin = indptr[row], end = indptr[row + 1];
    T diagonal = T(0);
    for (long long e = begin + threadIdx.x; e < end; e += TRIANGLE_THREADS) {
        const long long column = indices[e];
        if (column == row) diagonal += element_of(data, e, s);
        if (is_inside(row, column, s)) wait_for(flags + column);
    }
    diagonal = cupric::warp_reduce(diagonal, cupric::sum_of<T>());
    for (long long c = 0; c < s.k; c++) {
        T sum = T(0);
        for (long long e = begin + threadIdx.x; e < end; e += TRIANGLE_THREADS) {
            const long long column = indices[e];
            if (!is_inside(row, column, s)) continue;
            sum += element_of(data, e, s) * read_published(x + column * s.k + c);
        }
        sum = cupric::warp_reduce(sum, cupric::sum_of<T>());
        if (threadIdx.x == 0) {
            const T rest = x[row * s.k + c] - sum;
            x[row * s.k + c] = s.unit ? rest : rest / diagonal;
        }
    }
    return diagonal;
}

/* A row of many columns, of which a thread has one. */
template <class I, class T>
__device__ inline T
solve_wide_row(const I *indptr, const I *indices, const T *data, T *x,
               const unsigned int *flags, long long row, long long chunk,
               const triangle_sizes &s)
{
    const long long begin = indptr[row], end = indptr[row + 1];
    const long long c = chunk * TRIANGLE_COLUMNS + threadIdx.x;
    T diagonal = T(0), sum = T(0);
    for (long long e = begin; e < end; e++) {
        const long long column = indices[e];
        const T a = element_of(data, e, s);
        if (column == row) diagonal += a;
        if (!is_inside(row, column, s)) continue;
        wait_for(flags + column);
        if (c < s.k) sum += a * read_published(x + column * s.k + c);
    }
    if (c < s.k) {
        const T rest = x[row * s.k + c] - sum;
        x[row * s.k + c] = s.unit ? rest : rest / diagonal;
    }
    return diagonal;
}

/* x (n, k), in place: the right side becomes the solution. What `indices` has outside the
 * triangle is not read; elements of one place are summed. `flags`: a counter and, for each
 * chunk of columns and each row, whether it is solved; zeros. Where an element of the
 * diagonal is zero, or not there, the int at the address `word` is set, if there is one.
 * Launch: blocks(s.work, TRIANGLE_THREADS). */
template <class I, class T, bool WIDE>
__global__ void
solve_triangle(const I *indptr, const I *indices, const T *data, T *x,
               unsigned int *flags, long long word,
               const __grid_constant__ triangle_sizes s)
{
    __shared__ unsigned int ticket;
    CUPRIC_EACH_BLOCK (b, s.work) {
        if (threadIdx.x == 0) ticket = atomicAdd(flags, 1u);
        __syncthreads();
        const long long step = ticket / s.chunks, chunk = ticket % s.chunks;
        const long long row = s.lower ? step : s.n - 1 - step;
        unsigned int *const solved = flags + 1 + chunk * s.n;
        T diagonal;
        if constexpr (WIDE)
            diagonal = solve_wide_row(indptr, indices, data, x, solved, row, chunk, s);
        else
            diagonal = solve_row(indptr, indices, data, x, solved, row, s);
        __threadfence();
        __syncthreads(); /* all have written; the ticket is read */
        if (threadIdx.x != 0) continue;
        if (word != 0 && !s.unit && diagonal == T(0)) *(int *)word = 1;
        *(volatile unsigned int *)(solved + row) = 1;
    }
}

/* ---- rows of few elements ------------------------------------------------------------- */

/* What a thread does for one row and one column: it looks again and again for the element
 * that it needs next. There is no loop that waits, as what a thread waits for may be the
 * business of its own warp. */
template <class I, class T>
__device__ inline T
solve_short_row(const I *indptr, const I *indices, const T *data, T *x,
                unsigned int *solved, long long row, long long c,
                const triangle_sizes &s)
{
    const long long end = indptr[row + 1];
    long long e = indptr[row];
    T diagonal = T(0), sum = T(0);
    while (e < end) {
        const long long column = indices[e], place = column * s.k + c;
        const bool inside = is_inside(row, column, s);
        if (inside && *(const volatile unsigned int *)(solved + place) == 0) {
            __nanosleep(20); /* others of the block have their turn */
            continue;
        }
        const T a = element_of(data, e, s);
        if (column == row) diagonal += a;
        if (inside) {
            __threadfence();
            sum += a * read_published(x + place);
        }
        e++;
    }
    const long long place = row * s.k + c;
    const T rest = x[place] - sum;
    x[place] = s.unit ? rest : rest / diagonal;
    __threadfence();
    *(volatile unsigned int *)(solved + place) = 1;
    return diagonal;
}

/* As solve_triangle. `flags`: a counter and, for each row and column, whether it is solved.
 * Launch: blocks(s.blocks, SHORT_ROW_THREADS). */
template <class I, class T>
__global__ void
solve_short_rows(const I *indptr, const I *indices, const T *data, T *x,
                 unsigned int *flags, long long word,
                 const __grid_constant__ triangle_sizes s)
{
    __shared__ unsigned int ticket;
    CUPRIC_EACH_BLOCK (b, s.blocks) {
        if (threadIdx.x == 0) ticket = atomicAdd(flags, 1u);
        __syncthreads();
        const long long item = (long long)ticket * SHORT_ROW_THREADS + threadIdx.x;
        if (item < s.n * s.k) {
            const long long step = item / s.k, row = s.lower ? step : s.n - 1 - step;
            const T diagonal = solve_short_row(indptr, indices, data, x, flags + 1, row,
                                               item - step * s.k, s);
            if (word != 0 && !s.unit && diagonal == T(0)) *(int *)word = 1;
        }
        __syncthreads(); /* the ticket is read */
    }
}
