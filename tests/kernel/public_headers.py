"""The headers that users' kernels include, and kernels that call what they declare."""

# on both devices
CUPY = [
    "cupy/atomics.cuh",
    "cupy/carray.cuh",
    "cupy/complex.cuh",
    "cupy/cuda_workaround.h",
    "cupy/float16.cuh",
    "cupy/hip_workaround.cuh",
    "cupy/math_constants.h",
    "cupy/pair.cuh",
    "cupy/swap.cuh",
    "cupy/tuple.cuh",
    "cupy/type_dispatcher.cuh",
    "cupric/complex.cuh",
    "cupric/carray.cuh",
]
CUDA = [
    "cuda_fp16.h",
    "cuda_bf16.h",
    "cuComplex.h",
    "math_constants.h",
    "cooperative_groups.h",
    "cuda_runtime.h",
    "device_launch_parameters.h",
    "thrust/complex.h",
    "cuda/atomic",
    "cuda/barrier",
    "curand_kernel.h",
]
CUDA_STD = [
    f"cuda/std/{name}"
    for name in [
        "array",
        "atomic",
        "cassert",
        "cfloat",
        "climits",
        "cmath",
        "complex",
        "cstddef",
        "cstdint",
        "cstdlib",
        "functional",
        "initializer_list",
        "iterator",
        "limits",
        "numeric",
        "optional",
        "tuple",
        "type_traits",
        "utility",
        "variant",
    ]
]
CUB = [
    "cub/cub.cuh",
    *(
        f"cub/block/block_{name}.cuh"
        for name in [
            "adjacent_difference",
            "discontinuity",
            "exchange",
            "histogram",
            "load",
            "merge_sort",
            "radix_sort",
            "reduce",
            "scan",
            "shuffle",
            "store",
        ]
    ),
    "cub/warp/warp_reduce.cuh",
    "cub/warp/warp_scan.cuh",
]
STANDARD = [
    *("cmath", "cstdint", "cfloat", "climits", "limits", "tuple", "type_traits"),
    *("utility", "stdint.h", "math.h", "stdio.h", "assert.h", "stddef.h"),
]
HEADERS = [*CUPY, *CUDA, *CUDA_STD, *CUB, *STANDARD]
STANDARDS = ["c++11", "c++14", "c++17", "c++20"]


def including(header):
    return f'#include <{header}>\nextern "C" __global__ void f(int *x) {{ *x = 1; }}'


CUPY_KERNEL = r"""
#include <cupy/cuda_workaround.h>
#include <cupy/tuple.cuh>
#include <cupy/float16.cuh>
#include <cupy/type_dispatcher.cuh>
#include <cupy/math_constants.h>
#include <cupy/swap.cuh>
#include <cupy/carray.cuh>
template <> struct std::is_floating_point<float16> : std::true_type {};
struct Size { template <class T> __device__ void operator()(int *out) { *out = sizeof(T); } };
template <class T, class = typename std::enable_if<std::is_signed<T>::value>::type>
__device__ int sign_of(T x) { return x < 0 ? -1 : 1; }
extern "C" __global__ void k(double *x, int *n, float16 *h) {
    static_assert(std::is_same<std::decay_t<const int &>, int>::value, "");
    static_assert(std::is_integral_v<unsigned> && !std::is_integral<float>::value, "");
    static_assert(std::numeric_limits<int>::max() == 2147483647, "");
    static_assert(std::numeric_limits<unsigned char>::max() == 255, "");
    static_assert(std::numeric_limits<long long>::lowest() < -9223372036854775807ll, "");
    static_assert(std::is_same<std::common_type_t<int, double>, double>::value, "");
    static_assert(std::is_same<std::make_unsigned_t<int>, unsigned>::value, "");
    static_assert(std::is_floating_point<float16>::value, "");
    thrust::tuple<int, float, double> t(1, 2.5f, 3.25);
    thrust::get<0>(t) += 4;
    auto u = thrust::make_tuple(7, 8.0);
    int a; double b;
    thrust::tie(a, b) = u;
    thrust::pair<int, double> p = thrust::make_pair(3, 0.5);
    x[0] = thrust::get<0>(t) + thrust::get<1>(t) + thrust::get<2>(t);
    x[1] = a + b + p.first + thrust::get<1>(p);
    x[2] = CUDART_PI; x[3] = CUDART_INF; x[4] = CUDART_NAN_F;
    x[5] = std::numeric_limits<double>::epsilon();
    x[6] = std::numeric_limits<float>::infinity();
    double c = 1, d = 2; thrust::swap(c, d); x[7] = c;
    x[8] = sign_of(-3) + (thrust::make_tuple(1, 2) < thrust::make_tuple(1, 3));
    dtype_dispatcher(CUPY_TYPE_COMPLEX128, Size(), n);
    dtype_dispatcher(CUPY_TYPE_FLOAT16, Size(), n + 1);
    h[0] = h[0] * h[1]; n[2] = isnan(h[2]) + 2 * isinf(h[0]); h[1] = nextafter(h[1], h[2] == h[2] ? h[2] : float16(9.f));
    CUPY_FOR(i, 3) n[3 + i] = i;
}
"""

STD_KERNEL = r"""
#include <cuda/std/type_traits>
#include <cuda/std/limits>
#include <cuda/std/complex>
#include <cuda/std/tuple>
#include <cuda/std/array>
#include <cuda/std/utility>
#include <cuda/std/cmath>
#include <cuda/std/functional>
#include <cuda/std/cstdint>
#include <cuda/atomic>
#include <cuda/barrier>
template <class T> __device__ T twice(T x) { return cuda::std::plus<T>()(x, x); }
extern "C" __global__ void k(double *x, int *n) {
    static_assert(cuda::std::is_same_v<cuda::std::int32_t, int>, "");
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[64];
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    s[threadIdx.x] = threadIdx.x;
    bar.arrive_and_wait();
    cuda::atomic_ref<int, cuda::thread_scope_device> r(n[0]);
    r.fetch_add(s[63 - threadIdx.x], cuda::std::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_block>(n[1]).fetch_max((int)threadIdx.x);
    if (threadIdx.x) return;
    cuda::std::complex<double> z(1, 2);
    z = z * cuda::std::complex<double>(0, 1);
    auto t = cuda::std::make_tuple(1, 2.5);
    cuda::std::array<int, 3> a = {1, 2, 3};
    x[0] = z.real() + cuda::std::get<1>(t) + a[2] + twice(4);
    x[1] = cuda::std::numeric_limits<float>::max();
    x[2] = cuda::std::sqrt(2.0) + cuda::std::max(3, 4) + cuda::std::abs(-2.5);
}
"""

RANDOM_KERNEL = r"""
#include <curand_kernel.h>
template <class S> __device__ void all(unsigned long long seed, unsigned long long sub, unsigned long long off, double *out)
{
    S s; curand_init(seed, sub, off, &s);
    int i = 0;
    for (int k = 0; k < 10; k++) out[i++] = curand(&s);
    out[i++] = curand_uniform(&s); out[i++] = curand_uniform_double(&s);
    out[i++] = curand_normal(&s); out[i++] = curand_normal(&s); out[i++] = curand_normal(&s);
    out[i++] = curand_normal_double(&s);out[i++] = curand_normal_double(&s);
    float2 v = curand_normal2(&s); out[i++] = v.x; out[i++] = v.y;
    double2 w = curand_normal2_double(&s); out[i++] = w.x; out[i++] = w.y;
    out[i++] = curand_log_normal(&s, 0.5f, 2.0f);
    skipahead(1234567890123ull, &s); out[i++] = curand(&s);
}
extern "C" __global__ void k(double *out, unsigned long long seed, unsigned long long sub, unsigned long long off) {
    all<curandStateXORWOW_t>(seed, sub, off, out);
    all<curandStatePhilox4_32_10_t>(seed, sub, off, out + 32);
    all<curandStateMRG32k3a_t>(seed, sub, off, out + 64);
    curandStatePhilox4_32_10_t s; curand_init(seed, sub, off, &s);
    uint4 u = curand4(&s); out[96] = u.x; out[97] = u.y; out[98] = u.z; out[99] = u.w;
    float4 f = curand_uniform4(&s); out[100] = f.x; out[101] = f.w;
    f = curand_normal4(&s); out[102] = f.x; out[103] = f.y; out[104] = f.z; out[105] = f.w;
    double2 d = curand_uniform2_double(&s); out[106] = d.x; out[107] = d.y; double4 e = curand_uniform4_double(&s); out[108]=e.z; e=curand_normal4_double(&s); out[109]=e.w;
}
"""

CUB_KERNELS = r"""
#include <cub/cub.cuh>
struct Running { int total; __device__ Running(int t) : total(t) {} __device__ int operator()(int s) { int before = total; total += s; return before; } };
struct Larger { template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
struct NotEqual { template <class T> __device__ bool operator()(T a, T b) const { return a != b; } };
struct Minus { template <class T> __device__ T operator()(T a, T b) const { return a - b; } };
struct Less { template <class T> __device__ bool operator()(const T &a, const T &b) const { return a < b; } };
extern "C" __global__ void sums(const int *x, int *out) {
    typedef cub::BlockReduce<int, 128> Reduce;
    typedef cub::BlockScan<int, 128> Scan;
    typedef cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
    __shared__ union { typename Reduce::TempStorage reduce; typename Scan::TempStorage scan;
        typename Load::TempStorage load; typename Store::TempStorage store; } temp;
    int v[4], w[4];
    Load(temp.load).Load(x, v); __syncthreads();
    int sum = Reduce(temp.reduce).Sum(v); __syncthreads();
    if (threadIdx.x == 0) out[0] = sum;
    int most = Reduce(temp.reduce).Reduce(v[0], Larger(), 100); __syncthreads();
    if (threadIdx.x == 0) out[1] = most;
    int all;
    Scan(temp.scan).ExclusiveSum(v, w, all); __syncthreads();
    if (threadIdx.x == 5) out[2] = all;
    Store(temp.store).Store(out + 8, w); __syncthreads();
    Running running(1000);
    Scan(temp.scan).InclusiveSum(v, w, running); __syncthreads();
    Store(temp.store).Store(out + 520, w, 510); __syncthreads();
    int y; Scan(temp.scan).InclusiveScan(v[0], y, Larger()); __syncthreads();
    out[1032 + threadIdx.x] = y;
    Scan(temp.scan).ExclusiveScan(v[0], y, -5, Larger(), all); __syncthreads();
    out[1160 + threadIdx.x] = y;
    if (threadIdx.x == 0) out[3] = all;
}
extern "C" __global__ void sorts(float *keys, int *values, unsigned *other) {
    typedef cub::BlockRadixSort<float, 64, 3, int> Sort;
    typedef cub::BlockRadixSort<unsigned, 64, 3> Digits;
    __shared__ typename Sort::TempStorage temp; __shared__ typename Digits::TempStorage digits;
    float k[3]; int v[3]; unsigned u[3];
    for (int i = 0; i < 3; i++) { k[i] = keys[threadIdx.x * 3 + i]; v[i] = threadIdx.x * 3 + i; u[i] = other[threadIdx.x * 3 + i]; }
    Sort(temp).SortDescending(k, v);
    Digits(digits).Sort(u, 4, 12);
    cub::StoreDirectBlocked(threadIdx.x, keys, k); cub::StoreDirectBlocked(threadIdx.x, values, v); cub::StoreDirectBlocked(threadIdx.x, other, u);
    __syncthreads();
    typedef cub::BlockMergeSort<float, 64, 3, int> Merge;
    __shared__ typename Merge::TempStorage merge;
    Merge(merge).Sort(k, v, Less());
    cub::StoreDirectBlocked(threadIdx.x, keys + 192, k); cub::StoreDirectBlocked(threadIdx.x, values + 192, v);
}
extern "C" __global__ void others(const int *x, int *out) {
    typedef cub::BlockExchange<int, 64, 2> Exchange;
    typedef cub::BlockDiscontinuity<int, 64> Flags;
    typedef cub::BlockAdjacentDifference<int, 64> Difference;
    typedef cub::BlockHistogram<unsigned char, 64, 2, 8> Histogram;
    typedef cub::BlockShuffle<int, 64> Shuffle;
    __shared__ typename Exchange::TempStorage a; __shared__ typename Flags::TempStorage b;
    __shared__ typename Difference::TempStorage c; __shared__ typename Histogram::TempStorage d;
    __shared__ typename Shuffle::TempStorage e;
    __shared__ unsigned counts[8];
    int v[2] = {x[threadIdx.x * 2], x[threadIdx.x * 2 + 1]}, w[2];
    Exchange(a).BlockedToStriped(v, w);
    out[threadIdx.x * 2] = w[0]; out[threadIdx.x * 2 + 1] = w[1];
    Flags(b).FlagHeads(w, v, NotEqual());
    out[128 + threadIdx.x * 2] = w[0]; out[128 + threadIdx.x * 2 + 1] = w[1];
    Difference(c).SubtractLeft(v, w, Minus());
    out[256 + threadIdx.x * 2] = w[0]; out[256 + threadIdx.x * 2 + 1] = w[1];
    unsigned char bins[2] = {(unsigned char)(v[0] & 7), (unsigned char)(v[1] & 7)};
    Histogram(d).Histogram(bins, counts);
    __syncthreads();
    if (threadIdx.x < 8) out[384 + threadIdx.x] = counts[threadIdx.x];
    int y = -1; Shuffle(e).Offset(v[0], y, 3);
    out[392 + threadIdx.x] = y;
    typedef cub::WarpReduce<int> WarpReduce; typedef cub::WarpScan<int, 8> WarpScan;
    __shared__ typename WarpReduce::TempStorage f[2]; __shared__ typename WarpScan::TempStorage g[8];
    int s = WarpReduce(f[threadIdx.x / 32]).Sum(v[0]);
    if (threadIdx.x % 32 == 0) out[456 + threadIdx.x / 32] = s;
    int t; WarpScan(g[threadIdx.x / 8]).InclusiveSum(v[0], t);
    out[458 + threadIdx.x] = t;
    s = WarpReduce(f[threadIdx.x / 32]).HeadSegmentedSum(v[0], threadIdx.x % 5 == 0);
    out[522 + threadIdx.x] = s;
}
"""

POISSON_KERNELS = r"""
#include <curand_kernel.h>
extern "C" __global__ void init(curandState *s, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) curand_init(42, i, 0, s + i);
}
extern "C" __global__ void draw(curandState *s, int *x, double mean, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int k = 0; k < 20; k++) x[i * 20 + k] = curand_poisson(s + i, mean);
    }
}
"""
KERNELS = [CUPY_KERNEL, STD_KERNEL, RANDOM_KERNEL, CUB_KERNELS, POISSON_KERNELS]
