/* stream.c: streams by count of their users, and each thread's current ones. */
#include <pthread.h>
#include <stdlib.h>

#include "device/device.h"

#define THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))

/* Owned streams by device index, NULL where it is the default one, then the thread's own
 * default streams; NULL altogether until the thread enters a stream: the reserve of static
 * space is shared by the process. */
static THREAD_LOCAL cu_stream **current;
#define OWN(d) (CUPRIC_MAXDEVICES + (d)->index)

/* CUDA's own name for "the default stream of the calling thread". */
#define PER_THREAD_HANDLE ((void *)2)

unsigned cu_accesses_noted;

static THREAD_LOCAL bool waits_forbidden;
static THREAD_LOCAL uint64_t wait_count;
static uint64_t last_id;
static void (*free_hook)(cu_stream *s);
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key;

/* A thread that ends gives its streams back. */
static void
thread_exit(void *streams)
{
    cu_stream **mine = streams;

    for (int i = 0; i < 2 * CUPRIC_MAXDEVICES; i++) {
        cu_stream_unref(mine[i]);
    }
    free(mine);
    current = NULL;
}

/* The streams of the device table have id 0 and stay for ever. */
static bool
is_default(const cu_stream *s)
{
    return s->id == 0;
}

static void
make_exit_key(void)
{
    pthread_key_create(&exit_key, thread_exit);
}

/* Without memory for a stream of its own a thread works on the default one, in order. */
static cu_stream *
own_or_default(cu_device *d)
{
    cu_stream *own;

    if (cu_stream_own(d, &own)) return d->default_stream;
    if (!(__atomic_load_n(&cu_accesses_noted, __ATOMIC_RELAXED) & CUPRIC_NOTE_STREAMS))
        __atomic_fetch_or(&cu_accesses_noted, CUPRIC_NOTE_STREAMS, __ATOMIC_RELAXED);
    return own;
}

cu_stream *
cu_stream_current(cu_device *d)
{
    cu_stream *s = current ? current[d->index] : NULL;

    if (CUPRIC_LIKELY(s == NULL)) s = d->implicit_stream;
    return CUPRIC_LIKELY(s != NULL) ? s : own_or_default(d);
}

static bool
has_streams(void)
{
    if (current) return true;
    current = calloc(2 * CUPRIC_MAXDEVICES, sizeof *current);
    if (!current) return false;
    pthread_once(&once, make_exit_key);
    pthread_setspecific(exit_key, current);
    return true;
}

void
cu_stream_set_current(cu_device *d, cu_stream *s)
{
    cu_stream *before;

    if (s && is_default(s) && d->implicit_stream) s = NULL;
    if (!current) {
        if (!s) return;
        if (!has_streams()) return; /* 1 KiB: the default stream stays, in order */
    }
    if (s) {
        __atomic_fetch_or(&cu_accesses_noted, CUPRIC_NOTE_STREAMS, __ATOMIC_RELAXED);
    }
    before = current[d->index];
    current[d->index] = s ? cu_stream_ref(s) : NULL;
    cu_stream_unref(before);
}

static cu_status
stream_make(cu_device *d, uint32_t flags, int priority, void *handle, cu_stream **out)
{
    cu_stream *s = malloc(sizeof *s);

    if (!s) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a stream");
    *s = (cu_stream){
        .backend = d->backend,
        .ordinal = d->ordinal,
        .handle = handle,
        .refcount = 1,
        .flags = flags,
        .priority = priority,
        .id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED),
    };
    *out = s;
    return CUPRIC_OK;
}

cu_status
cu_stream_new(cu_device *d, uint32_t flags, int priority, cu_stream **out)
{
    void *handle = NULL;
    cu_status st;

    st = cu_device_check(d);
    if (st) return st;
    st = d->backend->stream_new(d->ordinal, flags, priority, &handle);
    if (st) return st;
    st = stream_make(d, flags & ~(uint32_t)CUPRIC_STREAM_EXTERNAL, priority, handle,
                     out);
    if (st) d->backend->stream_free(d->ordinal, handle);
    return st;
}

cu_status
cu_stream_wrap(cu_device *d, void *handle, cu_stream **out)
{
    return stream_make(d, CUPRIC_STREAM_EXTERNAL, 0, handle, out);
}

cu_status
cu_stream_own(cu_device *d, cu_stream **out)
{
    cu_stream *s;
    cu_status st;

    if (!has_streams()) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a stream");
    s = current[OWN(d)];
    if (!s) {
        st = cu_stream_wrap(d, PER_THREAD_HANDLE, &s);
        if (st) return st;
        s->flags |= CUPRIC_STREAM_PTDS;
        s->thread = (uintptr_t)pthread_self();
        current[OWN(d)] = s;
    }
    *out = s;
    return CUPRIC_OK;
}

cu_stream *
cu_stream_ref(cu_stream *s)
{
    __atomic_add_fetch(&s->refcount, 1, __ATOMIC_RELAXED);
    return s;
}

void
cu_stream_unref(cu_stream *s)
{
    if (!s) return;
    if (__atomic_sub_fetch(&s->refcount, 1, __ATOMIC_ACQ_REL) > 0) return;
    if (is_default(s)) return;
    if (free_hook) free_hook(s);
    if (!(s->flags & CUPRIC_STREAM_EXTERNAL)) {
        s->backend->stream_free(s->ordinal, s->handle);
    }
    free(s);
}

cu_status
cu_stream_join(cu_stream *s, cu_stream *other)
{
    const cu_backend *backend = s->backend;
    cu_event *e = NULL; /* owned */
    cu_status st;

    if (s == other) return CUPRIC_OK;
    st = backend->event_new(other->ordinal, CUPRIC_EVENT_NO_TIMING, &e);
    if (st) return st;
    st = backend->event_record(e, other);
    if (!st) st = backend->stream_wait(s, e);
    backend->event_free(e);
    return st;
}

void
cu_stream_on_free(void (*hook)(cu_stream *s))
{
    free_hook = hook;
}

cu_status
cu_wait_check(void)
{
    if (CUPRIC_LIKELY(!waits_forbidden)) {
        wait_count++;
        return CUPRIC_OK;
    }
    return cu_fail(
        CUPRIC_ERR_WAITED,
        "the program waits for a device here, which allow_synchronize(False) "
        "forbids: keep results on the device, or use asynchronous copies");
}

bool
cu_wait_allow(bool allowed)
{
    const bool before = !waits_forbidden;

    waits_forbidden = !allowed;
    return before;
}

uint64_t
cu_wait_count(void)
{
    return wait_count;
}
