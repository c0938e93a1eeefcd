/* ops/ufunc.h: the rows of the operation tables, and the choice of a signature. */
#ifndef CUPRIC_OPS_UFUNC_H
#define CUPRIC_OPS_UFUNC_H

#include "dtype.h"
#include "ops/signature.h"
#include "status.h"

typedef enum cu_op {
#define UFUNC(name, ...) CUPRIC_OP_##name,
#include "ops/elementwise.def"
#undef UFUNC
    CUPRIC_N_UFUNCS,
    CUPRIC_OPS_BEFORE_REDUCE = CUPRIC_N_UFUNCS - 1,
#define REDUCE(name, ...) CUPRIC_REDUCE_##name,
#include "ops/reduce.def"
#undef REDUCE
    CUPRIC_N_OPS
} cu_op;

typedef enum cu_identity {
    CUPRIC_IDENTITY_NONE, /* order as given, one axis at a time, no empty reductions */
    CUPRIC_IDENTITY_REORDERABLE, /* any order, but still no empty reductions */
    CUPRIC_IDENTITY_ZERO,
    CUPRIC_IDENTITY_ONE,
    CUPRIC_IDENTITY_MINUS_ONE,
    CUPRIC_IDENTITY_MINUS_INFINITY,
    CUPRIC_IDENTITY_NOT_A_NUMBER
} cu_identity;

/* What the input's dtype and `dtype=` decide of a reduction: see reduce.def. */
typedef enum cu_dtype_rule {
    CUPRIC_DTYPES_SAME,
    CUPRIC_DTYPES_INEXACT,
    CUPRIC_DTYPES_WIDENED
} cu_dtype_rule;

/* What a Python integer is that the other operand's dtype does not hold: see ufunc.def. */
typedef enum cu_integers {
    CUPRIC_INTEGERS_FITS,
    CUPRIC_INTEGERS_COMPARED,
    CUPRIC_INTEGERS_QUOTIENT,
    CUPRIC_INTEGERS_TRUTH
} cu_integers;

typedef struct cu_signature {
    cu_dtype type[CUPRIC_MAXSIGNATURE]; /* inputs, then outputs; NO_DTYPE: refused */
} cu_signature;

typedef struct cu_ufunc {
    const char *name;
    const char *names; /* public ones, or "" */
    const char *text;  /* the row's signatures */
    int nin, nout;
    cu_identity identity;
    cu_integers integers;
    unsigned traits;
    const char *family; /* of special.def, whose headers have its functions, or NULL */
    bool is_iterated;   /* computed in few signatures: cu_sig_computed */
    const char *summary;
    const char *code; /* the expression; NULL for reductions */
    /* of reductions: */
    cu_dtype_rule dtypes;
    const char *parameter; /* "ddof=0", or "" */
    const char *combine;   /* a row of ufunc.def, or another combiner */
    bool is_plain;         /* the result is the accumulator: a start may be given */
    bool is_position;      /* the result is the index of an element */
    /* found by cu_ufuncs_init: */
    int nsigs;
    const cu_signature *sigs;
    int combiner; /* the row of ufunc.def that combines, or -1 */
    int reduced_by; /* this row, or the one of reduce.def that takes operands of any dtype */
} cu_ufunc;

extern cu_ufunc cu_ufuncs[CUPRIC_N_OPS]; /* filled by cu_ufuncs_init */

cu_status cu_ufuncs_init(void);

/* How an argument takes part in the choice: with its dtype, or as a Python number that
 * adapts (NEP 50). These follow the dtypes in one numbering. */
enum {
    CUPRIC_WEAK_INT = CUPRIC_N_DTYPES,
    CUPRIC_WEAK_FLOAT,
    CUPRIC_WEAK_COMPLEX,
    CUPRIC_N_KINDS
};
#define CUPRIC_KIND_IS_DTYPE(kind) ((unsigned)(kind)-CUPRIC_WEAK_INT > 2)

/* The signature for arguments of these kinds (dtypes or CUPRIC_WEAK_*): the first that
 * all of them cast to safely. -1 when there is none. Memoised; any thread. */
int cu_ufunc_resolve(int op, const int *kinds);
/* The signature that has the `types` of NumPy's `dtype=` or `signature=`, which are
 * NO_DTYPE where they leave it open: the first whose other inputs the arguments cast to
 * safely, else, where the outputs are to be of one dtype, the one that is of it
 * throughout. -1 when there is none. Whether the arguments may be cast to it is for the caller to check. */
int cu_ufunc_resolve_asked(int op, const int *kinds, const cu_dtype *types);
/* The signature whose inputs and outputs are all `t`, or -1. */
int cu_ufunc_find_same(int op, cu_dtype t);
/* CUPRIC_ERR_TYPE in NumPy's words for arguments without a signature. */
cu_status cu_ufunc_no_loop(int op, const int *kinds);

#endif
