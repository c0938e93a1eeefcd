/* tools/ships.c: the column `ships` of the tables, for kernel_keys.py. A part of the library
 * that the build loads to write sources, and of no library of the package. */
#include "ops/ships.h"

#include <stddef.h>

static const char *const ships[] = {
#define UFUNC(name, nin, nout, names, identity, integers, traits, unit, signatures,    \
              ships, ...)                                                              \
    ships,
#include "ops/elementwise.def"
#undef UFUNC
#define REDUCE(name, nin, identity, dtypes, parameter, skips, signatures, ships, ...)  \
    ships,
#include "ops/reduce.def"
#undef REDUCE
};

const char *cu_row_ships(int op); /* for kernel_keys.py alone: there is no header */

/* The rules of a row, counted as cu_cuda_row_get counts; NULL where there is no such row. */
const char *
cu_row_ships(int op)
{
    return op >= 0 && (size_t)op < sizeof ships / sizeof *ships ? ships[op] : NULL;
}
