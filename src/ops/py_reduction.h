/* ops/py_reduction.h: reductions and scans as Python calls them.
 *
 * The py_array_… functions are methods of ndarray (METH_FASTCALL | METH_KEYWORDS, self
 * first); module functions of the same names take the array as their first argument.
 */
#ifndef CUPRIC_OPS_PY_REDUCTION_H
#define CUPRIC_OPS_PY_REDUCTION_H

#include "layout/py_object.h"
#include "ops/reduction.h"

/* Keywords of a reduction: borrowed, NULL where absent. */
typedef struct py_reduce_args {
    PyObject *axis, *dtype, *out, *keepdims, *initial, *where;
} py_reduce_args;

/* Reduce by a row of ufunc.def under NumPy's rules for dtypes. `axis` absent is every
 * axis. New reference. */
PyObject *py_reduce(int op, PyObject *array, const py_reduce_args *args);
/* Reduce by any row: one of reduce.def chooses dtypes as it says there. `other` is the
 * second input, which broadcasts to `array`, or NULL; `param` the row's parameter. */
PyObject *py_reduce_row(int op, PyObject *array, const cu_array *other, double param,
                        const py_reduce_args *args);
/* Running reduction along `axis` (NULL or None: of the flattened array). */
PyObject *py_scan(int op, PyObject *array, PyObject *axis, PyObject *dtype,
                  PyObject *out);

/* The signature by which `op` reduces: `dtype` and `out` are the caller's, or
 * CUPRIC_NO_DTYPE. -1 with TypeError. */
int py_reduce_signature(int op, cu_dtype in, cu_dtype dtype, cu_dtype out);

/* The first argument of a module function as an array: new reference. Python and NumPy
 * scalars become 0-d; TypeError for what is not ours. */
PyObject *py_array_require(PyObject *o);
/* An argument beside it: scalars on `device`. */
PyObject *py_array_require_on(PyObject *o, cu_device *device);
/* An output argument: an array, writeable, of this shape. 0 or -1; *out borrowed. */
int py_output_require(PyObject *o, const char *fname, int ndim, const int64_t *shape,
                      cu_array **out);
/* `out=`: an array, None, or a tuple of one of these. 0 or -1; *out may become NULL. */
int py_output_unpack(PyObject *o, PyObject **out);

/* A new array, of the class of `like`. Steals *a. */
static inline PyObject *
py_array_new_like(cu_array *a, PyObject *like)
{
    return py_array_wrap(a, Py_TYPE(like), NULL, like);
}

#define PY_METHOD(name)                                                                \
    PyObject *py_array_##name(PyObject *self, PyObject *const *args, Py_ssize_t nargs, \
                              PyObject *kwnames)
PY_METHOD(sum);
PY_METHOD(prod);
PY_METHOD(max);
PY_METHOD(min);
PY_METHOD(ptp);
PY_METHOD(any);
PY_METHOD(all);
PY_METHOD(argmax);
PY_METHOD(argmin);
PY_METHOD(mean);
PY_METHOD(var);
PY_METHOD(std);
PY_METHOD(cumsum);
PY_METHOD(cumprod);

/* Add the module functions, and the namespace `reductions` with an object for each row
 * that can be reduced by. */
int py_reduction_init(PyObject *module);
int py_reduction_objects_init(PyObject *module);

#endif
