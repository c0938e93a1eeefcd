//: x = np.arange(64, dtype="f4")
//: y = np.zeros(1, dtype="f4")
//: total[1, 64](x, y)
//: y == 2016
// What waits is in a method that a function calls, which a kernel calls.
struct summer {
    float *s;
    __device__ void meet() { __syncthreads(); }
    __device__ float sum(float v)
    {
        s[threadIdx.x] = v;
        meet();
        for (int half = blockDim.x / 2; half; half /= 2) {
            if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
            meet();
        }
        return s[0];
    }
};
__device__ float sum_of_block(float v)
{
    __shared__ float s[64];
    summer all = {s};
    return all.sum(v);
}
struct caller { __device__ float operator()(float v) const { return sum_of_block(v); } };
extern "C" __global__ void total(const float *x, float *y)
{
    const float sum = caller()(x[threadIdx.x]);
    if (threadIdx.x == 0) *y = sum;
}
