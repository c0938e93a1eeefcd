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
static void
drop_caches(int ordinal)
{
    if (cu_cuda_context(ordinal)) return;
    cu_cuda_fft_drop_plans(ordinal);
    cu_cuda_scratch_trim(ordinal);
}

static const cu_backend cuda_backend = {
    .abi = CUPRIC_BACKEND_ABI,
    .name = "cuda",
    .dlpack_type = DLPACK_CUDA,

    .device_count = cu_cuda_device_count,
    .device_info = cu_cuda_device_info,
    .device_sync = cu_cuda_device_sync,
    .mem_info = cu_cuda_mem_info,
    .device_attribute = cu_cuda_device_attribute,
    .versions = cu_cuda_versions,
    .peer_query = cu_cuda_peer_query,
    .peer_enable = cu_cuda_peer_enable,
    .profiler = cu_cuda_profiler,
    .library_handle = cu_cuda_library_handle,
    .native = cu_cuda_native,
    .pointer_info = cu_cuda_pointer_info,

    .alloc = cu_cuda_alloc,
    .alloc_managed = cu_cuda_alloc_managed,
    .free = cu_cuda_free,
    .alloc_pinned = cu_cuda_alloc_pinned,
    .free_pinned = cu_cuda_free_pinned,
    .copy = cu_cuda_copy,
    .copy_peer = cu_cuda_copy_peer,
    .fill = cu_cuda_fill,

    .page_unit = cu_cuda_page_unit,
    .range_new = cu_cuda_range_new,
    .range_free = cu_cuda_range_free,
    .page_new = cu_cuda_page_new,
    .page_free = cu_cuda_page_free,
    .map = cu_cuda_map,
    .unmap = cu_cuda_unmap,
    .drop_caches = drop_caches,

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

    .capture_begin = cu_cuda_capture_begin,
    .capture_end = cu_cuda_capture_end,
    .capture_id = cu_cuda_capture_id,
    .graph_launch = cu_cuda_graph_launch,
    .graph_upload = cu_cuda_graph_upload,
    .graph_print = cu_cuda_graph_print,
    .graph_handles = cu_cuda_graph_handles,
    .graph_free = cu_cuda_graph_free,

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
    .histogram = cu_cuda_histogram,
    .random = cu_cuda_random,
    .convolve = cu_cuda_convolve,
    .matmul = cu_cuda_matmul,
    .linalg = cu_cuda_linalg,
    .fft = cu_cuda_fft,
    .fft_by_rows = cu_cuda_fft_by_rows,
    .fft_as_complex = cu_cuda_fft_as_complex,
    .dct = NULL,
    .fft_cache = cu_cuda_fft_cache,

    .compiler_id = cu_cuda_compiler_id,
    .compile = cu_cuda_compile,
    .module_load = cu_cuda_module_load,
    .module_shipped = cu_cuda_module_shipped,
    .module_free = cu_cuda_module_free,
    .module_function = cu_cuda_module_function,
    .module_global = cu_cuda_module_global,
    .module_handle = cu_cuda_module_handle,
    .function_handle = cu_cuda_function_handle,
    .function_get = cu_cuda_function_get,
    .function_set = cu_cuda_function_set,
    .launch = cu_cuda_launch,
    .kernel_counts = cu_cuda_kernel_counts,
    .stop = cu_cuda_kernels_stop,
    .component = cu_cuda_component,
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
