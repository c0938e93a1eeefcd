/* kernel/cache.c: compiled kernels: shipped, in memory, on disk, from the compiler.
 *
 *     shipped key  source, options, names             finds what came with a package
 *     key          source, options, names, compiler   finds what was compiled from them
 *     dependencies the headers that were read, …      say whether it still is what the
 *                                                     compiler would make (depends.h)
 */
#include "kernel/cache.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env.h"
#include "fork.h"
#include "hash.h"
#include "kernel/depends.h"
#include "kernel/disk.h"
#include "kernel/includes.h"
#include "kernel/sha256.h"

#define NBUCKETS 256
#define MAX_FOLDERS 64 /* of packages that ship kernels */

typedef struct loaded {
    struct loaded *next;
    unsigned char key[CUPRIC_SHA256_NBYTES];
    cu_device *device;
    cu_module *module;
    cu_depends depends; /* what the module was made from besides what the key holds */
} loaded;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by the lock. Entries live for ever and do not change. */
static loaded *buckets[NBUCKETS];
static int64_t ncompiled, nread, nshipped; /* guarded by the lock */
/* Guarded by the lock; owned, for ever. The package's own folder is not among them. */
static char *folders[MAX_FOLDERS];
static int nfolders;

__attribute__((constructor)) static void
hold_over_fork(void)
{
    cu_fork_hold(&lock);
}

/* ---- the key ------------------------------------------------------------------------------- */

static void
take_text(cu_sha256 *h, const char *text)
{
    cu_sha256_update(h, text, strlen(text) + 1);
}

/* What decides where headers are looked for, besides the options. */
static void
take_search_path(cu_sha256 *h)
{
    static const char *const variables[] = {"CPATH", "CPLUS_INCLUDE_PATH"};
    char cwd[4096];

    take_text(h, getcwd(cwd, sizeof cwd) ? cwd : "");
    for (int i = 0; i < 2; i++) {
        const char *value = cu_setting(variables[i]);
        take_text(h, value ? value : "");
    }
}

static cu_status
make_key(cu_device *device, const cu_compile *args, unsigned char *key)
{
    const char *id;
    cu_sha256 h;
    cu_status st = device->backend->compiler_id(device->ordinal, &id);

    if (st) return st;
    cu_sha256_init(&h);
    take_text(&h, args->source);
    take_text(&h, device->backend->name);
    take_text(&h, id);
    take_text(&h, args->file ? args->file : "");
    for (int i = 0; i < args->noptions; i++) take_text(&h, args->options[i]);
    take_text(&h, "");
    for (int i = 0; i < args->nnames; i++) take_text(&h, args->names[i]);
    take_text(&h, "");
    if (cu_includes_any(args)) take_search_path(&h);
    cu_sha256_finish(&h, key);
    return CUPRIC_OK;
}

/* ---- in memory -------------------------------------------------------------------------------- */

static loaded *
first(const unsigned char *key)
{
    loaded *e;

    pthread_mutex_lock(&lock);
    e = buckets[key[0]];
    pthread_mutex_unlock(&lock);
    return e;
}

static bool
is_of(const loaded *e, const cu_device *device, const unsigned char *key)
{
    return e->device == device && memcmp(e->key, key, sizeof e->key) == 0;
}

/* A module that is still what the compiler would make. */
static cu_module *
find(cu_device *device, const unsigned char *key)
{
    for (loaded *e = first(key); e; e = e->next) {
        if (is_of(e, device, key) && cu_depends_hold(&e->depends)) return e->module;
    }
    return NULL;
}

static bool
same_depends(const cu_depends *a, const cu_depends *b)
{
    unsigned char digests[2][CUPRIC_SHA256_NBYTES];

    if (a->unknown || b->unknown) return false;
    for (int i = 0; i < 2; i++) {
        cu_sha256 h;
        cu_sha256_init(&h);
        cu_depends_hash(i ? b : a, &h);
        cu_sha256_finish(&h, digests[i]);
    }
    return memcmp(digests[0], digests[1], sizeof digests[0]) == 0;
}

/* Keep a module that was just loaded; steals `depends`. Another thread may have been
 * faster: its module is the one, since the variables of a module exist once. */
static cu_status
keep(cu_device *device, const unsigned char *key, cu_depends *depends,
     cu_module **module)
{
    loaded *e = malloc(sizeof *e), *other;

    if (!e) {
        device->backend->module_free(*module);
        cu_depends_release(depends);
        return cu_fail(CUPRIC_ERR_MEMORY, "no memory to keep a kernel");
    }
    memcpy(e->key, key, sizeof e->key);
    e->device = device;
    e->module = *module;
    e->depends = *depends;
    *depends = (cu_depends){0};
    pthread_mutex_lock(&lock);
    for (other = buckets[key[0]]; other; other = other->next) {
        if (is_of(other, device, key) && same_depends(&other->depends, &e->depends))
            break;
    }
    if (!other) {
        e->next = buckets[key[0]];
        buckets[key[0]] = e;
    }
    pthread_mutex_unlock(&lock);
    if (other) {
        device->backend->module_free(*module);
        cu_depends_release(&e->depends);
        free(e);
        *module = other->module;
    }
    return CUPRIC_OK;
}

/* ---- what came with a package ------------------------------------------------------------------ */

void
cu_cache_shipped_key(const cu_compile *args, uint64_t key[2])
{
    memset(key, 0, 2 * sizeof *key);
    cu_hash_text(key, args->source);
    for (int i = 0; i < args->noptions; i++) cu_hash_text(key, args->options[i]);
    cu_hash_text(key, "");
    for (int i = 0; i < args->nnames; i++) cu_hash_text(key, args->names[i]);
}

cu_status
cu_cache_add_folder(const char *path)
{
    char *copy = strdup(path); /* owned, until it is kept */
    bool known = false, full;

    if (!copy) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a folder of kernels");
    pthread_mutex_lock(&lock);
    for (int i = 0; i < nfolders; i++) known |= strcmp(folders[i], path) == 0;
    full = nfolders == MAX_FOLDERS;
    if (!known && !full) {
        folders[nfolders++] = copy;
        copy = NULL;
    }
    pthread_mutex_unlock(&lock);
    free(copy);
    if (known || !full) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_VALUE, "at most %d packages can bring kernels",
                   MAX_FOLDERS);
}

/* The i-th folder to look in, or NULL behind the last. */
static const char *
folder_at(int i)
{
    const char *path;

    if (i == 0) return cu_device_package_dir();
    pthread_mutex_lock(&lock);
    path = i <= nfolders ? folders[i - 1] : NULL;
    pthread_mutex_unlock(&lock);
    return path;
}

/* What ships includes the package's headers only (_library.py sees to it), so that its text
 * says what it means. */
static bool
find_shipped(cu_device *device, const cu_compile *args, cu_module **out)
{
    const char *folder;
    uint64_t key[2];

    if (!device->backend->module_shipped) return false;
    cu_cache_shipped_key(args, key);
    for (int i = 0; (folder = folder_at(i)); i++) {
        if (!device->backend->module_shipped(device->ordinal, folder, key, out))
            continue;
        if (cu_setting_int("CUPRIC_DEBUG", 0) >= 3) {
            fprintf(stderr, "cupric: kernel %s came compiled, in %s\n",
                    args->nnames ? args->names[0] : args->file, folder);
        }
        return true;
    }
    return false;
}

/* ---- from the disk or the compiler ---------------------------------------------------------------- */

static void
count(int64_t *counter)
{
    pthread_mutex_lock(&lock);
    ++*counter;
    pthread_mutex_unlock(&lock);
}

/* What the disk has may be sound and yet not load (a library it needs is gone): then it
 * is compiled again. */
static bool
load_from_disk(cu_device *device, const unsigned char *key, cu_depends *depends,
               cu_module **out)
{
    cu_blob binary = {0};
    bool good;

    if (!cu_disk_read(key, depends, &binary)) return false;
    good =
        !device->backend->module_load(device->ordinal, binary.data, binary.nbytes, out);
    free(binary.data);
    if (good) count(&nread);
    if (!good) cu_depends_release(depends);
    return good;
}

/* What a compilation that began at `since_ns` depended on. A header that was written
 * meanwhile may have been read before or after: that binary serves its caller only. */
static void
find_depends(const cu_compile *args, const cu_blob *files, int64_t since_ns,
             cu_depends *out)
{
    if (!cu_includes_any(args)) return;
    cu_includes_find(args, files, out);
    if (!cu_depends_settled(out, since_ns)) out->unknown = true;
}

static cu_status
load_compiled(cu_device *device, const cu_compile *args, const unsigned char *key,
              cu_depends *depends, cu_module **out, cu_blob *log)
{
    cu_blob binary = {0}, files = {0}; /* owned */
    const int64_t since_ns = cu_depends_now();
    cu_status st;

    if (cu_setting_int("CUPRIC_DEBUG", 0) >= 3) {
        fprintf(stderr, "cupric: compiling %s\n%s\n", args->file, args->source);
    }
    st = device->backend->compile(device->ordinal, args, &binary, log, &files);
    if (st == CUPRIC_ERR_COMPILE &&
        cu_setting_int("CUPY_DUMP_CUDA_SOURCE_ON_ERROR", 0) == 1) {
        fprintf(stderr, "cupric: this source does not compile (%s):\n%s\n",
                args->file ? args->file : "kernel.cu", args->source);
    }
    if (st) goto done;
    count(&ncompiled);
    st = device->backend->module_load(device->ordinal, binary.data, binary.nbytes, out);
    if (!st) find_depends(args, &files, since_ns, depends);
    if (!st && !depends->unknown) cu_disk_write(key, depends, &binary, args->source);
    free(log->data);
    *log = (cu_blob){0};

done:
    free(binary.data);
    free(files.data);
    return st;
}

static cu_status
find_module(cu_device *device, const cu_compile *args, cu_module **out, cu_blob *log)
{
    unsigned char key[CUPRIC_SHA256_NBYTES];
    cu_depends depends = {0}; /* owned */
    cu_module *m;
    cu_status st;

    *log = (cu_blob){0};
    if (find_shipped(device, args, out)) {
        count(&nshipped);
        return CUPRIC_OK;
    }
    st = make_key(device, args, key);
    if (st) return st;
    m = find(device, key);
    if (!m) {
        if (!load_from_disk(device, key, &depends, &m)) {
            st = load_compiled(device, args, key, &depends, &m, log);
        }
        if (!st) st = keep(device, key, &depends, &m);
    }
    if (!st) *out = m;
    return st;
}

/* With what a debugger reads, too. */
static cu_status
find_debugged(cu_device *device, const cu_compile *args, cu_module **out, cu_blob *log)
{
    static const char *const more[] = {"--device-debug", "--generate-line-info"};
    const char **options = malloc(((size_t)args->noptions + 2) * sizeof *options);
    cu_compile with = *args;
    cu_status st;

    if (options == NULL) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for options");
    for (int i = 0; i < args->noptions; i++) options[i] = args->options[i];
    for (int i = 0; i < 2; i++) options[args->noptions + i] = more[i];
    with.options = options;
    with.noptions += 2;
    st = find_module(device, &with, out, log);
    free(options);
    return st;
}

cu_status
cu_cache_module(cu_device *device, const cu_compile *args, cu_module **out,
                cu_blob *log)
{
    if (CUPRIC_UNLIKELY(cu_setting_int("CUPY_CUDA_COMPILE_WITH_DEBUG", 0) == 1)) {
        return find_debugged(device, args, out, log);
    }
    return find_module(device, args, out, log);
}

cu_status
cu_cache_binary(cu_device *device, const void *data, size_t nbytes, cu_module **out)
{
    unsigned char key[CUPRIC_SHA256_NBYTES];
    cu_sha256 h;
    cu_module *m;
    cu_status st = CUPRIC_OK;

    cu_sha256_init(&h);
    cu_sha256_update(&h, data, nbytes);
    cu_sha256_finish(&h, key);
    m = find(device, key);
    if (!m) {
        st = device->backend->module_load(device->ordinal, data, nbytes, &m);
        if (!st) st = keep(device, key, &(cu_depends){0}, &m);
    }
    if (!st) *out = m;
    return st;
}

/* ---- for backends ---------------------------------------------------------------------------------- */

static void
backend_key(const char *id, unsigned char *key)
{
    cu_sha256 h;

    cu_sha256_init(&h);
    take_text(&h, "backend");
    take_text(&h, id);
    cu_sha256_finish(&h, key);
}

static bool
backend_read(const char *id, cu_blob *binary)
{
    unsigned char key[CUPRIC_SHA256_NBYTES];

    backend_key(id, key);
    return cu_disk_read(key, NULL, binary);
}

static void
backend_write(const char *id, const cu_blob *binary, const char *source)
{
    unsigned char key[CUPRIC_SHA256_NBYTES];

    backend_key(id, key);
    cu_disk_write(key, &(cu_depends){0}, binary, source);
}

void
cu_cache_share(void)
{
    cu_device_set_cache(backend_read, backend_write);
}

void
cu_cache_counts(int64_t *compiled, int64_t *read)
{
    pthread_mutex_lock(&lock);
    *compiled = ncompiled;
    *read = nread;
    pthread_mutex_unlock(&lock);
}

int64_t
cu_cache_shipped(void)
{
    int64_t n;

    pthread_mutex_lock(&lock);
    n = nshipped;
    pthread_mutex_unlock(&lock);
    return n;
}
