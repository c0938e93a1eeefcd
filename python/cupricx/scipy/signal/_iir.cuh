/* _iir.cuh: recursive filters along rows, in transposed direct form II:
 *
 *     y = b[0] x + z[0],  z[i] = z[i + 1] + b[i + 1] x - a[i + 1] y
 *
 * What z comes to is linear in what it was: n elements later it is M**n z, M the companion
 * matrix, and what the elements add to a filter at rest. So a run of elements is a state
 * of n and the z that they leave behind, and these are combined by powers of M. Sums are
 * float64 and powers have twice its bits, so that a filter whose poles are close to the
 * unit circle, or beyond, loses no more than from element to element; a float32 result is
 * rounded once.
 */
#include "_iir.h"
#include "_twofold.cuh"
#include "cupric/rare.hpp"
#include "cupric/scan.hpp"

template <class W, int K>
struct iir_state {
    long long n;
    W z[K];
};

/* z = m z; what is zero stays so, as m may be infinite. */
template <class W, int K>
__device__ inline void
advance(const precise<W> *m, W (&z)[K])
{
    W next[K];
    if constexpr (K == 1 && !cupric::is_complex<W>::value) {
        /* an infinity lasts, whatever the power has come to */
        if (m->re.hi == 0 && z[0] - z[0] != 0) return;
    }
#pragma unroll
    for (int i = 0; i < K; i++) {
        precise<W> sum = precise<W>(W(0));
#pragma unroll
        for (int j = 0; j < K; j++) {
            if (z[j] != W(0)) sum.add(m[i * K + j], precise<W>(z[j]));
        }
        next[i] = sum.rounded();
    }
#pragma unroll
    for (int i = 0; i < K; i++) z[i] = next[i];
}

/* z = M**n z. */
template <class W, int K>
__device__ inline void
advance_by(const precise<W> *powers, long long n, W (&z)[K])
{
    for (; n > 0; n /= 2, powers += K * K) {
        if (n % 2) advance(powers, z);
    }
}
/* Of higher orders: a call takes less than the code of many copies. */
template <class W, int K>
__device__ CUPRIC_RARE void
advance_apart(const precise<W> *powers, long long n, W (&z)[K])
{
    advance_by(powers, n, z);
}

template <class T, int K>
struct iir_filter {
    typedef typename wide_type<T>::type W;
    typedef iir_state<W, K> state;
    typedef T input, output;
    const T *x, *zi;
    T *y, *zf;
    const W *steady;          /* the state that a signal of ones leaves as it is */
    const precise<W> *powers; /* M**(2**k) */
    iir_signal at;
    W b[K + 1], a[K];

    __device__ state identity() const
    {
        state s;
        s.n = 0;
#pragma unroll
        for (int i = 0; i < K; i++) s.z[i] = W(0);
        return s;
    }
    __device__ state combine(const state &p, const state &q) const
    {
        state s = p;
        if constexpr (K > 2)
            advance_apart(powers, q.n, s.z);
        else
            advance_by(powers, q.n, s.z);
        s.n += q.n;
#pragma unroll
        for (int i = 0; i < K; i++) s.z[i] += q.z[i];
        return s;
    }
    __device__ state initial(long long row) const
    {
        state s = identity();
        if (at.is_steady) {
            const W first = W(load(row, 0));
#pragma unroll
            for (int i = 0; i < K; i++) s.z[i] = steady[i] * first;
        }
        if (zi == nullptr) return s;
#pragma unroll
        for (int i = 0; i < K; i++) {
            if (i < at.order) s.z[i] = W(zi[row * at.order + i]);
        }
        return s;
    }
    __device__ T load(long long row, long long i) const
    {
        return x[at.x_first + row * at.x_row + (at.is_reversed ? -i : i)];
    }
    __device__ void store(long long row, long long i, const T &value) const
    {
        if (i < at.begin || i >= at.end) return;
        y[at.y_first + row * at.y_row + (at.is_reversed ? -i : i)] = value;
    }
    /* One element more. */
    __device__ W step(W (&z)[K], const W &v) const
    {
        const W out = z[0] + b[0] * v;
#pragma unroll
        for (int i = 0; i + 1 < K; i++) z[i] = z[i + 1] + b[i + 1] * v - a[i] * out;
        z[K - 1] = b[K] * v - a[K - 1] * out;
        return out;
    }
    __device__ state extend(state s, const T *v, int n) const
    {
#pragma unroll
        for (int k = 0; k < SCAN_EACH; k++) {
            if (k < n) step(s.z, W(v[k]));
        }
        s.n += n;
        return s;
    }
    __device__ state apply(state s, const T *v, T *out, int n) const
    {
#pragma unroll
        for (int k = 0; k < SCAN_EACH; k++) {
            if (k < n) out[k] = T(step(s.z, W(v[k])));
        }
        s.n += n;
        return s;
    }
    __device__ void finish(long long row, const state &s) const
    {
        if (zf == nullptr) return;
#pragma unroll
        for (int i = 0; i < K; i++) {
            if (i < at.order) zf[row * at.order + i] = T(s.z[i]);
        }
    }
};

/* Where x and y are 1 and g at all times, z[i] is the sum of b[j] - a[j] g, j > i. */
template <class W, int K>
__device__ inline void
put_steady(W *c)
{
    W sum_b = c[0], sum_a = W(1), sum = W(0);
    for (int i = 0; i < K; i++) {
        sum_b = sum_b + c[i + 1];
        sum_a = sum_a + c[IIR_A + i];
    }
    const W g = sum_b / sum_a;
    for (int i = K - 1; i >= 0; i--) {
        sum = sum + (c[i + 1] - c[IIR_A + i] * g);
        c[IIR_STEADY + i] = sum;
    }
    c[IIR_GAIN] = g;
}

/* c = the coefficients over a[0]. */
template <class T, class W, int K>
__device__ inline void
put_coefficients(const T *b, const T *a, W *c, const iir_sizes &p)
{
    const W first = W(a[0]);
    for (int i = 0; i <= K; i++) c[i] = i < p.b ? W(b[i]) / first : W(0);
    for (int i = 0; i < K; i++) c[IIR_A + i] = i + 1 < p.a ? W(a[i + 1]) / first : W(0);
    put_steady<W, K>(c);
}

/* The powers M**(2**k), k < count, of the filter whose coefficients are c. Each thread has
 * an element. */
template <class W, int K>
__device__ inline void
put_powers(const W *c, precise<W> *m, precise<W> *now, int count)
{
    precise<W> *next = now + K * K;
    for (int at = threadIdx.x; at < K * K; at += blockDim.x) {
        const int i = at / K, j = at % K;
        now[at] = precise<W>(j == 0 ? -c[IIR_A + i] : W(0));
        if (j == i + 1) now[at] = precise<W>(W(1));
        m[at] = now[at];
    }
    for (int k = 1; k < count; k++) {
        m += K * K;
        __syncthreads();
        for (int at = threadIdx.x; at < K * K; at += blockDim.x) {
            const int i = at / K, j = at % K;
            precise<W> sum = precise<W>(W(0));
            for (int l = 0; l < K; l++) sum.add(now[i * K + l], now[l * K + j]);
            next[at] = sum;
            m[at] = sum;
        }
        precise<W> *const last = now;
        now = next;
        next = last;
    }
}

/* For each of n filters: c = the coefficients over a[0], and M**(2**k), k < p.powers.
 * Launch: blocks(n, IIR_SQUARE). */
template <class T, class W, int K>
__global__ void
iir_powers(const T *b, const T *a, W *c, iir_sizes p, long long n)
{
    __shared__ cupric::storage_of<precise<W>, 2 * K * K> memory;

    CUPRIC_EACH_BLOCK (e, n) {
        W *const own = c + e * p.c_step;
        if (threadIdx.x == 0) {
            put_coefficients<T, W, K>(b + e * p.step, a + e * p.step, own, p);
        }
        __syncthreads();
        put_powers<W, K>(own, (precise<W> *)(own + IIR_TRANSITIONS), &memory[0],
                         p.powers);
        __syncthreads();
    }
}

/* y = the filter of x, rows of s.n elements, from the states zi, (rows, at.order), which
 * become zf. Launch: blocks(s.tiles, SCAN_THREADS). */
template <class T, class W, int K>
__global__ void
iir_rows(const T *x, T *y, const T *zi, T *zf, const W *c, iir_signal at, scan_layout s,
         unsigned int *workspace)
{
    iir_filter<T, K> op;
    op.x = x;
    op.y = y;
    op.zi = zi;
    op.zf = zf;
    op.at = at;
    op.steady = c + IIR_STEADY;
    op.powers = (const precise<W> *)(c + IIR_TRANSITIONS);
#pragma unroll
    for (int i = 0; i <= K; i++) op.b[i] = c[i];
#pragma unroll
    for (int i = 0; i < K; i++) op.a[i] = c[IIR_A + i];
    cupric::scan_rows(s, workspace, op);
}
