/* The unit of loops named comparison in ops/columns.h. */
#include "host/loops.hpp"

void
CUPRIC_UNIT(comparison)(cu_loop_row *table)
{
    cupric::fill_unit<CUPRIC_UNIT_comparison, cupric::EVERY_FORM>(table);
}
