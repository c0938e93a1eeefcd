/* array/py_convert.c: elements to other dtypes and devices, to Python's objects, and from host
 * memory. */
#include "array/py_array.h"
#include "array/py_field.h"
#include "array/py_value.h"
#include "device/py_device.h"
#include "ops/py_ufunc.h"

char
py_order_read(PyObject *o, char fallback)
{
    const char *s;
    if (py_is_absent(o)) return fallback;
    if (PyBool_Check(o)) return o == Py_True ? 'F' : 'C';
    s = PyUnicode_Check(o) ? PyUnicode_AsUTF8(o) : NULL;
    if (s && s[0] && !s[1]) {
        char c = s[0] >= 'a' ? (char)(s[0] - 32) : s[0];
        if (c == 'C' || c == 'F' || c == 'A' || c == 'K') return c;
    }
    PyErr_Clear();
    PyErr_Format(PyUnicode_Check(o) ? PyExc_ValueError : PyExc_TypeError,
                 "order must be one of 'C', 'F', 'A', or 'K' (got %R)", o);
    return 0;
}

int
py_copy_read(PyObject *o, int *copy)
{
    if (py_is_absent(o)) {
        *copy = -1;
        return 0;
    }
    if (PyUnicode_Check(o)) {
        PyErr_Format(PyExc_ValueError, "copy is True, False or None, not the string %R",
                     o);
        return -1;
    }
    *copy = PyObject_IsTrue(o);
    return *copy < 0 ? -1 : 0;
}

/* ---- dtype and order ----------------------------------------------------------------- */

static PyObject *
cast(PyObject *self, cu_dtype t, char order, bool subok)
{
    const cu_array *a = py_array_get(self);
    cu_array out = cu_array_none();
    cu_status st;
    if (py_is_long(a->size)) {
        Py_BEGIN_ALLOW_THREADS
        st = cu_array_cast(a, t, order, &out);
        Py_END_ALLOW_THREADS
    } else {
        st = cu_array_cast(a, t, order, &out);
    }
    if (st) return py_raise();
    return py_array_wrap(&out, subok ? Py_TYPE(self) : &py_array_type, NULL, self);
}

static bool
has_order(const cu_array *a, char order)
{
    if (order == 'C') return a->flags & CUPRIC_C_CONTIGUOUS;
    if (order == 'F') return a->flags & CUPRIC_F_CONTIGUOUS;
    if (order == 'A') return a->flags & (CUPRIC_C_CONTIGUOUS | CUPRIC_F_CONTIGUOUS);
    return true;
}

PY_FASTCALL(py_array_astype)
{
    static const char *const names[] = {"dtype", "order",  "casting", "subok",
                                        "copy",  "device", NULL};
    const cu_array *a = py_array_get(self);
    PyObject *v[6];
    const char *casting = "unsafe";
    cu_dtype t;
    char order;
    int copy = 1, subok = 1, ok;

    if (py_args_parse("astype", args, nargs, kwnames, names, 5, 1, v) < 0) return NULL;
    if (py_dtype_convert_any(v[0], &t) < 0) {
        return py_subarray_call("astype", v[0], self, args, nargs, kwnames);
    }
    order = py_order_read(v[1], 'K');
    if (order == 0) return NULL;
    if (!py_is_absent(v[2])) {
        casting = PyUnicode_AsUTF8(v[2]);
        if (casting == NULL) return NULL;
    }
    if (!py_is_absent(v[3]) && (subok = PyObject_IsTrue(v[3])) < 0) return NULL;
    if (!py_is_absent(v[4]) && (copy = PyObject_IsTrue(v[4])) < 0) return NULL;
    if (t != a->dtype && (cu_is_opaque(t) || cu_is_opaque(a->dtype))) {
        return py_opaque_cast(self, t, casting, order);
    }
    ok = py_can_cast(a->dtype, t, casting);
    if (ok < 0) return NULL;
    if (!ok) {
        PyErr_Format(
            PyExc_TypeError,
            "Cannot cast array data from dtype('%s') to dtype('%s') according to "
            "the rule '%s'",
            cu_dtypes[a->dtype].name, cu_dtypes[t].name, casting);
        return NULL;
    }
    if (!copy && t == a->dtype && has_order(a, order) &&
        (subok || Py_TYPE(self) == &py_array_type)) {
        return Py_NewRef(self);
    }
    if (py_warn_complex(a->dtype, t) < 0) return NULL;
    return cast(self, t, order, subok);
}

/* A copy lives on the current device, as new arrays do. */
PY_FASTCALL(py_array_copy)
{
    static const char *const names[] = {"order", NULL};
    const cu_array *a = py_array_get(self);
    cu_device *current = cu_device_current();
    PyObject *v[1];
    cu_array out;
    char order;

    if (py_args_parse("copy", args, nargs, kwnames, names, 1, 0, v) < 0) return NULL;
    order = py_order_read(v[0], 'C');
    if (order == 0) return NULL;
    if (cu_array_device(a) != current &&
        cu_array_device(a)->backend == current->backend) {
        if (cu_array_to_device(a, current, &out)) return py_raise();
        return py_array_wrap(&out, Py_TYPE(self), NULL, self);
    }
    return cast(self, a->dtype, order, true);
}

PY_FASTCALL(py_array_flatten)
{
    static const char *const names[] = {"order", NULL};
    PyObject *v[1];
    char order;
    if (py_args_parse("flatten", args, nargs, kwnames, names, 1, 0, v) < 0) return NULL;
    order = py_order_read(v[0], 'C');
    return order ? py_ravel_method(self, order, true) : NULL;
}

/* Of `device`: a Device or its number. The array itself where it is there. */
PyObject *
py_array_to_device(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"", "stream", NULL};
    const cu_array *a = py_array_get(self);
    PyObject *where, *stream = NULL;
    cu_array moved = cu_array_none(); /* owned */
    cu_device *device;
    py_stream_scope scope;
    cu_status st;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$O:to_device", names, &where,
                                     &stream) ||
        !py_device_convert(where, &device)) {
        return NULL;
    }
    if (device == cu_array_device(a)) return Py_NewRef(self);
    if (py_scope_enter(&scope, stream, a) < 0) return NULL;
    st = cu_array_to_device(a, device, &moved);
    py_scope_leave(&scope);
    if (st) return py_raise();
    return py_array_new(&moved);
}

/* The only element, of any width, as NumPy's scalar. */
static PyObject *
opaque_scalar(const cu_array *a)
{
    PyObject *np = py_array_to_numpy(a, 'C'), *r; /* np owned */
    if (np == NULL) return NULL;
    r = PyArray_Scalar(PyArray_DATA((PyArrayObject *)np),
                       PyArray_DESCR((PyArrayObject *)np), np);
    Py_DECREF(np);
    return r;
}

PyObject *
py_array_scalar(PyObject *self)
{
    const cu_array *a = py_array_get(self);
    cu_scalar value;
    if (CUPRIC_UNLIKELY(cu_is_opaque(a->dtype))) return opaque_scalar(a);
    if (cu_array_get(a, &value)) return py_raise();
    return py_scalar_new(a->dtype, &value);
}

/* The position that item()'s arguments name, as an offset in elements of C order. */
static int
item_view(const cu_array *a, PyObject *const *args, Py_ssize_t nargs, cu_array *out)
{
    Py_ssize_t index[CUPRIC_MAXDIMS];

    if (nargs == 1 && a->ndim != 1) { /* a flat index */
        Py_ssize_t flat = PyNumber_AsSsize_t(args[0], PyExc_IndexError);
        if (flat == -1 && PyErr_Occurred()) return -1;
        if (flat < -a->size || flat >= a->size) {
            PyErr_Format(PyExc_IndexError, "index %zd is out of bounds for size %lld",
                         flat, (long long)a->size);
            return -1;
        }
        if (flat < 0) flat += a->size;
        for (int i = a->ndim - 1; i >= 0; i--) {
            index[i] = flat % a->shape[i];
            flat /= a->shape[i];
        }
    } else {
        if (nargs != a->ndim) {
            PyErr_SetString(PyExc_ValueError, "incorrect number of indices for array");
            return -1;
        }
        for (int i = 0; i < a->ndim; i++) {
            index[i] = PyNumber_AsSsize_t(args[i], PyExc_IndexError);
            if (index[i] == -1 && PyErr_Occurred()) return -1;
            if (index[i] < -a->shape[i] || index[i] >= a->shape[i]) {
                PyErr_Format(PyExc_IndexError,
                             "index %zd is out of bounds for axis %d with size %lld",
                             index[i], i, (long long)a->shape[i]);
                return -1;
            }
            if (index[i] < 0) index[i] += a->shape[i];
        }
    }
    cu_array_alias(out, a);
    for (int i = 0; i < a->ndim; i++) out->offset += index[i] * a->strides[i];
    out->ndim = 0;
    cu_array_update_flags(out);
    return 0;
}

/* A number as Python's own; NULL without an exception for what has none here. */
static PyObject *
python_number(cu_dtype t, const cu_scalar *value)
{
    double re, im;

    switch (t == CUPRIC_BFLOAT16 ? 0 : cu_dtypes[t].kind) {
    case 'b': return PyBool_FromLong((long)cu_scalar_get_int(value, t));
    case 'i': return PyLong_FromLongLong(cu_scalar_get_int(value, t));
    case 'u': return PyLong_FromUnsignedLongLong((uint64_t)cu_scalar_get_int(value, t));
    case 'f': return PyFloat_FromDouble(cu_scalar_get_double(value, t, NULL));
    case 'c':
        re = cu_scalar_get_double(value, t, &im);
        return PyComplex_FromDoubles(re, im);
    default: return NULL;
    }
}

PY_FASTCALL(py_array_item)
{
    const cu_array *a = py_array_get(self);
    cu_array one = cu_array_none();
    cu_scalar value;
    PyObject *s, *r;

    if (kwnames && PyTuple_GET_SIZE(kwnames)) {
        PyErr_SetString(PyExc_TypeError, "item() takes no keyword arguments");
        return NULL;
    }
    if (nargs == 1 && PyTuple_Check(args[0])) {
        nargs = PyTuple_GET_SIZE(args[0]);
        args = &PyTuple_GET_ITEM(args[0], 0);
    }
    if (nargs == 0) {
        if (a->size != 1) {
            PyErr_SetString(PyExc_ValueError,
                            "can only convert an array of size 1 to a Python scalar");
            return NULL;
        }
        cu_array_alias(&one, a);
    } else if (item_view(a, args, nargs, &one) < 0) {
        return NULL;
    }
    if (CUPRIC_UNLIKELY(cu_is_opaque(a->dtype))) {
        s = opaque_scalar(&one);
    } else if (cu_array_get(&one, &value)) {
        s = py_raise();
    } else {
        r = python_number(one.dtype, &value);
        if (r) {
            cu_array_release(&one);
            return r;
        }
        s = PyErr_Occurred() ? NULL : py_scalar_new(one.dtype, &value);
    }
    cu_array_release(&one);
    if (s == NULL) return NULL;
    r = PyObject_CallMethod(s, "item", NULL);
    if (r == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) { /* ml_dtypes */
        PyErr_Clear();
        r = PyNumber_Float(s);
    }
    Py_DECREF(s);
    return r;
}

/* Append the lists of rows [first, last) of a NumPy array to `list`. */
static int
append_rows(PyObject *list, PyObject *np, int64_t first, int64_t last)
{
    PyObject *rows = PySequence_GetSlice(np, first, last); /* owned */
    PyObject *part =
        rows ? PyObject_CallMethod(rows, "tolist", NULL) : NULL; /* owned */
    const Py_ssize_t n = PyList_GET_SIZE(list);
    const int failed = part ? PyList_SetSlice(list, n, n, part) : -1;

    Py_XDECREF(rows);
    Py_XDECREF(part);
    return failed;
}

#define LIST_PART ((int64_t)1 << 18) /* elements between two looks for signals */

/* What NumPy's tolist makes, in parts. */
static PyObject *
long_list(PyObject *np, int64_t rows, int64_t size)
{
    const int64_t step = rows * LIST_PART / size + 1;
    PyObject *list = PyList_New(0);

    for (int64_t i = 0; list && i < rows; i += step) {
        const int64_t last = i + step < rows ? i + step : rows;
        if (append_rows(list, np, i, last) || PyErr_CheckSignals()) Py_CLEAR(list);
    }
    return list;
}

PyObject *
py_array_tolist(PyObject *self, PyObject *unused)
{
    const cu_array *a = py_array_get(self);
    PyObject *np = py_array_to_numpy(a, 'C'); /* owned */
    PyObject *r;
    (void)unused;
    if (np == NULL) return NULL;
    if (a->size > LIST_PART) {
        r = long_list(np, a->shape[0], a->size);
    } else {
        r = PyObject_CallMethod(np, "tolist", NULL);
    }
    Py_DECREF(np);
    return r;
}

/* ---- from the host ------------------------------------------------------------------- */

PyObject *
py_array_fill(PyObject *self, PyObject *value)
{
    cu_array *a = py_array_target(self), one;
    py_value v;
    cu_status st;

    if (!(a->flags & CUPRIC_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "assignment destination is read-only");
        return NULL;
    }
    if (cu_is_opaque(a->dtype)) {
        if (PyObject_SetItem(self, Py_Ellipsis, value) < 0) return NULL;
        Py_RETURN_NONE;
    }
    if (PyList_Check(value) || PyTuple_Check(value)) {
        py_raise_unsupported(value);
        return NULL;
    }
    if (py_value_read(value, a, PY_VALUE_ELEMENT, &v) < 0) return NULL;
    if (v.arg.array == NULL) {
        st = cu_array_fill(a, a->dtype, &v.scalar, NULL);
    } else if (v.array.size != 1) {
        st = cu_fail(CUPRIC_ERR_VALUE,
                     "fill needs a scalar or an array of one element, not of %lld",
                     (long long)v.array.size);
    } else {
        cu_array_borrow(&one, &v.array);
        one.ndim = 0;
        cu_array_update_flags(&one);
        st = cu_array_assign(a, &one, NULL);
    }
    py_value_release(&v);
    if (st) return py_raise();
    Py_RETURN_NONE;
}

PY_FASTCALL(py_array_set_method)
{
    static const char *const names[] = {"arr", "stream", NULL};
    cu_array *a = py_array_target(self);
    PyArray_Descr *descr;
    PyObject *v[2], *np; /* np owned */
    py_stream_scope scope;
    cu_dtype t;
    cu_status st;

    if (py_args_parse("set", args, nargs, kwnames, names, 2, 1, v) < 0) return NULL;
    if (!PyArray_Check(v[0])) {
        PyErr_Format(PyExc_TypeError,
                     "Only numpy.ndarray can be set to cupric.ndarray, "
                     "not %R",
                     Py_TYPE(v[0]));
        return NULL;
    }
    if (!(a->flags & CUPRIC_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "assignment destination is read-only");
        return NULL;
    }
    PyArrayObject *src = (PyArrayObject *)v[0];
    bool same = PyArray_NDIM(src) == a->ndim;
    for (int i = 0; same && i < a->ndim; i++) same = PyArray_DIM(src, i) == a->shape[i];
    if (!same) {
        py_raise_shapes("Shape mismatch. Old shape: %s, new shape: %R", a, v[0]);
        return NULL;
    }
    if (py_dtype_find(PyArray_DESCR(src), &t) < 0) return NULL;
    if (t != a->dtype) {
        PyErr_Format(PyExc_TypeError, "%R array cannot be set to %s array",
                     PyArray_DESCR(src), cu_dtypes[a->dtype].name);
        return NULL;
    }
    descr = (PyArray_Descr *)py_dtype_new(a->dtype);
    if (descr == NULL) return NULL;
    np = PyArray_FromAny(v[0], descr, 0, 0, NPY_ARRAY_CARRAY_RO, NULL);
    if (np == NULL) return NULL;
    if (py_scope_enter(&scope, v[1], a) < 0) {
        Py_DECREF(np);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    st = cu_array_set(a, PyArray_DATA((PyArrayObject *)np));
    Py_END_ALLOW_THREADS
    py_scope_leave(&scope);
    Py_DECREF(np);
    if (st) return py_raise();
    Py_RETURN_NONE;
}
