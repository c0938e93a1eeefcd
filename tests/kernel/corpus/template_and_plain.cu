//: names = ("k<float>", "twice<int, 2>")
//: x = np.zeros(2, dtype="i4")
//: y = np.zeros(1, dtype="f4")
//: k[1, 1](x)
//: k<float>[1, 1](y)
//: twice<int, 2>[1, 2](x)
//: x == [4, 0]
//: y == [1]
// One name for a kernel of C's linkage and a template; an instance that is asked for.
template <typename T>
__global__ void k(T *x) { *x = 1; }
template __global__ void k<double>(double *);
extern "C" __global__ void k(int *x) { *x = 2; }
template <typename T, int N>
__global__ void __launch_bounds__(64) twice(T *x) { x[threadIdx.x] *= N; }
