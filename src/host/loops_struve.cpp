/* cupric-build: -fno-tree-slp-vectorize */
/* The family struve of special functions, of complex numbers, too: as
 * loops_elliptic.cpp. */
#define CUPRIC_ROWS "ops/special/struve.def"
#include "cupric/special/struve.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(struve, ONE_FORM_AROUND)
