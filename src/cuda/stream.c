/* cuda/stream.c: streams, events, and waiting for them. A handle is the driver's own, so that programs can
 * hand it to other libraries.
 */
#include <pthread.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/graph.h"
#include "cuda/workspace.h"

static CUevent
event_of(cu_event *e)
{
    return (CUevent)e;
}

/* Another thread's own default stream, which has no name in this one. The device's default
 * stream comes after all that it has been given, and stands for it. */
static bool
belongs_to_other_thread(const cu_stream *s)
{
    return s->thread && s->thread != (uintptr_t)pthread_self();
}

/* An event knows its device; the driver still wants the thread to have some context. */
static void
any_context(void)
{
    CUcontext now = NULL;

    cu_drv()->CtxGetCurrent(&now);
    if (!now) (void)!cu_cuda_context(0);
}

cu_status
cu_cuda_stream_new(int ordinal, uint32_t flags, int priority, void **out)
{
    CUstream stream = NULL;
    CUresult r;
    cu_status st = cu_cuda_context(ordinal);

    if (st) return st;
    if (flags & CUPRIC_STREAM_PTDS) {
        *out = (void *)CU_STREAM_PER_THREAD;
        return CUPRIC_OK;
    }
    r = cu_drv()->StreamCreateWithPriority(
        &stream,
        flags & CUPRIC_STREAM_NON_BLOCKING ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT,
        priority);
    if (r) return cu_cuda_fail(r, "making a stream");
    *out = stream;
    return CUPRIC_OK;
}

void
cu_cuda_stream_free(int ordinal, void *handle)
{
    if (!handle || handle == (void *)CU_STREAM_PER_THREAD) return;
    if (cu_cuda_context(ordinal)) return;
    cu_workspace_drop(ordinal, handle);
    cu_drv()->StreamDestroy((CUstream)handle);
}

cu_status
cu_cuda_device_sync(int ordinal)
{
    CUresult r;
    cu_status st = cu_cuda_context(ordinal);

    if (st) return st;
    if (CUPRIC_UNLIKELY(cu_cuda_capture_on(ordinal))) {
        return cu_cuda_capture_refused("the device is waited for");
    }
    r = cu_drv()->CtxSynchronize();
    return r ? cu_cuda_fail(r, NULL) : CUPRIC_OK;
}

cu_status
cu_cuda_stream_sync(cu_stream *s)
{
    CUresult r;
    cu_status st = cu_cuda_context(s->ordinal);

    if (!st) st = cu_cuda_capture_refuse(cu_cuda_stream(s), "the stream is waited for");
    if (st) return st;
    if (belongs_to_other_thread(s)) return cu_cuda_device_sync(s->ordinal);
    r = cu_drv()->StreamSynchronize(cu_cuda_stream(s));
    return r ? cu_cuda_fail(r, NULL) : CUPRIC_OK;
}

cu_status
cu_cuda_stream_query(cu_stream *s, bool *done)
{
    CUresult r;
    cu_status st = cu_cuda_context(s->ordinal);

    if (!st) {
        st = cu_cuda_capture_refuse(cu_cuda_stream(s),
                                    "the stream is asked whether it is done");
    }
    if (st) return st;
    if (belongs_to_other_thread(s)) {
        *done = false;
        return CUPRIC_OK;
    }
    r = cu_drv()->StreamQuery(cu_cuda_stream(s));
    if (r && r != CUDA_ERROR_NOT_READY) return cu_cuda_fail(r, NULL);
    *done = r == CUDA_SUCCESS;
    return CUPRIC_OK;
}

cu_status
cu_cuda_stream_wait(cu_stream *s, cu_event *e)
{
    CUresult r;
    cu_status st = cu_cuda_context(s->ordinal);

    if (st) return st;
    r = cu_drv()->StreamWaitEvent(cu_cuda_stream(s), event_of(e), 0);
    return r ? cu_cuda_fail(r, "waiting for an event") : CUPRIC_OK;
}

cu_status
cu_cuda_stream_callback(cu_stream *s, void (*fn)(void *), void *arg)
{
    CUresult r;
    cu_status st = cu_cuda_context(s->ordinal);

    if (st) return st;
    r = cu_drv()->LaunchHostFunc(cu_cuda_stream(s), fn, arg);
    return r ? cu_cuda_fail(r, "cuLaunchHostFunc") : CUPRIC_OK;
}

cu_status
cu_cuda_event_new(int ordinal, uint32_t flags, cu_event **out)
{
    unsigned how = CU_EVENT_DEFAULT;
    CUevent event = NULL;
    CUresult r;
    cu_status st = cu_cuda_context(ordinal);

    if (st) return st;
    if (flags & CUPRIC_EVENT_NO_TIMING) how |= CU_EVENT_DISABLE_TIMING;
    if (flags & CUPRIC_EVENT_BLOCKING) how |= CU_EVENT_BLOCKING_SYNC;
    if (flags & CUPRIC_EVENT_IPC) how |= CU_EVENT_INTERPROCESS;
    r = cu_drv()->EventCreate(&event, how);
    if (r) return cu_cuda_fail(r, "making an event");
    *out = (cu_event *)event;
    return CUPRIC_OK;
}

void
cu_cuda_event_free(cu_event *e)
{
    if (!e) return;
    any_context();
    cu_drv()->EventDestroy(event_of(e));
}

cu_status
cu_cuda_event_record(cu_event *e, cu_stream *s)
{
    CUresult r;
    cu_status st = cu_cuda_context(s->ordinal);

    if (st) return st;
    r = cu_drv()->EventRecord(event_of(e),
                              belongs_to_other_thread(s) ? NULL : cu_cuda_stream(s));
    return r ? cu_cuda_fail(r, "recording an event") : CUPRIC_OK;
}

cu_status
cu_cuda_event_sync(cu_event *e)
{
    CUresult r;

    any_context();
    r = cu_drv()->EventSynchronize(event_of(e));
    return r ? cu_cuda_fail(r, NULL) : CUPRIC_OK;
}

cu_status
cu_cuda_event_query(cu_event *e, bool *done)
{
    CUresult r;

    any_context();
    r = cu_drv()->EventQuery(event_of(e));
    if (r && r != CUDA_ERROR_NOT_READY) return cu_cuda_fail(r, NULL);
    *done = r == CUDA_SUCCESS;
    return CUPRIC_OK;
}

cu_status
cu_cuda_event_elapsed(cu_event *from, cu_event *to, float *ms)
{
    float value = 0;
    CUresult r;

    any_context();
    r = cu_drv()->EventElapsedTime(&value, event_of(from), event_of(to));
    if (r) return cu_cuda_fail(r, "the time between two events");
    *ms = value;
    return CUPRIC_OK;
}
