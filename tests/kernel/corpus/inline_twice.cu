//: x = np.zeros(4, dtype="i4")
//: k[1, 1](x)
//: x == [1, 2, 3, 4]
#define FORCED __forceinline__
__device__ __forceinline__ inline int one() { return 1; }
inline __device__ __forceinline__ int two() { return 2; }
FORCED inline __device__ int three() { return 3; }
template <typename T> __device__ __forceinline__ T four(T v) { return v; }
template <> __device__ __forceinline__ inline int four<int>(int) { return 4; }
extern "C" __global__ void k(int *x)
{
    x[0] = one();
    x[1] = two();
    x[2] = three();
    x[3] = four(0);
}
