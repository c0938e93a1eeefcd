/* The family convenience of special functions. */
#define CUPRIC_ROWS "ops/special/convenience.def"
#include "cupric/special/convenience.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(convenience, ONE_FORM_AROUND)
