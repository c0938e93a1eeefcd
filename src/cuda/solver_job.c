/* cuda/solver_job.c: memory, copies and kernels for a call of cuSOLVER. */
#include <stdlib.h>
#include <string.h>

#include "cuda/entries.h"
#include "cuda/launches.h"
#include "cuda/linear.h"
#include "cuda/memory.h"
#include "cuda/module.h"
#include "cuda/solver.h"

cu_status
cu_solver_take(job *j, int64_t n, size_t size, void *out)
{
    void *memory = NULL;
    cu_status st = cu_cuda_scratch_get((size_t)(n < 1 ? 1 : n) * size, &memory, j->s);

    if (st) return st;
    j->scratch[j->nscratch++] = memory;
    memcpy(out, &memory, sizeof memory);
    return CUPRIC_OK;
}

cu_status
cu_solver_copy_bytes(job *j, void *dst, const void *src, int64_t elements)
{
    return cu_cuda_copy(dst, src, (size_t)elements * j->size, CUPRIC_COPY_ON_DEVICE,
                        j->s);
}

cu_status
cu_solver_copy_input(job *j, void **out)
{
    const int64_t elements = j->batch * j->m * j->n;
    cu_status st = cu_solver_take(j, elements, j->size, out);

    return st || elements == 0
               ? st
               : cu_solver_copy_bytes(j, *out, j->args->in[0].ptr, elements);
}

cu_status
cu_solver_transpose(job *j, const void *in, void *out, int64_t rows, int64_t columns,
                    bool conjugated)
{
    return cu_cuda_transpose(in, out, rows, columns, j->batch, j->type, conjugated,
                             j->s);
}

cu_status
cu_solver_over(job *j, const char *name, int64_t n, void **args)
{
    cu_function *f;
    cu_status st = cu_cuda_linear_kernel(j->s->ordinal, name, j->type, &f);

    if (st || n == 0) return st;
    return cu_cuda_launch_1d(f, cu_cuda_blocks(n, j->s->ordinal), 256, 0, args, j->s);
}

cu_status
cu_solver_identity(job *j, void *out, int64_t rows, int64_t columns)
{
    long long r = rows, c = columns, b = j->batch;
    void *args[] = {&out, &r, &c, &b};

    return cu_solver_over(j, "identity_matrices", rows * columns * b, args);
}

void *
cu_solver_matrix(void *base, int64_t i, int64_t elements, size_t size)
{
    return (char *)base + (size_t)(i * elements) * size;
}

cu_status
cu_solver_check_info(job *j, const char *message)
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
