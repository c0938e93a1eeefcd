/* cupric-build: -fno-tree-slp-vectorize */
/* The family convenience of special functions, of complex numbers, too: as
 * loops_elliptic.cpp. */
#define CUPRIC_ROWS "ops/special/convenience.def"
#include "cupric/special/convenience.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(convenience, ONE_FORM_AROUND)
