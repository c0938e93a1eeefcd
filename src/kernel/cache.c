/* kernel/cache.c: compiled kernels: in memory, on disk, from the compiler. */
#include "kernel/cache.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env.h"
#include "kernel/disk.h"
#include "kernel/sha256.h"

#define MAX_INCLUDE_DEPTH 8
#define MAX_INCLUDE_BYTES (16u << 20)
#define NBUCKETS 256

typedef struct loaded {
    struct loaded *next;
    unsigned char key[CUPRIC_SHA256_NBYTES];
    cu_device *device;
    cu_module *module;
} loaded;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static loaded *buckets[NBUCKETS]; /* guarded by the lock; entries live for ever */
static int64_t ncompiled, nread;  /* guarded by the lock */

/* ---- the key ------------------------------------------------------------------------------- */

static void
take_text(cu_sha256 *h, const char *text)
{
    cu_sha256_update(h, text, strlen(text) + 1);
}

static char *
read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long n;

    if (!f) return NULL;
    if (fseek(f, 0, SEEK_END) == 0 && (n = ftell(f)) >= 0 && n < MAX_INCLUDE_BYTES &&
        fseek(f, 0, SEEK_SET) == 0 && (text = malloc((size_t)n + 1))) {
        text[fread(text, 1, (size_t)n, f)] = '\0';
    }
    fclose(f);
    return text;
}

/* The folder of an option -I, or NULL. */
static const char *
include_folder(const cu_compile *args, int *i)
{
    const char *option = args->options[*i];

    if (!strncmp(option, "-I", 2)) {
        if (option[2]) return option + 2;
        return *i + 1 < args->noptions ? args->options[++*i] : NULL;
    }
    if (!strncmp(option, "--include-path=", 15)) return option + 15;
    if (!strncmp(option, "-include-path=", 14)) return option + 14;
    return NULL;
}

static void take_includes(cu_sha256 *h, const char *text, const cu_compile *args,
                          int depth);

/* A header that the user's folders have: its content is part of the key. Others belong to
 * the compiler, for which compiler_id speaks. */
static void
take_header(cu_sha256 *h, const char *name, size_t n, const cu_compile *args, int depth)
{
    char path[4096];

    for (int i = 0; i < args->noptions; i++) {
        const char *folder = include_folder(args, &i);
        if (!folder) continue;
        if (snprintf(path, sizeof path, "%s/%.*s", folder, (int)n, name) >=
            (int)sizeof path) {
            continue;
        }
        char *text = read_text(path);
        if (!text) continue;
        take_text(h, path);
        take_text(h, text);
        take_includes(h, text, args, depth + 1);
        free(text);
        return;
    }
}

static void
take_includes(cu_sha256 *h, const char *text, const cu_compile *args, int depth)
{
    if (depth > MAX_INCLUDE_DEPTH) return;
    for (const char *p = text; (p = strchr(p, '#')); p++) {
        const char *word = p + 1 + strspn(p + 1, " \t");
        if (strncmp(word, "include", 7)) continue;
        const char *open = word + 7 + strspn(word + 7, " \t");
        if (*open != '"' && *open != '<') continue;
        const size_t n = strcspn(open + 1, "\">\n");
        take_header(h, open + 1, n, args, depth);
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
    take_text(&h, device->backend->name);
    take_text(&h, id);
    take_text(&h, args->file ? args->file : "");
    take_text(&h, args->source);
    for (int i = 0; i < args->noptions; i++) take_text(&h, args->options[i]);
    take_text(&h, "");
    for (int i = 0; i < args->nnames; i++) take_text(&h, args->names[i]);
    take_text(&h, "");
    if (args->noptions) take_includes(&h, args->source, args, 0);
    cu_sha256_finish(&h, key);
    return CUPRIC_OK;
}

/* ---- in memory -------------------------------------------------------------------------------- */

static loaded *
find_locked(cu_device *device, const unsigned char *key)
{
    loaded *e = buckets[key[0]];

    while (e && (e->device != device || memcmp(e->key, key, sizeof e->key)))
        e = e->next;
    return e;
}

static cu_module *
find(cu_device *device, const unsigned char *key)
{
    loaded *e;

    pthread_mutex_lock(&lock);
    e = find_locked(device, key);
    pthread_mutex_unlock(&lock);
    return e ? e->module : NULL;
}

/* Keep a module that was just loaded. Another thread may have been faster: its module is
 * the one, since the variables of a module exist once. */
static cu_status
keep(cu_device *device, const unsigned char *key, cu_module **module)
{
    loaded *e = malloc(sizeof *e), *other;

    if (!e) {
        device->backend->module_free(*module);
        return cu_fail(CUPRIC_ERR_MEMORY, "no memory to keep a kernel");
    }
    memcpy(e->key, key, sizeof e->key);
    e->device = device;
    e->module = *module;
    pthread_mutex_lock(&lock);
    other = find_locked(device, key);
    if (!other) {
        e->next = buckets[key[0]];
        buckets[key[0]] = e;
    }
    pthread_mutex_unlock(&lock);
    if (other) {
        device->backend->module_free(*module);
        free(e);
        *module = other->module;
    }
    return CUPRIC_OK;
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
load_from_disk(cu_device *device, const unsigned char *key, cu_module **out)
{
    cu_blob binary = {0};
    bool good;

    if (!cu_disk_read(key, &binary)) return false;
    good =
        !device->backend->module_load(device->ordinal, binary.data, binary.nbytes, out);
    free(binary.data);
    if (good) count(&nread);
    return good;
}

static cu_status
load_compiled(cu_device *device, const cu_compile *args, const unsigned char *key,
              cu_module **out, cu_blob *log)
{
    cu_blob binary = {0};
    cu_status st;

    if (cu_setting_int("CUPRIC_DEBUG", 0) >= 3) {
        fprintf(stderr, "cupric: compiling %s\n%s\n", args->file, args->source);
    }
    st = device->backend->compile(device->ordinal, args, &binary, log);
    if (st) return st;
    count(&ncompiled);
    st = device->backend->module_load(device->ordinal, binary.data, binary.nbytes, out);
    if (!st) cu_disk_write(key, &binary, args->source);
    free(binary.data);
    free(log->data);
    *log = (cu_blob){0};
    return st;
}

cu_status
cu_cache_module(cu_device *device, const cu_compile *args, cu_module **out,
                cu_blob *log)
{
    unsigned char key[CUPRIC_SHA256_NBYTES];
    cu_module *m;
    cu_status st;

    *log = (cu_blob){0};
    st = make_key(device, args, key);
    if (st) return st;
    m = find(device, key);
    if (!m) {
        if (!load_from_disk(device, key, &m)) {
            st = load_compiled(device, args, key, &m, log);
        }
        if (!st) st = keep(device, key, &m);
    }
    if (!st) *out = m;
    return st;
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
        if (!st) st = keep(device, key, &m);
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
    return cu_disk_read(key, binary);
}

static void
backend_write(const char *id, const cu_blob *binary, const char *source)
{
    unsigned char key[CUPRIC_SHA256_NBYTES];

    backend_key(id, key);
    cu_disk_write(key, binary, source);
}

void
cu_cache_lend(void)
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
