/* cupric-build: -fno-tree-slp-vectorize */
/* The family bessel_complex of special functions, of complex numbers, too: as
 * loops_elliptic.cpp. */
#define CUPRIC_ROWS "ops/special/bessel_complex.def"
#include "cupric/special/bessel_complex.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(bessel_complex, ONE_FORM_AROUND)
