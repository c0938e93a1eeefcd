/* pinned.c: host memory that devices can reach, reused.
 *
 * Pinning is slow and such memory is used for copies, whose sizes repeat little: blocks
 * come in powers of two from 512 bytes, and a free one waits in the list of its power.
 */
#include "memory/pinned.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "fork.h"

#define MIN_POWER 9
#define MAX_POWER 46

struct cu_pinned_pool {
    int refcount;            /* the owner, and each block in use */
    cu_pinned_source source; /* all NULL: the backend */
    size_t n_free;
    cu_pinned *list[MAX_POWER + 1];
};

/* Of all pools: held for an instant, and small beside the copies that memory is for. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void
hold_over_fork(void)
{
    cu_fork_hold(&lock);
}

cu_status
cu_pinned_pool_new(const cu_pinned_source *source, cu_pinned_pool **out)
{
    cu_pinned_pool *pool = calloc(1, sizeof *pool);

    if (!pool) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a pool");
    pool->refcount = 1;
    if (source) pool->source = *source;
    *out = pool;
    return CUPRIC_OK;
}

void
cu_pinned_pool_unref(cu_pinned_pool *pool)
{
    if (!pool) return;
    if (__atomic_sub_fetch(&pool->refcount, 1, __ATOMIC_ACQ_REL) > 0) return;
    cu_pinned_pool_trim(pool);
    free(pool);
}

static int
power_of(size_t nbytes)
{
    int power = MIN_POWER;

    while (power <= MAX_POWER && nbytes > (size_t)1 << power) power++;
    return power;
}

static cu_pinned *
take_locked(cu_pinned_pool *pool, const cu_backend *backend, int power)
{
    for (cu_pinned **link = &pool->list[power]; *link; link = &(*link)->next) {
        cu_pinned *b = *link;
        if (b->backend != backend) continue;
        *link = b->next;
        pool->n_free--;
        return b;
    }
    return NULL;
}

/* `size` bytes from where `pool` takes them; NULL: from the backend. */
static cu_status
block_new(cu_pinned_pool *pool, const cu_backend *backend, size_t size, cu_pinned **out)
{
    cu_pinned *b = calloc(1, sizeof *b);
    cu_status st = CUPRIC_OK;

    if (!b) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a block");
    b->backend = backend;
    b->size = size;
    b->pool = pool;
    if (pool && pool->source.take) {
        st = pool->source.take(pool->source.arg, size, &b->ptr, &b->owner);
    } else if (size) {
        st = backend->alloc_pinned(size, &b->ptr);
    }
    if (st) {
        free(b);
        return st;
    }
    *out = b;
    return CUPRIC_OK;
}

/* The memory goes back to where it came from, which the pool must still know. */
static void
block_free(cu_pinned *b)
{
    if (b->owner) {
        b->pool->source.give(b->owner);
    } else if (b->size) {
        b->backend->free_pinned(b->ptr, b->size);
    }
    free(b);
}

cu_status
cu_pinned_alloc(cu_pinned_pool *pool, const cu_backend *backend, size_t nbytes,
                cu_pinned **out)
{
    cu_pinned *b = NULL;
    int power = power_of(nbytes);
    cu_status st;

    if (power > MAX_POWER) {
        return cu_fail(CUPRIC_ERR_MEMORY,
                       "Out of memory allocating %zu bytes of pinned "
                       "memory",
                       nbytes);
    }
    if (pool && nbytes) {
        pthread_mutex_lock(&lock);
        b = take_locked(pool, backend, power);
        pthread_mutex_unlock(&lock);
        if (!b) {
            st = block_new(pool, backend, (size_t)1 << power, &b);
            if (st == CUPRIC_ERR_MEMORY) { /* free blocks may be what is missing */
                cu_pinned_pool_trim(pool);
                st = block_new(pool, backend, (size_t)1 << power, &b);
            }
            if (st) return st;
        }
        __atomic_add_fetch(&pool->refcount, 1, __ATOMIC_RELAXED);
    } else {
        st = block_new(NULL, backend, nbytes, &b);
        if (st) return st;
    }
    b->nbytes = nbytes;
    *out = b;
    return CUPRIC_OK;
}

void
cu_pinned_free(cu_pinned *b)
{
    cu_pinned_pool *pool;
    int power;

    if (!b) return;
    pool = b->pool;
    if (!pool) {
        block_free(b);
        return;
    }
    power = power_of(b->size);
    pthread_mutex_lock(&lock);
    b->next = pool->list[power];
    pool->list[power] = b;
    pool->n_free++;
    pthread_mutex_unlock(&lock);
    cu_pinned_pool_unref(pool);
}

size_t
cu_pinned_pool_n_free(cu_pinned_pool *pool)
{
    size_t n;

    pthread_mutex_lock(&lock);
    n = pool->n_free;
    pthread_mutex_unlock(&lock);
    return n;
}

void
cu_pinned_pool_trim(cu_pinned_pool *pool)
{
    cu_pinned *gone = NULL;

    pthread_mutex_lock(&lock);
    for (int power = MIN_POWER; power <= MAX_POWER; power++) {
        cu_pinned *b;
        while ((b = pool->list[power]) != NULL) {
            pool->list[power] = b->next;
            b->next = gone;
            gone = b;
        }
    }
    pool->n_free = 0;
    pthread_mutex_unlock(&lock);
    while (gone) {
        cu_pinned *next = gone->next;
        block_free(gone);
        gone = next;
    }
}
