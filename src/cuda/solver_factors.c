/* cuda/solver_factors.c: LU, Cholesky and QR factors by cuSOLVER, and what is made of them. */
#include "cuda/entries.h"
#include "cuda/linear.h"
#include "cuda/module.h"
#include "cuda/solver.h"

/* LU factors of the matrices, which are square, in place. */
static cu_status
factor_lu(job *j, void *a)
{
    const int n = (int)j->n;
    void *work;
    int nwork = 0;
    cu_status st = cu_solver_take(j, j->batch * j->n, sizeof(int), &j->pivots);

    if (st || n == 0) return st;
    j->status = j->f->getrf_size(j->h, n, n, a, n, &nwork);
    if (j->status) return CUPRIC_OK;
    st = cu_solver_take(j, nwork, j->size, &work);
    if (st) return st;
    for (int64_t i = 0; i < j->batch && !j->status; i++) {
        j->status =
            j->f->getrf(j->h, n, n, cu_solver_matrix(a, i, j->n * j->n, j->size), n,
                        work, j->pivots + i * j->n, j->info + i);
    }
    return CUPRIC_OK;
}

static cu_status
solve_factored(job *j, int op, void *a, void *b, int64_t columns)
{
    int *unused;
    cu_status st = cu_solver_take(j, 1, sizeof *unused, &unused);

    for (int64_t i = 0; i < j->batch && !st && !j->status; i++) {
        j->status = j->f->getrs(j->h, op, (int)j->n, (int)columns,
                                cu_solver_matrix(a, i, j->n * j->n, j->size), (int)j->n,
                                j->pivots + i * j->n,
                                cu_solver_matrix(b, i, j->n * columns, j->size),
                                (int)j->n, unused);
    }
    return st;
}

cu_status
cu_solver_solve(job *j)
{
    const cu_view *b = &j->args->in[1];
    const int64_t columns = b->shape[b->ndim - 1];
    void *a, *x;
    cu_status st = cu_solver_copy_input(j, &a);

    if (!st) st = factor_lu(j, a);
    if (!st && !j->status) st = cu_solver_check_info(j, "Singular matrix");
    if (st || j->status || columns == 0) return st;
    st = cu_solver_take(j, j->batch * j->n * columns, j->size, &x);
    if (!st) st = cu_solver_transpose(j, b->ptr, x, j->n, columns, false);
    if (!st) st = solve_factored(j, OP_T, a, x, columns);
    if (!st) st = cu_solver_transpose(j, x, j->args->out[0].ptr, columns, j->n, false);
    return st;
}

cu_status
cu_solver_inv(job *j)
{
    void *a;
    cu_status st = cu_solver_copy_input(j, &a);

    if (!st) st = factor_lu(j, a);
    if (!st && !j->status) st = cu_solver_check_info(j, "Singular matrix");
    if (!st && !j->status) st = cu_solver_identity(j, j->args->out[0].ptr, j->n, j->n);
    if (!st && !j->status) st = solve_factored(j, OP_N, a, j->args->out[0].ptr, j->n);
    return st;
}

cu_status
cu_solver_det(job *j)
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
    cu_status st = cu_solver_copy_input(j, &a);

    if (!st) st = factor_lu(j, a);
    if (st || j->status) return st;
    st = cu_cuda_linear_kernel(
        j->s->ordinal, logarithm ? "log_determinants" : "determinants", j->type, &f);
    if (st) return st;
    return cu_cuda_launch_1d(f, (unsigned)((batch + 127) / 128), 128, 0, args, j->s);
}

/* Singular matrices have factors, too. */
cu_status
cu_solver_lu(job *j)
{
    const int m = (int)j->m, n = (int)j->n;
    int *pivots = (int *)j->args->out[1].ptr;
    void *a = NULL, *work = NULL;
    int nwork = 0;
    cu_status st = cu_solver_take(j, j->batch * j->m * j->n, j->size, &a);

    if (!st) st = cu_solver_transpose(j, j->args->in[0].ptr, a, j->m, j->n, false);
    if (st) return st;
    if (cu_cuda_lu_is_batched(j->m, j->n, j->batch)) {
        st = cu_cuda_lu_batched(a, j->type, j->n, j->batch, pivots, j->info, j->s);
    } else {
        j->status = j->f->getrf_size(j->h, m, n, a, m, &nwork);
        if (j->status) return CUPRIC_OK;
        st = cu_solver_take(j, nwork, j->size, &work);
    }
    for (int64_t i = 0; i < j->batch && work && !st && !j->status; i++) {
        j->status =
            j->f->getrf(j->h, m, n, cu_solver_matrix(a, i, j->m * j->n, j->size), m,
                        work, pivots + i * j->k, j->info + i);
    }
    if (st || j->status) return st;
    return cu_solver_transpose(j, a, j->args->out[0].ptr, j->n, j->m, false);
}

cu_status
cu_solver_cholesky(job *j)
{
    const int n = (int)j->n;
    long long order = j->n, batch = j->batch;
    void *out = j->args->out[0].ptr, *work = NULL;
    void *args[] = {&out, &order, &batch};
    int nwork = 0;
    cu_status st =
        cu_solver_copy_bytes(j, out, j->args->in[0].ptr, j->batch * j->n * j->n);

    if (st) return st;
    j->status = j->f->potrf_size(j->h, UPPER, n, out, n, &nwork);
    if (j->status) return CUPRIC_OK;
    st = cu_solver_take(j, nwork, j->size, &work);
    for (int64_t i = 0; i < j->batch && !st && !j->status; i++) {
        j->status =
            j->f->potrf(j->h, UPPER, n, cu_solver_matrix(out, i, j->n * j->n, j->size),
                        n, work, nwork, j->info + i);
    }
    if (!st && !j->status)
        st = cu_solver_check_info(j, "Matrix is not positive definite");
    return st || j->status
               ? st
               : cu_solver_over(j, "keep_lower", order * order * batch, args);
}

cu_status
cu_solver_qr(job *j)
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
    cu_status st = cu_solver_take(j, j->batch * j->m * j->n, j->size, &in);

    if (!st) st = cu_solver_take(j, j->batch * j->m * columns, j->size, &a);
    if (!st) st = cu_solver_take(j, j->k, j->size, &tau);
    if (!st) st = cu_solver_take(j, j->batch * j->m * wide, j->size, &thin);
    if (!st) st = cu_solver_transpose(j, j->args->in[0].ptr, in, j->m, j->n, false);
    if (st) return st;
    j->status = j->f->geqrf_size(j->h, m, n, a, m, &nwork);
    if (!j->status)
        j->status = j->f->orgqr_size(j->h, m, (int)wide, k, a, m, tau, &more);
    if (j->status) return CUPRIC_OK;
    nwork = more > nwork ? more : nwork;
    st = cu_solver_take(j, nwork, j->size, &work);
    for (int64_t i = 0; i < j->batch && !st && !j->status; i++) {
        void *ai = cu_solver_matrix(a, i, stride, j->size),
             *ti = cu_solver_matrix(thin, i, j->m * wide, j->size);
        st = cu_solver_copy_bytes(j, ai, cu_solver_matrix(in, i, j->m * j->n, j->size),
                                  j->m * j->n);
        if (!st)
            j->status = j->f->geqrf(j->h, m, n, ai, m, tau, work, nwork, j->info + i);
        if (st || j->status) break;
        st = cu_solver_copy_bytes(j, ti, ai, j->m * (wide < j->n ? wide : j->n));
        if (!st) {
            j->status = j->f->orgqr(j->h, m, (int)wide, k, ti, m, tau, work, nwork,
                                    j->info + i);
        }
    }
    if (!st && !j->status)
        st = cu_solver_over(j, "take_upper", rows * across * batch, upper);
    return st || j->status ? st
                           : cu_solver_transpose(j, thin, q->ptr, wide, j->m, false);
}

/* As cuSOLVER has them: columns, one behind the other, are the rows of the result. */
cu_status
cu_solver_qr_raw(job *j)
{
    void *h = j->args->out[0].ptr, *tau = j->args->out[1].ptr, *work = NULL;
    const int m = (int)j->m, n = (int)j->n;
    int nwork = 0;
    cu_status st = cu_solver_transpose(j, j->args->in[0].ptr, h, j->m, j->n, false);

    if (st) return st;
    j->status = j->f->geqrf_size(j->h, m, n, h, m, &nwork);
    if (j->status) return CUPRIC_OK;
    st = cu_solver_take(j, nwork, j->size, &work);
    for (int64_t i = 0; i < j->batch && !st && !j->status; i++) {
        j->status = j->f->geqrf(
            j->h, m, n, cu_solver_matrix(h, i, j->m * j->n, j->size), m,
            cu_solver_matrix(tau, i, j->k, j->size), work, nwork, j->info + i);
    }
    return st;
}
