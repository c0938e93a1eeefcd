/* The unit of loops named trigonometric in host/loops.h. */
#include "host/vector_math.hpp"

#include "host/loops.hpp"

void
CUPRIC_UNIT(trigonometric)(cu_loop_row *table)
{
    cupric::fill_unit<cupric::LOOP_UNIT_trigonometric, cupric::BATCHES>(table);
}
