//: x = np.zeros(4, dtype="f4")
//: k[1, 1](x)
//: x == np.array([3, 1, 1e30, 7], dtype="f4")
__constant__ float M_PI = 3;
static const float M_E = 1.0f;
#ifndef INFINITY
#define INFINITY 1e30f
#endif
#define NAN 7
extern "C" __global__ void k(float *x)
{
    x[0] = M_PI;
    x[1] = M_E;
    x[2] = INFINITY;
    x[3] = NAN;
}
