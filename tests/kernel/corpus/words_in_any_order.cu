//: x = np.zeros(9, dtype="i4")
//: a[1, 1](x)
//: b[1, 1](x)
//: c[1, 1](x)
//: d[1, 1](x)
//: e[1, 1](x)
//: f[1, 1](x)
//: g[1, 1](x)
//: x == [1, 2, 3, 4, 5, 6, 7, 0, 0]
#define INLINE __forceinline__
extern "C" __global__ __global__ void a(int *x) { x[0] = 1; }
extern "C" __global__ void __global__ b(int *x) { x[1] = 2; }
extern "C" void __global__ c(int *x) { x[2] = 3; }
extern "C" __global__ inline void d(int *x) { x[3] = 4; }
extern "C" inline __global__ void __launch_bounds__(128) e(int *x) { x[4] = 5; }
extern "C" __launch_bounds__(128, 2) __global__ void f(int *__restrict__ x) { x[5] = 6; }
static __host__ __device__ __host__ int seven() { return 7; }
int static __device__ zero() { return 0; }
inline __device__ static int also_zero() { return 0; }
extern "C" __global__ void __launch_bounds__(32) g(int *x) { x[6] = seven() + zero() + also_zero(); }
