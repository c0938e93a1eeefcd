/* cupric-build: -fno-tree-slp-vectorize */
/* The family hypergeometric of special functions, of complex numbers, too: as
 * loops_elliptic.cpp. */
#define CUPRIC_ROWS "ops/special/hypergeometric.def"
#include "cupric/special/hypergeometric.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(hypergeometric, ONE_FORM_AROUND)
