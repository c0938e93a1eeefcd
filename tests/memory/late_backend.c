/* late_backend.c: a device whose streams finish when the test says so.
 *
 * Built by test_late_device.py, twice: as _cuda.so, the device under test, and, with LATE_HOST
 * defined, as the _host.so that must be beside it. What the pool asks for is counted.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device/backend.h"

#ifdef LATE_HOST
#define NAME "host"
#define DLPACK_TYPE 1 /* kDLCPU */
#else
#define NAME "cuda"
#define DLPACK_TYPE 2 /* kDLCUDA */
#endif

#define PUBLIC __attribute__((visibility("default")))

/* Read and written by the test. */
PUBLIC _Atomic int
    late_busy; /* streams have work pending: until waited for; 2: for ever */
PUBLIC _Atomic int late_queries; /* streams and events asked */
PUBLIC _Atomic int late_records; /* events recorded */
PUBLIC _Atomic int late_waits;   /* waits queued */
PUBLIC _Atomic int late_syncs;   /* streams waited for by the host */
PUBLIC _Atomic int late_device_syncs;
PUBLIC _Atomic int late_drops;     /* caches dropped */
PUBLIC _Atomic int late_too_early; /* pages unmapped under work that was pending */
PUBLIC _Atomic int late_wrong;     /* pages mapped twice, in use where freed, … */
PUBLIC _Atomic int
    late_fail_in; /* the n-th page or allocation from now fails; 0: none */
PUBLIC _Atomic int late_fail_map; /* the same of calls of map */
PUBLIC size_t late_hoard;         /* bytes that drop_caches sets free */
PUBLIC size_t late_held;          /* bytes */
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
    if (getenv("LATE_TOTAL")) late_total = (size_t)atoll(getenv("LATE_TOTAL"));
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

static int
strikes(_Atomic int *fail_in)
{
    return *fail_in > 0 && --*fail_in == 0;
}

static cu_status
alloc(int ordinal, size_t nbytes, void **out)
{
    (void)ordinal;
    if (strikes(&late_fail_in)) return CUPRIC_ERR_MEMORY;
    if (nbytes > late_total - late_hoard - late_held) return CUPRIC_ERR_MEMORY;
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

/* ---- pages ---- */

#define UNIT ((size_t)2 << 20)
#define N_PAGES 16384
static struct {
    char *at; /* NULL: not mapped */
    size_t nbytes;
} pages[N_PAGES + 1];

static size_t
page_unit(int ordinal)
{
    (void)ordinal;
    return UNIT;
}

static cu_status
range_new(int ordinal, size_t nbytes, void **out)
{
    char *base = mmap(NULL, nbytes + UNIT, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    (void)ordinal;
    *out = (char *)(((uintptr_t)base + UNIT - 1) & ~(UNIT - 1));
    return CUPRIC_OK;
}

static void
range_free(int ordinal, void *ptr, size_t nbytes)
{
    (void)ordinal;
    munmap(ptr, nbytes);
    for (int i = 1; i <= N_PAGES; i++) {
        char *at = pages[i].at;
        late_wrong += at && at >= (char *)ptr && at < (char *)ptr + nbytes;
    }
}

static cu_status
page_new(int ordinal, size_t nbytes, cu_page *out)
{
    cu_page i = 1;

    (void)ordinal;
    if (strikes(&late_fail_in)) return CUPRIC_ERR_MEMORY;
    if (nbytes > late_total - late_hoard - late_held) return CUPRIC_ERR_MEMORY;
    while (pages[i].nbytes) i++;
    pages[i].nbytes = nbytes;
    late_wrong += nbytes == 0 || nbytes % UNIT != 0;
    late_held += nbytes;
    *out = i;
    return CUPRIC_OK;
}

static void
page_free(int ordinal, cu_page page, size_t nbytes)
{
    (void)ordinal;
    late_wrong += pages[page].nbytes != nbytes || pages[page].at;
    pages[page].nbytes = 0;
    late_held -= nbytes;
}

static cu_status
map(int ordinal, void *at, cu_page page, size_t nbytes)
{
    (void)ordinal;
    if (strikes(&late_fail_map)) return CUPRIC_ERR_MEMORY;
    late_wrong += pages[page].nbytes != nbytes || pages[page].at;
    for (int i = 1; i <= N_PAGES; i++) {
        if (!pages[i].at || !pages[i].nbytes) continue;
        late_wrong += pages[i].at < (char *)at + nbytes &&
                      pages[i].at + pages[i].nbytes > (char *)at;
    }
    pages[page].at = at;
    late_wrong += mprotect(at, nbytes, PROT_READ | PROT_WRITE) != 0;
    return CUPRIC_OK;
}

static void
unmap(int ordinal, void *at, size_t nbytes)
{
    size_t found = 0;

    (void)ordinal;
    late_too_early += late_busy;
    for (int i = 1; i <= N_PAGES; i++) {
        if (pages[i].at < (char *)at || pages[i].at >= (char *)at + nbytes) continue;
        pages[i].at = NULL;
        found += pages[i].nbytes;
    }
    late_wrong += found != nbytes;
    mprotect(at, nbytes, PROT_NONE);
}

static void
drop_caches(int ordinal)
{
    (void)ordinal;
    late_drops++;
    late_hoard = 0;
}

static cu_status
device_sync(int ordinal)
{
    (void)ordinal;
    late_device_syncs++;
    late_busy = late_busy == 2 ? 2 : 0; /* 2: more work comes all the time */
    return CUPRIC_OK;
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

static cu_status
event_query(cu_event *e, bool *done)
{
    (void)e;
    late_queries++;
    *done = !late_busy;
    return CUPRIC_OK;
}

static cu_status
event_sync(cu_event *e)
{
    (void)e;
    late_syncs++;
    return CUPRIC_OK;
}

static const cu_backend backend = {
    .abi = CUPRIC_BACKEND_ABI,
    .name = NAME,
    .dlpack_type = DLPACK_TYPE,
    .device_count = device_count,
    .device_info = device_info,
    .device_sync = device_sync,
    .mem_info = mem_info,
    .alloc = alloc,
    .free = release,
    .page_unit = page_unit,
    .range_new = range_new,
    .range_free = range_free,
    .page_new = page_new,
    .page_free = page_free,
    .map = map,
    .unmap = unmap,
    .drop_caches = drop_caches,
    .stream_new = stream_new,
    .stream_free = stream_free,
    .stream_sync = stream_sync,
    .stream_query = stream_query,
    .stream_wait = stream_wait,
    .event_new = event_new,
    .event_free = event_free,
    .event_record = event_record,
    .event_query = event_query,
    .event_sync = event_sync,
};

static const cu_services *services;

/* The backend lacks memory of its own. */
PUBLIC void late_wants_memory(void);

void
late_wants_memory(void)
{
    services->free_memory(&backend, 0);
}

PUBLIC const cu_backend *cupric_backend(const cu_services *core);

const cu_backend *
cupric_backend(const cu_services *core)
{
    services = core;
    return &backend;
}
