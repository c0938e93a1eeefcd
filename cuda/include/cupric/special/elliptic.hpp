/* special/elliptic.hpp: elliptic integrals and functions, rows of ops/special/elliptic.def:
 * of double, with loops and branches. Those of float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_ELLIPTIC_HPP
#define CUPRIC_SPECIAL_ELLIPTIC_HPP

#include "cupric/math/special.hpp"

#endif
