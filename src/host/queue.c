/* host/queue.c: see queue.h. A step holds the struct of the verb, then what that points to:
 * the iteration, bytes from the caller's stack.
 */
#include "host/queue.h"

#include <stdlib.h>
#include <string.h>

#include "host/entries.h"
#include "host/graph.h"
#include "host/loops.h"
#include "host/runner.h"
#include "host/step.h"

static size_t
iter_nbytes(const cu_iter *it)
{
    return offsetof(cu_iter, op) + (size_t)it->nops * sizeof it->op[0];
}

/* The whole of a struct, as callers promise verbs, which may copy it. */
static void
iter_restore(cu_iter *it, const void *kept)
{
    memcpy(it, kept, offsetof(cu_iter, op));
    memcpy(it->op, (const char *)kept + offsetof(cu_iter, op),
           (size_t)it->nops * sizeof it->op[0]);
}

/* ---- how long calls take --------------------------------------------------------------- */

/* Calls of so much take some 5 ms, of which handing them to the runner, 15 to 50 us between
 * two threads, is a hundredth; all others take far less than a user waits for. */
#define LONG ((int64_t)1 << 22)       /* elements of any loop, a slow one too */
#define LONG_SWEEP ((size_t)1 << 26)  /* bytes of one pass over memory */
#define LONG_SORT ((int64_t)1 << 20)  /* elements in log n passes */
#define LONG_WORK ((double)(1 << 26)) /* multiplications */

/* Of all operands, as if none were broadcast. */
static bool
is_long_sweep(const cu_iter *it)
{
    size_t nbytes = 0;

    if (it->size < LONG) return false;
    for (int k = 0; k < it->nops; k++) {
        nbytes += (size_t)it->size * cu_host_itemsize(it->op[k].dtype);
    }
    return nbytes >= LONG_SWEEP;
}

static int64_t
view_size(const cu_view *v)
{
    int64_t size = 1;

    for (int d = 0; d < v->ndim; d++) size *= v->shape[d];
    return size;
}

static double
matmul_work(const cu_matmul *args)
{
    return (double)view_size(&args->c) * (double)args->a.shape[args->a.ndim - 1];
}

/* Of matrices of m by n: what is done for each, whatever its size, is 2^12. Iterations to
 * eigenvectors and singular vectors take some twenty times what a factorisation does. */
static double
linalg_work(const cu_linalg *args)
{
    const cu_view *a = &args->in[0];
    const double m = (double)a->shape[a->ndim - 2], n = (double)a->shape[a->ndim - 1];
    double each;

    if (m == 0 || n == 0) return 0;
    switch (args->kind) {
    case CUPRIC_LINALG_TRIANGULAR:
        each = m * n * (double)args->in[1].shape[args->in[1].ndim - 1];
        break;
    case CUPRIC_LINALG_SOLVE:
    case CUPRIC_LINALG_INV:
    case CUPRIC_LINALG_DET:
    case CUPRIC_LINALG_SLOGDET:
    case CUPRIC_LINALG_CHOLESKY:
    case CUPRIC_LINALG_LU: each = m * n * n; break;
    default: each = 10 * m * n * (m + n); break;
    }
    return (double)view_size(a) / (m * n) * (4096 + each);
}

/* ---- verbs with a struct ----------------------------------------------------------------- */

/* A verb whose struct holds all that it needs. */
#define FLAT(verb, IS_LONG)                                                            \
    static cu_status run_##verb(const void *call, cu_stream *s)                        \
    {                                                                                  \
        return cu_host_##verb(call, s);                                                \
    }                                                                                  \
                                                                                       \
    cu_status cu_host_queue_##verb(const cu_##verb *args, cu_stream *s)                \
    {                                                                                  \
        cu_host_step *st;                                                              \
                                                                                       \
        if (cu_host_runs_in_place(s, IS_LONG)) return cu_host_##verb(args, s);         \
        st = cu_host_step_new(#verb, run_##verb, sizeof *args);                        \
        if (st) memcpy(st->call, args, sizeof *args);                                  \
        return cu_host_step_add(st, s);                                                \
    }

FLAT(sort, view_size(&args->data) >= LONG_SORT)
FLAT(histogram, args->size >= LONG || args->nbins >= LONG)
FLAT(random, args->n >= LONG)
FLAT(convolve, view_size(&args->out) * (double)view_size(&args->kernel) >= LONG_WORK)
FLAT(matmul, matmul_work(args) >= LONG_WORK)
FLAT(linalg, linalg_work(args) >= LONG_WORK)
FLAT(fft, view_size(&args->out) >= LONG_SORT)
FLAT(dct, view_size(&args->out) >= LONG_SORT)

/* A verb whose struct points to an iteration: the struct, then the iteration. */
#define ITERATED(verb, type, IS_LONG)                                                  \
    static cu_status run_##verb(const void *call, cu_stream *s)                        \
    {                                                                                  \
        type args;                                                                     \
        cu_iter it;                                                                    \
                                                                                       \
        memcpy(&args, call, sizeof args);                                              \
        iter_restore(&it, (const char *)call + ROUNDED(sizeof args));                  \
        args.it = &it;                                                                 \
        return cu_host_##verb(&args, s);                                               \
    }                                                                                  \
                                                                                       \
    cu_status cu_host_queue_##verb(const type *args, cu_stream *s)                     \
    {                                                                                  \
        cu_host_step *st;                                                              \
                                                                                       \
        if (cu_host_runs_in_place(s, IS_LONG)) return cu_host_##verb(args, s);         \
        st = cu_host_step_new(#verb, run_##verb,                                       \
                              ROUNDED(sizeof *args) + iter_nbytes(args->it));          \
        if (!st) return CUPRIC_ERR_MEMORY;                                             \
        memcpy(st->call, args, sizeof *args);                                          \
        memcpy(st->call + ROUNDED(sizeof *args), args->it, iter_nbytes(args->it));     \
        return cu_host_step_add(st, s);                                                \
    }
#define ROUNDED(n) (((n) + 15) & ~(size_t)15)

ITERATED(elementwise, cu_elementwise,
         cu_host_is_slow(args->op) ? args->it->size >= LONG : is_long_sweep(args->it))
ITERATED(reduce, cu_reduce, is_long_sweep(args->it))
ITERATED(scan, cu_scan, is_long_sweep(args->it))
ITERATED(gather, cu_index, args->it->size >= LONG)
ITERATED(scatter, cu_index, args->it->size >= LONG)
ITERATED(scatter_op, cu_index, args->it->size >= LONG)

static cu_status
run_convert(const void *call, cu_stream *s)
{
    cu_iter it;

    iter_restore(&it, call);
    return cu_host_convert(&it, s);
}

cu_status
cu_host_queue_convert(const cu_iter *it, cu_stream *s)
{
    cu_host_step *st;

    if (cu_host_runs_in_place(s, is_long_sweep(it))) return cu_host_convert(it, s);
    st = cu_host_step_new("convert", run_convert, iter_nbytes(it));
    if (st) memcpy(st->call, it, iter_nbytes(it));
    return cu_host_step_add(st, s);
}

/* The struct, the iteration, the starts. */
static cu_status
run_reduceat(const void *call, cu_stream *s)
{
    const char *const kept = (const char *)call + ROUNDED(sizeof(cu_reduceat));
    cu_reduceat args;
    cu_iter it;

    memcpy(&args, call, sizeof args);
    iter_restore(&it, kept);
    args.it = &it;
    args.starts = (const int64_t *)(kept + ROUNDED(iter_nbytes(&it)));
    return cu_host_reduceat(&args, s);
}

cu_status
cu_host_queue_reduceat(const cu_reduceat *args, cu_stream *s)
{
    const size_t nstarts = (size_t)args->nstarts * sizeof *args->starts;
    const size_t at = ROUNDED(sizeof *args) + ROUNDED(iter_nbytes(args->it));
    cu_host_step *st;

    if (cu_host_runs_in_place(s, args->it->size * (args->length + args->nstarts) >=
                                     LONG)) {
        return cu_host_reduceat(args, s);
    }
    st = cu_host_step_new("reduceat", run_reduceat, at + nstarts);
    if (!st) return CUPRIC_ERR_MEMORY;
    memcpy(st->call, args, sizeof *args);
    memcpy(st->call + ROUNDED(sizeof *args), args->it, iter_nbytes(args->it));
    memcpy(st->call + at, args->starts, nstarts);
    return cu_host_step_add(st, s);
}

/* ---- verbs without a struct ------------------------------------------------------------ */

typedef struct select_call {
    cu_select args, given; /* given: by the caller */
    int64_t count;
} select_call;

typedef struct alloc_call {
    const cu_select *given;
    int64_t n;
    char **out;
} alloc_call;

static cu_status
run_alloc(void *arg)
{
    const alloc_call *r = arg;
    return r->given->alloc(r->given->arg, r->n, r->out);
}

/* Memory comes from the pool of the thread that called, for its stream. */
static cu_status
alloc_by_caller(void *arg, int64_t n, char **out)
{
    const select_call *c = arg;
    return cu_host_on_caller(run_alloc, &(alloc_call){&c->given, n, out});
}

static cu_status
run_select(const void *call, cu_stream *s)
{
    select_call *c = (select_call *)call;
    return cu_host_select(&c->args, &c->count, s);
}

cu_status
cu_host_queue_select(const cu_select *args, int64_t *count, cu_stream *s)
{
    const bool is_long = view_size(&args->mask) >= LONG;
    bool gone = false;
    select_call *c; /* owned, while it is not gone */
    cu_status st;

    if (cu_host_runs_in_place(s, is_long)) return cu_host_select(args, count, s);
    if (cu_host_is_recorded(s))
        return cu_host_capture_refuse(s, "a count is wanted on the host");
    c = malloc(sizeof *c);
    if (!c) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: select");
    *c = (select_call){.args = *args, .given = *args};
    c->args.alloc = alloc_by_caller;
    c->args.arg = c;
    st = cu_host_task_do(&(cu_host_task){run_select, c, c, false}, s, &gone);
    if (!st) *count = c->count;
    if (!gone) free(c);
    return st;
}

typedef struct arange_call {
    cu_scalar start, step;
    cu_dtype t;
    int64_t n;
    void *out;
} arange_call;

static cu_status
run_arange(const void *call, cu_stream *s)
{
    const arange_call *c = call;
    return cu_host_arange(c->t, c->n, &c->start, &c->step, c->out, s);
}

cu_status
cu_host_queue_arange(cu_dtype t, int64_t n, const cu_scalar *start, const cu_scalar *by,
                     void *out, cu_stream *s)
{
    cu_host_step *st;

    if (cu_host_runs_in_place(s, (size_t)n * 8 >= LONG_SWEEP)) {
        return cu_host_arange(t, n, start, by, out, s);
    }
    st = cu_host_step_new("arange", run_arange, sizeof(arange_call));
    if (st) *(arange_call *)st->call = (arange_call){*start, *by, t, n, out};
    return cu_host_step_add(st, s);
}

typedef struct search_call {
    cu_view sorted, values;
    bool right;
    int64_t *out;
} search_call;

static cu_status
run_search(const void *call, cu_stream *s)
{
    const search_call *c = call;
    return cu_host_search(&c->sorted, &c->values, c->right, c->out, s);
}

cu_status
cu_host_queue_search(const cu_view *sorted, const cu_view *values, bool right,
                     int64_t *out, cu_stream *s)
{
    cu_host_step *st;

    if (cu_host_runs_in_place(s, view_size(values) >= LONG_SORT)) {
        return cu_host_search(sorted, values, right, out, s);
    }
    st = cu_host_step_new("search", run_search, sizeof(search_call));
    if (st) *(search_call *)st->call = (search_call){*sorted, *values, right, out};
    return cu_host_step_add(st, s);
}

/* ---- memory -------------------------------------------------------------------------- */

/* From memory that the caller may change on return, the bytes come along. */
typedef struct copy_call {
    void *dst;
    const void *src; /* NULL: what follows */
    size_t nbytes;
    _Alignas(16) char bytes[];
} copy_call;

static cu_status
run_copy(const void *call, cu_stream *s)
{
    const copy_call *c = call;
    return cu_host_copy(c->dst, c->src ? c->src : c->bytes, c->nbytes,
                        CUPRIC_COPY_ON_DEVICE, s);
}

/* Between memories that may be the host's, so that it is waited for in any case. */
static cu_status
copy_by_runner(void *dst, const void *src, size_t nbytes, cu_stream *s)
{
    copy_call *c = malloc(sizeof *c);

    if (!c) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: a copy");
    *c = (copy_call){dst, src, nbytes};
    return cu_host_task_run(&(cu_host_task){run_copy, c, c, true}, s);
}

cu_status
cu_host_queue_copy(void *dst, const void *src, size_t nbytes, cu_copy_kind kind,
                   cu_stream *s)
{
    const bool taken = kind == CUPRIC_COPY_TO_DEVICE;
    copy_call *c;
    cu_host_step *st;

    if (cu_host_runs_in_place(s, nbytes >= LONG_SWEEP)) {
        return cu_host_copy(dst, src, nbytes, kind, s);
    }
    if (!cu_host_is_recorded(s)) return copy_by_runner(dst, src, nbytes, s);
    if (kind == CUPRIC_COPY_TO_HOST) {
        return cu_host_capture_refuse(s, "values are wanted on the host");
    }
    st = cu_host_step_new("copy", run_copy, sizeof *c + (taken ? nbytes : 0));
    if (!st) return CUPRIC_ERR_MEMORY;
    c = (copy_call *)st->call;
    *c = (copy_call){dst, taken ? NULL : src, nbytes};
    if (taken) memcpy(c->bytes, src, nbytes);
    return cu_host_step_add(st, s);
}

cu_status
cu_host_queue_copy_peer(int dst_ordinal, void *dst, int src_ordinal, const void *src,
                        size_t nbytes, cu_stream *s)
{
    if (!cu_host_runs_in_place(s, nbytes >= LONG_SWEEP)) {
        return cu_host_queue_copy(dst, src, nbytes, CUPRIC_COPY_ON_DEVICE, s);
    }
    return cu_host_copy_peer(dst_ordinal, dst, src_ordinal, src, nbytes, s);
}

typedef struct fill_call {
    void *dst;
    int byte;
    size_t nbytes;
} fill_call;

static cu_status
run_fill(const void *call, cu_stream *s)
{
    const fill_call *c = call;
    return cu_host_fill(c->dst, c->byte, c->nbytes, s);
}

cu_status
cu_host_queue_fill(void *dst, int byte, size_t nbytes, cu_stream *s)
{
    cu_host_step *st;

    if (cu_host_runs_in_place(s, nbytes >= LONG_SWEEP))
        return cu_host_fill(dst, byte, nbytes, s);
    st = cu_host_step_new("fill", run_fill, sizeof(fill_call));
    if (st) *(fill_call *)st->call = (fill_call){dst, byte, nbytes};
    return cu_host_step_add(st, s);
}

/* ---- functions and kernels -------------------------------------------------------------- */

typedef struct callback_call {
    void (*fn)(void *);
    void *arg;
} callback_call;

static cu_status
run_callback(const void *call, cu_stream *s)
{
    const callback_call *c = call;
    return cu_host_stream_callback(s, c->fn, c->arg);
}

cu_status
cu_host_queue_stream_callback(cu_stream *s, void (*fn)(void *), void *arg)
{
    cu_host_step *st;

    if (!cu_host_is_recorded(s)) { /* at once, and by this thread: it may call Python */
        const cu_status settled = cu_host_drain();
        return settled ? settled : cu_host_stream_callback(s, fn, arg);
    }
    st = cu_host_step_new("callback", run_callback, sizeof(callback_call));
    if (st) *(callback_call *)st->call = (callback_call){fn, arg};
    return cu_host_step_add(st, s);
}

/* The struct, the offsets of the arguments, their bytes. */
typedef struct launch_call {
    cu_function *function;
    cu_launch config;
    int nargs;
    size_t offset[];
} launch_call;

static cu_status
run_launch(const void *call, cu_stream *s)
{
    const launch_call *c = call;
    void **args = malloc(((size_t)c->nargs + 1) * sizeof *args);
    cu_status st;

    if (!args) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: a launch");
    for (int i = 0; i < c->nargs; i++) args[i] = (char *)call + c->offset[i];
    st = cu_host_launch(c->function, &c->config, args, s);
    free(args);
    return st;
}

/* Bytes of a launch's step; the kernel knows its parameters. */
static cu_status
launch_nbytes(cu_function *f, int *nargs, size_t *nbytes)
{
    cu_status st = cu_host_function_get(f, CUPRIC_FUNC_PARAMS, nargs);
    int n;

    if (st) return st;
    *nbytes = ROUNDED(sizeof(launch_call) + (size_t)*nargs * sizeof(size_t));
    for (int i = 0; i < *nargs && !st; i++) {
        st = cu_host_function_get(f, (cu_function_attr)(CUPRIC_FUNC_PARAM_NBYTES + i),
                                  &n);
        if (!st) *nbytes += ROUNDED((size_t)n);
    }
    return st;
}

cu_status
cu_host_queue_launch(cu_function *f, const cu_launch *config, void *const *args,
                     cu_stream *s)
{
    launch_call *c;
    size_t nbytes, at;
    cu_host_step *st;
    int nargs, n = 0;
    cu_status status;

    if (cu_host_runs_in_place(s, cu_host_launch_ns(f, config) >= CUPRIC_HOST_LONG_NS)) {
        return cu_host_launch(f, config, args, s);
    }
    status = cu_host_launch_check(f, config); /* now: later is too late to say so */
    if (!status) status = launch_nbytes(f, &nargs, &nbytes);
    if (status) return status;
    st = cu_host_step_new("launch", run_launch, nbytes);
    if (!st) return CUPRIC_ERR_MEMORY;
    c = (launch_call *)st->call;
    *c = (launch_call){f, *config, nargs};
    at = ROUNDED(sizeof *c + (size_t)nargs * sizeof(size_t));
    for (int i = 0; i < nargs; i++) {
        cu_host_function_get(f, (cu_function_attr)(CUPRIC_FUNC_PARAM_NBYTES + i), &n);
        c->offset[i] = at;
        memcpy(st->call + at, args[i], (size_t)n);
        at += ROUNDED((size_t)n);
    }
    return cu_host_step_add(st, s);
}
