/* special/beta.hpp: the beta function and its relatives, rows of ops/special/beta.def:
 * of double, with loops and branches. Those of float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_BETA_HPP
#define CUPRIC_SPECIAL_BETA_HPP

#include "cupric/math/special.hpp"

#endif
