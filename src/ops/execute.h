/* ops/execute.h: operations on arrays: from operands to one call of a backend.
 *
 * Shapes, dtypes and the signature are decided by the caller; these functions see to
 * devices, overlapping memory and the iteration. None needs the GIL.
 */
#ifndef CUPRIC_OPS_EXECUTE_H
#define CUPRIC_OPS_EXECUTE_H

#include "ops/iter.h"

/* out… = op(in…) in signature `sig`, over the outputs' shape, which the inputs (and
 * `mask`, a bool array or NULL) broadcast to. Inputs may overlap outputs in any way: the
 * result is as if they had been copied first. At most 8 inputs and outputs. */
cu_status cu_run_elementwise(int op, int sig, int nin, const cu_iter_arg *in, int nout,
                             cu_array *const *out, const cu_array *mask);

/* dst[…] = src broadcast to dst's shape, converted as C does; only where `mask` (or NULL)
 * is true. Overlap as above. Both on one device. */
cu_status cu_array_assign(cu_array *dst, const cu_array *src, const cu_array *mask);
/* The same from one value. */
cu_status cu_array_fill(cu_array *dst, cu_dtype dtype, const cu_scalar *value,
                        const cu_array *mask);
/* A new array of `dtype` with a's elements; order 'C', 'F', 'A' or 'K'. */
cu_status cu_array_cast(const cu_array *a, cu_dtype dtype, char order, cu_array *out);
/* Copy to another device (or the same), of any backend, as a C-contiguous array. */
cu_status cu_array_to_device(const cu_array *a, cu_device *device, cu_array *out);

/* Element bytes to and from host memory, dense in C order. `get` waits for the work the
 * array depends on, and for the copy; with `pinned` memory, `get_async` for neither: the
 * elements are there when the current stream is synchronized. */
cu_status cu_array_get(const cu_array *a, void *dst);
cu_status cu_array_get_async(const cu_array *a, void *pinned);
cu_status cu_array_set(cu_array *a, const void *src);

#endif
