//: x = np.arange(64, dtype="f4")
//: k[2, 32](x)
//: x == np.arange(64).reshape(2, 32)[:, ::-1].ravel()
#define N 32
extern "C" __global__ void k(float *x)
{
    __shared__ float tile[N];
    static __shared__ int unused[4];
    __shared__ __align__(16) char bytes[64];
    volatile __shared__ float last;
    const int i = threadIdx.x;
    float *mine = x + blockIdx.x * N;
    tile[i] = mine[i];
    if (i == 0) {
        unused[0] = 1;
        bytes[0] = 0;
        last = 0;
    }
    __syncthreads();
    mine[i] = tile[N - 1 - i] + last + bytes[0];
}
