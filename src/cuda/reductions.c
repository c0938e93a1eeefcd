/* cuda/reductions.c: reductions and scans: by kernels of their own or, where those would
 * have to be compiled, by those that come compiled for a few dtypes, of rows into which
 * the operands are copied.
 */
#include "cuda/entries.h"
#include "cuda/general.h"
#include "cuda/launches.h"
#include "cuda/memory.h"
#include "cuda/reduce.h"
#include "device/axes.h"

#define MOST_NBYTES (INT64_C(1) << 28) /* of copies: more takes as long as a compiler */
#define ALIGNMENT 256
#define WIDEST 16 /* bytes of an element */

/* A reduction or scan of dense rows. */
typedef struct plan {
    int nin, sig;
    cu_dtype given[3], wide[3]; /* the inputs', then the result's */
    cu_iter rows;               /* (rows, elements of one) */
    cu_iter results;            /* where they go: operand 0 */
    size_t nbytes;              /* of scratch memory */
} plan;

/* The dtypes of a signature: the inputs', then the result's. */
static bool
find_types(int op, int sig, int nin, cu_dtype *types)
{
    cu_dtype all[CUPRIC_MAXSIGNATURE];

    if (!cu_cuda_signature(op, sig, all)) return false;
    for (int k = 0; k < nin; k++) types[k] = all[k];
    types[nin] = all[cu_cuda_row_get(op)->nin];
    return true;
}

/* Whether the result does not depend on the order of the elements. */
static bool
is_exact(int op, cu_dtype result)
{
    const int combiner = cu_cuda_combiner(op);
    const char kind = cu_dtypes[result].kind;

    if (combiner < 0) return cu_cuda_is_position(op) || (kind != 'f' && kind != 'c');
    return (kind != 'f' && kind != 'c') ||
           cu_cuda_row_get(combiner)->identity == CUPRIC_ID_REORDERABLE;
}

static cu_kernel_key
key_of(const plan *p, cu_family family, int op)
{
    cu_kernel_key key = cu_key(family);
    const bool plain = p->nin == 1 && !cu_cuda_skips(op);

    key.op = (uint16_t)op;
    key.sig = (uint8_t)p->sig;
    key.layout = family == CUPRIC_KERNEL_SCAN ? CUPRIC_SCAN_BLOCKS
                 : plain                      ? CUPRIC_REDUCE_DENSE_ROWS
                                              : CUPRIC_REDUCE_ROWS;
    for (int k = 0; k <= p->nin; k++) key.type[k] = (uint8_t)p->wide[k];
    return key;
}

static int64_t
aligned(int64_t nbytes)
{
    return (nbytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* The iteration over the results: the first `nkeep` dimensions. */
static void
take_results(plan *p, const cu_iter *it, int nkeep)
{
    p->results = (cu_iter){.ndim = nkeep, .nops = 1, .size = 1};
    p->results.op[0] = it->op[p->nin];
    for (int d = 0; d < nkeep; d++) {
        p->results.shape[d] = it->shape[d];
        p->results.size *= it->shape[d];
    }
    cu_iter_finish(&p->results);
}

/* Dense operands behind each other; their addresses are told from 0 on. */
static void
lay_out(plan *p, int64_t rows, int64_t n, bool reduces)
{
    int64_t used = 0;

    p->rows = (cu_iter){.ndim = 2, .nops = p->nin + 1, .size = rows * n};
    p->rows.shape[0] = rows;
    p->rows.shape[1] = n;
    for (int k = 0; k <= p->nin; k++) {
        const bool one = reduces && k == p->nin;
        const int64_t size = cu_itemsize(p->wide[k]);
        cu_operand *op = &p->rows.op[k];
        op->dtype = p->wide[k];
        op->ptr = (char *)(uintptr_t)used;
        op->strides[0] = one ? size : size * n;
        op->strides[1] = one ? 0 : size;
        used += aligned(size * (one ? rows : rows * n));
    }
    p->nbytes = (size_t)(used + rows * n * WIDEST);
}

static bool
make_plan(plan *p, cu_family family, int op, int sig, int nin, int nkeep,
          const cu_iter *it, const cu_stream *s)
{
    const bool reduces = family == CUPRIC_KERNEL_REDUCE;
    const cu_kernels *kernels;
    int64_t rows = 1;

    p->nin = nin;
    p->sig = cu_cuda_wide_signature(op, sig);
    if (nin > 2 || it->masked || cu_cuda_is_serial(op)) return false;
    if (!find_types(op, sig, nin, p->given) || !find_types(op, p->sig, nin, p->wide))
        return false;
    if (!cu_general_serves(is_exact(op, p->given[nin]), s)) return false;
    const cu_kernel_key key = key_of(p, family, op);
    if (cu_kernels_find(&key, s, &kernels) || !kernels) return false;
    for (int k = 0; k <= nin; k++) {
        const cu_dtype stored = it->op[k].dtype;
        const cu_dtype from = k < nin ? stored : p->wide[k];
        const cu_dtype to = k < nin ? p->wide[k] : stored;
        if (!cu_general_converts(from, p->given[k], to, s)) return false;
    }
    for (int d = 0; d < nkeep; d++) rows *= it->shape[d];
    lay_out(p, rows, it->size / rows, reduces);
    take_results(p, it, reduces ? nkeep : it->ndim);
    return cu_general_serves(false, s) || p->nbytes <= (size_t)MOST_NBYTES;
}

/* Where the plan's addresses begin at 0. */
static void
move_to(plan *p, char *memory)
{
    for (int k = 0; k <= p->nin; k++)
        p->rows.op[k].ptr = memory + (uintptr_t)p->rows.op[k].ptr;
    cu_iter_finish(&p->rows);
}

static char *
behind(const plan *p, char *memory)
{
    return memory + p->nbytes - (size_t)p->rows.size * WIDEST;
}

static cu_status
gather(const plan *p, const cu_iter *it, char *between, cu_stream *s)
{
    cu_status st = CUPRIC_OK;
    for (int k = 0; k < p->nin && !st; k++) {
        st = cu_general_gather(it, k, p->given[k], p->wide[k], p->rows.op[k].ptr,
                               between, s);
    }
    return st;
}

static cu_status
spread(const plan *p, char *between, cu_stream *s)
{
    const int k = p->nin;
    return cu_general_spread(&p->results, 0, p->given[k], p->wide[k], p->rows.op[k].ptr,
                             between, s);
}

/* ---- the verbs --------------------------------------------------------------------------- */

cu_status
cu_cuda_reduce(const cu_reduce *args, cu_stream *s)
{
    const cu_iter *it = args->it;
    cu_attempt attempt = {.waits = false}, now = {.waits = true};
    cu_reduce of_rows = *args;
    void *memory;
    plan p;
    cu_status st;

    cu_cuda_log_bytes(it);
    st = cu_reduce_run(args, false, &attempt, s);
    if (CUPRIC_LIKELY(st || !attempt.lacks)) return st;
    if (!make_plan(&p, CUPRIC_KERNEL_REDUCE, args->op, args->sig, args->nin,
                   args->nkeep, it, s) ||
        (args->has_initial && p.given[p.nin] != p.wide[p.nin]))
        return cu_reduce_run(args, false, &now, s);
    cu_kernels_order(&attempt.lacking, s);
    st = cu_cuda_scratch_get(p.nbytes, &memory, s);
    if (st) return st;
    move_to(&p, memory);
    of_rows.sig = p.sig;
    of_rows.nkeep = 1;
    of_rows.it = &p.rows;
    st = gather(&p, it, behind(&p, memory), s);
    if (!st) st = cu_reduce_run(&of_rows, true, &now, s);
    if (!st) st = spread(&p, behind(&p, memory), s);
    cu_cuda_scratch_put(memory, p.nbytes, s);
    return st;
}

cu_status
cu_cuda_scan(const cu_scan *args, cu_stream *s)
{
    const cu_iter *it = args->it;
    cu_attempt attempt = {.waits = false}, now = {.waits = true};
    cu_scan of_rows = *args;
    void *memory;
    plan p;
    cu_status st;

    cu_cuda_log_bytes(it);
    st = cu_scan_run(args, false, &attempt, s);
    if (CUPRIC_LIKELY(st || !attempt.lacks)) return st;
    if (!make_plan(&p, CUPRIC_KERNEL_SCAN, args->op, args->sig, 1, it->ndim - 1, it, s))
        return cu_scan_run(args, false, &now, s);
    cu_kernels_order(&attempt.lacking, s);
    st = cu_cuda_scratch_get(p.nbytes, &memory, s);
    if (st) return st;
    move_to(&p, memory);
    of_rows.sig = p.sig;
    of_rows.it = &p.rows;
    st = gather(&p, it, behind(&p, memory), s);
    if (!st) st = cu_scan_run(&of_rows, true, &now, s);
    if (!st) st = spread(&p, behind(&p, memory), s);
    cu_cuda_scratch_put(memory, p.nbytes, s);
    return st;
}
