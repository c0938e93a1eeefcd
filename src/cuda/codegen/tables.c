/* cuda/codegen/tables.c: see tables.h. */
#include "cuda/codegen/tables.h"

#include <string.h>

#include "device/backend.h"

#define ROW(nm, in, out, id, facts, group, special, sigs, ...)                         \
    {.name = #nm,                                                                      \
     .nin = in,                                                                        \
     .nout = out,                                                                      \
     .identity = CUPRIC_ID_##id,                                                       \
     .signatures = sigs,                                                               \
     .code = #__VA_ARGS__,                                                             \
     .combine = "",                                                                    \
     .map = "",                                                                        \
     .finish = "",                                                                     \
     .is_special = special,                                                            \
     .traits = facts,                                                                  \
     .unit = CUPRIC_UNIT_##group},

static const cu_cuda_row rows[] = {
#define UFUNC(name, nin, nout, names, identity, integers, traits, unit, signatures,    \
              ships, summary, ...)                                                     \
    ROW(name, nin, nout, identity, traits, unit, false, signatures, __VA_ARGS__)
#include "ops/ufunc.def"
#undef UFUNC
#define SPECIAL(name, nin, nout, names, unit, signatures, ships, summary, ...)         \
    ROW(name, nin, nout, NONE, PLAIN, unit, true, signatures, __VA_ARGS__)
#include "ops/special.def"
#undef SPECIAL
#define REDUCE(nm, in, id, dtypes, parameter, skips, sigs, ships, comb, m, f, summary) \
    {.name = #nm,                                                                      \
     .nin = in,                                                                        \
     .nout = 1,                                                                        \
     .identity = CUPRIC_ID_NONE,                                                       \
     .signatures = sigs,                                                               \
     .code = "",                                                                       \
     .combine = #comb,                                                                 \
     .map = #m,                                                                        \
     .finish = #f,                                                                     \
     .skips_nans = CUPRIC_SKIPS_##skips == CUPRIC_SKIPS_NANS},
#include "ops/reduce.def"
#undef REDUCE
};

_Static_assert(sizeof rows / sizeof *rows == N_ROWS, "tables.h counts them");

const cu_cuda_row *
cu_cuda_row_get(int op)
{
    return op >= 0 && op < N_ROWS ? &rows[op] : NULL;
}

/* What a row combines with: a row of ufunc.def, or one of these. */
enum { BY_POSITION = -1, BY_MOMENTS = -2, BY_EXTREMES = -3 };

static int16_t combiners[N_ROWS]; /* found once, as every launch asks */

__attribute__((constructor)) static void
find_combiners(void)
{
    for (int op = 0; op < N_ROWS; op++) {
        combiners[op] = (int16_t)op;
        if (op < N_UFUNCS) continue;
        combiners[op] = strcmp(rows[op].combine, "moments") == 0    ? BY_MOMENTS
                        : strcmp(rows[op].combine, "extremes") == 0 ? BY_EXTREMES
                                                                    : BY_POSITION;
        for (int i = 0; i < N_UFUNCS; i++) {
            if (strcmp(rows[i].name, rows[op].combine) == 0) combiners[op] = (int16_t)i;
        }
    }
}

int
cu_cuda_combiner(int op)
{
    return combiners[op] < 0 ? -1 : combiners[op];
}

bool
cu_cuda_is_moments(int op)
{
    return combiners[op] == BY_MOMENTS;
}

bool
cu_cuda_is_extremes(int op)
{
    return combiners[op] == BY_EXTREMES;
}

int
cu_cuda_is_position(int op)
{
    return op >= 0 && op < N_ROWS && combiners[op] == BY_POSITION;
}

bool
cu_cuda_skips(int op)
{
    return rows[op].skips_nans && combiners[op] != BY_POSITION;
}

int
cu_cuda_is_serial(int op)
{
    const int combiner = cu_cuda_combiner(op);
    return combiner >= 0 && rows[combiner].identity == CUPRIC_ID_NONE;
}

static cu_dtype
dtype_of(char letter)
{
    for (int t = 0; t < CUPRIC_N_DTYPES; t++) {
        if (cu_dtypes[t].letter == letter) return (cu_dtype)t;
    }
    return CUPRIC_NO_DTYPE;
}

int
cu_cuda_signature(int op, int sig, cu_dtype *types)
{
    const cu_cuda_row *row = cu_cuda_row_get(op);
    char letters[CUPRIC_MAXSIGNATURE];

    if (!row || !cu_sig_get(row->signatures, row->nin, row->nout, sig, letters))
        return 0;
    for (int i = 0; i < row->nin + row->nout; i++) {
        types[i] = dtype_of(letters[i]);
        if (types[i] == CUPRIC_NO_DTYPE) return 0;
    }
    return 1;
}

/* What operands of a dtype are converted to. A bool is no number: ~True is False. */
static cu_dtype
widened(cu_dtype t)
{
    const char kind = cu_dtypes[t].kind;
    if ((kind == 'i' || kind == 'u') && cu_dtypes[t].size < 8) return CUPRIC_INT64;
    return t == CUPRIC_FLOAT16 || t == CUPRIC_BFLOAT16 ? CUPRIC_FLOAT32 : t;
}

/* Whether all inputs, or all outputs, are of a dtype. */
static bool
all_are(const cu_dtype *types, int n, cu_dtype t)
{
    for (int i = 0; i < n; i++) {
        if (types[i] != t) return false;
    }
    return true;
}

/* Whether operands may be converted to `wide`. What gives float64 of integers or of shorter
 * floats is computed in float64. */
static bool
holds(const cu_cuda_row *row, const cu_dtype *types, const cu_dtype *wide)
{
    const int n = row->nin + row->nout;

    if (all_are(types + row->nin, row->nout, CUPRIC_FLOAT64) &&
        all_are(wide, n, CUPRIC_FLOAT64)) {
        for (int i = 0; i < row->nin; i++) {
            if (cu_dtypes[types[i]].kind == 'c') return false;
        }
        return true;
    }
    for (int i = 0; i < n; i++) {
        if (wide[i] != widened(types[i]) && (i < row->nin || wide[i] != types[i]))
            return false;
    }
    return true;
}

/* Of reductions that make floats of integers, what is computed before may wrap. */
static bool
may_wrap(const cu_cuda_row *row, const cu_dtype *types)
{
    const char in = cu_dtypes[types[0]].kind, out = cu_dtypes[types[row->nin]].kind;
    return row->code[0] == '\0' && out == 'f' && in != 'f' && in != 'c';
}

bool
cu_cuda_is_iterated(int op)
{
    return op >= 0 && op < N_UFUNCS && cu_unit_is_iterated(rows[op].unit);
}

/* The signature that a row computes another one by; `sig` itself for most. */
static int
computed_signature(int op, int sig)
{
    const cu_cuda_row *row = cu_cuda_row_get(op);

    if (!cu_cuda_is_iterated(op)) return sig;
    return cu_sig_computed(row->signatures, row->nin, row->nout, sig);
}

bool
cu_cuda_computed(int op, int sig, cu_dtype *wide)
{
    if (op >= N_UFUNCS || computed_signature(op, sig) == sig) return false;
    return cu_cuda_signature(op, computed_signature(op, sig), wide);
}

int
cu_cuda_wide_signature(int op, int sig)
{
    const cu_cuda_row *row = cu_cuda_row_get(op);
    cu_dtype types[CUPRIC_MAXSIGNATURE], wide[CUPRIC_MAXSIGNATURE];
    int best = sig;
    if (cu_cuda_is_iterated(op)) return computed_signature(op, sig);

    if (!cu_cuda_signature(op, sig, types) || row->traits & OWN_WIDTH ||
        may_wrap(row, types))
        return sig;
    for (int other = cu_sig_count(row->signatures, row->nin, row->nout); other-- > 0;) {
        if (!cu_cuda_signature(op, other, wide) || !holds(row, types, wide)) continue;
        if (all_are(wide, row->nin, CUPRIC_FLOAT64)) return other;
        best = other;
    }
    return best;
}

int
cu_cuda_rank(int ndim)
{
    if (ndim <= 4) return ndim < 1 ? 1 : ndim;
    return ndim <= 8 ? 8 : ndim <= 32 ? 32 : CUPRIC_MAXDIMS;
}

bool
cu_cuda_is_slow(int op)
{
    return op >= 0 && op < N_UFUNCS && cu_unit_is_costly(rows[op].unit);
}
