/* The unit of loops named exponential in host/loops.h; one form each, as calls dominate. */
#include "host/loops.hpp"

void
CUPRIC_UNIT(exponential)(cu_loop_row *table)
{
    cupric::fill_unit<cupric::LOOP_UNIT_exponential, true>(table);
}
