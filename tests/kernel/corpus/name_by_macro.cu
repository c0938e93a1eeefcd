//: x = np.zeros(3, dtype="i4")
//: add_int[1, 1](x)
//: scaled[1, 1](x)
//: made_3[1, 1](x)
//: x == [1, 2, 3]
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define TYPE int
#define NAME scaled
#define KERNEL extern "C" __global__
#define MAKE(n) KERNEL void made_##n(int *x) { x[n - 1] = n; }

KERNEL void JOIN(add, TYPE)(TYPE *x) { x[0] = 1; }
extern "C" __global__ void NAME(int *x)
{
    x[1] = 2;
}
MAKE(3)
