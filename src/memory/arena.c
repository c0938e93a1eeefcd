/* arena.c: whose memory it is: arenas, what they take from each other and in which order,
 * and what is done when all of them have too little.
 */
#include "memory/arena.h"

#include <stdlib.h>

/* ---- arenas ------------------------------------------------------------------------ */

cu_arena *
cu_arena_of_locked(cu_pool *pool, cu_stream *s)
{
    cu_arena *a;

    for (a = pool->arenas; a; a = a->next) {
        if (a->stream == s) return a;
    }
    a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->stream = s;
    a->pool = pool;
    a->next = pool->arenas;
    pool->arenas = a;
    return a;
}

cu_arena *
cu_arena_idle_locked(cu_pool *pool)
{
    if (!pool->idle) {
        pool->idle = calloc(1, sizeof *pool->idle);
        if (pool->idle) pool->idle->pool = pool;
    }
    return pool->idle;
}

cu_arena *
cu_arena_find_locked(cu_pool *pool, cu_stream *s)
{
    cu_arena *a = NULL;

    if (cu_capture_is_active(pool)) {
        if (cu_capture_arena_locked(pool, s, &a)) return NULL;
        if (a) return a;
    }
    return cu_arena_of_locked(pool, s);
}

/* Take from what no stream works on. */
static cu_block *
take_idle_locked(cu_pool *pool, cu_arena *mine, int small, size_t size)
{
    if (CUPRIC_LIKELY(!pool->idle)) return NULL;
    cu_arena_join_cached_locked(pool, pool->idle);
    return cu_arena_take_locked(pool, pool->idle, small, size, mine);
}

/* Take from the arenas of other streams: from those at rest, or with `wait` from any. */
static cu_block *
take_from_others_locked(cu_pool *pool, cu_arena *mine, int small, size_t size,
                        bool wait)
{
    for (cu_arena *a = pool->arenas; a; a = a->next) {
        bool done = false;

        if (a == mine) continue;
        cu_arena_join_cached_locked(pool, a);
        if (!cu_arena_find_best_locked(a, small, size)) continue;
        if (a->stream->backend->stream_query(a->stream, &done)) continue;
        if (!done && (!wait || cu_stream_join(mine->stream, a->stream))) continue;
        return cu_arena_take_locked(pool, a, small, size, mine);
    }
    return NULL;
}

/* A free block becomes another arena's. The free block it is now a part of. */
static cu_block *
move_free_locked(cu_pool *pool, cu_block *b, cu_arena *to)
{
    cu_block_remove_locked(b);
    b->owner = to;
    b->state = LIVE; /* in no list, for a moment */
    return cu_block_join_locked(pool, b);
}

/* Make all blocks of `from` those of `to`. */
static void
hand_over_locked(cu_pool *pool, cu_arena *from, cu_arena *to)
{
    cu_arena_join_cached_locked(pool, from);
    for (cu_chunk *c = pool->chunks; c; c = c->next) {
        for (cu_block *b = c->first; b; b = b->next) {
            if (b->owner != from) continue;
            if (b->state == FREE) {
                b = move_free_locked(pool, b, to);
            } else {
                b->owner = to;
            }
        }
    }
    if (pool->recent == from) pool->recent = NULL;
}

void
cu_arena_merge_locked(cu_pool *pool, cu_stream *s)
{
    cu_stream *successor = pool->device->default_stream;
    cu_arena **link = &pool->arenas;
    cu_arena *from, *to;

    while (*link && (*link)->stream != s) link = &(*link)->next;
    from = *link;
    if (!from) return;
    to = cu_arena_of_locked(pool, successor);
    if (!to) { /* no memory for another arena: this one changes hands */
        from->stream = successor;
        if (cu_stream_join(successor, s)) s->backend->stream_sync(s);
        return;
    }
    if (cu_stream_join(successor, s)) s->backend->stream_sync(s);
    hand_over_locked(pool, from, to);
    /* cu_arena_of_locked may have put `to` in front. */
    link = &pool->arenas;
    while (*link != from) link = &(*link)->next;
    *link = from->next;
    free(from);
}

void
cu_arena_give_up_locked(cu_pool *pool, cu_arena *a)
{
    hand_over_locked(pool, a, pool->idle);
    free(a);
}

void
cu_arena_forget_stream_locked(cu_pool *pool, cu_arena *a)
{
    a->stream = NULL;
    for (cu_chunk *c = pool->chunks; c; c = c->next) {
        for (cu_block *b = c->first; b; b = b->next) {
            if (b->owner == a) cu_storage_disown(&b->storage);
        }
    }
}

/* ---- when the bin is empty ----------------------------------------------------------- */

/* A request served by a block in no list. NULL is passed on. */
static cu_block *
carve_locked(cu_pool *pool, cu_block *b, size_t size)
{
    return b ? cu_block_carve_locked(pool, b, size) : NULL;
}

/* More memory from the backend, at once. Of what a graph's arena takes it keeps no more
 * than it needs: it may live long, and there may be many. */
static cu_block *
grow_locked(cu_pool *pool, cu_arena *a, size_t size)
{
    cu_arena *first = a->is_private ? pool->idle : a;
    bool small = size <= SMALL_MAX;
    cu_block *b;

    b = small ? cu_chunk_new_locked(pool, first, SMALL_CHUNK, true)
              : cu_chunk_extend_locked(pool, first, size);
    if (!b) b = cu_chunk_new_locked(pool, first, size, small);
    b = carve_locked(pool, b, size);
    if (b) b->owner = a;
    return b;
}

/* Any free memory will do: of either sort of chunk, and others' behind an event. */
static cu_block *
take_any_locked(cu_pool *pool, cu_arena *a, size_t size, bool alone)
{
    if (!alone) cu_use_wait_locked(pool);
    cu_arena_join_cached_locked(pool, a);
    for (int small = 0; small < 2; small++) {
        cu_block *b = cu_arena_take_locked(pool, a, small, size, a);
        if (!b) b = take_idle_locked(pool, a, small, size);
        if (!b && !alone) b = take_from_others_locked(pool, a, small, size, true);
        if (b) return b;
    }
    return NULL;
}

cu_block *
cu_arena_refill_locked(cu_pool *pool, cu_arena *a, size_t size)
{
    int small = size <= SMALL_MAX;
    bool alone; /* other streams' memory is out of reach */
    cu_block *b;

    if (cu_device_check(pool->device)) return NULL; /* after fork */
    alone = cu_capture_is_active(pool);
    if (pool->pending && !alone) {
        cu_use_poll_locked(pool);
        b = cu_arena_pop_locked(a, size);
        if (b) return b;
    }
    b = cu_arena_take_locked(pool, a, small, size, a);
    if (b) return b;
    /* Joining costs time for each cached block, so it must promise something. */
    if (a->cached_bytes >= size && (alone || a->cached_bytes >= pool->total / 8)) {
        cu_arena_join_cached_locked(pool, a);
        b = cu_arena_take_locked(pool, a, small, size, a);
        if (b) return b;
    }
    b = take_idle_locked(pool, a, small, size);
    if (!b && !alone) b = take_from_others_locked(pool, a, small, size, false);
    if (b) return b;
    b = grow_locked(pool, a, size);
    return b ? b : take_any_locked(pool, a, size, alone);
}

/* ---- when memory is short -------------------------------------------------------------- */

/* Note which arenas' streams have nothing to do, and make all that is cached free. */
static void
look_for_rest_locked(cu_pool *pool)
{
    pool->rest++;
    cu_use_poll_locked(pool);
    for (cu_arena *a = pool->arenas; a; a = a->next) {
        bool done = false;
        cu_arena_join_cached_locked(pool, a);
        if (a->stream->backend->stream_query(a->stream, &done)) continue;
        if (done) a->rested = pool->rest;
    }
}

void
cu_arena_settle_locked(cu_pool *pool)
{
    if (pool->total == pool->used || !cu_arena_idle_locked(pool)) return;
    look_for_rest_locked(pool);
    for (cu_chunk *c = pool->chunks; c; c = c->next) {
        for (cu_block *b = c->first; b; b = b->next) {
            if (b->owner == pool->idle || !cu_block_is_idle(b)) continue;
            b = move_free_locked(pool, b, pool->idle);
        }
    }
    pool->recent = NULL;
}

void
cu_arena_trim_locked(cu_pool *pool, bool all)
{
    if (cu_capture_is_active(pool)) return;
    look_for_rest_locked(pool);
    if (all) pool->rest = 0;
    cu_chunk_join_idle_locked(pool);
    cu_chunk_return_plain_locked(pool);
    cu_chunk_return_pages_locked(pool);
}

/* Whether so much could be there if all that is free were returned. */
static bool
is_possible(const cu_pool *pool, size_t size)
{
    const cu_device *d = pool->device;
    size_t left = 0, whole = 0;

    if (pool->limit)
        return pool->used <= pool->limit && size <= pool->limit - pool->used;
    if (d->backend->mem_info(d->ordinal, &left, &whole)) return false;
    return size <= left + (pool->total - pool->used);
}

cu_block *
cu_arena_reclaim_locked(cu_pool *pool, cu_arena *a, size_t size)
{
    cu_block *b;

    if (cu_capture_is_active(pool)) return NULL;
    look_for_rest_locked(pool);
    cu_chunk_join_idle_locked(pool);
    b = take_any_locked(pool, a, size, false);
    if (b) return b;
    if (!is_possible(pool, size)) return NULL;
    cu_chunk_return_plain_locked(pool);
    b = cu_chunk_remap_locked(pool, a, size);
    if (!b) {
        cu_chunk_return_pages_locked(pool);
        b = grow_locked(pool, a, size);
    }
    return carve_locked(pool, b, size);
}
