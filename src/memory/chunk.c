/* chunk.c: memory from the backend, and back to it.
 *
 * A chunk is one piece of plain memory or, where the device has pages, a row of them. Such
 * a chunk grows at its end, and gives up the pages that lie whole in its free blocks, in
 * the middle too, where it falls into two:
 *
 *     pages      |       |       |       |       |       |
 *     chunk      [ live | free ……………………………………… | live  ]
 *     after      [ live|f]       (not mapped)    [f| live ]
 */
#include <stdlib.h>
#include <string.h>

#include "memory/arena.h"

#define TAILS_MAX 128 /* chunks that are looked at for one that can grow */

static bool
limit_allows(const cu_pool *pool, size_t nbytes)
{
    return !pool->limit ||
           (pool->total <= pool->limit && nbytes <= pool->limit - pool->total);
}

static size_t
units_for(const cu_pool *pool, size_t nbytes)
{
    return (nbytes + pool->pages.unit - 1) / pool->pages.unit;
}

/* ---- chunks ------------------------------------------------------------------------ */

static void
poison(const cu_pool *pool, char *ptr, size_t nbytes)
{
    if (cu_pool_on_host(pool)) ASAN_POISON_MEMORY_REGION(ptr, nbytes);
}

static void
unpoison(const cu_pool *pool, char *ptr, size_t nbytes)
{
    if (cu_pool_on_host(pool)) ASAN_UNPOISON_MEMORY_REGION(ptr, nbytes);
}

static void
chunk_link_locked(cu_pool *pool, cu_chunk *c)
{
    c->prev = NULL;
    c->next = pool->chunks;
    if (c->next) c->next->prev = c;
    pool->chunks = c;
}

static void
chunk_unlink_locked(cu_pool *pool, cu_chunk *c)
{
    if (c->prev) {
        c->prev->next = c->next;
    } else {
        pool->chunks = c->next;
    }
    if (c->next) c->next->prev = c->prev;
    free(c);
}

/* A chunk of memory that is there already, all of it one block of `a` in no list. NULL
 * without memory for the structs. */
static cu_block *
chunk_make_locked(cu_pool *pool, cu_arena *a, char *ptr, size_t nbytes, bool small)
{
    cu_chunk *c = calloc(1, sizeof *c);
    cu_block *b = cu_block_new_locked(pool);

    if (!c || !b) {
        free(c);
        if (b) cu_block_drop_locked(pool, b);
        return NULL;
    }
    *c =
        (cu_chunk){.ptr = ptr, .nbytes = nbytes, .small = small, .first = b, .last = b};
    c->paged = cu_pages_hold(&pool->pages, ptr);
    chunk_link_locked(pool, c);
    pool->total += nbytes;
    b->owner = a;
    b->chunk = c;
    b->ptr = ptr;
    b->size = nbytes;
    b->state = LIVE; /* in no list */
    b->fresh = true;
    poison(pool, ptr, nbytes);
    return b;
}

static cu_block *
plain_new_locked(cu_pool *pool, cu_arena *a, size_t nbytes, bool small)
{
    const cu_backend *backend = pool->device->backend;
    void *ptr = NULL;
    cu_block *b;

    if (!limit_allows(pool, nbytes)) return NULL;
    if (backend->alloc(pool->device->ordinal, nbytes, &ptr)) return NULL;
    b = chunk_make_locked(pool, a, ptr, nbytes, small);
    if (!b) backend->free(pool->device->ordinal, ptr, nbytes);
    return b;
}

/* ---- pages ------------------------------------------------------------------------- */

/* The block that n units, mapped at `at`, are in a chunk of their own. NULL, with the units
 * returned, without memory for the structs. */
static cu_block *
paged_make_locked(cu_pool *pool, cu_arena *a, char *at, size_t n, bool small)
{
    cu_block *b = chunk_make_locked(pool, a, at, n * pool->pages.unit, small);

    if (!b) cu_pages_return(&pool->pages, at, n);
    return b;
}

/* Whether requests of a size are to be served with pages: not where whole ones are more
 * than the limit allows, now or ever. */
static bool
is_for_pages(const cu_pool *pool, size_t nbytes)
{
    const size_t page = pool->pages.unit;

    if (!page || nbytes < page) return false;
    return !pool->limit || units_for(pool, nbytes) <= pool->limit / page;
}

cu_block *
cu_chunk_new_locked(cu_pool *pool, cu_arena *a, size_t nbytes, bool small)
{
    char *at = NULL;
    size_t n;

    if (!pool->asked_for_pages) {
        pool->asked_for_pages = true;
        cu_pages_init(&pool->pages, pool->device);
    }
    if (!is_for_pages(pool, nbytes)) return plain_new_locked(pool, a, nbytes, small);
    n = units_for(pool, nbytes);
    /* Where whole units are too much for the limit, the request itself may not be. */
    if (limit_allows(pool, n * pool->pages.unit)) at = cu_pages_find(&pool->pages, n);
    if (!at) return plain_new_locked(pool, a, nbytes, small);
    if (cu_pages_grow(&pool->pages, at, n, n)) return NULL;
    return paged_make_locked(pool, a, at, n, small);
}

/* ---- growing in place -------------------------------------------------------------- */

/* How many pages a free block must grow by to serve a request that starts with a page. */
static size_t
units_to_add(const cu_pool *pool, const cu_block *b, size_t size)
{
    const size_t before = -(uintptr_t)b->ptr & (pool->pages.unit - 1);

    return units_for(pool, size + before - b->size);
}

/* The free block of `a` at the end of a chunk that would serve a request with the fewest
 * pages more, or NULL. */
static cu_block *
find_tail(const cu_pool *pool, const cu_arena *a, size_t size)
{
    cu_block *best = NULL;
    int seen = 0;

    for (const cu_chunk *c = pool->chunks; c && seen < TAILS_MAX; c = c->next) {
        cu_block *b = c->last;
        if (!c->paged || c->small) continue;
        seen++;
        if (b->state != FREE || b->owner != a || (best && b->size <= best->size)) {
            continue;
        }
        if (cu_pages_is_vacant(&pool->pages, c->ptr + c->nbytes,
                               units_to_add(pool, b, size))) {
            best = b;
        }
    }
    return best;
}

cu_block *
cu_chunk_extend_locked(cu_pool *pool, cu_arena *a, size_t size)
{
    cu_block *b = find_tail(pool, a, size);
    cu_chunk *c;
    size_t n, nbytes;
    char *end;

    if (!b) return NULL;
    c = b->chunk;
    end = c->ptr + c->nbytes;
    n = units_to_add(pool, b, size);
    nbytes = n * pool->pages.unit;
    if (!limit_allows(pool, nbytes)) return NULL;
    if (cu_pages_grow(&pool->pages, end, n, units_for(pool, size))) {
        return NULL;
    }
    poison(pool, end, nbytes);
    cu_block_remove_locked(b);
    b->size += nbytes;
    c->nbytes += nbytes;
    pool->total += nbytes;
    return b;
}

/* ---- pages that lie idle ------------------------------------------------------------- */

bool
cu_block_is_idle(const cu_block *b)
{
    const cu_pool *pool = b->pool;

    if (b->state != FREE || b->owner->is_private) return false;
    return b->owner == pool->idle || b->owner->rested == pool->rest || pool->rest == 0;
}

void
cu_chunk_join_idle_locked(cu_pool *pool)
{
    for (cu_chunk *c = pool->chunks; c; c = c->next) {
        for (cu_block *b = c->first; b; b = b->next) {
            cu_block *next = b->next;
            while (next && cu_block_is_idle(b) && cu_block_is_idle(next)) {
                cu_block_remove_locked(next);
                next->owner = b->owner;
                next->state = LIVE; /* in no list, for a moment */
                b = cu_block_join_locked(pool, next);
                next = b->next;
            }
        }
    }
}

/* The units of whole pages in a row in a free block of a chunk that has pages, the fewest
 * that are `max` or more, or all; sets *first to the first of them. */
static size_t
idle_units(const cu_pool *pool, const cu_block *b, size_t max, char **first)
{
    *first = b->ptr;
    if (!cu_block_is_idle(b)) return 0;
    return cu_pages_whole(&pool->pages, first, b->ptr + b->size, max);
}

static size_t
count_idle_locked(const cu_pool *pool)
{
    size_t n = 0;
    char *first;

    for (const cu_chunk *c = pool->chunks; c; c = c->next) {
        if (!c->paged) continue;
        for (const cu_block *b = c->first; b; b = b->next) {
            n += idle_units(pool, b, SIZE_MAX, &first);
        }
    }
    return n;
}

/* Make a chunk of its own of what begins with `b`, or of nothing where b is NULL. */
static cu_status
chunk_split_locked(cu_pool *pool, cu_chunk *c, cu_block *b)
{
    cu_chunk *right;

    if (!b) return CUPRIC_OK;
    right = calloc(1, sizeof *right);
    if (!right) return CUPRIC_ERR_MEMORY;
    *right = (cu_chunk){.ptr = b->ptr,
                        .nbytes = (size_t)(c->ptr + c->nbytes - b->ptr),
                        .small = c->small,
                        .paged = c->paged,
                        .first = b,
                        .last = c->last};
    c->nbytes -= right->nbytes;
    c->last = b->prev;
    c->last->next = NULL;
    b->prev = NULL;
    for (cu_block *each = b; each; each = each->next) each->chunk = right;
    chunk_link_locked(pool, right);
    return CUPRIC_OK;
}

/* The part of `b`, in no list, from `at` on: a block in no list too, or `b` itself. NULL
 * without memory for it. */
static cu_block *
block_from_locked(cu_pool *pool, cu_block *b, char *at)
{
    if (b->ptr == at) return b;
    return cu_block_cut_locked(pool, b, (size_t)(at - b->ptr));
}

/* Cut [at, at + nbytes) out of a free block as one of its own, alone in its chunk and in
 * no list. NULL, with nothing lost, without memory for the structs. */
static cu_block *
isolate_locked(cu_pool *pool, cu_block *b, char *at, size_t nbytes)
{
    cu_block *before = b, *after = NULL;

    cu_block_remove_locked(b);
    b->state = LIVE; /* in no list, for a moment */
    b = block_from_locked(pool, before, at);
    if (!b) {
        cu_block_join_locked(pool, before);
        return NULL;
    }
    b->state = LIVE;
    if (b->size > nbytes) {
        after = cu_block_cut_locked(pool, b, nbytes);
        if (!after) goto fail;
        after->state = LIVE;
    }
    if (chunk_split_locked(pool, b->chunk, b->next)) goto fail;
    if (b->prev && chunk_split_locked(pool, b->chunk, b)) goto fail;
    if (after) cu_block_insert_locked(after);
    if (before != b) cu_block_insert_locked(before);
    return b;

fail:
    if (after) cu_block_join_locked(pool, after);
    if (before != b) cu_block_join_locked(pool, before);
    cu_block_join_locked(pool, b);
    return NULL;
}

/* What is done with n units of whole pages that lie idle; they are unmapped on return. */
typedef void unit_consumer(cu_pool *pool, char *at, size_t n, void *arg);

/* Hand n units from `at` on, in a free block, to `take`. */
static bool
give_up_locked(cu_pool *pool, cu_block *b, char *at, size_t n, unit_consumer *take,
               void *arg)
{
    const size_t nbytes = n * pool->pages.unit;

    b = isolate_locked(pool, b, at, nbytes);
    if (!b) return false;
    unpoison(pool, at, nbytes);
    take(pool, at, n, arg);
    pool->total -= nbytes;
    chunk_unlink_locked(pool, b->chunk);
    cu_block_drop_locked(pool, b);
    return true;
}

/* Hand idle units of a chunk, `max` or just above, to `take`. The chunk may be gone
 * afterwards. Returns how many. */
static size_t
reclaim_chunk_locked(cu_pool *pool, cu_chunk *c, size_t max, unit_consumer *take,
                     void *arg)
{
    cu_block *next;
    size_t got = 0;

    for (cu_block *b = c->first; b && got < max; b = next) {
        char *at;
        size_t n = idle_units(pool, b, max - got, &at);
        next = b->next;
        if (n && give_up_locked(pool, b, at, n, take, arg)) got += n;
    }
    return got;
}

static size_t
reclaim_units_locked(cu_pool *pool, size_t max, unit_consumer *take, void *arg)
{
    cu_chunk *next;
    size_t got = 0;

    for (cu_chunk *c = pool->chunks; c && got < max; c = next) {
        next = c->next;
        if (c->paged) got += reclaim_chunk_locked(pool, c, max - got, take, arg);
    }
    return got;
}

/* ---- giving back ----------------------------------------------------------------------- */

static bool
chunk_is_idle(const cu_chunk *c)
{
    for (const cu_block *b = c->first; b; b = b->next) {
        if (!cu_block_is_idle(b)) return false;
    }
    return true;
}

static void
plain_free_locked(cu_pool *pool, cu_chunk *c)
{
    cu_block *next;

    for (cu_block *b = c->first; b; b = next) {
        next = b->next;
        cu_block_remove_locked(b);
        cu_block_drop_locked(pool, b);
    }
    pool->total -= c->nbytes;
    unpoison(pool, c->ptr, c->nbytes);
    pool->device->backend->free(pool->device->ordinal, c->ptr, c->nbytes);
    chunk_unlink_locked(pool, c);
}

void
cu_chunk_return_plain_locked(cu_pool *pool)
{
    cu_chunk *next;

    for (cu_chunk *c = pool->chunks; c; c = next) {
        next = c->next;
        if (!c->paged && chunk_is_idle(c)) plain_free_locked(pool, c);
    }
}

static void
take_for_backend(cu_pool *pool, char *at, size_t n, void *unused)
{
    (void)unused;
    cu_pages_return(&pool->pages, at, n);
}

void
cu_chunk_return_pages_locked(cu_pool *pool)
{
    reclaim_units_locked(pool, SIZE_MAX, take_for_backend, NULL);
}

/* ---- a chunk of idle pages --------------------------------------------------------------- */

typedef struct heap {
    cu_piece *piece;
    size_t n;
} heap;

static void
take_for_heap(cu_pool *pool, char *at, size_t n, void *arg)
{
    heap *h = arg;

    h->n += cu_pages_unmap(&pool->pages, at, n, h->piece + h->n);
}

/* A chunk of the pieces, `have` units, and of new pages, n - have units. */
static cu_block *
assemble_locked(cu_pool *pool, cu_arena *a, const heap *h, size_t have, size_t n)
{
    char *at = cu_pages_find(&pool->pages, n);

    if (!at || cu_pages_map(&pool->pages, at, h->n, h->piece)) {
        cu_pages_drop(&pool->pages, h->n, h->piece);
        return NULL;
    }
    if (n > have &&
        cu_pages_grow(&pool->pages, at + have * pool->pages.unit, n - have, n)) {
        if (have) cu_pages_return(&pool->pages, at, have);
        return NULL;
    }
    return paged_make_locked(pool, a, at, n, false);
}

cu_block *
cu_chunk_remap_locked(cu_pool *pool, cu_arena *a, size_t nbytes)
{
    size_t n, n_idle, n_allowed = SIZE_MAX, have;
    heap h = {0}; /* owned: its pieces */
    cu_block *b;

    if (!is_for_pages(pool, nbytes)) return NULL;
    n = units_for(pool, nbytes);
    n_idle = count_idle_locked(pool);
    if (pool->limit) {
        n_allowed = pool->total < pool->limit
                        ? (pool->limit - pool->total) / pool->pages.unit
                        : 0;
    }
    if (n > n_idle && n - n_idle > n_allowed) return NULL;
    if (n_idle) {
        h.piece = malloc(n_idle * sizeof *h.piece); /* pages are one unit or more */
        if (!h.piece) return NULL;
    }
    have = reclaim_units_locked(pool, n, take_for_heap, &h);
    b = assemble_locked(pool, a, &h, have, have > n ? have : n);
    free(h.piece);
    return b;
}
