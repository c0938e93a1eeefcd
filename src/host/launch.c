/* host/launch.c: loads compiled kernels and runs them over a grid.
 *
 * A binary becomes a file in memory, which dlopen can read; it never lies where another
 * user could change it. Blocks are shared out over threads, the threads of a block run on
 * one of them (block.c).
 */
#define _GNU_SOURCE /* memfd_create, dl_iterate_phdr */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "device/kernel_name.h"
#include "host/block.h"
#include "host/entries.h"
#include "host/race_text.h"
#include "host/races.h"
#include "host/runner.h"
#include "host/shipped.h"
#include "host/threads.h"
#include "host/traps.h"
#include "host/watch.h"

#define MAX_GRID_X 2147483647u
#define MAX_GRID_YZ 65535u
#define MAX_BLOCK_Z 64u
#define SHARED_BYTES 49152        /* without asking for more */
#define SHARED_BYTES_OPTIN 232448 /* after asking */
#define REGISTERS 32              /* what an unremarkable kernel needs on a GPU */

/* Work that is worth waking another thread of the system for. */
#define PIECE_NS 20000

#define STOP_MS 200 /* for the threads of a launch that was ended */

struct cu_function {
    cu_module *module; /* borrowed */
    const cupric_entry *entry;
    int max_dynamic_shared;
    int carveout;
    atomic_llong block_ns; /* the time of a block in the last launch; 0: not known */
};

struct cu_module {
    void *library; /* owned; NULL: of the kernels that come compiled */
    const cupric_module_info *info;
    size_t shared_bytes; /* static, of all kernels together */
    cu_block_code code;
    int file; /* owned, where races are looked for: the library; else -1 */
    int nfunctions;
    cu_function functions[]; /* one per entry */
};

/* ---- loading ------------------------------------------------------------------------------ */

static bool
write_all(int fd, const char *data, size_t n)
{
    while (n > 0) {
        const ssize_t done = write(fd, data, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        data += done;
        n -= (size_t)done;
    }
    return true;
}

/* dlopen takes two libraries of one name for one, and the number of a file descriptor is
 * soon used again. So the path is spelled differently each time: the bits of a counter
 * as "/" and "/." after a directory. */
static void
unique_path(int fd, char *path, size_t n)
{
    static atomic_uint counter;
    unsigned bits = atomic_fetch_add(&counter, 1) + 1;
    size_t length = (size_t)snprintf(path, n, "/proc/self");

    for (; bits; bits >>= 1)
        length +=
            (size_t)snprintf(path + length, n - length, "/%s", bits & 1 ? "." : "");
    snprintf(path + length, n - length, "/fd/%d", fd);
}

static void *
open_in_memory(const void *binary, size_t nbytes, int *file)
{
    char path[256];
    void *library = NULL;
    int fd = memfd_create("cupric-kernel", MFD_CLOEXEC);

    if (fd < 0) return NULL;
    if (write_all(fd, binary, nbytes)) {
        unique_path(fd, path, sizeof path);
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (library && cu_host_races_wanted()) {
        *file = fd;
    } else {
        close(fd);
    }
    return library;
}

/* Where the system has no files in memory, or no /proc. */
static void *
open_in_file(const void *binary, size_t nbytes)
{
    const char *folders[] = {getenv("TMPDIR"), "/tmp", "/var/tmp", "/dev/shm"};
    void *library = NULL;

    for (size_t i = 0; i < sizeof folders / sizeof *folders && !library; i++) {
        char path[4096];
        if (!folders[i]) continue;
        if (snprintf(path, sizeof path, "%s/cupric-XXXXXX", folders[i]) >=
            (int)sizeof path) {
            continue;
        }
        int fd = mkstemp(path);
        if (fd < 0) continue;
        if (write_all(fd, binary, nbytes))
            library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        close(fd);
        unlink(path);
    }
    return library;
}

typedef struct tls_search {
    const void *address;
    size_t nbytes;
} tls_search;

static int
find_tls(struct dl_phdr_info *info, size_t size, void *arg)
{
    tls_search *search = arg;
    size_t nbytes = 0;
    bool found = false;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        const char *start = (const char *)info->dlpi_addr + h->p_vaddr;
        if (h->p_type == PT_TLS) nbytes = h->p_memsz;
        if (h->p_type == PT_LOAD && (const char *)search->address >= start &&
            (const char *)search->address < start + h->p_memsz) {
            found = true;
        }
    }
    if (found) search->nbytes = nbytes;
    return found;
}

/* __shared__ variables are thread-local: their sum is what the library's thread-local
 * storage holds besides the place of the running thread. */
static size_t
static_shared_bytes(const cupric_module_info *info)
{
    tls_search search = {info, 0};

    dl_iterate_phdr(find_tls, &search);
    return search.nbytes > sizeof(cupric_place) ? search.nbytes - sizeof(cupric_place)
                                                : 0;
}

cu_status
cu_host_module_load(int ordinal, const void *binary, size_t nbytes, cu_module **out)
{
    void *library;
    cupric_module_info *info;
    cu_module *m;
    int file = -1; /* for as long as the module is loaded */

    (void)ordinal;
    library = open_in_memory(binary, nbytes, &file);
    if (!library) library = open_in_file(binary, nbytes);
    if (!library) {
        const char *why = dlerror();
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "CUDA_ERROR_INVALID_IMAGE: a compiled kernel "
                       "could not be loaded: %s",
                       why ? why : strerror(errno));
    }
    info = dlsym(library, CUPRIC_MODULE_SYMBOL);
    if (!info || info->abi != CUPRIC_MODULE_ABI) {
        dlclose(library);
        return cu_fail(
            CUPRIC_ERR_DEVICE,
            "CUDA_ERROR_INVALID_IMAGE: a library that is no compiled kernel");
    }
    m = calloc(1, sizeof *m + info->nentries * sizeof *m->functions);
    if (!m) {
        dlclose(library);
        return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a kernel module");
    }
    *info->runtime = &cu_block_runtime;
    m->library = library;
    m->file = file;
    m->info = info;
    m->shared_bytes = static_shared_bytes(info);
    m->code = cu_block_code_around((const void *)(uintptr_t)info->place);
    m->nfunctions = (int)info->nentries;
    for (int i = 0; i < m->nfunctions; i++) {
        m->functions[i].module = m;
        m->functions[i].entry = &info->entries[i];
        m->functions[i].max_dynamic_shared = SHARED_BYTES;
        m->functions[i].carveout = -1;
    }
    *out = m;
    return CUPRIC_OK;
}

bool
cu_host_module_shipped(int ordinal, const char *folder, const uint64_t key[2],
                       cu_module **out)
{
    const cupric_module_info *unit;
    const cupric_entry *entry;
    cu_module *m;

    (void)ordinal;
    if (!cu_shipped_find(folder, key, &unit, &entry)) return false;
    m = calloc(1, sizeof *m + sizeof *m->functions);
    if (!m) return false;
    m->info = unit;
    m->file = -1;
    m->nfunctions = 1;
    m->functions[0].module = m;
    m->functions[0].entry = entry;
    m->functions[0].max_dynamic_shared = SHARED_BYTES;
    m->functions[0].carveout = -1;
    *out = m;
    return true;
}

void
cu_host_module_free(cu_module *m)
{
    if (!m || cu_host_in_flight()) return; /* its code may be running */
    if (m->library) dlclose(m->library);
    if (m->file >= 0) close(m->file);
    free(m);
}

static cu_function *
find_entry(cu_module *m, const char *name, bool kernel)
{
    for (int i = 0; i < m->nfunctions; i++) {
        const cupric_entry *e = m->functions[i].entry;
        if (!e->address == kernel && cu_kernel_name_is(e->name, name))
            return &m->functions[i];
    }
    return NULL;
}

cu_status
cu_host_module_function(cu_module *m, const char *name, cu_function **out)
{
    cu_function *f = m->library ? find_entry(m, name, true) : m->functions;

    if (!f) {
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "CUDA_ERROR_NOT_FOUND: named symbol not found: no kernel '%s'",
                       name);
    }
    *out = f;
    return CUPRIC_OK;
}

cu_status
cu_host_module_global(cu_module *m, const char *name, void **ptr, size_t *nbytes)
{
    const cu_function *f = find_entry(m, name, false);

    if (!f) {
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "CUDA_ERROR_NOT_FOUND: named symbol not found: no variable '%s'",
                       name);
    }
    *ptr = f->entry->address;
    *nbytes = (size_t)f->entry->nbytes;
    return CUPRIC_OK;
}

/* ---- attributes ---------------------------------------------------------------------------- */

cu_status
cu_host_function_get(cu_function *f, cu_function_attr attr, int *value)
{
    if (attr >= CUPRIC_FUNC_PARAM_NBYTES) {
        const unsigned i = (unsigned)attr - CUPRIC_FUNC_PARAM_NBYTES;
        if (i >= f->entry->nparams) {
            return cu_fail(CUPRIC_ERR_DEVICE,
                           "CUDA_ERROR_INVALID_VALUE: the kernel has "
                           "%u parameters",
                           f->entry->nparams);
        }
        *value = (int)f->entry->param_nbytes[i];
        return CUPRIC_OK;
    }
    switch (attr) {
    case CUPRIC_FUNC_MAX_THREADS: *value = CUPRIC_MAX_BLOCK_THREADS; break;
    case CUPRIC_FUNC_SHARED_BYTES: *value = (int)f->module->shared_bytes; break;
    case CUPRIC_FUNC_REGISTERS: *value = REGISTERS; break;
    case CUPRIC_FUNC_MAX_DYNAMIC_SHARED: *value = f->max_dynamic_shared; break;
    case CUPRIC_FUNC_CARVEOUT: *value = f->carveout; break;
    case CUPRIC_FUNC_PARAMS: *value = (int)f->entry->nparams; break;
    default: *value = 0;
    }
    return CUPRIC_OK;
}

cu_status
cu_host_function_set(cu_function *f, cu_function_attr attr, int value)
{
    if (attr == CUPRIC_FUNC_MAX_DYNAMIC_SHARED) {
        if (value < 0 || value > SHARED_BYTES_OPTIN) {
            return cu_fail(CUPRIC_ERR_DEVICE,
                           "CUDA_ERROR_INVALID_VALUE: invalid argument (%d bytes of "
                           "shared memory; a block can have %d)",
                           value, SHARED_BYTES_OPTIN);
        }
        f->max_dynamic_shared = value;
    } else if (attr == CUPRIC_FUNC_CARVEOUT) {
        f->carveout = value;
    } else {
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "CUDA_ERROR_INVALID_VALUE: this attribute of a kernel is fixed");
    }
    return CUPRIC_OK;
}

/* ---- launches -------------------------------------------------------------------------------- */

typedef struct grid_job {
    cu_block_launch launch;
    cupric_job job;
    unsigned shared_bytes;
    pthread_mutex_t lock;
    cu_block_failure why; /* the first; guarded by the lock */
} grid_job;

static void
note_failure(grid_job *g, const cu_block_failure *why)
{
    pthread_mutex_lock(&g->lock);
    if (!g->why.failed) g->why = *why;
    pthread_mutex_unlock(&g->lock);
    atomic_store(&g->launch.failed, true);
}

static void
run_piece(void *arg, int64_t begin, int64_t end)
{
    grid_job *g = arg;
    cu_block_failure why = {0};
    cupric_job job = g->job;

    if (atomic_load(&g->launch.failed)) return;
    if (g->shared_bytes) {
        job.dynamic_shared = aligned_alloc(64, (g->shared_bytes + 63u) & ~63u);
        if (!job.dynamic_shared) {
            why.failed = true;
            snprintf(why.text, sizeof why.text,
                     "CUDA_ERROR_OUT_OF_MEMORY: %u bytes of shared memory",
                     g->shared_bytes);
            note_failure(g, &why);
            return;
        }
    }
    cu_block_run(&g->launch, &job, begin, end, &why);
    free(job.dynamic_shared);
    if (why.failed) note_failure(g, &why);
    if (CUPRIC_UNLIKELY(g->launch.was_ended)) cu_block_stop(&g->launch, NULL, STOP_MS);
}

size_t
cu_host_shared_bytes_optin(void)
{
    return SHARED_BYTES_OPTIN;
}

cu_status
cu_host_launch_check(const cu_function *f, const cu_launch *c)
{
    const char *what = NULL;
    const unsigned long long threads =
        (unsigned long long)c->block[0] * c->block[1] * c->block[2];

    if (!c->grid[0] || !c->grid[1] || !c->grid[2]) {
        what = "a grid needs at least one block";
    } else if (!c->block[0] || !c->block[1] || !c->block[2]) {
        what = "a block needs at least one thread";
    } else if (c->grid[0] > MAX_GRID_X || c->grid[1] > MAX_GRID_YZ ||
               c->grid[2] > MAX_GRID_YZ) {
        what = "the most blocks are (2147483647, 65535, 65535)";
    } else if (c->block[0] > CUPRIC_MAX_BLOCK_THREADS ||
               c->block[1] > CUPRIC_MAX_BLOCK_THREADS || c->block[2] > MAX_BLOCK_Z ||
               threads > CUPRIC_MAX_BLOCK_THREADS) {
        what = "a block has at most 1024 threads, and (1024, 1024, 64) along its axes";
    } else if (c->shared_bytes > (unsigned)f->max_dynamic_shared) {
        what = "more shared memory than max_dynamic_shared_size_bytes of the kernel";
    }
    if (what) {
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "CUDA_ERROR_INVALID_VALUE: invalid argument (grid (%u, %u, %u), "
                       "block (%u, %u, %u), %u bytes of shared memory: %s)",
                       c->grid[0], c->grid[1], c->grid[2], c->block[0], c->block[1],
                       c->block[2], c->shared_bytes, what);
    }
    if (c->cooperative &&
        (unsigned long long)c->grid[0] * c->grid[1] * c->grid[2] > 1) {
        return cu_fail(CUPRIC_ERR_UNSUPPORTED,
                       "the host device runs cooperative launches of one block only");
    }
    return CUPRIC_OK;
}

/* How long a block takes only running it can tell: the last launch is the best guess. Of
 * kernels that came compiled, which end, a small first launch is quick. So it takes neither
 * the runner nor other threads, of which either costs a process's first call 0.2 ms. */
static bool
is_quick(const cu_function *f, const cu_launch *c)
{
    return c->is_small && !f->module->library;
}

static int64_t
piece_of_blocks(const cu_function *f, const cu_launch *c, int64_t nblocks)
{
    const int64_t ns = atomic_load_explicit(&f->block_ns, memory_order_relaxed);

    if (ns == 0 && is_quick(f, c)) return nblocks;
    return ns > 0 && ns < PIECE_NS ? PIECE_NS / ns : 1;
}

static int64_t
debug_level(void)
{
    static int64_t level = -1; /* read once; a race would read the same */
    const char *setting;

    if (CUPRIC_LIKELY(level >= 0)) return level;
    setting = cu_host_services->setting("CUPRIC_DEBUG");
    level = setting ? strtol(setting, NULL, 10) : 0;
    return level;
}

static void
log_launch(const cu_function *f, const cu_launch *c, const cu_stream *s,
           int64_t elapsed_ns, bool failed)
{
    const unsigned *g = c->grid, *b = c->block;

    fprintf(stderr,
            "cupric: launch of %s on host device %d, grid (%u, %u, %u), block "
            "(%u, %u, %u), %u bytes shared: %s, %.1f us\n",
            f->entry->name, s->ordinal, g[0], g[1], g[2], b[0], b[1], b[2],
            c->shared_bytes, failed ? "failed" : "done", (double)elapsed_ns * 1e-3);
}

int64_t
cu_host_launch_ns(const cu_function *f, const cu_launch *c)
{
    const int64_t ns = atomic_load_explicit(&f->block_ns, memory_order_relaxed);
    const double nblocks = (double)c->grid[0] * c->grid[1] * c->grid[2];

    if (ns == 0 && is_quick(f, c)) return 0;
    if (ns == 0 || (double)ns * nblocks > 1e18) return INT64_MAX;
    return ns * (int64_t)nblocks / cu_host_threads();
}

cu_status
cu_host_launch(cu_function *f, const cu_launch *c, void *const *args, cu_stream *s)
{
    grid_job g = {.launch = {.module = f->module->info,
                             .entry = f->entry,
                             .code = f->module->code,
                             .cancelled = cu_host_threads_cancelled_by(),
                             .shared_bytes = c->shared_bytes}};
    cu_status st = cu_host_launch_check(f, c);

    if (st) return st;
    g.job.grid = (cupric_index){c->grid[0], c->grid[1], c->grid[2]};
    g.job.block = (cupric_index){c->block[0], c->block[1], c->block[2]};
    g.job.args = args;
    g.shared_bytes = c->shared_bytes;
    pthread_mutex_init(&g.lock, NULL);
    const int64_t nblocks = (int64_t)c->grid[0] * c->grid[1] * c->grid[2];
    const int64_t grain = piece_of_blocks(f, c, nblocks), start = cu_host_now_ns();
    cu_host_traps_keep(start);
    const bool watched = f->module->library && cu_host_watch_begin();
    if (watched) g.launch.wants_end = cu_host_interrupted;
    cu_host_parallel(nblocks, grain, run_piece, &g);
    if (watched) cu_host_watch_end();
    const int64_t elapsed = cu_host_now_ns() - start;
    const int64_t shared_by = nblocks > grain ? cu_host_threads() : 1;
    atomic_store_explicit(&f->block_ns, elapsed * shared_by / nblocks + 1,
                          memory_order_relaxed);
    if (CUPRIC_UNLIKELY(debug_level() >= 2)) log_launch(f, c, s, elapsed, g.why.failed);
    pthread_mutex_destroy(&g.lock);
    if (CUPRIC_UNLIKELY(g.launch.was_ended)) return CUPRIC_ERR_PYTHON;
    if (CUPRIC_UNLIKELY(g.why.race.found))
        return cu_host_race_fail(&g.why.race, f->module->file, f->entry->name,
                                 g.why.text, c->block);
    if (g.why.failed) return cu_fail(CUPRIC_ERR_DEVICE, "%s", g.why.text);
    return CUPRIC_OK;
}
