/* host/numpy.h: what the host device leaves to NumPy: BLAS, LAPACK, FFT and its
 * vectorised sort, on memory wrapped in NumPy arrays. Each call takes the GIL; NumPy lets
 * it go while it computes. Python's exceptions come back as a status with their text.
 */
#ifndef CUPRIC_HOST_NUMPY_H
#define CUPRIC_HOST_NUMPY_H

#include "device/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sort the last axis in place, ascending, NaN last; with kth >= 0 partition around it. */
cu_status cu_numpy_sort(const cu_view *data, bool stable, int64_t kth);

/* The order that would partition the last axis, in C order into `order`. */
cu_status cu_numpy_argpartition(const cu_view *data, int64_t kth, int64_t *order);

/* c = a @ b for the dtypes that NumPy has. */
cu_status cu_numpy_matmul(const cu_view *a, const cu_view *b, const cu_view *c);

/* The same where each product is of a row and a column, with a conjugated. */
cu_status cu_numpy_vecdot(const cu_view *a, const cu_view *b, const cu_view *c);

/* The factorisations that NumPy has. */
cu_status cu_numpy_linalg(const cu_linalg *args);

/* Any transform. */
cu_status cu_numpy_fft(const cu_fft *args);

#ifdef __cplusplus
}
#endif
#endif
