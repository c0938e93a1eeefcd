/* host/device.c: the CPU as one device, or, with CUPRIC_HOST_DEVICES=n, as n of them.
 *
 * The n devices share processors and memory; only the rules about where an array lives
 * keep them apart. Limits that kernels can meet are a GPU's, so that what runs here runs
 * there.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/entries.h"
#include "host/graph.h"
#include "host/runner.h"
#include "host/threads.h"

#define MAX_HOST_DEVICES 64
#define LINE 256 /* longest line read of a file of the system */

static int n_devices = 1; /* set once, before the table is handed out */

cu_status
cu_host_device_configure(const char *setting)
{
    char *end;
    long n;

    if (setting == NULL || *setting == '\0') return CUPRIC_OK;
    n = strtol(setting, &end, 10);
    if (*end != '\0' || n < 1 || n > MAX_HOST_DEVICES) {
        return cu_fail(CUPRIC_ERR_VALUE,
                       "CUPRIC_HOST_DEVICES must be a number from 1 to %d, not '%s'",
                       MAX_HOST_DEVICES, setting);
    }
    n_devices = (int)n;
    return CUPRIC_OK;
}

cu_status
cu_host_device_count(int *out)
{
    *out = n_devices;
    return CUPRIC_OK;
}

static cu_status
check_ordinal(int ordinal)
{
    if (ordinal >= 0 && ordinal < n_devices) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_DEVICE, "invalid device ordinal %d: there %s %d", ordinal,
                   n_devices == 1 ? "is" : "are", n_devices);
}

/* The first line of a file of numbers or `key: value` that starts with `key`, after the
 * key; false if there is none. */
static bool
read_line(const char *path, const char *key, char out[LINE])
{
    char line[LINE];
    size_t nkey = strlen(key);
    FILE *file = fopen(path, "re");
    bool found = false;

    if (file == NULL) return false;
    while (!found && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, nkey) != 0) continue;
        memcpy(out, line + nkey, strlen(line + nkey) + 1);
        found = true;
    }
    fclose(file);
    return found;
}

/* A file that holds one number of bytes; false where it is absent or says "max". */
static bool
read_bytes(const char *path, size_t *out)
{
    char text[LINE];
    char *end;
    unsigned long long value;

    if (!read_line(path, "", text)) return false;
    value = strtoull(text, &end, 10);
    if (end == text) return false;
    *out = (size_t)value;
    return true;
}

static bool
meminfo_bytes(const char *key, size_t *out)
{
    char text[LINE];

    if (!read_line("/proc/meminfo", key, text)) return false;
    *out = (size_t)strtoull(text, NULL, 10) * 1024;
    return true;
}

/* The control group's limit and use, version 2 or 1; false where there is no limit. */
static bool
group_memory(size_t *limit, size_t *used)
{
    static const char *const paths[][2] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes",
         "/sys/fs/cgroup/memory/memory.usage_in_bytes"},
    };

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (read_bytes(paths[i][0], limit) && read_bytes(paths[i][1], used))
            return true;
    }
    return false;
}

static size_t
machine_bytes(void)
{
    size_t total;

    if (meminfo_bytes("MemTotal:", &total)) return total;
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

size_t
cu_host_total_bytes(void)
{
    static atomic_size_t known; /* read once: every allocation asks */
    size_t total = atomic_load_explicit(&known, memory_order_relaxed);
    size_t limit, used;

    if (total == 0) {
        total = machine_bytes();
        if (group_memory(&limit, &used) && limit < total) total = limit;
        atomic_store_explicit(&known, total, memory_order_relaxed);
    }
    return total;
}

cu_status
cu_host_mem_info(int ordinal, size_t *free_bytes, size_t *total_bytes)
{
    size_t total = machine_bytes();
    size_t available = total;
    size_t limit, used;
    cu_status st = check_ordinal(ordinal);

    if (st) return st;
    meminfo_bytes("MemAvailable:", &available);
    if (group_memory(&limit, &used) && limit < total) {
        size_t left = used < limit ? limit - used : 0;
        total = limit;
        if (left < available) available = left;
    }
    *total_bytes = total;
    *free_bytes = available < total ? available : total;
    return CUPRIC_OK;
}

static void
cpu_name(char *out, size_t nout)
{
    char text[LINE];
    char *value;

    snprintf(out, nout, "host CPU");
    if (!read_line("/proc/cpuinfo", "model name", text)) return;
    value = strchr(text, ':');
    if (value == NULL) return;
    value += 1 + strspn(value + 1, " \t");
    value[strcspn(value, "\n")] = '\0';
    if (*value) snprintf(out, nout, "%.*s", (int)nout - 1, value);
}

static int
clock_khz(void)
{
    char text[LINE];
    size_t khz;

    if (read_bytes("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", &khz)) {
        return (int)khz;
    }
    if (!read_line("/proc/cpuinfo", "cpu MHz", text)) return 0;
    return (int)(strtod(text + strcspn(text, "0123456789"), NULL) * 1000);
}

cu_status
cu_host_device_info(int ordinal, cu_device_info *out)
{
    cu_device_info info = {
        .multiprocessors = cu_host_threads(),
        .max_threads_per_block = 1024,
        .warp_size = 32,
        .max_block = {1024, 1024, 64},
        .max_grid = {0x7fffffff, 65535, 65535},
        .shared_bytes_per_block = 48 * 1024,
        .total_bytes = cu_host_total_bytes(),
        .clock_khz = clock_khz(),
    };
    cu_status st = check_ordinal(ordinal);

    if (st) return st;
    cpu_name(info.name, sizeof info.name);
    snprintf(info.pci_bus_id, sizeof info.pci_bus_id, "host:%d", ordinal);
    *out = info;
    return CUPRIC_OK;
}

cu_status
cu_host_device_sync(int ordinal)
{
    cu_status st = check_ordinal(ordinal);

    if (!st) st = cu_host_capture_refuse_device(ordinal);
    return st ? st : cu_host_drain();
}

/* CUDA's numbers of what is known here (device/attributes.def). */
static int
attribute(const cu_device_info *d, int which)
{
    switch (which) {
    case 1: return d->max_threads_per_block;
    case 2:
    case 3:
    case 4: return d->max_block[which - 2];
    case 5:
    case 6:
    case 7: return d->max_grid[which - 5];
    case 8: return (int)d->shared_bytes_per_block;
    case 9: return 64 * 1024; /* TotalConstantMemory */
    case 10: return d->warp_size;
    case 13: return d->clock_khz;
    case 16: return d->multiprocessors;
    case 18:                                  /* Integrated: memory is the host's */
    case 19:                                  /* CanMapHostMemory */
    case 41:                                  /* UnifiedAddressing */
    case 83:                                  /* ManagedMemory */
    case 88:                                  /* PageableMemoryAccess */
    case 89:                                  /* ConcurrentManagedAccess */
    case 95: return 1;                        /* CooperativeLaunch */
    case 39: return d->max_threads_per_block; /* …PerMultiProcessor */
    case 75: return d->capability_major;
    case 76: return d->capability_minor;
    case 81:                                           /* …PerMultiprocessor */
    case 97: return (int)cu_host_shared_bytes_optin(); /* …PerBlockOptin */
    default: return 0;
    }
}

cu_status
cu_host_device_attribute(int ordinal, int which, int *out)
{
    cu_device_info info;
    cu_status st = cu_host_device_info(ordinal, &info);

    if (!st) *out = attribute(&info, which);
    return st;
}

cu_status
cu_host_versions(int *driver, int *runtime)
{
    *driver = *runtime = 0;
    return CUPRIC_OK;
}

cu_status
cu_host_peer_query(int ordinal, int peer, bool *out)
{
    cu_status st = check_ordinal(ordinal);

    if (!st) st = check_ordinal(peer);
    if (!st) *out = ordinal != peer;
    return st;
}

cu_status
cu_host_peer_enable(int ordinal, int peer)
{
    cu_status st = check_ordinal(ordinal);

    return st ? st : check_ordinal(peer);
}

/* No profiler asks to be told. */
cu_status
cu_host_profiler(int ordinal, bool on)
{
    (void)on;
    return check_ordinal(ordinal);
}

/* Whose an address is only the pools know. */
cu_status
cu_host_pointer_info(const void *ptr, cu_pointer_info *out)
{
    *out = (cu_pointer_info){CUPRIC_POINTER_UNKNOWN, -1, NULL, (void *)(uintptr_t)ptr};
    return CUPRIC_OK;
}
