/* cuda/backend.c: the CUDA device's table, and the one symbol that the core looks up. */
#include "cuda/driver.h"
#include "cuda/entries.h"
#include "cuda/module.h"

#define DLPACK_CUDA 2 /* kDLCUDA of dlpack.h */

const cu_services *cu_cuda_services;

static const cu_backend cuda_backend = {
    .abi = CUPRIC_BACKEND_ABI,
    .name = "cuda",
    .dlpack_type = DLPACK_CUDA,

    .device_count = cu_cuda_device_count,
    .device_info = cu_cuda_device_info,
    .device_sync = cu_cuda_device_sync,
    .mem_info = cu_cuda_mem_info,

    .alloc = cu_cuda_alloc,
    .free = cu_cuda_free,
    .alloc_pinned = cu_cuda_alloc_pinned,
    .free_pinned = cu_cuda_free_pinned,
    .copy = cu_cuda_copy,
    .copy_peer = cu_cuda_copy_peer,
    .fill = cu_cuda_fill,

    .stream_new = cu_cuda_stream_new,
    .stream_free = cu_cuda_stream_free,
    .stream_sync = cu_cuda_stream_sync,
    .stream_query = cu_cuda_stream_query,
    .stream_wait = cu_cuda_stream_wait,
    .stream_callback = cu_cuda_stream_callback,
    .event_new = cu_cuda_event_new,
    .event_free = cu_cuda_event_free,
    .event_record = cu_cuda_event_record,
    .event_sync = cu_cuda_event_sync,
    .event_query = cu_cuda_event_query,
    .event_elapsed = cu_cuda_event_elapsed,

    .elementwise = cu_cuda_elementwise,
    .convert = cu_cuda_convert,
    .reduce = cu_cuda_reduce,
    .reduceat = cu_cuda_reduceat,
    .scan = cu_cuda_scan,
    .gather = cu_cuda_gather,
    .scatter = cu_cuda_scatter,
    .scatter_op = cu_cuda_scatter_op,
    .join = cu_cuda_join,
    .select = cu_cuda_select,
    .arange = cu_cuda_arange,
    .sort = cu_cuda_sort,
    .search = cu_cuda_search,
    .random = cu_cuda_random,
    .convolve = cu_cuda_convolve,
    .matmul = cu_cuda_matmul,
    .linalg = cu_cuda_linalg,
    .fft = cu_cuda_fft,

    .compiler_id = cu_cuda_compiler_id,
    .compile = cu_cuda_compile,
    .module_load = cu_cuda_module_load,
    .module_free = cu_cuda_module_free,
    .module_function = cu_cuda_module_function,
    .module_global = cu_cuda_module_global,
    .function_get = cu_cuda_function_get,
    .function_set = cu_cuda_function_set,
    .launch = cu_cuda_launch,
};

__attribute__((visibility("default"))) cu_backend_entry cupric_backend;

const cu_backend *
cupric_backend(const cu_services *core)
{
    cu_cuda_services = core;
    if (cu_cuda_driver_open()) return NULL;
    cu_cuda_module_configure(core->setting("CUPRIC_DEBUG"));
    return &cuda_backend;
}
