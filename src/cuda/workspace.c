/* cuda/workspace.c: see workspace.h. A workspace is one allocation:
 *
 *     | counters | flags | memory for partial results |
 *
 * Partial results and flags share no byte, so that a flag is never anything but an epoch.
 * The table of a device's streams is read without a lock and written under one.
 */
#include "cuda/workspace.h"

#include <pthread.h>
#include <stdatomic.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/memory.h"

#define STREAMS 64
#define COUNTERS_NBYTES (CUPRIC_WORKSPACE_COUNTERS * sizeof(uint32_t))
#define FLAG_NBYTES sizeof(uint64_t)
#define FLAGS_NBYTES ((size_t)1 << 20)
#define MEMORY_NBYTES ((size_t)1 << 20)

typedef struct space {
    _Atomic(char *) base;   /* NULL: this place is free */
    _Atomic(void *) handle; /* of the stream; set before base */
    atomic_uint epoch;
} space;

static space spaces[CUPRIC_CUDA_MAXDEVICES][STREAMS];
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

/* Read the base after the handle: then it is that stream's. */
static char *
find(int ordinal, const void *handle, space **at)
{
    for (int i = 0; i < STREAMS; i++) {
        space *const place = &spaces[ordinal][i];
        if (atomic_load(&place->base) == NULL) continue;
        if (atomic_load(&place->handle) != handle) continue;
        *at = place;
        return atomic_load(&place->base);
    }
    return NULL;
}

/* Device memory of which the first bytes are zero. */
static cu_status
get_cleared(size_t nbytes, size_t cleared, void **out, cu_stream *s)
{
    cu_status st = cu_cuda_scratch_get(nbytes, out, s);
    if (st) return st;
    st = cu_cuda_fill(*out, 0, cleared, s);
    if (st) cu_cuda_scratch_put(*out, nbytes, s);
    return st;
}

/* *base: the stream's own workspace, made if need be; NULL where there is no place. */
static cu_status
make(cu_stream *s, space **at, char **base)
{
    void *memory = NULL;
    cu_status st = CUPRIC_OK;

    pthread_mutex_lock(&making);
    *base = find(s->ordinal, s->handle, at);
    for (int i = 0; i < STREAMS && !*base && !st; i++) {
        space *const place = &spaces[s->ordinal][i];
        if (atomic_load(&place->base)) continue;
        st = get_cleared(COUNTERS_NBYTES + FLAGS_NBYTES + MEMORY_NBYTES,
                         COUNTERS_NBYTES + FLAGS_NBYTES, &memory, s);
        if (st) break;
        *at = place;
        *base = memory;
        atomic_store(&place->handle, s->handle);
        atomic_store(&place->base, *base);
    }
    pthread_mutex_unlock(&making);
    return st;
}

/* A captured launch may be replayed beside others. An error says that there is a capture
 * somewhere which this stream would break: what follows fails with it. */
static bool
is_captured(cu_stream *s)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    return cu_drv()->StreamIsCapturing(cu_cuda_stream(s), &status) ||
           status != CU_STREAM_CAPTURE_STATUS_NONE;
}

static cu_status
get_for_once(size_t nbytes, size_t nflags, cu_workspace *w, cu_stream *s)
{
    const size_t flags = (nflags * FLAG_NBYTES + 255) / 256 * 256;
    cu_status st;

    w->nbytes = COUNTERS_NBYTES + flags + nbytes;
    st = get_cleared(w->nbytes, COUNTERS_NBYTES + flags, &w->scratch, s);
    if (st) return st;
    w->counters = w->scratch;
    w->flags = (char *)w->scratch + COUNTERS_NBYTES;
    w->memory = (char *)w->flags + flags;
    w->epoch = 1;
    return CUPRIC_OK;
}

/* The next epoch; before the first one comes round again flags are cleared. */
static cu_status
next_epoch(space *at, cu_workspace *w, cu_stream *s)
{
    w->epoch = atomic_fetch_add(&at->epoch, 1) + 1;
    if (CUPRIC_LIKELY(w->epoch != 0)) return CUPRIC_OK;
    w->epoch = atomic_fetch_add(&at->epoch, 1) + 1;
    return cu_cuda_fill(w->flags, 0, FLAGS_NBYTES, s);
}

cu_status
cu_workspace_get(size_t nbytes, size_t nflags, cu_workspace *w, cu_stream *s)
{
    space *at = NULL;
    char *base;
    cu_status st = cu_cuda_context(s->ordinal);

    if (st) return st;
    w->scratch = NULL;
    if (nbytes > MEMORY_NBYTES || nflags * FLAG_NBYTES > FLAGS_NBYTES ||
        s->handle == (void *)CU_STREAM_PER_THREAD || is_captured(s)) {
        return get_for_once(nbytes, nflags, w, s);
    }
    base = find(s->ordinal, s->handle, &at);
    if (CUPRIC_UNLIKELY(base == NULL)) {
        st = make(s, &at, &base);
        if (st) return st;
        if (base == NULL) return get_for_once(nbytes, nflags, w, s);
    }
    w->counters = base;
    w->flags = base + COUNTERS_NBYTES;
    w->memory = base + COUNTERS_NBYTES + FLAGS_NBYTES;
    return nflags ? next_epoch(at, w, s) : CUPRIC_OK;
}

void
cu_workspace_put(cu_workspace *w, cu_stream *s)
{
    if (w->scratch) cu_cuda_scratch_put(w->scratch, w->nbytes, s);
    w->scratch = NULL;
}

void
cu_workspace_drop(int ordinal, void *handle)
{
    for (int i = 0; i < STREAMS; i++) {
        space *const place = &spaces[ordinal][i];
        pthread_mutex_lock(&making);
        char *const base = atomic_load(&place->base);
        if (base && atomic_load(&place->handle) == handle) {
            atomic_store(&place->base, NULL);
            cu_drv()->MemFreeAsync(cu_cuda_ptr(base), (CUstream)handle);
        }
        pthread_mutex_unlock(&making);
    }
}
