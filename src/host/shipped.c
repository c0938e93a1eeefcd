/* host/shipped.c: kernels that come compiled: `_kernels.so` in the folder of a package, and
 * beside it `_kernels_v3.so`, the same for CPUs with AVX2, and `_kernels_v4.so`, for those
 * with AVX-512: of the libraries alone that ask for it.
 *
 * A library is opened when a kernel is first looked for in its folder, and stays. One that
 * was made with other headers than this device's is not used: its kernels would call
 * what is no longer there.
 */
#include "host/shipped.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cuda/host/abi.h"
#include "host/block.h"
#include "host/cpu.h"
#include "host/entries.h"

#ifndef CUPRIC_DEVICE_CODE /* setup.py's hash of the headers */
#define CUPRIC_DEVICE_CODE 0
#endif

enum { WIDE, USUAL, FILES }; /* of AVX-512; what has all kernels */

typedef struct library {
    struct library *next;
    char *folder; /* owned */
    /* Looked through one after the other; NULL: not there, or not to be used. */
    const cupric_kernels_info *info[FILES];
} library;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static library *libraries; /* guarded by the lock; entries live for ever */

void
cu_shipped_init(void)
{
    cu_host_services->fork_hold(&lock);
}

static const cupric_kernels_info *
open_file(const char *folder, const char *ending)
{
    const cupric_kernels_info *info;
    char path[4096];
    void *file;

    if (snprintf(path, sizeof path, "%s/_kernels%s.so", folder, ending) >=
        (int)sizeof path)
        return NULL;
    file = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!file) return NULL;
    info = dlsym(file, CUPRIC_KERNELS_SYMBOL);
    if (!info || info->abi != CUPRIC_MODULE_ABI ||
        info->device_code != CUPRIC_DEVICE_CODE) {
        dlclose(file);
        return NULL;
    }
    for (unsigned i = 0; i < info->nunits; i++) {
        *info->units[i]->runtime = &cu_block_runtime;
    }
    return info;
}

static const library *
library_get_locked(const char *folder)
{
    library *l;

    for (l = libraries; l; l = l->next) {
        if (strcmp(l->folder, folder) == 0) return l;
    }
    l = calloc(1, sizeof *l);
    if (!l || !(l->folder = strdup(folder))) {
        free(l);
        return NULL;
    }
    if (cu_host_cpu_level() >= 4) l->info[WIDE] = open_file(folder, "_v4");
    if (cu_host_cpu_level() >= 3) l->info[USUAL] = open_file(folder, "_v3");
    if (!l->info[USUAL]) l->info[USUAL] = open_file(folder, "");
    l->next = libraries;
    libraries = l;
    return l;
}

static int
compare(const cupric_shipped *k, const uint64_t key[2])
{
    for (int i = 0; i < 2; i++) {
        if (k->key[i] != key[i]) return k->key[i] < key[i] ? -1 : 1;
    }
    return 0;
}

static const cupric_shipped *
find(const cupric_kernels_info *info, const uint64_t key[2])
{
    unsigned low = 0, high = info->nkernels;

    while (low < high) {
        const unsigned middle = low + (high - low) / 2;
        const int order = compare(&info->kernels[middle], key);
        if (order == 0) return &info->kernels[middle];
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

bool
cu_shipped_find(const char *folder, const uint64_t key[2],
                const cupric_module_info **unit, const cupric_entry **entry)
{
    const library *l;
    const cupric_shipped *k = NULL;
    int file = 0;

    pthread_mutex_lock(&lock);
    l = library_get_locked(folder);
    pthread_mutex_unlock(&lock);
    for (; l && file < FILES; file++) {
        k = l->info[file] ? find(l->info[file], key) : NULL;
        if (k) break;
    }
    if (!k) return false;
    *unit = l->info[file]->units[k->unit];
    for (unsigned i = 0; i < (*unit)->nentries; i++) {
        *entry = &(*unit)->entries[i];
        if (strcmp((*entry)->name, k->name) == 0) return true;
    }
    return false;
}
