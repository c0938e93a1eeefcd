//: x = np.zeros(4, dtype="i4")
//: k[1, 1](x)
//: x == [45, 120, 3, 28]
#define UNROLL 4
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
extern "C" __global__ void k(int *__restrict__ x)
{
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 10; i++) sum += i;
    x[0] = sum;
    x[1] = factorial(5);
    int n = 0;
again:
    if (++n < 3) goto again;
    x[2] = n;
    sum = 0;
#pragma unroll UNROLL
    for (int i : {1, 2, 4, 7, 14}) sum += i;
    do {
        switch (sum) {
        case 28: break;
        default: sum = 0;
        }
    } while (false);
    x[3] = sum;
}
