/* The unit of loops named order in host/loops.h. */
#include "host/loops.hpp"

void
CUPRIC_UNIT(order)(cu_loop_row *table)
{
    cupric::fill_unit<cupric::LOOP_UNIT_order, cupric::EVERY_FORM>(table);
}
