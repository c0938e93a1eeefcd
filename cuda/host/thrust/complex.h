/* thrust/complex.h: thrust::complex is cupric's complex. */
#ifndef CUPRIC_HOST_THRUST_COMPLEX_H
#define CUPRIC_HOST_THRUST_COMPLEX_H
#include "cupric/device_types.hpp"
namespace thrust {
using namespace cupric;
}
#endif
