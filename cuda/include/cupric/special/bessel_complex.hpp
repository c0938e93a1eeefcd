/* special/bessel_complex.hpp: Bessel functions of complex arguments, and Airy functions, rows of ops/special/bessel_complex.def:
 * of double, with loops and branches. Those of float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_BESSEL_COMPLEX_HPP
#define CUPRIC_SPECIAL_BESSEL_COMPLEX_HPP

#include "cupric/math/special.hpp"

#endif
