/* late_backend.c: a device whose streams finish when the test says so.
 *
 * Built by test_late_device.py, twice: as _cuda.so, the device under test, and, with HOST
 * defined, as the _host.so that must be beside it. What the pool asks for is counted.
 */
#include <stdlib.h>
#include <string.h>

#include "device/backend.h"

#ifdef HOST
#define NAME "host"
#define DLPACK_TYPE 1 /* kDLCPU */
#else
#define NAME "cuda"
#define DLPACK_TYPE 2 /* kDLCUDA */
#endif

#define PUBLIC __attribute__((visibility("default")))

/* Read and written by the test. */
PUBLIC int late_busy;    /* streams have work pending */
PUBLIC int late_queries; /* streams asked */
PUBLIC int late_records; /* events recorded */
PUBLIC int late_waits;   /* waits queued */
PUBLIC int late_syncs;   /* streams waited for by the host */
PUBLIC size_t late_held; /* bytes */
PUBLIC size_t late_total = (size_t)64 << 20;

static cu_status
device_count(int *out)
{
    *out = 2;
    return CUPRIC_OK;
}

static cu_status
device_info(int ordinal, cu_device_info *out)
{
    (void)ordinal;
    memset(out, 0, sizeof *out);
    out->total_bytes = late_total;
    return CUPRIC_OK;
}

static cu_status
mem_info(int ordinal, size_t *free_bytes, size_t *total_bytes)
{
    (void)ordinal;
    *free_bytes = late_total - late_held;
    *total_bytes = late_total;
    return CUPRIC_OK;
}

static cu_status
alloc(int ordinal, size_t nbytes, void **out)
{
    (void)ordinal;
    if (nbytes > late_total - late_held) return CUPRIC_ERR_MEMORY;
    *out = aligned_alloc(512, nbytes);
    late_held += nbytes;
    return CUPRIC_OK;
}

static void
release(int ordinal, void *ptr, size_t nbytes)
{
    (void)ordinal;
    late_held -= nbytes;
    free(ptr);
}

static cu_status
stream_new(int ordinal, uint32_t flags, int priority, void **out)
{
    (void)ordinal, (void)flags, (void)priority;
    *out = malloc(1);
    return CUPRIC_OK;
}

static void
stream_free(int ordinal, void *handle)
{
    (void)ordinal;
    free(handle);
}

static cu_status
stream_sync(cu_stream *s)
{
    (void)s;
    late_syncs++;
    return CUPRIC_OK;
}

static cu_status
stream_query(cu_stream *s, bool *done)
{
    (void)s;
    late_queries++;
    *done = !late_busy;
    return CUPRIC_OK;
}

static cu_status
stream_wait(cu_stream *s, cu_event *e)
{
    (void)s, (void)e;
    late_waits++;
    return CUPRIC_OK;
}

static cu_status
event_new(int ordinal, uint32_t flags, cu_event **out)
{
    (void)ordinal, (void)flags;
    *out = malloc(1);
    return CUPRIC_OK;
}

static void
event_free(cu_event *e)
{
    free(e);
}

static cu_status
event_record(cu_event *e, cu_stream *s)
{
    (void)e, (void)s;
    late_records++;
    return CUPRIC_OK;
}

static const cu_backend backend = {
    .abi = CUPRIC_BACKEND_ABI,
    .name = NAME,
    .dlpack_type = DLPACK_TYPE,
    .device_count = device_count,
    .device_info = device_info,
    .mem_info = mem_info,
    .alloc = alloc,
    .free = release,
    .stream_new = stream_new,
    .stream_free = stream_free,
    .stream_sync = stream_sync,
    .stream_query = stream_query,
    .stream_wait = stream_wait,
    .event_new = event_new,
    .event_free = event_free,
    .event_record = event_record,
};

PUBLIC const cu_backend *cupric_backend(const cu_services *core);

const cu_backend *
cupric_backend(const cu_services *core)
{
    (void)core;
    return &backend;
}
