/* cuda/driver.h: the driver's functions, found at run time.
 *
 * The library links against nothing of CUDA's. libcuda is opened once, when the plugin is
 * loaded, and each function that driver.def lists becomes a field of one static table:
 *
 *     CUresult r = cu_drv()->MemAlloc(&ptr, nbytes);
 *     if (r) return cu_cuda_fail(r, "allocating memory");
 *
 * Most functions work on the context that is current in the calling thread: call
 * cu_cuda_context(ordinal) of cuda/device.h first.
 */
#ifndef CUPRIC_CUDA_DRIVER_H
#define CUPRIC_CUDA_DRIVER_H

#include <cuda.h>

#include "device/backend.h"

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

/* The driver's function of this name (of its present version), or NULL. */
void *cu_cuda_driver_symbol(const char *name);

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

#endif
