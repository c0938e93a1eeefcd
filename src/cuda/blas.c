/* cuda/blas.c: matrix products: cuBLAS for floating-point numbers, kernels for integers, for
 * matrices so small that cuBLAS takes longer to choose one than that to run, and for those
 * whose tiles would be nearly empty: stacks of small ones, thin ones and long ones; and for
 * all where there is no cuBLAS.
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
#include "cuda/module.h"
#include "cuda/services.h"
#include "cupric/linear_params.h"
#include "device/axes.h"

/* What is used of cublas_api.h and library_types.h, whose numbers do not change. */
enum { OP_N = 0, OP_T = 1 };
enum { R_32F = 0, R_64F = 1, R_16F = 2, C_32F = 4, C_64F = 5, R_16BF = 14 };
enum { COMPUTE_32F = 68, COMPUTE_64F = 70, COMPUTE_TF32 = 77, GEMM_DEFAULT = -1 };

typedef struct blas_context *blas_handle;

static struct {
#define SYMBOL CUPRIC_SYMBOL_FIELD
#include "cuda/cublas.def"
} blas;

static const char *const entries[] = {
#define SYMBOL CUPRIC_SYMBOL_NAME
#include "cuda/cublas.def"
};
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

/* The rows of each product: a stack of matrices by one matrix is a taller matrix by it, where
 * their rows go on evenly. It has left the batch then. */
static int64_t
join_rows(batch *z, operand *a, const cu_view *c)
{
    const int last = z->ndim - 1;
    const int64_t size = cu_itemsize(c->dtype);
    const int64_t k = a->v.shape[c->ndim - 1], m = c->shape[c->ndim - 2];

    if (last < 0 || z->step[1][last] != 0 || a->op != OP_N) return m;
    const int64_t row = m == 1 ? z->step[0][last] / size : a->ld;
    if (row < k || z->step[0][last] != m * row * size) return m;
    a->ld = row;
    z->ndim = last;
    return m * z->shape[last];
}

/* ---- floating point --------------------------------------------------------------------- */

typedef struct number_kind {
    int type, compute;
    const void *one, *zero;
} number_kind;

/* Whether products of float32 may be of numbers that are rounded to 11 bits. */
static bool
allows_tf32(void)
{
    static int allowed = -1; /* asked for once; threads find the same */
    int known = __atomic_load_n(&allowed, __ATOMIC_RELAXED);

    if (known < 0) {
        const char *setting = cu_cuda_services->setting("CUPY_TF32");
        known = setting && strcmp(setting, "1") == 0;
        __atomic_store_n(&allowed, known, __ATOMIC_RELAXED);
    }
    return known;
}

static const number_kind *
kind_of(cu_dtype t)
{
    /* Complex ones are read 16 bytes at a time. */
    static const _Alignas(16) float f[2][4] = {{1}};
    static const _Alignas(16) double d[2][2] = {{1}};
    static const number_kind kinds[] = {
        {R_16F, COMPUTE_32F, f[0], f[1]},  {R_16BF, COMPUTE_32F, f[0], f[1]},
        {R_32F, COMPUTE_32F, f[0], f[1]},  {R_64F, COMPUTE_64F, d[0], d[1]},
        {C_32F, COMPUTE_32F, f[0], f[1]},  {C_64F, COMPUTE_64F, d[0], d[1]},
        {R_32F, COMPUTE_TF32, f[0], f[1]}, {C_32F, COMPUTE_TF32, f[0], f[1]},
    };

    if (allows_tf32()) {
        if (t == CUPRIC_FLOAT32) return &kinds[6];
        if (t == CUPRIC_COMPLEX64) return &kinds[7];
    }
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
multiply(operand *a, const operand *b, const cu_view *c, cu_stream *s)
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
    const int64_t rows = join_rows(&z, a, c);
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
            status = blas.gemm_one(
                h, b->op, a->op, c->shape[nd - 1], rows, a->v.shape[nd - 1], kind->one,
                at[1], kind->type, b->ld, at[0], kind->type, a->ld, kind->zero, at[2],
                kind->type, c->shape[nd - 1], kind->compute, GEMM_DEFAULT);
        } else {
            status = blas.gemm(h, b->op, a->op, c->shape[nd - 1], rows,
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

/* ---- kernels of ours ------------------------------------------------------------------ */

#define SMALL 128    /* rows, columns and elements added up; half of complex128 */
#define THIN 8       /* elements added up, and rows or columns; of integers any */
#define FEW 256      /* results, and … */
#define FEW_WORK 2e6 /* … elements added up for all of them */
#define PART 1024    /* elements of a part at least … */
#define BLOCKS 4     /* … and blocks for a multiprocessor at most */
#define ALONG 65536  /* results side by side, of which each may be a thread's */
#define COLUMN 64    /* bytes of a column that cuBLAS reads sooner, … */
#define WIDE_ROWS 8  /* … and rows of complex128 */

/* A product's last two axes, and the batch. */
typedef struct products {
    cu_product one;
    cu_batch_steps batch;
} products;

static products
products_of(const cu_matmul *args)
{
    const cu_view *a = &args->a, *b = &args->b, *c = &args->c;
    const cu_view *views[3] = {a, b, c};
    const int row = c->ndim - 2, column = c->ndim - 1;
    products p = {.batch = {.size = 1}};
    batch z;

    p.one = (cu_product){
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
    make_batch(views, &z);
    p.batch.ndim = z.ndim;
    for (int d = 0; d < z.ndim; d++) {
        p.batch.shape[d] = z.shape[d];
        p.batch.a[d] = z.step[0][d];
        p.batch.b[d] = z.step[1][d];
        p.batch.c[d] = z.step[2][d];
        p.batch.size *= z.shape[d];
    }
    return p;
}

static unsigned
at_most_65535(int64_t n)
{
    return n < 65535 ? (unsigned)n : 65535u;
}

static cu_status
multiply_tiles(products *p, cu_dtype t, cu_stream *s)
{
    const int64_t tiles = (p->one.m + 31) / 32 * ((p->one.n + 31) / 32);
    const cu_launch config = {
        .grid = {(unsigned)tiles, at_most_65535(p->batch.size), 1},
        .block = {32, 8, 1}};
    void *arguments[] = {&p->one, &p->batch};
    cu_function *f;
    cu_status st = cu_cuda_linear_kernel(s->ordinal, "matmul_tiles", t, &f);

    return st ? st : cu_cuda_launch(f, &config, arguments, s);
}

static cu_status
multiply_thin(products *p, cu_dtype t, cu_stream *s)
{
    const int64_t threads = p->batch.size * p->one.m * ((p->one.n + 3) / 4);
    void *arguments[] = {&p->one, &p->batch};
    cu_function *f;
    cu_status st = cu_cuda_linear_kernel(s->ordinal, "matmul_thin", t, &f);

    if (st) return st;
    return cu_cuda_launch_1d(f, cu_cuda_blocks(threads, s->ordinal), 256, 0, arguments,
                             s);
}

/* A row by a matrix as its transpose by a column. */
static void
turn_over(products *p)
{
    const cu_product one = p->one;
    const cu_batch_steps steps = p->batch;

    p->one = (cu_product){
        .a = one.b,
        .b = one.a,
        .c = one.c,
        .m = one.n,
        .n = one.m,
        .k = one.k,
        .a_row = one.b_col,
        .a_col = one.b_row,
        .b_row = one.a_col,
        .b_col = one.a_row,
        .c_row = one.c_col,
        .c_col = one.c_row,
    };
    memcpy(p->batch.a, steps.b, sizeof steps.a);
    memcpy(p->batch.b, steps.a, sizeof steps.b);
}

/* By the sums of parts, then theirs: enough blocks to keep all multiprocessors busy. */
static cu_status
multiply_dots(products *p, cu_dtype t, cu_stream *s)
{
    if (p->one.m == 1) turn_over(p);
    const bool vector = p->one.n == 1;
    const int64_t results = p->one.m * p->one.n, size = cu_itemsize(t);
    const int64_t across = vector ? 1 : (p->one.n + CUPRIC_DOTS - 1) / CUPRIC_DOTS;
    const int64_t tiles = (p->one.m + CUPRIC_DOTS - 1) / CUPRIC_DOTS * across;
    const int64_t busy =
        BLOCKS * (int64_t)cu_cuda_device_at(s->ordinal)->multiprocessors;
    long long nparts = busy / (tiles * p->batch.size), part;
    const long long most = (p->one.k + PART - 1) / PART;
    cu_function *dots, *join;
    void *sums = NULL;
    size_t nbytes = 0;
    cu_status st;

    nparts = nparts < 1 ? 1 : nparts < most ? nparts : most;
    part = (p->one.k + nparts - 1) / nparts;
    nparts = (p->one.k + part - 1) / part;
    st = cu_cuda_linear_kernel(s->ordinal, vector ? "vector_dots" : "matmul_dots", t,
                               &dots);
    if (!st) st = cu_cuda_linear_kernel(s->ordinal, "join_dots", t, &join);
    if (!st && nparts > 1) {
        nbytes = (size_t)(nparts * results * p->batch.size * (size < 4 ? 4 : size));
        st = cu_cuda_scratch_get(nbytes, &sums, s);
    }
    if (st) return st;
    void *first[] = {&p->one, &p->batch, &sums, &part};
    void *second[] = {&p->one, &p->batch, &sums, &nparts};
    const unsigned stack = at_most_65535(p->batch.size);
    const cu_launch each = {.grid = {(unsigned)tiles, (unsigned)nparts, stack},
                            .block = {256, 1, 1}};
    const cu_launch all = {.grid = {(unsigned)results, stack, 1}, .block = {256, 1, 1}};
    st = cu_cuda_launch(dots, &each, first, s);
    if (!st && nparts > 1) st = cu_cuda_launch(join, &all, second, s);
    cu_cuda_scratch_put(sums, nbytes, s);
    return st;
}

/* The kernel that makes a product, or NULL: cuBLAS does. */
typedef cu_status multiplier(products *p, cu_dtype t, cu_stream *s);

/* Of a matrix and a vector: whether those elements are side by side that different results
 * are made of. */
static bool
lies_along_results(const cu_matmul *args)
{
    const int row = args->c.ndim - 2, column = args->c.ndim - 1;

    if (args->c.shape[column] == 1)
        return args->a.strides[row] == cu_itemsize(args->a.dtype);
    return args->b.strides[column] == cu_itemsize(args->b.dtype);
}

/* Of integers, which cuBLAS has not; of floats where it is not there. */
static multiplier *
ours_for_any(const cu_matmul *args, int64_t m, int64_t n, int64_t k,
             int multiprocessors)
{
    const int64_t longest = m > n ? m : n;
    const int64_t tiles = (m + 31) / 32 * ((n + 31) / 32);

    if ((m == 1 || n == 1) && longest < INT32_MAX) {
        if (k <= SMALL / 2) return multiply_thin;
        return longest >= ALONG && lies_along_results(args) ? multiply_thin
                                                            : multiply_dots;
    }
    if (k >= PART &&
        tiles * (cu_cuda_view_size(&args->c) / (m * n)) * 4 < multiprocessors)
        return multiply_dots;
    return multiply_tiles;
}

/* Of a result that is not empty, by what was measured beside cuBLAS on an H100: of
 * `most_thin` rows and columns its tiles are full enough to win, however many matrices there
 * are, and of `most_few` results its sums, however long they are. */
static multiplier *
ours_for(const cu_matmul *args, int multiprocessors)
{
    const cu_view *c = &args->c;
    const int64_t k = args->a.shape[c->ndim - 1];
    const int64_t m = c->shape[c->ndim - 2], n = c->shape[c->ndim - 1];
    const int64_t longest = m > n ? m : n, shortest = m + n - longest;
    const int64_t size = cu_itemsize(c->dtype), elements = cu_cuda_view_size(c);
    const int64_t most_thin = size <= 4 ? 16 : size == 8 ? 12 : 8;
    const int64_t most_few = c->dtype == CUPRIC_FLOAT32 ? 64 : 16;
    const int64_t small = size == 16 ? SMALL / 2 : SMALL;
    const bool is_float = kind_of(c->dtype) != NULL;

    if (k == 0) return NULL;
    if (longest <= most_thin && k <= most_thin) return multiply_thin;
    if (k <= THIN && (shortest <= THIN || !is_float) && m < UINT32_MAX / n)
        return multiply_thin;
    if (k > SMALL / 2 && elements <= FEW && (double)(elements * k) <= FEW_WORK)
        return multiply_dots;
    if (k > SMALL / 2 && m * n <= most_few &&
        (k >= PART || elements / (m * n) <= SMALL)) {
        const bool columns =
            size > 4 && longest * size >= COLUMN && lies_along_results(args);
        const bool sooner = columns || (size == 16 && longest >= WIDE_ROWS);
        if (!is_float || shortest > 1 || !sooner) return multiply_dots;
    }
    if (longest <= small && k <= small && elements <= small * small)
        return multiply_tiles;
    if (is_float && is_there()) return NULL;
    return ours_for_any(args, m, n, k, multiprocessors);
}

/* ---- the entry -------------------------------------------------------------------------- */

cu_status
cu_cuda_matmul(const cu_matmul *args, cu_stream *s)
{
    const cu_view *c = &args->c;
    multiplier *ours;
    cu_view dense = *c;
    void *scratch;
    cu_status st = cu_cuda_context(s->ordinal);

    if (st || cu_cuda_view_size(c) == 0) return st;
    ours = ours_for(args, cu_cuda_device_at(s->ordinal)->multiprocessors);
    if (ours) {
        products p = products_of(args);
        return ours(&p, c->dtype, s);
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
    const cu_matmul same = {.a = args->a, .b = args->b, .c = dense};
    st = cu_cuda_matmul(&same, s);
    if (!st) st = cu_cuda_copy_view(&dense, c, s);
    cu_cuda_scratch_put(scratch, 0, s);
    return st;
}
