/* special/orthogonal.hpp: orthogonal polynomials and spherical harmonics, rows of ops/special/orthogonal.def:
 * of double, with loops and branches. Those of float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_ORTHOGONAL_HPP
#define CUPRIC_SPECIAL_ORTHOGONAL_HPP

#include "cupric/math/special.hpp"

#endif
