/* The host's loops of the rows beside this file, as those of a family of the package. */
#define CUPRIC_ROWS "ops/special/orthogonal.def"
#include "cupric/math/special.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(orthogonal, ONE_FORM_AROUND)
