/* kernel/plan.c: axes, forms and bytes of one launch.
 *
 * The bytes of an argument are the structs of cuda/include/cupric/kernel.hpp: a pointer,
 * then what its form needs as 64-bit integers.
 */
#include "kernel/plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "device/axes.h"

/* Elements of a block's loop on a device whose blocks run one after another: large enough
 * to hide the cost of a block, small enough to balance the load. */
#define CHUNK_ELEMENTS 8192
#define CHUNKS_PER_THREAD 4
#define MAX_GRID 2147483647ll
#define REDUCTION_BLOCK 512
#define REDUCTION_UNROLLED 8 /* elements that a thread reads at a time */
/* A processor holds two, three or four, by the registers that the kernel takes: all of
 * these then come in whole waves. */
#define REDUCTION_BLOCKS_OF_PROCESSOR 12
#define COLUMNS_MIN 8

/* ---- axes ------------------------------------------------------------------------------------ */

static bool
is_looped(const cu_kernel_operand *op, const cu_param *param)
{
    return op->array && !param->raw;
}

/* Drop and join the axes [begin, end), moving them to `at`; without `join` they stay as
 * they are. Returns where they end. */
static int
join_axes(cu_plan *plan, const cu_params *params, int begin, int end, int at, bool join)
{
    int64_t *steps[CUPRIC_MAXPARAMS]; /* borrowed: of the operands of the loop */
    int n = 0;

    if (!join) {
        assert(begin == at);
        return end;
    }
    for (int k = 0; k < plan->nops; k++) {
        if (is_looped(&plan->op[k], &params->at[k])) steps[n++] = plan->op[k].steps;
    }
    return cu_axes_move(plan->shape, n, steps, begin, end, at, true);
}

/* A loop has at least one axis. */
static int
pad_axes(cu_plan *plan, int ndim)
{
    if (ndim) return ndim;
    plan->shape[0] = 1;
    for (int k = 0; k < plan->nops; k++)
        plan->op[k].steps[0] =
            plan->op[k].dtype >= 0 ? cu_itemsize(plan->op[k].dtype) : 0;
    return 1;
}

static void
set_forms(cu_plan *plan, const cu_params *params)
{
    for (int k = 0; k < plan->nops; k++) {
        cu_kernel_operand *op = &plan->op[k];
        if (!op->array) {
            op->form = CUPRIC_FORM_VALUE;
        } else if (params->at[k].raw) {
            op->form = cu_array_is_contiguous(op->array) ? CUPRIC_FORM_RAW_CONTIGUOUS
                                                         : CUPRIC_FORM_RAW;
        } else {
            op->form = CUPRIC_FORM_STRIDED;
        }
    }
}

/* The operand's elements follow each other in the order of the axes [0, ndim). */
static bool
is_dense(const cu_plan *plan, const cu_kernel_operand *op, int ndim)
{
    int64_t step = cu_itemsize(op->dtype);

    for (int d = ndim - 1; d >= 0; d--) {
        if (plan->shape[d] != 1 && op->steps[d] != step) return false;
        step *= plan->shape[d];
    }
    return true;
}

/* Those whose array the texts name themselves: dense ones get their steps. */
static void
set_views(cu_plan *plan, const cu_params *params)
{
    for (int k = 0; k < plan->nops; k++) {
        cu_kernel_operand *op = &plan->op[k];
        const int ndim =
            plan->nkeep < plan->ndim && k >= params->nin ? plan->nkeep : plan->ndim;
        int64_t step = cu_itemsize(op->dtype);
        if (CUPRIC_LIKELY(!params->at[k].viewed) || !is_looped(op, &params->at[k]))
            continue;
        if (ndim == 0) op->steps[0] = step;
        for (int d = ndim - 1; d >= 0 && op->form == CUPRIC_FORM_DENSE; d--) {
            op->steps[d] = step;
            step *= plan->shape[d];
        }
        op->form = CUPRIC_FORM_VIEW;
    }
}

void
cu_plan_loop(cu_plan *plan, const cu_params *params, int ndim, const int64_t *shape,
             bool join)
{
    bool dense = join; /* every looped operand is contiguous and of the loop's shape */
    int64_t size = 1;

    set_forms(plan, params);
    for (int d = 0; d < ndim; d++) size *= shape[d];
    for (int k = 0; k < plan->nops && dense; k++) {
        const cu_array *a = plan->op[k].array;
        if (!a || params->at[k].raw) continue;
        dense = cu_array_is_contiguous(a) && a->size == size;
    }
    if (CUPRIC_LIKELY(dense)) {
        plan->ndim = plan->nkeep = 1;
        plan->columns = false;
        plan->shape[0] = size;
        for (int k = 0; k < plan->nops; k++) {
            if (plan->op[k].form == CUPRIC_FORM_STRIDED)
                plan->op[k].form = CUPRIC_FORM_DENSE;
        }
        set_views(plan, params);
        return;
    }
    memcpy(plan->shape, shape, (size_t)ndim * sizeof *shape);
    for (int k = 0; k < plan->nops; k++) {
        cu_kernel_operand *op = &plan->op[k];
        if (is_looped(op, &params->at[k])) {
            cu_array_broadcast_strides(op->array, ndim, op->steps);
        }
    }
    plan->ndim = pad_axes(plan, join_axes(plan, params, 0, ndim, 0, join));
    plan->nkeep = plan->ndim;
    plan->columns = false;
    for (int k = 0; k < plan->nops; k++) {
        cu_kernel_operand *op = &plan->op[k];
        if (op->form == CUPRIC_FORM_STRIDED && is_dense(plan, op, plan->ndim)) {
            op->form = CUPRIC_FORM_DENSE;
        }
    }
    set_views(plan, params);
}

void
cu_plan_unify(cu_plan *plan)
{
    bool strided = false;

    for (int k = 0; k < plan->nops; k++) {
        cu_kernel_operand *op = &plan->op[k];
        if (op->form == CUPRIC_FORM_RAW_CONTIGUOUS) op->form = CUPRIC_FORM_RAW;
        strided |= op->form == CUPRIC_FORM_STRIDED;
    }
    for (int k = 0; k < plan->nops && strided; k++) {
        cu_kernel_operand *op = &plan->op[k];
        if (op->form == CUPRIC_FORM_DENSE) op->form = CUPRIC_FORM_STRIDED;
    }
}

/* The strides of an operand along the axes of `order`, 0 where `absent`. */
static void
order_steps(cu_kernel_operand *op, const int64_t *strides, int ndim, const int *order)
{
    for (int d = 0; d < ndim; d++) op->steps[d] = strides[order[d]];
}

/* Whether an input's elements lie closer together along the outputs' last axis than along
 * the last that is reduced: then several outputs are made at once. */
static bool
has_columns(const cu_plan *plan, const cu_params *params)
{
    if (plan->nkeep == 0 || plan->nkeep == plan->ndim) return false;
    if (plan->shape[plan->nkeep - 1] < COLUMNS_MIN || cu_plan_reduced(plan) == 0)
        return false;
    for (int k = 0; k < params->nin; k++) {
        const cu_kernel_operand *op = &plan->op[k];
        if (op->form != CUPRIC_FORM_STRIDED) continue;
        const int64_t along = op->steps[plan->nkeep - 1],
                      across = op->steps[plan->ndim - 1];
        if (along != 0 && llabs(along) < llabs(across)) return true;
    }
    return false;
}

void
cu_plan_reduction(cu_plan *plan, const cu_params *params, int ndim,
                  const int64_t *shape, int nreduced, const int *axes, bool join)
{
    int order[CUPRIC_MAXDIMS], nkeep = 0, end;
    bool reduced[CUPRIC_MAXDIMS] = {false};

    set_forms(plan, params);
    for (int i = 0; i < nreduced; i++) reduced[axes[i]] = true;
    for (int d = 0; d < ndim; d++) {
        if (!reduced[d]) order[nkeep++] = d;
    }
    end = nkeep;
    for (int d = 0; d < ndim; d++) {
        if (reduced[d]) order[end++] = d;
    }
    for (int d = 0; d < ndim; d++) plan->shape[d] = shape[order[d]];
    for (int k = 0; k < plan->nops; k++) {
        cu_kernel_operand *op = &plan->op[k];
        int64_t strides[CUPRIC_MAXDIMS] = {0};
        if (!is_looped(op, &params->at[k])) continue;
        if (k < params->nin) {
            cu_array_broadcast_strides(op->array, ndim, strides);
            order_steps(op, strides, ndim, order);
        } else {
            /* an output, with or without the reduced axes as axes of length 1 */
            const bool keeps = op->array->ndim == ndim;
            for (int d = 0; d < ndim; d++) {
                op->steps[d] =
                    d >= nkeep ? 0 : op->array->strides[keeps ? order[d] : d];
            }
        }
    }
    /* Outputs have step 0 along every reduced axis, which joins with itself alone. */
    end = join_axes(plan, params, 0, nkeep, 0, join);
    plan->nkeep = end;
    plan->ndim = join_axes(plan, params, nkeep, ndim, end, join);
    if (plan->ndim == 0) plan->ndim = plan->nkeep = pad_axes(plan, 0);
    for (int k = 0; k < plan->nops; k++) {
        cu_kernel_operand *op = &plan->op[k];
        const int n = k < params->nin ? plan->ndim : plan->nkeep;
        if (op->form == CUPRIC_FORM_STRIDED && is_dense(plan, op, n)) {
            op->form = CUPRIC_FORM_DENSE;
        }
    }
    plan->columns = has_columns(plan, params);
    set_views(plan, params);
}

int64_t
cu_plan_outputs(const cu_plan *plan)
{
    int64_t n = 1;
    for (int d = 0; d < plan->nkeep; d++) n *= plan->shape[d];
    return n;
}

int64_t
cu_plan_reduced(const cu_plan *plan)
{
    int64_t n = 1;
    for (int d = plan->nkeep; d < plan->ndim; d++) n *= plan->shape[d];
    return n;
}

/* ---- keys ------------------------------------------------------------------------------------ */

void
cu_plan_make_key(const cu_plan *plan, const cu_device *device, cu_plan_key *key)
{
    key->device = device;
    key->n = (unsigned char)plan->nops;
    key->ndim = (unsigned char)plan->ndim;
    key->nkeep = (unsigned char)plan->nkeep;
    key->columns = plan->columns;
    for (int k = 0; k < plan->nops; k++) {
        const cu_kernel_operand *op = &plan->op[k];
        const bool raw = op->form >= CUPRIC_FORM_RAW;
        key->op[k][0] = (unsigned short)op->dtype;
        key->op[k][1] = (unsigned short)op->form;
        key->op[k][2] = raw ? (unsigned short)op->array->ndim : 0;
    }
}

bool
cu_plan_same_key(const cu_plan_key *a, const cu_plan_key *b)
{
    return a->device == b->device && a->n == b->n && a->ndim == b->ndim &&
           a->nkeep == b->nkeep && a->columns == b->columns &&
           memcmp(a->op, b->op, sizeof a->op[0] * a->n) == 0;
}

/* ---- bytes ------------------------------------------------------------------------------------- */

/* The largest argument: a raw array of 32 axes. */
enum { ARGUMENT_WORDS = 2 + 2 * CUPRIC_MAXDIMS };

typedef struct packed {
    _Alignas(16) int64_t words[ARGUMENT_WORDS];
} packed;

static void
pack_operand(const cu_kernel_operand *op, int ndim, const int64_t *shape,
             cu_stream *stream, packed *out)
{
    int64_t *w = out->words;

    if (op->form == CUPRIC_FORM_VALUE) {
        memcpy(w, &op->value, sizeof op->value);
        return;
    }
    const cu_array *a = op->array;
    const bool raw = op->form >= CUPRIC_FORM_RAW;
    const int use = raw ? CUPRIC_READ | (op->written ? CUPRIC_WRITE : 0) | CUPRIC_ESCAPE
                        : (op->written ? CUPRIC_WRITE : CUPRIC_READ);
    *w++ = (int64_t)(intptr_t)cu_array_access(a, use);
    cu_storage_used_on(a->storage, stream);
    if (op->form == CUPRIC_FORM_STRIDED) {
        memcpy(w, op->steps, (size_t)ndim * sizeof *w);
    } else if (op->form == CUPRIC_FORM_VIEW) {
        *w = 1;
        for (int d = 0; d < ndim; d++) *w *= shape[d];
        memcpy(w + 1, shape, (size_t)ndim * sizeof *w);
        memcpy(w + 1 + ndim, op->steps, (size_t)ndim * sizeof *w);
    } else if (raw) {
        const int n = a->ndim > 0 ? a->ndim : 1;
        *w++ = a->size;
        w[0] = w[n] = 0;
        memcpy(w, a->shape, (size_t)a->ndim * sizeof *w);
        memcpy(w + n, a->strides, (size_t)a->ndim * sizeof *w);
    }
}

static void
pack_indexer(int ndim, const int64_t *shape, packed *out)
{
    int64_t size = 1;

    for (int d = 0; d < ndim; d++) size *= shape[d];
    out->words[0] = size;
    memcpy(out->words + 1, shape, (size_t)ndim * sizeof *shape);
    memset(out->words + 1 + ndim, 0, (size_t)ndim * sizeof *shape);
}

/* A device without a compute capability is a CPU: a block is one loop of one thread. */
static bool
blocks_are_loops(const cu_device *d)
{
    return d->info.capability_major == 0;
}

/* Operands that broadcast have fewer elements in memory than the loop reads. */
static bool
is_small(const cu_plan *plan, int64_t n)
{
    size_t nbytes = (size_t)n;

    for (int k = 0; k < plan->nops; k++) {
        if (plan->op[k].array) nbytes += plan->op[k].array->storage->nbytes;
        if (nbytes > CUPRIC_SMALL_LAUNCH) return false;
    }
    return true;
}

static unsigned
chunks(const cu_device *d, int64_t n, int64_t per_chunk)
{
    const int64_t most = (int64_t)CHUNKS_PER_THREAD *
                         (d->info.multiprocessors > 0 ? d->info.multiprocessors : 1);
    const int64_t wanted = (n + per_chunk - 1) / per_chunk;

    return (unsigned)(wanted < most ? (wanted > 0 ? wanted : 1) : most);
}

cu_status
cu_plan_launch(const cu_plan *plan, cu_function *f, cu_device *device,
               cu_stream *stream, unsigned block_size)
{
    packed args[CUPRIC_MAXPARAMS + 1];
    void *pointers[CUPRIC_MAXPARAMS + 1];
    const int64_t n = cu_plan_outputs(plan);
    cu_launch config = {.grid = {1, 1, 1}, .block = {1, 1, 1}};

    for (int k = 0; k < plan->nops; k++) {
        pack_operand(&plan->op[k], plan->ndim, plan->shape, stream, &args[k]);
        pointers[k] = &args[k];
    }
    pack_indexer(plan->ndim, plan->shape, &args[plan->nops]);
    pointers[plan->nops] = &args[plan->nops];
    if (blocks_are_loops(device)) {
        config.grid[0] = chunks(device, n, CHUNK_ELEMENTS);
        config.is_small = is_small(plan, n);
    } else {
        const int64_t blocks = (n + block_size - 1) / block_size;
        config.block[0] = block_size;
        config.grid[0] = (unsigned)(blocks < MAX_GRID ? blocks : MAX_GRID);
    }
    return stream->backend->launch(f, &config, pointers, stream);
}

static int64_t
power_of_two_from(int64_t n)
{
    int64_t p = 1;
    while (p < n) p *= 2;
    return p;
}

static int64_t
at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Neighbours in memory go to neighbouring threads, of one output or of several. */
static void
share_block(const cu_plan *plan, int64_t outputs, int64_t reduced, cu_plan_split *s)
{
    const int64_t each = reduced / REDUCTION_UNROLLED + 1;
    int64_t outputs_per_block;

    s->across = plan->columns;
    s->lanes = at_most(power_of_two_from(each), REDUCTION_BLOCK);
    if (s->across) {
        s->lanes = at_most(s->lanes, REDUCTION_BLOCK / 32);
    } else if (s->lanes < 8) {
        s->lanes = at_most(8, power_of_two_from(reduced / 2 + 1));
    }
    outputs_per_block = at_most(power_of_two_from(outputs), REDUCTION_BLOCK / s->lanes);
    if (outputs_per_block * s->lanes < 32) outputs_per_block = 32 / s->lanes;
    s->threads = outputs_per_block * s->lanes;
    s->blocks =
        at_most((outputs + outputs_per_block - 1) / outputs_per_block, MAX_GRID);
}

void
cu_plan_share(const cu_plan *plan, const cu_device *device, bool may_cut,
              cu_plan_split *s)
{
    const int64_t outputs = cu_plan_outputs(plan), reduced = cu_plan_reduced(plan);
    const int64_t min_blocks =
        REDUCTION_BLOCKS_OF_PROCESSOR * (int64_t)device->info.multiprocessors;

    *s = (cu_plan_split){.part = reduced, .parts = 1};
    share_block(plan, outputs, reduced, s);
    if (!may_cut || s->blocks * 2 > min_blocks) return;
    const int64_t unit = s->lanes * REDUCTION_UNROLLED;
    const int64_t parts = at_most(min_blocks / s->blocks, reduced / unit);
    if (parts < 2) return;
    s->part = (reduced / parts + unit) / unit * unit;
    s->parts = (reduced + s->part - 1) / s->part;
}

cu_status
cu_plan_launch_reduction(const cu_plan *plan, const cu_plan_split *split,
                         cu_function *f, cu_device *device, cu_stream *stream)
{
    packed args[CUPRIC_MAXPARAMS + 2];
    void *pointers[CUPRIC_MAXPARAMS + 3];
    const int64_t outputs = cu_plan_outputs(plan), reduced = cu_plan_reduced(plan);
    const int nout_axes = plan->nkeep > 0 ? plan->nkeep : 1;
    const int64_t one = 1, *const out_shape = plan->nkeep > 0 ? plan->shape : &one;
    cu_launch config = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    int k;

    for (k = 0; k < plan->nops; k++) {
        const bool output = plan->op[k].written;
        pack_operand(&plan->op[k], output ? nout_axes : plan->ndim,
                     output ? out_shape : plan->shape, stream, &args[k]);
        pointers[k] = &args[k];
    }
    pack_indexer(plan->ndim, plan->shape, &args[k]);
    pack_indexer(nout_axes, out_shape, &args[k + 1]);
    pointers[k] = &args[k];
    pointers[k + 1] = &args[k + 1];
    pointers[k + 2] = (void *)split;
    if (blocks_are_loops(device)) {
        const int64_t per = CHUNK_ELEMENTS / (reduced > 0 ? reduced : 1);
        config.grid[0] = chunks(device, outputs, per > 0 ? per : 1);
    } else {
        config.block[0] = (unsigned)split->threads;
        config.grid[0] = (unsigned)split->blocks;
        config.grid[1] = (unsigned)split->parts;
    }
    return stream->backend->launch(f, &config, pointers, stream);
}
