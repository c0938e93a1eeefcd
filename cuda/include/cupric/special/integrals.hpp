/* special/integrals.hpp: exponential, trigonometric and other integrals, rows of ops/special/integrals.def:
 * of double, with loops and branches. Those of float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_INTEGRALS_HPP
#define CUPRIC_SPECIAL_INTEGRALS_HPP

#include "cupric/math/special.hpp"

#endif
