/* The steps of iterative solvers, in phases between the products with the matrix.
 *
 * A phase is one launch: it updates the solver's vectors, element by element, and takes
 * sums over them, as dot products. The block that is last to leave its sums adds all of
 * them up, in one order, and computes the numbers that the next phase needs. They stay on
 * the device, in the solver's state, as does the decision to stop: phases that are
 * launched after it do nothing, so that the host may ask for it now and then.
 *
 * Vectors are float or complex in either precision, numbers and sums are double.
 */
#include "_numbers.cuh"
#include "_steps.h"
#include "cupric/block.hpp"

/* ---- vectors ------------------------------------------------------------------------- */

/* What a phase works on: up to three results of products, and the solver's own rows. */
template <class T>
struct vectors {
    const T *y_, *z_, *u_;
    T *w;
    long long ld;

    typedef wide<T> W;
    __device__ W y(long long i) const { return W(y_[i]); }
    __device__ W z(long long i) const { return W(z_[i]); }
    __device__ W u(long long i) const { return W(u_[i]); }
    __device__ W get(int row, long long i) const { return W(w[row * ld + i]); }
    __device__ void set(int row, long long i, W x) const { w[row * ld + i] = T(x); }
};

/* ---- phases -------------------------------------------------------------------------- */

/* A phase P: `load` reads numbers, `element` updates element i of the vectors and adds to
 * `sums`, `end` has the sums of all elements. Elements are read before one is written, as
 * vectors may be the same. */
template <int P, class T>
struct phase;

template <class T, int N>
struct phase_base {
    typedef wide<T> W;
    enum { COUNT = N };

    __device__ void load(numbers<W>) {}
    __device__ void end(numbers<W>, const W *) {}
};

/* The squared norms of y and of z, and the product of z and u: what a solver begins with. */
template <class T>
struct phase<START, T> : phase_base<T, 3> {
    typedef wide<T> W;

    __device__ void element(const vectors<T> &v, long long i, W *sums)
    {
        const W z = v.z(i);
        sums[0] += W(square(v.y(i)));
        sums[1] += W(square(z));
        sums[2] += dot(z, v.u(i));
    }
    __device__ void end(numbers<W> s, const W *sums)
    {
        s.set(RHO, sums[0]);
        s.set(ALPHA, sums[1]);
        s.set(BETA, sums[2]);
    }
};

/* After an iteration, with the squared norm of the residual: whether another follows. The
 * last one that is allowed ends with MAXITER, whatever the residual is. */
template <class W>
__device__ inline bool
count_iteration(numbers<W> s, W squares, int stop = STOPPED)
{
    const double residual = sqrt(real_of(squares));
    s.set(ITERATIONS, s.real(ITERATIONS) + 1);
    s.set(RESIDUAL, residual);
    if (s.real(ITERATIONS) >= s.real(MAXITER)) {
        s.set(INFO, s.real(MAXITER));
    } else if (residual < s.real(TOLERANCE)) {
        s.set(INFO, 0.0);
    } else {
        return true;
    }
    s.set(stop, 1.0);
    return false;
}

/* The next rho, and beta, its ratio to the last one. */
template <class W>
__device__ inline void
next_rho(numbers<W> s, W rho)
{
    if (s.is(TINY) && magnitude(rho) < s.real(TINY)) {
        s.stop(-10);
        return;
    }
    s.set(BETA, rho / s.get(RHO));
    s.set(RHO, rho);
}

/* alpha = rho / product. */
template <class W>
__device__ inline void
next_alpha(numbers<W> s, W product)
{
    if (product == W(0)) {
        s.stop(-11);
        return;
    }
    s.set(ALPHA, s.get(RHO) / product);
}

#include "_steps_minres.cuh"
#include "_steps_of_squares.cuh"
#include "_steps_qmr.cuh"
#include "_steps_square.cuh"

/* ---- a launch ------------------------------------------------------------------------ */

/* The elements of part b. */
template <int P, class T>
__device__ inline void
run_part(phase<P, T> &p, const vectors<T> &v, long long b, step_sizes s, wide<T> *sums)
{
    const long long end = (b + 1) * s.part < s.n ? (b + 1) * s.part : s.n;
    for (long long i = b * s.part + threadIdx.x; i < end; i += blockDim.x) {
        p.element(v, i, sums);
    }
}

/* A phase P. state: SLOTS numbers, and behind them room for the sums of PARTS parts.
 * Launch: blocks(s.parts, THREADS). */
template <int P, class T>
__global__ void
step_phase(const T *y, const T *z, const T *u, T *w, complex<double> *state,
           step_sizes s)
{
    typedef wide<T> W;
    enum { COUNT = phase<P, T>::COUNT };
    __shared__ cupric::block_memory<W> memory;
    const numbers<W> n = {state};
    W *const parts = (W *)(state + SLOTS);

    if (n.is(STOPPED)) return;
    phase<P, T> p;
    p.load(n);
    const vectors<T> v = {y, z, u, w, s.ld};
    CUPRIC_EACH_BLOCK (b, s.parts) {
        W sums[COUNT + 1] = {};
        run_part(p, v, b, s, sums);
        for (int k = 0; k < COUNT; k++) {
            const W sum = cupric::block_reduce(sums[k], cupric::sum_of<W>(), memory);
            if (threadIdx.x == 0) parts[k * PARTS + b] = sum;
        }
    }
    if (COUNT == 0 || !is_last_block(state)) return;
    W sums[COUNT + 1];
    for (int k = 0; k < COUNT; k++) {
        W sum = W(0);
        for (int b = threadIdx.x; b < s.parts; b += blockDim.x) {
            sum += parts[k * PARTS + b];
        }
        sums[k] = cupric::block_reduce(sum, cupric::sum_of<W>(), memory);
    }
    if (threadIdx.x == 0) p.end(n, sums);
}
