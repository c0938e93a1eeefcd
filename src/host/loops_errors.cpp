/* cupric-build: -fno-tree-slp-vectorize */
/* The family errors of special functions, of complex numbers, too: as
 * loops_elliptic.cpp. */
#define CUPRIC_ROWS "ops/special/errors.def"
#include "cupric/special/errors.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(errors, ONE_FORM_AROUND)
