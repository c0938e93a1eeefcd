/* pool.c: device memory, reused in stream order.
 *
 * The backend's memory is taken in chunks, and a chunk is a row of blocks:
 *
 *     chunk:  [ live | cached | live | free ………… ]      block->prev, ->next: by address
 *
 * A block belongs to an arena, the memory that one stream may use at once. It is
 *   live    in use;
 *   cached  small and just freed: in its arena's bin of exactly that size, where the next
 *           request of the size finds it with one load and one store;
 *   free    in a list of its arena by size class, joined with its free neighbours.
 * Cached blocks are joined (they become free) only when memory is wanted that the lists do
 * not have. Small requests are cut from chunks of their own, 2 MiB each, so that they do
 * not pin large ones.
 *
 * Another stream may take an arena's memory when the arena's stream has no work pending,
 * or, when there is no other memory, behind an event that covers that work.
 *
 * Invariants, under the lock: no two neighbours of one arena are both free; the blocks of
 * a chunk add up to it; used is the sum of the live blocks, total that of the chunks.
 */
#include "memory/pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

#define UNIT ((size_t)CUPRIC_POOL_UNIT)
#define SMALL_MAX ((size_t)1 << 20)   /* the largest request that is called small */
#define SMALL_CHUNK ((size_t)2 << 20) /* what small requests are cut from */
#define N_BINS (SMALL_MAX / 512)
#define N_CLASSES 256 /* of free blocks: a power of two in four steps */
#define SCAN_MAX 128  /* blocks of a class that are looked at for the best fit */

typedef struct block block;
typedef struct chunk chunk;
typedef struct arena arena;

enum block_state { LIVE, CACHED, FREE };

struct block {
    cu_storage storage; /* first: a live block is handed out as its storage */
    cu_pool *pool;
    arena *owner;
    chunk *chunk;
    char *ptr;
    size_t size; /* bytes, a multiple of UNIT */
    enum block_state state;
    block *prev, *next;           /* by address, in the chunk */
    block *list_prev, *list_next; /* in a bin (next only), class or spare list */
};

struct chunk {
    char *ptr;
    size_t nbytes;
    bool small;
    block *first;
    chunk *prev, *next;
};

struct arena {
    cu_stream *stream; /* borrowed: the arena goes before the stream does */
    arena *next;
    size_t cached_bytes;
    block *bin[N_BINS];               /* bin[i]: cached blocks of i + 1 units */
    block *list[2][N_CLASSES];        /* free blocks, of large and of small chunks */
    uint64_t used[2][N_CLASSES / 64]; /* which lists are not empty */
};

struct cu_pool {
    pthread_mutex_t lock;
    arena *recent; /* of the last allocation */
    arena *arenas;
    size_t used;
    size_t total;
    size_t limit; /* 0: none */
    cu_device *device;
    chunk *chunks;
    block *spare;         /* block structs without memory */
    bool orphan;          /* given up by its owner: goes with its last block */
    cu_pool *next, *prev; /* in all_pools */
};

/* Every pool, for fork and for streams that end. */
static pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t making =
    PTHREAD_MUTEX_INITIALIZER; /* a default pool; taken first */
static cu_pool *all_pools;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static atomic_long fail_in;

/* ---- block structs ----------------------------------------------------------------- */

static block *
block_new_locked(cu_pool *pool)
{
    block *b = pool->spare;

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
block_drop_locked(cu_pool *pool, block *b)
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
list_insert_locked(block *b)
{
    arena *a = b->owner;
    int small = b->chunk->small;
    int c = class_of(b->size);
    block **head = &a->list[small][c];

    b->state = FREE;
    b->list_prev = NULL;
    b->list_next = *head;
    if (*head) (*head)->list_prev = b;
    *head = b;
    a->used[small][c / 64] |= (uint64_t)1 << (c % 64);
}

static void
list_remove_locked(block *b)
{
    arena *a = b->owner;
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
block_absorb_next_locked(cu_pool *pool, block *b)
{
    block *next = b->next;

    b->size += next->size;
    b->next = next->next;
    if (b->next) b->next->prev = b;
    block_drop_locked(pool, next);
}

static bool
joinable(const block *b, const block *neighbour)
{
    return neighbour && neighbour->state == FREE && neighbour->owner == b->owner;
}

/* Enter a block, which is in no list, among the free ones. */
static void
block_join_locked(cu_pool *pool, block *b)
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
}

/* Make the arena's cached blocks free ones. */
static void
arena_join_cached_locked(cu_pool *pool, arena *a)
{
    if (!a->cached_bytes) return;
    for (size_t i = 0; i < N_BINS; i++) {
        block *b;
        while ((b = a->bin[i]) != NULL) {
            a->bin[i] = b->list_next;
            block_join_locked(pool, b);
        }
    }
    a->cached_bytes = 0;
}

/* The first list from `c` on that is not empty, or -1. */
static int
find_list(const arena *a, int small, int c)
{
    for (int word = c / 64; word < N_CLASSES / 64; word++) {
        uint64_t bits = a->used[small][word];
        if (word == c / 64) bits &= ~(uint64_t)0 << (c % 64);
        if (bits) return word * 64 + __builtin_ctzll(bits);
    }
    return -1;
}

/* The smallest block that is large enough in the first list that has one. */
static block *
find_best(const arena *a, int small, size_t size)
{
    int c = find_list(a, small, class_of(size));

    for (; c >= 0; c = find_list(a, small, c + 1)) {
        block *best = NULL;
        int seen = 0;
        for (block *b = a->list[small][c]; b; b = b->list_next) {
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
block_split_locked(cu_pool *pool, block *b, size_t size)
{
    block *rest;

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
static block *
arena_take_locked(cu_pool *pool, arena *from, int small, size_t size, arena *to)
{
    block *b = find_best(from, small, size);

    if (!b) return NULL;
    list_remove_locked(b);
    block_split_locked(pool, b, size);
    b->owner = to;
    return b;
}

/* ---- chunks ------------------------------------------------------------------------ */

static bool
on_host(const cu_pool *pool)
{
    return pool->device->backend->dlpack_type == 1; /* kDLCPU: we may poison it */
}

/* Hold a chunk of nbytes more, all of it one block of `a` in no list. */
static block *
chunk_new_locked(cu_pool *pool, arena *a, size_t nbytes, bool small)
{
    const cu_backend *backend = pool->device->backend;
    chunk *c = NULL; /* owned */
    block *b = NULL; /* owned */
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
    if (on_host(pool)) ASAN_POISON_MEMORY_REGION(c->ptr, c->nbytes);
    return b;

fail:
    free(c);
    if (b) block_drop_locked(pool, b);
    return NULL;
}

static bool
chunk_is_free(const chunk *c)
{
    for (const block *b = c->first; b; b = b->next) {
        if (b->state != FREE) return false;
    }
    return true;
}

static void
chunk_free_locked(cu_pool *pool, chunk *c)
{
    block *next;

    for (block *b = c->first; b; b = next) {
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
    if (on_host(pool)) ASAN_UNPOISON_MEMORY_REGION(c->ptr, c->nbytes);
    pool->device->backend->free(pool->device->ordinal, c->ptr, c->nbytes);
    free(c);
}

static void
trim_locked(cu_pool *pool)
{
    chunk *next;

    for (arena *a = pool->arenas; a; a = a->next) arena_join_cached_locked(pool, a);
    for (chunk *c = pool->chunks; c; c = next) {
        next = c->next;
        if (chunk_is_free(c)) chunk_free_locked(pool, c);
    }
}

/* ---- arenas ------------------------------------------------------------------------ */

static arena *
arena_find_locked(cu_pool *pool, cu_stream *s)
{
    arena *a;

    for (a = pool->arenas; a; a = a->next) {
        if (a->stream == s) return a;
    }
    a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->stream = s;
    a->next = pool->arenas;
    pool->arenas = a;
    return a;
}

/* Take from the arenas of other streams: from those at rest, or with `wait` from any. */
static block *
take_from_others_locked(cu_pool *pool, arena *mine, int small, size_t size, bool wait)
{
    for (arena *a = pool->arenas; a; a = a->next) {
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

/* A stream is about to end: its memory becomes the default stream's, after an event. */
static void
arena_merge_locked(cu_pool *pool, cu_stream *s)
{
    cu_stream *heir = pool->device->default_stream;
    arena **link = &pool->arenas;
    arena *from, *to;

    while (*link && (*link)->stream != s) link = &(*link)->next;
    from = *link;
    if (!from) return;
    to = arena_find_locked(pool, heir);
    if (!to) {
        from->stream = heir; /* no memory for another arena: this one changes hands */
    }
    if (cu_stream_join(heir, s)) s->backend->stream_sync(s);
    if (!to) return;
    arena_join_cached_locked(pool, from);
    for (chunk *c = pool->chunks; c; c = c->next) {
        for (block *b = c->first; b; b = b->next) {
            if (b->owner != from) continue;
            if (b->state == FREE) list_remove_locked(b);
            b->owner = to;
            if (b->state != FREE) continue;
            b->state = LIVE; /* in no list, for a moment */
            block_join_locked(pool, b);
            /* It may have been absorbed by its neighbour: go on from there. */
            b = b->prev && b->prev->next != b ? b->prev : b;
        }
    }
    /* arena_find_locked may have put `to` in front. */
    link = &pool->arenas;
    while (*link != from) link = &(*link)->next;
    *link = from->next;
    if (pool->recent == from) pool->recent = to;
    free(from);
}

static void
stream_ends(cu_stream *s)
{
    pthread_mutex_lock(&pools_lock);
    for (cu_pool *pool = all_pools; pool; pool = pool->next) {
        if (pool->device->backend != s->backend) continue;
        if (pool->device->ordinal != s->ordinal) continue;
        pthread_mutex_lock(&pool->lock);
        arena_merge_locked(pool, s);
        pthread_mutex_unlock(&pool->lock);
    }
    pthread_mutex_unlock(&pools_lock);
}

/* ---- allocation -------------------------------------------------------------------- */

/* Memory that no bin has, by growing means. NULL with nothing changed if none is left. */
static block *
pool_refill_locked(cu_pool *pool, arena *a, size_t size)
{
    int small = size <= SMALL_MAX;
    block *b;

    if (cu_device_check(pool->device)) return NULL; /* after fork */
    b = arena_take_locked(pool, a, small, size, a);
    if (b) return b;
    /* Joining costs time for each cached block, so it must promise something. */
    if (a->cached_bytes >= size && a->cached_bytes >= pool->total / 8) {
        arena_join_cached_locked(pool, a);
        b = arena_take_locked(pool, a, small, size, a);
        if (b) return b;
    }
    b = take_from_others_locked(pool, a, small, size, false);
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
        if (!b) b = take_from_others_locked(pool, a, kind, size, true);
        if (b) return b;
    }
    trim_locked(pool);
    return chunk_new_locked(pool, a, size, small);
}

static cu_status pool_exhausted(cu_pool *pool, size_t nbytes) __attribute__((cold));

/* The part of an allocation that is not once per operation. Enters and leaves with the
 * lock held. */
static block *
pool_take_slowly_locked(cu_pool *pool, size_t size, cu_stream *s)
{
    arena *a = arena_find_locked(pool, s);
    block *b;

    if (!a) return NULL;
    pool->recent = a;
    if (size <= SMALL_MAX) {
        b = a->bin[size / UNIT - 1];
        if (b) {
            a->bin[size / UNIT - 1] = b->list_next;
            a->cached_bytes -= size;
            return b;
        }
    }
    return pool_refill_locked(pool, a, size);
}

/* Once per operation: the bin's first block. */
static inline block *
pool_take_locked(cu_pool *pool, size_t size, cu_stream *s)
{
    arena *a = pool->recent;
    block *b;

    if (CUPRIC_UNLIKELY(!a || a->stream != s || size > SMALL_MAX)) {
        return pool_take_slowly_locked(pool, size, s);
    }
    b = a->bin[size / UNIT - 1];
    if (CUPRIC_UNLIKELY(!b)) return pool_refill_locked(pool, a, size);
    a->bin[size / UNIT - 1] = b->list_next;
    a->cached_bytes -= size;
    return b;
}

static bool
made_to_fail(void)
{
    if (CUPRIC_LIKELY(atomic_load_explicit(&fail_in, memory_order_relaxed) <= 0)) {
        return false;
    }
    return atomic_fetch_sub(&fail_in, 1) == 1;
}

long
cu_pool_fail_after(long n)
{
    long before = atomic_exchange(&fail_in, n);

    return before > 0 ? before : 0;
}

cu_status
cu_pool_alloc(cu_pool *pool, size_t nbytes, cu_stream *s, cu_storage **out)
{
    size_t size = (nbytes + UNIT - 1) & ~(UNIT - 1);
    block *b;

    assert(nbytes > 0);
    if (CUPRIC_UNLIKELY(made_to_fail())) {
        return cu_fail(CUPRIC_ERR_MEMORY,
                       "Out of memory allocating %zu bytes: this "
                       "allocation was made to fail",
                       nbytes);
    }
    if (CUPRIC_UNLIKELY(nbytes > SIZE_MAX / 2)) return pool_exhausted(pool, nbytes);
    pthread_mutex_lock(&pool->lock);
    b = pool_take_locked(pool, size, s);
    if (CUPRIC_LIKELY(b != NULL)) {
        b->state = LIVE;
        b->storage.nbytes = nbytes;
        pool->used += b->size;
    }
    pthread_mutex_unlock(&pool->lock);
    if (CUPRIC_UNLIKELY(!b)) return pool_exhausted(pool, nbytes);
    if (on_host(pool)) ASAN_UNPOISON_MEMORY_REGION(b->ptr, nbytes);
    b->storage.escaped = false;
    b->storage.ptr = b->ptr;
    atomic_store_explicit(&b->storage.refcount, 1, memory_order_relaxed);
    *out = &b->storage;
    return CUPRIC_OK;
}

static void pool_destroy(cu_pool *pool);

void
cu_pool_give(cu_storage *storage)
{
    block *b = storage->block;
    cu_pool *pool = b->pool;
    bool last;

    pthread_mutex_lock(&pool->lock);
    if (on_host(pool)) ASAN_POISON_MEMORY_REGION(b->ptr, b->size);
    assert(b->state == LIVE);
    pool->used -= b->size;
    if (CUPRIC_LIKELY(b->size <= SMALL_MAX)) {
        block **bin = &b->owner->bin[b->size / UNIT - 1];
        b->state = CACHED;
        b->list_next = *bin;
        *bin = b;
        b->owner->cached_bytes += b->size;
    } else {
        block_join_locked(pool, b);
    }
    last = pool->orphan && pool->used == 0;
    pthread_mutex_unlock(&pool->lock);
    if (CUPRIC_UNLIKELY(last)) pool_destroy(pool);
}

size_t
cu_pool_block_bytes(const cu_storage *storage)
{
    const block *b = storage->block;

    return b->size;
}

/* ---- running out ------------------------------------------------------------------- */

#define N_LARGEST 5

/* The sizes of the largest live blocks, in descending order; returns how many. */
static int
largest_live_locked(const cu_pool *pool, size_t sizes[N_LARGEST])
{
    int n = 0;

    for (const chunk *c = pool->chunks; c; c = c->next) {
        for (const block *b = c->first; b; b = b->next) {
            int at = n;

            if (b->state != LIVE) continue;
            while (at > 0 && sizes[at - 1] < b->size) at--;
            if (at == N_LARGEST) continue;
            if (n < N_LARGEST) n++;
            for (int i = n - 1; i > at; i--) sizes[i] = sizes[i - 1];
            sizes[at] = b->size;
        }
    }
    return n;
}

static size_t
append(char *text, size_t size, size_t length, const char *fmt, ...)
{
    va_list args;
    int n;

    if (length >= size) return length;
    va_start(args, fmt);
    n = vsnprintf(text + length, size - length, fmt, args);
    va_end(args);
    return n < 0 ? length : length + (size_t)n;
}

/* "12,345,678 bytes" */
typedef struct bytes_text {
    char text[40];
} bytes_text;

static bytes_text
in_bytes(size_t n)
{
    char digits[24];
    bytes_text out;
    int length = snprintf(digits, sizeof digits, "%zu", n);
    int at = 0;

    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) out.text[at++] = ',';
        out.text[at++] = digits[i];
    }
    memcpy(out.text + at, " bytes", 7);
    return out;
}

static cu_status
pool_exhausted(cu_pool *pool, size_t nbytes)
{
    cu_device *d = pool->device;
    size_t sizes[N_LARGEST];
    size_t device_free = 0, device_total = 0, used, total, limit;
    size_t length = 0;
    char text[768];
    cu_status st;
    int n;

    st = cu_device_check(d);
    if (st) return st;
    pthread_mutex_lock(&pool->lock);
    n = largest_live_locked(pool, sizes);
    used = pool->used;
    total = pool->total;
    limit = pool->limit;
    pthread_mutex_unlock(&pool->lock);
    d->backend->mem_info(d->ordinal, &device_free, &device_total);

    length =
        append(text, sizeof text, length,
               "Out of memory allocating %s on %s device %d (allocated so far: %s, "
               "cached and free: %s",
               in_bytes(nbytes).text, d->backend->name, d->ordinal, in_bytes(used).text,
               in_bytes(total - used).text);
    if (limit) {
        length = append(text, sizeof text, length, ", limit set to: %s",
                        in_bytes(limit).text);
    }
    length = append(text, sizeof text, length, "; device memory free: %s of %s",
                    in_bytes(device_free).text, in_bytes(device_total).text);
    for (int i = 0; i < n; i++) {
        length =
            append(text, sizeof text, length, "%s%s",
                   i ? ", " : "; largest blocks in use: ", in_bytes(sizes[i]).text);
    }
    append(text, sizeof text, length, ").");
    return cu_fail(CUPRIC_ERR_MEMORY, "%s", text);
}

/* ---- the pool itself --------------------------------------------------------------- */

/* A child of fork has one thread: it must find every lock free, the lists whole. */
static void
before_fork(void)
{
    pthread_mutex_lock(&making);
    pthread_mutex_lock(&pools_lock);
    for (cu_pool *p = all_pools; p; p = p->next) pthread_mutex_lock(&p->lock);
}

static void
after_fork(void)
{
    for (cu_pool *p = all_pools; p; p = p->next) pthread_mutex_unlock(&p->lock);
    pthread_mutex_unlock(&pools_lock);
    pthread_mutex_unlock(&making);
}

/* In a child a CUDA device's cached memory must not be handed out: with its arenas out
 * of sight every allocation goes the slow way, which asks whether the device is usable. */
static void
after_fork_in_child(void)
{
    for (cu_pool *p = all_pools; p; p = p->next) {
        if (on_host(p)) continue;
        p->recent = NULL;
        p->arenas = NULL;
    }
    after_fork();
}

static void
init_once(void)
{
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
    cu_stream_on_free(stream_ends);
}

cu_status
cu_pool_new(cu_device *device, cu_pool **out)
{
    cu_pool *pool;
    cu_status st;

    st = cu_devices_init();
    if (st) return st;
    st = cu_device_check(device);
    if (st) return st;
    pthread_once(&once, init_once);
    pool = calloc(1, sizeof *pool);
    if (!pool) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a pool");
    pthread_mutex_init(&pool->lock, NULL);
    pool->device = device;
    pthread_mutex_lock(&pools_lock);
    pool->next = all_pools;
    if (pool->next) pool->next->prev = pool;
    all_pools = pool;
    pthread_mutex_unlock(&pools_lock);
    *out = pool;
    return CUPRIC_OK;
}

/* Nobody else knows the pool any more, and all its memory is free. */
static void
pool_destroy(cu_pool *pool)
{
    arena *next_arena;
    block *next_block;

    pthread_mutex_lock(&pools_lock);
    if (pool->prev) {
        pool->prev->next = pool->next;
    } else {
        all_pools = pool->next;
    }
    if (pool->next) pool->next->prev = pool->prev;
    pthread_mutex_unlock(&pools_lock);

    trim_locked(pool);
    for (arena *a = pool->arenas; a; a = next_arena) {
        next_arena = a->next;
        free(a);
    }
    for (block *b = pool->spare; b; b = next_block) {
        next_block = b->list_next;
        free(b);
    }
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void
cu_pool_free(cu_pool *pool)
{
    bool last;

    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    trim_locked(pool);
    pool->orphan = true;
    last = pool->used == 0;
    pthread_mutex_unlock(&pool->lock);
    if (last) pool_destroy(pool);
}

/* The limit that the environment sets: bytes, or a percentage of the device's memory. */
static cu_status
limit_from_setting(cu_pool *pool)
{
    const char *text = cu_setting("CUPRIC_MEMORY_LIMIT");
    char *end;
    double value;

    if (!text) return CUPRIC_OK;
    value = strtod(text, &end);
    if (end != text && value >= 0) {
        if (*end == '%' && !end[1])
            return cu_pool_set_limit_fraction(pool, value / 100);
        if (!*end && value < 9e18) return cu_pool_set_limit(pool, (size_t)value);
    }
    return cu_fail(
        CUPRIC_ERR_VALUE,
        "CUPRIC_MEMORY_LIMIT is \"%s\": neither bytes nor a percentage as 50%%", text);
}

cu_status
cu_pool_default(cu_device *device, cu_pool **out)
{
    cu_pool *pool = __atomic_load_n(&device->pool, __ATOMIC_ACQUIRE);
    cu_status st = CUPRIC_OK;

    if (CUPRIC_LIKELY(pool != NULL)) {
        *out = pool;
        return CUPRIC_OK;
    }
    pthread_mutex_lock(&making);
    pool = device->pool;
    if (!pool) {
        st = cu_pool_new(device, &pool);
        if (!st) {
            st = limit_from_setting(pool);
            if (st) {
                cu_pool_free(pool);
            } else {
                __atomic_store_n(&device->pool, pool, __ATOMIC_RELEASE);
            }
        }
    }
    pthread_mutex_unlock(&making);
    if (!st) *out = pool;
    return st;
}

void
cu_pool_get_stats(cu_pool *pool, cu_pool_stats *out)
{
    size_t n = 0;

    pthread_mutex_lock(&pool->lock);
    for (const chunk *c = pool->chunks; c; c = c->next) {
        for (const block *b = c->first; b; b = b->next) n += b->state != LIVE;
    }
    *out = (cu_pool_stats){pool->used, pool->total, n, pool->limit};
    pthread_mutex_unlock(&pool->lock);
}

cu_status
cu_pool_set_limit(cu_pool *pool, size_t limit)
{
    pthread_mutex_lock(&pool->lock);
    pool->limit = limit;
    pthread_mutex_unlock(&pool->lock);
    return CUPRIC_OK;
}

cu_status
cu_pool_set_limit_fraction(cu_pool *pool, double fraction)
{
    size_t total = pool->device->info.total_bytes;

    if (!(fraction >= 0 && fraction <= 1)) {
        return cu_fail(CUPRIC_ERR_VALUE,
                       "memory limit fraction out of range: %g (should "
                       "be 0.0 <= fraction <= 1.0)",
                       fraction);
    }
    return cu_pool_set_limit(pool, (size_t)((double)total * fraction));
}

void
cu_pool_trim(cu_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    trim_locked(pool);
    pthread_mutex_unlock(&pool->lock);
}

cu_device *
cu_pool_device(const cu_pool *pool)
{
    return pool->device;
}

static bool
holds_locked(const cu_pool *pool, const char *ptr)
{
    for (const chunk *c = pool->chunks; c; c = c->next) {
        if (ptr >= c->ptr && ptr < c->ptr + c->nbytes) return true;
    }
    return false;
}

cu_device *
cu_pool_find_device(const void *ptr)
{
    cu_device *found = NULL;

    pthread_mutex_lock(&pools_lock);
    for (cu_pool *pool = all_pools; pool && !found; pool = pool->next) {
        pthread_mutex_lock(&pool->lock);
        if (holds_locked(pool, ptr)) found = pool->device;
        pthread_mutex_unlock(&pool->lock);
    }
    pthread_mutex_unlock(&pools_lock);
    return found;
}
