/* The family distributions of special functions. */
#define CUPRIC_ROWS "ops/special/distributions.def"
#include "cupric/special/distributions.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(distributions, ONE_FORM_AROUND)
