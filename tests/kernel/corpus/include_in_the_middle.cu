//: x = np.zeros(2)
//: k[1, 1](x)
//: x ~= [np.pi, 2]
__device__ double half_of(double v) { return v / 2; }
#include <math_constants.h>
#include <math.h>
extern "C" __global__ void k(double *x)
{
    x[0] = half_of(2 * CUDART_PI) - M_PI + M_PI;
    x[1] = sqrt(4.0);
}
