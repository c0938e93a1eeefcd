/* cuda/solver.c: factorisations by cuSOLVER, matrix after matrix.
 *
 * cuSOLVER sees a C-ordered matrix transposed. Most verbs have a form in which that is
 * what is wanted: the inverse of the transpose is the transpose of the inverse, a
 * determinant does not change, and the triangle below is the one above. Where it is not,
 * a copy in Fortran order is made.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/graph.h"
#include "cuda/libraries.h"
#include "cuda/linear.h"
#include "cuda/memory.h"
#include "cuda/module.h"

/* What is used of cusolverDn.h and library_types.h, whose numbers do not change. */
enum { OP_N = 0, OP_T = 1 };
enum { LOWER = 0, UPPER = 1 };
enum { VALUES_ONLY = 0, VECTORS = 1 };

enum { REAL_32 = 0, REAL_64 = 1, COMPLEX_32 = 4, COMPLEX_64 = 5 };

typedef struct solver_context *solver_handle;
typedef struct solver_params *solver_params_handle;

/* The functions of one element type. Elements are void: four types share a signature. */
typedef struct solver_functions {
    int (*getrf_size)(solver_handle, int m, int n, void *a, int lda, int *work);
    int (*getrf)(solver_handle, int m, int n, void *a, int lda, void *work, int *pivots,
                 int *info);
    int (*getrs)(solver_handle, int op, int n, int nrhs, const void *a, int lda,
                 const int *pivots, void *b, int ldb, int *info);
    int (*potrf_size)(solver_handle, int uplo, int n, void *a, int lda, int *work);
    int (*potrf)(solver_handle, int uplo, int n, void *a, int lda, void *work,
                 int nwork, int *info);
    int (*geqrf_size)(solver_handle, int m, int n, void *a, int lda, int *work);
    int (*geqrf)(solver_handle, int m, int n, void *a, int lda, void *tau, void *work,
                 int nwork, int *info);
    int (*orgqr_size)(solver_handle, int m, int n, int k, const void *a, int lda,
                      const void *tau, int *work);
    int (*orgqr)(solver_handle, int m, int n, int k, void *a, int lda, const void *tau,
                 void *work, int nwork, int *info);
    int (*gesvd_size)(solver_handle, int m, int n, int *work);
    int (*gesvd)(solver_handle, signed char jobu, signed char jobvt, int m, int n,
                 void *a, int lda, void *s, void *u, int ldu, void *vt, int ldvt,
                 void *work, int nwork, void *rwork, int *info);
    int (*syevd_size)(solver_handle, int job, int uplo, int n, const void *a, int lda,
                      const void *w, int *work);
    int (*syevd)(solver_handle, int job, int uplo, int n, void *a, int lda, void *w,
                 void *work, int nwork, int *info);
} solver_functions;

#define NAMES(T, ORGQR, SYEVD)                                                         \
    {                                                                                  \
        "cusolverDn" T "getrf_bufferSize", "cusolverDn" T "getrf",                     \
            "cusolverDn" T "getrs", "cusolverDn" T "potrf_bufferSize",                 \
            "cusolverDn" T "potrf", "cusolverDn" T "geqrf_bufferSize",                 \
            "cusolverDn" T "geqrf", "cusolverDn" T ORGQR "_bufferSize",                \
            "cusolverDn" T ORGQR, "cusolverDn" T "gesvd_bufferSize",                   \
            "cusolverDn" T "gesvd", "cusolverDn" T SYEVD "_bufferSize",                \
            "cusolverDn" T SYEVD                                                       \
    }
#define N_FUNCTIONS 13
static const char *const names[4][N_FUNCTIONS] = {
    NAMES("S", "orgqr", "syevd"),
    NAMES("D", "orgqr", "syevd"),
    NAMES("C", "ungqr", "heevd"),
    NAMES("Z", "ungqr", "heevd"),
};

static struct {
    int (*create)(solver_handle *out);
    int (*set_stream)(solver_handle h, CUstream s);
    solver_functions of[4];
} solver;

/* Of cuSOLVER 11.7.1 and later: found when it is first needed. */
static struct {
    int (*create_params)(solver_params_handle *out);
    int (*size)(solver_handle, solver_params_handle, int jobvl, int jobvr, int64_t n,
                int type_a, const void *a, int64_t lda, int type_w, const void *w,
                int type_vl, const void *vl, int64_t ldvl, int type_vr, const void *vr,
                int64_t ldvr, int computed, size_t *on_device, size_t *on_host);
    int (*run)(solver_handle, solver_params_handle, int jobvl, int jobvr, int64_t n,
               int type_a, void *a, int64_t lda, int type_w, void *w, int type_vl,
               void *vl, int64_t ldvl, int type_vr, void *vr, int64_t ldvr,
               int computed, void *device, size_t on_device, void *host, size_t on_host,
               int *info);
    solver_params_handle params;
} geev;

static solver_handle handles[CUPRIC_CUDA_MAXDEVICES];
static bool loaded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held while work is queued */

static cu_status
load(void)
{
    static const char *const common[] = {"cusolverDnCreate", "cusolverDnSetStream"};
    void *slots[N_FUNCTIONS];
    cu_status st = cu_cuda_library_table(CUPRIC_CUSOLVER, common, slots, 2);

    if (st) return st;
    memcpy(&solver.create, &slots[0], sizeof slots[0]);
    memcpy(&solver.set_stream, &slots[1], sizeof slots[1]);
    for (int t = 0; t < 4; t++) {
        st = cu_cuda_library_table(CUPRIC_CUSOLVER, names[t], slots, N_FUNCTIONS);
        if (st) return st;
        memcpy(&solver.of[t], slots, sizeof solver.of[t]);
    }
    loaded = true;
    return CUPRIC_OK;
}

/* With the lock held; *status is cuSOLVER's. */
static cu_status
load_geev(int *status)
{
    static const char *const all[] = {"cusolverDnCreateParams",
                                      "cusolverDnXgeev_bufferSize", "cusolverDnXgeev"};
    void *slots[3];

    if (geev.params) return CUPRIC_OK;
    if (cu_cuda_library_table(CUPRIC_CUSOLVER, all, slots, 3)) {
        return cu_fail(CUPRIC_ERR_UNSUPPORTED,
                       "eigenvalues of matrices that are not Hermitian need cuSOLVER "
                       "11.7.1 or later, of CUDA 12.6 Update 2; compute them on the "
                       "host device, or by eigh where the matrices are Hermitian");
    }
    memcpy(&geev.create_params, &slots[0], sizeof slots[0]);
    memcpy(&geev.size, &slots[1], sizeof slots[1]);
    memcpy(&geev.run, &slots[2], sizeof slots[2]);
    *status = geev.create_params(&geev.params);
    return CUPRIC_OK;
}

/* ---- a job: one call of the verb ------------------------------------------------------------- */

#define MAX_SCRATCH 8

typedef struct job {
    const cu_linalg *args;
    cu_stream *s;
    solver_handle h;
    const solver_functions *f;
    cu_dtype type, real;
    size_t size;                /* bytes of an element */
    int64_t m, n, k, batch;     /* k: the smaller of m and n */
    int *info, *pivots;         /* device, one and n per matrix */
    void *scratch[MAX_SCRATCH]; /* owned */
    int nscratch;
    int status; /* cuSOLVER's */
} job;

static cu_status
take(job *j, int64_t n, size_t size, void *out)
{
    void *memory = NULL;
    cu_status st = cu_cuda_scratch_get((size_t)(n < 1 ? 1 : n) * size, &memory, j->s);

    if (st) return st;
    j->scratch[j->nscratch++] = memory;
    memcpy(out, &memory, sizeof memory);
    return CUPRIC_OK;
}

static cu_status
copy_bytes(job *j, void *dst, const void *src, int64_t elements)
{
    return cu_cuda_copy(dst, src, (size_t)elements * j->size, CUPRIC_COPY_ON_DEVICE,
                        j->s);
}

/* out[b] = transpose of in[b], rows by columns */
static cu_status
transpose(job *j, const void *in, void *out, int64_t rows, int64_t columns,
          bool conjugated)
{
    long long r = rows, c = columns, b = j->batch;
    int conj = conjugated;
    void *args[] = {&in, &out, &r, &c, &b, &conj};
    cu_launch config = {.grid = {(unsigned)((rows + 31) / 32 * ((columns + 31) / 32)),
                                 b < 65535 ? (unsigned)b : 65535u, 1},
                        .block = {32, 8, 1}};
    cu_function *f;
    cu_status st;

    if (rows * columns * b == 0) return CUPRIC_OK;
    st = cu_cuda_linear_kernel(j->s->ordinal, "transpose_matrices", j->type, &f);
    return st ? st : cu_cuda_launch(f, &config, args, j->s);
}

/* Launch a kernel of linear.hpp with a thread for each of n elements. */
static cu_status
over(job *j, const char *name, int64_t n, void **args)
{
    cu_function *f;
    cu_status st = cu_cuda_linear_kernel(j->s->ordinal, name, j->type, &f);

    if (st || n == 0) return st;
    return cu_cuda_launch_1d(f, cu_cuda_blocks(n, j->s->ordinal), 256, 0, args, j->s);
}

static cu_status
identity(job *j, void *out, int64_t rows, int64_t columns)
{
    long long r = rows, c = columns, b = j->batch;
    void *args[] = {&out, &r, &c, &b};

    return over(j, "identity_matrices", rows * columns * b, args);
}

/* The i-th of matrices of `elements` elements of `size` bytes. */
static void *
at(void *base, int64_t i, int64_t elements, size_t size)
{
    return (char *)base + (size_t)(i * elements) * size;
}

/* Wait, and fail with `message` where a matrix's info is above zero. */
static cu_status
check_info(job *j, const char *message)
{
    int *info = malloc((size_t)j->batch * sizeof *info);
    bool failed = false;
    cu_status st;

    if (!info) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a factorisation");
    st = cu_cuda_copy(info, j->info, (size_t)j->batch * sizeof *info,
                      CUPRIC_COPY_TO_HOST, j->s);
    for (int64_t i = 0; i < j->batch && !st; i++) failed |= info[i] > 0;
    free(info);
    if (st) return st;
    return failed ? cu_fail(CUPRIC_ERR_LINALG, "%s", message) : CUPRIC_OK;
}

/* ---- verbs ------------------------------------------------------------------------------------ */

/* LU factors of the matrices, which are square, in place. */
static cu_status
factor_lu(job *j, void *a)
{
    const int n = (int)j->n;
    void *work;
    int nwork = 0;
    cu_status st = take(j, j->batch * j->n, sizeof(int), &j->pivots);

    if (st || n == 0) return st;
    j->status = j->f->getrf_size(j->h, n, n, a, n, &nwork);
    if (j->status) return CUPRIC_OK;
    st = take(j, nwork, j->size, &work);
    if (st) return st;
    for (int64_t i = 0; i < j->batch && !j->status; i++) {
        j->status = j->f->getrf(j->h, n, n, at(a, i, j->n * j->n, j->size), n, work,
                                j->pivots + i * j->n, j->info + i);
    }
    return CUPRIC_OK;
}

static cu_status
copy_input(job *j, void **out)
{
    const int64_t elements = j->batch * j->m * j->n;
    cu_status st = take(j, elements, j->size, out);

    return st || elements == 0 ? st : copy_bytes(j, *out, j->args->in[0].ptr, elements);
}

static cu_status
solve_factored(job *j, int op, void *a, void *b, int64_t columns)
{
    int *unused;
    cu_status st = take(j, 1, sizeof *unused, &unused);

    for (int64_t i = 0; i < j->batch && !st && !j->status; i++) {
        j->status =
            j->f->getrs(j->h, op, (int)j->n, (int)columns,
                        at(a, i, j->n * j->n, j->size), (int)j->n, j->pivots + i * j->n,
                        at(b, i, j->n * columns, j->size), (int)j->n, unused);
    }
    return st;
}

static cu_status
run_solve(job *j)
{
    const cu_view *b = &j->args->in[1];
    const int64_t columns = b->shape[b->ndim - 1];
    void *a, *x;
    cu_status st = copy_input(j, &a);

    if (!st) st = factor_lu(j, a);
    if (!st && !j->status) st = check_info(j, "Singular matrix");
    if (st || j->status || columns == 0) return st;
    st = take(j, j->batch * j->n * columns, j->size, &x);
    if (!st) st = transpose(j, b->ptr, x, j->n, columns, false);
    if (!st) st = solve_factored(j, OP_T, a, x, columns);
    if (!st) st = transpose(j, x, j->args->out[0].ptr, columns, j->n, false);
    return st;
}

static cu_status
run_inv(job *j)
{
    void *a;
    cu_status st = copy_input(j, &a);

    if (!st) st = factor_lu(j, a);
    if (!st && !j->status) st = check_info(j, "Singular matrix");
    if (!st && !j->status) st = identity(j, j->args->out[0].ptr, j->n, j->n);
    if (!st && !j->status) st = solve_factored(j, OP_N, a, j->args->out[0].ptr, j->n);
    return st;
}

static cu_status
run_det(job *j)
{
    const bool logarithm = j->args->kind == CUPRIC_LINALG_SLOGDET;
    long long order = j->n, batch = j->batch;
    void *a;
    void *args[] = {&a,
                    &j->pivots,
                    &order,
                    &batch,
                    (void *)&j->args->out[0].ptr,
                    (void *)&j->args->out[1].ptr};
    cu_function *f;
    cu_status st = copy_input(j, &a);

    if (!st) st = factor_lu(j, a);
    if (st || j->status) return st;
    st = cu_cuda_linear_kernel(
        j->s->ordinal, logarithm ? "log_determinants" : "determinants", j->type, &f);
    if (st) return st;
    return cu_cuda_launch_1d(f, (unsigned)((batch + 127) / 128), 128, 0, args, j->s);
}

/* Singular matrices have factors, too. */
static cu_status
run_lu(job *j)
{
    const int m = (int)j->m, n = (int)j->n;
    int *pivots = (int *)j->args->out[1].ptr;
    void *a = NULL, *work = NULL;
    int nwork = 0;
    cu_status st = take(j, j->batch * j->m * j->n, j->size, &a);

    if (!st) st = transpose(j, j->args->in[0].ptr, a, j->m, j->n, false);
    if (st) return st;
    if (cu_cuda_lu_is_batched(j->m, j->n, j->batch)) {
        st = cu_cuda_lu_batched(a, j->type, j->n, j->batch, pivots, j->info, j->s);
    } else {
        j->status = j->f->getrf_size(j->h, m, n, a, m, &nwork);
        if (j->status) return CUPRIC_OK;
        st = take(j, nwork, j->size, &work);
    }
    for (int64_t i = 0; i < j->batch && work && !st && !j->status; i++) {
        j->status = j->f->getrf(j->h, m, n, at(a, i, j->m * j->n, j->size), m, work,
                                pivots + i * j->k, j->info + i);
    }
    if (st || j->status) return st;
    return transpose(j, a, j->args->out[0].ptr, j->n, j->m, false);
}

static cu_status
run_cholesky(job *j)
{
    const int n = (int)j->n;
    long long order = j->n, batch = j->batch;
    void *out = j->args->out[0].ptr, *work = NULL;
    void *args[] = {&out, &order, &batch};
    int nwork = 0;
    cu_status st = copy_bytes(j, out, j->args->in[0].ptr, j->batch * j->n * j->n);

    if (st) return st;
    j->status = j->f->potrf_size(j->h, UPPER, n, out, n, &nwork);
    if (j->status) return CUPRIC_OK;
    st = take(j, nwork, j->size, &work);
    for (int64_t i = 0; i < j->batch && !st && !j->status; i++) {
        j->status = j->f->potrf(j->h, UPPER, n, at(out, i, j->n * j->n, j->size), n,
                                work, nwork, j->info + i);
    }
    if (!st && !j->status) st = check_info(j, "Matrix is not positive definite");
    return st || j->status ? st : over(j, "keep_lower", order * order * batch, args);
}

static cu_status
run_qr(job *j)
{
    const cu_view *q = &j->args->out[0], *r = &j->args->out[1];
    const int m = (int)j->m, n = (int)j->n, k = (int)j->k;
    const int64_t wide = q->shape[q->ndim - 1]; /* columns of q */
    const int64_t columns = wide > j->n ? wide : j->n;
    long long rows = r->shape[r->ndim - 2], across = j->n, height = j->m;
    long long stride = j->m * columns, batch = j->batch;
    void *in = NULL, *a = NULL, *tau = NULL, *work = NULL, *thin = NULL;
    void *upper[] = {&a, (void *)&r->ptr, &rows, &across, &height, &stride, &batch};
    int nwork = 0, more = 0;
    cu_status st = take(j, j->batch * j->m * j->n, j->size, &in);

    if (!st) st = take(j, j->batch * j->m * columns, j->size, &a);
    if (!st) st = take(j, j->k, j->size, &tau);
    if (!st) st = take(j, j->batch * j->m * wide, j->size, &thin);
    if (!st) st = transpose(j, j->args->in[0].ptr, in, j->m, j->n, false);
    if (st) return st;
    j->status = j->f->geqrf_size(j->h, m, n, a, m, &nwork);
    if (!j->status)
        j->status = j->f->orgqr_size(j->h, m, (int)wide, k, a, m, tau, &more);
    if (j->status) return CUPRIC_OK;
    nwork = more > nwork ? more : nwork;
    st = take(j, nwork, j->size, &work);
    for (int64_t i = 0; i < j->batch && !st && !j->status; i++) {
        void *ai = at(a, i, stride, j->size), *ti = at(thin, i, j->m * wide, j->size);
        st = copy_bytes(j, ai, at(in, i, j->m * j->n, j->size), j->m * j->n);
        if (!st)
            j->status = j->f->geqrf(j->h, m, n, ai, m, tau, work, nwork, j->info + i);
        if (st || j->status) break;
        st = copy_bytes(j, ti, ai, j->m * (wide < j->n ? wide : j->n));
        if (!st) {
            j->status = j->f->orgqr(j->h, m, (int)wide, k, ti, m, tau, work, nwork,
                                    j->info + i);
        }
    }
    if (!st && !j->status) st = over(j, "take_upper", rows * across * batch, upper);
    return st || j->status ? st : transpose(j, thin, q->ptr, wide, j->m, false);
}

/* A wide matrix is a tall one as cuSOLVER sees it: its factors land where they belong. */
static cu_status
run_svd(job *j)
{
    const bool vectors = j->args->kind == CUPRIC_LINALG_SVD, wide = j->n >= j->m;
    const signed char how = !vectors ? 'N' : j->args->flag ? 'A' : 'S';
    const int64_t tall = wide ? j->n : j->m, narrow = j->k;
    const int64_t u_columns = j->args->flag ? tall : narrow;
    void *values = j->args->out[vectors ? 1 : 0].ptr;
    void *a = NULL, *u = NULL, *vt = NULL, *work = NULL, *rwork = NULL;
    int nwork = 0;
    cu_status st;

    if (wide) {
        st = copy_input(j, &a);
    } else {
        st = take(j, j->batch * j->m * j->n, j->size, &a);
        if (!st) st = transpose(j, j->args->in[0].ptr, a, j->m, j->n, false);
    }
    if (vectors && wide) {
        u = j->args->out[2].ptr;
        vt = j->args->out[0].ptr;
    } else if (vectors) {
        if (!st) st = take(j, j->batch * tall * u_columns, j->size, &u);
        if (!st) st = take(j, j->batch * narrow * narrow, j->size, &vt);
    }
    if (st) return st;
    j->status = j->f->gesvd_size(j->h, (int)tall, (int)narrow, &nwork);
    if (j->status) return CUPRIC_OK;
    st = take(j, nwork, j->size, &work);
    if (!st) st = take(j, 5 * narrow, j->size, &rwork);
    for (int64_t i = 0; i < j->batch && !st && !j->status; i++) {
        j->status = j->f->gesvd(
            j->h, how, how, (int)tall, (int)narrow, at(a, i, tall * narrow, j->size),
            (int)tall, at(values, i, narrow, (size_t)cu_itemsize(j->real)),
            vectors ? at(u, i, tall * u_columns, j->size) : NULL, (int)tall,
            vectors ? at(vt, i, narrow * narrow, j->size) : NULL, (int)narrow, work,
            nwork, rwork, j->info + i);
    }
    if (!st && !j->status) st = check_info(j, "SVD did not converge");
    if (st || j->status || !vectors || wide) return st;
    st = transpose(j, u, j->args->out[0].ptr, u_columns, tall, false);
    return st ? st : transpose(j, vt, j->args->out[2].ptr, narrow, narrow, false);
}

static cu_status
run_eigh(job *j)
{
    const bool vectors = j->args->kind == CUPRIC_LINALG_EIGH;
    const int n = (int)j->n, uplo = j->args->flag ? LOWER : UPPER;
    const int how = vectors ? VECTORS : VALUES_ONLY;
    void *values = j->args->out[0].ptr, *a = NULL, *work = NULL;
    int nwork = 0;
    cu_status st = copy_input(j, &a);

    if (st) return st;
    j->status = j->f->syevd_size(j->h, how, uplo, n, a, n, values, &nwork);
    if (j->status) return CUPRIC_OK;
    st = take(j, nwork, j->size, &work);
    for (int64_t i = 0; i < j->batch && !st && !j->status; i++) {
        j->status = j->f->syevd(j->h, how, uplo, n, at(a, i, j->n * j->n, j->size), n,
                                at(values, i, j->n, (size_t)cu_itemsize(j->real)), work,
                                nwork, j->info + i);
    }
    if (!st && !j->status) st = check_info(j, "Eigenvalues did not converge");
    if (st || j->status || !vectors) return st;
    return transpose(j, a, j->args->out[1].ptr, j->n, j->n, true);
}

static int
library_type(cu_dtype t)
{
    switch ((int)t) {
    case CUPRIC_FLOAT32: return REAL_32;
    case CUPRIC_FLOAT64: return REAL_64;
    case CUPRIC_COMPLEX64: return COMPLEX_32;
    default: return COMPLEX_64;
    }
}

/* out[b], complex and in C order, of the eigenvectors of real matrices as LAPACK packs
 * them: of a conjugate pair the real parts are one column, the imaginary the next. */
static cu_status
unpack_vectors(job *j, const void *packed, const void *values, void *out)
{
    long long n = j->n, batch = j->batch;
    void *args[] = {&packed, &values, &out, &n, &batch};

    return over(j, "unpack_eigenvectors", n * n * batch, args);
}

/* One matrix after the other: cuSOLVER has no batch of this. */
static cu_status
run_eig(job *j)
{
    const bool vectors = j->args->kind == CUPRIC_LINALG_EIG;
    const int how = vectors ? VECTORS : VALUES_ONLY, type = library_type(j->type);
    const int wide = library_type(j->args->out[0].dtype);
    const int64_t n = j->n;
    const size_t value = (size_t)cu_itemsize(j->args->out[0].dtype);
    void *values = j->args->out[0].ptr, *a = NULL, *v = NULL, *work = NULL;
    void *host = NULL; /* owned */
    size_t on_device = 0, on_host = 0;
    cu_status st = load_geev(&j->status);

    if (!st && !j->status) st = take(j, j->batch * n * n, j->size, &a);
    if (!st && !j->status && vectors) st = take(j, j->batch * n * n, j->size, &v);
    if (st || j->status) return st;
    st = transpose(j, j->args->in[0].ptr, a, n, n, false);
    if (st) return st;
    j->status =
        geev.size(j->h, geev.params, VALUES_ONLY, how, n, type, a, n, wide, values,
                  type, NULL, n, type, v, n, type, &on_device, &on_host);
    if (j->status) return CUPRIC_OK;
    st = take(j, (int64_t)on_device, 1, &work);
    if (!st && on_host && !(host = malloc(on_host)))
        st = cu_fail(CUPRIC_ERR_MEMORY, "no memory for a factorisation");
    for (int64_t i = 0; i < j->batch && !st && !j->status; i++) {
        j->status =
            geev.run(j->h, geev.params, VALUES_ONLY, how, n, type,
                     at(a, i, n * n, j->size), n, wide, at(values, i, n, value), type,
                     NULL, n, type, vectors ? at(v, i, n * n, j->size) : NULL, n, type,
                     work, on_device, host, on_host, j->info + i);
    }
    if (!st && !j->status) st = check_info(j, "Eigenvalues did not converge");
    free(host);
    if (st || j->status || !vectors) return st;
    if (j->type == j->real) return unpack_vectors(j, v, values, j->args->out[1].ptr);
    return transpose(j, v, j->args->out[1].ptr, n, n, false);
}

/* Matrices without elements: what is not empty of the results. */
static cu_status
run_empty(job *j)
{
    const cu_view *out = j->args->out;

    switch (j->args->kind) {
    case CUPRIC_LINALG_DET:
    case CUPRIC_LINALG_SLOGDET: return run_det(j);
    case CUPRIC_LINALG_QR:
        return identity(j, out[0].ptr, j->m, out[0].shape[out[0].ndim - 1]);
    case CUPRIC_LINALG_SVD: {
        cu_status st = CUPRIC_OK;
        if (j->m) st = identity(j, out[0].ptr, j->m, out[0].shape[out[0].ndim - 1]);
        if (!st && j->n)
            st = identity(j, out[2].ptr, out[2].shape[out[2].ndim - 2], j->n);
        return st;
    }
    default: return CUPRIC_OK;
    }
}

static cu_status
run_verb(job *j)
{
    if (j->m == 0 || j->n == 0) return run_empty(j);
    switch (j->args->kind) {
    case CUPRIC_LINALG_SOLVE: return run_solve(j);
    case CUPRIC_LINALG_INV: return run_inv(j);
    case CUPRIC_LINALG_DET:
    case CUPRIC_LINALG_SLOGDET: return run_det(j);
    case CUPRIC_LINALG_CHOLESKY: return run_cholesky(j);
    case CUPRIC_LINALG_LU: return run_lu(j);
    case CUPRIC_LINALG_QR: return run_qr(j);
    case CUPRIC_LINALG_SVD:
    case CUPRIC_LINALG_SVDVALS: return run_svd(j);
    case CUPRIC_LINALG_EIGH:
    case CUPRIC_LINALG_EIGVALSH: return run_eigh(j);
    case CUPRIC_LINALG_EIG:
    case CUPRIC_LINALG_EIGVALS: return run_eig(j);
    default:
        return cu_fail(CUPRIC_ERR_UNSUPPORTED, "no such factorisation: %d",
                       j->args->kind);
    }
}

/* ---- the entry --------------------------------------------------------------------------------- */

/* The handle, with the lock held. */
static cu_status
handle_get(job *j)
{
    solver_handle *h = &handles[j->s->ordinal];
    cu_status st;

    if (!loaded && (st = load())) return st;
    if (!*h) j->status = solver.create(h);
    if (!j->status) j->status = solver.set_stream(*h, cu_cuda_stream(j->s));
    j->h = *h;
    return CUPRIC_OK;
}

cu_status
cu_cuda_solver_handle(cu_stream *s, void **out)
{
    job j = {.s = s};
    cu_status st;

    pthread_mutex_lock(&lock);
    st = handle_get(&j);
    pthread_mutex_unlock(&lock);
    if (st) return st;
    if (j.status) {
        return cu_fail(CUPRIC_ERR_DEVICE, "cuSOLVER cannot be set up (%d)", j.status);
    }
    *out = j.h;
    return CUPRIC_OK;
}

static cu_status
describe(const cu_linalg *args, cu_stream *s, job *j)
{
    const cu_view *a = &args->in[0];
    int which;

    switch ((int)a->dtype) {
    case CUPRIC_FLOAT32: which = 0; break;
    case CUPRIC_FLOAT64: which = 1; break;
    case CUPRIC_COMPLEX64: which = 2; break;
    case CUPRIC_COMPLEX128: which = 3; break;
    default:
        return cu_fail(CUPRIC_ERR_TYPE, "array type %s is unsupported in linalg",
                       cu_dtypes[a->dtype].name);
    }
    *j = (job){.args = args, .s = s, .f = &solver.of[which], .type = a->dtype};
    j->real = which % 2 ? CUPRIC_FLOAT64 : CUPRIC_FLOAT32;
    j->size = (size_t)cu_itemsize(a->dtype);
    j->m = a->shape[a->ndim - 2];
    j->n = a->shape[a->ndim - 1];
    j->k = j->m < j->n ? j->m : j->n;
    j->batch = 1;
    for (int d = 0; d < a->ndim - 2; d++) j->batch *= a->shape[d];
    for (int i = 0; i < args->nin + args->nout; i++) {
        const cu_view *v = i < args->nin ? &args->in[i] : &args->out[i - args->nin];
        if (cu_cuda_is_dense(v)) continue;
        return cu_fail(CUPRIC_ERR_VALUE, "linalg takes arrays in C order");
    }
    if (j->m > INT32_MAX || j->n > INT32_MAX) {
        return cu_fail(CUPRIC_ERR_VALUE, "a matrix is too large to be factored");
    }
    return CUPRIC_OK;
}

cu_status
cu_cuda_linalg(const cu_linalg *args, cu_stream *s)
{
    job j;
    cu_status st = cu_cuda_context(s->ordinal);

    if (!st && args->kind == CUPRIC_LINALG_TRIANGULAR)
        return cu_cuda_solve_triangular(args, s);
    if (cu_cuda_is_captured(cu_cuda_stream(s))) {
        return cu_fail(
            CUPRIC_ERR_UNSUPPORTED,
            "cuSOLVER cannot be called while the stream is capturing: factor "
            "matrices before or after");
    }
    if (!st) st = describe(args, s, &j);
    if (st || j.batch == 0) return st;
    pthread_mutex_lock(&lock);
    st = handle_get(&j);
    if (!st && !j.status) st = take(&j, j.batch, sizeof(int), &j.info);
    if (!st && !j.status) {
        st = cu_cuda_fill(j.info, 0, (size_t)j.batch * sizeof(int), s);
        if (!st) st = run_verb(&j);
    }
    for (int i = 0; i < j.nscratch; i++) cu_cuda_scratch_put(j.scratch[i], 0, s);
    pthread_mutex_unlock(&lock);
    if (!st && j.status) {
        st = cu_fail(CUPRIC_ERR_DEVICE, "cuSOLVER failed with status %d", j.status);
    }
    return st;
}
