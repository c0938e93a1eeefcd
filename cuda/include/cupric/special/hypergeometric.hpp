/* special/hypergeometric.hpp: hypergeometric functions, rows of ops/special/hypergeometric.def:
 * of double, with loops and branches. Those of float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_HYPERGEOMETRIC_HPP
#define CUPRIC_SPECIAL_HYPERGEOMETRIC_HPP

#include "cupric/math/special.hpp"

#endif
