/* host/reduce_combine.cpp: every two-input row of ops/ufunc.def as a combiner, for the
 * signatures whose types agree. 16-bit floats accumulate in float and need none.
 */
#include <string.h>

#include "host/functors.hpp"
#include "host/reduce_fast.hpp"

using namespace cupric;

namespace {

/* Rows so cheap that a loop of them without results is worth a vector version. */
constexpr bool
is_cheap(int op)
{
    return op == UFUNC_bitwise_and || op == UFUNC_bitwise_or ||
           op == UFUNC_bitwise_xor || op == UFUNC_multiply;
}

template <int OP, class T>
struct combiner_of {
    static void zip(void *acc, const void *x, int64_t n)
    {
        T *a = (T *)acc;
        const T *b = (const T *)x;
        for (int64_t j = 0; j < n; j++) {
            a[j] = ufunc_fn<OP, T, T>::call(load(&a[j]), load(&b[j]));
        }
    }

    static void run(void *acc, const void *x, int64_t n, void *out)
    {
        const T *b = (const T *)x;
        T a = load((const T *)acc), nowhere;
        if (is_cheap(OP) && !out) {
            for (int64_t i = 0; i < n; i++)
                a = ufunc_fn<OP, T, T>::call(a, load(&b[i]));
        } else {
            T *r = out ? (T *)out : &nowhere;
            const int64_t step = out ? 1 : 0;
            for (int64_t i = 0; i < n; i++, r += step) {
                a = ufunc_fn<OP, T, T>::call(a, load(&b[i]));
                *r = a;
            }
        }
        *(T *)acc = a;
    }
};

/* A row is a combiner of T when T op T is T. 16-bit floats go by way of float. */
template <int OP, class T, bool BINARY>
struct combines {
    static constexpr bool value = false;
};
template <int OP, class T>
struct combines<OP, T, true> {
    static constexpr bool value = ufunc_fn<OP, T, T>::exists &&
                                  !is_short_float<T>::value &&
                                  is_same<typename ufunc_fn<OP, T, T>::R, T>::value;
};

constexpr bool
is_binary(int op)
{
    return ufunc_rows[op].nin == 2 && ufunc_rows[op].nout == 1;
}

template <int OP, class T>
constexpr cu_combiner
make_combiner()
{
    if constexpr (combines<OP, T, is_binary(OP)>::value) {
        return {combiner_of<OP, T>::zip, combiner_of<OP, T>::run, nullptr, nullptr};
    } else {
        return {nullptr, nullptr, nullptr, nullptr};
    }
}

struct combiner_table {
    cu_combiner at[N_UFUNCS][CUPRIC_N_DTYPES];
};

template <int OP>
constexpr void
fill_row(combiner_table &table)
{
#define CUPRIC_TYPE(NAME, letter, ...)                                                 \
    table.at[OP][TYPE_##NAME] = make_combiner<OP, __VA_ARGS__>();
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE
}

constexpr combiner_table
make_table()
{
    combiner_table table = {};
#define UFUNC(name, ...) fill_row<UFUNC_##name>(table);
#include "ops/ufunc.def"
#undef UFUNC
    return table;
}

int
fast_op(int op)
{
    switch (op) {
    case UFUNC_add: return CUPRIC_FAST_ADD;
    case UFUNC_multiply: return CUPRIC_FAST_MULTIPLY;
    case UFUNC_maximum: return CUPRIC_FAST_MAXIMUM;
    case UFUNC_minimum: return CUPRIC_FAST_MINIMUM;
    case UFUNC_fmax: return CUPRIC_FAST_FMAX;
    case UFUNC_fmin: return CUPRIC_FAST_FMIN;
    case UFUNC_bitwise_and:
    case UFUNC_logical_and: return CUPRIC_FAST_AND;
    case UFUNC_bitwise_or:
    case UFUNC_logical_or: return CUPRIC_FAST_OR;
    case UFUNC_bitwise_xor:
    case UFUNC_logical_xor: return CUPRIC_FAST_XOR;
    default: return -1;
    }
}

/* The table with the vector kernels of this machine put in, once. */
const combiner_table &
table_here()
{
    static const combiner_table table = [] {
        combiner_table t = make_table();
        const cu_fast_table *fast = &cu_fast_base;
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx2")) fast = &cu_fast_v3;
#endif
        for (int op = 0; op < N_UFUNCS; op++) {
            if (fast_op(op) < 0) continue;
            for (int d = 0; d < CUPRIC_N_DTYPES; d++) {
                t.at[op][d].rows = (*fast)[fast_op(op)][d].rows;
                t.at[op][d].cols = (*fast)[fast_op(op)][d].cols;
            }
        }
        return t;
    }();
    return table;
}

} /* namespace */

const cu_combiner *
cu_combiner_get(int op, cu_dtype acc)
{
    const cu_combiner *c = &table_here().at[op][acc];
    return c->run ? c : nullptr;
}
