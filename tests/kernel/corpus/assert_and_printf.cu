//: x = np.zeros(1, dtype="i4")
//: k[1, 1](x)
//: x == 1
#include <cassert>
#include <cstdio>
#include <stdio.h>
extern "C" __global__ void k(int *x)
{
    assert(x != nullptr && "there is none");
    if (*x < 0) printf("%d, __global__ void k(\n", *x);
    *x = 1;
}
