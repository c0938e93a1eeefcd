/* The unit of loops named special in ops/columns.h, whose functions of 16-bit floats and
 * integers share the code of other floats. */
#define CUPRIC_SPECIAL_BODIES
#include "host/loops.hpp"

void
CUPRIC_UNIT(special)(cu_loop_row *table)
{
    cupric::fill_unit<CUPRIC_UNIT_special, cupric::PLAIN_BATCHES>(table);
}
