/* cuda/module.c: loading kernels and launching them. */
#include "cuda/module.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/graph.h"
#include "cuda/launches.h"
#include "cuda/nvrtc.h"

#define NOT_READ (-2)

struct cu_function {
    CUfunction handle;
    const char *name; /* for ever: messages may show it after the module is gone */
    int ordinal;
    int nparams;       /* NOT_READ; -1: the driver cannot tell */
    int *param_nbytes; /* owned, nparams of them */
    cu_function *next;
};

struct cu_module {
    CUmodule handle;
    int ordinal;
    char *binary; /* owned: the names and the image; NULL if they are not ours */
    size_t nbytes;
    const char *only; /* static: the image's name of its one kernel; NULL: of any. The
                         handle is then another's. */
    pthread_mutex_t lock;   /* guards `functions` */
    cu_function *functions; /* owned list */
};

/* ---- loading ------------------------------------------------------------------------- */

/* Of an image that stays where it is; `binary` is the module's if that succeeds. */
static cu_status
load(int ordinal, const void *image, char *binary, size_t nbytes, cu_module **out)
{
    cu_module *m;
    CUstreamCaptureMode mode;
    CUresult r;
    cu_status st = cu_cuda_context(ordinal);

    if (st) return st;
    m = calloc(1, sizeof *m);
    if (!m) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a kernel module");
    m->binary = binary;
    m->nbytes = nbytes;
    m->ordinal = ordinal;
    mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    r = cu_drv()->ModuleLoadData(&m->handle, image);
    cu_cuda_capture_mode(mode);
    if (r) {
        free(m);
        return cu_cuda_fail_driver(r, "loading a compiled kernel");
    }
    pthread_mutex_init(&m->lock, NULL);
    *out = m;
    return CUPRIC_OK;
}

cu_status
cu_cuda_module_load(int ordinal, const void *binary, size_t nbytes, cu_module **out)
{
    char *copy = malloc(nbytes + 1);
    cu_status st;

    if (!copy) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a kernel module");
    memcpy(copy, binary, nbytes);
    copy[nbytes] = '\0'; /* assembly ends with it */
    st = load(ordinal, cu_cuda_binary_image(copy, nbytes), copy, nbytes, out);
    if (st) free(copy);
    return st;
}

cu_status
cu_cuda_module_load_static(int ordinal, const void *image, cu_module **out)
{
    return load(ordinal, image, NULL, 0, out);
}

cu_status
cu_cuda_module_of_one(const cu_module *whole, const char *name, cu_module **out)
{
    cu_module *m = calloc(1, sizeof *m);

    if (!m) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a kernel module");
    m->handle = whole->handle;
    m->ordinal = whole->ordinal;
    m->only = name;
    pthread_mutex_init(&m->lock, NULL);
    *out = m;
    return CUPRIC_OK;
}

void
cu_cuda_module_free(cu_module *m)
{
    cu_function *f, *next;
    CUstreamCaptureMode mode;

    if (!m) return;
    if (!m->only && !cu_cuda_context(m->ordinal)) {
        mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
        cu_drv()->ModuleUnload(m->handle);
        cu_cuda_capture_mode(mode);
    }
    for (f = m->functions; f; f = next) {
        next = f->next;
        free(f->param_nbytes);
        free(f);
    }
    pthread_mutex_destroy(&m->lock);
    free(m->binary);
    free(m);
}

/* Every launch of a user's kernel compares its arguments with them. The driver tells how
 * many there are by failing at the first that is not. */
static void
read_params(cu_function *f)
{
    size_t offset, nbytes;
    int n = 0;

    f->nparams = -1;
    if (!cu_drv()->FuncGetParamInfo || cu_cuda_context(f->ordinal)) return;
    while (!cu_drv()->FuncGetParamInfo(f->handle, (size_t)n, &offset, &nbytes)) n++;
    f->param_nbytes = calloc((size_t)n + 1, sizeof *f->param_nbytes);
    if (!f->param_nbytes) return;
    for (int i = 0; i < n; i++) {
        cu_drv()->FuncGetParamInfo(f->handle, (size_t)i, &offset, &nbytes);
        f->param_nbytes[i] = (int)nbytes;
    }
    f->nparams = n;
}

cu_status
cu_cuda_module_function(cu_module *m, const char *name, cu_function **out)
{
    const char *lowered =
        m->only ? m->only : cu_cuda_binary_lowered(m->binary, m->nbytes, name);
    cu_function *f;
    CUstreamCaptureMode mode;
    CUresult r = CUDA_SUCCESS;
    cu_status st = cu_cuda_context(m->ordinal);

    if (st) return st;
    /* The driver loads a kernel's code here, if not before, which a capture forbids. */
    mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    pthread_mutex_lock(&m->lock);
    for (f = m->functions; f && strcmp(f->name, name) != 0; f = f->next) continue;
    if (!f && (f = calloc(1, sizeof *f))) {
        f->name = strdup(name);
        f->ordinal = m->ordinal;
        r = cu_drv()->ModuleGetFunction(&f->handle, m->handle,
                                        lowered ? lowered : name);
        if (r || !f->name) {
            free((char *)f->name);
            free(f);
            f = NULL;
        } else {
            f->nparams = NOT_READ;
            f->next = m->functions;
            m->functions = f;
        }
    }
    pthread_mutex_unlock(&m->lock);
    cu_cuda_capture_mode(mode);
    if (r == CUDA_ERROR_NOT_FOUND) {
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "CUDA_ERROR_NOT_FOUND: named symbol not found: no kernel '%s'",
                       name);
    }
    if (r) return cu_cuda_fail_driver(r, name);
    if (!f) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a kernel");
    *out = f;
    return CUPRIC_OK;
}

/* The image's name of a variable in namespaces, a::b::c; false where it does not fit. */
static bool
mangle(const char *name, char *out, size_t nout)
{
    size_t used = (size_t)snprintf(out, nout, "_ZN");

    while (*name && used < nout) {
        const size_t n = strcspn(name, ":");
        used += (size_t)snprintf(out + used, nout - used, "%zu%.*s", n, (int)n, name);
        name += n + strspn(name + n, ":");
    }
    if (used < nout) used += (size_t)snprintf(out + used, nout - used, "E");
    return used < nout;
}

cu_status
cu_cuda_module_global(cu_module *m, const char *name, void **ptr, size_t *nbytes)
{
    const char *lowered = cu_cuda_binary_lowered(m->binary, m->nbytes, name);
    char mangled[1024];
    CUdeviceptr address = 0;
    size_t n = 0;
    CUresult r;
    cu_status st = cu_cuda_context(m->ordinal);

    if (st) return st;
    if (!lowered && strstr(name, "::") && mangle(name, mangled, sizeof mangled)) {
        lowered = mangled;
    }
    r = cu_drv()->ModuleGetGlobal(&address, &n, m->handle, lowered ? lowered : name);
    if (r == CUDA_ERROR_NOT_FOUND ||
        r == CUDA_ERROR_INVALID_VALUE) { /* or no variable */
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "CUDA_ERROR_NOT_FOUND: named symbol not found: no variable '%s'",
                       name);
    }
    if (r) return cu_cuda_fail_driver(r, name);
    *ptr = (void *)(uintptr_t)address;
    *nbytes = n;
    return CUPRIC_OK;
}

void *
cu_cuda_module_handle(const cu_module *m)
{
    return m->handle;
}

void *
cu_cuda_function_handle(const cu_function *f)
{
    return f->handle;
}

/* ---- attributes ---------------------------------------------------------------------- */

static const CUfunction_attribute attributes[CUPRIC_N_FUNC_ATTRS] = {
    [CUPRIC_FUNC_MAX_THREADS] = CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
    [CUPRIC_FUNC_SHARED_BYTES] = CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
    [CUPRIC_FUNC_CONST_BYTES] = CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
    [CUPRIC_FUNC_LOCAL_BYTES] = CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
    [CUPRIC_FUNC_REGISTERS] = CU_FUNC_ATTRIBUTE_NUM_REGS,
    [CUPRIC_FUNC_PTX_VERSION] = CU_FUNC_ATTRIBUTE_PTX_VERSION,
    [CUPRIC_FUNC_BINARY_VERSION] = CU_FUNC_ATTRIBUTE_BINARY_VERSION,
    [CUPRIC_FUNC_CACHE_MODE_CA] = CU_FUNC_ATTRIBUTE_CACHE_MODE_CA,
    [CUPRIC_FUNC_MAX_DYNAMIC_SHARED] = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
    [CUPRIC_FUNC_CARVEOUT] = CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
};

cu_status
cu_cuda_function_get(cu_function *f, cu_function_attr attr, int *value)
{
    CUresult r;
    cu_status st;

    if (CUPRIC_UNLIKELY(f->nparams == NOT_READ)) read_params(f);
    if (attr == CUPRIC_FUNC_PARAMS) {
        *value = f->nparams;
        return CUPRIC_OK;
    }
    if (attr >= CUPRIC_FUNC_PARAM_NBYTES) {
        const int i = (int)attr - CUPRIC_FUNC_PARAM_NBYTES;
        if (i >= f->nparams) {
            return cu_fail(CUPRIC_ERR_DEVICE,
                           "CUDA_ERROR_INVALID_VALUE: the kernel has %d parameters",
                           f->nparams);
        }
        *value = f->param_nbytes[i];
        return CUPRIC_OK;
    }
    st = cu_cuda_context(f->ordinal);
    if (st) return st;
    r = cu_drv()->FuncGetAttribute(value, attributes[attr], f->handle);
    return r ? cu_cuda_fail_driver(r, f->name) : CUPRIC_OK;
}

cu_status
cu_cuda_function_set(cu_function *f, cu_function_attr attr, int value)
{
    CUresult r;
    cu_status st = cu_cuda_context(f->ordinal);

    if (st) return st;
    if (attr != CUPRIC_FUNC_MAX_DYNAMIC_SHARED && attr != CUPRIC_FUNC_CARVEOUT) {
        return cu_fail(CUPRIC_ERR_DEVICE,
                       "CUDA_ERROR_INVALID_VALUE: this attribute of a kernel is fixed");
    }
    r = cu_drv()->FuncSetAttribute(f->handle, attributes[attr], value);
    return r ? cu_cuda_fail_driver(r, f->name) : CUPRIC_OK;
}

/* ---- launches ------------------------------------------------------------------------ */

static cu_status launch_failed(const cu_function *f, const cu_launch *c, CUresult r)
    __attribute__((cold, noinline));

static cu_status
launch_failed(const cu_function *f, const cu_launch *c, CUresult r)
{
    char what[512];

    snprintf(what, sizeof what,
             "%.300s: grid (%u, %u, %u), block (%u, %u, %u), %u bytes of shared memory",
             f->name, c->grid[0], c->grid[1], c->grid[2], c->block[0], c->block[1],
             c->block[2], c->shared_bytes);
    return cu_cuda_fail_driver(r, what);
}

static CUresult
launch_kernel(const cu_function *f, const cu_launch *c, void *const *args,
              CUstream stream)
{
    if (CUPRIC_UNLIKELY(c->cooperative)) {
        return cu_drv()->LaunchCooperativeKernel(
            f->handle, c->grid[0], c->grid[1], c->grid[2], c->block[0], c->block[1],
            c->block[2], c->shared_bytes, stream, (void **)args);
    }
    return cu_drv()->LaunchKernel(f->handle, c->grid[0], c->grid[1], c->grid[2],
                                  c->block[0], c->block[1], c->block[2],
                                  c->shared_bytes, stream, (void **)args, NULL);
}

/* With CUPRIC_DEBUG=2: between two events, waited for, and told. */
static CUresult
launch_and_log(const cu_function *f, const cu_launch *c, void *const *args,
               CUstream stream)
{
    const unsigned *g = c->grid, *b = c->block;
    CUevent from = NULL, to = NULL;
    const double bytes = cu_cuda_recorded_bytes();
    float ms = 0;
    CUresult r = cu_drv()->EventCreate(&from, CU_EVENT_DEFAULT);

    if (!r) r = cu_drv()->EventCreate(&to, CU_EVENT_DEFAULT);
    if (!r) r = cu_drv()->EventRecord(from, stream);
    if (!r) r = launch_kernel(f, c, args, stream);
    if (!r) r = cu_drv()->EventRecord(to, stream);
    if (!r) r = cu_drv()->EventSynchronize(to);
    if (!r) r = cu_drv()->EventElapsedTime(&ms, from, to);
    if (from) cu_drv()->EventDestroy(from);
    if (to) cu_drv()->EventDestroy(to);
    fprintf(stderr,
            "cupric: launch of %s on cuda device %d, grid (%u, %u, %u), block "
            "(%u, %u, %u), %u bytes shared: %s, %.1f us",
            f->name, f->ordinal, g[0], g[1], g[2], b[0], b[1], b[2], c->shared_bytes,
            r ? "failed" : "done", ms * 1e3);
    if (bytes > 0 && ms > 0) fprintf(stderr, ", %.0f GB/s", bytes / ms * 1e-6);
    fputc('\n', stderr);
    return r;
}

cu_status
cu_cuda_launch(cu_function *f, const cu_launch *c, void *const *args, cu_stream *s)
{
    const CUstream stream = cu_cuda_stream(s);
    CUresult r;
    cu_status st = cu_cuda_context(f->ordinal);

    if (st) return st;
    cu_cuda_record_launch(f->name);
    if (CUPRIC_UNLIKELY(cu_cuda_logs_launches) && !cu_cuda_is_captured(stream)) {
        r = launch_and_log(f, c, args, stream);
    } else {
        r = launch_kernel(f, c, args, stream);
    }
    if (CUPRIC_UNLIKELY(r)) return launch_failed(f, c, r);
    if (CUPRIC_UNLIKELY(cu_cuda_awaits_launches) && !cu_cuda_is_captured(stream)) {
        r = cu_drv()->StreamSynchronize(stream);
        if (r) return launch_failed(f, c, r);
    }
    return CUPRIC_OK;
}

cu_status
cu_cuda_launch_1d(cu_function *f, unsigned blocks, unsigned threads,
                  unsigned shared_bytes, void **args, cu_stream *s)
{
    const cu_launch c = {
        .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .shared_bytes = shared_bytes};

    return cu_cuda_launch(f, &c, args, s);
}
