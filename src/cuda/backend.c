/* cuda/backend.c: the CUDA device's table, and the one symbol that the core looks up. */
#include <stdlib.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/fft_plans.h"
#include "cuda/launches.h"
#include "cuda/memory.h"
#include "cuda/services.h"

#define DLPACK_CUDA 2 /* kDLCUDA of dlpack.h */

/* Plans of transforms, then the driver's pool, which their memory returns to. */
void
cu_cuda_drop_caches(int ordinal)
{
    if (cu_cuda_context(ordinal)) return;
    cu_cuda_fft_drop_plans(ordinal);
    cu_cuda_scratch_trim(ordinal);
}

static const cu_backend cuda_backend = {
    .abi = CUPRIC_BACKEND_ABI,
    .name = "cuda",
    .dlpack_type = DLPACK_CUDA,

#define VERB(result, name, parameters) .name = cu_cuda_##name,
#define CUDA VERB
#include "device/verbs.def"

    .most_copied = CUPRIC_CUDA_MOST_COPIED,
    .search_converts = true,
};

__attribute__((visibility("default"))) cu_backend_entry cupric_backend;

const cu_backend *
cupric_backend(const cu_services *core)
{
    const char *debug;

    cu_cuda_services = core;
    if (cu_cuda_driver_open()) return NULL;
    debug = core->setting("CUPRIC_DEBUG");
    cu_cuda_launches_configure(debug, debug ? strtol(debug, NULL, 10) : 0);
    return &cuda_backend;
}
