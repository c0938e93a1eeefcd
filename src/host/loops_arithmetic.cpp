/* The unit of loops named arithmetic in ops/columns.h. */
#include "host/loops.hpp"

void
CUPRIC_UNIT(arithmetic)(cu_loop_row *table)
{
    cupric::fill_unit<CUPRIC_UNIT_arithmetic, cupric::EVERY_FORM>(table);
}
