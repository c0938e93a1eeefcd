/* _small_power.cuh: powers of stacks of matrices of up to 32 rows, a block to a matrix, on
 * GPUs.
 */
#include "_small_common.cuh"

/* to = a b, n by n without gaps: an element for each thread of the block. */
template <class T>
__device__ inline void
product(const T *a, const T *b, T *to, int n, int lane, int lanes)
{
    for (int e = lane; e < n * n; e += lanes) {
        const int i = e / n, j = e - i * n;
        T sum = a[i * n] * b[j];
        for (int k = 1; k < n; k++) sum += a[i * n + k] * b[k * n + j];
        to[e] = sum;
    }
    __syncthreads();
}

template <class T>
__device__ inline void
exchange(T *&a, T *&b)
{
    T *const was_a = a;
    a = b;
    b = was_a;
}

/* x (stack, n, n) = a to a positive power, by squares: D. E. Knuth, "The Art of Computer
 * Programming", volume 2, section 4.6.3, from the lowest bit. Launch: blocks(stack, threads)
 * with 3 n * n elements of shared memory. */
template <class T>
__global__ void
power_small(View<T, 3> a, T *x, long long power)
{
    const int n = (int)a.shape()[1], size = n * n;
    extern __shared__ __align__(16) char small_memory[];
    const small_group g = group_of_thread(small_memory, (int)blockDim.x, 0);
    const int lane = g.lane, lanes = g.lanes;
    T *const memory = (T *)g.memory;

    CUPRIC_EACH_BLOCK (at, a.shape()[0]) {
        T *square = memory, *result = memory + size, *spare = memory + 2 * size;
        bool begun = false;

        fetch(place_of(a, at), n, n, square, n, lane, lanes);
        __syncthreads();
        for (long long left = power; left > 0; left >>= 1) {
            if (left & 1) {
                if (begun) {
                    product(result, square, spare, n, lane, lanes);
                    exchange(result, spare);
                } else {
                    for (int e = lane; e < size; e += lanes) result[e] = square[e];
                    __syncthreads();
                }
                begun = true;
            }
            if (left > 1) {
                product(square, square, spare, n, lane, lanes);
                exchange(square, spare);
            }
        }
        for (int e = lane; e < size; e += lanes) x[at * size + e] = result[e];
        __syncthreads(); /* before the next matrix takes the memory */
    }
}
