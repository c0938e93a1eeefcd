/* cuda/linear.h: what the verbs of the math libraries share: small kernels by name, and
 * copies of strided views.
 */
#ifndef CUPRIC_CUDA_LINEAR_H
#define CUPRIC_CUDA_LINEAR_H

#include "device/backend.h"

/* A kernel of cupric/linear.hpp for an element type, "name<type>": compiled once.
 * The name is a literal. */
cu_status cu_cuda_linear_kernel(int ordinal, const char *name, cu_dtype t,
                                cu_function **out);

/* Write each of a stack of C-ordered matrices, rows x columns, transposed. */
cu_status cu_cuda_transpose(const void *in, void *out, int64_t rows, int64_t columns,
                            int64_t batch, cu_dtype t, bool conjugated, cu_stream *s);

/* Copy a view to another of the same shape, converting. */
cu_status cu_cuda_copy_view(const cu_view *from, const cu_view *to, cu_stream *s);

/* Make `out` a C-ordered copy of a view, in dtype `t`, its memory scratch of the stream;
 * dimensions that the view repeats (stride 0) are as long as the view's. */
cu_status cu_cuda_dense_copy(const cu_view *from, cu_dtype t, cu_view *out,
                             cu_stream *s);

/* Whether a view's elements lie in C order without gaps. */
bool cu_cuda_is_dense(const cu_view *v);

/* Elements, and a C-ordered view over memory. */
int64_t cu_cuda_view_size(const cu_view *v);
void cu_cuda_view_dense(cu_view *v, void *ptr);

/* Multiply floating or complex numbers in place. They are dense in some order of their
 * dimensions, or the beginnings of such rows. */
cu_status cu_cuda_scale(const cu_view *v, double factor, cu_stream *s);
/* Whether it can be: rows of numbers side by side, as far apart as they may be. */
bool cu_cuda_scales(const cu_view *v);

/* The libraries' handles of a device, on a stream. */
cu_status cu_cuda_blas_handle(cu_stream *s, void **out);   /* blas.c */
cu_status cu_cuda_solver_handle(cu_stream *s, void **out); /* solver.c */

/* Run call(handle, arg), which queues work with cuBLAS and returns its status, while nobody
 * else does (blas.c). */
cu_status cu_cuda_blas_call(int (*call)(void *handle, void *arg), void *arg,
                            cu_stream *s);

/* CUPRIC_LINALG_TRIANGULAR (triangular.c). */
cu_status cu_cuda_solve_triangular(const cu_linalg *args, cu_stream *s);

/* LU factors in place of a stack of square matrices in Fortran order, with n pivots and an
 * info each; for stacks that cuBLAS takes at once (triangular.c). */
bool cu_cuda_lu_is_batched(int64_t m, int64_t n, int64_t batch);
cu_status cu_cuda_lu_batched(void *a, cu_dtype t, int64_t n, int64_t batch, int *pivots,
                             int *info, cu_stream *s);

/* Blocks of 256 threads for n elements, at most what keeps the device busy. */
unsigned cu_cuda_blocks(int64_t n, int ordinal);

#endif
