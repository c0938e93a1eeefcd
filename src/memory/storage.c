/* storage.c: memory by count of its users, from the pool or from others.
 *
 * A pool's storage is part of its block, so that allocation takes one lock and no malloc.
 */
#include "memory/storage.h"

#include <stdlib.h>

#include "memory/pool.h"

static cu_allocator *allocator;
static cu_release_hook *release_hook;

/* This thread's accesses that were noted: see cu_accesses_begin. */
static _Thread_local __attribute__((tls_model("initial-exec"))) uint64_t accesses;

/* ---- accesses ------------------------------------------------------------------------ */

void
cu_storage_note_access(cu_storage *s)
{
    accesses++;
    if (__atomic_load_n(&cu_accesses_noted, __ATOMIC_RELAXED) & CUPRIC_NOTE_STREAMS) {
        cu_storage_used_on(s, cu_stream_current(s->device));
    }
}

void
cu_accesses_begin(void)
{
    __atomic_fetch_add(&cu_accesses_noted, CUPRIC_NOTE_COUNT, __ATOMIC_RELAXED);
}

void
cu_accesses_end(void)
{
    __atomic_fetch_sub(&cu_accesses_noted, CUPRIC_NOTE_COUNT, __ATOMIC_RELAXED);
}

uint64_t
cu_accesses_count(void)
{
    return accesses;
}

/* ---- making and freeing -------------------------------------------------------------- */

void
cu_storage_set_allocator(cu_allocator *f)
{
    __atomic_store_n(&allocator, f, __ATOMIC_RELEASE);
}

void
cu_storage_set_release_hook(cu_release_hook *f)
{
    __atomic_store_n(&release_hook, f, __ATOMIC_RELEASE);
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

/* Memory of cu_storage_direct. */
typedef struct direct {
    cu_device *device;
    size_t nbytes;
} direct;

static void
direct_release(void *ptr, void *arg)
{
    direct *d = arg;

    d->device->backend->free(d->device->ordinal, ptr, d->nbytes);
    free(d);
}

static cu_status
storage_direct(cu_device *device, size_t nbytes, bool managed, cu_storage **out)
{
    direct *d = NULL;     /* owned */
    cu_storage *s = NULL; /* owned */
    cu_status st;

    st = cu_devices_init();
    if (!st) st = cu_device_check(device);
    if (st) return st;
    if (nbytes == 0) return storage_make(device, NULL, 0, out);
    d = malloc(sizeof *d);
    if (!d) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a storage");
    *d = (direct){device, nbytes};
    st = storage_make(device, NULL, nbytes, &s);
    if (st) goto fail;
    if (managed) {
        st = device->backend->alloc_managed(device->ordinal, nbytes, &s->ptr);
    } else {
        st = device->backend->alloc(device->ordinal, nbytes, &s->ptr);
    }
    if (st) goto fail;
    s->release = direct_release;
    s->release_arg = d;
    *out = s;
    return CUPRIC_OK;

fail:
    free(s);
    free(d);
    return st;
}

cu_status
cu_storage_direct(cu_device *device, size_t nbytes, cu_storage **out)
{
    return storage_direct(device, nbytes, false, out);
}

cu_status
cu_storage_managed(cu_device *device, size_t nbytes, cu_storage **out)
{
    return storage_direct(device, nbytes, true, out);
}

/* The other device's current stream has what comes before, as the memory's last user, and
 * what comes after: as the source's next user, or the destination's first. */
static cu_status
copy_peer(cu_device *dst_device, void *dst, cu_device *src_device, const void *src,
          size_t nbytes, cu_stream *s)
{
    cu_stream *other =
        cu_stream_current(s->ordinal == dst_device->ordinal ? src_device : dst_device);
    cu_status st = cu_stream_join(s, other);

    if (!st) {
        st = s->backend->copy_peer(dst_device->ordinal, dst, src_device->ordinal, src,
                                   nbytes, s);
    }
    return st ? st : cu_stream_join(other, s);
}

cu_status
cu_storage_copy(cu_device *dst_device, void *dst, cu_device *src_device,
                const void *src, size_t nbytes, cu_stream *s)
{
    cu_status st;

    if (nbytes == 0) return CUPRIC_OK;
    if (dst_device == src_device) {
        return s->backend->copy(dst, src, nbytes, CUPRIC_COPY_ON_DEVICE, s);
    }
    if (dst_device->backend == src_device->backend) {
        return copy_peer(dst_device, dst, src_device, src, nbytes, s);
    }
    if (cu_device_on_host(src_device)) {
        if (s->backend != dst_device->backend) s = cu_stream_current(dst_device);
        return s->backend->copy(dst, src, nbytes, CUPRIC_COPY_TO_DEVICE, s);
    }
    if (cu_device_on_host(dst_device)) {
        if (s->backend != src_device->backend) s = cu_stream_current(src_device);
        st = cu_wait_check();
        return st ? st : s->backend->copy(dst, src, nbytes, CUPRIC_COPY_TO_HOST, s);
    }
    return cu_fail(CUPRIC_ERR_UNSUPPORTED, "there is no way from %s to %s devices",
                   src_device->backend->name, dst_device->backend->name);
}

bool
cu_storage_in_flight(const cu_device *d)
{
    bool done = true;

    if (!cu_device_on_host(d)) return false;
    return !d->backend->stream_query(d->default_stream, &done) && !done;
}

void
cu_storage_free(cu_storage *s)
{
    cu_release_hook *hook = __atomic_load_n(&release_hook, __ATOMIC_RELAXED);

    if (CUPRIC_LIKELY(s->block != NULL)) {
        if (CUPRIC_UNLIKELY(hook != NULL)) {
            hook(s);
        } else {
            cu_pool_return(s);
        }
        return;
    }
    /* The memory of others that it may be writing stays theirs for ever. */
    if (s->release && !cu_storage_in_flight(s->device)) {
        s->release(s->ptr, s->release_arg);
    }
    free(s);
}
