/* cupric-build: -fno-tree-slp-vectorize */
/* The family hypergeometric of special functions.
 *
 * Of two products of complex numbers side by side GCC 12 makes fused operations, which it is
 * told not to, where it makes vectors of single numbers: results would differ. */
#define CUPRIC_ROWS "ops/special/hypergeometric.def"
#include "cupric/special/hypergeometric.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(hypergeometric, ONE_FORM_AROUND)
