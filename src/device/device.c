/* device.c: finding the backends, and the table of devices.
 *
 * Nothing happens until somebody asks for a device. Then the plugins beside this library
 * are loaded, CUDA first, and their devices are entered into one static table:
 *
 *     devices:  [ cuda 0 | cuda 1 | … | host 0 | host 1 | … ]
 *                 first_in_use, n_in_use: what Device(0), Device(1), … mean
 *
 * The table never changes afterwards and is read without a lock.
 */
#define _GNU_SOURCE /* dladdr */

#include "device/device.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env.h"
#include "fork.h"

/* Read at every operation. The fast model takes this library's thread-local variables, all
 * of them, from a small reserve: together they must stay below a few hundred bytes. */
#define THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))

static cu_device devices[CUPRIC_MAXDEVICES];
static cu_stream default_streams[CUPRIC_MAXDEVICES];
static int n_devices;
static int first_in_use, n_in_use;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static cu_status init_status;
static char *init_message; /* owned, for ever; NULL when all went well */
static char *passed_over; /* owned, for ever; why CUDA is not in use, NULL when it is */
static char package_dir[4096];
static bool forked;

static THREAD_LOCAL cu_device *current;

/* ---- plugins ----------------------------------------------------------------------- */

static void
find_package_dir(void)
{
    Dl_info info;
    char *slash;

    if (!dladdr((void *)find_package_dir, &info) || !info.dli_fname) return;
    if (!realpath(info.dli_fname, package_dir)) return;
    slash = strrchr(package_dir, '/');
    if (slash) *slash = '\0';
}

const char *
cu_device_package_dir(void)
{
    return package_dir;
}

static bool
no_cache_read(const char *id, cu_blob *binary)
{
    (void)id;
    (void)binary;
    return false;
}

static void
no_cache_write(const char *id, const cu_blob *binary, const char *source)
{
    (void)id;
    (void)binary;
    (void)source;
}

static void
no_free_memory(const cu_backend *backend, int ordinal)
{
    (void)backend;
    (void)ordinal;
}

static cu_services services = {
    cu_vfail,       cu_setting,     package_dir,  no_cache_read,
    no_cache_write, no_free_memory, cu_fork_hold,
};

void
cu_device_set_cache(bool (*read)(const char *id, cu_blob *binary),
                    void (*write)(const char *id, const cu_blob *binary,
                                  const char *source))
{
    services.cache_read = read;
    services.cache_write = write;
}

void
cu_device_set_free_memory(void (*f)(const cu_backend *backend, int ordinal))
{
    services.free_memory = f;
}

static cu_status
plugin_open(const char *name, const cu_backend **out)
{
    char path[sizeof package_dir + 64];
    const cu_backend *backend;
    cu_backend_entry *entry;
    void *library;

    snprintf(path, sizeof path, "%s/_%s.so", package_dir, name);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        return cu_fail(CUPRIC_ERR_IMPORT, "the %s device cannot be loaded: %s", name,
                       dlerror());
    }
    *(void **)&entry = dlsym(library, "cupric_backend");
    if (!entry) return cu_fail(CUPRIC_ERR_IMPORT, "%s has no cupric_backend", path);
    backend = entry(&services);
    if (!backend) return CUPRIC_ERR_DEVICE; /* the plugin said why */
    if (backend->abi != CUPRIC_BACKEND_ABI) {
        return cu_fail(CUPRIC_ERR_IMPORT,
                       "%s is of another version of the package (interface %u, not %u)",
                       path, backend->abi, CUPRIC_BACKEND_ABI);
    }
    *out = backend;
    return CUPRIC_OK;
}

static bool
plugin_exists(const char *name)
{
    char path[sizeof package_dir + 64];

    snprintf(path, sizeof path, "%s/_%s.so", package_dir, name);
    return access(path, R_OK) == 0;
}

static cu_status
device_enter(const cu_backend *backend, int ordinal)
{
    int index = n_devices;
    cu_device *d = &devices[index];
    cu_stream *s = &default_streams[index];
    cu_status st;

    st = backend->device_info(ordinal, &d->info);
    if (st) return st;
    *s = (cu_stream){.backend = backend, .ordinal = ordinal, .refcount = 1};
    d->backend = backend;
    d->ordinal = ordinal;
    d->index = index;
    d->default_stream = d->implicit_stream = s;
    if (cu_setting_int("CUPY_CUDA_PER_THREAD_DEFAULT_STREAM", 0) == 1)
        d->implicit_stream = NULL;
    n_devices++;
    if (cu_setting_int("CUPRIC_DEBUG", 0) >= 1) {
        fprintf(stderr, "cupric: %s device %d: %s, %d multiprocessors, %zu MiB\n",
                backend->name, ordinal, d->info.name, d->info.multiprocessors,
                d->info.total_bytes >> 20);
    }
    return CUPRIC_OK;
}

/* Enter all devices of a plugin into the table; none is a failure. */
static cu_status
plugin_load(const char *name, int *first, int *count)
{
    const cu_backend *backend;
    int n;
    cu_status st;

    st = plugin_open(name, &backend);
    if (st) return st;
    st = backend->device_count(&n);
    if (st) return st;
    if (n < 1)
        return cu_fail(CUPRIC_ERR_DEVICE, "cudaErrorNoDevice: no %s device was found",
                       name);
    if (n > CUPRIC_MAXDEVICES - n_devices) n = CUPRIC_MAXDEVICES - n_devices;
    *first = n_devices;
    for (int i = 0; i < n; i++) {
        st = device_enter(backend, i);
        if (st) return st;
    }
    *count = n;
    return CUPRIC_OK;
}

static cu_status
load_all(void)
{
    const char *wanted = cu_setting("CUPRIC_DEVICE");
    bool host_wanted = wanted && strcmp(wanted, "host") == 0;
    bool cuda_wanted = wanted && strcmp(wanted, "cuda") == 0;
    bool have_cuda = false;
    int first = 0, count = 0;
    cu_status cuda_status = CUPRIC_OK;
    cu_status st = cu_settings_check();

    if (st) return st;
    if (!host_wanted && plugin_exists("cuda")) {
        cuda_status = plugin_load("cuda", &first_in_use, &n_in_use);
        have_cuda = cuda_status == CUPRIC_OK;
        if (cuda_status) {
            n_devices = 0;
            passed_over = strdup(cu_error_message());
        }
        if (cuda_status && cu_setting_int("CUPRIC_DEBUG", 0) >= 1) {
            fprintf(stderr, "cupric: no cuda device: %s\n", cu_error_message());
        }
    } else if (host_wanted) {
        passed_over = strdup("CUPRIC_DEVICE is host");
    } else {
        passed_over = strdup("the package was built without it");
    }
    if (cuda_wanted && !have_cuda && !cuda_status) {
        cuda_status = cu_fail(CUPRIC_ERR_DEVICE,
                              "CUPRIC_DEVICE is cuda, but this installation of the "
                              "package was built without CUDA");
    }
    if (cuda_wanted && cuda_status) return cuda_status;
    st = plugin_load("host", &first, &count);
    if (st) return st;
    if (!have_cuda) {
        first_in_use = first;
        n_in_use = count;
    }
    return CUPRIC_OK;
}

static void
after_fork_in_child(void)
{
    forked = true;
}

static void
init_once(void)
{
    find_package_dir();
    init_status = load_all();
    if (init_status) init_message = strdup(cu_error_message());
    pthread_atfork(NULL, NULL, after_fork_in_child);
}

cu_status
cu_devices_init(void)
{
    pthread_once(&once, init_once);
    if (CUPRIC_LIKELY(!init_status)) return CUPRIC_OK;
    return cu_fail(init_status, "%s", init_message ? init_message : "no device");
}

/* ---- the table --------------------------------------------------------------------- */

const char *
cu_device_passed_over(void)
{
    return cu_devices_init() ? NULL : passed_over;
}

void
cu_devices_stop(void)
{
    for (int i = 0; i < n_devices; i++) {
        const cu_backend *backend = devices[i].backend;
        if (backend->stop) backend->stop();
    }
}

int
cu_device_count(void)
{
    return cu_devices_init() ? 0 : n_in_use;
}

cu_status
cu_device_get(int ordinal, cu_device **out)
{
    cu_status st = cu_devices_init();

    if (st) return st;
    if (ordinal < 0 || ordinal >= n_in_use) {
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "cudaErrorInvalidDevice: invalid device ordinal: device %d was "
                       "asked for, there %s %d",
                       ordinal, n_in_use == 1 ? "is" : "are", n_in_use);
    }
    *out = &devices[first_in_use + ordinal];
    return cu_device_check(*out);
}

cu_status
cu_device_find(const char *backend, int ordinal, cu_device **out)
{
    cu_status st = cu_devices_init();

    if (st) return st;
    for (int i = 0; i < n_devices; i++) {
        if (devices[i].ordinal != ordinal) continue;
        if (strcmp(devices[i].backend->name, backend) != 0) continue;
        *out = &devices[i];
        return CUPRIC_OK;
    }
    return cu_fail(CUPRIC_ERR_DEVICE, "there is no %s device %d", backend, ordinal);
}

cu_status
cu_device_check(const cu_device *d)
{
    if (CUPRIC_LIKELY(!forked) || !d->backend || !strcmp(d->backend->name, "host")) {
        return CUPRIC_OK;
    }
    return cu_fail(
        CUPRIC_ERR_DEVICE,
        "CUDA cannot be used in a process forked after CUDA was initialised: "
        "start the child with multiprocessing's \"spawn\" or \"forkserver\" "
        "method");
}

cu_status
cu_device_differs(const cu_device *a, const cu_device *b)
{
    return cu_fail(CUPRIC_ERR_VALUE,
                   "arrays on different devices in one operation: %s device %d "
                   "and %s device %d; copy one of them first, for example with "
                   "`with cupric.cuda.Device(%d): b = a.copy()`",
                   a->backend->name, a->ordinal, b->backend->name, b->ordinal,
                   a->ordinal);
}

cu_device *
cu_device_current(void)
{
    if (CUPRIC_UNLIKELY(!current)) {
        cu_devices_init();
        current = &devices[first_in_use];
    }
    return current;
}

void
cu_device_set_current(cu_device *d)
{
    current = d;
}
