/* cuda/nvrtc_input.c: see nvrtc_input.h. */
#include "cuda/nvrtc_input.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/libraries.h"
#include "cuda/services.h"

#define MINIMAL_SINCE 12004 /* of which version --minimal is an option */
#define N(array) (sizeof(array) / sizeof *(array))

/* ---- headers that kernels include and NVRTC has not ------------------------------------- */

#define OFFSETOF_IS(joint)                                                             \
    "offsetof(type, member)" joint                                                     \
    "((size_t)((char *)&((type *)16)->member - (char *)16))"
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
#define DEFINITIONS                                                                    \
    "#pragma once\n"                                                                   \
    "typedef decltype(nullptr) nullptr_t;\n"                                           \
    "namespace std {\nusing ::size_t; using ::ptrdiff_t; using ::nullptr_t;\n}\n"      \
    "#ifndef offsetof\n#define " OFFSETOF_IS(" ") "\n#endif\n"
#define MATHEMATICS                                                                    \
    "#pragma once\n"                                                                   \
    "#ifndef M_PI\n#define M_PI 3.14159265358979323846\n"                              \
    "#define M_E 2.7182818284590452354\n#define M_PI_2 1.57079632679489661923\n"       \
    "#define M_SQRT2 1.41421356237309504880\n#endif\n"                                 \
    "#ifndef INFINITY\n#define INFINITY __int_as_float(0x7f800000)\n#endif\n"          \
    "#ifndef NAN\n#define NAN __int_as_float(0x7fc00000)\n#endif\n"

#define LIMITS "#include \"cupric/standard_limits.hpp\"\n"
/* Of CUB what a kernel calls; the rest launches kernels, which NVRTC does not compile. */
#define CUB                                                                            \
    "#pragma once\n"                                                                   \
    "#include <cub/block/block_adjacent_difference.cuh>\n"                             \
    "#include <cub/block/block_discontinuity.cuh>\n"                                   \
    "#include <cub/block/block_exchange.cuh>\n"                                        \
    "#include <cub/block/block_histogram.cuh>\n"                                       \
    "#include <cub/block/block_load.cuh>\n"                                            \
    "#include <cub/block/block_merge_sort.cuh>\n"                                      \
    "#include <cub/block/block_radix_sort.cuh>\n"                                      \
    "#include <cub/block/block_reduce.cuh>\n"                                          \
    "#include <cub/block/block_scan.cuh>\n"                                            \
    "#include <cub/block/block_shuffle.cuh>\n"                                         \
    "#include <cub/block/block_store.cuh>\n"                                           \
    "#include <cub/warp/warp_reduce.cuh>\n"                                            \
    "#include <cub/warp/warp_scan.cuh>\n"

const cu_nvrtc_header cu_nvrtc_headers[] = {
    {"vector_functions.h", "\n"},
    {"vector_types.h", "\n"},
    {"thrust/complex.h", "#include \"cupric/complex.cuh\"\n"},
    {"type_traits", "#include \"cupric/standard_traits.hpp\"\n"},
    {"limits", LIMITS},
    {"limits.h", LIMITS},
    {"climits", LIMITS},
    {"float.h", LIMITS},
    {"cfloat", LIMITS},
    {"tuple", "#include \"cupric/standard_tuple.hpp\"\n"},
    {"utility", "#include \"cupric/standard_tuple.hpp\"\n"},
    {"cub/cub.cuh", CUB},
    {"stdint.h", INTEGERS},
    {"cstdint", INTEGERS},
    {"math.h", MATHEMATICS},
    {"cmath", MATHEMATICS},
    {"stddef.h", DEFINITIONS},
    {"cstddef", DEFINITIONS},
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
    {NULL, NULL},
};

/* ---- options ---------------------------------------------------------------------------- */

static void
add(cu_nvrtc_options *o, const char *word)
{
    if (o->n < CUPRIC_NVRTC_MAX_OPTIONS) o->words[o->n++] = word;
}

static void
add_joined(cu_nvrtc_options *o, const char *a, const char *b)
{
    const size_t n = strlen(a) + strlen(b) + 1;
    char *text = o->nmade < CUPRIC_NVRTC_MAX_OPTIONS ? malloc(n) : NULL;

    if (!text) return;
    snprintf(text, n, "%s%s", a, b);
    o->made[o->nmade++] = text;
    add(o, text);
}

void
cu_nvrtc_options_release(cu_nvrtc_options *o)
{
    for (int i = 0; i < o->nmade; i++) free(o->made[i]);
}

/* Whether an option says what `name` does: -name, --name, --name=…. */
static bool
option_is(const char *option, const char *name)
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

char *
cu_nvrtc_with_macros(const cu_compile *args)
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

/* Macros that every kernel knows, on a GPU as on the host device. */
static const struct {
    const char *name, *option;
} known[] = {
    {"INFINITY", "-DINFINITY=__int_as_float(0x7f800000)"},
    {"NAN", "-DNAN=__int_as_float(0x7fc00000)"},
    {"offsetof", "-D" OFFSETOF_IS("=")},
};

static bool
is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether a source has a word; *defines: behind `define`, as its own macro. */
static bool
has_word(const char *source, const char *word, bool *defines)
{
    const size_t n = strlen(word);
    bool found = false;

    for (const char *p = source; (p = strstr(p, word)); p += n) {
        const char *before = p;
        if ((p > source && is_word(p[-1])) || is_word(p[n])) continue;
        found = true;
        while (before > source && (before[-1] == ' ' || before[-1] == '\t')) before--;
        if (before - source >= 6 && !strncmp(before - 6, "define", 6)) *defines = true;
    }
    return found;
}

bool
cu_nvrtc_has_known_macro(const char *source)
{
    bool defines = false;

    for (size_t i = 0; i < N(known); i++) {
        if (has_word(source, known[i].name, &defines)) return true;
    }
    return false;
}

static void
add_known_macros(cu_nvrtc_options *o, const char *source)
{
    for (size_t i = 0; i < N(known); i++) {
        bool defines = false;
        has_word(source, known[i].name, &defines);
        if (!defines) add(o, known[i].option);
    }
}

/* Whether an option names an architecture; it counts (*use) if that is the device's own,
 * as sm_90a is of sm_90: code for another would not run. */
static bool
is_arch(const char *option, const char *arch, bool *use)
{
    const char *digits = strpbrk(option, "0123456789");
    const char *own = strpbrk(arch, "0123456789");

    if (!option_is(option, "arch") && !option_is(option, "gpu-architecture"))
        return false;
    *use = digits && own && strtol(digits, NULL, 10) == strtol(own, NULL, 10);
    return true;
}

/* Whether an option asks for C++ before C++17, in which our headers and NVIDIA's are written.
 * A source that includes any is compiled as that; one that does not may have what C++17 took
 * away. */
static bool
is_old_standard(const char *option, const char *source)
{
    static const char *const old[] = {"c++03", "c++11", "c++14"};
    const char *value = strchr(option, '=');

    if (!option_is(option, "std") || !value || !strstr(source, "include")) return false;
    for (size_t i = 0; i < N(old); i++) {
        if (!strcmp(value + 1, old[i])) return true;
    }
    return false;
}

static void
add_users_options(cu_nvrtc_options *o, const char *arch, const cu_compile *args,
                  bool macros_too, bool *has_std, bool *has_arch)
{
    bool undefines, use;

    for (int i = 0; i < args->noptions; i++) {
        const char *option = args->options[i];
        const char *m = macro_of(args->options, args->noptions, &i, &undefines);
        *has_std |= option_is(option, "std");
        if (is_arch(option, arch, &use)) {
            *has_arch |= use;
            if (use) add(o, option);
        } else if (m) {
            if (macros_too) add_joined(o, undefines ? "-U" : "-D", m);
        } else if (is_old_standard(option, args->source)) {
            add(o, "--std=c++17");
            add(o, "-Dregister="); /* a word that had no effect before */
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

void
cu_nvrtc_options_add(cu_nvrtc_options *o, int version, const char *arch,
                     const cu_compile *args, bool macros_too, bool known_macros)
{
    bool has_std = false, has_arch = false;
    const char *toolkit = cu_cuda_toolkit_include();

    add_users_options(o, arch, args, macros_too, &has_std, &has_arch);
    if (!has_std) add(o, "--std=c++17");
    if (!has_arch) add_joined(o, "--gpu-architecture=", arch);
    add(o, "--diag-suppress=47"); /* the toolkit's <cstdint> after ours */
    add(o, "--device-as-default-execution-space");
    if (version >= MINIMAL_SINCE && is_minimal(args)) add(o, "--minimal");
    if (known_macros) add_known_macros(o, args->source);
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

_Static_assert(N(cu_nvrtc_headers) <= CUPRIC_NVRTC_MAX_HEADERS, "as the header says");
