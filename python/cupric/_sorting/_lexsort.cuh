#include "cupric/math.hpp"

constexpr int THREADS = 256;

/* -1 where a comes first, 1 where b does, 0 where they are equal; NaN is last. */
template <class T>
__device__ inline int
order_of(const T a, const T b)
{
    if (a < b) return -1;
    if (b < a) return 1;
    return int(cupric::is_nan(a)) - int(cupric::is_nan(b));
}

/* out (rows, n) = the places of elements in the order of x and, where they are equal, of y
 * and then z, or of the first `keys` of them; equal elements keep their order. How many
 * come before an element is counted, by `lanes` threads, a power of two, of a block for
 * each element. `pieces` of the elements: blockDim.x / lanes of a row, the last one less.
 * Launch: THREADS, or any power of two between `lanes` and it. */
template <class T>
__global__ void
lexsort(View<T, 2> x, View<T, 2> y, View<T, 2> z, long long *out, int keys, int lanes,
        long long pieces)
{
    __shared__ int counts[THREADS];
    const long long n = x.shape()[1];
    const int thread = threadIdx.x, lane = thread % lanes, wide = blockDim.x / lanes;
    const long long pieces_of_row = (n + wide - 1) / wide;

    CUPRIC_EACH_BLOCK (piece, pieces) {
        const long long row = piece / pieces_of_row;
        const long long i = (piece - row * pieces_of_row) * wide + thread / lanes;
        int count = 0;

        if (i < n) {
            const cupric::extent at[] = {row, i};
            const T own_x = x[at], own_y = keys > 1 ? y[at] : T(),
                    own_z = keys > 2 ? z[at] : T();
            for (long long j = lane; j < n; j += lanes) {
                const cupric::extent from[] = {row, j};
                int order = order_of<T>(x[from], own_x);
                if (order == 0 && keys > 1) order = order_of<T>(y[from], own_y);
                if (order == 0 && keys > 2) order = order_of<T>(z[from], own_z);
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
