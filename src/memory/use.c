/* use.c: memory of one stream that others use too.
 *
 * A block belongs to the arena of the stream that it was allocated on, and goes back there
 * when its last user lets go of it. Where work of another stream was queued that uses it,
 * the owner's stream does not know when that is done: then an event is recorded on the
 * other stream, and the block is pending until the event has happened.
 *
 *     alloc on s      t uses it (noted)      give: event on t      the event: back to s
 *     LIVE ------------------------------------> PENDING -------------> CACHED or FREE
 *
 * Nothing here runs before the first stream other than the default one is used.
 */
#include <stdlib.h>

#include "memory/arena.h"

struct cu_use {
    cu_block *block;
    cu_stream *stream; /* borrowed; NULL when it ended */
    cu_event *event; /* owned; NULL before the block is given back or the stream ends */
    cu_use *next;    /* of the block */
    cu_use *pool_prev, *pool_next;
};

static void
use_free_locked(cu_pool *pool, cu_use *u)
{
    if (u->pool_prev) {
        u->pool_prev->pool_next = u->pool_next;
    } else {
        pool->uses = u->pool_next;
    }
    if (u->pool_next) u->pool_next->pool_prev = u->pool_prev;
    if (u->event) pool->device->backend->event_free(u->event);
    free(u);
}

static void
forget_uses_locked(cu_pool *pool, cu_block *b)
{
    cu_use *next;

    for (cu_use *u = b->uses; u; u = next) {
        next = u->next;
        use_free_locked(pool, u);
    }
    b->uses = NULL;
    b->storage.noted = 0;
}

/* ---- noting -------------------------------------------------------------------------- */

static cu_use *
use_new_locked(cu_pool *pool, cu_block *b, cu_stream *s)
{
    cu_use *u = calloc(1, sizeof *u);

    if (!u) return NULL;
    u->block = b;
    u->stream = s;
    u->next = b->uses;
    b->uses = u;
    u->pool_next = pool->uses;
    if (u->pool_next) u->pool_next->pool_prev = u;
    pool->uses = u;
    return u;
}

static bool
is_noted_locked(const cu_block *b, const cu_stream *s)
{
    const cu_use *u = b->uses;

    while (u && u->stream != s) u = u->next;
    return u != NULL;
}

void
cu_storage_note(cu_storage *storage, cu_stream *s)
{
    cu_block *b = storage->block;
    bool noted = true;

    if (storage->device->backend != s->backend) return; /* such copies are waited for */
    /* Two threads may note at a time, and the uses stay right: this is a shortcut. */
    if (__atomic_load_n(&storage->noted, __ATOMIC_RELAXED) == s->id + 1) return;
    pthread_mutex_lock(&b->pool->lock);
    if (b->owner->stream != s && !is_noted_locked(b, s)) {
        noted = use_new_locked(b->pool, b, s) != NULL;
    }
    if (noted) __atomic_store_n(&storage->noted, s->id + 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&b->pool->lock);
    /* Without memory to note it: the work before this use at least is waited for. */
    if (!noted) s->backend->stream_sync(s);
}

/* ---- giving back --------------------------------------------------------------------- */

/* An event after the work of the stream so far; false where that cannot be had. */
static bool
mark(cu_use *u)
{
    const cu_backend *backend;
    cu_stream *s = u->stream;
    cu_event *e = NULL;

    if (!s) return false;
    backend = s->backend;
    if (backend->event_new(s->ordinal, CUPRIC_EVENT_NO_TIMING, &e)) return false;
    if (backend->event_record(e, s)) {
        backend->event_free(e);
        return false;
    }
    u->event = e;
    return true;
}

static void
mark_or_wait(cu_use *u)
{
    if (!u->event && !mark(u) && u->stream) {
        u->stream->backend->stream_sync(u->stream);
        u->stream = NULL;
    }
}

static void
append_pending_locked(cu_pool *pool, cu_block *b)
{
    b->list_next = NULL;
    *(pool->pending ? &pool->pending_last->list_next : &pool->pending) = b;
    pool->pending_last = b;
}

bool
cu_use_defer_locked(cu_pool *pool, cu_block *b)
{
    const bool later = cu_capture_is_active(pool); /* no event may be recorded now */
    bool others = false;

    for (cu_use *u = b->uses; u; u = u->next) {
        if (u->stream && u->stream == b->owner->stream) {
            continue; /* came to own it since */
        }
        /* A graph's user keeps alive what was there before; what the graph has itself is
         * not used again inside, where nothing orders two streams. */
        if (u->stream && !b->owner->is_private && cu_capture_has(u->stream)) continue;
        others = true;
        if (!later) mark_or_wait(u);
    }
    if (!others) {
        forget_uses_locked(pool, b);
        return false;
    }
    b->state = PENDING;
    append_pending_locked(pool, b);
    return true;
}

/* ---- when the events have happened ------------------------------------------------------ */

static bool
is_done(const cu_pool *pool, cu_block *b)
{
    for (cu_use *u = b->uses; u; u = u->next) {
        bool done = true;
        mark_or_wait(u);
        if (u->event && pool->device->backend->event_query(u->event, &done))
            return false;
        if (!done) return false;
    }
    return true;
}

static void
release_locked(cu_pool *pool, cu_block *b)
{
    forget_uses_locked(pool, b);
    cu_block_enter_locked(pool, b);
}

/* The first pending block goes to its arena. */
static void
release_first_locked(cu_pool *pool)
{
    cu_block *b = pool->pending;

    pool->pending = b->list_next;
    release_locked(pool, b);
}

void
cu_use_poll_locked(cu_pool *pool)
{
    while (pool->pending && is_done(pool, pool->pending)) release_first_locked(pool);
}

/* Who is to wait for the uses of a block: memory that was nobody's gets an owner. NULL
 * without memory for that. */
static cu_stream *
waiter_locked(cu_pool *pool, cu_block *b)
{
    cu_arena *a;

    if (!b->owner->stream) {
        a = cu_arena_of_locked(pool, pool->device->default_stream);
        if (a) b->owner = a;
    }
    return b->owner->stream;
}

void
cu_use_wait_locked(cu_pool *pool)
{
    const cu_backend *backend = pool->device->backend;
    cu_block *next, *b = pool->pending;

    pool->pending = NULL;
    for (; b; b = next) {
        cu_stream *owner;
        next = b->list_next;
        if (b->owner->is_private) { /* nobody would get it */
            append_pending_locked(pool, b);
            continue;
        }
        owner = waiter_locked(pool, b);
        for (cu_use *u = b->uses; u; u = u->next) {
            mark_or_wait(u);
            if (!u->event) continue;
            if (owner && !backend->stream_wait(owner, u->event)) continue;
            backend->event_sync(u->event);
        }
        release_locked(pool, b);
    }
}

void
cu_use_forget_locked(cu_pool *pool)
{
    while (pool->pending) release_first_locked(pool);
}

void
cu_use_stream_ends_locked(cu_pool *pool, cu_stream *s)
{
    for (cu_use *u = pool->uses; u; u = u->pool_next) {
        if (u->stream != s) continue;
        mark_or_wait(u);
        u->stream = NULL;
    }
}
