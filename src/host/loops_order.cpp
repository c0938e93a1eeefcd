/* The unit of loops named order in ops/columns.h. */
#include "host/loops.hpp"

void
CUPRIC_UNIT(order)(cu_loop_row *table)
{
    cupric::fill_unit<CUPRIC_UNIT_order, cupric::EVERY_FORM>(table);
}
