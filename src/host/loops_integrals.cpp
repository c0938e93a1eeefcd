/* The family integrals of special functions. */
#define CUPRIC_ROWS "ops/special/integrals.def"
#include "cupric/special/integrals.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(integrals, ONE_FORM_AROUND)
