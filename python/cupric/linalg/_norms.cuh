/* _norms.cuh: norms of matrices: one launch. */
#include "_norms.h"
#include "cupric/math.hpp"

/* out (stack) = of the sums of magnitudes along the last axis of x (stack, columns, n), the
 * largest of each matrix, or the least; NaN if one is. A block takes a matrix; `lanes` of
 * its threads, a power of two, a sum, next to each other where `lanes_first`.
 * Launch: THREADS, or any power of two between `lanes` and it. */
template <class T>
__global__ void
extreme_sums(View<T, 3> x, typename cupric::real_type<T>::type *out, int lanes,
             bool lanes_first, bool largest)
{
    typedef typename cupric::real_type<T>::type R;
    __shared__ R parts[THREADS]; /* (lanes, wide) */
    const R infinity = R(cupric::double_of(0x7ff0000000000000ull));
    const long long columns = x.shape()[1], n = x.shape()[2];
    const int thread = threadIdx.x, wide = blockDim.x / lanes;
    const int lane = lanes_first ? thread % lanes : thread / wide;
    const int place = lanes_first ? thread / lanes : thread % wide;
    const auto join = [largest](const R a, const R b) {
        return largest ? cupric::maximum(a, b) : cupric::minimum(a, b);
    };

    CUPRIC_EACH_BLOCK (matrix, x.shape()[0]) {
        R found = largest ? R(0) : infinity;
        for (long long begin = 0; begin < columns; begin += wide) {
            const long long column = begin + place;
            R *const own = parts + lane * wide + place;
            R sum = R(0);
            if (column < columns) {
#pragma unroll 4
                for (long long i = lane; i < n; i += lanes) {
                    const cupric::extent at[] = {matrix, column, i};
                    sum += cupric::absolute(x[at]);
                }
            }
            *own = sum;
            for (int half = lanes / 2; half > 0; half /= 2) {
                __syncthreads();
                if (lane < half) *own += own[half * wide];
            }
            if (lane == 0 && column < columns) found = join(found, *own);
            __syncthreads(); /* before others write there */
        }
        if (lane == 0) parts[place] = found;
        for (int half = wide / 2; half > 0; half /= 2) {
            __syncthreads();
            if (lane == 0 && place < half)
                parts[place] = join(parts[place], parts[place + half]);
        }
        if (thread == 0) out[matrix] = parts[0];
        __syncthreads(); /* before the shared memory is reused */
    }
}
