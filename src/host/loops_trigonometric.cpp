/* The unit of loops named trigonometric in ops/columns.h. */
/* clang-format off: first, so that the loops see the vector functions. */
#include "host/vector_math.hpp"
/* clang-format on */

#include "host/loops.hpp"

void
CUPRIC_UNIT(trigonometric)(cu_loop_row *table)
{
    cupric::fill_unit<CUPRIC_UNIT_trigonometric, cupric::BATCHES>(table);
}
