/* array/index.h: access through arrays of indices: a[i, j] read and written.
 *
 * A cu_indexed says where each element of a result lies in an array: some axes of the
 * array are chosen from by index arrays, which broadcast together; the others are walked
 * as they are. take, put and advanced indexing are all of this form. None of these
 * functions needs the GIL.
 */
#ifndef CUPRIC_ARRAY_INDEX_H
#define CUPRIC_ARRAY_INDEX_H

#include "ops/execute.h"

/* An index array and the axis that it chooses from. */
typedef struct cu_index_array {
    const cu_array *index; /* borrowed; int64 */
    int axis;              /* of the array indexed */
    int reported;          /* the axis that messages name */
} cu_index_array;

typedef struct cu_indexed {
    cu_array
        walk; /* borrowed: the array over the result's shape; 0 strides where indexed */
    cu_array base; /* borrowed: the array itself, for its extent */
    int nindex;
    cu_array index[CUPRIC_MAXDIMS]; /* borrowed: over the result's shape */
    int64_t length[CUPRIC_MAXDIMS], stride[CUPRIC_MAXDIMS];
    int axis[CUPRIC_MAXDIMS];
    bool check;
    bool distinct;
    /* no place is named twice */ /* indices out of range fail instead of wrapping */
} cu_indexed;

/* Describe the access. The index arrays' dimensions, `ndim` of them of lengths `shape`
 * (which every index broadcasts to), stand at place `at` among the axes that are not
 * indexed. The storages must outlive *out, which owns nothing. */
cu_status cu_indexed_init(cu_indexed *out, const cu_array *a, int n,
                          const cu_index_array *index_arrays, int ndim,
                          const int64_t *shape, int at);

/* The broadcast shape of the index arrays; CUPRIC_ERR_INDEX in NumPy's words. *ndim and
 * shape hold what to start from (0: nothing). */
cu_status cu_index_arrays_broadcast(int n, const cu_index_array *index_arrays,
                                    int *ndim, int64_t *shape);

/* out[…] = a[…]: `out` has the result's shape, may have another dtype and may overlap the
 * array or the indices. */
cu_status cu_indexed_gather(const cu_indexed *x, cu_array *out);
/* a[…] = value, an array that broadcasts to the result's shape or a value in the array's
 * dtype. Of repeated indices the last wins. Overlap as above. */
cu_status cu_indexed_scatter(const cu_indexed *given, const cu_iter_arg *given_value);
/* out[i] = start + i * step for i < n. */
cu_status cu_array_arange(cu_device *device, cu_dtype dtype, int64_t n,
                          const cu_scalar *start, const cu_scalar *step, cu_array *out);

#endif
