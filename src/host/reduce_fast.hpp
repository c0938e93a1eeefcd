/* host/reduce_fast.hpp: vector kernels of the common combiners, compiled once for each
 * instruction set into a namespace of its own.
 *
 * A vector has 32 bytes, in one register or two, so that the partial results, and with
 * them the rounding, are the same on all machines. Four run side by side, which hides
 * the latency of an addition. Sums and products of floats are made in leaves of one
 * length, which bounds their error; what does not round is one leaf.
 */
#ifndef CUPRIC_HOST_REDUCE_FAST_HPP
#define CUPRIC_HOST_REDUCE_FAST_HPP

#include <stdint.h>
#include <string.h>
#include <type_traits>

#include "host/reducer.h"

/* The combiners with vector kernels; their order is that of the tables. */
enum cu_fast_op {
    CUPRIC_FAST_ADD,
    CUPRIC_FAST_MULTIPLY,
    CUPRIC_FAST_MAXIMUM,
    CUPRIC_FAST_MINIMUM,
    CUPRIC_FAST_FMAX,
    CUPRIC_FAST_FMIN,
    CUPRIC_FAST_AND,
    CUPRIC_FAST_OR,
    CUPRIC_FAST_XOR,
    CUPRIC_N_FAST
};

struct cu_fast {
    cu_combine_rows *rows;
    cu_combine_cols *cols;
};
typedef cu_fast cu_fast_table[CUPRIC_N_FAST][CUPRIC_N_DTYPES];

extern const cu_fast_table cu_fast_base;
#if defined(__x86_64__)
extern const cu_fast_table cu_fast_v3;
#endif

#ifdef CUPRIC_FAST_TABLE /* the name of the table to define */
namespace CUPRIC_FAST_NAMESPACE {

#define INLINE static inline __attribute__((always_inline))
#if defined(__AVX2__)
#define REGISTER 32 /* bytes */
#else
#define REGISTER 16
#endif

/* The operations, on scalars and on vectors alike: a comparison of vectors gives a
 * mask. */
struct add {
    template <class V>
    INLINE V of(V a, V b)
    {
        return (V)(a + b);
    }
};
struct multiply {
    template <class V>
    INLINE V of(V a, V b)
    {
        return (V)(a * b);
    }
};
/* Of numbers alone, in one instruction; of equal ones the first, as below. */
struct number_max {
    template <class V>
    INLINE V of(V a, V b)
    {
        return b > a ? b : a;
    }
};
struct number_min {
    template <class V>
    INLINE V of(V a, V b)
    {
        return b < a ? b : a;
    }
};
struct maximum { /* NaN wins */
    typedef number_max numbers;
    template <class V>
    INLINE V of(V a, V b)
    {
        return ((a >= b) | (a != a)) ? a : b;
    }
};
struct minimum {
    typedef number_min numbers;
    template <class V>
    INLINE V of(V a, V b)
    {
        return ((a <= b) | (a != a)) ? a : b;
    }
};
/* Of integers: one instruction, where the others take three. */
struct larger {
    template <class V>
    INLINE V of(V a, V b)
    {
        return a > b ? a : b;
    }
};
struct smaller {
    template <class V>
    INLINE V of(V a, V b)
    {
        return a < b ? a : b;
    }
};
struct fmax { /* NaN loses */
    template <class V>
    INLINE V of(V a, V b)
    {
        return ((a >= b) | (b != b)) ? a : b;
    }
};
struct fmin {
    template <class V>
    INLINE V of(V a, V b)
    {
        return ((a <= b) | (b != b)) ? a : b;
    }
};
struct bit_and {
    template <class V>
    INLINE V of(V a, V b)
    {
        return (V)(a & b);
    }
};
struct bit_or {
    template <class V>
    INLINE V of(V a, V b)
    {
        return (V)(a | b);
    }
};
struct bit_xor {
    template <class V>
    INLINE V of(V a, V b)
    {
        return (V)(a ^ b);
    }
};
/* Of bool, which any byte but 0 may stand for: the smaller byte is zero if one is, and of
 * the bits of both there is one if either byte has one. */
struct truth_xor {
    template <class V>
    INLINE V of(V a, V b)
    {
        return (V)(((a != 0) ^ (b != 0)) & 1);
    }
};

template <class Op>
constexpr bool rounds = false;
template <>
constexpr bool rounds<add> = true;
template <>
constexpr bool rounds<multiply> = true;

/* Whether an element may be combined twice. */
template <class Op>
constexpr bool repeats = !rounds<Op>;
template <>
constexpr bool repeats<bit_xor> = false;
template <>
constexpr bool repeats<truth_xor> = false;

/* Whether Op has a form for numbers, which does not see NaNs. */
template <class Op, class = void>
constexpr bool has_numbers = false;
template <class Op>
constexpr bool has_numbers<Op, std::void_t<typename Op::numbers>> = true;

/* Kernels of Op over elements of K parts of type T (complex addition: K = 2). */
template <class Op, class T, int K>
struct kernels {
    typedef T native __attribute__((vector_size(REGISTER)));
    /* the same where it need not be aligned */
    typedef T unaligned
        __attribute__((vector_size(REGISTER), aligned(alignof(T)), may_alias));
#if REGISTER == 32
    struct vector {
        native all;
    };
#else
    struct vector {
        native low, high;
    };
#endif
    static constexpr int L = 32 / sizeof(T); /* lanes */
    static constexpr bool exact = !rounds<Op> || std::is_integral<T>::value;
    static constexpr int64_t LEAF = exact ? INT64_MAX : CUPRIC_REDUCE_LEAF * K;
    typedef decltype(native() != native()) mask;

    INLINE T op(T a, T b)
    {
        return Op::of(a, b);
    }
#if REGISTER == 32
    INLINE vector load(const T *p)
    {
        return {*(const unaligned *)p};
    }
    INLINE void store(T *p, vector v)
    {
        *(unaligned *)p = v.all;
    }
    template <class O = Op>
    INLINE vector op(vector a, vector b)
    {
        return {O::of(a.all, b.all)};
    }
    INLINE mask nans(vector a)
    {
        return a.all != a.all;
    }
#else
    INLINE vector load(const T *p)
    {
        return {*(const unaligned *)p, *(const unaligned *)(p + L / 2)};
    }
    INLINE void store(T *p, vector v)
    {
        *(unaligned *)p = v.low;
        *(unaligned *)(p + L / 2) = v.high;
    }
    template <class O = Op>
    INLINE vector op(vector a, vector b)
    {
        return {O::of(a.low, b.low), O::of(a.high, b.high)};
    }
    INLINE mask nans(vector a)
    {
        return (a.low != a.low) | (a.high != a.high);
    }
#endif

    /* r[k] = r[k] op the lanes of v, paired by halves */
    INLINE void add_lanes(T *r, vector v, bool fresh)
    {
        T lane[L];
        memcpy(lane, &v, sizeof lane);
#pragma GCC unroll 1
        for (int half = L / 2; half >= K; half /= 2) {
            for (int i = 0; i < half; i++) lane[i] = op(lane[i], lane[i + half]);
        }
        for (int k = 0; k < K; k++) r[k] = fresh ? lane[k] : op(r[k], lane[k]);
    }

    /* As leaf, of at least four vectors. False where there is a NaN, and no result. */
    INLINE bool leaf_of_numbers(T *r, const T *x, int64_t n)
    {
        typedef typename Op::numbers O;
        vector a = load(x), b = load(x + L), c = load(x + 2 * L), d = load(x + 3 * L);
        mask nan = nans(a) | nans(b) | nans(c) | nans(d);
        int64_t i = 4 * L;
        for (; i + 4 * L <= n; i += 4 * L) {
            const vector e = load(x + i), f = load(x + i + L), g = load(x + i + 2 * L),
                         h = load(x + i + 3 * L);
            a = op<O>(a, e);
            b = op<O>(b, f);
            c = op<O>(c, g);
            d = op<O>(d, h);
            nan |= (nans(e) | nans(f)) | (nans(g) | nans(h));
        }
        uint64_t bits[sizeof nan / 8], any = 0;
        memcpy(bits, &nan, sizeof nan);
        for (uint64_t word : bits) any |= word;
        if (any) return false;
        a = op(op(a, b), op(c, d));
        for (; i + L <= n; i += L) a = op(a, load(x + i));
        if (i < n) a = op(a, load(x + n - L));
        add_lanes(r, a, true);
        return true;
    }

    /* r = the n parts from x on combined; n is a multiple of K and not 0 */
    INLINE void leaf(T *r, const T *x, int64_t n)
    {
        if constexpr (has_numbers<Op>) {
            if (n >= 4 * L && leaf_of_numbers(r, x, n)) return;
        }
        int64_t i = K;
        if (n < L) {
            for (int k = 0; k < K; k++) r[k] = x[k];
        } else {
            vector a = load(x);
            i = L;
            if (n >= 4 * L) {
                vector b = load(x + L), c = load(x + 2 * L), d = load(x + 3 * L);
                for (i = 4 * L; i + 4 * L <= n; i += 4 * L) {
                    a = op(a, load(x + i));
                    b = op(b, load(x + i + L));
                    c = op(c, load(x + i + 2 * L));
                    d = op(d, load(x + i + 3 * L));
                }
                a = op(op(a, b), op(c, d));
            }
            for (; i + L <= n; i += L) a = op(a, load(x + i));
            if (repeats<Op> && i < n) {
                a = op(a, load(x + n - L));
                i = n;
            }
            add_lanes(r, a, true);
        }
        for (; i < n; i += K) {
            for (int k = 0; k < K; k++) r[k] = op(r[k], x[i + k]);
        }
    }

    /* Leaves paired up like a binary counter: entry j of the stack is 2^i leaves, and
     * no two entries are the same. */
    static __attribute__((noinline)) void long_row(T *r, const T *x, int64_t n)
    {
        T stack[64][K];
        int top = 0;
        int64_t done = 0;
        for (; n > 0; x += LEAF, n -= LEAF, done++) {
            leaf(r, x, n < LEAF ? n : LEAF);
            for (int64_t bit = done; bit & 1; bit >>= 1) pop(stack[--top], r);
            memcpy(stack[top++], r, sizeof stack[0]);
        }
        memcpy(r, stack[--top], sizeof stack[0]);
        while (top > 0) pop(stack[--top], r);
    }
    INLINE void pop(const T *entry, T *r)
    {
        for (int k = 0; k < K; k++) r[k] = op(entry[k], r[k]);
    }

    static void rows(void *out, const void *x, int64_t nrows, int64_t row_stride,
                     int64_t n)
    {
        T *r = (T *)out;
        const char *p = (const char *)x;
        for (int64_t i = 0; i < nrows; i++, p += row_stride, r += K) {
            if (!exact && __builtin_expect(n * K > LEAF, 0)) {
                long_row(r, (const T *)p, n * K);
            } else {
                leaf(r, (const T *)p, n * K);
            }
        }
    }

    /* R rows at once: acc is read and written once for them. */
    template <int R, class V>
    INLINE V tree(const V *v)
    {
        if constexpr (R == 1) {
            return v[0];
        } else {
            return op(tree<R / 2>(v), tree<R / 2>(v + R / 2));
        }
    }
    template <int R, bool FRESH>
    static void band(T *__restrict acc, const char *x, int64_t row_stride, int64_t n)
    {
        const T *row[R];
        int64_t j = 0;
        for (int r = 0; r < R; r++) row[r] = (const T *)(x + r * row_stride);
        for (; j + L <= n; j += L) {
            vector v[R];
            for (int r = 0; r < R; r++) v[r] = load(row[r] + j);
            v[0] = tree<R>(v);
            store(acc + j, FRESH ? v[0] : op(load(acc + j), v[0]));
        }
        for (; j < n; j++) {
            T v[R];
            for (int r = 0; r < R; r++) v[r] = row[r][j];
            v[0] = tree<R>(v);
            acc[j] = FRESH ? v[0] : op(acc[j], v[0]);
        }
    }

    /* V vectors of acc, or where `fresh` of the first row, and of the rows after it. */
    template <int V>
    INLINE void few_down(char *acc, const char *x, int64_t nrows, int64_t row_stride,
                         bool fresh)
    {
        vector v[V];
        for (int k = 0; k < V; k++) v[k] = load((const T *)(fresh ? x : acc) + k * L);
        for (int64_t r = fresh; r < nrows; r++) {
            const T *const row = (const T *)(x + r * row_stride);
            for (int k = 0; k < V; k++) v[k] = op(v[k], load(row + k * L));
        }
        for (int k = 0; k < V; k++) store((T *)acc + k * L, v[k]);
    }
    /* Rows fewer than a band has, one after the other, in one pass. */
    static void few(T *acc, const char *x, int64_t nrows, int64_t row_stride, int64_t n,
                    bool fresh)
    {
        int64_t j = 0;
        if constexpr (REGISTER == 32) { /* old CPUs are not worth the code */
            for (; j + 4 * L <= n; j += 4 * L) {
                few_down<4>((char *)(acc + j), x + j * sizeof(T), nrows, row_stride,
                            fresh);
            }
        }
        for (; j + L <= n; j += L) {
            few_down<1>((char *)(acc + j), x + j * sizeof(T), nrows, row_stride, fresh);
        }
        for (; j < n; j++) {
            const char *a = x + j * sizeof(T);
            T v = fresh ? *(const T *)a : acc[j];
            for (int64_t r = fresh; r < nrows; r++) {
                v = op(v, *(const T *)(a + r * row_stride));
            }
            acc[j] = v;
        }
    }

    static void cols(void *acc, const void *x, int64_t nrows, int64_t row_stride,
                     int64_t n, bool fresh)
    {
        T *a = (T *)acc;
        const char *p = (const char *)x;
        n *= K;
        if (fresh && nrows >= 8) {
            band<8, true>(a, p, row_stride, n);
            p += 8 * row_stride;
            nrows -= 8;
            fresh = false;
        }
        for (; nrows >= 8; nrows -= 8, p += 8 * row_stride) {
            band<8, false>(a, p, row_stride, n);
        }
        if (nrows > 0) few(a, p, nrows, row_stride, n, fresh);
    }
};

#define PAIR(...)                                                                      \
    {                                                                                  \
        kernels<__VA_ARGS__>::rows, kernels<__VA_ARGS__>::cols                         \
    }
#define NONE                                                                           \
    {                                                                                  \
        0, 0                                                                           \
    }
/* Integer addition wraps and need not know the sign. What is missing here is rare, and
 * the compiler's own vectors serve: see `run` in reduce_combine.cpp. */
#define WIDE(op)                                                                       \
    NONE, NONE, NONE, NONE, PAIR(op, uint32_t, 1), PAIR(op, uint32_t, 1),              \
        PAIR(op, uint64_t, 1), PAIR(op, uint64_t, 1)
#define BITS(op)                                                                       \
    PAIR(op, uint8_t, 1), PAIR(op, uint8_t, 1), PAIR(op, uint16_t, 1),                 \
        PAIR(op, uint16_t, 1), PAIR(op, uint32_t, 1), PAIR(op, uint32_t, 1),           \
        PAIR(op, uint64_t, 1), PAIR(op, uint64_t, 1)
#define ORDERED(op)                                                                    \
    PAIR(op, int8_t, 1), PAIR(op, uint8_t, 1), PAIR(op, int16_t, 1),                   \
        PAIR(op, uint16_t, 1), PAIR(op, int32_t, 1), PAIR(op, uint32_t, 1),            \
        PAIR(op, int64_t, 1), PAIR(op, uint64_t, 1)
#define FLOATS(op) NONE, NONE, PAIR(op, float, 1), PAIR(op, double, 1)
#define NO_FLOATS NONE, NONE, NONE, NONE, NONE, NONE

} // namespace CUPRIC_FAST_NAMESPACE
using namespace CUPRIC_FAST_NAMESPACE;

/* In the order of dtypes.def. A bool of several is any byte: storing it makes it 0 or 1. */
const cu_fast_table CUPRIC_FAST_TABLE = {
    {PAIR(bit_or, uint8_t, 1), WIDE(add), FLOATS(add), PAIR(add, float, 2),
     PAIR(add, double, 2)},
    {PAIR(smaller, uint8_t, 1), WIDE(multiply), FLOATS(multiply), NONE, NONE},
    {PAIR(bit_or, uint8_t, 1), ORDERED(larger), FLOATS(maximum), NONE, NONE},
    {PAIR(smaller, uint8_t, 1), ORDERED(smaller), FLOATS(minimum), NONE, NONE},
    {PAIR(bit_or, uint8_t, 1), ORDERED(larger), FLOATS(fmax), NONE, NONE},
    {PAIR(smaller, uint8_t, 1), ORDERED(smaller), FLOATS(fmin), NONE, NONE},
    {PAIR(smaller, uint8_t, 1), BITS(bit_and), NO_FLOATS},
    {PAIR(bit_or, uint8_t, 1), BITS(bit_or), NO_FLOATS},
    {PAIR(truth_xor, uint8_t, 1), BITS(bit_xor), NO_FLOATS},
};

#endif
#endif
