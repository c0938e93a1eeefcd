/* kernel_types.hpp: the element types under the names that users' kernels know. */
#ifndef CUPRIC_KERNEL_TYPES_HPP
#define CUPRIC_KERNEL_TYPES_HPP

#include "cupric/device_types.hpp"

using cupric::bfloat16;
using cupric::complex;
#if !defined(CUPRIC_NO_HALF_NAME) /* for <cuda_fp16.h>, which has its own */
using cupric::half;
#endif
typedef cupric::half float16;
namespace thrust {
using namespace cupric;
}

#endif
