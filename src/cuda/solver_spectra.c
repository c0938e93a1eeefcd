/* cuda/solver_spectra.c: singular values and eigenvalues by cuSOLVER. */
#include <stdlib.h>
#include <string.h>

#include "cuda/libraries.h"
#include "cuda/solver.h"

/* What is used of cusolverDn.h and library_types.h, whose numbers do not change. */
enum { VALUES_ONLY = 0, VECTORS = 1 };
enum { REAL_32 = 0, REAL_64 = 1, COMPLEX_32 = 4, COMPLEX_64 = 5 };

typedef struct solver_params *solver_params_handle;

/* Of cuSOLVER 11.7.1 and later: found when they are first needed. */
static solver_params_handle params;
static struct {
    int (*size)(solver_handle, solver_params_handle, int jobvl, int jobvr, int64_t n,
                int type_a, const void *a, int64_t lda, int type_w, const void *w,
                int type_vl, const void *vl, int64_t ldvl, int type_vr, const void *vr,
                int64_t ldvr, int computed, size_t *on_device, size_t *on_host);
    int (*run)(solver_handle, solver_params_handle, int jobvl, int jobvr, int64_t n,
               int type_a, void *a, int64_t lda, int type_w, void *w, int type_vl,
               void *vl, int64_t ldvl, int type_vr, void *vr, int64_t ldvr,
               int computed, void *device, size_t on_device, void *host, size_t on_host,
               int *info);
} geev;
static struct {
    int (*size)(solver_handle, solver_params_handle, int job, int uplo, int64_t n,
                int type_a, const void *a, int64_t lda, int type_w, const void *w,
                int computed, size_t *on_device, size_t *on_host, int64_t batch);
    int (*run)(solver_handle, solver_params_handle, int job, int uplo, int64_t n,
               int type_a, void *a, int64_t lda, int type_w, void *w, int computed,
               void *device, size_t on_device, void *host, size_t on_host, int *info,
               int64_t batch);
} syev_batched;

/* Two functions and what they are called with, with the lock held; false where cuSOLVER has
 * none. *status is cuSOLVER's. */
static bool
load(const char *size, const char *run, void *table, int *status)
{
    const char *const names[] = {size, run, "cusolverDnCreateParams"};
    int (*create_params)(solver_params_handle * out);
    void *slots[3];

    if (cu_cuda_library_table(CUPRIC_CUSOLVER, names, slots, 3)) return false;
    memcpy(table, slots, 2 * sizeof slots[0]);
    memcpy(&create_params, &slots[2], sizeof slots[2]);
    if (!params) *status = create_params(&params);
    return true;
}

static cu_status
load_geev(int *status)
{
    if (geev.run ||
        load("cusolverDnXgeev_bufferSize", "cusolverDnXgeev", &geev, status))
        return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_UNSUPPORTED,
                   "eigenvalues of matrices that are not Hermitian need cuSOLVER "
                   "11.7.1 or later, of CUDA 12.6 Update 2; compute them on the "
                   "host device, or by eigh where the matrices are Hermitian");
}

static bool
has_syev_batched(int *status)
{
    static bool looked;

    if (!looked) {
        looked = true;
        load("cusolverDnXsyevBatched_bufferSize", "cusolverDnXsyevBatched",
             &syev_batched, status);
    }
    return syev_batched.run != NULL;
}

/* A wide matrix is a tall one as cuSOLVER sees it: its factors land where they belong. */
cu_status
cu_solver_svd(job *j)
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
        st = cu_solver_copy_input(j, &a);
    } else {
        st = cu_solver_take(j, j->batch * j->m * j->n, j->size, &a);
        if (!st) st = cu_solver_transpose(j, j->args->in[0].ptr, a, j->m, j->n, false);
    }
    if (vectors && wide) {
        u = j->args->out[2].ptr;
        vt = j->args->out[0].ptr;
    } else if (vectors) {
        if (!st) st = cu_solver_take(j, j->batch * tall * u_columns, j->size, &u);
        if (!st) st = cu_solver_take(j, j->batch * narrow * narrow, j->size, &vt);
    }
    if (st) return st;
    j->status = j->f->gesvd_size(j->h, (int)tall, (int)narrow, &nwork);
    if (j->status) return CUPRIC_OK;
    st = cu_solver_take(j, nwork, j->size, &work);
    if (!st) st = cu_solver_take(j, 5 * narrow, j->size, &rwork);
    for (int64_t i = 0; i < j->batch && !st && !j->status; i++) {
        j->status = j->f->gesvd(
            j->h, how, how, (int)tall, (int)narrow,
            cu_solver_matrix(a, i, tall * narrow, j->size), (int)tall,
            cu_solver_matrix(values, i, narrow, (size_t)cu_itemsize(j->real)),
            vectors ? cu_solver_matrix(u, i, tall * u_columns, j->size) : NULL,
            (int)tall,
            vectors ? cu_solver_matrix(vt, i, narrow * narrow, j->size) : NULL,
            (int)narrow, work, nwork, rwork, j->info + i);
    }
    if (!st && !j->status) st = cu_solver_check_info(j, "SVD did not converge");
    if (st || j->status || !vectors || wide) return st;
    st = cu_solver_transpose(j, u, j->args->out[0].ptr, u_columns, tall, false);
    return st ? st
              : cu_solver_transpose(j, vt, j->args->out[2].ptr, narrow, narrow, false);
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

/* Memory of the host that a call of cuSOLVER's asks for: owned; NULL of 0 bytes. */
static cu_status
take_host(size_t nbytes, void **out)
{
    *out = nbytes ? malloc(nbytes) : NULL;
    return nbytes && !*out ? cu_fail(CUPRIC_ERR_MEMORY, "no memory for a factorisation")
                           : CUPRIC_OK;
}

/* The matrices at a, whose lower triangle is read as C has it, one after the other. */
static cu_status
eigh_each(job *j, int how, void *a, void *values)
{
    const int n = (int)j->n;
    void *work = NULL;
    int nwork = 0;
    cu_status st;

    j->status = j->f->syevd_size(j->h, how, UPPER, n, a, n, values, &nwork);
    if (j->status) return CUPRIC_OK;
    st = cu_solver_take(j, nwork, j->size, &work);
    for (int64_t i = 0; i < j->batch && !st && !j->status; i++) {
        j->status = j->f->syevd(
            j->h, how, UPPER, n, cu_solver_matrix(a, i, j->n * j->n, j->size), n,
            cu_solver_matrix(values, i, j->n, (size_t)cu_itemsize(j->real)), work,
            nwork, j->info + i);
    }
    return st;
}

/* cuSOLVER refuses stacks of some 32000 matrices, and needs memory for all at a time. Large
 * ones it makes faster one by one: on an H100, float32 of 512 rows in 4.7 ms, and 2.1 of ten
 * together; of 1024 in 11 ms, and 20 of four. */
enum { MOST_MATRICES = 1 << 14, MOST_ELEMENTS = 1 << 26, MOST_ROWS = 767 };

static int64_t
matrices_at_once(const job *j)
{
    const int64_t fit = MOST_ELEMENTS / (j->n * j->n);
    const int64_t most = fit < MOST_MATRICES ? fit : MOST_MATRICES;

    if (j->n > MOST_ROWS) return 1;
    return j->batch < most ? j->batch : most;
}

/* The same, `at_once` together. */
static cu_status
eigh_batched(job *j, int how, void *a, void *values, int64_t at_once)
{
    const int64_t n = j->n;
    const int type = library_type(j->type), real = library_type(j->real);
    void *work = NULL, *host = NULL; /* host: owned */
    size_t on_device = 0, on_host = 0;
    cu_status st;

    j->status = syev_batched.size(j->h, params, how, UPPER, n, type, a, n, real, values,
                                  type, &on_device, &on_host, at_once);
    if (j->status) return CUPRIC_OK;
    st = cu_solver_take(j, (int64_t)on_device, 1, &work);
    if (!st) st = take_host(on_host, &host);
    for (int64_t i = 0; i < j->batch && !st && !j->status; i += at_once) {
        const int64_t left = j->batch - i;
        j->status = syev_batched.run(
            j->h, params, how, UPPER, n, type, cu_solver_matrix(a, i, n * n, j->size),
            n, real, cu_solver_matrix(values, i, n, (size_t)cu_itemsize(j->real)), type,
            work, on_device, host, on_host, j->info + i,
            left < at_once ? left : at_once);
    }
    free(host);
    return st;
}

/* cuSOLVER reads the triangle that it calls the upper one, the lower as C has it, also where
 * the other is asked for: of the lower one XsyevBatched has failed for complex64. */
cu_status
cu_solver_eigh(job *j)
{
    const bool vectors = j->args->kind == CUPRIC_LINALG_EIGH, upper = j->args->flag;
    const int how = vectors ? VECTORS : VALUES_ONLY;
    const int64_t at_once = matrices_at_once(j);
    void *values = j->args->out[0].ptr, *a = NULL;
    cu_status st;

    st = cu_solver_take(j, j->batch * j->n * j->n, j->size, &a);
    if (!st && upper)
        st = cu_solver_transpose(j, j->args->in[0].ptr, a, j->n, j->n, false);
    else if (!st)
        st = cu_solver_copy_bytes(j, a, j->args->in[0].ptr, j->batch * j->n * j->n);
    if (st) return st;
    if (at_once > 1 && has_syev_batched(&j->status)) {
        if (!j->status) st = eigh_batched(j, how, a, values, at_once);
    } else {
        st = eigh_each(j, how, a, values);
    }
    if (!st && !j->status) st = cu_solver_check_info(j, "Eigenvalues did not converge");
    if (st || j->status || !vectors) return st;
    return cu_solver_transpose(j, a, j->args->out[1].ptr, j->n, j->n, !upper);
}

/* out[b], complex and in C order, of the eigenvectors of real matrices as LAPACK packs
 * them: of a conjugate pair the real parts are one column, the imaginary the next. */
static cu_status
unpack_vectors(job *j, const void *packed, const void *values, void *out)
{
    long long n = j->n, batch = j->batch;
    void *args[] = {&packed, &values, &out, &n, &batch};

    return cu_solver_over(j, "unpack_eigenvectors", n * n * batch, args);
}

/* One matrix after the other: cuSOLVER has no batch of this. */
cu_status
cu_solver_eig(job *j)
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

    if (!st && !j->status) st = cu_solver_take(j, j->batch * n * n, j->size, &a);
    if (!st && !j->status && vectors)
        st = cu_solver_take(j, j->batch * n * n, j->size, &v);
    if (st || j->status) return st;
    st = cu_solver_transpose(j, j->args->in[0].ptr, a, n, n, false);
    if (st) return st;
    j->status = geev.size(j->h, params, VALUES_ONLY, how, n, type, a, n, wide, values,
                          type, NULL, n, type, v, n, type, &on_device, &on_host);
    if (j->status) return CUPRIC_OK;
    st = cu_solver_take(j, (int64_t)on_device, 1, &work);
    if (!st) st = take_host(on_host, &host);
    for (int64_t i = 0; i < j->batch && !st && !j->status; i++) {
        j->status = geev.run(j->h, params, VALUES_ONLY, how, n, type,
                             cu_solver_matrix(a, i, n * n, j->size), n, wide,
                             cu_solver_matrix(values, i, n, value), type, NULL, n, type,
                             vectors ? cu_solver_matrix(v, i, n * n, j->size) : NULL, n,
                             type, work, on_device, host, on_host, j->info + i);
    }
    if (!st && !j->status) st = cu_solver_check_info(j, "Eigenvalues did not converge");
    free(host);
    if (st || j->status || !vectors) return st;
    if (j->type == j->real) return unpack_vectors(j, v, values, j->args->out[1].ptr);
    return cu_solver_transpose(j, v, j->args->out[1].ptr, n, n, false);
}
