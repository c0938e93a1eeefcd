/* Arnoldi's process with Givens rotations, of which gmres and lgmres are made.
 *
 * A step takes the product w of the matrix with the last vector and makes it orthogonal
 * to all before, v: first the dot products with all of them, in one pass over v, then w
 * minus what they say, in another. Where little is left of w, rounding errors are not small
 * beside it, and both are done again ("twice is enough"). Then the new column of the
 * Hessenberg matrix is rotated, which gives the norm of the residual. The step that finds
 * it small ends the cycle: the kernels of later steps do nothing.
 */
#include "_arnoldi.h"
#include "_numbers.cuh"
#include "cupric/block.hpp"

/* The small matrices of a cycle of at most m steps, one after the other in one array. */
template <class W>
struct small_matrices {
    W *at;
    int m;

    /* The Hessenberg matrix as it was computed, by columns; and rotated, R. */
    __device__ W *raw(int j) const { return at + (long long)j * (m + 1); }
    __device__ W *column(int j) const { return raw(m) + (long long)j * (m + 1); }
    /* The rotations' cosines and sines, and what they make of the right side. */
    __device__ W *cosines() const { return column(m); }
    __device__ W *sines() const { return cosines() + m; }
    __device__ W *right() const { return sines() + m; }
    /* Coefficients of vectors: the solution, and the result of `arnoldi_image`. */
    __device__ W *solution() const { return right() + m + 1; }
    __device__ W *image() const { return solution() + m; }
    /* Dot products of this step and pass; behind them those of parts. */
    __device__ W *products() const { return image() + m + 1; }
    __device__ W *parts() const { return products() + m + 2; }
};

/* Adds up what the parts left of `count` sums, a warp a sum, and stores them. */
template <class W>
__device__ inline void
add_parts(const W *from, W *sums, int count, long long parts)
{
    const int lanes = blockDim.x < 32 ? blockDim.x : 32;
    const int lane = threadIdx.x % lanes;
    for (int k = threadIdx.x / lanes; k < count; k += blockDim.x / lanes) {
        W sum = W(0);
        for (int b = lane; b < parts; b += lanes) sum += from[k * PARTS + b];
        sum = cupric::warp_reduce(sum, cupric::sum_of<W>());
        if (lane == 0) sums[k] = sum;
    }
    __syncthreads();
}

/* Whether a kernel of a step has nothing to do. */
template <class W>
__device__ inline bool
is_over(numbers<W> n, const arnoldi_sizes &s)
{
    return n.is(STOPPED) || n.is(ENDED) || (s.pass > 0 && !n.is(AGAIN));
}

/* ---- a cycle ------------------------------------------------------------------------- */

/* state[slot] = the norm of y. Launch: blocks(s.parts, THREADS). */
template <class T, class W>
__global__ void
arnoldi_norm(const T *y, W *h, complex<double> *state, arnoldi_sizes s, int slot)
{
    __shared__ cupric::block_memory<double> memory;
    const small_matrices<W> all = {h, s.m};
    double *const parts = (double *)all.parts();
    CUPRIC_EACH_BLOCK (b, s.parts) {
        const long long end = (b + 1) * s.part < s.n ? (b + 1) * s.part : s.n;
        double sum = 0;
        for (long long i = b * s.part + threadIdx.x; i < end; i += blockDim.x) {
            sum += square(W(y[i]));
        }
        sum = cupric::block_reduce(sum, cupric::sum_of<double>(), memory);
        if (threadIdx.x == 0) parts[b] = sum;
    }
    if (!is_last_block(state)) return;
    double sum = 0;
    for (int b = threadIdx.x; b < s.parts; b += blockDim.x) sum += parts[b];
    sum = cupric::block_reduce(sum, cupric::sum_of<double>(), memory);
    if (threadIdx.x == 0) state[slot] = complex<double>(sqrt(sum), 0);
}

/* v[0] = y / its norm, by which everything else is multiplied (`scale`: 0) or not. Launch:
 * elements(n). */
template <class T, class W>
__global__ void
arnoldi_begin(const T *y, T *v, W *h, complex<double> *state, long long n,
              arnoldi_sizes s, double enough, int is_scaled)
{
    const numbers<W> known = {state};
    const small_matrices<W> all = {h, s.m};
    const double norm = known.real(PRECONDITIONED);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        all.right()[0] = W(is_scaled ? 1.0 : norm);
        known.set(COLUMNS, 0.0);
        known.set(ENDED, 0.0);
        known.set(BREAKDOWN, 0.0);
        known.set(ENOUGH, enough);
    }
    CUPRIC_EACH (i, n) v[i] = T(W(1 / norm) * W(y[i]));
}

/* ---- a step -------------------------------------------------------------------------- */

/* The products of up to BLOCK vectors from v[k] on with w, over a part. */
template <class T, class W>
__device__ inline void
multiply_part(const T *v, const T *w, long long ld, long long begin, long long end,
              int count, W *sums)
{
#pragma unroll
    for (int q = 0; q < BLOCK; q++) sums[q] = W(0);
    if (count == BLOCK) {
        for (long long i = begin + threadIdx.x; i < end; i += blockDim.x) {
            const W x = W(w[i]);
#pragma unroll
            for (int q = 0; q < BLOCK; q++) sums[q] += dot(W(v[q * ld + i]), x);
        }
        return;
    }
    for (long long i = begin + threadIdx.x; i < end; i += blockDim.x) {
        const W x = W(w[i]);
#pragma unroll
        for (int q = 0; q < BLOCK; q++) {
            if (q < count) sums[q] += dot(W(v[q * ld + i]), x);
        }
    }
}

/* The products of v[0] to v[j] with w, and before the first pass the norm of w. w is y in
 * the first pass, v[j + 1] in the second. Launch: blocks(s.parts, THREADS). */
template <class T, class W>
__global__ void
arnoldi_multiply(const T *y, T *v, W *h, complex<double> *state, arnoldi_sizes s)
{
    __shared__ cupric::block_memory<W> memory;
    const numbers<W> n = {state};
    const small_matrices<W> all = {h, s.m};
    if (is_over(n, s)) return;
    const T *const w = s.pass == 0 ? y : v + (s.j + 1) * s.ld;
    W *const parts = all.parts();
    CUPRIC_EACH_BLOCK (b, s.parts) {
        const long long begin = b * s.part;
        const long long end = begin + s.part < s.n ? begin + s.part : s.n;
        for (int k = 0; k <= s.j; k += BLOCK) {
            const int count = s.j + 1 - k < BLOCK ? s.j + 1 - k : BLOCK;
            W sums[BLOCK];
            multiply_part(v + k * s.ld, w, s.ld, begin, end, count, sums);
            for (int q = 0; q < count; q++) {
                const W sum =
                    cupric::block_reduce(sums[q], cupric::sum_of<W>(), memory);
                if (threadIdx.x == 0) parts[(k + q) * PARTS + b] = sum;
            }
        }
        W sum = W(0);
        for (long long i = begin + threadIdx.x; i < end; i += blockDim.x) {
            sum += W(square(W(w[i])));
        }
        sum = cupric::block_reduce(sum, cupric::sum_of<W>(), memory);
        if (threadIdx.x == 0) parts[(s.j + 1) * PARTS + b] = sum;
    }
    if (!is_last_block(state)) return;
    W *const products = all.products();
    add_parts(parts, products, s.j + 2, s.parts);
    for (int k = threadIdx.x; k <= s.j; k += blockDim.x) {
        W *const to = all.raw(s.j) + k;
        *to = s.pass == 0 ? products[k] : *to + products[k];
    }
    if (threadIdx.x == 0 && s.pass == 0)
        n.set(BEFORE, sqrt(real_of(products[s.j + 1])));
}

/* to = from minus `count` rows of v times products, over elements of a part: what a thread
 * adds to the squared norm. */
template <class T, class W>
__device__ inline double
subtract_part(T *to, const T *from, const T *v, long long ld, const W *products,
              int count, long long begin, long long end)
{
    double sum = 0;
    for (long long i = begin + threadIdx.x; i < end; i += blockDim.x) {
        W x = W(from[i]);
#pragma unroll 4
        for (int k = 0; k < count; k++) x -= products[k] * W(v[k * ld + i]);
        to[i] = T(x);
        sum += square(x);
    }
    return sum;
}

/* v[j + 1] = w minus its parts along v[0] to v[j], and its norm. Launch: blocks(s.parts,
 * THREADS). */
template <class T, class W>
__global__ void
arnoldi_subtract(const T *y, T *v, W *h, complex<double> *state, arnoldi_sizes s)
{
    __shared__ cupric::block_memory<double> memory;
    const numbers<W> n = {state};
    const small_matrices<W> all = {h, s.m};
    if (is_over(n, s)) return;
    T *const next = v + (s.j + 1) * s.ld;
    const T *const w = s.pass == 0 ? y : next;
    const W *const products = all.products();
    double *const parts = (double *)all.parts();
    CUPRIC_EACH_BLOCK (b, s.parts) {
        const long long end = (b + 1) * s.part < s.n ? (b + 1) * s.part : s.n;
        double sum =
            subtract_part(next, w, v, s.ld, products, s.j + 1, b * s.part, end);
        sum = cupric::block_reduce(sum, cupric::sum_of<double>(), memory);
        if (threadIdx.x == 0) parts[b] = sum;
    }
    if (!is_last_block(state)) return;
    double sum = 0;
    for (int b = threadIdx.x; b < s.parts; b += blockDim.x) sum += parts[b];
    sum = cupric::block_reduce(sum, cupric::sum_of<double>(), memory);
    if (threadIdx.x != 0) return;
    const double before = n.real(BEFORE), after = sqrt(sum);
    n.set(AFTER, after);
    n.set(AGAIN, after < 0.1 * before ? 1.0 : 0.0);
    n.set(BREAKDOWN, after <= n.real(EPSILON) * before ? 1.0 : 0.0);
}

/* The rotation of (f, g) into (r, 0): its cosine, which is real, and its sine. */
__device__ inline void
rotate_into(double f, double g, double *c, double *s)
{
    const double r = sqrt(f * f + g * g);
    *c = r == 0 ? 1 : f / r;
    *s = r == 0 ? 0 : g / r;
}
__device__ inline void
rotate_into(complex<double> f, complex<double> g, complex<double> *c,
            complex<double> *s)
{
    typedef complex<double> W;
    const double size = magnitude(f), r = sqrt(square(f) + square(g));
    const W unit = size == 0 ? W(1) : f / W(size);
    *c = W(r == 0 ? 1.0 : size / r);
    *s = r == 0 ? W(0) : unit * conjugate(g) / W(r);
}

/* Rotates column j, and with it the right side, which is the estimate of the residual. By
 * one block; `entries` has room for AT_ONCE + 1 numbers, twice more for AT_ONCE. */
template <class W>
__device__ inline void
rotate_column(numbers<W> n, small_matrices<W> all, int j, W *entries)
{
    W *const cosines = entries + AT_ONCE + 1, *const sines = cosines + AT_ONCE;
    const W last = n.is(BREAKDOWN) ? W(0) : W(n.real(AFTER));
    W upper = all.raw(j)[0];
    if (threadIdx.x == 0) all.raw(j)[j + 1] = last;
    for (int base = 0; base < j; base += AT_ONCE) {
        const int count = j - base < AT_ONCE ? j - base : AT_ONCE;
        __syncthreads();
        for (int k = threadIdx.x; k < count; k += blockDim.x) {
            entries[k] = all.raw(j)[base + k + 1];
            cosines[k] = all.cosines()[base + k];
            sines[k] = all.sines()[base + k];
        }
        __syncthreads();
        if (threadIdx.x != 0) continue;
        for (int k = 0; k < count; k++) {
            const W lower = entries[k];
            all.column(j)[base + k] = cosines[k] * upper + sines[k] * lower;
            upper = cosines[k] * lower - conjugate(sines[k]) * upper;
        }
    }
    if (threadIdx.x != 0) return;
    W c, s;
    rotate_into(upper, last, &c, &s);
    all.cosines()[j] = c;
    all.sines()[j] = s;
    all.column(j)[j] = c * upper + s * last;
    const W right = all.right()[j];
    all.right()[j] = c * right;
    all.right()[j + 1] = W(-1) * conjugate(s) * right;
    const double estimate = magnitude(s) * magnitude(right);
    n.set(COLUMNS, j + 1.0);
    n.set(ESTIMATE, estimate);
    if (estimate <= n.real(ENOUGH) || n.is(BREAKDOWN)) n.set(ENDED, 1.0);
}

/* v[j + 1] is scaled to norm 1, and column j rotated. Launch: blocks(s.parts + 1,
 * THREADS): piece 0 is the rotation. */
template <class T, class W>
__global__ void
arnoldi_rotate(T *v, W *h, complex<double> *state, arnoldi_sizes s, long long pieces)
{
    __shared__ cupric::storage_of<W, 3 * AT_ONCE + 1> memory;
    const numbers<W> n = {state};
    const small_matrices<W> all = {h, s.m};
    T *const next = v + (s.j + 1) * s.ld;
    CUPRIC_EACH_BLOCK (piece, pieces) {
        if (piece == 0) {
            if (!is_over(n, s)) rotate_column(n, all, s.j, &memory[0]);
            continue;
        }
        /* Whether the cycle is over is not asked here, as piece 0 may just have decided
         * it: what is scaled for nothing is not used. */
        const double norm = n.real(AFTER), scale = norm > 0 ? 1 / norm : 0;
        const long long b = piece - 1;
        const long long end = (b + 1) * s.part < s.n ? (b + 1) * s.part : s.n;
        for (long long i = b * s.part + threadIdx.x; i < end; i += blockDim.x) {
            next[i] = T(W(scale) * W(next[i]));
        }
    }
}

/* ---- the solution -------------------------------------------------------------------- */

/* The solution of the triangular system, the coefficients of v. One block. */
template <class W>
__global__ void
arnoldi_solve(W *h, complex<double> *state, int m, double scale, int blocks)
{
    const numbers<W> n = {state};
    const small_matrices<W> all = {h, m};
    W *const y = all.solution();
    CUPRIC_EACH_BLOCK (b, blocks) {
        const int columns = (int)n.real(COLUMNS);
        for (int k = threadIdx.x; k < columns; k += blockDim.x) y[k] = all.right()[k];
        for (int k = columns - 1; k >= 0; k--) {
            const W pivot = all.column(k)[k];
            __syncthreads();
            if (threadIdx.x == 0) {
                /* A column that depends on the others is left out. */
                const bool is_left_out = pivot == W(0) && k == columns - 1;
                if (is_left_out) y[k] = W(0);
                if (y[k] != W(0)) y[k] = y[k] / pivot;
            }
            __syncthreads();
            const W found = y[k];
            for (int i = threadIdx.x; i < k; i += blockDim.x) {
                y[i] -= found * all.column(k)[i];
            }
        }
        __syncthreads();
        for (int k = threadIdx.x; k < columns; k += blockDim.x) y[k] = W(scale) * y[k];
    }
}

/* The product of the Hessenberg matrix and the solution. Launch: elements(count). */
template <class W>
__global__ void
arnoldi_image(W *h, complex<double> *state, int m, long long count)
{
    const numbers<W> n = {state};
    const small_matrices<W> all = {h, m};
    const int columns = (int)n.real(COLUMNS);
    CUPRIC_EACH (i, count) {
        W sum = W(0);
        for (int j = i > 0 ? (int)i - 1 : 0; j < columns; j++) {
            sum += all.raw(j)[i] * all.solution()[j];
        }
        all.image()[i] = i <= columns ? sum : W(0);
    }
}

/* x += `count` rows of v times y, over elements of a part. */
template <class T, class W>
__device__ inline void
add_part(T *x, const T *v, long long ld, const W *y, int count, long long begin,
         long long end)
{
    for (long long i = begin + threadIdx.x; i < end; i += blockDim.x) {
        W sum = W(x[i]);
#pragma unroll 4
        for (int k = 0; k < count; k++) sum += y[k] * W(v[k * ld + i]);
        x[i] = T(sum);
    }
}

/* x += s.count rows of v, at most as many as the cycle has, times coefficients from
 * s.first on: those of the solution, or of its image. Launch: blocks(s.parts, THREADS). */
template <class T, class W>
__global__ void
arnoldi_combine(const T *v, T *x, W *h, complex<double> *state, arnoldi_sizes s,
                int is_image)
{
    const numbers<W> known = {state};
    const small_matrices<W> all = {h, s.m};
    const W *const y = (is_image ? all.image() : all.solution()) + s.first;
    const int rest = (int)known.real(COLUMNS) + (is_image ? 1 : 0) - s.first;
    const int count = s.count < rest ? s.count : rest;
    CUPRIC_EACH_BLOCK (b, s.parts) {
        const long long end = (b + 1) * s.part < s.n ? (b + 1) * s.part : s.n;
        add_part(x, v, s.ld, y, count, b * s.part, end);
    }
}
