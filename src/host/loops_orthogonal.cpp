/* The family orthogonal of special functions. */
#define CUPRIC_ROWS "ops/special/orthogonal.def"
#include "cupric/special/orthogonal.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(orthogonal, ONE_FORM_AROUND)
