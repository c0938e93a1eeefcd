/* cuda/binaries.c: where the binary of a kernel of a package comes from: the archive, the
 * disk, the compiler. An archive is opened when a kernel is first looked for in its
 * folder, and stays.
 */
#include "cuda/binaries.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/archive.h"
#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/module.h"
#include "cuda/nvrtc.h"
#include "cuda/services.h"

/* ---- the kernels that come compiled ------------------------------------------------ */

#ifndef CUPRIC_DEVICE_CODE /* setup.py's hash of cuda/include and the options */
#define CUPRIC_DEVICE_CODE 0
#endif

typedef struct archive {
    struct archive *next;
    char *folder;     /* owned */
    cu_archive *file; /* owned; NULL: there is none that can be used */
    cu_module **units[CUPRIC_CUDA_MAXDEVICES]; /* loaded; guarded by `loading` */
} archive;

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static archive *archives; /* guarded by `loading`; entries live for ever */
static int64_t counts[CUPRIC_N_KERNEL_COUNTS];
static int logs = -1; /* read once; a race would read the same */

/* The archive in a folder; NULL where there is none. */
static archive *
archive_get(const char *folder)
{
    char path[4096];
    archive *a;

    pthread_mutex_lock(&loading);
    for (a = archives; a && strcmp(a->folder, folder) != 0; a = a->next) continue;
    if (!a && (a = calloc(1, sizeof *a)) && (a->folder = strdup(folder))) {
        if (snprintf(path, sizeof path, "%s/kernels.bin", folder) < (int)sizeof path)
            a->file = cu_archive_open(path, CUPRIC_DEVICE_CODE);
        a->next = archives;
        archives = a;
    }
    pthread_mutex_unlock(&loading);
    return a && a->file ? a : NULL;
}

static bool
logs_kernels(void)
{
    const char *debug;

    if (CUPRIC_LIKELY(logs >= 0)) return logs;
    debug = cu_cuda_services->setting("CUPRIC_DEBUG");
    logs = debug && atoi(debug) >= 3;
    return logs;
}

void
cu_cuda_count_kernel(cu_kernel_count from, const char *what)
{
    static const char *const words[] = {"came compiled", "on disk", "compiled",
                                        "served by general ones"};

    __atomic_fetch_add(&counts[from], 1, __ATOMIC_RELAXED);
    if (logs_kernels())
        fprintf(stderr, "cupric: built-in kernel %s: %s\n", what, words[from]);
}

void
cu_cuda_kernel_counts(int64_t *out)
{
    for (int i = 0; i < CUPRIC_N_KERNEL_COUNTS; i++) {
        out[i] = __atomic_load_n(&counts[i], __ATOMIC_RELAXED);
    }
}

/* Loaded at first use; NULL where it is damaged, or newer than what the driver takes. */
static cu_module *
unit_get(archive *a, int ordinal, int unit)
{
    cu_module *module = NULL;
    const void *image;

    pthread_mutex_lock(&loading);
    if (!a->units[ordinal]) {
        a->units[ordinal] =
            calloc((size_t)cu_archive_units(a->file), sizeof *a->units[ordinal]);
    }
    if (a->units[ordinal]) {
        cu_module **slot = &a->units[ordinal][unit];
        if (!*slot && (image = cu_archive_image(a->file, unit)) != NULL) {
            if (cu_cuda_module_load_static(ordinal, image, slot)) *slot = NULL;
        }
        module = *slot;
    }
    pthread_mutex_unlock(&loading);
    return module;
}

/* The unit of a hash and the names of its kernels in there, or NULL. `lowest`: also what
 * the driver has to compile from assembly first. */
static cu_module *
find_shipped(int ordinal, bool lowest, const char *folder, uint64_t hash,
             const char **names)
{
    const cu_cuda_device *d = cu_cuda_device_at(ordinal);
    archive *a = archive_get(folder);
    int unit;

    if (!a || (!lowest && !cu_archive_has_code_for(a->file, d->major, d->minor)))
        return NULL;
    *names = cu_archive_find(a->file, hash, &unit);
    return *names ? unit_get(a, ordinal, unit) : NULL;
}

/* Whether there is an archive, but no machine code for the device in it. */
static bool
lacks_code(int ordinal)
{
    const cu_cuda_device *d = cu_cuda_device_at(ordinal);
    const archive *a = archive_get(cu_cuda_services->package_dir);
    return a && !cu_archive_has_code_for(a->file, d->major, d->minor);
}

static bool
load_shipped(int ordinal, bool lowest, const char *source, bool fuses, const char *name,
             int n, cu_function **out)
{
    const char *names;
    cu_module *module = find_shipped(ordinal, lowest, cu_cuda_services->package_dir,
                                     cu_archive_hash(source, fuses, name), &names);

    if (!module) return false;
    for (int i = 0; i < n; i++) {
        if (cu_cuda_module_function(module, names, &out[i])) return false;
        names += strlen(names) + 1;
    }
    return true;
}

bool
cu_cuda_module_shipped(int ordinal, const char *folder, const uint64_t key[2],
                       cu_module **out)
{
    const char *name;
    cu_module *unit = find_shipped(ordinal, false, folder, key[0], &name);

    /* Without the compiler: assembly that the driver can finish, if it is there. */
    if (!unit && cu_cuda_nvrtc_version() == 0)
        unit = find_shipped(ordinal, true, folder, key[0], &name);
    return unit && !cu_cuda_module_of_one(unit, name, out);
}

/* ---- the disk and the compiler -------------------------------------------------------------------------- */

/* All that a binary depends on. */
static cu_status
id_of(const cu_compile *args, int ordinal, char **out)
{
    const char *compiler;
    cu_status st = cu_cuda_compiler_id(ordinal, &compiler);
    if (st) return st;
    const char *name = args->nnames ? args->names[0] : "";
    const size_t nbytes = strlen(compiler) + strlen(name) + strlen(args->source) + 16;
    *out = malloc(nbytes);
    if (*out == NULL) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a kernel");
    snprintf(*out, nbytes, "%s\n%d %s\n%s", compiler, args->noptions, name,
             args->source);
    return CUPRIC_OK;
}

/* From the disk. A binary that does not load is as good as none. */
static bool
load_kept(const char *id, int ordinal, cu_module **module)
{
    cu_blob binary = {0};
    if (!cu_cuda_services->cache_read(id, &binary)) return false;
    const cu_status st =
        cu_cuda_module_load(ordinal, binary.data, binary.nbytes, module);
    free(binary.data);
    return st == CUPRIC_OK;
}

/* From the disk or the compiler. */
static cu_status
build_module(const cu_compile *args, const char *what, int ordinal, cu_module **module)
{
    char *id = NULL;      /* owned */
    cu_blob binary = {0}; /* owned */
    cu_blob log = {0};    /* owned */
    cu_blob files = {0};  /* none: the source includes our headers only */
    cu_status st = id_of(args, ordinal, &id);

    if (st) goto done;
    if (load_kept(id, ordinal, module)) {
        cu_cuda_count_kernel(CUPRIC_KERNELS_ON_DISK, what);
        goto done;
    }
    st = cu_cuda_compile(ordinal, args, &binary, &log, &files);
    if (st == CUPRIC_ERR_COMPILE) {
        st = cu_fail(st, "the kernel %s does not compile:\n%.2000s", args->file,
                     log.data ? log.data : "");
    }
    if (!st) st = cu_cuda_module_load(ordinal, binary.data, binary.nbytes, module);
    if (st) goto done;
    cu_cuda_count_kernel(CUPRIC_KERNELS_COMPILED, what);
    cu_cuda_services->cache_write(id, &binary, args->source);
done:
    free(id);
    free(binary.data);
    free(log.data);
    return st;
}

bool
cu_cuda_binary_ships(int ordinal, const cu_compile *args, bool fuses, const char *what,
                     int n, cu_function **out)
{
    const char *name = args->nnames ? args->names[0] : "";
    bool ships = load_shipped(ordinal, false, args->source, fuses, name, n, out);

    /* Without the compiler: assembly that the driver can finish, if it is there. */
    if (!ships && lacks_code(ordinal) && cu_cuda_nvrtc_version() == 0)
        ships = load_shipped(ordinal, true, args->source, fuses, name, n, out);
    if (ships) cu_cuda_count_kernel(CUPRIC_KERNELS_SHIPPED, what);
    return ships;
}

cu_status
cu_cuda_binary_get(int ordinal, const cu_compile *args, bool fuses, const char *what,
                   int n, cu_function **out)
{
    const char *name = args->nnames ? args->names[0] : "";
    cu_module *module;
    cu_status st;

    if (cu_cuda_binary_ships(ordinal, args, fuses, what, n, out)) return CUPRIC_OK;
    st = build_module(args, what, ordinal, &module);
    for (int i = 0; !st && i < n; i++) {
        char entry[256];
        snprintf(entry, sizeof entry, args->nnames ? "%s" : "%s_%d",
                 args->nnames ? name : args->file, i);
        st = cu_cuda_module_function(module, entry, &out[i]);
    }
    return st;
}
