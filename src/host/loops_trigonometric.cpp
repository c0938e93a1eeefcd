/* The unit of loops named trigonometric in host/loops.h; one form each, as calls dominate. */
#include "host/loops.hpp"

void
CUPRIC_UNIT(trigonometric)(cu_loop_row *table)
{
    cupric::fill_unit<cupric::LOOP_UNIT_trigonometric, true>(table);
}
