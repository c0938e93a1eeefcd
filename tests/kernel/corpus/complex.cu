//: z = np.array([1 + 2j, 3 - 1j], dtype="F")
//: w = np.array([1 + 2j])
//: k[1, 1](z, w)
//: z ~= [6 + 5j, 3 + 1j]
//: w ~= [-3 + 4j]
#include <cupy/complex.cuh>
#include <cuComplex.h>
extern "C" __global__ void k(complex<float> *z, cuDoubleComplex *w)
{
    z[0] = z[0] * z[1] + complex<float>(1, 0);
    z[1] = conj(z[1]);
    w[0] = cuCmul(w[0], w[0]);
}
