//: x = np.zeros(2, dtype="i4")
//: k[1, 1](x)
//: after[1, 1](x)
//: x == [3, 7]
__device__ int first(int);
static __device__ int second(int a, int b = 2);
extern "C" __global__ void k(int *x);
extern "C" __global__ void after(int *);

extern "C" __global__ void k(int *x) { x[0] = first(1) + second(0); }

__device__ int first(int a) { return a; }
static __device__ int second(int a, int b) { return a + b; }
__global__ void after(int *x) { x[1] = 7; }
