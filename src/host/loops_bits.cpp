/* The unit of loops named bits in host/loops.h. */
#include "host/loops.hpp"

void
CUPRIC_UNIT(bits)(cu_loop_row *table)
{
    cupric::fill_unit<cupric::LOOP_UNIT_bits, cupric::EVERY_FORM>(table);
}
