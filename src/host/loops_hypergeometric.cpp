/* The family hypergeometric of special functions. */
#define CUPRIC_ROWS "ops/special/hypergeometric.def"
#include "cupric/special/hypergeometric.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(hypergeometric, ONE_FORM_AROUND)
