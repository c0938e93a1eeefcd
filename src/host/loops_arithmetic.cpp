/* The unit of loops named arithmetic in host/loops.h. */
#include "host/loops.hpp"

void
CUPRIC_UNIT(arithmetic)(cu_loop_row *table)
{
    cupric::fill_unit<cupric::LOOP_UNIT_arithmetic, cupric::EVERY_FORM>(table);
}
