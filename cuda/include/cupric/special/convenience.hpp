/* special/convenience.hpp: short formulas that programs would write themselves, rows of ops/special/convenience.def:
 * of double, with loops and branches. Those of float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_CONVENIENCE_HPP
#define CUPRIC_SPECIAL_CONVENIENCE_HPP

#include "cupric/math/special.hpp"

#endif
