/* array/py_array.h: what the files of array/ share about the ndarray type. */
#ifndef CUPRIC_ARRAY_PY_ARRAY_H
#define CUPRIC_ARRAY_PY_ARRAY_H

#include "layout/py_args.h"
#include "layout/py_object.h"

/* A method or function with vectorcall arguments. */
#define PY_FASTCALL(name)                                                              \
    PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t nargs,            \
                   PyObject *kwnames)

/* py_array.c: make the type ready. 0 or -1. */
int py_array_ready(void);

/* py_methods.c */
extern PyMethodDef py_array_methods[];
/* the other half of __reduce__ */
PyObject *py_array_unpickle(PyObject *module, PyObject *args);
/* what __array_namespace__ returns from now on */
PyObject *py_array_set_namespace(PyObject *module, PyObject *namespace);

/* py_number.c */
extern PyNumberMethods py_array_number;

/* py_compare.c */
PyObject *py_array_richcompare(PyObject *a, PyObject *b, int op);

/* py_iter.c */
extern PyTypeObject py_iterator_type;
PyObject *py_array_iter(PyObject *self);

/* py_refusal.c: for len(x). 0 or -1. */
int py_refuse_shuffle(void);

/* py_flags.c */
extern PyTypeObject py_flags_type;
PyObject *py_flags_new(PyObject *array);

/* py_views.c: methods that share memory where they can */
PY_FASTCALL(py_array_reshape);
PY_FASTCALL(py_array_ravel);
PY_FASTCALL(py_array_transpose);
PY_FASTCALL(py_array_swapaxes);
PY_FASTCALL(py_array_squeeze);
PY_FASTCALL(py_array_diagonal);
PY_FASTCALL(py_array_view);
PyObject *py_array_get_T(PyObject *self, void *unused);
PyObject *py_array_get_mT(PyObject *self, void *unused);
PyObject *py_array_get_real(PyObject *self, void *unused);
PyObject *py_array_get_imag(PyObject *self, void *unused);
int py_array_set_real(PyObject *self, PyObject *value, void *unused);
int py_array_set_imag(PyObject *self, PyObject *value, void *unused);
int py_array_set_shape(PyObject *self, PyObject *value, void *unused);
/* The reshaped array, copying when it must; order 'C', 'F' or 'A'. */
PyObject *py_reshape(PyObject *self, int ndim, const int64_t *shape, char order,
                     int copy);
PyObject *py_ravel_method(PyObject *self, char order, bool copy);

/* py_get.c: to NumPy arrays */
PY_FASTCALL(py_array_get_method);
PyObject *py_array_to_numpy(const cu_array *a, char order);
/* The bytes of the NumPy array that this gives. */
PyObject *py_array_to_bytes(const cu_array *a, char order);
/* A `stream` argument: the current stream of the array's device until it is put back. */
typedef struct py_stream_scope {
    cu_device *device;
    cu_stream *before; /* owned; NULL: the stream was not changed */
} py_stream_scope;

/* -1 with an exception where `stream` is none of the array's device. */
int py_scope_enter(py_stream_scope *scope, PyObject *stream, const cu_array *a);
void py_scope_leave(py_stream_scope *scope);
/* ValueError with the array's shape and the NumPy array's; `format` has %s and %R. */
void py_raise_shapes(const char *format, const cu_array *a, PyObject *np);

/* py_convert.c: to other dtypes, devices and Python's objects, and from host memory */
PY_FASTCALL(py_array_astype);
PY_FASTCALL(py_array_copy);
PyObject *py_array_to_device(PyObject *self, PyObject *args, PyObject *kwargs);
PY_FASTCALL(py_array_flatten);
PY_FASTCALL(py_array_set_method);
PY_FASTCALL(py_array_item);
PyObject *py_array_tolist(PyObject *self, PyObject *unused);
PyObject *py_array_fill(PyObject *self, PyObject *value);
/* The one element of an array of size 1 as a NumPy scalar. */
PyObject *py_array_scalar(PyObject *self);
/* 'C', 'F', 'A' or 'K' from an argument (NULL: the default); 0 on error. */
char py_order_read(PyObject *o, char fallback);
/* The `copy` argument: 1 always, 0 never, -1 where it must be (absent or None). 0 or -1. */
int py_copy_read(PyObject *o, int *copy);

/* py_create.c: module functions */
PY_FASTCALL(py_create_array);
PY_FASTCALL(py_array_take);
PY_FASTCALL(py_create_asarray);
PY_FASTCALL(py_create_asanyarray);
PY_FASTCALL(py_create_ascontiguousarray);
PY_FASTCALL(py_create_contiguous);
PY_FASTCALL(py_create_asfortranarray);
PY_FASTCALL(py_create_empty);
PY_FASTCALL(py_create_zeros);
PyObject *py_create_like(PyObject *self, PyObject *o);
PY_FASTCALL(py_create_arange);
PY_FASTCALL(py_create_asnumpy);
PyObject *py_offers_array(PyObject *self, PyObject *o);
/* Any object as an array on the current device: new reference. dtype may be NO_DTYPE;
 * copy 1 always, 0 never (ValueError), -1 if needed. */
PyObject *py_array_from_any(PyObject *o, cu_dtype dtype, char order, int copy);
/* py_list.c: the same of an exact list or tuple of Python's numbers alone. NULL without an
 * exception for any other, or a dtype that they need NumPy's conversion for. */
PyObject *py_array_from_numbers(PyObject *o, cu_dtype dtype);
/* py_given.c: the same of an argument, where a NumPy array is refused (TypeError). */
PyObject *py_device_array(PyObject *o);
/* Whether it is, or a nested list of it holds, an array of ours or another package's. */
bool py_holds_arrays(PyObject *o);

/* What a function of the package's Python gives for one argument: module.name(arg). */
PyObject *py_call_python(const char *module, const char *name, PyObject *arg);

#endif
