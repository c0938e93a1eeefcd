/* cuda/libraries.c: finding NVIDIA's libraries.
 *
 * In this order: where the system looks (LD_LIBRARY_PATH, or already loaded), the toolkit
 * (CUDA_PATH, CUDA_HOME, /usr/local/cuda), the nvidia-* wheels of the Python that runs.
 * Its site-packages folders are read off the libraries that are loaded: NumPy's at least.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "cuda/libraries.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/driver.h"
#include "cuda/entries.h"
#include "cuda/services.h"

#define MAX_FOLDERS 32
#define MAX_PATH 4096

static const struct {
    const char *name;     /* lib<name>.so.<major> */
    int major13, major12; /* of CUDA 13 and of CUDA 12 */
    const char *wheel;    /* site-packages/nvidia/<wheel>/lib for CUDA 12 */
    const char *package;  /* for pip: with CUDA 12, -cu12 behind it */
    const char *title;    /* as people call it */
    const char *property; /* the function that tells its version; NULL: nvrtcVersion */
} libraries[CUPRIC_N_LIBRARIES] = {
    [CUPRIC_NVRTC] = {"nvrtc", 13, 12, "cuda_nvrtc", "nvidia-cuda-nvrtc", "NVRTC",
                      NULL},
    [CUPRIC_CUBLAS] = {"cublas", 13, 12, "cublas", "nvidia-cublas", "cuBLAS",
                       "cublasGetProperty"},
    [CUPRIC_CUFFT] = {"cufft", 12, 11, "cufft", "nvidia-cufft", "cuFFT",
                      "cufftGetProperty"},
    [CUPRIC_CUSOLVER] = {"cusolver", 12, 11, "cusolver", "nvidia-cusolver", "cuSOLVER",
                         "cusolverGetProperty"},
};

static void *handles[CUPRIC_N_LIBRARIES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what is below */
static char *site_folders[MAX_FOLDERS];                  /* owned, for ever */
static int nsites;
static bool looked;

static void
add_site(const char *path, size_t n)
{
    for (int i = 0; i < nsites; i++) {
        if (strlen(site_folders[i]) == n && !memcmp(site_folders[i], path, n)) return;
    }
    if (nsites < MAX_FOLDERS && (site_folders[nsites] = strndup(path, n))) nsites++;
}

static int
look_at_library(struct dl_phdr_info *info, size_t size, void *arg)
{
    static const char *const endings[] = {"/site-packages/", "/dist-packages/"};

    (void)size, (void)arg;
    for (int i = 0; i < 2 && info->dlpi_name; i++) {
        const char *found = strstr(info->dlpi_name, endings[i]);
        if (found) {
            add_site(info->dlpi_name,
                     (size_t)(found - info->dlpi_name) + strlen(endings[i]) - 1);
        }
    }
    return 0;
}

static void
find_sites(void)
{
    char above[MAX_PATH];

    if (looked) return;
    looked = true;
    snprintf(above, sizeof above, "%s", cu_cuda_services->package_dir);
    if (strrchr(above, '/')) {
        *strrchr(above, '/') = '\0';
        add_site(above, strlen(above));
    }
    dl_iterate_phdr(look_at_library, NULL);
}

static const char *
toolkit(int i)
{
    switch (i) {
    case 0: return getenv("CUDA_PATH");
    case 1: return getenv("CUDA_HOME");
    case 2: return "/usr/local/cuda";
    case 3: return "/opt/cuda";
    default: return NULL;
    }
}

static void *
open_in(const char *folder, const char *below, const char *file)
{
    char path[MAX_PATH];

    if (!folder || !*folder) return NULL;
    if (snprintf(path, sizeof path, "%s/%s/%s", folder, below, file) >=
        (int)sizeof path) {
        return NULL;
    }
    return access(path, R_OK) ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *
open_version(cu_cuda_library which, bool is13)
{
    static const char *const below[] = {"lib64", "lib", "targets/x86_64-linux/lib",
                                        "targets/sbsa-linux/lib"};
    char file[64], wheel[64];
    void *library;

    snprintf(file, sizeof file, "lib%s.so.%d", libraries[which].name,
             is13 ? libraries[which].major13 : libraries[which].major12);
    if (is13) {
        snprintf(wheel, sizeof wheel, "nvidia/cu13/lib");
    } else {
        snprintf(wheel, sizeof wheel, "nvidia/%s/lib", libraries[which].wheel);
    }
    library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    for (int i = 0; i < 4 && !library; i++) {
        for (size_t k = 0; k < sizeof below / sizeof *below && !library; k++) {
            library = open_in(toolkit(i), below[k], file);
        }
    }
    find_sites();
    for (int i = 0; i < nsites && !library; i++) {
        library = open_in(site_folders[i], wheel, file);
    }
    return library;
}

/* Borrowed from the library; NULL where the loader does not tell. */
static const char *
path_of(void *library)
{
    struct link_map *map = NULL;

    return dlinfo(library, RTLD_DI_LINKMAP, &map) || !map ? NULL : map->l_name;
}

/* With CUPRIC_DEBUG=1: where it was found. */
static void
log_path(cu_cuda_library which, void *library)
{
    const char *debug = cu_cuda_services->setting("CUPRIC_DEBUG");

    if (!debug || strtol(debug, NULL, 10) < 1 || !path_of(library)) return;
    fprintf(stderr, "cupric: lib%s: %s\n", libraries[which].name, path_of(library));
}

cu_status
cu_cuda_library_open(cu_cuda_library which, void **out)
{
    void *library = __atomic_load_n(&handles[which], __ATOMIC_ACQUIRE);
    int version = 0;

    if (CUPRIC_LIKELY(library != NULL)) {
        *out = library;
        return CUPRIC_OK;
    }
    /* A library newer than the driver may load and then not work. */
    if (cu_drv()->DriverGetVersion) cu_drv()->DriverGetVersion(&version);
    pthread_mutex_lock(&lock);
    library = handles[which];
    if (!library && (version >= 13000 || version == 0))
        library = open_version(which, true);
    if (!library) library = open_version(which, false);
    if (library && !handles[which]) log_path(which, library);
    __atomic_store_n(&handles[which], library, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    if (!library) {
        return cu_fail(
            CUPRIC_ERR_IMPORT,
            "lib%s was not found: install it with \"pip install %s%s\", or a "
            "CUDA toolkit, and set CUDA_PATH if that is in an unusual place",
            libraries[which].name, libraries[which].package,
            version >= 13000 ? "" : "-cu12");
    }
    *out = library;
    return CUPRIC_OK;
}

cu_status
cu_cuda_library_table(cu_cuda_library which, const char *const *names, void **slots,
                      size_t n)
{
    void *library;
    cu_status st = cu_cuda_library_open(which, &library);

    if (st) return st;
    for (size_t i = 0; i < n; i++) {
        slots[i] = dlsym(library, names[i]);
        if (!slots[i]) {
            return cu_fail(CUPRIC_ERR_IMPORT, "lib%s is too old: it has no %s",
                           libraries[which].name, names[i]);
        }
    }
    return CUPRIC_OK;
}

static bool
has_headers(const char *folder, const char *below, char *out, size_t nout)
{
    char path[MAX_PATH];

    if (!folder || !*folder) return false;
    if (snprintf(out, nout, "%s/%s", folder, below) >= (int)nout) return false;
    if (snprintf(path, sizeof path, "%s/cuda_fp16.h", out) >= (int)sizeof path) {
        return false;
    }
    return access(path, R_OK) == 0;
}

const char *
cu_cuda_toolkit_include(void)
{
    static char found[MAX_PATH]; /* guarded by the lock until `known` */
    static bool known, have;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < 4 && !known && !have; i++) {
        have = has_headers(toolkit(i), "include", found, sizeof found);
    }
    if (!known) find_sites();
    for (int i = 0; i < nsites && !known && !have; i++) {
        have =
            has_headers(site_folders[i], "nvidia/cu13/include", found, sizeof found) ||
            has_headers(site_folders[i], "nvidia/cuda_runtime/include", found,
                        sizeof found);
    }
    known = true;
    pthread_mutex_unlock(&lock);
    return have ? found : NULL;
}

/* ---- what was found, for people ---------------------------------------------------------- */

/* Asked by number: 0 the major version, 1 the minor one, 2 the patch level. */
typedef int (*property_function)(int which, int *value);

static void
query_version(cu_cuda_library which, void *library, char *version, size_t n)
{
    int v[3] = {0};
    int (*nvrtc_version)(int *major, int *minor) = NULL;
    property_function property = NULL;

    if (!libraries[which].property) {
        *(void **)&nvrtc_version = dlsym(library, "nvrtcVersion");
        if (nvrtc_version && !nvrtc_version(&v[0], &v[1])) {
            snprintf(version, n, "%d.%d", v[0], v[1]);
        }
        return;
    }
    *(void **)&property = dlsym(library, libraries[which].property);
    for (int i = 0; i < 3; i++) {
        if (!property || property(i, &v[i])) return;
    }
    snprintf(version, n, "%d.%d.%d", v[0], v[1], v[2]);
}

bool
cu_cuda_component(int i, cu_component *out)
{
    void *library;

    if (i >= CUPRIC_N_LIBRARIES) return false;
    *out = (cu_component){0};
    snprintf(out->name, sizeof out->name, "%s", libraries[i].title);
    if (cu_cuda_library_open((cu_cuda_library)i, &library)) return true;
    if (path_of(library)) snprintf(out->path, sizeof out->path, "%s", path_of(library));
    query_version((cu_cuda_library)i, library, out->version, sizeof out->version);
    return true;
}
