/* special/struve.hpp: Struve and Kelvin functions, rows of ops/special/struve.def: of double,
 * with loops and branches. Those of float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_STRUVE_HPP
#define CUPRIC_SPECIAL_STRUVE_HPP

#include "cupric/special/kelvin.hpp"
#include "cupric/special/struve_functions.hpp"

#endif
