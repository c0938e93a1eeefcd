/* The unit of loops named special in ops/columns.h; erf and erfc vectorise. */
#define CUPRIC_SPECIAL_BODIES
#include "host/loops.hpp"

void
CUPRIC_UNIT(special)(cu_loop_row *table)
{
    cupric::fill_unit<CUPRIC_UNIT_special, cupric::EVERY_FORM>(table);
}
