/* special/tables.hpp: tables of numbers that are read by an index, in functions: in a
 * GPU's constant memory, on the host in what every call shares.
 */
#ifndef CUPRIC_SPECIAL_TABLES_HPP
#define CUPRIC_SPECIAL_TABLES_HPP

#include "cupric/math/words.hpp"

#if defined(__CUDA_ARCH__)
#define CUPRIC_TABLE static __constant__
#else
#define CUPRIC_TABLE static const
#endif

CUPRIC_BEGIN
namespace complex_bessel {
using elementary::kept_coefficients;
}
CUPRIC_END

#endif
