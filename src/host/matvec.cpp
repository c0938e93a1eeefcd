/* host/matvec.cpp: see matvec.h. A row's products are added in one vector, which is
 * then folded: rows are so short that the next one is begun before that is done. What is
 * left behind the last whole vector is loaded with elements before it, whose products are
 * masked out. Columns are added to a column of sums, four at a time.
 */
#include "host/matvec.h"

#include <string.h>
#include <type_traits>

#include "host/cpu.h"

/* Vectors wider than registers are given to functions that are part of their callers. */
#pragma GCC diagnostic ignored "-Wpsabi"

namespace {

/* What elements are multiplied and added as: wrapping, and in lanes of two bytes at least,
 * as there is no product of bytes. */
template <int BYTES, bool FLOAT>
struct lane;
template <>
struct lane<1, false> {
    typedef uint16_t type;
};
template <>
struct lane<2, false> {
    typedef uint16_t type;
};
template <>
struct lane<4, false> {
    typedef uint32_t type;
};
template <>
struct lane<8, false> {
    typedef uint64_t type;
};
template <>
struct lane<4, true> {
    typedef float type;
};
template <>
struct lane<8, true> {
    typedef double type;
};
template <class T>
using lane_of = typename lane<sizeof(T), std::is_floating_point<T>::value>::type;

/* Vectors of NBYTES. */
template <class T, int NBYTES>
struct dot {
    typedef lane_of<T> C;
    typedef C vector __attribute__((vector_size(NBYTES), may_alias));
    typedef uint64_t words __attribute__((vector_size(NBYTES), may_alias));
    static constexpr int64_t W = NBYTES / sizeof(T); /* elements */

    static inline vector load(const char *p)
    {
        vector x;
        memcpy(&x, p, sizeof x);
        return x;
    }

    /* All bits set for the last `used` elements. */
    static inline words mask_of(int64_t used)
    {
        words mask;
        char bytes[NBYTES] = {};
        memset(bytes + (W - used) * sizeof(T), -1, used * sizeof(T));
        memcpy(&mask, bytes, sizeof mask);
        return mask;
    }

    static inline void add(vector &sum, const vector &a, const vector &b)
    {
        sum += a * b;
        if constexpr (sizeof(T) == 1) { /* of each two bytes the upper one, too */
            sum += (a >> 8) * (b >> 8);
        }
    }

    static inline void add(vector &sum, const vector &a, const vector &b,
                           const words &mask)
    {
        if constexpr (std::is_floating_point<T>::value)
            sum += (vector)((words)(a * b) & mask);
        else
            add(sum, (vector)((words)a & mask), b);
    }

    static inline C fold(const vector &sum)
    {
        if constexpr (NBYTES > 8 && NBYTES > 2 * sizeof(C)) {
            typename dot<T, NBYTES / 2>::vector half[2];
            memcpy(half, &sum, sizeof half);
            return dot<T, NBYTES / 2>::fold(half[0] + half[1]);
        }
        C x[NBYTES / sizeof(C)];
        memcpy(x, &sum, sizeof x);
        for (int half = NBYTES / sizeof(C) / 2; half > 0; half /= 2) {
            for (int k = 0; k < half; k++) x[k] += x[k + half];
        }
        return x[0];
    }

    /* n >= W */
    static void rows(const cu_dot_rows *args)
    {
        const int64_t whole = args->n / W * W, last = (args->n - W) * sizeof(T);
        const words mask = mask_of(args->n - whole);
        const char *a = args->a, *b = args->b;
        char *c = args->c;
        for (int64_t r = args->rows; r > 0; r--) {
            vector sum = {};
            for (int64_t i = 0; i < whole * (int64_t)sizeof(T); i += NBYTES) {
                add(sum, load(a + i), load(b + i));
            }
            if (whole < args->n) add(sum, load(a + last), load(b + last), mask);
            *(T *)c = (T)fold(sum);
            a += args->next_a, b += args->next_b, c += args->next_c;
        }
    }
};

template <class T>
void
rows_of_few(const cu_dot_rows *args)
{
    typedef decltype(lane_of<T>() + 0u) C; /* which wraps */
    const char *a = args->a, *b = args->b;
    char *c = args->c;
    for (int64_t r = args->rows; r > 0; r--) {
        C sum = 0;
        for (int64_t i = 0; i < args->n; i++) {
            sum += (C)((const T *)a)[i] * (C)((const T *)b)[i];
        }
        *(T *)c = (T)sum;
        a += args->next_a, b += args->next_b, c += args->next_c;
    }
}

template <class T>
void
dot_rows(const cu_dot_rows *args)
{
    const int64_t nbytes = args->n * (int64_t)sizeof(T);
    if (nbytes >= 32)
        dot<T, 32>::rows(args);
    else if (nbytes >= 16)
        dot<T, 16>::rows(args);
    else if (nbytes >= 8 && sizeof(T) < 4)
        dot<T, 8>::rows(args);
    else
        rows_of_few<T>(args);
}

/* A bool may be any byte. Rows are looked at up to the first word that decides. */
void
any_of_rows(const cu_dot_rows *args)
{
    typedef uint8_t vector __attribute__((vector_size(16), may_alias));
    typedef uint64_t words __attribute__((vector_size(16), may_alias));
    const char *a = args->a, *b = args->b;
    char *c = args->c;
    for (int64_t r = args->rows; r > 0; r--) {
        bool found = false;
        int64_t i = 0;
        for (; i + 16 <= args->n && !found; i += 16) {
            vector x, y;
            memcpy(&x, a + i, sizeof x);
            memcpy(&y, b + i, sizeof y);
            const words both = (words)((x != 0) & (y != 0));
            found = (both[0] | both[1]) != 0;
        }
        for (; i < args->n && !found; i++) found = a[i] != 0 && b[i] != 0;
        *c = found;
        a += args->next_a, b += args->next_b, c += args->next_c;
    }
}

template <class T>
void
dot_columns(const cu_dot_columns *args)
{
    typedef lane_of<T> C;
    typedef decltype(C() + 0u) P; /* which wraps */
    constexpr int U = 4;
    C sum[CU_DOT_COLUMN] = {};
    const char *a = args->a, *b = args->b;
    const auto factor = [&](int64_t l) {
        return (P) * (const T *)(b + l * args->next_b);
    };
    const auto column = [&](int64_t l) { return (const T *)(a + l * args->next_a); };
    int64_t l = 0;

    for (; l + U <= args->columns; l += U) {
        const P x0 = factor(l), x1 = factor(l + 1), x2 = factor(l + 2),
                x3 = factor(l + 3);
        const T *a0 = column(l), *a1 = column(l + 1), *a2 = column(l + 2),
                *a3 = column(l + 3);
        for (int64_t i = 0; i < args->rows; i++)
            sum[i] = (C)(sum[i] + a0[i] * x0 + a1[i] * x1 + a2[i] * x2 + a3[i] * x3);
    }
    for (; l < args->columns; l++) {
        const P x = factor(l);
        const T *from = column(l);
        for (int64_t i = 0; i < args->rows; i++) sum[i] = (C)(sum[i] + from[i] * x);
    }
    for (int64_t i = 0; i < args->rows; i++)
        *(T *)(args->c + i * args->next_c) = (T)sum[i];
}

bool
are_all(const uint8_t *x, int64_t n)
{
    uint8_t none = 0;

    for (int64_t i = 0; i < n; i++) none |= x[i] == 0;
    return !none;
}

/* Up to the columns by which each row is decided. */
void
any_of_columns(const cu_dot_columns *args)
{
    constexpr int64_t LOOK = 16; /* columns between two looks */
    uint8_t any[CU_DOT_COLUMN] = {};

    for (int64_t l = 0; l < args->columns; l++) {
        if (l % LOOK == 0 && are_all(any, args->rows)) break;
        if (args->b[l * args->next_b] == 0) continue;
        const uint8_t *from = (const uint8_t *)(args->a + l * args->next_a);
        for (int64_t i = 0; i < args->rows; i++) any[i] |= from[i];
    }
    for (int64_t i = 0; i < args->rows; i++) args->c[i * args->next_c] = any[i] != 0;
}

} // namespace

cu_dot_loops
CUPRIC_HOST_LEVEL(cu_host_dot_loops)(cu_dtype t)
{
    switch (t) {
    case CUPRIC_BOOL: return {any_of_rows, any_of_columns};
    case CUPRIC_INT8:
    case CUPRIC_UINT8: return {dot_rows<uint8_t>, dot_columns<uint8_t>};
    case CUPRIC_INT16:
    case CUPRIC_UINT16: return {dot_rows<uint16_t>, dot_columns<uint16_t>};
    case CUPRIC_INT32:
    case CUPRIC_UINT32: return {dot_rows<uint32_t>, dot_columns<uint32_t>};
    case CUPRIC_INT64:
    case CUPRIC_UINT64: return {dot_rows<uint64_t>, dot_columns<uint64_t>};
    case CUPRIC_FLOAT32: return {dot_rows<float>, nullptr};
    case CUPRIC_FLOAT64: return {dot_rows<double>, nullptr};
    default: return {};
    }
}

#if !defined(__AVX2__) || defined(CUPRIC_HOST_NATIVE)

cu_dot_loops
cu_host_dot_loops(cu_dtype t)
{
#if defined(CUPRIC_HOST_CHOOSES)
    if (cu_host_cpu_level() >= 3) return cu_host_dot_loops_v3(t);
#endif
    return cu_host_dot_loops_base(t);
}

#endif
