/* host/backend.c: the host device's table, and the one symbol that the core looks up. */
#include "host/compiler.h"
#include "host/cpu.h"
#include "host/entries.h"
#include "host/fft_lines.h"
#include "host/graph.h"
#include "host/queue.h"
#include "host/races.h"
#include "host/reducer.h"
#include "host/shipped.h"
#include "host/threads.h"

#define DLPACK_CPU 1 /* kDLCPU of dlpack.h */

static const cu_backend host_backend = {
    .abi = CUPRIC_BACKEND_ABI,
    .name = "host",
    .dlpack_type = DLPACK_CPU,

    .device_count = cu_host_device_count,
    .device_info = cu_host_device_info,
    .device_sync = cu_host_device_sync,
    .mem_info = cu_host_mem_info,
    .device_attribute = cu_host_device_attribute,
    .versions = cu_host_versions,
    .peer_query = cu_host_peer_query,
    .peer_enable = cu_host_peer_enable,
    .profiler = cu_host_profiler,
    .pointer_info = cu_host_pointer_info,

    .alloc = cu_host_alloc,
    .alloc_managed = cu_host_alloc,
    .free = cu_host_free,
    .alloc_pinned = cu_host_alloc_pinned,
    .free_pinned = cu_host_free_pinned,
    .copy = cu_host_queue_copy,
    .copy_peer = cu_host_queue_copy_peer,
    .fill = cu_host_queue_fill,

    .page_unit = cu_host_page_unit,
    .range_new = cu_host_range_new,
    .range_free = cu_host_range_free,
    .page_new = cu_host_page_new,
    .page_free = cu_host_page_free,
    .map = cu_host_map,
    .unmap = cu_host_unmap,

    .stream_new = cu_host_stream_new,
    .stream_free = cu_host_stream_free,
    .stream_sync = cu_host_stream_sync,
    .stream_query = cu_host_stream_query,
    .stream_wait = cu_host_stream_wait,
    .stream_callback = cu_host_queue_callback,
    .event_new = cu_host_event_new,
    .event_free = cu_host_event_free,
    .event_record = cu_host_event_record,
    .event_sync = cu_host_event_sync,
    .event_query = cu_host_event_query,
    .event_elapsed = cu_host_event_elapsed,

    .capture_begin = cu_host_capture_begin,
    .capture_end = cu_host_capture_end,
    .capture_id = cu_host_capture_id,
    .graph_launch = cu_host_graph_launch,
    .graph_upload = cu_host_graph_upload,
    .graph_print = cu_host_graph_print,
    .graph_handles = cu_host_graph_handles,
    .graph_free = cu_host_graph_free,

    .elementwise = cu_host_queue_elementwise,
    .convert = cu_host_queue_convert,
    .reduce = cu_host_queue_reduce,
    .reduceat = cu_host_queue_reduceat,
    .scan = cu_host_queue_scan,
    .gather = cu_host_queue_gather,
    .scatter = cu_host_queue_scatter,
    .scatter_op = cu_host_queue_scatter_op,
    .join = NULL,
    .select = cu_host_queue_select,
    .arange = cu_host_queue_arange,
    .sort = cu_host_queue_sort,
    .search = cu_host_queue_search,
    .histogram = cu_host_queue_histogram,
    .random = cu_host_queue_random,
    .convolve = cu_host_queue_convolve,
    .matmul = cu_host_queue_matmul,
    .linalg = cu_host_queue_linalg,
    .fft = cu_host_queue_fft,
    .dct = cu_host_queue_dct,
    .fft_cache = cu_host_fft_cache,

    .compiler_id = cu_host_compiler_id,
    .compile = cu_host_compile,
    .module_load = cu_host_module_load,
    .module_shipped = cu_host_module_shipped,
    .module_free = cu_host_module_free,
    .module_function = cu_host_module_function,
    .module_global = cu_host_module_global,
    .function_get = cu_host_function_get,
    .function_set = cu_host_function_set,
    .launch = cu_host_queue_launch,
    .component = cu_host_component,
};

__attribute__((visibility("default"))) cu_backend_entry cupric_backend;

const cu_backend *
cupric_backend(const cu_services *core)
{
    cu_host_services = core;
    if (!cu_host_cpu_suffices()) {
        cu_fail(CUPRIC_ERR_DEVICE,
                "the host device was built in place for another CPU, "
                "with instructions that this one lacks: make build");
        return NULL;
    }
    if (cu_host_device_configure(core->setting("CUPRIC_HOST_DEVICES"))) return NULL;
    cu_host_graph_init();
    cu_compiler_init();
    cu_shipped_init();
    cu_fft_init();
    cu_reducers_init();
    cu_host_threads_configure(core->setting("CUPRIC_NUM_THREADS"));
    cu_host_least = core->setting("_CUPRIC_TESTING") != NULL;
    cu_host_races_configure(core->setting("CUPRIC_CHECK"));
    return &host_backend;
}
