/* ops/reduction.h: reductions, scans and sliced reductions of arrays.
 *
 * Dtypes, the signature and the output's shape are decided by the caller. These functions
 * see to overlapping memory, empty arrays and the iteration, and make one call of a
 * backend. None needs the GIL or waits for the device.
 */
#ifndef CUPRIC_OPS_REDUCTION_H
#define CUPRIC_OPS_REDUCTION_H

#include "layout/array.h"
#include "ops/iter.h"
#include "ops/ufunc.h"

typedef struct cu_reduction {
    int op, sig; /* a row of ufunc.def or reduce.def, one of its signatures */
    int nin;
    const cu_array *in[2];        /* borrowed; in[1] broadcasts to in[0] */
    const cu_array *mask;         /* borrowed: bool, broadcasts to in[0]; or NULL */
    bool reduced[CUPRIC_MAXDIMS]; /* per axis of in[0] */
    bool ordered;             /* positions count: axes may be joined but not swapped */
    bool no_identity;         /* an empty reduction is an error whatever the row says */
    const cu_scalar *initial; /* borrowed, in the signature's result dtype; or NULL */
    double param;
} cu_reduction;

/* Reduce into `out`, which has the axes that remain, with or without 1 for the others.
 * CUPRIC_ERR_VALUE for an empty reduction without identity. */
cu_status cu_array_reduce(const cu_reduction *r, cu_array *out);

/* What an empty reduction gives, in the signature's result dtype; false if nothing. */
bool cu_reduction_identity(int op, int sig, cu_scalar *value);

/* out[…, i, …] = in[…, 0, …] op … op in[…, i, …] along `axis`; shapes are equal. */
cu_status cu_array_scan(int op, int sig, const cu_array *in, int axis, cu_array *out);

/* Where slices begin: n places, in host memory or side by side on the array's device. */
typedef struct cu_starts {
    const int64_t *at; /* NULL: on the device, */
    const cu_array *there;
    int64_t n;
} cu_starts;

/* out[…, j, …] = reduction of in[…, starts[j] … starts[j + 1], …], as NumPy's reduceat. */
cu_status cu_array_reduceat(int op, int sig, const cu_array *in, int axis,
                            const cu_starts *starts, cu_array *out);

/* The largest of the integers of an array that has some, as unsigned ones of their width:
 * whether an index is negative or too large. It waits for the device. */
cu_status cu_array_largest_unsigned(const cu_array *a, uint64_t *value);

#endif
