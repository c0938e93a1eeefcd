/* device_types.hpp: the element types and the functions of complex numbers, for kernels.
 *
 * CUPRIC_REAL_ONLY: without the latter, which take a compiler longer than most kernels.
 * On the host device a kernel is compiled with __CUDA_ARCH__ set, as it expects, but these
 * headers have to know better.
 */
#ifndef CUPRIC_DEVICE_TYPES_HPP
#define CUPRIC_DEVICE_TYPES_HPP

#if defined(CUPRIC_HOST)
#pragma push_macro("__CUDA_ARCH__")
#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDACC_RTC__")
#undef __CUDA_ARCH__
#undef __CUDACC__
#undef __CUDACC_RTC__
#endif

#include "cupric/half_functions.hpp"
#include "cupric/types.hpp"
#if !defined(CUPRIC_REAL_ONLY) && __has_include("cupric/math/complex_names.hpp")
#include "cupric/math/complex_names.hpp"
#endif

#if defined(CUPRIC_HOST)
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__CUDACC__")
#pragma pop_macro("__CUDACC_RTC__")
#endif

#endif
