/* The family beta of special functions. */
#define CUPRIC_ROWS "ops/special/beta.def"
#include "cupric/special/beta.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(beta, ONE_FORM_AROUND)
