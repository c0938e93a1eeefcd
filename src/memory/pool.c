/* pool.c: device memory, reused in stream order: what happens once per operation, and
 * the pools as a whole. The blocks are arena.c's. */
#include "memory/pool.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env.h"
#include "memory/arena.h"

/* Every pool, for fork and for streams that end. */
static pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t making =
    PTHREAD_MUTEX_INITIALIZER; /* a default pool; taken first */
static cu_pool *all_pools;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static atomic_long fail_in;

/* ---- allocation ---------------------------------------------------------------------- */

static cu_block *pool_recover(cu_pool *pool, size_t nbytes, size_t zone, cu_stream *s)
    __attribute__((cold));

/* The part of an allocation that is not once per operation. Enters and leaves with the
 * lock held. */
static cu_block *
pool_take_slowly_locked(cu_pool *pool, size_t size, cu_stream *s)
{
    cu_arena *a = cu_arena_find_locked(pool, s);
    cu_block *b;

    if (!a) return NULL;
    pool->recent = a;
    b = cu_arena_pop_locked(a, size);
    return b ? b : cu_arena_refill_locked(pool, a, size);
}

/* Once per operation: the bin's first block. */
static inline cu_block *
pool_take_locked(cu_pool *pool, size_t size, cu_stream *s)
{
    cu_arena *a = pool->recent;
    cu_block *b;

    if (CUPRIC_UNLIKELY(!a || a->stream != s || size > SMALL_MAX)) {
        return pool_take_slowly_locked(pool, size, s);
    }
    b = a->bin[size / UNIT - 1];
    if (CUPRIC_UNLIKELY(!b)) return cu_arena_refill_locked(pool, a, size);
    a->bin[size / UNIT - 1] = b->list_next;
    a->cached_bytes -= size;
    return b;
}

/* What a block counts: without its zones. */
static inline size_t
counted(const cu_block *b)
{
    return b->size - 2 * (size_t)b->zone;
}

static inline void
pool_use_locked(cu_pool *pool, cu_block *b, size_t nbytes, size_t zone)
{
    b->state = LIVE;
    b->zone = (unsigned)zone;
    b->storage.nbytes = nbytes;
    if (CUPRIC_UNLIKELY(zone)) cu_guard_lay_locked(b);
    pool->used += counted(b);
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
    const size_t zone = cu_guard_zone_of(pool);
    size_t size = (nbytes + 2 * zone + UNIT - 1) & ~(UNIT - 1);
    cu_block *b;

    assert(nbytes > 0);
    if (CUPRIC_UNLIKELY(made_to_fail())) {
        return cu_fail(CUPRIC_ERR_MEMORY,
                       "Out of memory allocating %zu bytes: this "
                       "allocation was made to fail",
                       nbytes);
    }
    if (CUPRIC_UNLIKELY(nbytes > SIZE_MAX / 2)) return cu_pool_exhausted(pool, nbytes);
    pthread_mutex_lock(&pool->lock);
    b = pool_take_locked(pool, size, s);
    if (CUPRIC_LIKELY(b != NULL)) pool_use_locked(pool, b, nbytes, zone);
    pthread_mutex_unlock(&pool->lock);
    if (CUPRIC_UNLIKELY(!b)) {
        b = pool_recover(pool, nbytes, zone, s);
        if (!b) return cu_pool_exhausted(pool, nbytes);
    }
    if (cu_pool_on_host(pool)) ASAN_UNPOISON_MEMORY_REGION(b->ptr + b->zone, nbytes);
    b->storage.escaped = false;
    b->storage.stream = s->id;
    b->storage.noted = 0;
    b->storage.ptr = b->ptr + b->zone;
    atomic_store_explicit(&b->storage.refcount, 1, memory_order_relaxed);
    *out = &b->storage;
    return CUPRIC_OK;
}

/* Under AddressSanitizer nobody may touch what is free, but graphs, whose launches go on
 * using what was freed while they were captured, and calls that were given up. */
static inline void
pool_poison_freed(const cu_block *b)
{
#if defined(__SANITIZE_ADDRESS__)
    if (!cu_pool_on_host(b->pool) || b->owner->is_private) return;
    if (cu_storage_in_flight(b->pool->device)) return;
#endif
    ASAN_POISON_MEMORY_REGION(b->ptr, b->size);
}

void
cu_pool_return(cu_storage *storage)
{
    cu_block *b = storage->block;
    cu_pool *pool = b->pool;
    bool last;

    pthread_mutex_lock(&pool->lock);
    if (CUPRIC_UNLIKELY(b->zone)) cu_guard_look_locked(b);
    pool_poison_freed(b);
    assert(b->state == LIVE);
    pool->used -= counted(b);
    if (CUPRIC_LIKELY(!b->uses) || !cu_use_defer_locked(pool, b)) {
        cu_block_enter_locked(pool, b);
    }
    last = pool->orphan && pool->used == 0 && pool->n_private == 0;
    pthread_mutex_unlock(&pool->lock);
    if (CUPRIC_UNLIKELY(last)) cu_pool_destroy(pool);
}

size_t
cu_pool_block_bytes(const cu_storage *storage)
{
    const cu_block *b = storage->block;

    return counted(b);
}

/* ---- memory is short --------------------------------------------------------------- */

static cu_helper *helper;

void
cu_pool_set_helper(cu_helper *f)
{
    __atomic_store_n(&helper, f, __ATOMIC_RELEASE);
}

/* Wait for the device, with no lock held: what is waited for may want one. */
static void
wait_for_device(cu_pool *pool)
{
    cu_device *d = pool->device;

    if (!cu_capture_is_active(pool)) d->backend->device_sync(d->ordinal);
}

static bool
has_free_locked(const cu_pool *pool)
{
    return pool->total > pool->used;
}

void
cu_pool_trim(cu_pool *pool)
{
    bool has_free;

    pthread_mutex_lock(&pool->lock);
    has_free = has_free_locked(pool);
    pthread_mutex_unlock(&pool->lock);
    if (!has_free) return;
    wait_for_device(pool);
    pthread_mutex_lock(&pool->lock);
    cu_arena_trim_locked(pool, false);
    pthread_mutex_unlock(&pool->lock);
}

static void
trim_other(cu_pool *pool, void *not_this)
{
    if (pool != not_this && has_free_locked(pool)) cu_arena_trim_locked(pool, false);
}

void
cu_pool_trim_all(const cu_backend *backend, int ordinal)
{
    if (cu_capture_is_active_on(backend, ordinal)) return;
    backend->device_sync(ordinal);
    cu_pool_for_each(backend, ordinal, trim_other, NULL);
}

/* Everything that can make memory free short of a user's letting go of arrays: waiting
 * for the device at first, then dropping what is kept for speed and what only a garbage
 * collection finds. */
static void
recover_memory(cu_pool *pool, bool thorough)
{
    cu_device *d = pool->device;
    cu_helper *help = __atomic_load_n(&helper, __ATOMIC_ACQUIRE);

    if (help) {
        help(pool, thorough, wait_for_device);
    } else {
        wait_for_device(pool);
    }
    if (!thorough) return;
    cu_pool_for_each(d->backend, d->ordinal, trim_other, pool);
    if (d->backend->drop_caches) d->backend->drop_caches(d->ordinal);
}

static cu_block *
pool_recover(cu_pool *pool, size_t nbytes, size_t zone, cu_stream *s)
{
    const size_t size = (nbytes + 2 * zone + UNIT - 1) & ~(UNIT - 1);

    for (int round = 0; round < 2; round++) {
        cu_block *b = NULL;
        cu_arena *a;

        if (cu_device_check(pool->device) || cu_capture_is_active(pool)) return NULL;
        if (size > pool->device->info.total_bytes) return NULL;
        recover_memory(pool, round > 0);
        pthread_mutex_lock(&pool->lock);
        a = cu_arena_find_locked(pool, s);
        if (a) b = cu_arena_reclaim_locked(pool, a, size);
        if (b) pool_use_locked(pool, b, nbytes, zone);
        pthread_mutex_unlock(&pool->lock);
        if (b) return b;
    }
    return NULL;
}

/* ---- the pool itself --------------------------------------------------------------- */

void
cu_pool_for_each(const cu_backend *backend, int ordinal,
                 void (*f)(cu_pool *pool, void *arg), void *arg)
{
    pthread_mutex_lock(&pools_lock);
    for (cu_pool *pool = all_pools; pool; pool = pool->next) {
        const cu_device *d = pool->device;
        if (backend && (d->backend != backend || d->ordinal != ordinal)) continue;
        pthread_mutex_lock(&pool->lock);
        f(pool, arg);
        pthread_mutex_unlock(&pool->lock);
    }
    pthread_mutex_unlock(&pools_lock);
}

static void
merge(cu_pool *pool, void *stream)
{
    cu_use_stream_ends_locked(pool, stream);
    cu_arena_merge_locked(pool, stream);
}

static void
stream_ends(cu_stream *s)
{
    cu_pool_for_each(s->backend, s->ordinal, merge, s);
}

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
        if (cu_pool_on_host(p)) continue;
        p->recent = NULL;
        p->arenas = NULL;
    }
    after_fork();
}

static void
init_once(void)
{
    cu_device_set_free_memory(cu_pool_trim_all);
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

/* Nobody else knows the pool any more, and all its memory is free. While a stream is
 * captured nothing can be waited for, and the pool stays for cu_pool_reap. */
void
cu_pool_destroy(cu_pool *pool)
{
    cu_arena *next_arena;
    cu_block *next_block;

    pthread_mutex_lock(&pools_lock);
    pool->deferred = cu_capture_is_active(pool);
    if (pool->deferred) {
        pthread_mutex_unlock(&pools_lock);
        return;
    }
    if (pool->prev) {
        pool->prev->next = pool->next;
    } else {
        all_pools = pool->next;
    }
    if (pool->next) pool->next->prev = pool->prev;
    pthread_mutex_unlock(&pools_lock);

    if (has_free_locked(pool)) wait_for_device(pool);
    cu_use_forget_locked(pool);
    cu_arena_trim_locked(pool, true);
    cu_pages_release(&pool->pages);
    for (cu_arena *a = pool->arenas; a; a = next_arena) {
        next_arena = a->next;
        free(a);
    }
    free(pool->idle);
    for (cu_block *b = pool->spare; b; b = next_block) {
        next_block = b->list_next;
        free(b);
    }
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

static cu_pool *
find_deferred(void)
{
    cu_pool *pool;

    pthread_mutex_lock(&pools_lock);
    for (pool = all_pools; pool; pool = pool->next) {
        if (pool->deferred && !cu_capture_is_active(pool)) break;
    }
    if (pool) pool->deferred = false;
    pthread_mutex_unlock(&pools_lock);
    return pool;
}

void
cu_pool_reap(void)
{
    cu_pool *pool;

    while ((pool = find_deferred()) != NULL) cu_pool_destroy(pool);
}

void
cu_pool_free(cu_pool *pool)
{
    bool last;

    if (!pool) return;
    cu_pool_trim(pool);
    pthread_mutex_lock(&pool->lock);
    pool->orphan = true;
    last = pool->used == 0 && pool->n_private == 0;
    pthread_mutex_unlock(&pool->lock);
    if (last) cu_pool_destroy(pool);
}

/* The limit that the environment sets: bytes, or a percentage of the device's memory. */
static cu_status
limit_from_setting(cu_pool *pool)
{
    const char *name = cu_setting("CUPRIC_MEMORY_LIMIT") ? "CUPRIC_MEMORY_LIMIT"
                                                         : "CUPY_GPU_MEMORY_LIMIT";
    const char *text = cu_setting(name);
    char *end;
    double value;

    if (!text) return CUPRIC_OK;
    value = strtod(text, &end);
    if (end != text && value >= 0) {
        if (*end == '%' && !end[1])
            return cu_pool_set_limit_fraction(pool, value / 100);
        if (!*end && value < 9e18) return cu_pool_set_limit(pool, (size_t)value);
    }
    return cu_fail(CUPRIC_ERR_VALUE,
                   "%s is \"%s\": neither bytes nor a percentage as 50%%", name, text);
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
    for (const cu_chunk *c = pool->chunks; c; c = c->next) {
        for (const cu_block *b = c->first; b; b = b->next) {
            n += b->state != LIVE && !b->fresh;
        }
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

cu_device *
cu_pool_device(const cu_pool *pool)
{
    return pool->device;
}

static bool
holds_locked(const cu_pool *pool, const char *ptr)
{
    for (const cu_chunk *c = pool->chunks; c; c = c->next) {
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
