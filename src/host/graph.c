/* host/graph.c: see graph.h.
 *
 * A recording is a list of steps. A step is a function and the call's arguments, copied
 * behind it in one allocation (queue.c). Streams are identified by their handles; the list
 * of those that record is searched only while there are any. The runner, too, gets its
 * calls as steps.
 */
#include "host/graph.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/entries.h"
#include "host/runner.h"
#include "host/step.h"

struct cu_graph {
    cu_host_step *first, *last; /* owned */
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
    uint32_t before[CUPRIC_HOST_TRACKED_STREAMS];
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
bool
cu_host_is_recorded(const cu_stream *s)
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

bool
cu_host_runs_in_place_now(const cu_stream *s, bool is_long)
{
    if (cu_host_is_recorded(s) || cu_host_in_flight()) return false;
    return !is_long || !cu_host_use_runner();
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
    for (int i = 0; i < CUPRIC_HOST_TRACKED_STREAMS; i++) {
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
    if (cu_host_is_recorded(s)) {
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
        if (r->graph != first->graph || i >= CUPRIC_HOST_TRACKED_STREAMS) continue;
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
    if (!cu_host_is_recorded(s)) return CUPRIC_OK;
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
    if (CUPRIC_LIKELY(!cu_host_is_recorded(s))) return CUPRIC_OK;
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

cu_host_step *
cu_host_step_new(const char *name, cu_status (*run)(const void *, cu_stream *),
                 size_t nbytes)
{
    cu_host_step *st = malloc(sizeof *st + nbytes);

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
step_record(cu_host_step *st, const cu_stream *s)
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
    if (r && r->number < CUPRIC_HOST_TRACKED_STREAMS) r->before[r->number]++;
    pthread_mutex_unlock(&lock);
    if (!r) free(st); /* the capture ended in another thread just now */
    return CUPRIC_OK;
}

cu_status
cu_host_step_add(cu_host_step *st, const cu_stream *s)
{
    if (!st) return CUPRIC_ERR_MEMORY;
    if (cu_host_is_recorded(s)) return step_record(st, s);
    return cu_host_task_run(&(cu_host_task){st->run, st->call, st, false}, s);
}

/* ---- graphs -------------------------------------------------------------------------- */

static cu_status
run_steps(const void *call, cu_stream *s)
{
    cu_graph *g = *(cu_graph *const *)call;
    const int64_t start = cu_host_now_ns();
    cu_status st = CUPRIC_OK;

    for (const cu_host_step *at = g->first; at && !st; at = at->next)
        st = at->run(at->call, s);
    atomic_store(&g->took_ns, cu_host_now_ns() - start + 1);
    return st;
}

/* By the time of its last launch. */
static bool
launch_is_long(cu_graph *g)
{
    const long long ns = atomic_load(&g->took_ns);
    return ns == 0 || ns > CUPRIC_HOST_LONG_NS;
}

cu_status
cu_host_graph_launch(cu_graph *g, cu_stream *s)
{
    cu_status st = cu_host_capture_refuse(s, "a graph within a graph");
    cu_graph **call; /* owned, then the task's */

    if (st) return st;
    if (cu_host_runs_in_place(s, launch_is_long(g))) return run_steps(&g, s);
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
    for (const cu_host_step *st = g->first; st; st = st->next, n++) {
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
    cu_host_step *next;

    if (!g) return;
    for (cu_host_step *st = g->first; st; st = next) {
        next = st->next;
        free(st);
    }
    free(g);
}
