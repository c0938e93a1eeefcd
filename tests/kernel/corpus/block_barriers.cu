//: x = np.zeros((3, 64), dtype="i4")
//: k[1, 64](x)
//: x == np.array([[20], [1], [0]]) * np.ones(64)
extern "C" __global__ void k(int *x)
{
    const int t = threadIdx.x;
    x[t] = __syncthreads_count(t < 20);
    x[64 + t] = __syncthreads_or(t == 63) != 0;
    x[128 + t] = __syncthreads_and(t != 63);
    __threadfence();
    __threadfence_block();
    __threadfence_system();
}
