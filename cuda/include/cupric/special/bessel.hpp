/* special/bessel.hpp: Bessel functions of real arguments, rows of ops/special/bessel.def:
 * of double, with loops and branches. Those of float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_BESSEL_HPP
#define CUPRIC_SPECIAL_BESSEL_HPP

#include "cupric/math/special.hpp"

#endif
