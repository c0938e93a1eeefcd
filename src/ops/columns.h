/* ops/columns.h: what the columns of the operation tables may say, for C and C++. */
#ifndef CUPRIC_OPS_COLUMNS_H
#define CUPRIC_OPS_COLUMNS_H

/* Traits of a row, joined by |. Sets of kernels that come compiled are in ops/ships.h. */
#define PLAIN 0
/* Reductions of bool and small integers are made in 64 bits. */
#define WIDENS 1
/* Reductions of floats start at the identity, which shows in the sum of -0.0 and -0.0. */
#define SIGNED_ZERO 2
/* Reductions start at the identity, as one element alone would keep its sign. */
#define DROPS_SIGN 4
/* In a reduction of bool the value that is not the identity decides. */
#define ABSORBS 8
/* The first input is a condition: of any dtype, and asked only whether it is zero. */
#define CONDITION 16
/* Arrays of opaque dtypes too: by cupric._dtypes.OPAQUE_UFUNCS. */
#define OPAQUE 32
/* `at` has loops of its own on the host, where all is of one dtype. */
#define SCATTERS 64
/* `at` may apply values in any order, though there is no identity. */
#define ANY_ORDER 256
/* Results depend on the width of the dtype: a wider one gives others, also when they are
 * converted to it; or on the sign of a NaN, which a conversion loses on a GPU.
 * tests/cuda/test_general.py finds those. */
#define OWN_WIDTH 512
/* A reduction in order, too, becomes a loop of vector instructions on the host. */
#define VECTORISES 128

/* A batched form on the host leaves elements to calls of their own: MARK() of
 * cupric/math/words.hpp. Any special function may. */
#define MARKS 1024
/* A dense kernel of complex64 computes what is rare after the rest of a thread's elements:
 * CUPRIC_COMPLEX_FUNCTIONS of cupric/math/complex.hpp. */
#define SETS_APART 2048
/* `at` on a GPU takes atomic sums, which some dtypes have. */
#define SUMS 4096
/* The second input matters where the first is 0 alone: a GPU reads it for those. */
#define SECOND_AT_ZERO 8192

/* The units of rows: on the host a source file each, host/loops_<unit>.cpp, so that they
 * compile side by side. COSTLY rows take longer than reaching memory. */
#define CUPRIC_PLAIN_UNITS(UNIT)                                                       \
    UNIT(arithmetic, CHEAP)                                                            \
    UNIT(order, CHEAP)                                                                 \
    UNIT(comparison, CHEAP)                                                            \
    UNIT(logic, CHEAP)                                                                 \
    UNIT(bits, CHEAP)                                                                  \
    UNIT(division, COSTLY)                                                             \
    UNIT(exponential, COSTLY)                                                          \
    UNIT(trigonometric, COSTLY)
/* Those of ops/special.def. ITERATED rows have loops and branches: they are computed in
 * float64 or complex128 alone, and operands of other dtypes are converted around that. */
#define CUPRIC_FAMILIES(UNIT)                                                          \
    UNIT(special, COSTLY)                                                              \
    UNIT(gamma, ITERATED)                                                              \
    UNIT(beta, ITERATED)                                                               \
    UNIT(distributions, ITERATED)                                                      \
    UNIT(errors, ITERATED)                                                             \
    UNIT(integrals, ITERATED)                                                          \
    UNIT(convenience, ITERATED)                                                        \
    UNIT(bessel, ITERATED)                                                             \
    UNIT(bessel_complex, ITERATED)                                                     \
    UNIT(struve, ITERATED)                                                             \
    UNIT(elliptic, ITERATED)                                                           \
    UNIT(hypergeometric, ITERATED)                                                     \
    UNIT(orthogonal, ITERATED)
#define CUPRIC_UNITS(UNIT)                                                             \
    CUPRIC_PLAIN_UNITS(UNIT)                                                           \
    CUPRIC_FAMILIES(UNIT)

enum {
#define UNIT(name, cost) CUPRIC_UNIT_##name,
    CUPRIC_UNITS(UNIT)
#undef UNIT
        CUPRIC_N_UNITS
};

enum { CUPRIC_COST_CHEAP, CUPRIC_COST_COSTLY, CUPRIC_COST_ITERATED };

static inline int
cu_unit_cost(int unit)
{
    static const char costs[] = {
#define UNIT(name, cost) CUPRIC_COST_##cost,
        CUPRIC_UNITS(UNIT)
#undef UNIT
    };
    return costs[unit];
}

/* Whether rows of a unit cost more than reaching memory. */
static inline int
cu_unit_is_costly(int unit)
{
    return cu_unit_cost(unit) != CUPRIC_COST_CHEAP;
}

/* Whether they are computed by the signature that cu_sig_computed gives. */
static inline int
cu_unit_is_iterated(int unit)
{
    return cu_unit_cost(unit) == CUPRIC_COST_ITERATED;
}

/* What a reduction leaves out. */
enum { CUPRIC_SKIPS_NOTHING, CUPRIC_SKIPS_NANS };

#endif
