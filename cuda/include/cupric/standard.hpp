/* standard.hpp: the part of the C++ standard library that device code uses: type traits, the
 * limits of numbers, pairs and tuples. NVRTC comes without it, and gets ours.
 */
#ifndef CUPRIC_STANDARD_HPP
#define CUPRIC_STANDARD_HPP

#if defined(__CUDACC_RTC__) && !defined(CUPRIC_HOST)
#include <cstdint>

#include "cupric/standard_limits.hpp"
#include "cupric/standard_traits.hpp"
#include "cupric/standard_tuple.hpp"
#else
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#endif

#endif
