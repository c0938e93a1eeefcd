/* ops/ufunc.c: the operation tables as data, and type resolution over them. */
#include "ops/ufunc.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IDENTITY_(x) CUPRIC_IDENTITY_##x

#define INTEGERS_(x) CUPRIC_INTEGERS_##x
#define ROW(nm, in, out, public, ident, ints, facts, group, turns, sigs, doc, ...)     \
    {                                                                                  \
        .name = #nm, .names = public, .text = sigs, .nin = in, .nout = out,            \
        .code = #__VA_ARGS__, .identity = IDENTITY_(ident),                            \
        .integers = INTEGERS_(ints), .traits = facts, .family = group,                 \
        .is_iterated = turns, .summary = doc,                                          \
        .dtypes = (facts)&WIDENS ? CUPRIC_DTYPES_WIDENED : CUPRIC_DTYPES_SAME,         \
        .parameter = "", .combine = #nm, .is_plain = true                              \
    }

#define UFUNC(name, nin, nout, ...)                                                    \
    _Static_assert(nin <= CUPRIC_MAXIN && nout <= CUPRIC_MAXOUT &&                     \
                       nin + nout <= CUPRIC_MAXSIGNATURE,                              \
                   #name);
#include "ops/elementwise.def"
#undef UFUNC

/* Whether a family's rows are computed in few signatures. */
enum {
#define UNIT(name, cost) ITERATED_##name = CUPRIC_COST_##cost == CUPRIC_COST_ITERATED,
    CUPRIC_FAMILIES(UNIT)
#undef UNIT
};

cu_ufunc cu_ufuncs[CUPRIC_N_OPS] = {
#define UFUNC(name, nin, nout, names, ident, ints, traits, unit, sigs, ships, doc,     \
              ...)                                                                     \
    [CUPRIC_OP_##name] = ROW(name, nin, nout, names, ident, ints, traits, NULL, false, \
                             sigs, doc, __VA_ARGS__),
#include "ops/ufunc.def"
#undef UFUNC
#define SPECIAL(name, nin, nout, names, unit, sigs, ships, doc, ...)                   \
    [CUPRIC_OP_##name] = ROW(name, nin, nout, names, NONE, FITS, PLAIN, #unit,         \
                             ITERATED_##unit, sigs, doc, __VA_ARGS__),
#include "ops/special.def"
#undef SPECIAL
#define REDUCE(nm, in, ident, types, param, skips, sigs, ships, comb, map, fin, doc)   \
    [CUPRIC_REDUCE_##nm] = {.name = #nm,                                               \
                            .names = "",                                               \
                            .text = sigs,                                              \
                            .nin = in,                                                 \
                            .nout = 1,                                                 \
                            .identity = IDENTITY_(ident),                              \
                            .summary = doc,                                            \
                            .dtypes = CUPRIC_DTYPES_##types,                           \
                            .parameter = param,                                        \
                            .combine = #comb,                                          \
                            .is_plain = sizeof #fin == sizeof "s"},
#include "ops/reduce.def"
#undef REDUCE
};

/* Memo of two-argument choices: 0 unknown, else the signature + 2 (1: none). */
static _Atomic signed char memo[CUPRIC_N_OPS][CUPRIC_N_KINDS][CUPRIC_N_KINDS];

/* The row of elementwise.def of that name, or -1. */
static int
find_name(const char *name)
{
    for (int i = 0; i < CUPRIC_N_UFUNCS; i++) {
        if (strcmp(cu_ufuncs[i].name, name) == 0) return i;
    }
    return -1;
}

cu_status
cu_ufuncs_init(void)
{
    for (int op = 0; op < CUPRIC_N_OPS; op++) {
        cu_ufunc *u = &cu_ufuncs[op];
        int n = cu_sig_count(u->text, u->nin, u->nout);
        cu_signature *sigs;
        if (u->sigs) continue;
        sigs = malloc((size_t)n * sizeof *sigs);
        if (sigs == NULL) return cu_fail(CUPRIC_ERR_MEMORY, "out of host memory");
        for (int i = 0; i < n; i++) {
            char letters[CUPRIC_MAXSIGNATURE] = {0};
            cu_sig_get(u->text, u->nin, u->nout, i, letters);
            for (int k = 0; k < u->nin + u->nout; k++) {
                sigs[i].type[k] = cu_dtype_from_letter(letters[k]);
            }
        }
        u->nsigs = n;
        u->sigs = sigs;
        u->is_position = strncmp(u->combine, "arg_", 4) == 0;
        u->is_plain &= !u->is_position;
        u->combiner = find_name(u->combine);
        u->reduced_by = op;
    }
    /* A reduction by truth is made of operands as they are stored, and stops early. */
    for (int op = CUPRIC_N_OPS - 1; op >= CUPRIC_N_UFUNCS; op--) {
        const int combiner = cu_ufuncs[op].combiner;
        if (combiner < 0 || cu_ufuncs[combiner].integers != CUPRIC_INTEGERS_TRUTH)
            continue;
        cu_ufuncs[combiner].reduced_by = op;
    }
    return CUPRIC_OK;
}

/* bool < integer < real < complex */
static int
rank_of(int kind)
{
    if (kind == CUPRIC_WEAK_INT) return 1;
    if (kind == CUPRIC_WEAK_FLOAT) return 2;
    if (kind == CUPRIC_WEAK_COMPLEX || kind >= CUPRIC_N_DTYPES) return 3;
    switch (cu_dtypes[kind].kind) {
    case 'b': return 0;
    case 'f': return 2;
    case 'c': return 3;
    default: return 1;
    }
}

/* The dtype a Python number gets when it outranks all arrays (`strong`, or NO_DTYPE). */
static cu_dtype
weak_default(int kind, cu_dtype strong)
{
    if (kind == CUPRIC_WEAK_INT) return CUPRIC_INT64;
    if (kind == CUPRIC_WEAK_FLOAT) return CUPRIC_FLOAT64;
    if (strong != CUPRIC_NO_DTYPE && rank_of((int)strong) == 2 &&
        strong != CUPRIC_FLOAT64) {
        return CUPRIC_COMPLEX64;
    }
    return CUPRIC_COMPLEX128;
}

static bool
argument_fits(int kind, cu_dtype strong, cu_dtype type)
{
    if (kind < CUPRIC_N_DTYPES) return cu_can_cast_safely((cu_dtype)kind, type);
    if (strong != CUPRIC_NO_DTYPE && rank_of((int)strong) >= rank_of(kind)) {
        return rank_of((int)type) >= rank_of(kind);
    }
    return cu_can_cast_safely(weak_default(kind, strong), type);
}

/* What the arguments that are no Python numbers have in common, or NO_DTYPE. */
static cu_dtype
strong_of(int nin, const int *kinds)
{
    cu_dtype strong = CUPRIC_NO_DTYPE;

    for (int k = 0; k < nin; k++) {
        if (kinds[k] >= CUPRIC_N_DTYPES) continue;
        strong = strong == CUPRIC_NO_DTYPE ? (cu_dtype)kinds[k]
                                           : cu_promote(strong, (cu_dtype)kinds[k]);
    }
    return strong;
}

static bool
is_any_opaque(int nin, const int *kinds)
{
    for (int k = 0; k < nin; k++) {
        if (cu_is_opaque((cu_dtype)kinds[k])) return true;
    }
    return false;
}

static int
search(int op, const int *kinds)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    cu_dtype strong;

    if (is_any_opaque(u->nin, kinds)) return -1;
    strong = strong_of(u->nin, kinds);
    for (int i = 0; i < u->nsigs; i++) {
        bool fits = true;
        for (int k = 0; k < u->nin && fits; k++) {
            fits = argument_fits(kinds[k], strong, u->sigs[i].type[k]);
        }
        if (fits) return u->sigs[i].type[u->nin] == CUPRIC_NO_DTYPE ? -1 : i;
    }
    return -1;
}

/* Operations of more inputs remember their last choice: its kinds, 6 bits each, above the
 * signature + 2. */
static int
resolve_many(int op, int nin, const int *kinds)
{
    static _Atomic uint64_t last[CUPRIC_N_OPS];
    uint64_t key = 0, kept = atomic_load_explicit(&last[op], memory_order_relaxed);
    int found;

    for (int k = 0; k < nin; k++) {
        if (CUPRIC_UNLIKELY(cu_is_opaque((cu_dtype)kinds[k]))) return -1;
        key = key << 6 | (unsigned)kinds[k];
    }
    if (kept >> 8 == key && (kept & 0xff)) return (int)(kept & 0xff) - 2;
    found = search(op, kinds);
    atomic_store_explicit(&last[op], key << 8 | (unsigned)(found + 2),
                          memory_order_relaxed);
    return found;
}

int
cu_ufunc_resolve(int op, const int *kinds)
{
    int nin = cu_ufuncs[op].nin, second, found;
    _Atomic signed char *slot;

    if (nin > 2) return resolve_many(op, nin, kinds);
    second = nin == 2 ? kinds[1] : 0;
    if (CUPRIC_UNLIKELY((kinds[0] | second) >= CUPRIC_OPAQUE)) return -1;
    slot = &memo[op][kinds[0]][second];
    found = atomic_load_explicit(slot, memory_order_relaxed);
    if (CUPRIC_UNLIKELY(found == 0)) {
        found = search(op, kinds) + 2;
        atomic_store_explicit(slot, (signed char)found, memory_order_relaxed);
    }
    return found - 2;
}

/* Whether the signature has the types asked for and takes the other inputs safely. */
static bool
answers(const cu_ufunc *u, const cu_signature *s, const int *kinds, cu_dtype strong,
        const cu_dtype *types)
{
    for (int k = 0; k < u->nin + u->nout; k++) {
        if (s->type[k] == CUPRIC_NO_DTYPE) return false;
        if (types[k] != CUPRIC_NO_DTYPE) {
            if (types[k] != s->type[k]) return false;
        } else if (k < u->nin && !argument_fits(kinds[k], strong, s->type[k])) {
            return false;
        }
    }
    return true;
}

/* Whether all outputs are asked to be of one dtype, and no input of another. */
static bool
is_one_dtype(const cu_ufunc *u, const cu_dtype *types)
{
    const cu_dtype t = types[u->nin];
    for (int k = 0; k < u->nin + u->nout; k++) {
        if (types[k] != t && (k >= u->nin || types[k] != CUPRIC_NO_DTYPE)) return false;
    }
    return t != CUPRIC_NO_DTYPE;
}

int
cu_ufunc_resolve_asked(int op, const int *kinds, const cu_dtype *types)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    cu_dtype strong;

    if (is_any_opaque(u->nin, kinds)) return -1;
    strong = strong_of(u->nin, kinds);
    for (int i = 0; i < u->nsigs; i++) {
        if (answers(u, &u->sigs[i], kinds, strong, types)) return i;
    }
    return is_one_dtype(u, types) ? cu_ufunc_find_same(op, types[u->nin]) : -1;
}

int
cu_ufunc_find_same(int op, cu_dtype t)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    for (int i = 0; i < u->nsigs; i++) {
        bool same = true;
        for (int k = 0; k < u->nin + u->nout; k++) same &= u->sigs[i].type[k] == t;
        if (same) return i;
    }
    return -1;
}

cu_status
cu_ufunc_no_loop(int op, const int *kinds)
{
    static const char *const weak[] = {"a Python int", "a Python float",
                                       "a Python complex"};
    const cu_ufunc *u = &cu_ufuncs[op];
    char types[256];
    size_t n = 0;

    for (int k = 0; k < u->nin && n < sizeof types; k++) {
        const char *name = CUPRIC_KIND_IS_DTYPE(kinds[k])
                               ? cu_dtypes[kinds[k]].name
                               : weak[kinds[k] - CUPRIC_N_DTYPES];
        n += (size_t)snprintf(types + n, sizeof types - n, k ? ", %s" : "%s", name);
    }
    return cu_fail(CUPRIC_ERR_TYPE,
                   "ufunc '%s' not supported for the input types (%s), and the inputs "
                   "could not be safely coerced to any supported types",
                   u->name, types);
}
