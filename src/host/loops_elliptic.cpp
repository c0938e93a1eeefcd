/* The family elliptic of special functions. */
#define CUPRIC_ROWS "ops/special/elliptic.def"
#include "cupric/special/elliptic.hpp"
#include "host/family.hpp"

CUPRIC_FAMILY_LOOPS(elliptic, ONE_FORM_AROUND)
