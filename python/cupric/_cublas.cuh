#include "_cublas.h"
#include "cupric/kernels/group.hpp"
#include "cupric/math.hpp"
#include "cupric/pack.hpp"

constexpr int IN_FLIGHT = 4; /* packs, or elements, that a thread reads at a time */

/* As BLAS measures complex numbers: without a square root. */
template <class T>
__device__ inline auto
magnitude(const T x)
{
    if constexpr (cupric::is_complex<T>::value) {
        return cupric::absolute(x.re) + cupric::absolute(x.im);
    } else {
        return cupric::absolute(x);
    }
}

template <class T>
using found_in = cupric::placed<decltype(magnitude(T())), int>;

/* What the threads of a block have found, joined: the first thread's result is it. */
template <bool LARGEST, class F>
__device__ inline F
joined(F own, F *parts)
{
    const int thread = threadIdx.x;

    parts[thread] = own;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half)
            own = parts[thread] =
                cupric::extreme<LARGEST, false>(own, parts[thread + half]);
    }
    __syncthreads(); /* before the shared memory is reused */
    return own;
}

/* places (pieces,): where the first element of largest or of smallest magnitude of each
 * piece is, or the first NaN, counted from 1; values: its magnitude, if not NULL. A piece
 * has 16 bytes at least. Launch: blocks(pieces), THREADS. */
template <class T, bool LARGEST>
__global__ void
place_of_extreme(View<T, 1> x, int *places, decltype(magnitude(T())) *values,
                 long long pieces)
{
    typedef cupric::pack<T> P;
    __shared__ found_in<T> parts[THREADS];
    const int thread = threadIdx.x, threads = blockDim.x;
    const long long n = x.shape()[0], packs = n / P::size;
    const bool packed = cupric::is_packed(x);
    auto element = [&](long long i) {
        return found_in<T>{magnitude<T>(x[i]), (int)i + 1};
    };

    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long begin = packs * piece / pieces * P::size;
        const long long end =
            piece + 1 < pieces ? packs * (piece + 1) / pieces * P::size : n;
        found_in<T> best = element(begin);
        long long i = begin;
        if (packed) {
            const P *const data = (const P *)x.data;
            constexpr int each = IN_FLIGHT * P::size;
            for (; i + each * threads <= end; i += each * threads) {
                const long long first = i / P::size + thread;
                P next[IN_FLIGHT];
#pragma unroll
                for (int u = 0; u < IN_FLIGHT; u++) next[u] = data[first + u * threads];
#pragma unroll
                for (int u = 0; u < IN_FLIGHT; u++) {
                    const int at = (int)(first + u * threads) * P::size;
#pragma unroll
                    for (int k = 0; k < P::size; k++) {
                        const found_in<T> one{magnitude<T>(next[u].item[k]),
                                              at + k + 1};
                        best = cupric::extreme_in_order<LARGEST, false>(best, one);
                    }
                }
            }
        }
        i += thread;
        for (; i + (IN_FLIGHT - 1) * threads < end; i += IN_FLIGHT * threads) {
            found_in<T> next[IN_FLIGHT];
#pragma unroll
            for (int u = 0; u < IN_FLIGHT; u++) next[u] = element(i + u * threads);
#pragma unroll
            for (int u = 0; u < IN_FLIGHT; u++)
                best = cupric::extreme_in_order<LARGEST, false>(best, next[u]);
        }
        for (; i < end; i += threads)
            best = cupric::extreme_in_order<LARGEST, false>(best, element(i));
        best = joined<LARGEST>(best, parts);
        if (thread == 0) {
            places[piece] = best.index;
            if (values) values[piece] = best.value;
        }
    }
}

/* The same of what was found in the pieces. Launch: blocks(1), THREADS. */
template <class M, bool LARGEST>
__global__ void
place_among(const M *values, const int *places, int *out, long long pieces)
{
    typedef cupric::placed<M, int> found;
    __shared__ found parts[THREADS];

    CUPRIC_EACH_BLOCK (only, 1) {
        found best = {values[0], places[0]};
        for (long long i = threadIdx.x; i < pieces; i += blockDim.x)
            best = cupric::extreme_in_order<LARGEST, false>(
                best, found{values[i], places[i]});
        best = joined<LARGEST>(best, parts);
        if (threadIdx.x == 0) out[only] = best.index;
    }
}

/* y += factor * x, without memory in common. A piece is `each` elements, which a GPU reads at
 * once. Launch: elements, a piece each. */
template <class T>
__global__ void
add_multiple(T factor, View<T, 1> x, View<T, 1> y, int each)
{
    typedef cupric::pack<T> P;
    const long long n = y.shape()[0];
    const bool packed = cupric::is_packed(x) && cupric::is_packed(y);

    CUPRIC_EACH (piece, (n + each - 1) / each) {
        const long long begin = piece * each;
        const long long end = begin + each < n ? begin + each : n;
        if (!packed) {
            for (long long i = begin; i < end; i++) y[i] = factor * x[i] + y[i];
            continue;
        }
        if (end - begin == P::size) {
            const P a = *(const P *)(x.data + begin);
            P b = *(const P *)(y.data + begin);
#pragma unroll
            for (int u = 0; u < P::size; u++)
                b.item[u] = factor * a.item[u] + b.item[u];
            *(P *)(y.data + begin) = b;
            continue;
        }
        for (long long i = begin; i < end; i++)
            y.data[i] = factor * x.data[i] + y.data[i];
    }
}
