/* capture.c: the private arenas of captured streams.
 *
 *     cu_capture ── streams: s, t
 *                └─ arenas:  (pool, s) ─ (pool, t) ─ (another pool, s)
 *
 * An arena is made when its stream first allocates from the pool. It is in no pool's list,
 * so that no other stream comes by it; its blocks know it as their owner. What it takes
 * comes from the pool's idle memory and goes back there: captures that follow each other
 * have the same.
 */
#include "memory/capture.h"

#include <stdlib.h>

#include "device/graph.h"
#include "fork.h"
#include "memory/arena.h"

struct cu_capture {
    const cu_backend *backend; /* static */
    int ordinal;
    cu_stream **streams; /* owned, each too; none once the capture is over */
    int n_streams;
    cu_arena *arenas; /* owned; added to while active */
    bool active;
    cu_capture *next; /* in all_active */
};

/* Guards all_active and what hangs on it. Taken last, under a pool's lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cu_capture *all_active;
static atomic_int n_active;

__attribute__((constructor)) static void
hold_over_fork(void)
{
    cu_fork_hold(&lock);
}

static bool
is_on(const cu_capture *c, const cu_backend *backend, int ordinal)
{
    return c->backend == backend && c->ordinal == ordinal;
}

bool
cu_capture_is_active(const cu_pool *pool)
{
    return cu_capture_is_active_on(pool->device->backend, pool->device->ordinal);
}

bool
cu_capture_is_active_on(const cu_backend *backend, int ordinal)
{
    bool found = false;

    if (CUPRIC_LIKELY(atomic_load_explicit(&n_active, memory_order_relaxed) == 0)) {
        return false;
    }
    pthread_mutex_lock(&lock);
    for (const cu_capture *c = all_active; c && !found; c = c->next) {
        found = is_on(c, backend, ordinal);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* ---- streams ----------------------------------------------------------------------- */

/* The capture that a stream takes part in, or NULL. */
static cu_capture *
find_capture_locked(const cu_stream *s)
{
    for (cu_capture *c = all_active; c; c = c->next) {
        for (int i = 0; i < c->n_streams; i++) {
            if (c->streams[i] == s) return c;
        }
    }
    return NULL;
}

bool
cu_capture_has(const cu_stream *s)
{
    bool found;

    if (atomic_load_explicit(&n_active, memory_order_relaxed) == 0) return false;
    pthread_mutex_lock(&lock);
    found = find_capture_locked(s) != NULL;
    pthread_mutex_unlock(&lock);
    return found;
}

static cu_status
add_stream_locked(cu_capture *c, cu_stream *s)
{
    size_t n = (size_t)c->n_streams + 1;
    cu_stream **more = realloc(c->streams, n * sizeof *more);

    if (!more) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a capture");
    c->streams = more;
    c->streams[c->n_streams++] = cu_stream_ref(s);
    return CUPRIC_OK;
}

/* The quick way to an arena asks nobody: let it lead to none. */
static void
forget_recent(cu_pool *pool, void *unused)
{
    (void)unused;
    pool->recent = NULL;
}

cu_status
cu_capture_join(cu_capture *c, cu_stream *s)
{
    cu_capture *present;
    cu_status st = CUPRIC_OK;

    pthread_mutex_lock(&lock);
    present = find_capture_locked(s);
    if (!present) {
        st = add_stream_locked(c, s);
    } else if (present != c) {
        st = cu_fail(CUPRIC_ERR_DEVICE, "the stream is being captured already");
    }
    pthread_mutex_unlock(&lock);
    if (!st) cu_pool_for_each(c->backend, c->ordinal, forget_recent, NULL);
    return st;
}

static void
activate(cu_capture *c)
{
    pthread_mutex_lock(&lock);
    c->active = true;
    c->next = all_active;
    all_active = c;
    atomic_fetch_add(&n_active, 1);
    pthread_mutex_unlock(&lock);
}

static void
settle(cu_pool *pool, void *unused)
{
    (void)unused;
    cu_arena_settle_locked(pool);
}

cu_status
cu_capture_begin(cu_stream *s, cu_capture **out)
{
    cu_capture *c = calloc(1, sizeof *c);
    cu_status st;

    if (!c) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a capture");
    c->backend = s->backend;
    c->ordinal = s->ordinal;
    if (!cu_capture_is_active_on(c->backend, c->ordinal)) {
        cu_pool_for_each(c->backend, c->ordinal, settle, NULL);
    }
    activate(c);
    st = cu_capture_join(c, s);
    if (st) {
        cu_capture_free(c);
        return st;
    }
    *out = c;
    return CUPRIC_OK;
}

static void
forget_stream(cu_arena *a)
{
    pthread_mutex_lock(&a->pool->lock);
    cu_arena_forget_stream_locked(a->pool, a);
    pthread_mutex_unlock(&a->pool->lock);
}

void
cu_capture_end(cu_capture *c)
{
    cu_capture **link = &all_active;
    cu_stream **streams;
    int n;

    if (!c->active) return;
    pthread_mutex_lock(&lock);
    while (*link != c) link = &(*link)->next;
    *link = c->next;
    c->active = false;
    atomic_fetch_sub(&n_active, 1);
    streams = c->streams;
    n = c->n_streams;
    c->streams = NULL;
    c->n_streams = 0;
    pthread_mutex_unlock(&lock);
    for (cu_arena *a = c->arenas; a; a = a->capture_next) forget_stream(a);
    cu_pool_for_each(c->backend, c->ordinal, forget_recent, NULL);
    for (int i = 0; i < n; i++) cu_stream_unref(streams[i]);
    free(streams);
    cu_pool_reap();
}

/* ---- arenas ------------------------------------------------------------------------ */

static cu_arena *
find_arena(const cu_capture *c, const cu_pool *pool, const cu_stream *s)
{
    cu_arena *a = c->arenas;

    while (a && (a->pool != pool || a->stream != s)) a = a->capture_next;
    return a;
}

static cu_arena *
arena_new_locked(cu_capture *c, cu_pool *pool, cu_stream *s)
{
    cu_arena *a;

    if (!cu_arena_idle_locked(pool)) return NULL;
    a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->stream = s;
    a->pool = pool;
    a->is_private = true;
    a->capture_next = c->arenas;
    c->arenas = a;
    pool->n_private++;
    return a;
}

cu_status
cu_capture_arena_locked(cu_pool *pool, cu_stream *s, cu_arena **out)
{
    cu_arena *a = NULL;
    cu_capture *c;

    pthread_mutex_lock(&lock);
    c = find_capture_locked(s);
    if (c) {
        a = find_arena(c, pool, s);
        if (!a) a = arena_new_locked(c, pool, s);
    }
    pthread_mutex_unlock(&lock);
    if (c && !a) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for an arena");
    *out = a;
    return CUPRIC_OK;
}

/* Hand the arena's memory to the pool; true if nothing is left of a pool given up. */
static bool
give_up(cu_arena *a)
{
    cu_pool *pool = a->pool;
    bool unused;

    pthread_mutex_lock(&pool->lock);
    cu_arena_give_up_locked(pool, a);
    pool->n_private--;
    unused = pool->orphan && pool->used == 0 && pool->n_private == 0;
    pthread_mutex_unlock(&pool->lock);
    return unused;
}

void
cu_capture_free(cu_capture *c)
{
    cu_arena *next;

    if (!c) return;
    cu_capture_end(c);
    for (cu_arena *a = c->arenas; a; a = next) {
        cu_pool *pool = a->pool;
        next = a->capture_next;
        if (give_up(a)) cu_pool_destroy(pool);
    }
    free(c);
}

/* ---- for graphs ---------------------------------------------------------------------- */

static cu_status
graph_begin(cu_stream *s, void **out)
{
    cu_capture *c = NULL;
    cu_status st = cu_capture_begin(s, &c);

    if (!st) *out = c;
    return st;
}

static cu_status
graph_join(void *c, cu_stream *s)
{
    return cu_capture_join(c, s);
}

static void
graph_end(void *c)
{
    cu_capture_end(c);
}

static void
graph_free(void *c)
{
    cu_capture_free(c);
}

void
cu_capture_register(void)
{
    static const cu_graph_memory entries = {graph_begin, graph_join, graph_end,
                                            graph_free};

    cu_graph_set_memory(&entries);
}
