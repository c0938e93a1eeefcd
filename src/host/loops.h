/* host/loops.h: the inner loops of the host backend, made from ops/elementwise.def.
 *
 * A loop runs one operation, in one signature, over n elements of each operand: inputs,
 * then outputs, at ptr[k] and every stride[k] bytes on, in the signature's types. An
 * output may be an input's memory exactly; other overlap is the caller's to prevent.
 *
 * The rows of the table are cut into units, one source file each, so that they compile
 * side by side; units of cheap arithmetic are compiled again for AVX2 (…_v3.cpp) and
 * AVX-512 (…_v4.cpp) and the newest that the processor has is used.
 */
#ifndef CUPRIC_HOST_LOOPS_H
#define CUPRIC_HOST_LOOPS_H

#include "device/backend.h"
#include "ops/columns.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUPRIC_MAXSIGNATURES 24 /* of one row */
#define CUPRIC_LOOP_OPERANDS 8  /* of one loop: CUPRIC_MAXSIGNATURE */

/* Before a loop whose elements do not depend on each other, whatever the compiler can
 * prove: an output that is an input's memory is the same element of it. */
#if defined(__clang__)
#define CUPRIC_IVDEP
#else
#define CUPRIC_IVDEP _Pragma("GCC ivdep")
#endif

typedef void cu_loop(char *const *ptr, const int64_t *stride, int64_t n);

/* The same with stores past the caches (past_caches.h), for what costs less than reaching
 * memory: n is a multiple of CUPRIC_LINES_BYTES, outputs are dense, begin cache lines and
 * are no input's memory. False, and nothing done, where inputs are neither dense nor
 * constant. */
typedef bool cu_lines_loop(char *const *ptr, const int64_t *stride, int64_t n);

typedef struct cu_loops {
    cu_loop *any;
    cu_lines_loop *lines; /* NULL where there is none */
} cu_loops;

/* Row `op` in its `sig`-th signature; members NULL where there is none. */
const cu_loops *cu_host_loops(int op, int sig);
static inline cu_loop *
cu_host_loop(int op, int sig)
{
    return cu_host_loops(op, sig)->any;
}
/* The types of its operands, inputs then outputs. */
const int8_t *cu_host_loop_types(int op, int sig);
/* The loop with one input and one output that casts as NumPy's astype. */
const cu_loops *cu_host_convert_loops(cu_dtype from, cu_dtype to);
static inline cu_loop *
cu_host_convert_loop(cu_dtype from, cu_dtype to)
{
    return cu_host_convert_loops(from, to)->any;
}
/* Whether its row costs more than reaching memory: division, functions. */
bool cu_host_is_slow(int op);
/* The bytes of one element. */
extern const uint8_t cu_host_itemsizes[CUPRIC_N_DTYPES];
static inline int
cu_host_itemsize(cu_dtype t)
{
    return cu_host_itemsizes[t];
}
/* Copy of elements of 1, 2, 4, 8 or 16 bytes. */
cu_loop *cu_host_copy_loop(int itemsize);
/* `where` of such elements: a bool chooses the second or the third input. */
cu_loop *cu_host_choice_loop(int itemsize);

/* The units of ops/columns.h that are compiled for newer instruction sets, too; and all
 * families of special functions for v3. */
#define CUPRIC_LOOP_UNITS_V3(UNIT)                                                     \
    UNIT(arithmetic)                                                                   \
    UNIT(order)                                                                        \
    UNIT(comparison)                                                                   \
    UNIT(logic)                                                                        \
    UNIT(bits)                                                                         \
    UNIT(division)                                                                     \
    UNIT(exponential)                                                                  \
    UNIT(trigonometric)
#define CUPRIC_LOOP_UNITS_V4(UNIT)                                                     \
    UNIT(arithmetic)                                                                   \
    UNIT(bits)                                                                         \
    UNIT(comparison)                                                                   \
    UNIT(division)                                                                     \
    UNIT(exponential)                                                                  \
    UNIT(trigonometric)
#define CUPRIC_LOOP_FAMILIES_V4(UNIT) UNIT(special)

typedef cu_loops cu_loop_row[CUPRIC_MAXSIGNATURES];
typedef cu_loops cu_convert_row[CUPRIC_N_DTYPES];

/* Each unit writes its loops into the table, a family of special functions from its first
 * row on. */
#define UNIT(name, cost) void cu_loops_##name(cu_loop_row *table);
CUPRIC_UNITS(UNIT)
#undef UNIT
#define UNIT(name, ...) void cu_loops_##name##_v3(cu_loop_row *table);
CUPRIC_LOOP_UNITS_V3(UNIT)
CUPRIC_FAMILIES(UNIT)
#undef UNIT
#define UNIT(name) void cu_loops_##name##_v4(cu_loop_row *table);
CUPRIC_LOOP_UNITS_V4(UNIT)
CUPRIC_LOOP_FAMILIES_V4(UNIT)
#undef UNIT
void cu_loops_convert(cu_convert_row *table);
void cu_loops_convert_v3(cu_convert_row *table);

#ifdef __cplusplus
}
#endif

#endif
