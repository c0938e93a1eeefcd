/* host/family.hpp: the loops of a family of special functions, whose rows CUPRIC_ROWS
 * names. No batches, as no vectors are made of what branches. */
#ifndef CUPRIC_HOST_FAMILY_HPP
#define CUPRIC_HOST_FAMILY_HPP

#define SPECIAL(name, nin, nout, names, unit, signatures, ships, summary, ...)         \
    UFUNC(name, nin, nout, names, NONE, FITS, PLAIN, unit, signatures, ships, summary, \
          __VA_ARGS__)
/* Rows are counted from a family's first one: unnamed, or the linker would take another
 * family's loop<0, 0> for this one's. */
#define CUPRIC_ROWS_BEGIN namespace {
#define CUPRIC_ROWS_END }
#include "host/loops.hpp"

#define CUPRIC_FAMILY_LOOPS(name, forms)                                               \
    void CUPRIC_UNIT(name)(cu_loop_row * table)                                        \
    {                                                                                  \
        cupric::fill_unit<CUPRIC_UNIT_##name, cupric::forms>(table);                   \
    }

#endif
