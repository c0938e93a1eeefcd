/* kernel_types.hpp: the element types under the names that users' kernels know. */
#ifndef CUPRIC_KERNEL_TYPES_HPP
#define CUPRIC_KERNEL_TYPES_HPP

#include "cupric/device_types.hpp"

using cupric::bfloat16;
using cupric::complex;
using cupric::half;
typedef half float16;
namespace thrust {
using namespace cupric;
}

#endif
