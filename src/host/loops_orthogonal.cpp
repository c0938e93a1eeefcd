/* cupric-build: -fno-tree-slp-vectorize */
/* The family orthogonal of special functions, of complex numbers, too: as
 * loops_elliptic.cpp. */
#define CUPRIC_ROWS "ops/special/orthogonal.def"
#include "cupric/special/orthogonal.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(orthogonal, ONE_FORM_AROUND)
