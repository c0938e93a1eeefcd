/* The unit of loops named logic in ops/columns.h. */
#include "host/loops.hpp"

void
CUPRIC_UNIT(logic)(cu_loop_row *table)
{
    cupric::fill_unit<CUPRIC_UNIT_logic, cupric::EVERY_FORM>(table);
}
