/* cuda/device.h: the driver's devices, and their contexts. */
#ifndef CUPRIC_CUDA_DEVICE_H
#define CUPRIC_CUDA_DEVICE_H

#include "cuda/driver.h"

#define CUPRIC_CUDA_MAXDEVICES 64

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

/* Make the device's context the calling thread's; fails in a forked child. */
cu_status cu_cuda_context(int ordinal);

#endif
