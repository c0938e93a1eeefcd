/* cupric-build: -fno-tree-slp-vectorize */
/* The family gamma of special functions, of complex numbers, too: as
 * loops_elliptic.cpp. */
#define CUPRIC_ROWS "ops/special/gamma.def"
#include "cupric/special/gamma.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(gamma, ONE_FORM_AROUND)
