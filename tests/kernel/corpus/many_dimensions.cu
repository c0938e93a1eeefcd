//: x = np.zeros(48, dtype="i4")
//: k[(2, 3), (2, 2, 2)](x)
//: x == np.arange(48)
extern "C" __global__ void k(int *x)
{
    const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int i = block * blockDim.x * blockDim.y * blockDim.z + thread;
    x[i] = i + warpSize - 32;
}
