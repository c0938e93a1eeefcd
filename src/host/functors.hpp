/* host/functors.hpp: the rows of ops/elementwise.def as C++ functions; those of another
 * table, counted from its first, where CUPRIC_ROWS names one. Only then have rows of
 * special.def code.
 *
 *   ufunc_fn<UFUNC_add, float, float>::call(x, y)           -> float
 *   ufunc_loop_types<UFUNC_divmod, 3>                       A, B, … R, S of a signature
 *
 * A two-input row as the combiner of a reduction is ufunc_fn<OP, A, B>::call(a, b); the
 * result type is that of the row's signature whose inputs are A and B.
 */
#ifndef CUPRIC_HOST_FUNCTORS_HPP
#define CUPRIC_HOST_FUNCTORS_HPP

#include "cupric/math.hpp"
#include "cupric/types.hpp"
#include "dtype.h"
#include "ops/signature.h"

#define CUPRIC_TYPE(NAME, LETTER, ...)                                                 \
    static_assert(int(cupric::TYPE_##NAME) == int(CUPRIC_##NAME), "dtypes.inc");
#include "cupric/dtypes.inc"
#undef CUPRIC_TYPE
#define DTYPE(NAME, name, LETTER, ctype, size, kind)                                   \
    static_assert(sizeof(cupric::type_of_letter<LETTER>::type) == size, #name);
#include "dtypes.def"
#undef DTYPE

#ifdef CUPRIC_ROWS
#define CUPRIC_BODIES CUPRIC_ROWS
#else
#define CUPRIC_ROWS "ops/elementwise.def"
#define CUPRIC_BODIES "ops/ufunc.def"
#endif
#ifndef CUPRIC_ROWS_BEGIN
#define CUPRIC_ROWS_BEGIN
#define CUPRIC_ROWS_END
#endif

CUPRIC_BEGIN
CUPRIC_ROWS_BEGIN

enum ufunc_id {
#define UFUNC(name, ...) UFUNC_##name,
#include CUPRIC_ROWS
#undef UFUNC
    N_UFUNCS
};

/* Rows of ufunc.def; those of special.def follow. */
enum {
#define UFUNC(name, ...) +1
    N_PLAIN_UFUNCS = 0
#include "ops/ufunc.def"
#undef UFUNC
};

struct ufunc_row {
    const char *name;
    int nin, nout, traits, unit;
    const char *signatures;
};

constexpr ufunc_row ufunc_rows[] = {
#define UFUNC(name, nin, nout, names, identity, integers, traits, unit, signatures,    \
              ships, summary, ...)                                                     \
    {#name, nin, nout, traits, CUPRIC_UNIT_##unit, signatures},
#include CUPRIC_ROWS
#undef UFUNC
};

constexpr int
ufunc_signature_count(int op)
{
    const ufunc_row &row = ufunc_rows[op];
    return cu_sig_count(row.signatures, row.nin, row.nout);
}

struct ufunc_letters {
    char at[CUPRIC_MAXSIGNATURE];
};

constexpr ufunc_letters
ufunc_signature(int op, int sig)
{
    ufunc_letters letters = {};
    const ufunc_row &row = ufunc_rows[op];
    cu_sig_get(row.signatures, row.nin, row.nout, sig, letters.at);
    return letters;
}

/* The types of operand `i` of a signature, `nothing` past the last one. */
template <int OP, int SIG, int I>
struct ufunc_type {
    static constexpr int nops = ufunc_rows[OP].nin + ufunc_rows[OP].nout;
    static constexpr char letter = I < nops ? ufunc_signature(OP, SIG).at[I] : 0;
    typedef typename type_of_letter<letter>::type type;
};

/* The rows' expressions. Absent operands are passed as `nothing`; most rows have no more
 * than four inputs and two outputs. */
template <int OP, class A, class B, class C, class D, class R, class S,
          class E = nothing, class F = nothing, class T = nothing, class U = nothing>
struct ufunc_body;

#define CUPRIC_BODY_1(...) r = convert<R>(__VA_ARGS__);
#define CUPRIC_BODY_2(...) __VA_ARGS__;
#define CUPRIC_BODY_3(...) __VA_ARGS__;
#define CUPRIC_BODY_4(...) __VA_ARGS__;
#define UFUNC(name, nin, nout, names, identity, integers, traits, unit, signatures,    \
              ships, summary, ...)                                                     \
    template <class A, class B, class C, class D, class R, class S, class E, class F,  \
              class T, class U>                                                        \
    struct ufunc_body<UFUNC_##name, A, B, C, D, R, S, E, F, T, U> {                    \
        static inline __attribute__((always_inline)) void                              \
        run(const A a, const B b, const C c, const D d, R &r, S &s)                    \
        {                                                                              \
            T t;                                                                       \
            U u;                                                                       \
            run(a, b, c, d, E(), F(), r, s, t, u);                                     \
        }                                                                              \
        static inline __attribute__((always_inline)) void                              \
        run([[maybe_unused]] const A a, [[maybe_unused]] const B b,                    \
            [[maybe_unused]] const C c, [[maybe_unused]] const D d,                    \
            [[maybe_unused]] const E e, [[maybe_unused]] const F f,                    \
            [[maybe_unused]] R &r, [[maybe_unused]] S &s, [[maybe_unused]] T &t,       \
            [[maybe_unused]] U &u)                                                     \
        {                                                                              \
            CUPRIC_BODY_##nout(__VA_ARGS__)                                            \
        }                                                                              \
    };
#include CUPRIC_BODIES
#undef UFUNC
#undef CUPRIC_BODY_1
#undef CUPRIC_BODY_2
#undef CUPRIC_BODY_3
#undef CUPRIC_BODY_4

/* The index of the signature whose inputs are exactly A and B; -1 if there is none. */
template <class A, class B>
constexpr int
ufunc_find_signature(int op)
{
    for (int sig = 0; sig < ufunc_signature_count(op); sig++) {
        const ufunc_letters found = ufunc_signature(op, sig);
        if (found.at[0] == type_info<A>::letter &&
            found.at[1] == type_info<B>::letter) {
            return found.at[ufunc_rows[op].nin] == '!' ? -1 : sig;
        }
    }
    return -1;
}

/* A row with two inputs and one output, for exact input types. */
template <int OP, class A, class B>
struct ufunc_fn {
    static_assert(ufunc_rows[OP].nin == 2 && ufunc_rows[OP].nout == 1, "a combiner");
    static constexpr int signature = ufunc_find_signature<A, B>(OP);
    static constexpr bool exists = signature >= 0;
    typedef typename ufunc_type<OP, (exists ? signature : 0), 2>::type R;

    static inline __attribute__((always_inline)) R call(const A a, const B b)
    {
        R r;
        nothing s;
        ufunc_body<OP, A, B, nothing, nothing, R, nothing>::run(a, b, nothing(),
                                                                nothing(), r, s);
        return r;
    }
};

CUPRIC_ROWS_END
CUPRIC_END

#endif
