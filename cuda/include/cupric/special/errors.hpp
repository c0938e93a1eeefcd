/* special/errors.hpp: the error function and its relatives, rows of ops/special/errors.def:
 * of double, with loops and branches. Those of float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_ERRORS_HPP
#define CUPRIC_SPECIAL_ERRORS_HPP

#include "cupric/math/special.hpp"

#endif
