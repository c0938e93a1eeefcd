/* storage.c: memory by count of its users, from the pool or from others.
 *
 * A pool's storage is part of its block, so that allocation takes one lock and no malloc.
 */
#include "memory/storage.h"

#include <stdlib.h>

#include "memory/pool.h"

static cu_allocator *allocator;

void
cu_storage_set_allocator(cu_allocator *f)
{
    __atomic_store_n(&allocator, f, __ATOMIC_RELEASE);
}

static cu_status
storage_make(cu_device *device, void *ptr, size_t nbytes, cu_storage **out)
{
    cu_storage *s = malloc(sizeof *s);

    if (!s) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a storage");
    *s = (cu_storage){.device = device, .ptr = ptr, .nbytes = nbytes};
    atomic_init(&s->refcount, 1);
    *out = s;
    return CUPRIC_OK;
}

cu_status
cu_storage_new(cu_device *device, size_t nbytes, cu_storage **out)
{
    cu_allocator *f = __atomic_load_n(&allocator, __ATOMIC_RELAXED);
    cu_pool *pool;
    cu_status st;

    if (CUPRIC_UNLIKELY(f != NULL)) return f(device, nbytes, out);
    if (CUPRIC_UNLIKELY(nbytes == 0)) return storage_make(device, NULL, 0, out);
    st = cu_pool_default(device, &pool);
    if (CUPRIC_UNLIKELY(st)) return st;
    return cu_pool_alloc(pool, nbytes, cu_stream_current(device), out);
}

cu_status
cu_storage_wrap(cu_device *device, void *ptr, size_t nbytes,
                void (*release)(void *ptr, void *arg), void *arg, cu_storage **out)
{
    cu_storage *s = NULL;
    cu_status st;

    st = storage_make(device, ptr, nbytes, &s);
    if (st) return st;
    s->escaped = true;
    s->release = release;
    s->release_arg = arg;
    *out = s;
    return CUPRIC_OK;
}

void
cu_storage_free(cu_storage *s)
{
    if (CUPRIC_LIKELY(s->block != NULL)) {
        cu_pool_give(s);
        return;
    }
    if (s->release) s->release(s->ptr, s->release_arg);
    free(s);
}
