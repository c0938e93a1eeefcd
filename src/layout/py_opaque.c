/* layout/py_opaque.c: times, structures and plain bytes, as NumPy describes them.
 *
 * The core knows of an opaque dtype its number and the bytes of an element; the NumPy
 * dtype behind a number is here. A dtype gets its number when a program first uses it
 * and keeps it, so that arrays carry it by value, as they do the others.
 */
#include <string.h>

#include "layout/py_object.h"
#include "layout/py_shape.h"

static PyObject *descrs[CUPRIC_MAX_DTYPES]; /* under the GIL; owned for ever */

PyObject *
py_opaque_new(cu_dtype t)
{
    return Py_NewRef(descrs[t]);
}

/* What tells NumPy's dtypes apart: equal ones may differ in the class of their scalars, and
 * in being aligned. */
static PyObject *
identity_of(PyArray_Descr *descr)
{
    return Py_BuildValue("(OOi)", descr, descr->typeobj,
                         PyDataType_FLAGCHK(descr, NPY_ALIGNED_STRUCT));
}

/* ---- in C ---------------------------------------------------------------------------- */

/* The fields of a structure as C declares them, "{ int a; char _0[4]; double b; }", for the
 * source of kernels. A new string, or NULL (no exception) where C has no such structure. */
static char *
declaration_of(PyArray_Descr *descr)
{
    PyObject *m = PyImport_ImportModule("cupric._dtypes"), *text = NULL; /* owned */
    const char *utf8 = NULL;
    char *r = NULL;

    if (m) text = PyObject_CallMethod(m, "declaration", "O", descr);
    if (text && text != Py_None) utf8 = PyUnicode_AsUTF8(text);
    if (utf8) r = strdup(utf8);
    PyErr_Clear();
    Py_XDECREF(text);
    Py_XDECREF(m);
    return r;
}

/* -------------------------------------------------------------------------------------- */

static cu_dtype
number_of(PyArray_Descr *descr, char kind)
{
    PyObject *text = PyObject_Str((PyObject *)descr); /* owned */
    const char *utf8 = text ? PyUnicode_AsUTF8(text) : NULL;
    char *name = utf8 ? strdup(utf8) : NULL; /* the table's, for ever */
    cu_dtype t = CUPRIC_NO_DTYPE;

    Py_XDECREF(text);
    if (name == NULL) {
        if (!PyErr_Occurred()) PyErr_NoMemory();
        return t;
    }
    t = cu_dtype_register(name, kind, (int)PyDataType_ELSIZE(descr));
    if (t == CUPRIC_NO_DTYPE) {
        free(name);
        PyErr_Format(PyExc_MemoryError,
                     "dtype %R is one too many: a process may use %d different times, "
                     "structures and plain bytes",
                     descr, CUPRIC_MAX_DTYPES - CUPRIC_OPAQUE);
        return t;
    }
    descrs[t] = Py_NewRef((PyObject *)descr);
    cu_dtypes[t].ctype = kind == 'V' ? declaration_of(descr) : "long long";
    return t;
}

/* 1 and *out, or -1. */
static int
register_once(PyArray_Descr *descr, char kind, cu_dtype *out)
{
    static PyObject *numbers; /* under the GIL; owned for ever: identity -> number */
    PyObject *key, *number = NULL; /* owned; borrowed, then owned */
    int r = -1;

    if (numbers == NULL && (numbers = PyDict_New()) == NULL) return -1;
    key = identity_of(descr);
    if (key == NULL) return -1;
    number = Py_XNewRef(PyDict_GetItemWithError(numbers, key));
    if (number == NULL && !PyErr_Occurred()) {
        cu_dtype t = number_of(descr, kind);
        number = t == CUPRIC_NO_DTYPE ? NULL : PyLong_FromLong(t);
        if (number && PyDict_SetItem(numbers, key, number) < 0) Py_CLEAR(number);
    }
    if (number) {
        *out = (cu_dtype)PyLong_AsLong(number);
        r = 1;
    }
    Py_XDECREF(number);
    Py_DECREF(key);
    return r;
}

/* Whether bytes alone are the element: no references, no text, in this machine's byte
 * order, and some. */
static bool
is_plain(PyArray_Descr *descr)
{
    Py_ssize_t at = 0;
    PyObject *name, *field;

    if (PyDataType_SUBARRAY(descr)) return is_plain(PyDataType_SUBARRAY(descr)->base);
    if (PyDataType_ELSIZE(descr) == 0 || !PyArray_ISNBO(descr->byteorder)) return false;
    if (descr->type_num != NPY_VOID) {
        return descr->type_num == NPY_DATETIME || descr->type_num == NPY_TIMEDELTA ||
               py_dtype_from_descr(descr) != CUPRIC_NO_DTYPE;
    }
    if (!PyDataType_HASFIELDS(descr)) return true;
    while (PyDict_Next(PyDataType_FIELDS(descr), &at, &name, &field)) {
        if (!is_plain((PyArray_Descr *)PyTuple_GET_ITEM(field, 0))) return false;
    }
    return true;
}

int
py_dtype_find(PyArray_Descr *descr, cu_dtype *out)
{
    *out = py_dtype_from_descr(descr);
    if (CUPRIC_LIKELY(*out != CUPRIC_NO_DTYPE)) return 1;
    if (descr->type_num != NPY_VOID && descr->type_num != NPY_DATETIME &&
        descr->type_num != NPY_TIMEDELTA) {
        return 0;
    }
    if (PyDataType_SUBARRAY(descr) || !is_plain(descr)) return 0;
    return register_once(descr, descr->kind, out);
}

int
py_dtype_convert_any(PyObject *o, cu_dtype *out)
{
    PyArray_Descr *descr = NULL; /* owned */
    int r;

    if (o == Py_None ||
        (PyUnicode_Check(o) && PyUnicode_CompareWithASCIIString(o, "bfloat16") == 0)) {
        return py_dtype_convert(o, out);
    }
    if (PyArray_DescrCheck(o)) {
        descr = (PyArray_Descr *)Py_NewRef(o);
    } else if (!PyArray_DescrConverter(o, &descr)) {
        return -1;
    }
    r = py_dtype_find(descr, out);
    if (r == 0) r = py_dtype_convert((PyObject *)descr, out); /* says what there is */
    Py_DECREF(descr);
    return r < 0 ? -1 : 0;
}

/* 1 where `descr` is a subarray dtype, 0 where it is not, or -1. */
static int
read_subarray(PyArray_Descr *descr, cu_dtype *out, int *ndim, int64_t *shape)
{
    const PyArray_ArrayDescr *sub = PyDataType_SUBARRAY(descr);
    int64_t extra[CUPRIC_MAXDIMS];
    int n;

    if (sub == NULL) return 0;
    if (py_dtype_convert_any((PyObject *)sub->base, out) < 0) return -1;
    n = py_shape_read(sub->shape, extra);
    if (n < 0) return -1;
    if (*ndim + n > CUPRIC_MAXDIMS) {
        PyErr_Format(PyExc_ValueError,
                     "an array of dtype %S would have %d dimensions, "
                     "of %d",
                     descr, *ndim + n, CUPRIC_MAXDIMS);
        return -1;
    }
    for (int i = 0; i < n; i++) shape[(*ndim)++] = extra[i];
    return 1;
}

int
py_dtype_convert_new(PyObject *o, cu_dtype *out, int *ndim, int64_t *shape)
{
    PyObject *type, *value, *traceback; /* owned */
    PyArray_Descr *descr = NULL;        /* owned */
    int r;

    if (CUPRIC_LIKELY(py_dtype_convert_any(o, out) == 0)) return 0;
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return -1;
    PyErr_Fetch(&type, &value, &traceback);
    r = PyArray_DescrConverter(o, &descr) ? read_subarray(descr, out, ndim, shape) : 0;
    Py_XDECREF(descr);
    if (r == 0) {
        PyErr_Restore(type, value, traceback);
        return -1;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return r < 0 ? -1 : 0;
}

int
py_require_numbers(const cu_array *a, const char *what)
{
    if (CUPRIC_LIKELY(!cu_is_opaque(a->dtype))) return 0;
    PyErr_Format(
        PyExc_TypeError,
        "%s does not take dtype %s: its elements can be moved and compared for "
        "equality; compute with a field of it or with a view as an ordinary "
        "dtype, for example x.view('int64')",
        what, cu_dtypes[a->dtype].name);
    return -1;
}
