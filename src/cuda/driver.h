/* cuda/driver.h: the driver's functions, found at run time, and the devices it has.
 *
 * The library links against nothing of CUDA's. libcuda is opened once, when the plugin is
 * loaded, and each function that driver.def lists becomes a field of one static table:
 *
 *     CUresult r = cu_drv()->MemAlloc(&ptr, nbytes);
 *     if (r) return cu_cuda_fail(r, "allocating memory");
 *
 * Most functions work on the context that is current in the calling thread: call
 * cu_cuda_context(ordinal) first.
 */
#ifndef CUPRIC_CUDA_DRIVER_H
#define CUPRIC_CUDA_DRIVER_H

#include <cuda.h>

#include "device/backend.h"

#define CUPRIC_CUDA_MAXDEVICES 64

typedef struct cu_driver {
#define DRIVER(name) __typeof__(&cu##name) name;
#include "cuda/driver.def"
#undef DRIVER
} cu_driver;

extern cu_driver cu_driver_table; /* static, filled when the plugin is loaded */

static inline const cu_driver *
cu_drv(void)
{
    return &cu_driver_table;
}

/* Open libcuda and fill the table; CUPRIC_ERR_DEVICE where there is no driver. */
cu_status cu_cuda_driver_open(void);

/* The failure of a driver call, in words: "CUDA_ERROR_X: its text (what)". A fault of the
 * device names the kernels launched last. Maps to CUPRIC_ERR_MEMORY when memory ran out,
 * otherwise to CUPRIC_ERR_DEVICE. `what` may be NULL. */
cu_status cu_cuda_fail(CUresult r, const char *what) __attribute__((cold));

/* The same with the driver's own names (CUDA_ERROR_X), for modules and launches. */
cu_status cu_cuda_fail_driver(CUresult r, const char *what) __attribute__((cold));

/* ---- devices (device.c) ---- */

typedef struct cu_cuda_device {
    CUdevice device;
    CUcontext
        context;      /* primary, retained at first use and for ever; NULL until then */
    int major, minor; /* compute capability */
    int multiprocessors;
    int threads_per_multiprocessor;
    int max_shared_optin; /* bytes a block can have when its kernel asks */
} cu_cuda_device;

extern cu_cuda_device cu_cuda_devices[CUPRIC_CUDA_MAXDEVICES];

/* The fields but `context` are known once devices were counted, thus everywhere. */
static inline const cu_cuda_device *
cu_cuda_device_at(int ordinal)
{
    return &cu_cuda_devices[ordinal];
}

/* The driver's function of this name (of its present version), or NULL. */
void *cu_cuda_driver_symbol(const char *name);

/* Let two devices reach each other's memory, if they can: copies are faster then. Asked
 * before every copy, it does so once. */
void cu_cuda_peers_connect(int a, int b);

/* Make the device's context the calling thread's; fails in a forked child. */
cu_status cu_cuda_context(int ordinal);

/* The driver's stream: NULL is the device's default one. */
static inline CUstream
cu_cuda_stream(const cu_stream *s)
{
    return s ? (CUstream)s->handle : NULL;
}

static inline int
cu_cuda_ordinal(const cu_stream *s)
{
    return s ? s->ordinal : 0;
}

static inline CUdeviceptr
cu_cuda_ptr(const void *ptr)
{
    return (CUdeviceptr)(uintptr_t)ptr;
}

/* ---- kernels of our own (module.c) ---- */

/* The driver's handle of a kernel, for calls of one's own. */
CUfunction cu_cuda_function_handle(const cu_function *f);

/* Blocks of `threads` threads that fit on the whole device at a time. */
int cu_cuda_resident_blocks(const cu_function *f, int ordinal, int threads,
                            size_t shared_bytes);

/* Launch on a stream and note the name for messages about faults. The stream's context
 * is made current. Arguments are read during the call. */
cu_status cu_cuda_launch_1d(cu_function *f, unsigned blocks, unsigned threads,
                            unsigned shared_bytes, void **args, cu_stream *s);

/* Set the thread's capture mode; returns the one before. Relaxed, it may take memory while
 * a stream is captured: memory is made at once and harms no capture (memory.c). */
CUstreamCaptureMode cu_cuda_capture_mode(CUstreamCaptureMode mode);

/* Let the device `peer` read and write all pages of device `ordinal`, those mapped later
 * included (pages.c). */
cu_status cu_cuda_pages_share(int ordinal, int peer);

/* Device memory for the duration of work on a stream, ordered after it and freed when it
 * is done (memory.c); for what an operation needs besides its operands. */
cu_status cu_cuda_scratch_get(size_t nbytes, void **out, cu_stream *s);
void cu_cuda_scratch_put(void *ptr, size_t nbytes, cu_stream *s);

#endif
