/* cupric-build: -fno-tree-slp-vectorize */
/* The family integrals of special functions, of complex numbers, too: as
 * loops_elliptic.cpp. */
#define CUPRIC_ROWS "ops/special/integrals.def"
#include "cupric/special/integrals.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(integrals, ONE_FORM_AROUND)
