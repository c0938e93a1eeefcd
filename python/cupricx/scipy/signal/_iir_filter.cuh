/* _iir_filter.cuh: recursive filters as scans over their states (_iir.cuh). */
#ifndef CUPRIC_SIGNAL_IIR_FILTER_CUH
#define CUPRIC_SIGNAL_IIR_FILTER_CUH

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

/* The same, of powers that are not so great that float64 would lose more by them than
 * from element to element. */
template <class W, int K>
__device__ inline void
advance_plainly(const precise<W> *m, W (&z)[K])
{
    W next[K];
#pragma unroll
    for (int i = 0; i < K; i++) {
        W sum = m[i * K].rounded() * z[0];
#pragma unroll
        for (int j = 1; j < K; j++) sum = sum + m[i * K + j].rounded() * z[j];
        next[i] = sum;
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

/* Whether float64 loses nothing that counts by powers of this size: of results of float32
 * a few bits more. */
template <class T>
__device__ inline bool
is_moderate(double size)
{
    return size < (sizeof(T) == sizeof(typename wide_type<T>::type) ? 256.0 : 1e6);
}
template <class T>
__device__ inline bool
is_moderate(const complex<double> &size)
{
    return is_moderate<T>(size.real());
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
    bool is_plain;            /* whether these are all of moderate size */
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
        if (K > 1 && is_plain) {
            const precise<W> *m = powers;
            for (long long n = q.n; n > 0; n /= 2, m += K * K) {
                if (n % 2) advance_plainly(m, s.z);
            }
        } else if constexpr (K > 2) {
            advance_apart(powers, q.n, s.z);
        } else {
            advance_by(powers, q.n, s.z);
        }
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

#endif
