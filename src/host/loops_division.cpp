/* The unit of loops named division in ops/columns.h. */
#include "host/constant_divisor.hpp"

void
CUPRIC_UNIT(division)(cu_loop_row *table)
{
    cupric::fill_unit<CUPRIC_UNIT_division, cupric::BATCHES>(table);
    cupric::fill_integer_divisions(table);
}
