/* host/graph.c: see graph.h.
 *
 * A recording is a list of steps. A step is a function and the call's arguments, copied
 * behind it in one piece of memory: the struct of the verb, the iteration it points to,
 * bytes from the caller's stack. Streams are known by their handles; the list of those
 * that record is looked at only while there are any.
 */
#include "host/graph.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/entries.h"

typedef struct step step;
struct step {
    step *next;
    const char *name; /* of the verb; static */
    cu_status (*run)(const void *call, cu_stream *s);
    _Alignas(16) char call[];
};

struct cu_graph {
    step *first, *last; /* owned */
    uint64_t id;
};

/* A stream that is being captured. */
typedef struct recorder {
    const void *handle;
    int ordinal;
    cu_graph *graph; /* owned by the one that began it */
    bool began;
    struct recorder *next;
} recorder;

static recorder *recorders;
static atomic_int nrecorders;
static uint64_t last_id;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all of it */

static recorder *
find_locked(const cu_stream *s)
{
    for (recorder *r = recorders; r; r = r->next) {
        if (r->handle == s->handle) return r;
    }
    return NULL;
}

/* Asked before every call: one load where nothing is captured. */
static inline bool
is_recorded(const cu_stream *s)
{
    recorder *r;

    if (CUPRIC_LIKELY(!atomic_load_explicit(&nrecorders, memory_order_relaxed))) {
        return false;
    }
    pthread_mutex_lock(&lock);
    r = find_locked(s);
    pthread_mutex_unlock(&lock);
    return r != NULL;
}

/* ---- captures ------------------------------------------------------------------------ */

static cu_status
add_recorder(const cu_stream *s, cu_graph *graph, bool began)
{
    recorder *r = malloc(sizeof *r);

    if (!r) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: a graph");
    pthread_mutex_lock(&lock);
    if (began) graph->id = ++last_id;
    *r = (recorder){s->handle, s->ordinal, graph, began, recorders};
    recorders = r;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&nrecorders, 1);
    return CUPRIC_OK;
}

cu_status
cu_host_capture_begin(cu_stream *s, cu_capture_mode mode)
{
    cu_graph *graph;
    cu_status st;

    (void)mode; /* nothing here disturbs a capture */
    if (!s->handle) {
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "cudaErrorStreamCaptureUnsupported: operation not permitted "
                       "when stream is capturing (the default stream cannot be "
                       "captured: make a Stream)");
    }
    if (is_recorded(s)) {
        return cu_fail(
            CUPRIC_ERR_DEVICE,
            "cudaErrorIllegalState: the operation cannot be performed in the "
            "present state: the stream is being captured already");
    }
    graph = calloc(1, sizeof *graph);
    if (!graph) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: a graph");
    st = add_recorder(s, graph, true);
    if (st) free(graph);
    return st;
}

cu_status
cu_host_capture_end(cu_stream *s, cu_graph **out)
{
    recorder *r, **link, *gone = NULL;
    cu_graph *graph = NULL;

    pthread_mutex_lock(&lock);
    r = find_locked(s);
    if (r && r->began) graph = r->graph;
    for (link = &recorders; graph && *link;) {
        r = *link;
        if (r->graph != graph) {
            link = &r->next;
            continue;
        }
        *link = r->next;
        r->next = gone;
        gone = r;
        atomic_fetch_sub(&nrecorders, 1);
    }
    pthread_mutex_unlock(&lock);
    while ((r = gone)) {
        gone = r->next;
        free(r);
    }
    if (!graph) {
        return cu_fail(
            CUPRIC_ERR_DEVICE,
            "cudaErrorIllegalState: the operation cannot be performed in the "
            "present state: the stream began no capture");
    }
    *out = graph;
    return CUPRIC_OK;
}

uint64_t
cu_host_capture_of(const cu_stream *s)
{
    uint64_t id = 0;
    const recorder *r;

    if (!is_recorded(s)) return 0;
    pthread_mutex_lock(&lock);
    r = find_locked(s);
    if (r) id = r->graph->id;
    pthread_mutex_unlock(&lock);
    return id;
}

cu_status
cu_host_capture_id(cu_stream *s, uint64_t *out)
{
    *out = cu_host_capture_of(s);
    return CUPRIC_OK;
}

cu_status
cu_host_capture_join(cu_stream *s, uint64_t id)
{
    cu_graph *graph = NULL;

    if (!id || is_recorded(s)) return CUPRIC_OK;
    pthread_mutex_lock(&lock);
    for (const recorder *r = recorders; r; r = r->next) {
        if (r->graph->id == id) graph = r->graph;
    }
    pthread_mutex_unlock(&lock);
    return graph ? add_recorder(s, graph, false) : CUPRIC_OK;
}

cu_status
cu_host_capture_refuse(const cu_stream *s, const char *what)
{
    if (CUPRIC_LIKELY(!is_recorded(s))) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_DEVICE,
                   "cudaErrorStreamCaptureUnsupported: operation not permitted when "
                   "stream is capturing (%s)",
                   what);
}

cu_status
cu_host_capture_refuse_device(int ordinal)
{
    bool found = false;

    if (CUPRIC_LIKELY(!atomic_load(&nrecorders))) return CUPRIC_OK;
    pthread_mutex_lock(&lock);
    for (const recorder *r = recorders; r; r = r->next) found |= r->ordinal == ordinal;
    pthread_mutex_unlock(&lock);
    if (!found) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_DEVICE,
                   "cudaErrorStreamCaptureUnsupported: operation not permitted when "
                   "stream is capturing (the device is waited for)");
}

/* ---- steps --------------------------------------------------------------------------- */

/* A step with room for nbytes of arguments, in no list. */
static step *
step_new(const char *name, cu_status (*run)(const void *, cu_stream *), size_t nbytes)
{
    step *st = malloc(sizeof *st + nbytes);

    if (!st) {
        cu_fail(CUPRIC_ERR_MEMORY, "out of memory: a graph of many steps");
        return NULL;
    }
    st->next = NULL;
    st->name = name;
    st->run = run;
    return st;
}

/* Append a step, which becomes the recording's; NULL is a failure already told. */
static cu_status
step_add(step *st, const cu_stream *s)
{
    recorder *r;

    if (!st) return CUPRIC_ERR_MEMORY;
    pthread_mutex_lock(&lock);
    r = find_locked(s);
    if (r && r->graph->last) {
        r->graph->last->next = st;
    } else if (r) {
        r->graph->first = st;
    }
    if (r) r->graph->last = st;
    pthread_mutex_unlock(&lock);
    if (!r) free(st); /* the capture ended in another thread just now */
    return CUPRIC_OK;
}

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

/* A verb whose struct holds all that it needs. */
#define FLAT(verb)                                                                     \
    static cu_status run_##verb(const void *call, cu_stream *s)                        \
    {                                                                                  \
        return cu_host_##verb(call, s);                                                \
    }                                                                                  \
                                                                                       \
    cu_status cu_host_queue_##verb(const cu_##verb *args, cu_stream *s)                \
    {                                                                                  \
        step *st;                                                                      \
                                                                                       \
        if (!is_recorded(s)) return cu_host_##verb(args, s);                           \
        st = step_new(#verb, run_##verb, sizeof *args);                                \
        if (st) memcpy(st->call, args, sizeof *args);                                  \
        return step_add(st, s);                                                        \
    }

FLAT(sort)
FLAT(histogram)
FLAT(random)
FLAT(convolve)
FLAT(matmul)
FLAT(linalg)
FLAT(fft)

/* A verb whose struct points to an iteration: the struct, then the iteration. */
#define ITERATED(verb, type)                                                           \
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
        step *st;                                                                      \
                                                                                       \
        if (!is_recorded(s)) return cu_host_##verb(args, s);                           \
        st = step_new(#verb, run_##verb,                                               \
                      ROUNDED(sizeof *args) + iter_nbytes(args->it));                  \
        if (!st) return CUPRIC_ERR_MEMORY;                                             \
        memcpy(st->call, args, sizeof *args);                                          \
        memcpy(st->call + ROUNDED(sizeof *args), args->it, iter_nbytes(args->it));     \
        return step_add(st, s);                                                        \
    }
#define ROUNDED(n) (((n) + 15) & ~(size_t)15)

ITERATED(elementwise, cu_elementwise)
ITERATED(reduce, cu_reduce)
ITERATED(scan, cu_scan)
ITERATED(gather, cu_index)
ITERATED(scatter, cu_index)
ITERATED(scatter_op, cu_index)

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
    step *st;

    if (!is_recorded(s)) return cu_host_convert(it, s);
    st = step_new("convert", run_convert, iter_nbytes(it));
    if (st) memcpy(st->call, it, iter_nbytes(it));
    return step_add(st, s);
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
    step *st;

    if (!is_recorded(s)) return cu_host_reduceat(args, s);
    st = step_new("reduceat", run_reduceat, at + nstarts);
    if (!st) return CUPRIC_ERR_MEMORY;
    memcpy(st->call, args, sizeof *args);
    memcpy(st->call + ROUNDED(sizeof *args), args->it, iter_nbytes(args->it));
    memcpy(st->call + at, args->starts, nstarts);
    return step_add(st, s);
}

/* ---- verbs without a struct ------------------------------------------------------------ */

cu_status
cu_host_queue_select(const cu_select *args, int64_t *count, cu_stream *s)
{
    if (is_recorded(s))
        return cu_host_capture_refuse(s, "a count is wanted on the host");
    return cu_host_select(args, count, s);
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
    step *st;

    if (!is_recorded(s)) return cu_host_arange(t, n, start, by, out, s);
    st = step_new("arange", run_arange, sizeof(arange_call));
    if (st) *(arange_call *)st->call = (arange_call){*start, *by, t, n, out};
    return step_add(st, s);
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
    step *st;

    if (!is_recorded(s)) return cu_host_search(sorted, values, right, out, s);
    st = step_new("search", run_search, sizeof(search_call));
    if (st) *(search_call *)st->call = (search_call){*sorted, *values, right, out};
    return step_add(st, s);
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

cu_status
cu_host_queue_copy(void *dst, const void *src, size_t nbytes, cu_copy_kind kind,
                   cu_stream *s)
{
    const bool taken = kind == CUPRIC_COPY_TO_DEVICE;
    copy_call *c;
    step *st;

    if (!is_recorded(s)) return cu_host_copy(dst, src, nbytes, kind, s);
    if (kind == CUPRIC_COPY_TO_HOST) {
        return cu_host_capture_refuse(s, "values are wanted on the host");
    }
    st = step_new("copy", run_copy, sizeof *c + (taken ? nbytes : 0));
    if (!st) return CUPRIC_ERR_MEMORY;
    c = (copy_call *)st->call;
    *c = (copy_call){dst, taken ? NULL : src, nbytes};
    if (taken) memcpy(c->bytes, src, nbytes);
    return step_add(st, s);
}

cu_status
cu_host_queue_copy_peer(int dst_ordinal, void *dst, int src_ordinal, const void *src,
                        size_t nbytes, cu_stream *s)
{
    if (is_recorded(s)) {
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
    step *st;

    if (!is_recorded(s)) return cu_host_fill(dst, byte, nbytes, s);
    st = step_new("fill", run_fill, sizeof(fill_call));
    if (st) *(fill_call *)st->call = (fill_call){dst, byte, nbytes};
    return step_add(st, s);
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
cu_host_queue_callback(cu_stream *s, void (*fn)(void *), void *arg)
{
    step *st;

    if (!is_recorded(s)) return cu_host_stream_callback(s, fn, arg);
    st = step_new("callback", run_callback, sizeof(callback_call));
    if (st) *(callback_call *)st->call = (callback_call){fn, arg};
    return step_add(st, s);
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
    step *st;
    int nargs, n = 0;
    cu_status status;

    if (!is_recorded(s)) return cu_host_launch(f, config, args, s);
    status = launch_nbytes(f, &nargs, &nbytes);
    if (status) return status;
    st = step_new("launch", run_launch, nbytes);
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
    return step_add(st, s);
}

/* ---- graphs -------------------------------------------------------------------------- */

cu_status
cu_host_graph_launch(cu_graph *g, cu_stream *s)
{
    cu_status st = cu_host_capture_refuse(s, "a graph within a graph");

    for (const step *at = g->first; at && !st; at = at->next) st = at->run(at->call, s);
    return st;
}

cu_status
cu_host_graph_upload(cu_graph *g, cu_stream *s)
{
    (void)g, (void)s;
    return CUPRIC_OK;
}

cu_status
cu_host_graph_print(cu_graph *g, unsigned flags, const char *path)
{
    FILE *file = fopen(path, "we");
    int n = 0;

    (void)flags;
    if (!file) return cu_fail(CUPRIC_ERR_OS, "%s cannot be written", path);
    fprintf(file, "digraph {\n");
    for (const step *st = g->first; st; st = st->next, n++) {
        fprintf(file, "  n%d [label=\"%s\"];\n", n, st->name);
        if (n > 0) fprintf(file, "  n%d -> n%d;\n", n - 1, n);
    }
    fprintf(file, "}\n");
    return fclose(file) ? cu_fail(CUPRIC_ERR_OS, "%s cannot be written", path)
                        : CUPRIC_OK;
}

void
cu_host_graph_handles(const cu_graph *g, void **graph, void **executable)
{
    (void)g;
    *graph = *executable = NULL;
}

void
cu_host_graph_free(cu_graph *g)
{
    step *next;

    if (!g) return;
    for (step *st = g->first; st; st = next) {
        next = st->next;
        free(st);
    }
    free(g);
}
