/* cuda/solver.h: a call of cuSOLVER, which src/cuda/solver.c begins and ends, and what its
 * verbs (solver_factors.c, solver_spectra.c) share. */
#ifndef CUPRIC_CUDA_SOLVER_H
#define CUPRIC_CUDA_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/device.h"
#include "device/backend.h"

/* What is used of cusolverDn.h, whose numbers do not change. */
enum { OP_N = 0, OP_T = 1 };
enum { LOWER = 0, UPPER = 1 };

typedef struct solver_context *solver_handle;

/* The functions of one element type. Elements are void: four types share a signature. */
typedef struct solver_functions {
#define TYPED(field, real, complex, result, parameters) result(*field) parameters;
#include "cuda/cusolver.def"
} solver_functions;

#define MAX_SCRATCH 8

/* A call of a verb. A function that calls cuSOLVER leaves its status in the job, where it is
 * not 0, and returns CUPRIC_OK. */
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

/* Device memory for n elements of `size` bytes, until the job ends, through *out. */
cu_status cu_solver_take(job *j, int64_t n, size_t size, void *out);
cu_status cu_solver_copy_bytes(job *j, void *dst, const void *src, int64_t elements);
/* A copy of the first input. */
cu_status cu_solver_copy_input(job *j, void **out);
/* out[b] = transpose of in[b], rows by columns. */
cu_status cu_solver_transpose(job *j, const void *in, void *out, int64_t rows,
                              int64_t columns, bool conjugated);
cu_status cu_solver_identity(job *j, void *out, int64_t rows, int64_t columns);
/* Launch a kernel of linear.hpp with a thread for each of n elements. */
cu_status cu_solver_over(job *j, const char *name, int64_t n, void **args);
/* The i-th of matrices of `elements` elements of `size` bytes. */
void *cu_solver_matrix(void *base, int64_t i, int64_t elements, size_t size);
/* Wait, and fail with `message` where a matrix's info is above zero. */
cu_status cu_solver_check_info(job *j, const char *message);

/* The verbs. */
cu_status cu_solver_solve(job *j);
cu_status cu_solver_inv(job *j);
cu_status cu_solver_det(job *j);
cu_status cu_solver_lu(job *j);
cu_status cu_solver_cholesky(job *j);
cu_status cu_solver_qr(job *j);
cu_status cu_solver_qr_raw(job *j); /* flag 2 */
cu_status cu_solver_svd(job *j);
cu_status cu_solver_eigh(job *j);
cu_status cu_solver_eig(job *j);

#endif
