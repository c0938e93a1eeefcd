/* cuda/blas.c: matrix products: cuBLAS for floating-point numbers, a kernel for integers
 * and for matrices so small that cuBLAS takes longer to choose one than that to run, and
 * for all others but halves where there is no cuBLAS.
 *
 * cuBLAS wants Fortran order. The product of C-ordered matrices is asked for transposed:
 * c^T = b^T a^T. A matrix whose rows or whose columns lie together needs no copy; the
 * batch is one call where every operand goes through it in equal steps.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/graph.h"
#include "cuda/libraries.h"
#include "cuda/linear.h"
#include "cuda/memory.h"
#include "cupric/linear_params.h"
#include "device/axes.h"

/* What is used of cublas_api.h and library_types.h, whose numbers do not change. */
enum { OP_N = 0, OP_T = 1 };
enum { R_32F = 0, R_64F = 1, R_16F = 2, C_32F = 4, C_64F = 5, R_16BF = 14 };
enum { COMPUTE_32F = 68, COMPUTE_64F = 70, GEMM_DEFAULT = -1 };

typedef struct blas_context *blas_handle;

static struct {
    int (*create)(blas_handle *out);
    int (*set_stream)(blas_handle h, CUstream s);
    int (*gemm)(blas_handle h, int opa, int opb, int64_t m, int64_t n, int64_t k,
                const void *alpha, const void *a, int ta, int64_t lda, long long step_a,
                const void *b, int tb, int64_t ldb, long long step_b, const void *beta,
                void *c, int tc, int64_t ldc, long long step_c, int64_t batch,
                int compute, int algorithm);
    int (*gemm_one)(blas_handle h, int opa, int opb, int64_t m, int64_t n, int64_t k,
                    const void *alpha, const void *a, int ta, int64_t lda,
                    const void *b, int tb, int64_t ldb, const void *beta, void *c,
                    int tc, int64_t ldc, int compute, int algorithm);
    const char *(*status_name)(int status);
} blas;

static const char *const entries[] = {"cublasCreate_v2", "cublasSetStream_v2",
                                      "cublasGemmStridedBatchedEx_64",
                                      "cublasGemmEx_64", "cublasGetStatusName"};
#define SMALL 64       /* rows, columns and elements added up */
#define LONG 4096      /* elements added up into at most … */
#define LONG_RESULTS 8 /* … results */
#define LONG_PART 16384
#define LONG_PARTS 1024
#define N_ENTRIES (sizeof entries / sizeof *entries)

static blas_handle handles[CUPRIC_CUDA_MAXDEVICES];
static uint64_t streams[CUPRIC_CUDA_MAXDEVICES]; /* ids of those they have */
static bool has_stream[CUPRIC_CUDA_MAXDEVICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held while work is queued */

static cu_status
blas_failed(int status)
{
    return cu_fail(CUPRIC_ERR_DEVICE, "%s: a matrix product failed",
                   blas.status_name(status));
}

/* Threads' own default streams share a name, by which cuBLAS would give the work of several
 * threads one workspace at once: each waits for what was queued before. */
static cu_status
wait_for_others(cu_stream *s)
{
    cu_stream all = {.ordinal =
                         s->ordinal}; /* the default stream waits for every one */
    cu_event *e = NULL;               /* owned */
    cu_status st = cu_cuda_event_new(s->ordinal, CUPRIC_EVENT_NO_TIMING, &e);

    if (!st) st = cu_cuda_event_record(e, &all);
    if (!st) st = cu_cuda_stream_wait(s, e);
    cu_cuda_event_free(e);
    return st;
}

/* With the lock held. */
static cu_status
load(void)
{
    void *slots[N_ENTRIES];
    cu_status st;

    if (CUPRIC_LIKELY(blas.status_name != NULL)) return CUPRIC_OK;
    st = cu_cuda_library_table(CUPRIC_CUBLAS, entries, slots, N_ENTRIES);
    if (!st) memcpy(&blas, slots, sizeof blas);
    return st;
}

/* Looked for once: a search takes longer than a product. */
static bool
is_there(void)
{
    static int known; /* 1: it is there, 2: it is not */
    int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);

    if (CUPRIC_UNLIKELY(!answer)) {
        pthread_mutex_lock(&lock);
        answer = load() == CUPRIC_OK ? 1 : 2;
        pthread_mutex_unlock(&lock);
        __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
    }
    return answer == 1;
}

/* With the lock held. */
static cu_status
handle_get(cu_stream *s, blas_handle *out)
{
    blas_handle *h = &handles[s->ordinal];
    cu_status st = load();
    int status;

    if (CUPRIC_UNLIKELY(st)) return st;
    if (CUPRIC_UNLIKELY(!*h)) {
        CUstreamCaptureMode mode;
        /* It allocates. */
        mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
        status = blas.create(h);
        cu_cuda_capture_mode(mode);
        if (status) *h = NULL;
        if (status) return blas_failed(status);
    }
    if (streams[s->ordinal] != s->id || !has_stream[s->ordinal]) {
        st = s->thread ? wait_for_others(s) : CUPRIC_OK;
        if (st) return st;
        status = blas.set_stream(*h, cu_cuda_stream(s));
        if (status) return blas_failed(status);
        streams[s->ordinal] = s->id;
        has_stream[s->ordinal] = true;
    }
    *out = *h;
    return CUPRIC_OK;
}

cu_status
cu_cuda_blas_handle(cu_stream *s, void **out)
{
    blas_handle h = NULL;
    cu_status st;

    pthread_mutex_lock(&lock);
    st = handle_get(s, &h);
    pthread_mutex_unlock(&lock);
    if (!st) *out = h;
    return st;
}

cu_status
cu_cuda_blas_call(int (*call)(void *handle, void *arg), void *arg, cu_stream *s)
{
    blas_handle h = NULL;
    int status = 0;
    cu_status st;

    pthread_mutex_lock(&lock);
    st = handle_get(s, &h);
    if (!st) status = call(h, arg);
    pthread_mutex_unlock(&lock);
    if (st || !status) return st;
    return cu_fail(CUPRIC_ERR_DEVICE, "%s: cuBLAS failed", blas.status_name(status));
}

/* ---- operands ------------------------------------------------------------------------ */

typedef struct operand {
    cu_view v;     /* batch, then the matrix */
    void *scratch; /* owned, or NULL */
    int op;        /* OP_N: rows lie together */
    int64_t ld;    /* elements from one row (or column) to the next */
} operand;

/* Whether cuBLAS can take the matrix as it lies. */
static bool
describe(operand *o)
{
    const int64_t size = cu_itemsize(o->v.dtype);
    const int64_t rows = o->v.shape[o->v.ndim - 2], columns = o->v.shape[o->v.ndim - 1];
    const int64_t row = rows == 1 ? columns * size : o->v.strides[o->v.ndim - 2];
    const int64_t column = columns == 1 ? size : o->v.strides[o->v.ndim - 1];

    for (int d = 0; d < o->v.ndim - 2; d++) {
        if (o->v.strides[d] % size || o->v.strides[d] < 0) return false;
    }
    if (column == size && row % size == 0 && row / size >= columns) {
        o->op = OP_N;
        o->ld = row / size;
        return true;
    }
    if (rows == 1 && column % size == 0 && column >= size) {
        o->op = OP_T;
        o->ld = column / size;
        return true;
    }
    if (row == size && column % size == 0 && column / size >= rows) {
        o->op = OP_T;
        o->ld = column / size;
        return true;
    }
    return false;
}

/* A copy of what a view has, without its repetitions. */
static cu_status
copy_operand(operand *o, cu_stream *s)
{
    cu_view once = o->v, dense;
    cu_status st;

    for (int d = 0; d < o->v.ndim - 2; d++) {
        if (o->v.strides[d] == 0) once.shape[d] = 1;
    }
    st = cu_cuda_dense_copy(&once, o->v.dtype, &dense, s);
    if (st) return st;
    for (int d = 0; d < o->v.ndim - 2; d++) {
        if (o->v.strides[d] == 0) dense.strides[d] = 0;
        dense.shape[d] = o->v.shape[d];
    }
    o->v = dense;
    o->scratch = dense.ptr;
    describe(o);
    return CUPRIC_OK;
}

static cu_status
prepare(const cu_view *v, operand *o, cu_stream *s)
{
    *o = (operand){.v = *v};
    return describe(o) ? CUPRIC_OK : copy_operand(o, s);
}

/* ---- the batch ----------------------------------------------------------------------- */

/* The batch dimensions with neighbours joined: the last is one call's. */
typedef struct batch {
    int ndim;
    int64_t shape[CUPRIC_MAXDIMS];
    int64_t step[3][CUPRIC_MAXDIMS]; /* bytes, of a, b, c */
} batch;

static void
make_batch(const cu_view *const *views, batch *out)
{
    int64_t *steps[3] = {out->step[0], out->step[1], out->step[2]};
    const int nd = views[2]->ndim - 2;

    for (int d = 0; d < nd; d++) {
        out->shape[d] = views[2]->shape[d];
        for (int k = 0; k < 3; k++) steps[k][d] = views[k]->strides[d];
    }
    out->ndim = cu_axes_join(out->shape, 3, steps, nd);
}

/* ---- floating point --------------------------------------------------------------------- */

typedef struct number_kind {
    int type, compute;
    const void *one, *zero;
} number_kind;

static const number_kind *
kind_of(cu_dtype t)
{
    /* Complex ones are read 16 bytes at a time. */
    static const _Alignas(16) float f[2][4] = {{1}};
    static const _Alignas(16) double d[2][2] = {{1}};
    static const number_kind kinds[] = {
        {R_16F, COMPUTE_32F, f[0], f[1]}, {R_16BF, COMPUTE_32F, f[0], f[1]},
        {R_32F, COMPUTE_32F, f[0], f[1]}, {R_64F, COMPUTE_64F, d[0], d[1]},
        {C_32F, COMPUTE_32F, f[0], f[1]}, {C_64F, COMPUTE_64F, d[0], d[1]},
    };

    switch ((int)t) {
    case CUPRIC_FLOAT16: return &kinds[0];
    case CUPRIC_BFLOAT16: return &kinds[1];
    case CUPRIC_FLOAT32: return &kinds[2];
    case CUPRIC_FLOAT64: return &kinds[3];
    case CUPRIC_COMPLEX64: return &kinds[4];
    case CUPRIC_COMPLEX128: return &kinds[5];
    default: return NULL;
    }
}

static cu_status
multiply(const operand *a, const operand *b, const cu_view *c, cu_stream *s)
{
    const number_kind *kind = kind_of(c->dtype);
    const cu_view *views[3] = {&a->v, &b->v, c};
    const int nd = c->ndim;
    const int64_t size = cu_itemsize(c->dtype);
    int64_t index[CUPRIC_MAXDIMS] = {0}, calls = 1, count = 1, step[3] = {0, 0, 0};
    char *at[3] = {a->v.ptr, b->v.ptr, c->ptr};
    blas_handle h = NULL;
    batch z;
    int status = 0;
    cu_status st;

    make_batch(views, &z);
    if (z.ndim > 0) {
        z.ndim--;
        count = z.shape[z.ndim];
        for (int k = 0; k < 3; k++) step[k] = z.step[k][z.ndim] / size;
    }
    for (int d = 0; d < z.ndim; d++) calls *= z.shape[d];
    pthread_mutex_lock(&lock);
    st = handle_get(s, &h);
    for (int64_t i = 0; i < calls && !st && !status; i++) {
        if (count == 1) {
            status =
                blas.gemm_one(h, b->op, a->op, c->shape[nd - 1], c->shape[nd - 2],
                              a->v.shape[nd - 1], kind->one, at[1], kind->type, b->ld,
                              at[0], kind->type, a->ld, kind->zero, at[2], kind->type,
                              c->shape[nd - 1], kind->compute, GEMM_DEFAULT);
        } else {
            status = blas.gemm(h, b->op, a->op, c->shape[nd - 1], c->shape[nd - 2],
                               a->v.shape[nd - 1], kind->one, at[1], kind->type, b->ld,
                               step[1], at[0], kind->type, a->ld, step[0], kind->zero,
                               at[2], kind->type, c->shape[nd - 1], step[2], count,
                               kind->compute, GEMM_DEFAULT);
        }
        for (int d = z.ndim - 1; d >= 0; d--) {
            const bool wraps = ++index[d] == z.shape[d];
            for (int k = 0; k < 3; k++) {
                at[k] += wraps ? -z.step[k][d] * (z.shape[d] - 1) : z.step[k][d];
            }
            if (!wraps) break;
            index[d] = 0;
        }
    }
    pthread_mutex_unlock(&lock);
    if (st) return st;
    return status ? blas_failed(status) : CUPRIC_OK;
}

static cu_status
multiply_floats(const cu_matmul *args, const cu_view *c, cu_stream *s)
{
    operand a = {0}, b = {0};
    cu_status st = prepare(&args->a, &a, s);

    if (!st) st = prepare(&args->b, &b, s);
    if (!st) st = multiply(&a, &b, c, s);
    cu_cuda_scratch_put(a.scratch, 0, s);
    cu_cuda_scratch_put(b.scratch, 0, s);
    return st;
}

/* ---- integers, small matrices ------------------------------------------------------------------------- */

/* The last two axes of the operands. */
static cu_product
product_of(const cu_matmul *args)
{
    const cu_view *a = &args->a, *b = &args->b, *c = &args->c;
    const int row = c->ndim - 2, column = c->ndim - 1;

    return (cu_product){
        .a = a->ptr,
        .b = b->ptr,
        .c = c->ptr,
        .m = c->shape[row],
        .n = c->shape[column],
        .k = a->shape[column],
        .a_row = a->strides[row],
        .a_col = a->strides[column],
        .b_row = b->strides[row],
        .b_col = b->strides[column],
        .c_row = c->strides[row],
        .c_col = c->strides[column],
    };
}

static cu_status
multiply_tiles(const cu_matmul *args, cu_stream *s)
{
    const cu_view *a = &args->a, *b = &args->b, *c = &args->c;
    cu_product p = product_of(args);
    cu_batch_steps z = {.size = 1};
    cu_launch config = {.grid = {1, 1, 1}, .block = {32, 8, 1}};
    cu_function *f;
    cu_status st;

    for (int d = 0; d < c->ndim - 2; d++) {
        if (c->shape[d] == 1) continue;
        z.shape[z.ndim] = c->shape[d];
        z.a[z.ndim] = a->strides[d];
        z.b[z.ndim] = b->strides[d];
        z.c[z.ndim] = c->strides[d];
        z.size *= c->shape[d];
        z.ndim++;
    }
    st = cu_cuda_linear_kernel(s->ordinal, "matmul_tiles", c->dtype, &f);
    if (st) return st;
    config.grid[0] = (unsigned)((p.m + 31) / 32 * ((p.n + 31) / 32));
    config.grid[1] = z.size < 65535 ? (unsigned)z.size : 65535u;
    void *arguments[] = {&p, &z};
    return cu_cuda_launch(f, &config, arguments, s);
}

/* A long product of few results, whose tiles would keep one multiprocessor busy: the sums
 * of parts, then their sum. */
static cu_status
multiply_long(const cu_matmul *args, cu_stream *s)
{
    const cu_view *c = &args->c;
    const int64_t size = cu_cuda_view_size(c);
    cu_product p = product_of(args);
    long long nparts = (p.k + LONG_PART - 1) / LONG_PART, part;
    cu_function *dots, *join;
    void *parts;
    cu_status st;

    if (nparts > LONG_PARTS) nparts = LONG_PARTS;
    part = (p.k + nparts - 1) / nparts;
    nparts = (p.k + part - 1) / part;
    st = cu_cuda_linear_kernel(s->ordinal, "matmul_dots", c->dtype, &dots);
    if (!st) st = cu_cuda_linear_kernel(s->ordinal, "join_dots", c->dtype, &join);
    if (st) return st;
    const size_t nbytes = (size_t)(nparts * size * cu_itemsize(c->dtype));
    st = cu_cuda_scratch_get(nbytes, &parts, s);
    if (st) return st;
    void *first[] = {&p, &parts, &part};
    void *second[] = {&p, &parts, &nparts};
    const cu_launch each = {.grid = {(unsigned)size, (unsigned)nparts, 1},
                            .block = {256, 1, 1}};
    const cu_launch all = {.grid = {(unsigned)size, 1, 1}, .block = {256, 1, 1}};
    st = cu_cuda_launch(dots, &each, first, s);
    if (!st) st = cu_cuda_launch(join, &all, second, s);
    cu_cuda_scratch_put(parts, nbytes, s);
    return st;
}

static bool
is_long(const cu_matmul *args)
{
    return args->c.ndim == 2 && args->a.shape[1] >= LONG &&
           cu_cuda_view_size(&args->c) <= LONG_RESULTS;
}

/* Numbers that the kernel adds up less exactly than cuBLAS, which does it in float32. */
static bool
is_half(const cu_matmul *args)
{
    return args->c.dtype == CUPRIC_FLOAT16 || args->c.dtype == CUPRIC_BFLOAT16;
}

/* One tile or a few. */
static bool
is_small(const cu_matmul *args)
{
    const cu_view *c = &args->c;

    return args->a.shape[c->ndim - 1] <= SMALL && c->shape[c->ndim - 2] <= SMALL &&
           c->shape[c->ndim - 1] <= SMALL && cu_cuda_view_size(c) <= SMALL * SMALL;
}

/* Whether a kernel of ours does it. */
static bool
is_ours(const cu_matmul *args)
{
    if (args->a.shape[args->c.ndim - 1] == 0) return false;
    if (!kind_of(args->c.dtype)) return true;
    return !is_half(args) && (is_small(args) || !is_there());
}

/* ---- the entry -------------------------------------------------------------------------- */

cu_status
cu_cuda_matmul(const cu_matmul *args, cu_stream *s)
{
    const cu_view *c = &args->c;
    cu_view dense = *c;
    void *scratch;
    cu_status st = cu_cuda_context(s->ordinal);

    if (st || cu_cuda_view_size(c) == 0) return st;
    if (is_ours(args)) {
        if (is_long(args)) return multiply_long(args, s);
        return multiply_tiles(args, s);
    }
    if (cu_cuda_is_dense(c)) {
        if (args->a.shape[c->ndim - 1] > 0) return multiply_floats(args, c, s);
        return cu_cuda_fill(c->ptr, 0,
                            (size_t)(cu_cuda_view_size(c) * cu_itemsize(c->dtype)), s);
    }
    /* A product that goes elsewhere than into an array of its own is copied there. */
    st = cu_cuda_scratch_get((size_t)(cu_cuda_view_size(c) * cu_itemsize(c->dtype)),
                             &scratch, s);
    if (st) return st;
    cu_cuda_view_dense(&dense, scratch);
    const cu_matmul same = {args->a, args->b, dense};
    st = cu_cuda_matmul(&same, s);
    if (!st) st = cu_cuda_copy_view(&dense, c, s);
    cu_cuda_scratch_put(scratch, 0, s);
    return st;
}
