/* cuda/platform.c: what programs ask of the platform: limits, versions, addresses, the
 * driver's and the libraries' own interfaces.
 */
#include <string.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/linear.h"

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
