/* array/py_field.c: what only opaque dtypes have: fields, and conversions and comparisons
 * that are composed in Python (cupric/_dtypes.py).
 */
#include "array/py_field.h"

#include <assert.h>

#include "array/py_array.h"
#include "layout/py_shape.h"

/* One function of the module: new reference, or NULL. */
static PyObject *
call(const char *name, const char *format, ...)
{
    PyObject *m = PyImport_ImportModule("cupric._dtypes"), *f, *args, *r; /* owned */
    va_list va;

    if (m == NULL) return NULL;
    f = PyObject_GetAttrString(m, name);
    Py_DECREF(m);
    if (f == NULL) return NULL;
    va_start(va, format);
    args = Py_VaBuildValue(format, va);
    va_end(va);
    r = args ? PyObject_CallObject(f, args) : NULL;
    Py_XDECREF(args);
    Py_DECREF(f);
    return r;
}

static bool
is_subarray(PyObject *o)
{
    PyObject *type, *value, *traceback; /* owned */
    PyArray_Descr *descr = NULL;        /* owned */
    bool is;

    PyErr_Fetch(&type, &value, &traceback);
    is = PyArray_DescrConverter(o, &descr) && PyDataType_SUBARRAY(descr) != NULL;
    Py_XDECREF(descr);
    PyErr_Restore(type, value, traceback);
    return is;
}

PyObject *
py_subarray_call(const char *name, PyObject *dtype, PyObject *first,
                 PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    const Py_ssize_t nkw = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
    PyObject *all[16], *m, *f, *r; /* m, f owned */
    size_t n = 0;

    if (!PyErr_ExceptionMatches(PyExc_TypeError) || !is_subarray(dtype)) return NULL;
    PyErr_Clear();
    m = PyImport_ImportModule("cupric._dtypes");
    f = m ? PyObject_GetAttrString(m, name) : NULL;
    Py_XDECREF(m);
    if (f == NULL) return NULL;
    assert(1 + nargs + nkw <= 16); /* the callers take less */
    if (first) all[n++] = first;
    for (Py_ssize_t i = 0; i < nargs + nkw; i++) all[n + (size_t)i] = args[i];
    r = PyObject_Vectorcall(f, all, n + (size_t)nargs, kwnames);
    Py_DECREF(f);
    return r;
}

PyObject *
py_opaque_cast(PyObject *array, cu_dtype to, const char *casting, char order)
{
    PyObject *dtype = py_dtype_new(to), *r; /* dtype owned */
    if (dtype == NULL) return NULL;
    r = call("convert", "(OOsC)", array, dtype, casting, order);
    Py_DECREF(dtype);
    return r;
}

PyObject *
py_opaque_compare(PyObject *a, PyObject *b, int op)
{
    return call("compare", "(OOi)", a, b, op);
}

int
py_require_aligned(const cu_array *a, const char *instead)
{
    const int64_t align = cu_itemsize(a->dtype); /* a GPU reads an element at once */
    int64_t all = a->offset + (int64_t)(uintptr_t)a->storage->ptr;

    if (cu_is_opaque(a->dtype) || a->size == 0) return 0;
    for (int i = 0; i < a->ndim; i++) {
        if (a->shape[i] > 1) all |= a->strides[i];
    }
    if (all % align == 0) return 0;
    PyErr_Format(PyExc_TypeError,
                 "elements of dtype %s lie at addresses that are not multiples of %lld "
                 "bytes, where no kernel can read them: %s",
                 cu_dtypes[a->dtype].name, (long long)align, instead);
    return -1;
}

/* ---- fields -------------------------------------------------------------------------- */

bool
py_is_field_key(PyObject *key)
{
    if (PyUnicode_Check(key)) return true;
    return PyList_Check(key) && PyList_GET_SIZE(key) > 0 &&
           PyUnicode_Check(PyList_GET_ITEM(key, 0));
}

PyObject *
py_field_get(PyObject *self, PyObject *key)
{
    return call("get_field", "(OO)", self, key);
}

int
py_field_set(PyObject *self, PyObject *key, PyObject *value)
{
    PyObject *r = call("set_field", "(OOO)", self, key, value);
    Py_XDECREF(r);
    return r ? 0 : -1;
}

/* _field(a, dtype, offset, shape): a view of part of every element: an array of `dtype`,
 * `offset` bytes on, with axes of lengths `shape` added at the end. */
static PyObject *
field(PyObject *module, PyObject *args)
{
    int64_t shape[CUPRIC_MAXDIMS];
    const cu_array *a;
    PyObject *array, *dtype_arg, *shape_arg;
    Py_ssize_t offset;
    cu_array out;
    cu_dtype t;
    int ndim;
    int64_t size;
    (void)module;

    if (!PyArg_ParseTuple(args, "O!OnO:_field", &py_array_type, &array, &dtype_arg,
                          &offset, &shape_arg) ||
        py_dtype_convert_any(dtype_arg, &t) < 0) {
        return NULL;
    }
    a = py_array_get(array);
    ndim = py_shape_read(shape_arg, shape);
    if (ndim < 0) return NULL;
    if (cu_shape_size(t, ndim, shape, &size)) return py_raise();
    if (a->ndim + ndim > CUPRIC_MAXDIMS) {
        PyErr_Format(PyExc_ValueError, "the field would have %d dimensions, of %d",
                     a->ndim + ndim, CUPRIC_MAXDIMS);
        return NULL;
    }
    if (offset < 0 || offset + size * cu_itemsize(t) > (int64_t)cu_itemsize(a->dtype)) {
        PyErr_Format(PyExc_ValueError,
                     "%lld bytes from byte %zd on are not within elements of %d bytes",
                     (long long)(size * cu_itemsize(t)), offset, cu_itemsize(a->dtype));
        return NULL;
    }
    cu_array_alias(&out, a);
    out.dtype = t;
    if (a->size) out.offset += offset;
    for (int i = 0; i < ndim; i++) out.shape[a->ndim + i] = shape[i];
    cu_strides_fill(t, ndim, shape, 'C', out.strides + a->ndim);
    out.ndim += ndim;
    cu_array_update_flags(&out);
    if (py_require_aligned(&out, "use an aligned structure, "
                                 "x.astype(cupric.make_aligned_dtype(x.dtype))") < 0) {
        cu_array_release(&out);
        return NULL;
    }
    return py_array_new_view(&out, array);
}

PyMethodDef py_field_functions[] = {
    {"_field", field, METH_VARARGS, "For cupric._dtypes."},
    {NULL},
};
