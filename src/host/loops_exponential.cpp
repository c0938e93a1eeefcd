/* The unit of loops named exponential in host/loops.h. */
#include "host/vector_math.hpp"

#include "host/loops.hpp"

void
CUPRIC_UNIT(exponential)(cu_loop_row *table)
{
    cupric::fill_unit<cupric::LOOP_UNIT_exponential, cupric::BATCHES>(table);
}
