/* The unit of loops named bits in ops/columns.h. */
#include "host/loops.hpp"

void
CUPRIC_UNIT(bits)(cu_loop_row *table)
{
    cupric::fill_unit<CUPRIC_UNIT_bits, cupric::EVERY_FORM>(table);
}
