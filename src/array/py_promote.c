/* array/py_promote.c: what several dtypes become together, and several shapes. NumPy answers
 * where more than the dtypes of arrays and lengths is given. */
#include "array/py_array.h"
#include "array/py_functions.h"
#include "array/py_functions_doc.h"
#include "layout/py_placed.h"
#include "layout/py_shape.h"

/* numpy.name(*args), where arrays of ours are their dtypes. `function` caches it. */
static PyObject *
ask_numpy(PyObject **function, const char *name, PyObject *const *args,
          Py_ssize_t nargs, PyObject *kwnames)
{
    const Py_ssize_t n = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    PyObject **given, *r = NULL; /* given: owned, as what is in it */
    Py_ssize_t done = 0;

    if (*function == NULL) {
        PyObject *m = PyImport_ImportModule("numpy");
        *function = m ? PyObject_GetAttrString(m, name) : NULL;
        Py_XDECREF(m);
        if (*function == NULL) return NULL;
    }
    given = PyMem_New(PyObject *, (size_t)n + 1);
    if (given == NULL) return PyErr_NoMemory();
    for (; done < n; done++) {
        PyObject *o = args[done];
        given[done] =
            py_array_check(o) ? py_dtype_new(py_array_get(o)->dtype) : Py_NewRef(o);
        if (given[done] == NULL) goto done;
    }
    r = PyObject_Vectorcall(*function, given, (size_t)nargs, kwnames);

done:
    while (done > 0) Py_DECREF(given[--done]);
    PyMem_Free(given);
    return r;
}

/* Whether `o` is an array, a dtype or a NumPy type of numbers, whose rules we know to be
 * NumPy's: bfloat16's are ml_dtypes's. */
static bool
is_known(PyObject *o, cu_dtype *out)
{
    PyArray_Descr *descr; /* owned */

    *out = CUPRIC_NO_DTYPE;
    if (py_array_check(o)) {
        *out = py_array_get(o)->dtype;
    } else if (PyArray_DescrCheck(o)) {
        *out = py_dtype_from_descr((PyArray_Descr *)o);
    } else if (PyType_Check(o) &&
               PyType_IsSubtype((PyTypeObject *)o, &PyNumberArrType_Type)) {
        descr = PyArray_DescrFromTypeObject(o);
        if (descr) *out = py_dtype_from_descr(descr);
        Py_XDECREF(descr);
        PyErr_Clear();
    }
    return *out != CUPRIC_NO_DTYPE && *out != CUPRIC_BFLOAT16 && !cu_is_opaque(*out);
}

/* can_cast(from_, to, casting='safe') */
static PY_FASTCALL(can_cast)
{
    static PyObject *numpys; /* under the GIL; owned for ever */
    static const char *const names[] = {"from_", "to", "casting", NULL};
    PyObject *v[3];
    cu_dtype from, to;
    (void)self;

    if (py_args_parse("can_cast", args, nargs, kwnames, names, 3, 2, v) < 0)
        return NULL;
    if (is_known(v[0], &from) && is_known(v[1], &to) && !py_array_check(v[1]) &&
        (v[2] == NULL || PyUnicode_Check(v[2]))) {
        const char *rule = v[2] ? PyUnicode_AsUTF8(v[2]) : "safe";
        const int can = rule ? py_can_cast(from, to, rule) : -1;
        return can < 0 ? NULL : PyBool_FromLong(can);
    }
    return ask_numpy(&numpys, "can_cast", v, v[2] ? 3 : 2, NULL);
}

/* result_type(*arrays_and_dtypes) */
static PyObject *
result_type(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    static PyObject *numpys; /* under the GIL; owned for ever */
    cu_dtype common = CUPRIC_NO_DTYPE, t;
    Py_ssize_t i = 0;
    (void)self;

    for (; i < nargs && is_known(args[i], &t); i++) {
        common = i ? cu_leading(common, t) : t;
    }
    if (nargs > 0 && i == nargs) {
        for (i = 0; i < nargs && is_known(args[i], &t); i++) {
            common = cu_promote(common, t);
        }
        return py_dtype_new(common);
    }
    return ask_numpy(&numpys, "result_type", args, nargs, NULL);
}

/* broadcast_shapes(*args) */
static PyObject *
broadcast_shapes(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    static PyObject *numpys; /* under the GIL; owned for ever */
    int64_t common[CUPRIC_MAXDIMS], shape[CUPRIC_MAXDIMS];
    int ndim = 0;
    Py_ssize_t i = 0;
    (void)self;

    for (; i < nargs && PyTuple_CheckExact(args[i]); i++) {
        const int n = py_shape_read(args[i], shape);
        bool fits = n >= 0;
        for (int k = 0; k < n; k++) fits = fits && shape[k] >= 0;
        if (!fits || !cu_shape_broadcast(&ndim, common, n, shape)) break;
    }
    if (i == nargs) return py_shape_new(ndim, common);
    PyErr_Clear(); /* NumPy's words are better */
    return ask_numpy(&numpys, "broadcast_shapes", args, nargs, NULL);
}

/* The shape of an array of either package: its number of axes. */
static int
shape_of(PyObject *o, int64_t *shape)
{
    const bool ours = py_array_check(o);
    const int ndim = ours ? py_array_get(o)->ndim : PyArray_NDIM((PyArrayObject *)o);

    for (int k = 0; k < ndim; k++) {
        shape[k] = ours ? py_array_get(o)->shape[k]
                        : (int64_t)PyArray_DIM((PyArrayObject *)o, k);
    }
    return ndim;
}

/* NumPy's error for arrays whose shapes do not fit. */
static PyObject *
raise_mismatch(PyObject *arrays)
{
    const Py_ssize_t n = PyTuple_GET_SIZE(arrays);
    PyObject *shapes = PyTuple_New(n), *r = NULL; /* owned */
    int64_t lengths[CUPRIC_MAXDIMS];

    for (Py_ssize_t i = 0; shapes && i < n; i++) {
        const int ndim = shape_of(PyTuple_GET_ITEM(arrays, i), lengths);
        PyObject *shape = py_shape_new(ndim, lengths);
        if (shape == NULL) goto done;
        PyTuple_SET_ITEM(shapes, i, shape);
    }
    if (shapes) r = broadcast_shapes(NULL, PySequence_Fast_ITEMS(shapes), n);

done:
    Py_XDECREF(shapes);
    return r;
}

/* NumPy's array as a view of that shape, which stays on the host. New reference. */
static PyObject *
stretch_numpys(PyObject *o, int ndim, const int64_t *shape)
{
    static PyObject *numpys; /* under the GIL; owned for ever */
    PyObject *args[2] = {o, py_shape_new(ndim, shape)}, *r;

    if (args[1] == NULL) return NULL;
    r = ask_numpy(&numpys, "broadcast_to", args, 2, NULL);
    Py_DECREF(args[1]);
    return r;
}

static PyObject *
stretch_ours(PyObject *o, int ndim, const int64_t *shape)
{
    cu_array view;

    if (cu_array_broadcast_to(py_array_get(o), ndim, shape, &view)) return py_raise();
    return py_array_new_view(&view, o);
}

/* Item i of a tuple of arrays, as one of the shape to which it broadcasts. */
static int
stretch_item(PyObject *arrays, Py_ssize_t i, int ndim, const int64_t *shape)
{
    PyObject *o = PyTuple_GET_ITEM(arrays, i), *made;
    int64_t own[CUPRIC_MAXDIMS];

    if (shape_of(o, own) == ndim &&
        memcmp(own, shape, (size_t)ndim * sizeof *shape) == 0)
        return 0;
    made = py_array_check(o) ? stretch_ours(o, ndim, shape)
                             : stretch_numpys(o, ndim, shape);
    if (made == NULL) return -1;
    PyTuple_SET_ITEM(arrays, i, made);
    Py_DECREF(o);
    return 0;
}

/* What cannot be an array of a device beside arrays of the host: the program means NumPy's
 * function, as matplotlib does with None, and is told how to call it. */
static void
blame_host_arrays(PyObject *const *args, Py_ssize_t nargs)
{
    for (Py_ssize_t i = 0; i < nargs; i++) {
        if (!PyArray_Check(args[i]) || !PyErr_ExceptionMatches(PyExc_ValueError))
            continue;
        PyErr_Clear();
        py_raise_unsupported(args[i]);
        return;
    }
}

/* The arguments as arrays, scalars and lists on the device of the others, NumPy's arrays as
 * they are: new reference. */
static PyObject *
read_arrays(PyObject *const *args, Py_ssize_t nargs)
{
    PyObject *arrays = PyTuple_New(nargs); /* owned */
    cu_device *before = cu_device_current();

    cu_device_set_current(py_device_of(args, nargs));
    for (Py_ssize_t i = 0; arrays && i < nargs; i++) {
        PyObject *o =
            PyArray_Check(args[i]) ? Py_NewRef(args[i]) : py_device_array(args[i]);
        if (o) {
            PyTuple_SET_ITEM(arrays, i, o);
        } else {
            Py_CLEAR(arrays);
            blame_host_arrays(args, nargs);
        }
    }
    cu_device_set_current(before);
    return arrays;
}

/* broadcast_arrays(*args) */
static PyObject *
broadcast_arrays(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    PyObject *arrays = read_arrays(args, nargs), *r = NULL; /* arrays: owned */
    int64_t shape[CUPRIC_MAXDIMS], own[CUPRIC_MAXDIMS];
    bool fits = true;
    int ndim = 0;
    (void)self;

    for (Py_ssize_t i = 0; arrays && i < nargs; i++) {
        const int n = shape_of(PyTuple_GET_ITEM(arrays, i), own);
        fits = fits && cu_shape_broadcast(&ndim, shape, n, own);
    }
    if (!fits) {
        Py_XDECREF(raise_mismatch(arrays));
        goto done;
    }
    for (Py_ssize_t i = 0; arrays && i < nargs; i++) {
        if (stretch_item(arrays, i, ndim, shape) < 0) goto done;
    }
    if (arrays) r = PySequence_List(arrays);

done:
    Py_XDECREF(arrays);
    return r;
}

PyMethodDef py_promote_functions[] = {
    {"can_cast", (PyCFunction)(void (*)(void))can_cast, METH_FASTCALL | METH_KEYWORDS,
     can_cast_doc},
    {"result_type", (PyCFunction)(void (*)(void))result_type, METH_FASTCALL,
     result_type_doc},
    {"broadcast_shapes", (PyCFunction)(void (*)(void))broadcast_shapes, METH_FASTCALL,
     broadcast_shapes_doc},
    {"broadcast_arrays", (PyCFunction)(void (*)(void))broadcast_arrays, METH_FASTCALL,
     broadcast_arrays_doc},
    {NULL},
};
