//: names = ("outer::inner::deep<3>", "outer::plain")
//: x = np.zeros(5, dtype="i4")
//: linked[1, 1](x)
//: in_block[1, 1](x)
//: shown[1, 1](x)
//: outer::inner::deep<3>[1, 1](x)
//: outer::plain[1, 1](x)
//: x == [1, 2, 3, 4, 5]
namespace outer {
namespace {
__device__ int one() { return 1; }
}
extern "C" __global__ void linked(int *x) { x[0] = one(); }
extern "C" {
__global__ void in_block(int *x) { x[1] = 2; }
}
namespace inner {
template <int N>
__global__ void deep(int *x) { x[N] = N + 1; }
}
__global__ void plain(int *x) { x[4] = 5; }
}
namespace a::b { // of C++17
inline namespace v1 {
__device__ int three() { return 3; }
}
}
namespace alias = a::b;
namespace {
__device__ int hidden() { return alias::three(); }
}
extern "C" __global__ void shown(int *x) { x[2] = hidden(); }
