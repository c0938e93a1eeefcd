/* _lexsort.cuh: the order of short rows by several keys. */
#include "_lexsort.h"
#include "cupric/math.hpp"

/* -1 where a comes first, 1 where b does, 0 where they are equal; NaN is last. */
template <class T>
__device__ inline int
order_of(const T a, const T b)
{
    if (a < b) return -1;
    if (b < a) return 1;
    return int(cupric::is_nan(a)) - int(cupric::is_nan(b));
}

/* out (rows, n) = the places of elements in the order of x[0] and, where they are equal, of
 * x[1] and then x[2]; equal elements keep their order. How many come before an element is
 * counted. Launch: blocks(p.pieces), THREADS, or any power of two between p.lanes and it. */
template <class T>
__global__ void
lexsort(Views<T, 2, KEYS> x, long long *out, lexsort_sizes p)
{
    __shared__ int counts[THREADS];
    const long long n = x[0].shape()[1];
    const int keys = p.keys, lanes = p.lanes;
    const int thread = threadIdx.x, lane = thread % lanes, wide = blockDim.x / lanes;
    const long long pieces_of_row = (n + wide - 1) / wide;

    CUPRIC_EACH_BLOCK (piece, p.pieces) {
        const long long row = piece / pieces_of_row;
        const long long i = (piece - row * pieces_of_row) * wide + thread / lanes;
        int count = 0;

        if (i < n) {
            const cupric::extent at[] = {row, i};
            const T own_x = x[0][at], own_y = keys > 1 ? x[1][at] : T(),
                    own_z = keys > 2 ? x[2][at] : T();
            for (long long j = lane; j < n; j += lanes) {
                const cupric::extent from[] = {row, j};
                int order = order_of<T>(x[0][from], own_x);
                if (order == 0 && keys > 1) order = order_of<T>(x[1][from], own_y);
                if (order == 0 && keys > 2) order = order_of<T>(x[2][from], own_z);
                count += order < 0 || (order == 0 && j < i);
            }
        }
        counts[thread] = count;
        for (int half = lanes / 2; half > 0; half /= 2) {
            __syncthreads();
            if (lane < half) counts[thread] += counts[thread + half];
        }
        if (lane == 0 && i < n) out[row * n + counts[thread]] = i;
        __syncthreads(); /* before the shared memory is reused */
    }
}
