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
#include "cupric/rare.hpp"
#include "cupric/scan.hpp"

/* What is computed in. */
template <class T>
struct wide_type {
    typedef double type;
};
template <class T>
struct wide_type<complex<T>> {
    typedef complex<double> type;
};

template <class W, int K>
struct iir_state {
    long long n;
    W z[K];
};

/* hi + lo, of twice as many bits: powers of M have great elements, of which most cancels
 * where poles are close to 1, and to each other. */
struct twofold {
    double hi, lo;
};

/* s + a b */
__device__ inline twofold
add_product(const twofold &s, const twofold &a, const twofold &b)
{
    const double p = a.hi * b.hi, sum = s.hi + p;
    if (!(sum - sum == 0)) return {sum, 0}; /* infinite */
    const double part = sum - s.hi;
    const double lo = (s.hi - (sum - part)) + (p - part) + s.lo +
                      (fma(a.hi, b.hi, -p) + (a.hi * b.lo + a.lo * b.hi));
    const double hi = sum + lo;
    return {hi, lo - (hi - sum)};
}

/* An element of a power. */
template <class W>
struct precise {
    twofold re;

    __device__ precise() {}
    __device__ explicit precise(const W &x) : re{x, 0} {}
    __device__ W rounded() const { return re.hi; }
    __device__ void add(const precise &a, const precise &b)
    {
        re = add_product(re, a.re, b.re);
    }
};
template <>
struct precise<complex<double>> {
    twofold re, im;

    __device__ precise() {}
    __device__ explicit precise(const complex<double> &x)
        : re{x.real(), 0}, im{x.imag(), 0}
    {
    }
    __device__ complex<double> rounded() const { return complex<double>(re.hi, im.hi); }
    __device__ void add(const precise &a, const precise &b)
    {
        const twofold minus = {-a.im.hi, -a.im.lo};
        re = add_product(add_product(re, a.re, b.re), minus, b.im);
        im = add_product(add_product(im, a.re, b.im), a.im, b.re);
    }
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
    const precise<W> *powers; /* M**(2**k) */
    long long length;
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
        if (zi == nullptr) return s;
#pragma unroll
        for (int i = 0; i < K; i++) s.z[i] = W(zi[row * K + i]);
        return s;
    }
    __device__ T load(long long row, long long i) const
    {
        return x[row * length + i];
    }
    __device__ void store(long long row, long long i, const T &value) const
    {
        y[row * length + i] = value;
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
        for (int i = 0; i < K; i++) zf[row * K + i] = T(s.z[i]);
    }
};

/* c = the coefficients over a[0]. */
template <class T, class W, int K>
__device__ inline void
put_coefficients(const T *b, const T *a, W *c, const iir_sizes &p)
{
    const W first = W(a[0]);
    for (int i = 0; i <= K; i++) c[i] = i < p.b ? W(b[i]) / first : W(0);
    for (int i = 0; i < K; i++) c[IIR_A + i] = i + 1 < p.a ? W(a[i + 1]) / first : W(0);
}

/* c = the coefficients over a[0], and M**(2**k), k < p.powers, of which each thread has an
 * element. Launch: blocks(1, IIR_SQUARE). */
template <class T, class W, int K>
__global__ void
iir_powers(const T *b, const T *a, W *c, iir_sizes p, long long n)
{
    __shared__ cupric::storage_of<precise<W>, 2 * K * K> memory;

    CUPRIC_EACH_BLOCK (e, n) {
        precise<W> *now = &memory[0], *next = now + K * K;
        precise<W> *m = (precise<W> *)(c + IIR_TRANSITIONS);
        if (threadIdx.x == 0) put_coefficients<T, W, K>(b, a, c, p);
        __syncthreads();
        for (int at = threadIdx.x; at < K * K; at += blockDim.x) {
            const int i = at / K, j = at % K;
            now[at] = precise<W>(j == 0 ? -c[IIR_A + i] : W(0));
            if (j == i + 1) now[at] = precise<W>(W(1));
            m[at] = now[at];
        }
        for (int k = 1; k < p.powers; k++) {
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
        __syncthreads();
    }
}

/* y = the filter of x, (rows, n), from the states zi, (rows, K), which become zf.
 * Launch: blocks(s.tiles, SCAN_THREADS). */
template <class T, class W, int K>
__global__ void
iir_rows(const T *x, T *y, const T *zi, T *zf, const W *c, scan_layout s,
         unsigned int *workspace)
{
    iir_filter<T, K> op;
    op.x = x;
    op.y = y;
    op.zi = zi;
    op.zf = zf;
    op.powers = (const precise<W> *)(c + IIR_TRANSITIONS);
    op.length = s.n;
#pragma unroll
    for (int i = 0; i <= K; i++) op.b[i] = c[i];
#pragma unroll
    for (int i = 0; i < K; i++) op.a[i] = c[IIR_A + i];
    cupric::scan_rows(s, workspace, op);
}
