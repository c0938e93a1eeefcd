/* host/compiler.c: finds the C++ compiler and says what identifies it.
 *
 * The identity has to be cheap, for it is needed in every process that loads a kernel
 * from the cache. Asking the compiler for its version costs a process, so its file's
 * path, size and time of change stand for it.
 */
#define _GNU_SOURCE /* realpath */
#include "host/compiler.h"

#include <dirent.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/entries.h"
#include "host/process.h"
#include "host/races.h"

#define MAX_HEADER_DEPTH 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cu_compiler *found; /* guarded by the lock until it is set; then constant */

void
cu_compiler_init(void)
{
    cu_host_services->fork_hold(&lock);
}

/* ---- identity -------------------------------------------------------------------------- */

static uint64_t
hash_bytes(uint64_t h, const void *data, size_t n)
{
    const unsigned char *p = data;

    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 0x100000001b3u; /* FNV-1a */
    return h;
}

static uint64_t
hash_text(uint64_t h, const char *text)
{
    return hash_bytes(h, text, strlen(text) + 1);
}

static uint64_t
hash_file(uint64_t h, const char *path)
{
    char buffer[8192];
    FILE *f = fopen(path, "rbe");
    size_t n;

    if (!f) return h;
    while ((n = fread(buffer, 1, sizeof buffer, f)) > 0) h = hash_bytes(h, buffer, n);
    fclose(f);
    return h;
}

/* The headers below a folder. Sums do not depend on the order of the directory. */
static uint64_t
hash_headers(const char *folder, int depth)
{
    char path[4096];
    uint64_t sum = 0;
    DIR *dir = opendir(folder);
    struct dirent *entry;
    struct stat info;

    if (!dir) return 0;
    while ((entry = readdir(dir))) {
        if (entry->d_name[0] == '.') continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >=
                (int)sizeof path ||
            stat(path, &info)) {
            continue;
        }
        uint64_t h = hash_text(0xcbf29ce484222325u, entry->d_name);
        if (S_ISDIR(info.st_mode)) {
            if (depth > 0)
                sum += hash_bytes(h, &(uint64_t){hash_headers(path, depth - 1)}, 8);
        } else {
            sum += hash_file(h, path);
        }
    }
    closedir(dir);
    return sum;
}

/* The instructions that the compiler will use: it is told to use what this CPU has. */
static uint64_t
hash_cpu(void)
{
    char line[8192];
    uint64_t h = 0xcbf29ce484222325u;
    FILE *f = fopen("/proc/cpuinfo", "re");

    if (!f) return h;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '\n') break; /* the first CPU speaks for all */
        if (!strncmp(line, "flags", 5) || !strncmp(line, "model", 5) ||
            !strncmp(line, "vendor_id", 9) || !strncmp(line, "cpu family", 10) ||
            !strncmp(line, "Features", 8) || !strncmp(line, "CPU ", 4)) {
            h = hash_text(h, line);
        }
    }
    fclose(f);
    return h;
}

static void
describe(cu_compiler *c)
{
    char real[4096];
    struct stat info = {0};
    size_t n = 0;
    uint64_t headers = hash_headers(c->include, MAX_HEADER_DEPTH);

    for (int i = 0; i < c->nwords; i++) {
        const char *path = realpath(c->words[i], real) ? real : c->words[i];
        if (stat(path, &info)) info = (struct stat){0};
        n += (size_t)snprintf(c->id + n, sizeof c->id - n, "%.200s %lld %lld.%09ld ",
                              path, (long long)info.st_size,
                              (long long)info.st_mtim.tv_sec,
                              (long)info.st_mtim.tv_nsec);
        if (n >= sizeof c->id) return;
    }
#if defined(__x86_64__)
    const char *machine = "x86_64";
#elif defined(__aarch64__)
    const char *machine = "aarch64";
#else
    const char *machine = "other";
#endif
    snprintf(c->id + n, sizeof c->id - n, "%s cpu %016llx headers %016llx%s", machine,
             (unsigned long long)hash_cpu(), (unsigned long long)headers,
             cu_host_races_wanted() ? " races" : "");
}

/* ---- search ------------------------------------------------------------------------------ */

static void
compiler_free(cu_compiler *c)
{
    for (int i = 0; i < c->nwords; i++) free(c->words[i]);
    free(c);
}

/* The words of CXX, as in a makefile: "ccache g++ -m64". */
static bool
split_command(const char *text, cu_compiler *c)
{
    while (*text && c->nwords < 7) {
        const size_t skip = strspn(text, " \t"), n = strcspn(text + skip, " \t");
        char word[1024];
        text += skip;
        if (n == 0) break;
        if (n >= sizeof word) return false;
        snprintf(word, sizeof word, "%.*s", (int)n, text);
        c->words[c->nwords] = c->nwords == 0 ? cu_process_find(word) : strdup(word);
        if (!c->words[c->nwords]) return false;
        c->nwords++;
        text += n;
    }
    return c->nwords > 0;
}

static cu_status
find_command(cu_compiler *c)
{
    static const char *const names[] = {"c++", "g++", "clang++"};
    const char *given = cu_host_services->setting("CXX");

    if (given) {
        if (split_command(given, c)) return CUPRIC_OK;
        return cu_fail(
            CUPRIC_ERR_COMPILE,
            "CXX=%s is not a program. On the host device kernels are compiled "
            "by the system's C++ compiler; unset CXX, or set it to one",
            given);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        c->words[0] = cu_process_find(names[i]);
        if (c->words[0]) {
            c->nwords = 1;
            return CUPRIC_OK;
        }
    }
    return cu_fail(
        CUPRIC_ERR_COMPILE,
        "no C++ compiler was found (c++, g++ or clang++). On the host device "
        "kernels are compiled by the system's. On Debian and Ubuntu: "
        "sudo apt install g++; on Fedora: sudo dnf install gcc-c++; "
        "with conda: conda install gxx. Or set CXX");
}

static cu_status
find_locked(void)
{
    cu_compiler *c = calloc(1, sizeof *c);
    cu_status st;

    if (!c) return cu_fail(CUPRIC_ERR_MEMORY, "no memory to look for a compiler");
    st = find_command(c);
    if (st) {
        compiler_free(c);
        return st;
    }
    snprintf(c->include, sizeof c->include, "%s/include",
             cu_host_services->package_dir);
    snprintf(c->include_host, sizeof c->include_host, "%s/host", c->include);
    describe(c);
    found = c;
    return CUPRIC_OK;
}

cu_status
cu_compiler_get(const cu_compiler **out)
{
    cu_status st = CUPRIC_OK;

    pthread_mutex_lock(&lock);
    if (!found) st = find_locked();
    pthread_mutex_unlock(&lock);
    if (!st) *out = found;
    return st;
}

cu_status
cu_host_compiler_id(int ordinal, const char **out)
{
    const cu_compiler *c;
    cu_status st = cu_compiler_get(&c);

    (void)ordinal;
    if (!st) *out = c->id;
    return st;
}

/* The first line of what `c++ --version` prints. */
static void
query_version(const cu_compiler *c, char *version, size_t n)
{
    char *argv[9] = {NULL};
    cu_blob out = {0}, err = {0}; /* owned */
    int code;

    for (int i = 0; i < c->nwords; i++) argv[i] = c->words[i];
    argv[c->nwords] = "--version";
    if (cu_process_run(argv, &code, &out, &err)) return;
    if (code == 0) {
        const char *text = out.data;
        snprintf(version, n, "%.*s", (int)strcspn(text, "\n"), text);
    }
    free(out.data);
    free(err.data);
}

bool
cu_host_component(int i, cu_component *out)
{
    const cu_compiler *c;

    if (i > 0) return false;
    *out = (cu_component){.name = "C++ compiler"};
    if (cu_compiler_get(&c)) return true;
    snprintf(out->path, sizeof out->path, "%s", c->words[0]);
    query_version(c, out->version, sizeof out->version);
    return true;
}
