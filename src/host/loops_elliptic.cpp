/* cupric-build: -fno-tree-slp-vectorize */
/* The family elliptic of special functions.
 *
 * Where GCC 12 makes a vector of two products of complex numbers side by side, it takes
 * fused operations in spite of -ffp-contract=off: results would differ from a GPU's. */
#define CUPRIC_ROWS "ops/special/elliptic.def"
#include "cupric/special/elliptic.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(elliptic, ONE_FORM_AROUND)
