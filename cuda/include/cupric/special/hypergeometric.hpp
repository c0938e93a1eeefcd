/* special/hypergeometric.hpp: hypergeometric functions, rows of
 * ops/special/hypergeometric.def: of double and complex<double>, with loops and branches.
 */
#ifndef CUPRIC_SPECIAL_HYPERGEOMETRIC_HPP
#define CUPRIC_SPECIAL_HYPERGEOMETRIC_HPP

#include "cupric/special/confluent.hpp"
#include "cupric/special/gauss.hpp"
#include "cupric/special/tricomi.hpp"
#include "cupric/special/wright.hpp"

#endif
