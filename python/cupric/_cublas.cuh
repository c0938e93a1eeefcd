#include "cupric/kernels/group.hpp"
#include "cupric/math.hpp"
#include "cupric/pack.hpp"

constexpr int THREADS = 512; /* of a block */
constexpr int IN_FLIGHT = 8; /* elements that a thread reads at a time */

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

/* places (pieces,): where the first element of largest or of smallest magnitude of each
 * piece is, or the first NaN, counted from 1. The n elements are those of x, or, where
 * `among` is not NULL, those at places that were found before, in their order. Launch:
 * blocks of THREADS over the pieces, each of one element at least. */
template <class T, bool LARGEST>
__global__ void
place_of_extreme(View<T, 1> x, const int *among, long long n, int *places,
                 long long pieces)
{
    typedef cupric::placed<decltype(magnitude(T())), int> found;
    __shared__ found parts[THREADS];
    const int thread = threadIdx.x, threads = blockDim.x;
    auto element = [&](long long i) {
        const int at = among ? among[i] : (int)i + 1;
        return found{magnitude<T>(x[at - 1]), at};
    };

    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long begin = n * piece / pieces, end = n * (piece + 1) / pieces;
        found best = element(begin);
        long long i = begin + thread;
        for (; i + (IN_FLIGHT - 1) * threads < end; i += IN_FLIGHT * threads) {
            found next[IN_FLIGHT];
#pragma unroll
            for (int u = 0; u < IN_FLIGHT; u++) next[u] = element(i + u * threads);
#pragma unroll
            for (int u = 0; u < IN_FLIGHT; u++)
                best = cupric::extreme_in_order<LARGEST, false>(best, next[u]);
        }
        for (; i < end; i += threads)
            best = cupric::extreme_in_order<LARGEST, false>(best, element(i));
        parts[thread] = best;
        for (int half = threads / 2; half > 0; half /= 2) {
            __syncthreads();
            if (thread < half)
                parts[thread] = cupric::extreme<LARGEST, false>(parts[thread],
                                                                parts[thread + half]);
        }
        if (thread == 0) places[piece] = parts[0].index;
        __syncthreads(); /* before the shared memory is reused */
    }
}

/* y += factor * x, without memory in common. A piece is `each` elements: on a GPU what is
 * read at once. */
template <class T>
__global__ void
add_multiple(T factor, View<T, 1> x, View<T, 1> y, int each)
{
    const long long n = y.shape()[0];
    const bool packed = cupric::is_packed(x) && cupric::is_packed(y);

    CUPRIC_EACH (piece, (n + each - 1) / each) {
        const long long begin = piece * each;
        const long long end = begin + each < n ? begin + each : n;
        if (!packed) {
            for (long long i = begin; i < end; i++) y[i] = factor * x[i] + y[i];
            continue;
        }
#if !defined(CUPRIC_HOST)
        typedef cupric::pack<T> P;
        if (end - begin == P::size) {
            const P a = *(const P *)(x.data + begin);
            P b = *(const P *)(y.data + begin);
#pragma unroll
            for (int u = 0; u < P::size; u++)
                b.item[u] = factor * a.item[u] + b.item[u];
            *(P *)(y.data + begin) = b;
            continue;
        }
#endif
        for (long long i = begin; i < end; i++)
            y.data[i] = factor * x.data[i] + y.data[i];
    }
}
