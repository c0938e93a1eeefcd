/* graph.c: captures that are under way, and what the graphs made of them keep.
 *
 * A capture is known by the backend's number, which a stream tells: also one that was
 * drawn into it by waiting for an event.
 */
#include "device/graph.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct kept {
    void *p;
    void (*release)(void *p);
    struct kept *next;
} kept;

struct cu_captured {
    cu_device *device;
    cu_graph *graph; /* owned; NULL while recording */
    uint64_t id;
    const void *handle; /* of the stream that began it */
    void *memory;       /* owned: the pools' */
    kept *kept;         /* owned */
    cu_stream *last;    /* owned: launched on; NULL: never */
    cu_captured *next;  /* in open_captures or deferred */
};

static cu_captured *open_captures;
static cu_captured *deferred; /* owned: freed while they could not be waited for */
static atomic_int n_open;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the lists, `kept` */
static const cu_graph_memory *memory;

static void
before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void
after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

void
cu_graph_set_memory(const cu_graph_memory *m)
{
    if (!memory) pthread_atfork(before_fork, after_fork, after_fork);
    memory = m;
}

/* The open capture that `s` takes part in, or NULL. */
static cu_captured *
find_locked(cu_stream *s)
{
    uint64_t id = 0;

    if (!open_captures || s->backend->capture_id(s, &id) || id == 0) return NULL;
    for (cu_captured *c = open_captures; c; c = c->next) {
        if (c->id == id && c->device->backend == s->backend) return c;
    }
    return NULL;
}

cu_status
cu_graph_is_recorded(cu_stream *s, bool *out)
{
    uint64_t id = 0;
    cu_status st = s->backend->capture_id(s, &id);

    if (!st) *out = id != 0;
    return st;
}

/* ---- captures ------------------------------------------------------------------------ */

/* The memory first: pools must not ask the stream once it records. */
static cu_status
capture_start(cu_captured *c, cu_stream *s, cu_capture_mode mode)
{
    cu_status st = memory->begin(s, &c->memory);

    if (!st) st = s->backend->capture_begin(s, mode);
    return st ? st : s->backend->capture_id(s, &c->id);
}

cu_status
cu_graph_begin(cu_device *d, cu_stream *s, cu_capture_mode mode)
{
    cu_captured *c = NULL; /* owned, then the list's */
    bool recorded = false;
    cu_status st = cu_device_check(d);

    if (!st) st = cu_graph_is_recorded(s, &recorded);
    if (st) return st;
    if (recorded) {
        return cu_fail(
            CUPRIC_ERR_DEVICE,
            "cudaErrorIllegalState: the operation cannot be performed in the "
            "present state: the stream is being captured already");
    }
    c = calloc(1, sizeof *c);
    if (!c) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a graph");
    c->device = d;
    c->handle = s->handle;
    st = capture_start(c, s, mode);
    if (st) {
        cu_captured_free(c);
        return st;
    }
    pthread_mutex_lock(&lock);
    c->next = open_captures;
    open_captures = c;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&n_open, 1);
    return CUPRIC_OK;
}

static bool
was_begun_by(const cu_captured *c, const cu_stream *s)
{
    return c->handle == s->handle && c->device->ordinal == s->ordinal &&
           c->device->backend == s->backend;
}

/* Take the capture that the stream began off the list. It may have no number any more:
 * an invalid capture has lost it. */
static cu_captured *
close_capture(const cu_stream *s)
{
    cu_captured **link = &open_captures, *c;

    pthread_mutex_lock(&lock);
    while (*link && !was_begun_by(*link, s)) link = &(*link)->next;
    c = *link;
    if (c) *link = c->next;
    pthread_mutex_unlock(&lock);
    if (c) atomic_fetch_sub(&n_open, 1);
    return c;
}

static void free_deferred(void);

cu_status
cu_graph_end(cu_stream *s, cu_captured **out)
{
    cu_captured *c = close_capture(s);
    bool recorded = false;
    cu_status st;

    if (!c && !cu_graph_is_recorded(s, &recorded) && recorded) {
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "cudaErrorStreamCaptureUnmatched: capture was not ended in the "
                       "same stream as it began");
    }
    if (!c) {
        return cu_fail(
            CUPRIC_ERR_DEVICE,
            "cudaErrorIllegalState: the operation cannot be performed in the "
            "present state: the stream began no capture");
    }
    st = s->backend->capture_end(s, &c->graph);
    memory->end(c->memory);
    free_deferred();
    if (st) {
        cu_captured_free(c);
        return st;
    }
    *out = c;
    return CUPRIC_OK;
}

cu_status
cu_graph_join(cu_stream *s)
{
    cu_captured *c;
    cu_status st = CUPRIC_OK;

    if (CUPRIC_LIKELY(!atomic_load_explicit(&n_open, memory_order_relaxed))) {
        return CUPRIC_OK;
    }
    pthread_mutex_lock(&lock);
    c = find_locked(s);
    if (c) st = memory->join(c->memory, s);
    pthread_mutex_unlock(&lock);
    return st;
}

cu_status
cu_graph_keep(cu_stream *s, void *p, void (*release)(void *p))
{
    kept *k = malloc(sizeof *k); /* owned, then the capture's */
    cu_captured *c;

    if (!k) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a graph");
    pthread_mutex_lock(&lock);
    c = find_locked(s);
    if (c) {
        *k = (kept){p, release, c->kept};
        c->kept = k;
    }
    pthread_mutex_unlock(&lock);
    if (c) return CUPRIC_OK;
    free(k);
    return cu_fail(CUPRIC_ERR_RUNTIME, "another library captures this stream");
}

/* ---- graphs -------------------------------------------------------------------------- */

cu_device *
cu_captured_device(const cu_captured *c)
{
    return c->device;
}

cu_graph *
cu_captured_graph(const cu_captured *c)
{
    return c->graph;
}

cu_status
cu_captured_launch(cu_captured *c, cu_stream *s)
{
    cu_stream *before = c->last;

    if (before != s) {
        c->last = cu_stream_ref(s);
        cu_stream_unref(before);
    }
    return s->backend->graph_launch(c->graph, s);
}

/* Launches follow each other, on whatever streams: the last is done last. */
static bool
is_at_rest(const cu_captured *c)
{
    return !c->last || c->last->backend->stream_sync(c->last) == CUPRIC_OK;
}

/* What may still run keeps its memory for good: after a fault, and in a forked child,
 * which has no device to ask. */
static void
captured_free(cu_captured *c, bool at_rest)
{
    kept *next;

    if (at_rest) {
        c->device->backend->graph_free(c->graph);
        if (c->memory) memory->free(c->memory);
    }
    cu_stream_unref(c->last);
    for (kept *k = c->kept; k; k = next) {
        next = k->next;
        k->release(k->p);
        free(k);
    }
    free(c);
}

/* While a stream is captured, it or all of the device cannot be waited for. */
static void
defer_free(cu_captured *c)
{
    pthread_mutex_lock(&lock);
    c->next = deferred;
    deferred = c;
    pthread_mutex_unlock(&lock);
}

void
cu_captured_free(cu_captured *c)
{
    bool usable, at_rest;

    if (!c) return;
    usable = !cu_device_check(c->device);
    at_rest = usable && is_at_rest(c);
    if (usable && !at_rest && atomic_load(&n_open)) {
        defer_free(c);
        return;
    }
    captured_free(c, at_rest);
}

/* A capture is over: try again. What is still in the way comes back to the list. */
static void
free_deferred(void)
{
    cu_captured *c, *next;

    pthread_mutex_lock(&lock);
    c = deferred;
    deferred = NULL;
    pthread_mutex_unlock(&lock);
    for (; c; c = next) {
        next = c->next;
        cu_captured_free(c);
    }
}
