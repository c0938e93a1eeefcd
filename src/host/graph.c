/* host/graph.c: see graph.h.
 *
 * A recording is a list of steps. A step is a function and the call's arguments, copied
 * behind it in one piece of memory: the struct of the verb, the iteration it points to,
 * bytes from the caller's stack. Streams are known by their handles; the list of those
 * that record is looked at only while there are any. The runner, too, gets its calls as
 * steps.
 */
#include "host/graph.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/entries.h"
#include "host/loops.h"
#include "host/runner.h"

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
    int nstreams;         /* that took part */
    atomic_llong took_ns; /* the last launch; 0: never launched */
};

/* A stream that is being captured. */
typedef struct recorder {
    const void *handle;
    int ordinal;
    cu_graph *graph; /* owned by the one that began it */
    int number;      /* among the graph's streams; 0: the one that began it */
    /* What the next step comes after: so many steps of each stream, this one's too. */
    uint32_t before[CUPRIC_HOST_STREAMS_TOLD];
    struct recorder *next;
} recorder;

static recorder *recorders;
static uint64_t last_id;
static atomic_bool any_begun; /* whether any capture ever began */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all of it */

void
cu_host_graph_init(void)
{
    cu_host_services->fork_hold(&lock);
}

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

    if (CUPRIC_LIKELY(
            !atomic_load_explicit(&cu_host_attention, memory_order_relaxed))) {
        return false;
    }
    pthread_mutex_lock(&lock);
    r = find_locked(s);
    pthread_mutex_unlock(&lock);
    return r != NULL;
}

/* Whether a call is to be done in place, as almost all are: not recorded, not for the
 * runner (runner.h), which is for long ones and those that come after one in flight. */
static bool
runs_in_place_now(const cu_stream *s, bool is_long)
{
    if (is_recorded(s) || cu_host_in_flight()) return false;
    return !is_long || !cu_host_wants_runner();
}

static inline bool
runs_in_place(const cu_stream *s, bool is_long)
{
    if (CUPRIC_LIKELY(!atomic_load_explicit(&cu_host_attention, memory_order_relaxed) &&
                      !is_long)) {
        return true;
    }
    return runs_in_place_now(s, is_long);
}

/* ---- captures ------------------------------------------------------------------------ */

static cu_graph *
find_graph_locked(uint64_t id)
{
    for (const recorder *r = recorders; r; r = r->next) {
        if (r->graph->id == id) return r->graph;
    }
    return NULL;
}

static void
come_after_locked(recorder *r, const cu_host_point *p)
{
    for (int i = 0; i < CUPRIC_HOST_STREAMS_TOLD; i++) {
        if (p->steps[i] > r->before[i]) r->before[i] = p->steps[i];
    }
}

/* `r`, which is stolen, takes part in `graph` as a stream that comes after `p`, or (NULL)
 * that begins it. */
static void
add_recorder_locked(recorder *r, const cu_stream *s, cu_graph *graph,
                    const cu_host_point *p)
{
    if (!p) graph->id = ++last_id;
    atomic_store(&any_begun, true);
    *r = (recorder){.handle = s->handle,
                    .ordinal = s->ordinal,
                    .graph = graph,
                    .number = graph->nstreams++,
                    .next = recorders};
    if (p) come_after_locked(r, p);
    recorders = r;
    atomic_fetch_add(&cu_host_attention, 1);
}

cu_status
cu_host_capture_begin(cu_stream *s, cu_capture_mode mode)
{
    cu_graph *graph;
    recorder *r;

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
    r = malloc(sizeof *r);
    if (!graph || !r) {
        free(graph);
        free(r);
        return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: a graph");
    }
    pthread_mutex_lock(&lock);
    add_recorder_locked(r, s, graph, NULL);
    pthread_mutex_unlock(&lock);
    return CUPRIC_OK;
}

/* Whether what other streams recorded comes before the end of the one that began. */
static bool
is_joined_locked(const recorder *first)
{
    for (const recorder *r = recorders; r; r = r->next) {
        const int i = r->number;
        if (r->graph != first->graph || i >= CUPRIC_HOST_STREAMS_TOLD) continue;
        if (first->before[i] < r->before[i]) return false;
    }
    return true;
}

cu_status
cu_host_capture_end(cu_stream *s, cu_graph **out)
{
    recorder *r, **link, *gone = NULL;
    cu_graph *graph = NULL;
    bool joined = false;

    pthread_mutex_lock(&lock);
    r = find_locked(s);
    if (r && r->number == 0) {
        graph = r->graph;
        joined = is_joined_locked(r);
    }
    for (link = &recorders; graph && *link;) {
        r = *link;
        if (r->graph != graph) {
            link = &r->next;
            continue;
        }
        *link = r->next;
        r->next = gone;
        gone = r;
        atomic_fetch_sub(&cu_host_attention, 1);
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
    if (!joined) {
        cu_host_graph_free(graph);
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "cudaErrorStreamCaptureUnjoined: capturing stream has unjoined "
                       "work: it must wait for the streams that were drawn in");
    }
    *out = graph;
    return CUPRIC_OK;
}

cu_status
cu_host_capture_id(cu_stream *s, uint64_t *out)
{
    const recorder *r;

    *out = 0;
    if (!is_recorded(s)) return CUPRIC_OK;
    pthread_mutex_lock(&lock);
    r = find_locked(s);
    if (r) *out = r->graph->id;
    pthread_mutex_unlock(&lock);
    return CUPRIC_OK;
}

void
cu_host_capture_mark(const cu_stream *s, cu_host_point *out)
{
    const recorder *r;

    if (CUPRIC_LIKELY(!atomic_load(&any_begun))) return; /* and *out is none */
    pthread_mutex_lock(&lock);
    r = find_locked(s);
    *out = (cu_host_point){0};
    if (r) {
        out->id = r->graph->id;
        memcpy(out->steps, r->before, sizeof out->steps);
    }
    pthread_mutex_unlock(&lock);
}

uint64_t
cu_host_capture_marked(const cu_host_point *p)
{
    uint64_t id;

    if (CUPRIC_LIKELY(!atomic_load(&any_begun))) return 0;
    pthread_mutex_lock(&lock);
    id = p->id;
    pthread_mutex_unlock(&lock);
    return id;
}

static cu_status
join_locked(cu_stream *s, const cu_host_point *p, bool recorded)
{
    cu_graph *graph = p->id ? find_graph_locked(p->id) : NULL;
    recorder *r = find_locked(s);

    if (r && graph == r->graph) {
        come_after_locked(r, p);
        return CUPRIC_OK;
    }
    if (r && graph) {
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "cudaErrorStreamCaptureMerge: operation would result in a merge "
                       "of separate capture sequences");
    }
    if (r && recorded) {
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "cudaErrorStreamCaptureIsolation: dependency created on "
                       "uncaptured work in another stream");
    }
    if (r || !graph) return CUPRIC_OK;
    r = malloc(sizeof *r);
    if (!r) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: a graph");
    add_recorder_locked(r, s, graph, p);
    return CUPRIC_OK;
}

cu_status
cu_host_capture_join(cu_stream *s, const cu_host_point *p, bool recorded)
{
    cu_status st;

    if (CUPRIC_LIKELY(!atomic_load(&any_begun))) return CUPRIC_OK;
    pthread_mutex_lock(&lock);
    st = join_locked(s, p, recorded);
    pthread_mutex_unlock(&lock);
    return st;
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

    if (CUPRIC_LIKELY(!atomic_load(&cu_host_attention))) return CUPRIC_OK;
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

static cu_status
step_record(step *st, const cu_stream *s)
{
    recorder *r;

    pthread_mutex_lock(&lock);
    r = find_locked(s);
    if (r && r->graph->last) {
        r->graph->last->next = st;
    } else if (r) {
        r->graph->first = st;
    }
    if (r) r->graph->last = st;
    if (r && r->number < CUPRIC_HOST_STREAMS_TOLD) r->before[r->number]++;
    pthread_mutex_unlock(&lock);
    if (!r) free(st); /* the capture ended in another thread just now */
    return CUPRIC_OK;
}

/* Append a step to the recording, or have it done; it is gone then. NULL is a failure
 * already told. */
static cu_status
step_add(step *st, const cu_stream *s)
{
    if (!st) return CUPRIC_ERR_MEMORY;
    if (is_recorded(s)) return step_record(st, s);
    return cu_host_task_run(&(cu_host_task){st->run, st->call, st, false}, s);
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

/* ---- how long calls take --------------------------------------------------------------- */

/* Calls of so many elements take some milliseconds, of which handing them to the runner is
 * less than a hundredth, and all others far less than a user waits for. */
#define LONG ((int64_t)1 << 20)       /* any loop, a slow one too */
#define LONG_SWEEP ((int64_t)1 << 22) /* one pass over memory */
#define LONG_SORT ((int64_t)1 << 18)  /* log n passes */
#define LONG_COPY ((size_t)64 << 20)  /* bytes */
#define LONG_NS 5000000               /* of what was done before */

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

/* Of matrices of m by n: what is done for each, whatever its size, is 2^12. */
static double
linalg_work(const cu_linalg *args)
{
    const cu_view *a = &args->in[0];
    const double m = (double)a->shape[a->ndim - 2], n = (double)a->shape[a->ndim - 1];

    if (m == 0 || n == 0) return 0;
    return (double)view_size(a) / (m * n) * (4096 + m * n * (m + n));
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
        step *st;                                                                      \
                                                                                       \
        if (runs_in_place(s, IS_LONG)) return cu_host_##verb(args, s);                 \
        st = step_new(#verb, run_##verb, sizeof *args);                                \
        if (st) memcpy(st->call, args, sizeof *args);                                  \
        return step_add(st, s);                                                        \
    }

FLAT(sort, view_size(&args->data) >= LONG_SORT)
FLAT(histogram, args->size >= LONG || args->nbins >= LONG)
FLAT(random, args->n >= LONG)
FLAT(convolve,
     view_size(&args->out) * (double)view_size(&args->kernel) >= 16.0 * LONG_SWEEP)
FLAT(matmul, matmul_work(args) >= 16.0 * LONG_SWEEP)
FLAT(linalg, linalg_work(args) >= LONG_SWEEP)
FLAT(fft, view_size(&args->out) >= LONG_SORT)

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
        step *st;                                                                      \
                                                                                       \
        if (runs_in_place(s, IS_LONG)) return cu_host_##verb(args, s);                 \
        st = step_new(#verb, run_##verb,                                               \
                      ROUNDED(sizeof *args) + iter_nbytes(args->it));                  \
        if (!st) return CUPRIC_ERR_MEMORY;                                             \
        memcpy(st->call, args, sizeof *args);                                          \
        memcpy(st->call + ROUNDED(sizeof *args), args->it, iter_nbytes(args->it));     \
        return step_add(st, s);                                                        \
    }
#define ROUNDED(n) (((n) + 15) & ~(size_t)15)

ITERATED(elementwise, cu_elementwise,
         args->it->size >= (cu_host_is_slow(args->op) ? LONG : LONG_SWEEP))
ITERATED(reduce, cu_reduce, args->it->size >= LONG_SWEEP)
ITERATED(scan, cu_scan, args->it->size >= LONG_SWEEP)
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
    step *st;

    if (runs_in_place(s, it->size >= LONG_SWEEP)) return cu_host_convert(it, s);
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

    if (runs_in_place(s, args->it->size * (args->length + args->nstarts) >= LONG)) {
        return cu_host_reduceat(args, s);
    }
    st = step_new("reduceat", run_reduceat, at + nstarts);
    if (!st) return CUPRIC_ERR_MEMORY;
    memcpy(st->call, args, sizeof *args);
    memcpy(st->call + ROUNDED(sizeof *args), args->it, iter_nbytes(args->it));
    memcpy(st->call + at, args->starts, nstarts);
    return step_add(st, s);
}

/* ---- verbs without a struct ------------------------------------------------------------ */

typedef struct select_call {
    cu_select args, room; /* room: as they were given */
    int64_t count;
} select_call;

typedef struct room_call {
    const cu_select *given;
    int64_t n;
    char **out;
} room_call;

static cu_status
run_room(void *arg)
{
    const room_call *r = arg;
    return r->given->room(r->given->arg, r->n, r->out);
}

/* Memory comes from the pool of the thread that called, for its stream. */
static cu_status
room_by_caller(void *arg, int64_t n, char **out)
{
    const select_call *c = arg;
    return cu_host_on_caller(run_room, &(room_call){&c->room, n, out});
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
    const bool is_long = view_size(&args->mask) >= LONG_SWEEP;
    bool gone = false;
    select_call *c; /* owned, while it is not gone */
    cu_status st;

    if (runs_in_place(s, is_long)) return cu_host_select(args, count, s);
    if (is_recorded(s))
        return cu_host_capture_refuse(s, "a count is wanted on the host");
    c = malloc(sizeof *c);
    if (!c) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: select");
    *c = (select_call){.args = *args, .room = *args};
    c->args.room = room_by_caller;
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
    step *st;

    if (runs_in_place(s, n >= LONG_SWEEP)) {
        return cu_host_arange(t, n, start, by, out, s);
    }
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

    if (runs_in_place(s, view_size(values) >= LONG_SORT)) {
        return cu_host_search(sorted, values, right, out, s);
    }
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
    step *st;

    if (runs_in_place(s, nbytes >= LONG_COPY)) {
        return cu_host_copy(dst, src, nbytes, kind, s);
    }
    if (!is_recorded(s)) return copy_by_runner(dst, src, nbytes, s);
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
    if (!runs_in_place(s, nbytes >= LONG_COPY)) {
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

    if (runs_in_place(s, nbytes >= LONG_COPY))
        return cu_host_fill(dst, byte, nbytes, s);
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

    if (!is_recorded(s)) { /* at once, and by this thread: it may call Python */
        const cu_status settled = cu_host_settle();
        return settled ? settled : cu_host_stream_callback(s, fn, arg);
    }
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

    if (runs_in_place(s, cu_host_launch_ns(f, config) >= LONG_NS)) {
        return cu_host_launch(f, config, args, s);
    }
    status = cu_host_launch_check(f, config); /* now: later is too late to say so */
    if (!status) status = launch_nbytes(f, &nargs, &nbytes);
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

static cu_status
run_steps(const void *call, cu_stream *s)
{
    cu_graph *g = *(cu_graph *const *)call;
    const int64_t start = cu_host_now_ns();
    cu_status st = CUPRIC_OK;

    for (const step *at = g->first; at && !st; at = at->next) st = at->run(at->call, s);
    atomic_store(&g->took_ns, cu_host_now_ns() - start + 1);
    return st;
}

/* How long it takes the last launch tells. */
static bool
launch_is_long(cu_graph *g)
{
    const long long ns = atomic_load(&g->took_ns);
    return ns == 0 || ns > LONG_NS;
}

cu_status
cu_host_graph_launch(cu_graph *g, cu_stream *s)
{
    cu_status st = cu_host_capture_refuse(s, "a graph within a graph");
    cu_graph **call; /* owned, then the task's */

    if (st) return st;
    if (runs_in_place(s, launch_is_long(g))) return run_steps(&g, s);
    call = malloc(sizeof *call);
    if (!call) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: a graph");
    *call = g;
    return cu_host_task_run(&(cu_host_task){run_steps, call, call, false}, s);
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
