/* special/distributions.hpp: cumulative distributions of probability, rows of ops/special/distributions.def:
 * of double, with loops and branches. Those of float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_DISTRIBUTIONS_HPP
#define CUPRIC_SPECIAL_DISTRIBUTIONS_HPP

#include "cupric/math/special.hpp"

#endif
