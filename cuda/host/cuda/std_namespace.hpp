/* cuda/std_namespace.hpp: cuda::std is the C++ library's namespace std. What a source declares
 * after a header of it is included is found as well. */
#ifndef CUPRIC_HOST_CUDA_STD_NAMESPACE_HPP
#define CUPRIC_HOST_CUDA_STD_NAMESPACE_HPP

#include <cstddef>

namespace cuda {
namespace std {
using namespace ::std;
}
} // namespace cuda

#endif
