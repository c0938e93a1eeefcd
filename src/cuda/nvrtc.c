/* cuda/nvrtc.c: compiling CUDA source in the process.
 *
 * A binary is the compiler's cubin behind a table of names:
 *
 *     "CUPRICK1"  uint32 bytes before the image  uint32 pairs  name\0lowered\0 …  image
 *
 * since a kernel asked for as "scale<float>" has another name in the image.
 */
#include "cuda/nvrtc.h"

#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/libraries.h"
#include "cuda/nvrtc_input.h"
#include "cuda/services.h"
#include "device/kernel_name.h"

#define MAGIC "CUPRICK1"
#define MAX_PATH 4096
#define N(array) (sizeof(array) / sizeof *(array))

/* What is used of nvrtc.h, whose numbers and signatures do not change. */
typedef struct program *nvrtc_program;
typedef int nvrtc_result; /* 0: success */

static struct {
#define SYMBOL CUPRIC_SYMBOL_FIELD
#include "cuda/nvrtc.def"
#undef SYMBOL
} nvrtc;

static const char *const entries[] = {
#define SYMBOL CUPRIC_SYMBOL_NAME
#include "cuda/nvrtc.def"
#undef SYMBOL
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards loading the table */
static bool loaded;

static cu_status
load(void)
{
    void *slots[N(entries)];
    cu_status st = CUPRIC_OK;

    if (__atomic_load_n(&loaded, __ATOMIC_ACQUIRE)) return CUPRIC_OK;
    pthread_mutex_lock(&lock);
    if (!loaded) {
        st = cu_cuda_library_table(CUPRIC_NVRTC, entries, slots, N(entries));
        if (!st) {
            memcpy(&nvrtc, slots, sizeof nvrtc);
            __atomic_store_n(&loaded, true, __ATOMIC_RELEASE);
        }
    }
    pthread_mutex_unlock(&lock);
    return st;
}

int
cu_cuda_nvrtc_version(void)
{
    int major = 0, minor = 0;

    if (load() || nvrtc.version(&major, &minor)) return 0;
    return 1000 * major + minor;
}

/* ---- the compilation ---------------------------------------------------------------------- */

/* What only the compiler can find: an instance of a template, a name in a namespace. */
static bool
is_expression(const char *name)
{
    return strpbrk(name, "<:&(") != NULL;
}

/* Whether the compiler complained that it cannot look up a plain name: a variable's, or
 * one that only the image has. */
static bool
log_names(const char *log, const char *name)
{
    static const char mark[] = "#pragma nv_mangled_name ";
    const size_t n = strlen(name);

    if (!log || is_expression(name)) return false;
    while ((log = strstr(log, mark))) {
        log += sizeof mark - 1;
        if (!strncmp(log, name, n) && (log[n] == '\n' || log[n] == '\0')) return true;
    }
    return false;
}

static void
take_log(nvrtc_program p, cu_blob *log)
{
    size_t n = 0;

    free(log->data);
    *log = (cu_blob){0};
    if (nvrtc.log_size(p, &n) || n <= 1) return;
    log->data = malloc(n + 1);
    if (!log->data) return;
    nvrtc.log(p, log->data);
    log->data[n] = '\0';
    log->nbytes = strlen(log->data);
}

/* Write the table of names and reserve `image` bytes behind it. */
static char *
make_binary(nvrtc_program p, const cu_compile *args, size_t image, cu_blob *out)
{
    const char *lowered;
    uint32_t pairs = 0, before;
    size_t n = sizeof MAGIC - 1 + 2 * sizeof before;

    for (int i = 0; i < args->nnames; i++) {
        if (nvrtc.lowered(p, args->names[i], &lowered)) continue;
        n += strlen(args->names[i]) + strlen(lowered) + 2;
    }
    n = (n + 63) / 64 * 64;
    out->data = calloc(1, n + image + 1);
    if (!out->data) return NULL;
    out->nbytes = n + image;
    char *at = out->data + sizeof MAGIC - 1 + 2 * sizeof before;
    for (int i = 0; i < args->nnames; i++) {
        if (nvrtc.lowered(p, args->names[i], &lowered)) continue;
        at = stpcpy(at, args->names[i]) + 1;
        at = stpcpy(at, lowered) + 1;
        pairs++;
    }
    before = (uint32_t)n;
    memcpy(out->data, MAGIC, sizeof MAGIC - 1);
    memcpy(out->data + sizeof MAGIC - 1, &before, sizeof before);
    memcpy(out->data + sizeof MAGIC - 1 + sizeof before, &pairs, sizeof pairs);
    return out->data + n;
}

static cu_status
take_binary(nvrtc_program p, const cu_compile *args, cu_blob *out)
{
    size_t n = 0;
    bool assembly = false;
    char *image;
    nvrtc_result r = nvrtc.cubin_size(p, &n);

    if (r || n == 0) { /* compiled for a virtual architecture */
        r = nvrtc.ptx_size(p, &n);
        assembly = true;
    }
    if (r)
        return cu_fail(CUPRIC_ERR_COMPILE, "NVRTC gave no binary: %s", nvrtc.error(r));
    image = make_binary(p, args, n, out);
    if (!image) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a compiled kernel");
    r = assembly ? nvrtc.ptx(p, image) : nvrtc.cubin(p, image);
    if (!r) return CUPRIC_OK;
    free(out->data);
    *out = (cu_blob){0};
    return cu_fail(CUPRIC_ERR_COMPILE, "NVRTC gave no binary: %s", nvrtc.error(r));
}

/* One run of the compiler. Plain names are looked up as expressions are, so that kernels
 * are found that are not extern "C", but for those that `earlier_log` mentions. */
static cu_status
compile_once(const cu_nvrtc_options *o, const cu_compile *args, const char *earlier_log,
             cu_blob *binary, cu_blob *log)
{
    const char *texts[CUPRIC_NVRTC_MAX_HEADERS], *names[CUPRIC_NVRTC_MAX_HEADERS];
    int nheaders = 0;
    nvrtc_program p;
    nvrtc_result r;
    cu_status st;

    for (const cu_nvrtc_header *h = cu_nvrtc_headers; h->name; h++) {
        texts[nheaders] = h->text;
        names[nheaders++] = h->name;
    }
    r = nvrtc.create(&p, args->source, args->file ? args->file : "kernel.cu", nheaders,
                     texts, names);
    if (r) return cu_fail(CUPRIC_ERR_COMPILE, "NVRTC: %s", nvrtc.error(r));
    for (int i = 0; i < args->nnames && !r; i++) {
        if (!log_names(earlier_log, args->names[i]))
            r = nvrtc.add_name(p, args->names[i]);
    }
    if (!r) r = nvrtc.compile(p, o->n, o->words);
    take_log(p, log);
    st = r ? cu_fail(CUPRIC_ERR_COMPILE, "%s", log->data ? log->data : nvrtc.error(r))
           : take_binary(p, args, binary);
    nvrtc.destroy(&p);
    return st;
}

/* One run, or two where names turn out to be none. */
static cu_status
compile_names(const char *arch, const cu_compile *args, bool macros_too,
              bool known_macros, cu_blob *binary, cu_blob *log)
{
    cu_nvrtc_options o = {0};
    cu_status st;

    cu_nvrtc_options_add(&o, cu_cuda_nvrtc_version(), arch, args, macros_too,
                         known_macros);
    st = compile_once(&o, args, NULL, binary, log);
    if (st == CUPRIC_ERR_COMPILE && log->data && strstr(log->data, "__nv_name_map")) {
        const cu_blob earlier_log = *log;
        *log = (cu_blob){0};
        st = compile_once(&o, args, earlier_log.data, binary, log);
        free(earlier_log.data);
    }
    cu_nvrtc_options_release(&o);
    return st;
}

/* A source that failed, once more: as nvcc takes it, where `__forceinline__ inline` is no
 * word twice, and without our macros, where it declares their names itself. The first log
 * is kept where that fails, too. */
static cu_status
compile_otherwise(const char *arch, const cu_compile *args, bool macros_too,
                  cu_blob *binary, cu_blob *log)
{
    static const char once[] =
        "#define __forceinline__ __attribute__((always_inline))\n#line 1\n";
    const bool twice = log->data && strstr(log->data, "duplicate specifier");
    cu_compile other = *args;
    cu_blob other_log = {0};
    char *text = NULL; /* owned */
    cu_status st;

    if (twice && (text = malloc(sizeof once + strlen(args->source)))) {
        sprintf(text, "%s%s", once, args->source);
        other.source = text;
    }
    st = compile_names(arch, &other, macros_too, twice, binary, &other_log);
    if (st && twice && cu_nvrtc_has_known_macro(args->source))
        st = compile_names(arch, &other, macros_too, false, binary, &other_log);
    free(text);
    if (st) {
        free(other_log.data);
        return cu_fail(CUPRIC_ERR_COMPILE, "%s", log->data);
    }
    free(log->data);
    *log = other_log;
    return CUPRIC_OK;
}

cu_status
cu_cuda_nvrtc_compile(const char *arch, const cu_compile *args, cu_blob *binary,
                      cu_blob *log)
{
    cu_compile behind = *args;
    char *text; /* owned */
    cu_status st = load();

    if (st) return st;
    text = cu_nvrtc_with_macros(args);
    if (text) behind.source = text;
    st = compile_names(arch, &behind, text == NULL, true, binary, log);
    if (st == CUPRIC_ERR_COMPILE && log->data &&
        (cu_nvrtc_has_known_macro(args->source) ||
         strstr(log->data, "duplicate specifier"))) {
        st = compile_otherwise(arch, &behind, text == NULL, binary, log);
    }
    free(text);
    return st;
}

/* The newest architecture of this compiler that the device can run: its own, or assembly
 * that the driver finishes, where the user asks for that, too. */
static cu_status
arch_of(int ordinal, char *out, size_t nout)
{
    const cu_cuda_device *d = cu_cuda_device_at(ordinal);
    const int own = 10 * d->major + d->minor;
    int known[64], n = 0, best = 0;
    const char *setting;
    bool to_assembly;
    cu_status st = load();

    if (st) return st;
    if (nvrtc.n_archs(&n) || n > (int)N(known) || nvrtc.archs(known)) n = 0;
    for (int i = 0; i < n; i++) {
        if (known[i] <= own && known[i] > best) best = known[i];
    }
    if (best == 0) best = own;
    setting = cu_cuda_services->setting("CUPY_COMPILE_WITH_PTX");
    to_assembly = best != own || (setting && strcmp(setting, "1") == 0);
    snprintf(out, nout, to_assembly ? "compute_%d" : "sm_%d", best);
    return CUPRIC_OK;
}

/* NVRTC does not report which files it read. */
cu_status
cu_cuda_compile(int ordinal, const cu_compile *args, cu_blob *binary, cu_blob *log,
                cu_blob *files)
{
    char arch[32];
    cu_status st = arch_of(ordinal, arch, sizeof arch);

    *files = (cu_blob){0};
    return st ? st : cu_cuda_nvrtc_compile(arch, args, binary, log);
}

/* ---- reading a binary --------------------------------------------------------------------- */

static bool
is_ours(const void *binary, size_t nbytes, uint32_t *before, uint32_t *pairs)
{
    const char *p = binary;

    if (nbytes < sizeof MAGIC - 1 + 8 || memcmp(p, MAGIC, sizeof MAGIC - 1))
        return false;
    memcpy(before, p + sizeof MAGIC - 1, sizeof *before);
    memcpy(pairs, p + sizeof MAGIC - 1 + sizeof *before, sizeof *pairs);
    return *before <= nbytes;
}

const void *
cu_cuda_binary_image(const void *binary, size_t nbytes)
{
    uint32_t before, pairs;

    if (!is_ours(binary, nbytes, &before, &pairs)) return binary;
    return (const char *)binary + before;
}

const char *
cu_cuda_binary_lowered(const void *binary, size_t nbytes, const char *name)
{
    uint32_t before, pairs;
    const char *at;

    if (!is_ours(binary, nbytes, &before, &pairs)) return NULL;
    at = (const char *)binary + sizeof MAGIC - 1 + 2 * sizeof before;
    for (uint32_t i = 0; i < pairs; i++) {
        const char *lowered = at + strlen(at) + 1;
        if (cu_kernel_name_is(at, name)) return lowered;
        at = lowered + strlen(lowered) + 1;
    }
    return NULL;
}

/* ---- what a binary depends on ---------------------------------------------------------------- */

static void
hash_bytes(uint64_t *h, const char *data, size_t n)
{
    for (size_t i = 0; i < n; i++) *h = (*h ^ (unsigned char)data[i]) * 0x100000001b3u;
}

static void
hash_file(uint64_t *h, const char *path)
{
    char buffer[16384];
    size_t n;
    FILE *f = fopen(path, "rbe");

    if (!f) return;
    while ((n = fread(buffer, 1, sizeof buffer, f)) > 0) hash_bytes(h, buffer, n);
    fclose(f);
}

/* Sums, since a folder lists its files in no order. */
static uint64_t
hash_folder(const char *folder)
{
    char path[MAX_PATH];
    struct dirent *e;
    struct stat info;
    uint64_t sum = 0;
    DIR *d = opendir(folder);

    if (!d) return 0;
    while ((e = readdir(d))) {
        uint64_t h = 0xcbf29ce484222325u;
        if (e->d_name[0] == '.') continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >=
            (int)sizeof path) {
            continue;
        }
        if (stat(path, &info)) continue;
        hash_bytes(&h, e->d_name, strlen(e->d_name));
        if (S_ISDIR(info.st_mode)) {
            h += hash_folder(path);
        } else {
            hash_file(&h, path);
        }
        sum += h;
    }
    closedir(d);
    return sum;
}

cu_status
cu_cuda_compiler_id(int ordinal, const char **out)
{
    static char ids[CUPRIC_CUDA_MAXDEVICES][96]; /* guarded by the lock */
    static const char *const folders[] = {"cupric", "cupy"};
    char folder[MAX_PATH], arch[32];
    uint64_t headers = 0;
    const int version = cu_cuda_nvrtc_version();
    cu_status st = arch_of(ordinal, arch, sizeof arch);

    if (st) return st;
    pthread_mutex_lock(&lock);
    if (!ids[ordinal][0]) {
        for (size_t i = 0; i < N(folders); i++) {
            snprintf(folder, sizeof folder, "%s/include/%s",
                     cu_cuda_services->package_dir, folders[i]);
            headers += hash_folder(folder);
        }
        snprintf(ids[ordinal], sizeof ids[ordinal], "nvrtc %d.%d %s %016llx",
                 version / 1000, version % 1000, arch, (unsigned long long)headers);
    }
    pthread_mutex_unlock(&lock);
    *out = ids[ordinal];
    return CUPRIC_OK;
}
