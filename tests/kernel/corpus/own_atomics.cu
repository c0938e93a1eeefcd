//: x = np.array([3, -1, 2], dtype="f4")
//: y = np.array([5, 5, 5], dtype="i4")
//: d = np.array([1.5])
//: k[1, 32](x, y, d)
//: x == [0, 31, 2]
//: y == [0, 31, 501]
//: d == [31]
// A program's own functions beside those that are built in, as templates and overloads.
template <typename T>
__device__ T atomicMin(T *address, T value);
template <>
__device__ float atomicMin<float>(float *address, float value)
{
    int *p = (int *)address, old = *p, seen;
    do {
        seen = old;
        old = atomicCAS(p, seen, __float_as_int(fminf(value, __int_as_float(seen))));
    } while (seen != old);
    return __int_as_float(old);
}
static __device__ float atomicMax(float *address, float value)
{
    unsigned *p = (unsigned *)address, old = *p, seen;
    do {
        seen = old;
        old = atomicCAS(p, seen, __float_as_uint(fmaxf(value, __uint_as_float(seen))));
    } while (seen != old);
    return __uint_as_float(old);
}
__device__ double atomicMax(double *address, double value)
{
    unsigned long long *p = (unsigned long long *)address, old = *p, seen;
    do {
        seen = old;
        const double most = fmax(value, __longlong_as_double(seen));
        old = atomicCAS(p, seen, (unsigned long long)__double_as_longlong(most));
    } while (seen != old);
    return __longlong_as_double(old);
}
template <typename T> __device__ T atomicAdd(T *p, T v) { *p += v; return *p; }
template <typename T> __device__ T atomicExch(T *p, T v) { T old = *p; *p = v; return old; }
template <typename T> __device__ T atomicCAS(T *p, T a, T b) { return *p == a ? b : a; }
template <typename T> __device__ T atomicAnd(T *p, T v) { return *p &= v; }
template <typename T> __device__ T atomicOr(T *p, T v) { return *p |= v; }
template <typename T> __device__ T atomicXor(T *p, T v) { return *p ^= v; }
template <typename T> __device__ T atomicSub(T *p, T v) { return *p -= v; }

extern "C" __global__ void k(float *x, int *y, double *d)
{
    const int i = threadIdx.x;
    atomicMin(&x[0], (float)i);
    atomicMax(&x[1], (float)i);
    atomicMin(&y[0], i);
    atomicMax(&y[1], i);
    atomicAdd(&y[2], i);
    atomicMax(d, (double)i);
}
