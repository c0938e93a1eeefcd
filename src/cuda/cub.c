/* cuda/cub.c: see cub.h. The library is optional: a package that was built without nvcc
 * has none, and its code may be for other chips. */
#include "cuda/cub.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/services.h"

enum { UNKNOWN, ABSENT, PRESENT };

static const cu_cub *table; /* set before a device is PRESENT */
static int known[CUPRIC_CUDA_MAXDEVICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
open_locked(void)
{
    char path[4096];
    cu_cub_entry *entry = NULL;
    void *library;

    if (snprintf(path, sizeof path, "%s/_cub.so", cu_cuda_services->package_dir) >=
        (int)sizeof path) {
        return;
    }
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library) *(void **)&entry = dlsym(library, "cupric_cub");
    if (entry && entry()->abi == CUPRIC_CUB_ABI) table = entry();
}

bool
cu_cuda_has_cub(int ordinal)
{
    int state = __atomic_load_n(&known[ordinal], __ATOMIC_ACQUIRE);

    if (cu_cuda_context(ordinal)) return false;
    if (CUPRIC_LIKELY(state != UNKNOWN)) return state == PRESENT;
    pthread_mutex_lock(&lock);
    if (!table) open_locked();
    state = table && table->works() ? PRESENT : ABSENT;
    __atomic_store_n(&known[ordinal], state, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    return state == PRESENT;
}

cu_status
cu_cuda_cub_sort(const cu_cub_sort *args, size_t *temp_nbytes)
{
    const int error = table->sort(args, temp_nbytes);
    if (error == 0) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_DEVICE, "%s: sorting", table->error_name(error));
}
