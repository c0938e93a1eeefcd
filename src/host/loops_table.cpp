/* The table of loops, filled when the library is loaded: the baseline's first, then what
 * newer instruction sets replace. */
#include <string.h>

#include "host/cpu.h"
#include "host/functors.hpp"
#include "host/loops.h"

const uint8_t cu_host_itemsizes[CUPRIC_N_DTYPES] = {
#define DTYPE(NAME, name, letter, ctype, size, kind) size,
#include "dtypes.def"
#undef DTYPE
};

namespace {

/* The first row of each family of special functions. */
enum {
#define UFUNC(name, ...) NUMBER_##name,
#define FAMILY(name) FIRST_##name, BEFORE_##name = FIRST_##name - 1,
#include "ops/elementwise.def"
#undef UFUNC
};

struct loop_table {
    cu_loop_row loops[cupric::N_UFUNCS] = {};
    cu_convert_row casts[CUPRIC_N_DTYPES] = {};
    int8_t types[cupric::N_UFUNCS][CUPRIC_MAXSIGNATURES][CUPRIC_LOOP_OPERANDS];

    loop_table()
    {
        if (!cu_host_cpu_suffices()) return; /* cupric_backend() tells why */
#define UNIT(name, cost) cu_loops_##name(loops);
        CUPRIC_PLAIN_UNITS(UNIT)
#undef UNIT
#define UNIT(name, cost) cu_loops_##name(loops + FIRST_##name);
        CUPRIC_FAMILIES(UNIT)
#undef UNIT
        cu_loops_convert(casts);
        fill_types();
#if defined(CUPRIC_HOST_CHOOSES)
        fill_newer();
#endif
    }

    static int8_t type_number(char letter)
    {
#define CUPRIC_TYPE(NAME, LETTER, ...)                                                 \
    if (letter == LETTER) return CUPRIC_##NAME;
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE
        return CUPRIC_NO_DTYPE;
    }

    void fill_types()
    {
        for (int op = 0; op < cupric::N_UFUNCS; op++) {
            const int count = cupric::ufunc_signature_count(op);
            for (int sig = 0; sig < count; sig++) {
                const cupric::ufunc_letters letters = cupric::ufunc_signature(op, sig);
                for (int i = 0; i < CUPRIC_LOOP_OPERANDS; i++) {
                    types[op][sig][i] = type_number(letters.at[i]);
                }
            }
        }
    }

#if defined(CUPRIC_HOST_CHOOSES)
    void fill_newer()
    {
        __builtin_cpu_init();
        const int level = cu_host_cpu_level();
        if (level < 3) return;
#define UNIT(name) cu_loops_##name##_v3(loops);
        CUPRIC_LOOP_UNITS_V3(UNIT)
#undef UNIT
#define UNIT(name, cost) cu_loops_##name##_v3(loops + FIRST_##name);
        CUPRIC_FAMILIES(UNIT)
#undef UNIT
        cu_loops_convert_v3(casts);
        if (level < 4) return;
#define UNIT(name) cu_loops_##name##_v4(loops);
        CUPRIC_LOOP_UNITS_V4(UNIT)
#undef UNIT
#define UNIT(name) cu_loops_##name##_v4(loops + FIRST_##name);
        CUPRIC_LOOP_FAMILIES_V4(UNIT)
#undef UNIT
    }
#endif
};

const loop_table table;

} /* namespace */

const cu_loops *
cu_host_loops(int op, int sig)
{
    return &table.loops[op][sig];
}

const int8_t *
cu_host_loop_types(int op, int sig)
{
    return table.types[op][sig];
}

const cu_loops *
cu_host_convert_loops(cu_dtype from, cu_dtype to)
{
    return &table.casts[from][to];
}

bool
cu_host_is_slow(int op)
{
    return cu_unit_is_costly(cupric::ufunc_rows[op].unit);
}

/* The type of elements of so many bytes that are moved as they are. */
static cu_dtype
moved_type(int itemsize)
{
    switch (itemsize) {
    case 1: return CUPRIC_UINT8;
    case 2: return CUPRIC_UINT16;
    case 4: return CUPRIC_UINT32;
    case 8: return CUPRIC_UINT64;
    default: return CUPRIC_COMPLEX128;
    }
}

cu_loop *
cu_host_copy_loop(int itemsize)
{
    const cu_dtype type = moved_type(itemsize);
    return table.casts[type][type].any;
}

cu_loop *
cu_host_choice_loop(int itemsize)
{
    int sig = 0;
    while (table.types[cupric::UFUNC_where][sig][1] != moved_type(itemsize)) sig++;
    return table.loops[cupric::UFUNC_where][sig].any;
}
