/* cuda/pages.c: the driver's virtual memory management: physical pages and addresses.
 *
 * A page is an allocation of the driver's that has no address. Each range that was
 * reserved is known here with what is mapped in it, so that another device which comes to
 * be a peer can be given access to that, too.
 */
#include "cuda/pages.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/graph.h"

#define UNIT ((size_t)2 << 20)

typedef struct range {
    int ordinal;
    char *base;
    size_t n;             /* units */
    unsigned char *there; /* owned: by unit, whether memory is mapped */
    struct range *next;
} range;

/* Guards the ranges, what is mapped in them and who has access. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static range *ranges;
/* By owner, then by peer: may read and write what is mapped. */
static bool shared[CUPRIC_CUDA_MAXDEVICES][CUPRIC_CUDA_MAXDEVICES];

static CUmemAllocationProp
properties(int ordinal)
{
    return (CUmemAllocationProp){
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE,
                     .id = cu_cuda_device_at(ordinal)->device},
    };
}

size_t
cu_cuda_page_unit(int ordinal)
{
    const CUmemAllocationProp what = properties(ordinal);
    size_t granularity = 0;
    int supported = 0;

    cu_drv()->DeviceGetAttribute(
        &supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
        cu_cuda_device_at(ordinal)->device);
    if (!supported || cu_cuda_context(ordinal)) return 0;
    if (cu_drv()->MemGetAllocationGranularity(&granularity, &what,
                                              CU_MEM_ALLOC_GRANULARITY_MINIMUM)) {
        return 0;
    }
    return granularity && UNIT % granularity == 0 ? UNIT : 0;
}

/* ---- ranges -------------------------------------------------------------------------- */

cu_status
cu_cuda_range_new(int ordinal, size_t nbytes, void **out)
{
    range *r = calloc(1, sizeof *r);
    CUdeviceptr base = 0;
    CUresult result;
    cu_status st = cu_cuda_context(ordinal);

    if (!st && r) r->there = calloc(nbytes / UNIT, 1);
    if (st || !r || !r->there) {
        free(r);
        return st ? st : cu_fail(CUPRIC_ERR_MEMORY, "no memory for a range");
    }
    result = cu_drv()->MemAddressReserve(&base, nbytes, UNIT, 0, 0);
    if (result) {
        free(r->there);
        free(r);
        return cu_cuda_fail(result, "cuMemAddressReserve");
    }
    r->ordinal = ordinal;
    r->base = (char *)(uintptr_t)base;
    r->n = nbytes / UNIT;
    pthread_mutex_lock(&lock);
    r->next = ranges;
    ranges = r;
    pthread_mutex_unlock(&lock);
    *out = r->base;
    return CUPRIC_OK;
}

void
cu_cuda_range_free(int ordinal, void *ptr, size_t nbytes)
{
    range **link = &ranges, *r;

    pthread_mutex_lock(&lock);
    while ((*link)->base != ptr) link = &(*link)->next;
    r = *link;
    *link = r->next;
    pthread_mutex_unlock(&lock);
    free(r->there);
    free(r);
    if (!cu_cuda_context(ordinal)) {
        cu_drv()->MemAddressFree(cu_cuda_ptr(ptr), nbytes);
    }
}

/* What is known of each unit from `at` on. */
static unsigned char *
states_locked(const char *at)
{
    const range *r = ranges;

    while (at < r->base || at >= r->base + r->n * UNIT) r = r->next;
    return r->there + (size_t)(at - r->base) / UNIT;
}

/* ---- pages --------------------------------------------------------------------------- */

cu_status
cu_cuda_page_new(int ordinal, size_t nbytes, cu_page *out)
{
    const CUmemAllocationProp what = properties(ordinal);
    CUmemGenericAllocationHandle handle = 0;
    CUstreamCaptureMode mode;
    CUresult r;
    cu_status st = cu_cuda_context(ordinal);

    if (st) return st;
    mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    r = cu_drv()->MemCreate(&handle, nbytes, &what, 0);
    cu_cuda_capture_mode(mode);
    if (r) return cu_cuda_fail(r, "cuMemCreate");
    *out = handle;
    return CUPRIC_OK;
}

void
cu_cuda_page_free(int ordinal, cu_page page, size_t nbytes)
{
    (void)nbytes;
    if (!cu_cuda_context(ordinal)) cu_drv()->MemRelease(page);
}

static CUresult
give_access(int ordinal, char *at, size_t nbytes)
{
    const CUmemAccessDesc who = {
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE,
                     .id = cu_cuda_device_at(ordinal)->device},
        .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
    };

    return cu_drv()->MemSetAccess(cu_cuda_ptr(at), nbytes, &who, 1);
}

static CUresult
map_locked(int ordinal, char *at, cu_page page, size_t nbytes)
{
    CUresult r = cu_drv()->MemMap(cu_cuda_ptr(at), nbytes, 0, page, 0);

    if (r) return r;
    r = give_access(ordinal, at, nbytes);
    for (int peer = 0; peer < CUPRIC_CUDA_MAXDEVICES && !r; peer++) {
        if (shared[ordinal][peer]) r = give_access(peer, at, nbytes);
    }
    if (r) {
        cu_drv()->MemUnmap(cu_cuda_ptr(at), nbytes);
    } else {
        memset(states_locked(at), 1, nbytes / UNIT);
    }
    return r;
}

cu_status
cu_cuda_map(int ordinal, void *at, cu_page page, size_t nbytes)
{
    CUstreamCaptureMode mode;
    CUresult r;
    cu_status st = cu_cuda_context(ordinal);

    if (st) return st;
    mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    pthread_mutex_lock(&lock);
    r = map_locked(ordinal, at, page, nbytes);
    pthread_mutex_unlock(&lock);
    cu_cuda_capture_mode(mode);
    return r ? cu_cuda_fail(r, "mapping memory") : CUPRIC_OK;
}

void
cu_cuda_unmap(int ordinal, void *at, size_t nbytes)
{
    if (cu_cuda_context(ordinal)) return;
    pthread_mutex_lock(&lock);
    memset(states_locked(at), 0, nbytes / UNIT);
    cu_drv()->MemUnmap(cu_cuda_ptr(at), nbytes);
    pthread_mutex_unlock(&lock);
}

/* ---- peers --------------------------------------------------------------------------- */

static CUresult
share_locked(const range *r, int peer)
{
    CUresult result = CUDA_SUCCESS;
    size_t n;

    for (size_t i = 0; i < r->n && !result; i += n + 1) {
        for (n = 0; i + n < r->n && r->there[i + n]; n++) continue;
        if (n) result = give_access(peer, r->base + i * UNIT, n * UNIT);
    }
    return result;
}

cu_status
cu_cuda_pages_share(int ordinal, int peer)
{
    CUresult result = CUDA_SUCCESS;
    cu_status st = cu_cuda_context(ordinal);

    if (st || ordinal == peer) return st;
    pthread_mutex_lock(&lock);
    for (const range *r = ranges; r && !result && !shared[ordinal][peer]; r = r->next) {
        if (r->ordinal == ordinal) result = share_locked(r, peer);
    }
    if (!result) shared[ordinal][peer] = true;
    pthread_mutex_unlock(&lock);
    return result ? cu_cuda_fail(result, "sharing memory with a peer") : CUPRIC_OK;
}
