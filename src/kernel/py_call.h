/* kernel/py_call.h: a call of an ElementwiseKernel or a ReductionKernel. */
#ifndef CUPRIC_KERNEL_PY_CALL_H
#define CUPRIC_KERNEL_PY_CALL_H

#include "kernel/plan.h"
#include "layout/py_object.h"

/* A call of a generated kernel, as it takes shape. */
typedef struct py_call {
    const char *name;
    const cu_params *params;
    cu_device *device;
    cu_plan plan;
    PyObject *out[CUPRIC_MAXPARAMS]; /* borrowed: given; else NULL */
    cu_array made[CUPRIC_MAXPARAMS]; /* owned: the outputs that were not given */
    int nmade;
    PyObject *foreign[CUPRIC_MAXPARAMS]; /* owned: arrays of other packages' objects */
    int nforeign;
} py_call;

/* Read inputs (and outputs, when nargs covers them) and decide every type. Release *c
 * after success only. */
int py_call_read(py_call *c, const char *name, const cu_params *params,
                 PyObject *const *args, Py_ssize_t nargs);
/* The shape that the operands [0, n) that are not raw broadcast to; *found says whether
 * there was any. Returns ndim, or -1. */
int py_call_broadcast(const py_call *c, int n, int64_t *shape, bool *found);
/* Make the outputs that are missing, check the others against `shape`; with `keep_ndim`
 * the reduced shape may also come without its axes of length 1. */
int py_call_outputs(py_call *c, int ndim, const int64_t *shape);
void py_call_release(py_call *c);
/* The result: an array, a tuple of them, or None. Releases *c. */
PyObject *py_call_result(py_call *c, bool as_tuple);

#endif
