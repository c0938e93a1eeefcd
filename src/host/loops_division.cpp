/* The unit of loops named division in ops/columns.h; one form each, as calls dominate.
 * Only division of integers by one number is faster by newer instructions. */
#include "host/constant_divisor.hpp"

void
CUPRIC_UNIT(division)(cu_loop_row *table)
{
#if !defined(__AVX2__) || defined(CUPRIC_HOST_NATIVE)
    cupric::fill_unit<CUPRIC_UNIT_division, cupric::ONE_FORM>(table);
#endif
    cupric::fill_integer_divisions(table);
}
