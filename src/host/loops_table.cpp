/* The table of loops, filled when the library is loaded: the baseline's first, then what
 * newer instruction sets replace. */
#include <string.h>

#include "host/cpu.h"
#include "host/dense_copy.h"
#include "host/functors.hpp"
#include "host/loops.h"

const uint8_t cu_host_itemsizes[CUPRIC_N_DTYPES] = {
#define DTYPE(NAME, name, letter, ctype, size, kind) size,
#include "dtypes.def"
#undef DTYPE
};

namespace {

/* Four at a time, so that addresses are not what takes the time. */
template <class T>
void
fill_elements(const T value, char *dst, int64_t to, int64_t n)
{
    int64_t i = 0;
    if (to == (int64_t)sizeof(T)) {
        for (; i < n; i++) ((T *)dst)[i] = value;
        return;
    }
    for (; i + 4 <= n; i += 4, dst += 4 * to) {
        *(T *)dst = value, *(T *)(dst + to) = value;
        *(T *)(dst + 2 * to) = value, *(T *)(dst + 3 * to) = value;
    }
    for (; i < n; i++, dst += to) *(T *)dst = value;
}

template <class T>
void
move_elements(const char *src, int64_t from, char *dst, int64_t to, int64_t n)
{
    int64_t i = 0;
    for (; i + 4 <= n; i += 4, src += 4 * from, dst += 4 * to) {
        const T a = *(const T *)src, b = *(const T *)(src + from),
                c = *(const T *)(src + 2 * from), d = *(const T *)(src + 3 * from);
        *(T *)dst = a, *(T *)(dst + to) = b;
        *(T *)(dst + 2 * to) = c, *(T *)(dst + 3 * to) = d;
    }
    for (; i < n; i++, src += from, dst += to) *(T *)dst = *(const T *)src;
}

template <class T>
void
copy_elements(char *const *ptr, const int64_t *stride, int64_t n)
{
    const int64_t size = sizeof(T), from = stride[0], to = stride[1];
    const char *src = ptr[0];
    char *dst = ptr[1];
    if (from == size && to == size) {
        if (src != dst) cu_dense_copy(dst, src, (size_t)(n * size));
        return;
    }
    const T value = *(const T *)src;
    if (from == 0) {
        fill_elements(value, dst, to, n);
    } else if (to == size && from == 2 * size) {
        for (int64_t i = 0; i + 1 < n; i++) ((T *)dst)[i] = ((const T *)src)[2 * i];
        ((T *)dst)[n - 1] = ((const T *)src)[2 * (n - 1)];
    } else {
        move_elements<T>(src, from, dst, to, n);
    }
}

/* 16 bytes aligned as their halves: complex128. */
struct pair {
    uint64_t half[2];
};

struct loop_table {
    cu_loop_row loops[cupric::N_UFUNCS] = {};
    cu_convert_row casts[CUPRIC_N_DTYPES] = {};
    int8_t types[cupric::N_UFUNCS][CUPRIC_MAXSIGNATURES][CUPRIC_LOOP_OPERANDS];

    loop_table()
    {
        if (!cu_host_cpu_suffices()) return; /* cupric_backend() tells why */
#define UNIT(name, cost) cu_loops_##name(loops);
        CUPRIC_UNITS(UNIT)
#undef UNIT
        cu_loops_convert(casts);
        fill_types();
#if defined(CUPRIC_HOST_CHOOSES)
        fill_newer();
#endif
        for (int t = 0; t < CUPRIC_N_DTYPES; t++) {
            /* A bool may be any byte before it is converted, and is 0 or 1 after. */
            if (t == CUPRIC_BOOL) continue;
            casts[t][t] = cu_host_copy_loop(cu_host_itemsizes[t]);
        }
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
        cu_loops_convert_v3(casts);
        if (level < 4) return;
#define UNIT(name) cu_loops_##name##_v4(loops);
        CUPRIC_LOOP_UNITS_V4(UNIT)
#undef UNIT
    }
#endif
};

const loop_table table;

} /* namespace */

cu_loop *
cu_host_loop(int op, int sig)
{
    return table.loops[op][sig];
}

const int8_t *
cu_host_loop_types(int op, int sig)
{
    return table.types[op][sig];
}

cu_loop *
cu_host_convert_loop(cu_dtype from, cu_dtype to)
{
    return table.casts[from][to];
}

bool
cu_host_is_slow(int op)
{
    return cu_unit_is_costly(cupric::ufunc_rows[op].unit);
}

cu_loop *
cu_host_copy_loop(int itemsize)
{
    switch (itemsize) {
    case 1: return copy_elements<uint8_t>;
    case 2: return copy_elements<uint16_t>;
    case 4: return copy_elements<uint32_t>;
    case 8: return copy_elements<uint64_t>;
    default: return copy_elements<pair>;
    }
}
