/* ops/py_operand.c: see py_operand.h. */
#include "ops/py_operand.h"

#include "layout/py_foreign.h"
#include "ops/py_upload.h"

static bool
is_opaque_scalar(PyObject *o)
{
    return PyArray_IsScalar(o, Datetime) || PyArray_IsScalar(o, Timedelta) ||
           PyArray_IsScalar(o, Void);
}

/* NumPy's time or structure takes part as an array of no dimensions. */
static PyObject *
opaque_operand(PyObject *o)
{
    PyObject *np = PyArray_FromScalar(o, NULL); /* owned */
    cu_array a = cu_array_none();
    int r;

    if (np == NULL) return NULL;
    r = py_upload((PyArrayObject *)np, CUPRIC_NO_DTYPE, 'C', cu_device_current(), &a);
    Py_DECREF(np);
    return r < 0 ? NULL : py_array_new(&a);
}

int
py_operand_read(PyObject *o, py_operand *out)
{
    int r;
    out->owned = NULL;
    if (CUPRIC_LIKELY(py_array_check(o))) {
        out->array = py_array_get(o);
        out->object = o;
        return 1;
    }
    out->array = NULL;
    out->object = NULL;
    r = py_scalar_read(o, &out->scalar);
    if (r != 0) return r;
    out->owned = py_foreign_array(o);
    if (out->owned == NULL && !PyErr_Occurred() && is_opaque_scalar(o)) {
        out->owned = opaque_operand(o);
    }
    if (out->owned == NULL) return PyErr_Occurred() ? -1 : 0;
    out->object = out->owned;
    out->array = py_array_get(out->owned);
    return 1;
}

int
py_operand_require(PyObject *o, py_operand *out)
{
    int r = py_operand_read(o, out);
    if (r == 0) py_raise_unsupported(o);
    return r > 0 ? 0 : -1;
}

int
py_operand_upload(PyObject *o, cu_device *device, py_operand *out)
{
    cu_array a = cu_array_none();
    PyObject *np; /* owned */
    int r;

    if (!PyArray_Check(o) && !PyList_Check(o) && !PyTuple_Check(o)) {
        return py_operand_require(o, out);
    }
    np = PyArray_FROM_O(o);
    if (np == NULL) return -1;
    if (PyArray_ISOBJECT((PyArrayObject *)np)) {
        Py_DECREF(np);
        py_raise_unsupported(o);
        return -1;
    }
    r = py_upload((PyArrayObject *)np, CUPRIC_NO_DTYPE, 'K', device, &a);
    Py_DECREF(np);
    if (r < 0) return -1;
    out->owned = out->object = py_array_new(&a);
    if (out->owned == NULL) return -1;
    out->array = py_array_get(out->owned);
    return 0;
}
