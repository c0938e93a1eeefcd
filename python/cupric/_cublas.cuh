#include "cupric/kernels/group.hpp"
#include "cupric/math.hpp"

constexpr int THREADS = 512;

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

/* *place: where the first element of largest or of smallest magnitude is, or the first
 * NaN, counted from 1; of one element at least. Launch: one block of THREADS. */
template <class T, bool LARGEST>
__global__ void
place_of_extreme(View<T, 1> x, int *place)
{
    typedef cupric::placed<decltype(magnitude(T())), long long> found;
    __shared__ found parts[THREADS];
    const long long n = x.shape()[0];
    const int thread = threadIdx.x;

    CUPRIC_EACH_BLOCK (block, 1) {
        found best = {magnitude<T>(x[0]), 0};
        for (long long i = thread; i < n; i += blockDim.x) {
            const found next = {magnitude<T>(x[i]), i};
            best = cupric::extreme<LARGEST, false>(best, next);
        }
        parts[thread] = best;
        for (int half = blockDim.x / 2; half > 0; half /= 2) {
            __syncthreads();
            if (thread < half)
                parts[thread] = cupric::extreme<LARGEST, false>(parts[thread],
                                                                parts[thread + half]);
        }
        if (thread == 0) *place = (int)parts[0].index + 1;
    }
}
