/* The unit of loops named division in ops/columns.h; one form each, as calls dominate. */
#include "host/loops.hpp"

void
CUPRIC_UNIT(division)(cu_loop_row *table)
{
    cupric::fill_unit<CUPRIC_UNIT_division, cupric::ONE_FORM>(table);
}
