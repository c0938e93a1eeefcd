/* cuda/linear.c: see linear.h. */
#include "cuda/linear.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/binaries.h"
#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/launches.h"
#include "cuda/memory.h"
#include "cuda/module.h"
#include "device/axes.h"

typedef struct kept {
    struct kept *next;
    int ordinal;
    cu_dtype dtype;
    const char *name; /* static */
    cu_function *function;
} kept;

static kept *kernels; /* guarded by the lock; entries live for ever */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Whether the type is none of C++'s: a complex number or a half. */
static bool
is_of_cupric(cu_dtype t)
{
    const char kind = cu_dtypes[t].kind;

    return kind == 'c' || (kind == 'f' && cu_itemsize(t) == 2);
}

static cu_status
build(int ordinal, const char *name, cu_dtype t, kept **out)
{
    static const char source[] = "#include \"cupric/linear.hpp\"\n";
    static const char *const options[] = {"--std=c++17", "-fmad=false"};
    char full[96];
    const char *names[] = {full};
    const cu_compile args = {source, "linear.cu", options, 2, names, 1, NULL};
    kept *k = calloc(1, sizeof *k);
    cu_status st;

    if (!k) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a kernel");
    snprintf(full, sizeof full, "cupric::%s<%s%s>", name,
             is_of_cupric(t) ? "cupric::" : "", cu_dtypes[t].ctype);
    st = cu_cuda_binary_get(ordinal, &args, false, full, 1, &k->function);
    if (st) {
        free(k);
        return st;
    }
    k->ordinal = ordinal;
    k->dtype = t;
    k->name = name;
    *out = k;
    return CUPRIC_OK;
}

cu_status
cu_cuda_linear_kernel(int ordinal, const char *name, cu_dtype t, cu_function **out)
{
    kept *k;
    cu_status st = CUPRIC_OK;

    pthread_mutex_lock(&lock);
    for (k = kernels; k; k = k->next) {
        if (k->ordinal == ordinal && k->dtype == t && strcmp(k->name, name) == 0) break;
    }
    if (!k) {
        st = build(ordinal, name, t, &k);
        if (!st) {
            k->next = kernels;
            kernels = k;
        }
    }
    pthread_mutex_unlock(&lock);
    if (!st) *out = k->function;
    return st;
}

cu_status
cu_cuda_transpose(const void *in, void *out, int64_t rows, int64_t columns,
                  int64_t batch, cu_dtype t, bool conjugated, cu_stream *s)
{
    long long r = rows, c = columns, b = batch;
    int conj = conjugated;
    void *args[] = {&in, &out, &r, &c, &b, &conj};
    cu_launch config = {.grid = {(unsigned)((rows + 31) / 32 * ((columns + 31) / 32)),
                                 b < 65535 ? (unsigned)b : 65535u, 1},
                        .block = {32, 8, 1}};
    cu_function *f;
    cu_status st;

    if (rows * columns * b == 0) return CUPRIC_OK;
    st = cu_cuda_linear_kernel(s->ordinal, "transpose_matrices", t, &f);
    return st ? st : cu_cuda_launch(f, &config, args, s);
}

unsigned
cu_cuda_blocks(int64_t n, int ordinal)
{
    const int64_t most = 16 * (int64_t)cu_cuda_device_at(ordinal)->multiprocessors;
    const int64_t wanted = (n + 255) / 256;

    return (unsigned)(wanted < 1 ? 1 : wanted < most ? wanted : most);
}

/* ---- views --------------------------------------------------------------------------- */

int64_t
cu_cuda_view_size(const cu_view *v)
{
    int64_t n = 1;

    for (int i = 0; i < v->ndim; i++) n *= v->shape[i];
    return n;
}

void
cu_cuda_view_dense(cu_view *v, void *ptr)
{
    int64_t step = cu_itemsize(v->dtype);

    v->ptr = ptr;
    for (int i = v->ndim - 1; i >= 0; i--) {
        v->strides[i] = step;
        step *= v->shape[i];
    }
}

bool
cu_cuda_is_dense(const cu_view *v)
{
    int64_t step = cu_itemsize(v->dtype);

    if (cu_cuda_view_size(v) == 0) return true;
    for (int i = v->ndim - 1; i >= 0; i--) {
        if (v->shape[i] != 1 && v->strides[i] != step) return false;
        step *= v->shape[i];
    }
    return true;
}

cu_status
cu_cuda_copy_view(const cu_view *from, const cu_view *to, cu_stream *s)
{
    const int64_t n = cu_cuda_view_size(from);
    const size_t nbytes = (size_t)(n * cu_itemsize(to->dtype));
    cu_iter it;

    if (n == 0) return CUPRIC_OK;
    if (from->dtype == to->dtype && nbytes <= CUPRIC_CUDA_MOST_COPIED &&
        cu_cuda_is_dense(from) && cu_cuda_is_dense(to)) {
        return cu_cuda_copy(to->ptr, from->ptr, nbytes, CUPRIC_COPY_ON_DEVICE, s);
    }
    cu_iter_of_views(&it, from, to);
    return cu_cuda_convert(&it, s);
}

cu_status
cu_cuda_dense_copy(const cu_view *from, cu_dtype t, cu_view *out, cu_stream *s)
{
    cu_view v = *from;
    void *memory;
    cu_status st;

    v.dtype = t;
    st = cu_cuda_scratch_get((size_t)(cu_cuda_view_size(from) * cu_itemsize(t)),
                             &memory, s);
    if (st) return st;
    cu_cuda_view_dense(&v, memory);
    st = cu_cuda_copy_view(from, &v, s);
    if (st) {
        cu_cuda_scratch_put(memory, 0, s);
        return st;
    }
    *out = v;
    return CUPRIC_OK;
}

/* The axes in the order of their steps, neighbours made one: how many are left. */
static int
join_axes(cu_view *v)
{
    int64_t *const strides[1] = {v->strides};

    cu_axes_order(v->shape, 1, strides, v->ndim, 0);
    return cu_axes_join(v->shape, 1, strides, v->ndim);
}

/* Whether n joined axes are rows of numbers side by side. */
static bool
is_scalable(const cu_view *joined, int n)
{
    return n == 0 || (n <= 2 && joined->strides[n - 1] == cu_itemsize(joined->dtype));
}

bool
cu_cuda_scales(const cu_view *v)
{
    cu_view joined = *v;
    const int n = join_axes(&joined);

    return is_scalable(&joined, n);
}

cu_status
cu_cuda_scale(const cu_view *v, double factor, cu_stream *s)
{
    const bool is_complex = cu_dtypes[v->dtype].kind == 'c';
    const int64_t item = cu_itemsize(v->dtype) / (is_complex ? 2 : 1);
    const cu_dtype t = item == 4 ? CUPRIC_FLOAT32 : CUPRIC_FLOAT64;
    cu_view joined = *v;
    const int n = join_axes(&joined);
    cu_function *f;
    cu_status st;

    long long count = (n ? joined.shape[n - 1] : 1) * (is_complex ? 2 : 1);
    long long rows = n == 2 ? joined.shape[0] : 1;
    long long pitch = n == 2 ? joined.strides[0] / item : count;
    float single = (float)factor;
    void *args[] = {&joined.ptr, &rows, &count, &pitch,
                    t == CUPRIC_FLOAT32 ? (void *)&single : (void *)&factor};
    if (!is_scalable(&joined, n)) {
        return cu_fail(CUPRIC_ERR_DEVICE, "numbers in no order are not scaled");
    }
    st = cu_cuda_linear_kernel(s->ordinal, "scale_values", t, &f);
    if (st) return st;
    return cu_cuda_launch_1d(f, cu_cuda_blocks(rows * count, s->ordinal), 256, 0, args,
                             s);
}
