/* cuda/triangular.c: what cuBLAS does for factorisations: equations with triangular
 * matrices, and the LU factors of stacks of small matrices.
 *
 * cuBLAS sees C-ordered matrices transposed: a x = b is asked for as x^T a^T = b^T, in
 * which the triangle below the diagonal of a is the one above that of a^T. So nothing is
 * copied but b, which becomes x in place.
 */
#include <stdlib.h>
#include <string.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/libraries.h"
#include "cuda/linear.h"
#include "cuda/memory.h"

/* What is used of cublas_api.h, whose numbers do not change. */
enum { LEFT, RIGHT };
enum { OP_N, OP_T };
enum { LOWER = 0, UPPER = 1 };

typedef struct blas_context *blas_handle;

/* The functions of one element type. Elements are void: four types share a signature. */
typedef struct blas_functions {
#define TYPED CUPRIC_SYMBOL_FIELD
#include "cuda/cublas.def"
} blas_functions;

#define N_FUNCTIONS (sizeof(blas_functions) / sizeof(void *))
static const char *const names[4][N_FUNCTIONS] = {
#define TYPED(field, name, result, parameters) "cublasS" name,
    {
#include "cuda/cublas.def"
    },
#define TYPED(field, name, result, parameters) "cublasD" name,
    {
#include "cuda/cublas.def"
    },
#define TYPED(field, name, result, parameters) "cublasC" name,
    {
#include "cuda/cublas.def"
    },
#define TYPED(field, name, result, parameters) "cublasZ" name,
    {
#include "cuda/cublas.def"
    },
};

#define BATCHED 128 /* rows of matrices of which cuBLAS takes many at once */
#define LARGE 1024  /* rows of upper triangles for which right sides may be better */

typedef struct job {
    blas_functions f;
    const void *one;
    int uplo, diag;
    bool left; /* x is in Fortran order */
    int n, columns, batch;
    size_t size;     /* bytes of an element */
    char *a, *x;     /* the first matrices */
    void **pa, **px; /* on the device: all of them, or NULL for one call each */
    int *pivots, *info;
} job;

static cu_status
describe(cu_dtype t, job *j)
{
    /* Complex ones are read 16 bytes at a time. */
    static const _Alignas(16) float f[4] = {1};
    static const _Alignas(16) double d[2] = {1};
    const bool wide = t == CUPRIC_FLOAT64 || t == CUPRIC_COMPLEX128;
    const int which = wide + 2 * (cu_dtypes[t].kind == 'c');
    void *slots[N_FUNCTIONS];
    cu_status st =
        cu_cuda_library_table(CUPRIC_CUBLAS, names[which], slots, N_FUNCTIONS);

    if (st) return st;
    memcpy(&j->f, slots, sizeof j->f);
    j->one = wide ? (const void *)d : (const void *)f;
    j->size = (size_t)cu_itemsize(t);
    return CUPRIC_OK;
}

/* The addresses of a stack's matrices, in scratch memory of the device. */
static cu_status
addresses(char *first, size_t step, int64_t batch, void ***out, cu_stream *s)
{
    const size_t nbytes = (size_t)batch * sizeof(void *);
    void **host = malloc(nbytes); /* owned */
    void *memory = NULL;
    cu_status st;

    if (!host) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a factorisation");
    for (int64_t i = 0; i < batch; i++) host[i] = first + (size_t)i * step;
    st = cu_cuda_scratch_get(nbytes, &memory, s);
    if (!st) st = cu_cuda_copy(memory, host, nbytes, CUPRIC_COPY_TO_DEVICE, s);
    free(host);
    *out = memory;
    return st;
}

static int
solve_all(void *handle, void *arg)
{
    const job *j = arg;
    const size_t step_a = (size_t)j->n * (size_t)j->n * j->size;
    const size_t step_x = (size_t)j->n * (size_t)j->columns * j->size;
    int status = 0;

    if (j->pa) {
        return j->f.trsm_batched(handle, RIGHT, j->uplo, OP_N, j->diag, j->columns,
                                 j->n, j->one, (const void *const *)j->pa, j->n, j->px,
                                 j->columns, j->batch);
    }
    for (int i = 0; i < j->batch && !status; i++) {
        char *const a = j->a + (size_t)i * step_a, *const x = j->x + (size_t)i * step_x;
        if (j->left) {
            status = j->f.trsm(handle, LEFT, j->uplo, OP_T, j->diag, j->n, j->columns,
                               j->one, a, j->n, x, j->n);
        } else {
            status = j->f.trsm(handle, RIGHT, j->uplo, OP_N, j->diag, j->columns, j->n,
                               j->one, a, j->n, x, j->columns);
        }
    }
    return status;
}

/* cuBLAS sees matrices transposed. It takes 0.8 to 0.9 times as long for a matrix on the
 * left (of one column a quarter, of 512 rows), for which b and x are transposed; not for
 * large upper triangles, nor where columns are many. */
static bool
is_left(const job *j)
{
    if (j->batch > 1 && j->n <= BATCHED) return false;
    if (j->columns == 1) return true;
    if (j->n < BATCHED || j->columns > 4 * (int64_t)j->n) return false;
    return j->uplo == UPPER || j->n < LARGE || j->columns < LARGE / 2;
}

cu_status
cu_cuda_solve_triangular(const cu_linalg *args, cu_stream *s)
{
    const cu_view *a = &args->in[0], *b = &args->in[1], *x = &args->out[0];
    const int64_t n = a->shape[a->ndim - 1], columns = x->shape[x->ndim - 1];
    const int64_t size = cu_cuda_view_size(x);
    job j = {.a = a->ptr, .x = x->ptr};
    void *turned = NULL; /* owned: right sides and solutions in Fortran order */
    cu_status st;

    if (size == 0) return CUPRIC_OK;
    if (n > INT32_MAX || columns > INT32_MAX || size / (n * columns) > INT32_MAX) {
        return cu_fail(CUPRIC_ERR_VALUE,
                       "a matrix is too large for equations to be solved");
    }
    st = describe(a->dtype, &j);
    if (st) return st;
    j.n = (int)n;
    j.columns = (int)columns;
    j.batch = (int)(size / (n * columns));
    j.uplo = args->flag & CUPRIC_TRIANGULAR_UPPER ? LOWER : UPPER;
    j.diag = args->flag & CUPRIC_TRIANGULAR_UNIT ? 1 : 0;
    j.left = is_left(&j);
    const bool turns = j.left && columns > 1;
    if (turns) {
        st = cu_cuda_scratch_get((size_t)size * j.size, &turned, s);
        j.x = turned;
        if (!st) {
            st = cu_cuda_transpose(b->ptr, turned, n, columns, j.batch, a->dtype, false,
                                   s);
        }
    } else {
        st = cu_cuda_copy(x->ptr, b->ptr, (size_t)size * j.size, CUPRIC_COPY_ON_DEVICE,
                          s);
    }
    if (!st && j.batch > 1 && n <= BATCHED) {
        st = addresses(j.a, (size_t)(n * n) * j.size, j.batch, &j.pa, s);
        if (!st) {
            st = addresses(j.x, (size_t)(n * columns) * j.size, j.batch, &j.px, s);
        }
    }
    if (!st) st = cu_cuda_blas_call(solve_all, &j, s);
    if (!st && turns) {
        st = cu_cuda_transpose(turned, x->ptr, columns, n, j.batch, a->dtype, false, s);
    }
    cu_cuda_scratch_put(turned, 0, s);
    cu_cuda_scratch_put(j.pa, 0, s);
    cu_cuda_scratch_put(j.px, 0, s);
    return st;
}

static int
factor_all(void *handle, void *arg)
{
    const job *j = arg;

    return j->f.getrf_batched(handle, j->n, j->pa, j->n, j->pivots, j->info, j->batch);
}

bool
cu_cuda_lu_is_batched(int64_t m, int64_t n, int64_t batch)
{
    return m == n && n <= BATCHED && batch > 1 && batch <= INT32_MAX;
}

cu_status
cu_cuda_lu_batched(void *a, cu_dtype t, int64_t n, int64_t batch, int *pivots,
                   int *info, cu_stream *s)
{
    job j = {.n = (int)n, .batch = (int)batch, .pivots = pivots, .info = info};
    cu_status st = describe(t, &j);

    if (!st) st = addresses(a, (size_t)(n * n) * j.size, batch, &j.pa, s);
    if (!st) st = cu_cuda_blas_call(factor_all, &j, s);
    cu_cuda_scratch_put(j.pa, 0, s);
    return st;
}
