/* special/bessel.hpp: Bessel functions of real arguments, rows of ops/special/bessel.def:
 * of double, with loops and branches. Those of float are the same, rounded.
 *
 * Orders 0 and 1: tables by pieces, and of large arguments the modulus and the phase. Other
 * orders are in bessel_orders.hpp.
 */
#ifndef CUPRIC_SPECIAL_BESSEL_HPP
#define CUPRIC_SPECIAL_BESSEL_HPP

#include "cupric/special/bessel_orders.hpp"
#include "cupric/special/bessel_zeros.hpp"
#include "cupric/special/besselpoly.hpp"
#include "cupric/special/spherical.hpp"

#endif
