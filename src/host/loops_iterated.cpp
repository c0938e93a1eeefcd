/* The unit of loops named iterated in ops/columns.h: no batches, as no vectors are made of
 * what branches. */
#define CUPRIC_SPECIAL_BODIES
#include "cupric/math/iterated.hpp"
#include "host/loops.hpp"

void
CUPRIC_UNIT(iterated)(cu_loop_row *table)
{
    cupric::fill_unit<CUPRIC_UNIT_iterated, cupric::ONE_FORM_AROUND>(table);
}
