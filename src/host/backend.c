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

#define VERB(result, name, parameters) .name = cu_host_##name,
#define QUEUED(result, name, parameters) .name = cu_host_queue_##name,
#define HOST QUEUED
#include "device/verbs.def"
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
