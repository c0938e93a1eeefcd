/* host/race_text.c: see race_text.h. */
#define _GNU_SOURCE /* dladdr */
#include "host/race_text.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/process.h"

/* What a program prints; NULL where it is not there or fails. The caller frees it. */
static char *
output_of(const char *program, char *const *rest)
{
    char *argv[8] = {cu_process_find(program)};
    cu_blob out = {0}, err = {0};
    int code = -1, n = 1;

    if (!argv[0]) return NULL;
    while (*rest) argv[n++] = *rest++;
    if (cu_process_run(argv, &code, &out, &err) || code != 0) {
        free(out.data);
        out.data = NULL;
    }
    free(err.data);
    free(argv[0]);
    return out.data;
}

/* The last name within a mangled one, which ends in its length and itself: _ZZ1kvE4part. */
static void
plain_name(const char *mangled, char *out, size_t nout)
{
    snprintf(out, nout, "%.200s", mangled);
    if (strncmp(mangled, "_Z", 2) != 0) return;
    for (const char *p = mangled + 2; *p;) {
        const long n = isdigit((unsigned char)*p) ? strtol(p, (char **)&p, 10) : 0;
        if (n > 0 && (size_t)n <= strlen(p)) {
            snprintf(out, nout, "%.*s", (int)n, p);
            p += n;
        } else if (n == 0) {
            p++;
        }
    }
}

/* "'part' at byte 12", of the thread-local variables. */
static bool
name_variable(char *file, size_t offset, char *out, size_t nout)
{
    char *const rest[] = {"-sW", file, NULL};
    char *const text = output_of("readelf", rest), *next = NULL;
    bool found = false;

    if (!text) return false;
    for (char *line = strtok_r(text, "\n", &next); line && !found;
         line = strtok_r(NULL, "\n", &next)) {
        unsigned long long value, size;
        char type[16], mangled[512], name[256];
        if (sscanf(line, " %*d: %llx %llu %15s %*s %*s %*s %511s", &value, &size, type,
                   mangled) != 4 ||
            strcmp(type, "TLS") != 0 || offset < value || offset - value >= size) {
            continue;
        }
        plain_name(mangled, name, sizeof name);
        snprintf(out, nout, "'%s', byte %llu", name, offset - value);
        found = true;
    }
    free(text);
    return found;
}

/* ", line 12", of the user's text: of a function that was inlined, where it was called. */
static void
name_line(char *file, const void *at, char *out, size_t nout)
{
    Dl_info info;
    char address[32], *text, *next = NULL;
    char *const rest[] = {"-i", "-e", file, address, NULL};

    out[0] = '\0';
    if (!at || !dladdr(at, &info)) return;
    snprintf(address, sizeof address, "0x%zx",
             (size_t)((uintptr_t)at - (uintptr_t)info.dli_fbase - 1));
    text = output_of("addr2line", rest);
    if (!text) return;
    for (char *line = strtok_r(text, "\n", &next); line && !out[0];
         line = strtok_r(NULL, "\n", &next)) {
        const char *colon = strrchr(line, ':');
        const char *dot = strstr(line, ".cu:");
        if (dot && colon) snprintf(out, nout, " (line %d)", atoi(colon + 1));
    }
    free(text);
}

static void
side_text(char *file, const cu_race_side *side, const unsigned block[3], char *out,
          size_t nout)
{
    static const char *const verbs[] = {[CUPRIC_ACCESS_READ] = "reads",
                                        [CUPRIC_ACCESS_WRITE] = "writes",
                                        [CUPRIC_ACCESS_ATOMIC] = "updates"};
    const unsigned t = (unsigned)side->thread;
    char line[64] = "";

    if (file) name_line(file, side->at, line, sizeof line);
    snprintf(out, nout, "thread (%u, %u, %u) %s%s", t % block[0],
             t / block[0] % block[1], t / block[0] / block[1], verbs[side->kind], line);
}

cu_status
cu_host_race_fail(const cu_race *race, int file, const char *kernel,
                  const char *block_text, const unsigned block[3])
{
    char path[64], first[128], second[128], where[320];
    char *const at = file >= 0 ? path : NULL;

    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), file);
    side_text(at, &race->first, block, first, sizeof first);
    side_text(at, &race->second, block, second, sizeof second);
    if (race->is_dynamic) {
        snprintf(where, sizeof where, "dynamic shared memory, byte %zu", race->offset);
    } else if (!at || !name_variable(at, race->offset, where, sizeof where)) {
        snprintf(where, sizeof where, "shared memory, byte %zu", race->offset);
    }
    return cu_fail(
        CUPRIC_ERR_DEVICE,
        "CUDA_ERROR_LAUNCH_FAILED: a race in kernel '%s', %s, at %s: %s and %s "
        "it without a barrier in between. On a GPU either may come first, also "
        "of threads of one warp: __syncthreads() or __syncwarp() orders them",
        kernel, block_text, where, first, second);
}
