//: x = np.zeros(4, dtype="i4")
//: count[2, 32](x)
//: read[1, 1](x)
//: x == [64, 5, 7, 3]
__device__ int counter, other = 5;
__device__ int grid[2][2] = {{1, 2}, {3, 4}};
__device__ volatile int flag;
namespace state { __device__ int value = 7; }
extern "C" {
__global__ void count(int *) { atomicAdd(&counter, 1); }
__global__ void read(int *x)
{
    x[0] = counter;
    x[1] = other;
    x[2] = state::value;
    x[3] = grid[1][0] + flag;
}
}
