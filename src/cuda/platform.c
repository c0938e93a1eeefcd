/* cuda/platform.c: what programs ask of the platform: limits, versions, addresses, the way
 * from one device to another, the driver's and the libraries' own interfaces.
 */
#include <string.h>

#include "cuda/driver.h"
#include "cuda/entries.h"
#include "cuda/graph.h"
#include "cuda/libraries.h"

cu_status
cu_cuda_device_attribute(int ordinal, int which, int *out)
{
    int value = 0;
    CUresult r = cu_drv()->DeviceGetAttribute(&value, (CUdevice_attribute)which,
                                              cu_cuda_device_at(ordinal)->device);

    /* Of numbers that this driver does not know, nothing is known. */
    if (r && r != CUDA_ERROR_INVALID_VALUE && r != CUDA_ERROR_NOT_SUPPORTED) {
        return cu_cuda_fail(r, "reading an attribute of a device");
    }
    *out = r ? 0 : value;
    return CUPRIC_OK;
}

cu_status
cu_cuda_versions(int *driver, int *runtime)
{
    int value = 0;
    CUresult r = cu_drv()->DriverGetVersion(&value);

    if (r) return cu_cuda_fail(r, "cuDriverGetVersion");
    *driver = value;
    *runtime = value < CUDA_VERSION ? value : CUDA_VERSION;
    return CUPRIC_OK;
}

/* ---- from one device to another ---------------------------------------------------------- */

enum { NOT_TRIED, CONNECTED, APART };
static unsigned char peers[CUPRIC_CUDA_MAXDEVICES][CUPRIC_CUDA_MAXDEVICES]; /* atomic */

static CUresult
can_reach(int ordinal, int peer, bool *out)
{
    int value = 0;
    CUresult r = cu_drv()->DeviceCanAccessPeer(
        &value, cu_cuda_device_at(ordinal)->device, cu_cuda_device_at(peer)->device);

    *out = !r && value;
    return r;
}

cu_status
cu_cuda_peer_query(int ordinal, int peer, bool *out)
{
    CUresult r = can_reach(ordinal, peer, out);

    return r ? cu_cuda_fail(r, "asking for the way between two devices") : CUPRIC_OK;
}

cu_status
cu_cuda_peer_enable(int ordinal, int peer)
{
    CUstreamCaptureMode mode;
    CUresult r;
    cu_status st = cu_cuda_context(peer);

    if (!st) st = cu_cuda_context(ordinal);
    if (st) return st;
    mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    r = cu_drv()->CtxEnablePeerAccess(cu_cuda_device_at(peer)->context, 0);
    cu_cuda_capture_mode(mode);
    if (r && r != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) {
        return cu_cuda_fail(r, "enabling access between two devices");
    }
    st = cu_cuda_pages_share(peer, ordinal);
    if (st) return st;
    __atomic_store_n(&peers[ordinal][peer], CONNECTED, __ATOMIC_RELEASE);
    return CUPRIC_OK;
}

static void
connect_one_way(int ordinal, int peer)
{
    bool can = false;

    if (__atomic_load_n(&peers[ordinal][peer], __ATOMIC_ACQUIRE) != NOT_TRIED) return;
    if (can_reach(ordinal, peer, &can) || !can || cu_cuda_peer_enable(ordinal, peer)) {
        __atomic_store_n(&peers[ordinal][peer], APART, __ATOMIC_RELEASE);
    }
}

void
cu_cuda_peers_connect(int a, int b)
{
    CUcontext now = NULL;

    if (CUPRIC_LIKELY(__atomic_load_n(&peers[a][b], __ATOMIC_ACQUIRE) != NOT_TRIED &&
                      __atomic_load_n(&peers[b][a], __ATOMIC_ACQUIRE) != NOT_TRIED)) {
        return;
    }
    if (a == b) return;
    cu_drv()->CtxGetCurrent(&now);
    connect_one_way(a, b);
    connect_one_way(b, a);
    cu_drv()->CtxSetCurrent(now);
}

/* ---- addresses ----------------------------------------------------------------------- */

cu_status
cu_cuda_pointer_info(const void *ptr, cu_pointer_info *out)
{
    CUpointer_attribute which[] = {
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
        CU_POINTER_ATTRIBUTE_DEVICE_POINTER, CU_POINTER_ATTRIBUTE_HOST_POINTER,
        CU_POINTER_ATTRIBUTE_IS_MANAGED};
    CUmemorytype type = (CUmemorytype)0;
    int ordinal = -1;
    CUdeviceptr device_ptr = 0;
    void *host_ptr = NULL;
    unsigned is_managed = 0;
    void *data[] = {&type, &ordinal, &device_ptr, &host_ptr, &is_managed};
    CUcontext now = NULL;
    CUresult r;
    cu_status st;

    cu_drv()->CtxGetCurrent(&now);
    if (!now && (st = cu_cuda_context(0))) return st;
    r = cu_drv()->PointerGetAttributes(5, which, data, cu_cuda_ptr(ptr));
    *out = (cu_pointer_info){CUPRIC_POINTER_UNKNOWN, -1, NULL, (void *)(uintptr_t)ptr};
    if (r == CUDA_ERROR_INVALID_VALUE || (!r && !type && !is_managed)) return CUPRIC_OK;
    if (r) return cu_cuda_fail(r, "asking for the memory at an address");
    out->kind = is_managed                     ? CUPRIC_POINTER_MANAGED
                : type == CU_MEMORYTYPE_DEVICE ? CUPRIC_POINTER_DEVICE
                                               : CUPRIC_POINTER_HOST;
    out->ordinal = ordinal;
    out->device_ptr = (void *)(uintptr_t)device_ptr;
    out->host_ptr = host_ptr;
    return CUPRIC_OK;
}

/* ---- interfaces of others ------------------------------------------------------------- */

cu_status
cu_cuda_profiler(int ordinal, bool on)
{
    /* Declared in a header of its own, which not every toolkit has. */
    const char *name = on ? "cuProfilerStart" : "cuProfilerStop";
    CUresult (*call)(void) = NULL;
    CUresult r;
    cu_status st = cu_cuda_context(ordinal);

    *(void **)&call = cu_cuda_driver_symbol(name);
    if (st || !call) return st;
    r = call();
    return r ? cu_cuda_fail(r, "speaking to the profiler") : CUPRIC_OK;
}

cu_status
cu_cuda_native(int ordinal, const char *name, void **out)
{
    cu_status st = cu_cuda_context(ordinal);
    void *found;

    if (st) return st;
    found = cu_cuda_driver_symbol(name);
    if (!found) {
        return cu_fail(CUPRIC_ERR_UNSUPPORTED, "the CUDA driver here has no %s", name);
    }
    *out = found;
    return CUPRIC_OK;
}

cu_status
cu_cuda_library_handle(cu_stream *s, cu_library which, void **out)
{
    cu_status st = cu_cuda_context(s->ordinal);

    if (st) return st;
    return which == CUPRIC_LIBRARY_BLAS ? cu_cuda_blas_handle(s, out)
                                        : cu_cuda_solver_handle(s, out);
}
