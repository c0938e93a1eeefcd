/* cuda/device.c: the driver's devices and their contexts.
 *
 * Devices are counted when the plugin is asked for them; a context, which costs a third
 * of a second and device memory, is made when a device is first used. It is the primary
 * one, which other libraries of the process share.
 */
#include "cuda/device.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "cuda/entries.h"

cu_cuda_device cu_cuda_devices[CUPRIC_CUDA_MAXDEVICES];

static int n_devices;
static bool initialised; /* cuInit succeeded: from then on a forked child is lost */
static bool forked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards making a context */

static void
after_fork_in_child(void)
{
    forked = initialised;
}

static int
attribute(CUdevice device, CUdevice_attribute which)
{
    int value = 0;

    return cu_drv()->DeviceGetAttribute(&value, which, device) ? 0 : value;
}

static cu_status
read_device(int ordinal)
{
    cu_cuda_device *d = &cu_cuda_devices[ordinal];
    CUresult r = cu_drv()->DeviceGet(&d->device, ordinal);

    if (r) return cu_cuda_fail(r, "cuDeviceGet");
    d->major = attribute(d->device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    d->minor = attribute(d->device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    d->multiprocessors = attribute(d->device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    d->threads_per_multiprocessor =
        attribute(d->device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    d->max_shared_optin =
        attribute(d->device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    return CUPRIC_OK;
}

cu_status
cu_cuda_device_count(int *out)
{
    CUresult r;
    int n = 0;

    if (!initialised) {
        r = cu_drv()->Init(0);
        if (r) return cu_cuda_fail(r, "cuInit");
        initialised = true;
        pthread_atfork(NULL, NULL, after_fork_in_child);
        r = cu_drv()->DeviceGetCount(&n);
        if (r) return cu_cuda_fail(r, "cuDeviceGetCount");
        if (n > CUPRIC_CUDA_MAXDEVICES) n = CUPRIC_CUDA_MAXDEVICES;
        for (int i = 0; i < n; i++) {
            cu_status st = read_device(i);
            if (st) return st;
        }
        n_devices = n;
    }
    *out = n_devices;
    return CUPRIC_OK;
}

static cu_status
check_ordinal(int ordinal)
{
    if (CUPRIC_UNLIKELY(forked)) {
        return cu_fail(
            CUPRIC_ERR_DEVICE,
            "CUDA cannot be used in a process forked after CUDA was "
            "initialised: start the child with multiprocessing's \"spawn\" or "
            "\"forkserver\" method");
    }
    if (CUPRIC_LIKELY(ordinal >= 0 && ordinal < n_devices)) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_DEVICE,
                   "cudaErrorInvalidDevice: invalid device ordinal %d: there %s %d",
                   ordinal, n_devices == 1 ? "is" : "are", n_devices);
}

/* Memory that cu_cuda_scratch_get takes stays with the driver's pool between uses, up to a
 * sixteenth of all, so that a large sort does not map its buffers anew each time. The
 * driver sets the pool up when memory is first asked of it: that takes 8 to 14 ms on an
 * H200, and what is asked for later 0.1. It is done with the context, which takes many
 * times as long, not in the midst of a call; not by a thread beside the program, as a
 * kernel that faults meanwhile has been seen to hang the process; and not on the stream per
 * thread: from its first use on, the exit of a forked child crashes in the driver. */
static void
prepare_scratch(CUdevice device, CUcontext context)
{
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUmemoryPool pool;
    CUstream stream;
    CUdeviceptr ptr = 0;
    cuuint64_t keep;
    size_t total = 0;

    if (cu_drv()->DeviceTotalMem(&total, device)) return;
    if (cu_drv()->DeviceGetDefaultMemPool(&pool, device)) return;
    keep = total / 16;
    cu_drv()->MemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep);
    if (cu_drv()->CtxSetCurrent(context)) return; /* what the caller does next */
    cu_drv()->ThreadExchangeStreamCaptureMode(&mode);
    if (!cu_drv()->StreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0)) {
        if (!cu_drv()->MemAllocAsync(&ptr, 1, stream)) {
            cu_drv()->MemFreeAsync(ptr, stream);
            cu_drv()->StreamSynchronize(stream);
            cu_drv()->MemPoolTrimTo(pool, 0);
        }
        cu_drv()->StreamDestroy(stream);
    }
    cu_drv()->ThreadExchangeStreamCaptureMode(&mode);
}

static cu_status
retain_context(cu_cuda_device *d)
{
    CUcontext context = NULL;
    CUresult r = CUDA_SUCCESS;

    pthread_mutex_lock(&lock);
    if (!d->context) {
        r = cu_drv()->DevicePrimaryCtxRetain(&context, d->device);
        if (!r) {
            prepare_scratch(d->device, context);
            __atomic_store_n(&d->context, context, __ATOMIC_RELEASE);
        }
    }
    pthread_mutex_unlock(&lock);
    return r ? cu_cuda_fail(r, "making a context") : CUPRIC_OK;
}

cu_status
cu_cuda_context(int ordinal)
{
    cu_cuda_device *d = &cu_cuda_devices[ordinal];
    CUcontext mine = __atomic_load_n(&d->context, __ATOMIC_ACQUIRE), now = NULL;
    CUresult r;
    cu_status st;

    if (CUPRIC_LIKELY(mine && !forked)) {
        cu_drv()->CtxGetCurrent(&now);
        if (CUPRIC_LIKELY(now == mine)) return CUPRIC_OK;
    } else {
        st = check_ordinal(ordinal);
        if (!st) st = retain_context(d);
        if (st) return st;
    }
    r = cu_drv()->CtxSetCurrent(d->context);
    return r ? cu_cuda_fail(r, "cuCtxSetCurrent") : CUPRIC_OK;
}

cu_status
cu_cuda_device_info(int ordinal, cu_device_info *out)
{
    const cu_cuda_device *d = &cu_cuda_devices[ordinal];
    cu_device_info info = {0};
    CUresult r;
    cu_status st = check_ordinal(ordinal);

    if (st) return st;
    r = cu_drv()->DeviceGetName(info.name, sizeof info.name, d->device);
    if (!r)
        r = cu_drv()->DeviceGetPCIBusId(info.pci_bus_id, sizeof info.pci_bus_id,
                                        d->device);
    if (!r) r = cu_drv()->DeviceTotalMem(&info.total_bytes, d->device);
    if (r) return cu_cuda_fail(r, "reading a device's properties");
    info.capability_major = d->major;
    info.capability_minor = d->minor;
    info.multiprocessors = d->multiprocessors;
    info.max_threads_per_block =
        attribute(d->device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    info.warp_size = attribute(d->device, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    for (int i = 0; i < 3; i++) {
        info.max_block[i] = attribute(
            d->device, (CUdevice_attribute)(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i));
        info.max_grid[i] = attribute(
            d->device, (CUdevice_attribute)(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i));
    }
    info.shared_bytes_per_block =
        (size_t)attribute(d->device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    info.clock_khz = attribute(d->device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    *out = info;
    return CUPRIC_OK;
}

cu_status
cu_cuda_mem_info(int ordinal, size_t *free_bytes, size_t *total_bytes)
{
    size_t left = 0, total = 0;
    CUresult r;
    cu_status st = cu_cuda_context(ordinal);

    if (st) return st;
    r = cu_drv()->MemGetInfo(&left, &total);
    if (r) return cu_cuda_fail(r, "cuMemGetInfo");
    *free_bytes = left;
    *total_bytes = total;
    return CUPRIC_OK;
}
