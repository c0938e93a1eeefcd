/* The family bessel of special functions. */
#define CUPRIC_ROWS "ops/special/bessel.def"
#include "cupric/special/bessel.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(bessel, ONE_FORM_AROUND)
