/* arena.c: cutting, joining and finding blocks. What they are is drawn in arena.h. */
#include "memory/arena.h"

#include <stdlib.h>
#include <string.h>

#define SCAN_MAX 128 /* blocks of a class that are looked at for the best fit */

/* ---- block structs ----------------------------------------------------------------- */

static cu_block *
block_new_locked(cu_pool *pool)
{
    cu_block *b = pool->spare;

    if (b) {
        pool->spare = b->list_next;
    } else {
        b = malloc(sizeof *b);
        if (!b) return NULL;
    }
    memset(b, 0, sizeof *b);
    b->pool = pool;
    b->storage.device = pool->device;
    b->storage.block = b;
    return b;
}

static void
block_drop_locked(cu_pool *pool, cu_block *b)
{
    b->list_next = pool->spare;
    pool->spare = b;
}

/* ---- the lists of free blocks ------------------------------------------------------ */

/* Classes grow by a quarter of a power of two: all sizes of one are within 25%. */
static int
class_of(size_t size)
{
    size_t units = size / UNIT;
    int log2 = 63 - __builtin_clzll((unsigned long long)units);

    if (log2 < 2) return (int)units;
    return log2 * 4 + (int)(units >> (log2 - 2) & 3);
}

static void
list_insert_locked(cu_block *b)
{
    cu_arena *a = b->owner;
    int small = b->chunk->small;
    int c = class_of(b->size);
    cu_block **head = &a->list[small][c];

    b->state = FREE;
    b->list_prev = NULL;
    b->list_next = *head;
    if (*head) (*head)->list_prev = b;
    *head = b;
    a->used[small][c / 64] |= (uint64_t)1 << (c % 64);
}

static void
list_remove_locked(cu_block *b)
{
    cu_arena *a = b->owner;
    int small = b->chunk->small;
    int c = class_of(b->size);

    if (b->list_next) b->list_next->list_prev = b->list_prev;
    if (b->list_prev) {
        b->list_prev->list_next = b->list_next;
    } else {
        a->list[small][c] = b->list_next;
        if (!b->list_next) a->used[small][c / 64] &= ~((uint64_t)1 << (c % 64));
    }
}

/* Append the next block by address, which is in no list, to `b`. */
static void
block_absorb_next_locked(cu_pool *pool, cu_block *b)
{
    cu_block *next = b->next;

    b->size += next->size;
    b->next = next->next;
    if (b->next) b->next->prev = b;
    block_drop_locked(pool, next);
}

static bool
joinable(const cu_block *b, const cu_block *neighbour)
{
    return neighbour && neighbour->state == FREE && neighbour->owner == b->owner;
}

cu_block *
cu_arena_join_locked(cu_pool *pool, cu_block *b)
{
    if (joinable(b, b->next)) {
        list_remove_locked(b->next);
        block_absorb_next_locked(pool, b);
    }
    if (joinable(b, b->prev)) {
        b = b->prev;
        list_remove_locked(b);
        block_absorb_next_locked(pool, b);
    }
    list_insert_locked(b);
    return b;
}

/* Make the arena's cached blocks free ones. */
static void
arena_join_cached_locked(cu_pool *pool, cu_arena *a)
{
    if (!a->cached_bytes) return;
    for (size_t i = 0; i < N_BINS; i++) {
        cu_block *b;
        while ((b = a->bin[i]) != NULL) {
            a->bin[i] = b->list_next;
            cu_arena_join_locked(pool, b);
        }
    }
    a->cached_bytes = 0;
}

/* The first list from `c` on that is not empty, or -1. */
static int
find_list(const cu_arena *a, int small, int c)
{
    for (int word = c / 64; word < N_CLASSES / 64; word++) {
        uint64_t bits = a->used[small][word];
        if (word == c / 64) bits &= ~(uint64_t)0 << (c % 64);
        if (bits) return word * 64 + __builtin_ctzll(bits);
    }
    return -1;
}

/* The smallest block that is large enough in the first list that has one. */
static cu_block *
find_best(const cu_arena *a, int small, size_t size)
{
    int c = find_list(a, small, class_of(size));

    for (; c >= 0; c = find_list(a, small, c + 1)) {
        cu_block *best = NULL;
        int seen = 0;
        for (cu_block *b = a->list[small][c]; b; b = b->list_next) {
            if (b->size < size) continue;
            if (!best || b->size < best->size) best = b;
            if (best->size == size || ++seen == SCAN_MAX) break;
        }
        if (best) return best;
        if (c + 1 == N_CLASSES) break;
    }
    return NULL;
}

/* Cut a free block down to `size`; the rest stays free. Without memory for the rest's
 * struct the whole is used. */
static void
block_split_locked(cu_pool *pool, cu_block *b, size_t size)
{
    cu_block *rest;

    if (b->size == size) return;
    rest = block_new_locked(pool);
    if (!rest) return;
    rest->owner = b->owner;
    rest->chunk = b->chunk;
    rest->ptr = b->ptr + size;
    rest->size = b->size - size;
    rest->prev = b;
    rest->next = b->next;
    if (rest->next) rest->next->prev = rest;
    b->next = rest;
    b->size = size;
    list_insert_locked(rest);
}

/* Take `size` bytes from the free blocks of `from` for `to`; NULL if there are none. */
static cu_block *
arena_take_locked(cu_pool *pool, cu_arena *from, int small, size_t size, cu_arena *to)
{
    cu_block *b = find_best(from, small, size);

    if (!b) return NULL;
    list_remove_locked(b);
    block_split_locked(pool, b, size);
    b->owner = to;
    return b;
}

/* ---- chunks ------------------------------------------------------------------------ */

/* Hold a chunk of nbytes more, all of it one block of `a` in no list. */
static cu_block *
chunk_new_locked(cu_pool *pool, cu_arena *a, size_t nbytes, bool small)
{
    const cu_backend *backend = pool->device->backend;
    cu_chunk *c = NULL; /* owned */
    cu_block *b = NULL; /* owned */
    void *ptr = NULL;

    if (pool->limit &&
        (pool->total > pool->limit || nbytes > pool->limit - pool->total)) {
        return NULL;
    }
    c = calloc(1, sizeof *c);
    b = block_new_locked(pool);
    if (!c || !b) goto fail;
    if (backend->alloc(pool->device->ordinal, nbytes, &ptr)) goto fail;
    c->ptr = ptr;
    c->nbytes = nbytes;
    c->small = small;
    c->first = b;
    c->next = pool->chunks;
    if (c->next) c->next->prev = c;
    pool->chunks = c;
    pool->total += nbytes;
    b->owner = a;
    b->chunk = c;
    b->ptr = c->ptr;
    b->size = nbytes;
    b->state = LIVE; /* in no list */
    if (cu_pool_on_host(pool)) ASAN_POISON_MEMORY_REGION(c->ptr, c->nbytes);
    return b;

fail:
    free(c);
    if (b) block_drop_locked(pool, b);
    return NULL;
}

static bool
chunk_is_free(const cu_chunk *c)
{
    for (const cu_block *b = c->first; b; b = b->next) {
        if (b->state != FREE || b->owner->is_private) return false;
    }
    return true;
}

static void
chunk_free_locked(cu_pool *pool, cu_chunk *c)
{
    cu_block *next;

    for (cu_block *b = c->first; b; b = next) {
        next = b->next;
        list_remove_locked(b);
        block_drop_locked(pool, b);
    }
    if (c->prev) {
        c->prev->next = c->next;
    } else {
        pool->chunks = c->next;
    }
    if (c->next) c->next->prev = c->prev;
    pool->total -= c->nbytes;
    if (cu_pool_on_host(pool)) ASAN_UNPOISON_MEMORY_REGION(c->ptr, c->nbytes);
    pool->device->backend->free(pool->device->ordinal, c->ptr, c->nbytes);
    free(c);
}

void
cu_arena_trim_locked(cu_pool *pool)
{
    cu_chunk *next;

    if (cu_capture_is_active(pool)) return;
    for (cu_arena *a = pool->arenas; a; a = a->next) arena_join_cached_locked(pool, a);
    for (cu_chunk *c = pool->chunks; c; c = next) {
        next = c->next;
        if (chunk_is_free(c)) chunk_free_locked(pool, c);
    }
}

/* ---- arenas ------------------------------------------------------------------------ */

/* The arena that a stream has while it is not captured. */
static cu_arena *
arena_of_locked(cu_pool *pool, cu_stream *s)
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
cu_arena_find_locked(cu_pool *pool, cu_stream *s)
{
    cu_arena *a = NULL;

    if (cu_capture_is_active(pool)) {
        if (cu_capture_arena_locked(pool, s, &a)) return NULL;
        if (a) return a;
    }
    return arena_of_locked(pool, s);
}

/* Take from the arenas of other streams: from those at rest, or with `wait` from any. */
static cu_block *
take_from_others_locked(cu_pool *pool, cu_arena *mine, int small, size_t size,
                        bool wait)
{
    for (cu_arena *a = pool->arenas; a; a = a->next) {
        bool done = false;

        if (a == mine) continue;
        arena_join_cached_locked(pool, a);
        if (!find_best(a, small, size)) continue;
        if (a->stream->backend->stream_query(a->stream, &done)) continue;
        if (!done && (!wait || cu_stream_join(mine->stream, a->stream))) continue;
        return arena_take_locked(pool, a, small, size, mine);
    }
    return NULL;
}

/* Make all blocks of `from` those of `to`, behind an event after the work of `s`. */
static void
hand_over_locked(cu_pool *pool, cu_arena *from, cu_arena *to, cu_stream *s)
{
    if (s && cu_stream_join(to->stream, s)) s->backend->stream_sync(s);
    arena_join_cached_locked(pool, from);
    for (cu_chunk *c = pool->chunks; c; c = c->next) {
        for (cu_block *b = c->first; b; b = b->next) {
            if (b->owner != from) continue;
            if (b->state == FREE) list_remove_locked(b);
            b->owner = to;
            if (b->state != FREE) continue;
            b->state = LIVE; /* in no list, for a moment */
            b = cu_arena_join_locked(pool, b);
        }
    }
    if (pool->recent == from) pool->recent = to;
}

void
cu_arena_merge_locked(cu_pool *pool, cu_stream *s)
{
    cu_stream *heir = pool->device->default_stream;
    cu_arena **link = &pool->arenas;
    cu_arena *from, *to;

    while (*link && (*link)->stream != s) link = &(*link)->next;
    from = *link;
    if (!from) return;
    to = arena_of_locked(pool, heir);
    if (!to) { /* no memory for another arena: this one changes hands */
        from->stream = heir;
        if (cu_stream_join(heir, s)) s->backend->stream_sync(s);
        return;
    }
    hand_over_locked(pool, from, to, s);
    /* arena_of_locked may have put `to` in front. */
    link = &pool->arenas;
    while (*link != from) link = &(*link)->next;
    *link = from->next;
    free(from);
}

void
cu_arena_give_up_locked(cu_pool *pool, cu_arena *a, cu_stream *last)
{
    cu_arena *to = arena_of_locked(pool, pool->device->default_stream);

    if (!to) { /* no memory for another arena: this one becomes the default stream's */
        a->stream = pool->device->default_stream;
        if (last && cu_stream_join(a->stream, last)) last->backend->stream_sync(last);
        a->is_private = false;
        a->next = pool->arenas;
        pool->arenas = a;
        return;
    }
    hand_over_locked(pool, a, to, last);
    free(a);
}

/* ---- when the bin is empty ----------------------------------------------------------- */

/* Memory that no bin has, by growing means. NULL with nothing changed if none is left. */
cu_block *
cu_arena_refill_locked(cu_pool *pool, cu_arena *a, size_t size)
{
    int small = size <= SMALL_MAX;
    bool alone; /* other streams' memory is out of reach */
    cu_block *b;

    if (cu_device_check(pool->device)) return NULL; /* after fork */
    b = arena_take_locked(pool, a, small, size, a);
    if (b) return b;
    alone = cu_capture_is_active(pool);
    /* Joining costs time for each cached block, so it must promise something. */
    if (a->cached_bytes >= size && (alone || a->cached_bytes >= pool->total / 8)) {
        arena_join_cached_locked(pool, a);
        b = arena_take_locked(pool, a, small, size, a);
        if (b) return b;
    }
    if (!alone) b = take_from_others_locked(pool, a, small, size, false);
    if (b) return b;
    if (small) {
        b = chunk_new_locked(pool, a, SMALL_CHUNK, true);
        if (b) {
            block_split_locked(pool, b, size);
            return b;
        }
    }
    b = chunk_new_locked(pool, a, size, small);
    if (b) return b;

    /* Hard times: any free memory will do. */
    arena_join_cached_locked(pool, a);
    for (int kind = 0; kind < 2; kind++) {
        b = arena_take_locked(pool, a, kind, size, a);
        if (!b && !alone) b = take_from_others_locked(pool, a, kind, size, true);
        if (b) return b;
    }
    if (alone) return NULL;
    cu_arena_trim_locked(pool);
    return chunk_new_locked(pool, a, size, small);
}
