/* cuda/memory.c: memory of the device, pinned memory, and copies. */
#include "cuda/memory.h"

#include <stdio.h>
#include <string.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/graph.h"
#include "cuda/peers.h"
#include "cuda/services.h"
#include "cuda/staging.h"

cu_status
cu_cuda_alloc(int ordinal, size_t nbytes, void **out)
{
    CUdeviceptr ptr = 0;
    size_t left = 0, total = 0;
    CUstreamCaptureMode mode;
    CUresult r;
    cu_status st = cu_cuda_context(ordinal);

    if (st) return st;
    mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    r = cu_drv()->MemAlloc(&ptr, nbytes);
    cu_cuda_capture_mode(mode);
    if (r == CUDA_ERROR_OUT_OF_MEMORY) {
        cu_drv()->MemGetInfo(&left, &total);
        return cu_fail(
            CUPRIC_ERR_MEMORY,
            "out of memory: %zu bytes asked for, device %d has %zu free of %zu", nbytes,
            ordinal, left, total);
    }
    if (r) return cu_cuda_fail(r, "cuMemAlloc");
    *out = (void *)(uintptr_t)ptr;
    return CUPRIC_OK;
}

cu_status
cu_cuda_alloc_managed(int ordinal, size_t nbytes, void **out)
{
    CUdeviceptr ptr = 0;
    CUstreamCaptureMode mode;
    CUresult r;
    cu_status st = cu_cuda_context(ordinal);

    if (st) return st;
    mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    r = cu_drv()->MemAllocManaged(&ptr, nbytes, CU_MEM_ATTACH_GLOBAL);
    cu_cuda_capture_mode(mode);
    if (r) return cu_cuda_fail(r, "allocating managed memory");
    *out = (void *)(uintptr_t)ptr;
    return CUPRIC_OK;
}

void
cu_cuda_free(int ordinal, void *ptr, size_t nbytes)
{
    CUstreamCaptureMode mode;

    (void)nbytes;
    if (cu_cuda_context(ordinal)) return;
    mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    cu_drv()->MemFree(cu_cuda_ptr(ptr));
    cu_cuda_capture_mode(mode);
}

/* Pinned memory is every device's (portable), so that any context may make it. */
static cu_status
some_context(void)
{
    CUcontext now = NULL;

    cu_drv()->CtxGetCurrent(&now);
    return now ? CUPRIC_OK : cu_cuda_context(0);
}

cu_status
cu_cuda_alloc_pinned(size_t nbytes, void **out)
{
    void *ptr = NULL;
    CUstreamCaptureMode mode;
    CUresult r;
    cu_status st = some_context();

    if (st) return st;
    mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    r = cu_drv()->MemHostAlloc(&ptr, nbytes, CU_MEMHOSTALLOC_PORTABLE);
    cu_cuda_capture_mode(mode);
    if (r) return cu_cuda_fail(r, "allocating pinned memory");
    *out = ptr;
    return CUPRIC_OK;
}

void
cu_cuda_free_pinned(void *ptr, size_t nbytes)
{
    CUstreamCaptureMode mode;

    (void)nbytes;
    if (some_context()) return;
    mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    cu_drv()->MemFreeHost(ptr);
    cu_cuda_capture_mode(mode);
}

/* ---- copies -------------------------------------------------------------------------- */

/* Whether the driver knows host memory, and so may still read it after a call. Asked for
 * several attributes, even one, it answers for other memory too, with 0. */
static bool
is_pinned(const void *ptr)
{
    CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
    CUmemorytype type = 0;
    void *data[] = {&type};

    return cu_drv()->PointerGetAttributes(1, which, data, cu_cuda_ptr(ptr)) ==
               CUDA_SUCCESS &&
           type == CU_MEMORYTYPE_HOST;
}

static void
release_pinned(void *ptr)
{
    cu_cuda_free_pinned(ptr, 0);
}

/* The bytes as they are now go along with the graph, for its launches to copy. */
static cu_status
capture_to_device(void *dst, const void *src, size_t nbytes, cu_stream *s)
{
    void *held = NULL; /* owned, then the graph's */
    CUresult r;
    cu_status st = cu_cuda_alloc_pinned(nbytes, &held);

    if (st) return st;
    memcpy(held, src, nbytes);
    st = cu_cuda_capture_keep(cu_cuda_stream(s), held, release_pinned);
    if (st) {
        release_pinned(held);
        return st;
    }
    r = cu_drv()->MemcpyHtoDAsync(cu_cuda_ptr(dst), held, nbytes, cu_cuda_stream(s));
    return r ? cu_cuda_fail(r, "copying to the device") : CUPRIC_OK;
}

static cu_status
copy_to_device(void *dst, const void *src, size_t nbytes, cu_stream *s)
{
    const bool pinned = is_pinned(src);
    CUresult r;

    if (CUPRIC_UNLIKELY(cu_cuda_is_captured(cu_cuda_stream(s)))) {
        return capture_to_device(dst, src, nbytes, s);
    }
    if (!pinned && nbytes >= CUPRIC_STAGED_FROM) {
        return cu_cuda_staged_to_device(dst, src, nbytes, s);
    }
    r = cu_drv()->MemcpyHtoDAsync(cu_cuda_ptr(dst), src, nbytes, cu_cuda_stream(s));
    if (!r && pinned) r = cu_drv()->StreamSynchronize(cu_cuda_stream(s));
    return r ? cu_cuda_fail(r, "copying to the device") : CUPRIC_OK;
}

static cu_status
copy_to_host(void *dst, const void *src, size_t nbytes, cu_stream *s)
{
    CUresult r;
    cu_status st =
        cu_cuda_capture_refuse(cu_cuda_stream(s), "values are wanted on the host");

    if (st) return st;
    if (nbytes >= CUPRIC_STAGED_FROM && !is_pinned(dst)) {
        return cu_cuda_staged_to_host(dst, src, nbytes, s);
    }
    r = cu_drv()->MemcpyDtoHAsync(dst, cu_cuda_ptr(src), nbytes, cu_cuda_stream(s));
    if (!r) r = cu_drv()->StreamSynchronize(cu_cuda_stream(s));
    return r ? cu_cuda_fail(r, "copying from the device") : CUPRIC_OK;
}

cu_status
cu_cuda_copy(void *dst, const void *src, size_t nbytes, cu_copy_kind kind, cu_stream *s)
{
    CUresult r = CUDA_SUCCESS;
    cu_status st = cu_cuda_context(s->ordinal);

    if (st || nbytes == 0) return st;
    switch (kind) {
    case CUPRIC_COPY_TO_DEVICE: return copy_to_device(dst, src, nbytes, s);
    case CUPRIC_COPY_TO_HOST: return copy_to_host(dst, src, nbytes, s);
    case CUPRIC_COPY_ON_DEVICE:
        r = cu_drv()->MemcpyDtoDAsync(cu_cuda_ptr(dst), cu_cuda_ptr(src), nbytes,
                                      cu_cuda_stream(s));
        break;
    case CUPRIC_COPY_ASYNC_TO_DEVICE:
        r = cu_drv()->MemcpyHtoDAsync(cu_cuda_ptr(dst), src, nbytes, cu_cuda_stream(s));
        break;
    case CUPRIC_COPY_ASYNC_TO_HOST:
        r = cu_drv()->MemcpyDtoHAsync(dst, cu_cuda_ptr(src), nbytes, cu_cuda_stream(s));
        break;
    }
    return r ? cu_cuda_fail(r, "copying memory") : CUPRIC_OK;
}

cu_status
cu_cuda_copy_peer(int dst_ordinal, void *dst, int src_ordinal, const void *src,
                  size_t nbytes, cu_stream *s)
{
    CUresult r;
    cu_status st = cu_cuda_context(src_ordinal);

    if (!st) st = cu_cuda_context(dst_ordinal);
    if (!st) st = cu_cuda_context(s->ordinal);
    if (st || nbytes == 0) return st;
    cu_cuda_peers_connect(dst_ordinal, src_ordinal);
    r = cu_drv()->MemcpyPeerAsync(
        cu_cuda_ptr(dst), cu_cuda_device_at(dst_ordinal)->context, cu_cuda_ptr(src),
        cu_cuda_device_at(src_ordinal)->context, nbytes, cu_cuda_stream(s));
    return r ? cu_cuda_fail(r, "copying between devices") : CUPRIC_OK;
}

cu_status
cu_cuda_fill(void *dst, int byte, size_t nbytes, cu_stream *s)
{
    CUresult r;
    cu_status st = cu_cuda_context(s->ordinal);

    if (st || nbytes == 0) return st;
    r = cu_drv()->MemsetD8Async(cu_cuda_ptr(dst), (unsigned char)byte, nbytes,
                                cu_cuda_stream(s));
    return r ? cu_cuda_fail(r, "filling memory") : CUPRIC_OK;
}

/* ---- scratch ------------------------------------------------------------------------- */

cu_status
cu_cuda_scratch_get(size_t nbytes, void **out, cu_stream *s)
{
    CUdeviceptr ptr = 0;
    CUresult r;
    cu_status st = cu_cuda_context(s->ordinal);

    if (st) return st;
    r = cu_drv()->MemAllocAsync(&ptr, nbytes ? nbytes : 1, cu_cuda_stream(s));
    if (r == CUDA_ERROR_OUT_OF_MEMORY) {
        cu_cuda_services->free_memory(s->backend, s->ordinal);
        r = cu_drv()->MemAllocAsync(&ptr, nbytes ? nbytes : 1, cu_cuda_stream(s));
    }
    if (r) {
        char what[64];
        snprintf(what, sizeof what, "%zu bytes of scratch memory", nbytes);
        return cu_cuda_fail(r, what);
    }
    *out = (void *)(uintptr_t)ptr;
    return CUPRIC_OK;
}

void
cu_cuda_scratch_put(void *ptr, size_t nbytes, cu_stream *s)
{
    (void)nbytes;
    if (ptr) cu_drv()->MemFreeAsync(cu_cuda_ptr(ptr), cu_cuda_stream(s));
}

void
cu_cuda_scratch_trim(int ordinal)
{
    CUmemoryPool pool;

    if (cu_cuda_context(ordinal)) return;
    if (cu_drv()->DeviceGetDefaultMemPool(&pool, cu_cuda_device_at(ordinal)->device)) {
        return;
    }
    cu_drv()->CtxSynchronize(); /* what was freed in a stream's order is free now */
    cu_drv()->MemPoolTrimTo(pool, 0);
}
