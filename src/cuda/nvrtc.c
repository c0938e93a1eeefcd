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
#include "cuda/services.h"
#include "device/kernel_name.h"

#define MAGIC "CUPRICK1"
#define MAX_OPTIONS 256
#define MAX_PATH 4096
#define MINIMAL_SINCE 12004 /* of which version --minimal is an option */
#define N(array) (sizeof(array) / sizeof *(array))

/* What is used of nvrtc.h, whose numbers and signatures do not change. */
typedef struct program *nvrtc_program;
typedef int nvrtc_result; /* 0: success */

static struct {
    nvrtc_result (*version)(int *major, int *minor);
    nvrtc_result (*create)(nvrtc_program *out, const char *source, const char *file,
                           int nheaders, const char *const *headers,
                           const char *const *names);
    nvrtc_result (*destroy)(nvrtc_program *p);
    nvrtc_result (*add_name)(nvrtc_program p, const char *name);
    nvrtc_result (*compile)(nvrtc_program p, int n, const char *const *options);
    nvrtc_result (*lowered)(nvrtc_program p, const char *name, const char **out);
    nvrtc_result (*log_size)(nvrtc_program p, size_t *n);
    nvrtc_result (*log)(nvrtc_program p, char *out);
    nvrtc_result (*cubin_size)(nvrtc_program p, size_t *n);
    nvrtc_result (*cubin)(nvrtc_program p, char *out);
    nvrtc_result (*ptx_size)(nvrtc_program p, size_t *n);
    nvrtc_result (*ptx)(nvrtc_program p, char *out);
    nvrtc_result (*n_archs)(int *n);
    nvrtc_result (*archs)(int *out);
    const char *(*error)(nvrtc_result r);
} nvrtc;

static const char *const entries[] = {
    "nvrtcVersion",
    "nvrtcCreateProgram",
    "nvrtcDestroyProgram",
    "nvrtcAddNameExpression",
    "nvrtcCompileProgram",
    "nvrtcGetLoweredName",
    "nvrtcGetProgramLogSize",
    "nvrtcGetProgramLog",
    "nvrtcGetCUBINSize",
    "nvrtcGetCUBIN",
    "nvrtcGetPTXSize",
    "nvrtcGetPTX",
    "nvrtcGetNumSupportedArchs",
    "nvrtcGetSupportedArchs",
    "nvrtcGetErrorString",
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

/* ---- headers that kernels include and NVRTC has not ------------------------------------- */

#define COMPLEX                                                                        \
    "#pragma once\n#include \"cupric/device_types.hpp\"\nusing cupric::complex;\n"     \
    "namespace thrust { using namespace cupric; }\n"
#define INTEGERS                                                                       \
    "#pragma once\n"                                                                   \
    "typedef signed char int8_t;\ntypedef short int16_t;\ntypedef int int32_t;\n"      \
    "typedef long long int64_t;\ntypedef unsigned char uint8_t;\n"                     \
    "typedef unsigned short uint16_t;\ntypedef unsigned int uint32_t;\n"               \
    "typedef unsigned long long uint64_t;\ntypedef long long intptr_t;\n"              \
    "typedef unsigned long long uintptr_t;\n"                                          \
    "#define INT32_MAX 2147483647\n#define UINT32_MAX 4294967295u\n"                   \
    "#define INT64_MAX 9223372036854775807ll\n"                                        \
    "#define UINT64_MAX 18446744073709551615ull\n"                                     \
    "namespace std {\nusing ::int8_t; using ::int16_t; using ::int32_t;\n"             \
    "using ::int64_t; using ::uint8_t; using ::uint16_t; using ::uint32_t;\n"          \
    "using ::uint64_t;\n}\n"
#define MATHEMATICS                                                                    \
    "#pragma once\n"                                                                   \
    "#ifndef M_PI\n#define M_PI 3.14159265358979323846\n"                              \
    "#define M_E 2.7182818284590452354\n#define M_PI_2 1.57079632679489661923\n"       \
    "#define M_SQRT2 1.41421356237309504880\n#endif\n"                                 \
    "#ifndef INFINITY\n#define INFINITY __int_as_float(0x7f800000)\n#endif\n"          \
    "#ifndef NAN\n#define NAN __int_as_float(0x7fc00000)\n#endif\n"

static const struct {
    const char *name, *text;
} headers[] = {
    {"cupric/complex.cuh", COMPLEX},
    {"cupy/complex.cuh", COMPLEX},
    {"cupy/carray.cuh", "#include \"cupric/kernel.hpp\"\n"},
    {"cupy/atomics.cuh", "\n"},
    {"vector_functions.h", "\n"},
    {"vector_types.h", "\n"},
    {"thrust/complex.h", COMPLEX},
    {"stdint.h", INTEGERS},
    {"cstdint", INTEGERS},
    {"math.h", MATHEMATICS},
    {"cmath", MATHEMATICS},
    {"stddef.h", "\n"},
    {"cstddef", "\n"},
    {"stdio.h", "\n"},
    {"cstdio", "\n"},
    {"stdlib.h", "\n"},
    {"cstdlib", "\n"},
    {"string.h", "\n"},
    {"cstring", "\n"},
    {"assert.h", "\n"},
    {"cassert", "\n"},
    {"cuda_runtime.h", "\n"},
    {"cuda_runtime_api.h", "\n"},
    {"cuda.h", "\n"},
    {"device_launch_parameters.h", "\n"},
    {"math_functions.h", MATHEMATICS},
    {"device_functions.h", "\n"},
};

/* ---- options ---------------------------------------------------------------------------- */

typedef struct option_list {
    const char *words[MAX_OPTIONS];
    int n;
    char *made[MAX_OPTIONS]; /* owned */
    int nmade;
} option_list;

static void
add(option_list *o, const char *word)
{
    if (o->n < MAX_OPTIONS) o->words[o->n++] = word;
}

static void
add_joined(option_list *o, const char *a, const char *b)
{
    const size_t n = strlen(a) + strlen(b) + 1;
    char *text = o->nmade < MAX_OPTIONS ? malloc(n) : NULL;

    if (!text) return;
    snprintf(text, n, "%s%s", a, b);
    o->made[o->nmade++] = text;
    add(o, text);
}

static void
clear_options(option_list *o)
{
    for (int i = 0; i < o->nmade; i++) free(o->made[i]);
}

/* Whether an option says what `name` does: -name, --name, --name=…. */
static bool
says(const char *option, const char *name)
{
    const size_t n = strlen(name);

    while (*option == '-') option++;
    return strncmp(option, name, n) == 0 && (option[n] == '\0' || option[n] == '=');
}

/* The text of an option that defines or undefines a macro: NAME, NAME=value. */
static const char *
macro_of(const char *const *options, int n, int *i, bool *undefines)
{
    static const char *const longs[] = {"define-macro=", "undefine-macro="};
    const char *option = options[*i];

    *undefines = option[0] == '-' && option[1] == 'U';
    if (*undefines || (option[0] == '-' && option[1] == 'D')) {
        if (option[2]) return option + 2;
        return *i + 1 < n ? options[++*i] : NULL;
    }
    while (*option == '-') option++;
    for (int k = 0; k < 2; k++) {
        *undefines = k == 1;
        if (!strncmp(option, longs[k], strlen(longs[k])))
            return option + strlen(longs[k]);
    }
    return NULL;
}

/* Whether the source includes headers of ours, which a user's macros must not reach. */
static bool
uses_our_headers(const char *source)
{
    return strstr(source, "cupric/") || strstr(source, "cupy/");
}

/* The source behind the headers it uses and the macros of the options; NULL where it can
 * stay as it is. Owned by the caller. */
static char *
with_macros(const cu_compile *args)
{
    const bool kernel =
        strstr(args->source, "cupric/kernel") || strstr(args->source, "carray.cuh");
    size_t nbytes = strlen(args->source) + 256;
    int macros = 0;
    bool undefines;
    char *text, *at;

    if (!uses_our_headers(args->source)) return NULL;
    for (int i = 0; i < args->noptions; i++) {
        const char *m = macro_of(args->options, args->noptions, &i, &undefines);
        macros += m != NULL;
        if (m) nbytes += strlen(m) + 16;
    }
    if (!macros || !(text = malloc(nbytes))) return NULL;
    at = text + sprintf(text, "#include \"cupric/%s\"\n",
                        kernel ? "kernel.hpp" : "complex.cuh");
    for (int i = 0; i < args->noptions; i++) {
        const char *m = macro_of(args->options, args->noptions, &i, &undefines);
        const char *value = m ? strchr(m, '=') : NULL;
        if (!m) continue;
        if (undefines) {
            at += sprintf(at, "#undef %s\n", m);
        } else {
            at += sprintf(at, "#define %.*s %s\n",
                          value ? (int)(value - m) : (int)strlen(m), m,
                          value ? value + 1 : "1");
        }
    }
    sprintf(at, "#line 1\n%s", args->source);
    return text;
}

/* Whether an option names an architecture; it counts (*use) if that is the device's own,
 * as sm_90a is of sm_90: code for another would not run. */
static bool
is_arch(const char *option, const char *arch, bool *use)
{
    const char *digits = strpbrk(option, "0123456789");
    const char *own = strpbrk(arch, "0123456789");

    if (!says(option, "arch") && !says(option, "gpu-architecture")) return false;
    *use = digits && own && strtol(digits, NULL, 10) == strtol(own, NULL, 10);
    return true;
}

static void
add_users_options(option_list *o, const char *arch, const cu_compile *args,
                  bool macros_too, bool *has_std, bool *has_arch)
{
    bool undefines, use;

    for (int i = 0; i < args->noptions; i++) {
        const char *option = args->options[i];
        const char *m = macro_of(args->options, args->noptions, &i, &undefines);
        *has_std |= says(option, "std");
        if (is_arch(option, arch, &use)) {
            *has_arch |= use;
            if (use) add(o, option);
        } else if (m) {
            if (macros_too) add_joined(o, undefines ? "-U" : "-D", m);
        } else if (!strcmp(option, "-I") && i + 1 < args->noptions) {
            add_joined(o, option, args->options[++i]);
        } else {
            add(o, option);
        }
    }
}

/* Whether a source needs nothing of what NVRTC leaves out by --minimal: textures and
 * surfaces, the runtime's types and functions, launches from a kernel. What headers of
 * others need is not known. Words that only look so cost time, no more. */
static bool
is_minimal(const cu_compile *args)
{
    static const char *const words[] = {"cuda", "tex", "surf", "<<<"};

    for (size_t i = 0; i < N(words); i++) {
        if (strstr(args->source, words[i])) return false;
    }
    for (int i = 0; i < args->noptions; i++) {
        if (strstr(args->options[i], "include")) return false;
    }
    for (const char *p = args->source; (p = strstr(p, "include")); p++) {
        const char *name = p + strlen("include");
        name += strspn(name, " \t");
        if (strncmp(name, "\"cupric/", 8)) return false;
    }
    return true;
}

static void
add_options(option_list *o, const char *arch, const cu_compile *args, bool macros_too)
{
    bool has_std = false, has_arch = false;
    const char *toolkit = cu_cuda_toolkit_include();

    add_users_options(o, arch, args, macros_too, &has_std, &has_arch);
    if (!has_std) add(o, "--std=c++17");
    if (!has_arch) add_joined(o, "--gpu-architecture=", arch);
    add(o, "--diag-suppress=47"); /* the toolkit's <cstdint> after ours */
    add(o, "--device-as-default-execution-space");
    if (cu_cuda_nvrtc_version() >= MINIMAL_SINCE && is_minimal(args))
        add(o, "--minimal");
    add(o, "-DINFINITY=__int_as_float(0x7f800000)"); /* of <math.h>, known everywhere */
    add(o, "-DNAN=__int_as_float(0x7fc00000)");
    /* Our headers have a type called half; the toolkit's keeps its longer name beside it. */
    if (strstr(args->source, "cupric/kernel") || strstr(args->source, "cupric/library"))
        add(o, "-DCUDA_NO_HALF");
    add_joined(o, "-I", cu_cuda_services->package_dir);
    o->n--;
    add_joined(o, o->words[o->n], "/include");
    if (toolkit) {
        add_joined(o, "-I", toolkit);
        add_joined(o, o->words[o->n - 1], "/cccl");
    }
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
was_refused(const char *log, const char *name)
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

/* Write the table of names and leave room for `image` bytes behind it. */
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
 * are found that are not extern "C", but for those that `complaints` mentions. */
static cu_status
compile_once(const option_list *o, const cu_compile *args, const char *complaints,
             cu_blob *binary, cu_blob *log)
{
    const char *texts[N(headers)], *names[N(headers)];
    nvrtc_program p;
    nvrtc_result r;
    cu_status st;

    for (size_t i = 0; i < N(headers); i++) {
        texts[i] = headers[i].text;
        names[i] = headers[i].name;
    }
    r = nvrtc.create(&p, args->source, args->file ? args->file : "kernel.cu",
                     (int)N(headers), texts, names);
    if (r) return cu_fail(CUPRIC_ERR_COMPILE, "NVRTC: %s", nvrtc.error(r));
    for (int i = 0; i < args->nnames && !r; i++) {
        if (!was_refused(complaints, args->names[i]))
            r = nvrtc.add_name(p, args->names[i]);
    }
    if (!r) r = nvrtc.compile(p, o->n, o->words);
    take_log(p, log);
    st = r ? cu_fail(CUPRIC_ERR_COMPILE, "%s", log->data ? log->data : nvrtc.error(r))
           : take_binary(p, args, binary);
    nvrtc.destroy(&p);
    return st;
}

cu_status
cu_cuda_nvrtc_compile(const char *arch, const cu_compile *args, cu_blob *binary,
                      cu_blob *log)
{
    option_list o = {0};
    cu_compile behind = *args;
    char *text; /* owned */
    cu_status st = load();

    if (st) return st;
    text = with_macros(args);
    add_options(&o, arch, args, text == NULL);
    if (text) behind.source = text;
    args = &behind;
    st = compile_once(&o, args, NULL, binary, log);
    if (st == CUPRIC_ERR_COMPILE && log->data && strstr(log->data, "__nv_name_map")) {
        const cu_blob complaints = *log;
        *log = (cu_blob){0};
        st = compile_once(&o, args, complaints.data, binary, log);
        free(complaints.data);
    }
    clear_options(&o);
    free(text);
    return st;
}

/* The newest architecture of this compiler that the device can run: its own, or assembly
 * that the driver finishes. */
static cu_status
arch_of(int ordinal, char *out, size_t nout)
{
    const cu_cuda_device *d = cu_cuda_device_at(ordinal);
    const int own = 10 * d->major + d->minor;
    int known[64], n = 0, best = 0;
    cu_status st = load();

    if (st) return st;
    if (nvrtc.n_archs(&n) || n > (int)N(known) || nvrtc.archs(known)) n = 0;
    for (int i = 0; i < n; i++) {
        if (known[i] <= own && known[i] > best) best = known[i];
    }
    if (best == 0) best = own;
    snprintf(out, nout, best == own ? "sm_%d" : "compute_%d", best);
    return CUPRIC_OK;
}

/* NVRTC does not tell what it read. */
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
    char folder[MAX_PATH], arch[32];
    const int version = cu_cuda_nvrtc_version();
    cu_status st = arch_of(ordinal, arch, sizeof arch);

    if (st) return st;
    pthread_mutex_lock(&lock);
    if (!ids[ordinal][0]) {
        snprintf(folder, sizeof folder, "%s/include/cupric",
                 cu_cuda_services->package_dir);
        snprintf(ids[ordinal], sizeof ids[ordinal], "nvrtc %d.%d %s %016llx",
                 version / 1000, version % 1000, arch,
                 (unsigned long long)hash_folder(folder));
    }
    pthread_mutex_unlock(&lock);
    *out = ids[ordinal];
    return CUPRIC_OK;
}
