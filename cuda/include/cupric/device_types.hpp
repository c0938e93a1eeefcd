/* device_types.hpp: the element types and the functions of complex numbers, for kernels.
 *
 * CUPRIC_REAL_ONLY: without the latter, which take a compiler longer than most kernels.
 * On the host device a kernel is compiled with __CUDA_ARCH__ set, as it expects, but these
 * headers have to know better.
 */
#ifndef CUPRIC_DEVICE_TYPES_HPP
#define CUPRIC_DEVICE_TYPES_HPP

/* The order counts. */
/* clang-format off */
#include "cupric/host_view_begin.hpp"
#include "cupric/half_functions.hpp"
#include "cupric/types.hpp"
/* clang-format on */
#if !defined(CUPRIC_REAL_ONLY) && __has_include("cupric/math/complex_names.hpp")
#include "cupric/math/complex_names.hpp"
#endif

#include "cupric/host_view_end.hpp"

#endif
