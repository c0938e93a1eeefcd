/* cuda/binaries.c: where the binary of a built-in kernel comes from: the archive, the disk,
 * the compiler.
 */
#include "cuda/binaries.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/archive.h"
#include "cuda/driver.h"
#include "cuda/entries.h"
#include "cuda/module.h"

/* ---- the kernels that come compiled ------------------------------------------------ */

#ifndef CUPRIC_DEVICE_CODE /* setup.py's hash of cuda/include and the options */
#define CUPRIC_DEVICE_CODE 0
#endif

static pthread_once_t opened = PTHREAD_ONCE_INIT;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static cu_archive *archive; /* for ever; NULL where there is none */
static cu_module **units[CUPRIC_CUDA_MAXDEVICES]; /* loaded; guarded by `loading` */
static int64_t counts[CUPRIC_N_KERNEL_COUNTS];
static bool tells;

static void
open_archive(void)
{
    const char *debug = cu_cuda_services->setting("CUPRIC_DEBUG");
    char path[4096];

    tells = debug && atoi(debug) >= 3;
    if (snprintf(path, sizeof path, "%s/kernels.bin", cu_cuda_services->package_dir) <
        (int)sizeof path) {
        archive = cu_archive_open(path, CUPRIC_DEVICE_CODE);
    }
}

static void
count(cu_kernel_count from, const char *what)
{
    static const char *const words[] = {"came compiled", "on disk", "compiled"};

    __atomic_fetch_add(&counts[from], 1, __ATOMIC_RELAXED);
    if (tells) fprintf(stderr, "cupric: built-in kernel %s: %s\n", what, words[from]);
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
unit_get(int ordinal, int unit)
{
    cu_module *module = NULL;
    const void *image;

    pthread_mutex_lock(&loading);
    if (!units[ordinal]) {
        units[ordinal] =
            calloc((size_t)cu_archive_units(archive), sizeof *units[ordinal]);
    }
    if (units[ordinal]) {
        cu_module **slot = &units[ordinal][unit];
        if (!*slot && (image = cu_archive_image(archive, unit)) != NULL) {
            if (cu_cuda_module_load_static(ordinal, image, slot)) *slot = NULL;
        }
        module = *slot;
    }
    pthread_mutex_unlock(&loading);
    return module;
}

/* `lowest`: also what the driver has to compile from assembly first. */
static bool
load_shipped(int ordinal, bool lowest, const char *source, bool fuses, const char *name,
             int n, cu_function **out)
{
    const cu_cuda_device *d = cu_cuda_device_at(ordinal);
    const char *names;
    cu_module *module;
    int unit;

    pthread_once(&opened, open_archive);
    if (!archive || (!lowest && !cu_archive_has_code_for(archive, d->major, d->minor)))
        return false;
    names = cu_archive_find(archive, cu_archive_hash(source, fuses, name), &unit);
    module = names ? unit_get(ordinal, unit) : NULL;
    if (!module) return false;
    for (int i = 0; i < n; i++) {
        if (cu_cuda_module_function(module, names, &out[i])) return false;
        names += strlen(names) + 1;
    }
    return true;
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
        count(CUPRIC_KERNELS_ON_DISK, what);
        goto done;
    }
    st = cu_cuda_compile(ordinal, args, &binary, &log, &files);
    if (st == CUPRIC_ERR_COMPILE) {
        st = cu_fail(st, "the kernel %s does not compile:\n%.2000s", args->file,
                     log.data ? log.data : "");
    }
    if (!st) st = cu_cuda_module_load(ordinal, binary.data, binary.nbytes, module);
    if (st) goto done;
    count(CUPRIC_KERNELS_COMPILED, what);
    cu_cuda_services->cache_write(id, &binary, args->source);
done:
    free(id);
    free(binary.data);
    free(log.data);
    return st;
}

cu_status
cu_cuda_binary_get(int ordinal, const cu_compile *args, bool fuses, const char *what,
                   int n, cu_function **out)
{
    const char *name = args->nnames ? args->names[0] : "";
    cu_module *module;
    cu_status st;

    if (load_shipped(ordinal, false, args->source, fuses, name, n, out)) {
        count(CUPRIC_KERNELS_SHIPPED, what);
        return CUPRIC_OK;
    }
    st = build_module(args, what, ordinal, &module);
    /* Without the compiler: assembly that the driver can finish, if it is there. */
    if (st && load_shipped(ordinal, true, args->source, fuses, name, n, out)) {
        count(CUPRIC_KERNELS_SHIPPED, what);
        return CUPRIC_OK;
    }
    for (int i = 0; !st && i < n; i++) {
        char entry[256];
        snprintf(entry, sizeof entry, args->nnames ? "%s" : "%s_%d",
                 args->nnames ? name : args->file, i);
        st = cu_cuda_module_function(module, entry, &out[i]);
    }
    return st;
}
