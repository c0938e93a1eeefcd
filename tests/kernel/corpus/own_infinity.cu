//: x = np.zeros(3, dtype="f4")
//: k[1, 1](x)
//: x == [4, 5, 6]
__device__ const float INFINITY = 4, M_PI = 6;
extern "C" __global__ void k(float *x)
{
    const float NAN = 5;
    x[0] = INFINITY;
    x[1] = NAN;
    x[2] = M_PI;
}
