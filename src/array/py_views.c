/* array/py_views.c: methods that return the same elements in another shape or order. */
#include <stdlib.h>
#include <string.h>

#include "array/py_array.h"
#include "array/py_field.h"
#include "layout/py_shape.h"
#include "ops/py_ufunc.h"

/* ---- reshape, ravel ------------------------------------------------------------------ */

PyObject *
py_reshape(PyObject *self, int ndim, const int64_t *shape, char order, int copy)
{
    const cu_array *a = py_array_get(self);
    cu_array out, dense; /* owned: out unless the reshape fails */
    bool needs_copy;

    if (copy != 1) {
        if (cu_array_reshape(a, ndim, shape, order, &out, &needs_copy))
            return py_raise();
        if (!needs_copy) return py_array_new_view(&out, self);
        if (copy == 0) {
            PyErr_SetString(PyExc_ValueError,
                            "Unable to avoid creating a copy while reshaping.");
            return NULL;
        }
    }
    /* Check the lengths before copying anything. */
    int64_t full[CUPRIC_MAXDIMS];
    if (cu_shape_resolve(a->size, ndim, shape, full)) return py_raise();
    if (order == 'A') {
        bool f = (a->flags & CUPRIC_F_CONTIGUOUS) && !(a->flags & CUPRIC_C_CONTIGUOUS);
        order = f ? 'F' : 'C';
    }
    if (cu_array_cast(a, a->dtype, order, &dense)) return py_raise();
    if (cu_array_reshape(&dense, ndim, full, order, &out, &needs_copy)) {
        cu_array_release(&dense);
        return py_raise();
    }
    out.flags |= CUPRIC_OWNDATA;
    cu_array_release(&dense);
    return py_array_wrap(&out, Py_TYPE(self), NULL, self);
}

static int
shape_from_args(PyObject *const *args, Py_ssize_t nargs, int64_t *shape)
{
    if (nargs == 1) return py_shape_read(args[0], shape);
    if (nargs > CUPRIC_MAXDIMS) {
        PyErr_Format(
            PyExc_ValueError,
            "maximum supported dimension for an ndarray is currently %d, found %zd",
            CUPRIC_MAXDIMS, nargs);
        return -1;
    }
    for (Py_ssize_t i = 0; i < nargs; i++) {
        Py_ssize_t v = PyNumber_AsSsize_t(args[i], PyExc_ValueError);
        if (v == -1 && PyErr_Occurred()) return -1;
        shape[i] = v;
    }
    return (int)nargs;
}

PY_FASTCALL(py_array_reshape)
{
    static const char *const names[] = {"order", "copy", NULL};
    PyObject *v[2] = {NULL};
    int64_t shape[CUPRIC_MAXDIMS];
    int ndim, copy = -1;
    char order;

    if (kwnames == NULL && nargs == 1 &&
        PyLong_CheckExact(args[0])) { /* x.reshape(-1) */
        shape[0] = PyLong_AsSsize_t(args[0]);
        if (shape[0] == -1 && PyErr_Occurred()) return NULL;
        return py_reshape(self, 1, shape, 'C', -1);
    }
    if (kwnames) {
        static const char *const with_shape[] = {"shape", "order", "copy", NULL};
        PyObject *w[3] = {NULL};
        if (nargs == 0) {
            if (py_args_parse("reshape", args, 0, kwnames, with_shape, 1, 1, w) < 0) {
                return NULL;
            }
            v[0] = w[1];
            v[1] = w[2];
            ndim = py_shape_read(w[0], shape);
        } else {
            if (py_args_parse("reshape", args + nargs, 0, kwnames, names, 0, 0, v) <
                0) {
                return NULL;
            }
            ndim = shape_from_args(args, nargs, shape);
        }
    } else {
        ndim = shape_from_args(args, nargs, shape);
    }
    if (ndim < 0) return NULL;
    order = py_order_read(v[0], 'C');
    if (order == 0) return NULL;
    if (order == 'K') {
        PyErr_SetString(PyExc_ValueError, "order 'K' is not permitted for reshaping");
        return NULL;
    }
    if (py_copy_read(v[1], &copy) < 0) return NULL;
    return py_reshape(self, ndim, shape, order, copy);
}

/* The array with its axes in the order in which 'K' visits them: by falling stride, whatever
 * its sign; axes of stride 0 and equals stay where they are among their neighbours. The
 * order is NumPy's, which moves each axis from the inside out past those that it must pass:
 * a stretched axis stops nothing and is never passed for its own sake. */
static PyObject *
axes_by_stride(PyObject *self)
{
    const cu_array *a = py_array_get(self);
    int axes[CUPRIC_MAXDIMS]; /* innermost first while they are sorted */
    cu_array t = cu_array_none();

    for (int i = 0; i < a->ndim; i++) {
        const int axis = a->ndim - 1 - i;
        const int64_t step = llabs(a->strides[axis]);
        int at = i;
        for (int j = i - 1; j >= 0 && step; j--) {
            const int64_t other = llabs(a->strides[axes[j]]);
            if (other == 0) continue;
            if (other <= step) break;
            at = j;
        }
        memmove(&axes[at + 1], &axes[at], (size_t)(i - at) * sizeof axes[0]);
        axes[at] = axis;
    }
    for (int i = 0, j = a->ndim - 1; i < j; i++, j--) {
        const int outer = axes[j];
        axes[j] = axes[i];
        axes[i] = outer;
    }
    cu_array_transpose(a, axes, &t);
    return py_array_new_view(&t, self);
}

PyObject *
py_ravel_method(PyObject *self, char order, bool copy)
{
    const cu_array *a = py_array_get(self);
    const int64_t n = a->size;
    PyObject *source, *r; /* source owned */

    if (order == 'A') {
        order = (a->flags & CUPRIC_F_CONTIGUOUS) && !(a->flags & CUPRIC_C_CONTIGUOUS)
                    ? 'F'
                    : 'C';
    }
    if (order == 'K') {
        source = axes_by_stride(self);
        if (source == NULL) return NULL;
        order = 'C';
    } else {
        source = Py_NewRef(self);
    }
    /* The result is dense: a vector of another step would be a view, too, but not what a
     * kernel that counts elements expects. */
    copy |= !(py_array_get(source)->flags &
              (order == 'F' ? CUPRIC_F_CONTIGUOUS : CUPRIC_C_CONTIGUOUS));
    r = py_reshape(source, 1, &n, order, copy ? 1 : -1);
    if (r && copy && n == 0) py_array_edit(r)->strides[0] = 0; /* as of any new one */
    Py_DECREF(source);
    return r;
}

PY_FASTCALL(py_array_ravel)
{
    static const char *const names[] = {"order", NULL};
    PyObject *v[1];
    char order;
    if (py_args_parse("ravel", args, nargs, kwnames, names, 1, 0, v) < 0) return NULL;
    order = py_order_read(v[0], 'C');
    return order ? py_ravel_method(self, order, false) : NULL;
}

int
py_array_set_shape(PyObject *self, PyObject *value, void *unused)
{
    const cu_array *a;
    cu_array out = cu_array_none();
    int64_t shape[CUPRIC_MAXDIMS];
    bool needs_copy;
    int ndim, r;
    (void)unused;

    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError, "Cannot delete array shape");
        return -1;
    }
    ndim = py_shape_read(value, shape);
    if (ndim < 0) return -1;
    a = py_array_get(self); /* reading the shape may have called Python code */
    if (cu_array_reshape(a, ndim, shape, 'C', &out, &needs_copy)) return py_raise_int();
    if (needs_copy) {
        PyErr_SetString(
            PyExc_AttributeError,
            "Incompatible shape for in-place modification. Use `.reshape()` to "
            "make a copy with the desired shape.");
        return -1;
    }
    out.flags |= a->flags & CUPRIC_OWNDATA;
    r = py_array_set_layout(self, &out);
    cu_array_release(&out);
    return r;
}

/* ---- axes ---------------------------------------------------------------------------- */

PyObject *
py_array_get_T(PyObject *self, void *unused)
{
    cu_array out;
    (void)unused;
    cu_array_transpose(py_array_get(self), NULL, &out);
    return py_array_new_view(&out, self);
}

PyObject *
py_array_get_mT(PyObject *self, void *unused)
{
    const cu_array *a = py_array_get(self);
    int axes[CUPRIC_MAXDIMS];
    cu_array out;
    (void)unused;

    if (a->ndim < 2) {
        PyErr_Format(PyExc_ValueError,
                     "matrix transpose with ndim < 2 is undefined (the array has %d)",
                     a->ndim);
        return NULL;
    }
    for (int i = 0; i < a->ndim; i++) axes[i] = i;
    axes[a->ndim - 1] = a->ndim - 2;
    axes[a->ndim - 2] = a->ndim - 1;
    cu_array_transpose(a, axes, &out);
    return py_array_new_view(&out, self);
}

PY_FASTCALL(py_array_transpose)
{
    const cu_array *a = py_array_get(self);
    PyObject *tuple = NULL; /* owned */
    int axes[CUPRIC_MAXDIMS], n;
    cu_array out;

    if (kwnames && PyTuple_GET_SIZE(kwnames)) {
        PyErr_SetString(PyExc_TypeError, "transpose() takes no keyword arguments");
        return NULL;
    }
    if (nargs == 0 || (nargs == 1 && args[0] == Py_None)) {
        return py_array_get_T(self, NULL);
    }
    if (nargs == 1 && PySequence_Check(args[0])) {
        tuple = PySequence_Tuple(args[0]);
    } else {
        tuple = PyTuple_New(nargs);
        for (Py_ssize_t i = 0; tuple && i < nargs; i++) {
            PyTuple_SET_ITEM(tuple, i, Py_NewRef(args[i]));
        }
    }
    if (tuple == NULL) return NULL;
    if (PyTuple_GET_SIZE(tuple) != a->ndim) {
        PyErr_Format(PyExc_ValueError,
                     "axes don't match array: %zd axes for an array of dimension %d",
                     PyTuple_GET_SIZE(tuple), a->ndim);
        Py_DECREF(tuple);
        return NULL;
    }
    n = py_axes_read(tuple, a->ndim, axes);
    Py_DECREF(tuple);
    if (n < 0) {
        if (PyErr_ExceptionMatches(PyExc_ValueError) &&
            !PyErr_ExceptionMatches(PyExc_IndexError)) {
            PyErr_Clear();
            PyErr_SetString(PyExc_ValueError, "repeated axis in transpose");
        }
        return NULL;
    }
    cu_array_transpose(a, axes, &out);
    return py_array_new_view(&out, self);
}

/* Either may be NULL: *i or *j is as it should be. */
static int
two_axes(const cu_array *array, PyObject *a, PyObject *b, int *i, int *j)
{
    if (a && py_axis_read(a, array->ndim, i) < 0) return -1;
    return b ? py_axis_read(b, array->ndim, j) : 0;
}

PY_FASTCALL(py_array_swapaxes)
{
    static const char *const names[] = {"axis1", "axis2", NULL};
    const cu_array *a = py_array_get(self);
    PyObject *v[2];
    int axes[CUPRIC_MAXDIMS], i, j;
    cu_array out;

    if (py_args_parse("swapaxes", args, nargs, kwnames, names, 2, 2, v) < 0)
        return NULL;
    if (!PyIndex_Check(v[0]) || !PyIndex_Check(v[1])) {
        PyErr_SetString(PyExc_TypeError, "swapaxes() axes must be integers");
        return NULL;
    }
    if (two_axes(a, v[0], v[1], &i, &j) < 0) return NULL;
    for (int k = 0; k < a->ndim; k++) axes[k] = k;
    axes[i] = j;
    axes[j] = i;
    cu_array_transpose(a, axes, &out);
    return py_array_new_view(&out, self);
}

/* Whether it is the number 0 or -1. */
static bool
is_first_or_last(PyObject *axis)
{
    Py_ssize_t i = PyIndex_Check(axis) ? PyNumber_AsSsize_t(axis, NULL) : 1;
    if (PyErr_Occurred()) PyErr_Clear(); /* py_axes_read will say it */
    return i == 0 || i == -1;
}

PY_FASTCALL(py_array_squeeze)
{
    static const char *const names[] = {"axis", NULL};
    const cu_array *a = py_array_get(self);
    bool drop[CUPRIC_MAXDIMS] = {false};
    int axes[CUPRIC_MAXDIMS], n;
    PyObject *v[1];
    cu_array out;

    if (py_args_parse("squeeze", args, nargs, kwnames, names, 1, 0, v) < 0) return NULL;
    if (py_is_absent(v[0])) {
        bool some = false;
        for (int i = 0; i < a->ndim; i++) some |= drop[i] = a->shape[i] == 1;
        if (!some) return Py_NewRef(self); /* as NumPy */
    } else if (a->ndim == 0 && is_first_or_last(v[0])) {
        /* as NumPy has it: a 0-d array has been squeezed along its "only" axis */
    } else {
        n = py_axes_read(v[0], a->ndim, axes);
        if (n < 0) return NULL;
        for (int i = 0; i < n; i++) drop[axes[i]] = true;
    }
    if (cu_array_squeeze(a, drop, &out)) return py_raise();
    return py_array_new_view(&out, self);
}

PY_FASTCALL(py_array_diagonal)
{
    static const char *const names[] = {"offset", "axis1", "axis2", NULL};
    const cu_array *a = py_array_get(self);
    PyObject *v[3];
    Py_ssize_t offset = 0;
    int i = 0, j = 1;
    cu_array out;

    if (py_args_parse("diagonal", args, nargs, kwnames, names, 3, 0, v) < 0)
        return NULL;
    if (v[0]) {
        offset = PyNumber_AsSsize_t(v[0], PyExc_OverflowError);
        if (offset == -1 && PyErr_Occurred()) return NULL;
    }
    if (a->ndim < 2) {
        PyErr_Format(PyExc_ValueError,
                     "diag requires an array of at least two dimensions "
                     "(the array has %d)",
                     a->ndim);
        return NULL;
    }
    if (two_axes(a, v[1], v[2], &i, &j) < 0) return NULL;
    if (i == j) {
        PyErr_SetString(PyExc_ValueError, "axis1 and axis2 cannot be the same");
        return NULL;
    }
    if (cu_array_diagonal(a, offset, i, j, &out)) return py_raise();
    return py_array_new_view(&out, self);
}

/* ---- dtype --------------------------------------------------------------------------- */

PY_FASTCALL(py_array_view)
{
    static const char *const names[] = {"dtype", "type", NULL};
    const cu_array *a = py_array_get(self);
    PyObject *v[2], *dtype_arg;
    PyTypeObject *type = Py_TYPE(self);
    cu_dtype t = a->dtype;
    cu_array out;

    if (py_args_parse("view", args, nargs, kwnames, names, 2, 0, v) < 0) return NULL;
    dtype_arg = v[0];
    if (dtype_arg && PyType_Check(dtype_arg) &&
        PyType_IsSubtype((PyTypeObject *)dtype_arg, &py_array_type)) {
        type = (PyTypeObject *)dtype_arg; /* a.view(subclass) */
        dtype_arg = NULL;
    }
    if (!py_is_absent(v[1])) {
        if (!PyType_Check(v[1]) ||
            !PyType_IsSubtype((PyTypeObject *)v[1], &py_array_type)) {
            PyErr_SetString(PyExc_ValueError,
                            "Type must be a sub-type of ndarray type");
            return NULL;
        }
        type = (PyTypeObject *)v[1];
    }
    if (!py_is_absent(dtype_arg) && py_dtype_convert_any(dtype_arg, &t) < 0) {
        return py_subarray_call("view", dtype_arg, self, args, nargs, kwnames);
    }
    if (cu_array_reinterpret(a, t, &out)) return py_raise();
    if (py_require_aligned(&out, "take a view of a copy, x.copy().view(dtype)") < 0) {
        cu_array_release(&out);
        return NULL;
    }
    return py_array_wrap(&out, type, self, self);
}

/* The real or imaginary part of a complex array, as a view. */
static PyObject *
part(PyObject *self, bool imaginary)
{
    const cu_array *a = py_array_get(self);
    cu_array out;
    cu_array_alias(&out, a);
    out.dtype = a->dtype == CUPRIC_COMPLEX64 ? CUPRIC_FLOAT32 : CUPRIC_FLOAT64;
    if (imaginary && a->size) out.offset += cu_itemsize(out.dtype);
    cu_array_update_flags(&out);
    return py_array_new_view(&out, self);
}

PyObject *
py_array_get_real(PyObject *self, void *unused)
{
    (void)unused;
    if (cu_dtypes[py_array_get(self)->dtype].kind != 'c') return Py_NewRef(self);
    return part(self, false);
}

PyObject *
py_array_get_imag(PyObject *self, void *unused)
{
    const cu_array *a = py_array_get(self);
    cu_array out = cu_array_none();
    cu_scalar zero = {.u = 0};
    (void)unused;

    if (cu_dtypes[a->dtype].kind == 'c') return part(self, true);
    if (py_require_numbers(a, "imag") < 0) return NULL;
    /* A real array has no memory for it: zeros that nobody may write. */
    if (cu_array_init(&out, cu_array_device(a), a->dtype, a->ndim, a->shape, 'C') ||
        cu_array_fill(&out, CUPRIC_BOOL, &zero, NULL)) {
        cu_array_release(&out);
        return py_raise();
    }
    out.flags &= ~(unsigned)CUPRIC_WRITEABLE;
    return py_array_new(&out);
}

static int
set_part(PyObject *view, PyObject *value)
{
    static PyObject *everything; /* under the GIL; owned for ever */
    int r;
    if (view == NULL) return -1;
    if (everything == NULL) everything = Py_NewRef(Py_Ellipsis);
    r = PyObject_SetItem(view, everything, value);
    Py_DECREF(view);
    return r;
}

int
py_array_set_real(PyObject *self, PyObject *value, void *unused)
{
    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError, "Cannot delete array real part");
        return -1;
    }
    return set_part(py_array_get_real(self, unused), value);
}

int
py_array_set_imag(PyObject *self, PyObject *value, void *unused)
{
    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError, "Cannot delete array imaginary part");
        return -1;
    }
    if (cu_dtypes[py_array_get(self)->dtype].kind != 'c') {
        PyErr_SetString(PyExc_TypeError,
                        "cannot set the imaginary part of a real array");
        return -1;
    }
    return set_part(py_array_get_imag(self, unused), value);
}
