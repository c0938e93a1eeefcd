/* host/stream.c: streams and events of a device on which all work is done at once.
 *
 * A stream is a name, so that two differ; what is in flight (runner.h) may be any one's.
 * An event is the time at which it was recorded, or, where its stream was being captured,
 * a point of the recording.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "host/entries.h"
#include "host/graph.h"
#include "host/runner.h"

struct cu_event {
    atomic_llong recorded_ns; /* CLOCK_MONOTONIC; 0: not recorded */
    cu_host_point captured;
    uint32_t flags;
};

cu_status
cu_host_stream_new(int ordinal, uint32_t flags, int priority, void **out)
{
    void *name = malloc(1);

    (void)ordinal, (void)flags, (void)priority;
    if (name == NULL) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: a stream");
    *out = name;
    return CUPRIC_OK;
}

void
cu_host_stream_free(int ordinal, void *handle)
{
    (void)ordinal;
    free(handle);
}

cu_status
cu_host_stream_sync(cu_stream *s)
{
    const cu_status st = cu_host_capture_refuse(s, "the stream is waited for");

    return st ? st : cu_host_drain();
}

cu_status
cu_host_stream_query(cu_stream *s, bool *done)
{
    cu_status st = cu_host_capture_refuse(s, "the stream is asked whether it is done");

    if (!st) *done = !cu_host_in_flight();
    return st;
}

cu_status
cu_host_stream_wait(cu_stream *s, cu_event *e)
{
    return cu_host_capture_join(s, &e->captured, atomic_load(&e->recorded_ns) != 0);
}

cu_status
cu_host_stream_callback(cu_stream *s, void (*fn)(void *), void *arg)
{
    (void)s;
    fn(arg);
    return CUPRIC_OK;
}

cu_status
cu_host_event_new(int ordinal, uint32_t flags, cu_event **out)
{
    cu_event *e = malloc(sizeof *e);

    (void)ordinal;
    if (e == NULL) return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: an event");
    atomic_init(&e->recorded_ns, 0);
    e->captured = (cu_host_point){0};
    e->flags = flags;
    *out = e;
    return CUPRIC_OK;
}

void
cu_host_event_free(cu_event *e)
{
    free(e);
}

cu_status
cu_host_event_record(cu_event *e, cu_stream *s)
{
    cu_host_capture_mark(s, &e->captured);
    if (!cu_host_capture_marked(&e->captured)) {
        atomic_store(&e->recorded_ns, cu_host_now_ns());
    }
    return CUPRIC_OK;
}

/* An event of a recording says nothing outside it. */
static cu_status
check_recorded(const cu_event *e)
{
    if (CUPRIC_LIKELY(!cu_host_capture_marked(&e->captured))) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_DEVICE,
                   "cudaErrorCapturedEvent: operation not permitted on an event last "
                   "recorded in a capturing stream");
}

cu_status
cu_host_event_sync(cu_event *e)
{
    const cu_status st = check_recorded(e);

    return st ? st : cu_host_drain();
}

cu_status
cu_host_event_query(cu_event *e, bool *done)
{
    cu_status st = check_recorded(e);

    if (!st) *done = !cu_host_in_flight();
    return st;
}

cu_status
cu_host_event_elapsed(cu_event *from, cu_event *to, float *ms)
{
    long long begin = atomic_load(&from->recorded_ns);
    long long end = atomic_load(&to->recorded_ns);
    cu_status st = check_recorded(from);

    if (!st) st = check_recorded(to);
    if (st) return st;
    if ((from->flags | to->flags) & CUPRIC_EVENT_NO_TIMING) {
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "cudaErrorInvalidResourceHandle: invalid resource handle: an "
                       "event made with disable_timing=True has no time");
    }
    if (begin == 0 || end == 0) {
        return cu_fail(
            CUPRIC_ERR_DEVICE,
            "cudaErrorInvalidResourceHandle: invalid resource handle: the %s "
            "event was not recorded",
            begin == 0 ? "first" : "second");
    }
    *ms = (float)((double)(end - begin) * 1e-6);
    return CUPRIC_OK;
}
