/* cuda/solver.c: factorisations by cuSOLVER, matrix after matrix: the entry, and the library.
 *
 * cuSOLVER sees a C-ordered matrix transposed. Most verbs have a form in which that is
 * what is wanted: the inverse of the transpose is the transpose of the inverse, a
 * determinant does not change, and the triangle below is the one above. Where it is not,
 * a copy in Fortran order is made.
 */
#include "cuda/solver.h"

#include <pthread.h>
#include <string.h>

#include "cuda/entries.h"
#include "cuda/graph.h"
#include "cuda/libraries.h"
#include "cuda/linear.h"
#include "cuda/memory.h"

#define N_FUNCTIONS (sizeof(solver_functions) / sizeof(void *))
static const char *const names[4][N_FUNCTIONS] = {
#define TYPED(field, real, complex, result, parameters) "cusolverDnS" real,
    {
#include "cuda/cusolver.def"
    },
#define TYPED(field, real, complex, result, parameters) "cusolverDnD" real,
    {
#include "cuda/cusolver.def"
    },
#define TYPED(field, real, complex, result, parameters) "cusolverDnC" complex,
    {
#include "cuda/cusolver.def"
    },
#define TYPED(field, real, complex, result, parameters) "cusolverDnZ" complex,
    {
#include "cuda/cusolver.def"
    },
};

static struct {
#define SYMBOL CUPRIC_SYMBOL_FIELD
#include "cuda/cusolver.def"
    solver_functions of[4];
} solver;

static solver_handle handles[CUPRIC_CUDA_MAXDEVICES];
static bool loaded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held while work is queued */

static cu_status
load(void)
{
    static const char *const common[] = {
#define SYMBOL CUPRIC_SYMBOL_NAME
#include "cuda/cusolver.def"
    };
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

/* Matrices without elements: what is not empty of the results. */
static cu_status
run_empty(job *j)
{
    const cu_view *out = j->args->out;

    switch (j->args->kind) {
    case CUPRIC_LINALG_DET:
    case CUPRIC_LINALG_SLOGDET: return cu_solver_det(j);
    case CUPRIC_LINALG_QR:
        if (j->args->flag == 2) return CUPRIC_OK;
        return cu_solver_identity(j, out[0].ptr, j->m, out[0].shape[out[0].ndim - 1]);
    case CUPRIC_LINALG_SVD: {
        cu_status st = CUPRIC_OK;
        if (j->m)
            st = cu_solver_identity(j, out[0].ptr, j->m, out[0].shape[out[0].ndim - 1]);
        if (!st && j->n)
            st = cu_solver_identity(j, out[2].ptr, out[2].shape[out[2].ndim - 2], j->n);
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
    case CUPRIC_LINALG_SOLVE: return cu_solver_solve(j);
    case CUPRIC_LINALG_INV: return cu_solver_inv(j);
    case CUPRIC_LINALG_DET:
    case CUPRIC_LINALG_SLOGDET: return cu_solver_det(j);
    case CUPRIC_LINALG_CHOLESKY: return cu_solver_cholesky(j);
    case CUPRIC_LINALG_LU: return cu_solver_lu(j);
    case CUPRIC_LINALG_QR:
        return j->args->flag == 2 ? cu_solver_qr_raw(j) : cu_solver_qr(j);
    case CUPRIC_LINALG_SVD:
    case CUPRIC_LINALG_SVDVALS: return cu_solver_svd(j);
    case CUPRIC_LINALG_EIGH:
    case CUPRIC_LINALG_EIGVALSH: return cu_solver_eigh(j);
    case CUPRIC_LINALG_EIG:
    case CUPRIC_LINALG_EIGVALS: return cu_solver_eig(j);
    default:
        return cu_fail(CUPRIC_ERR_UNSUPPORTED, "no such factorisation: %d",
                       j->args->kind);
    }
}

/* ---- the entry -------------------------------------------------------------------------- */

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
    if (!st && !j.status) st = cu_solver_take(&j, j.batch, sizeof(int), &j.info);
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
