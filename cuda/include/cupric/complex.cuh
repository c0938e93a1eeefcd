/* complex.cuh: complex<T>, for kernels that include it by CuPy's name for the file. */
#ifndef CUPRIC_COMPLEX_CUH
#define CUPRIC_COMPLEX_CUH
#include "cupric/device_types.hpp"
using cupric::complex;
namespace thrust {
using namespace cupric;
}
#endif
