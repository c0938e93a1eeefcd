/* ops/py_ufunc_dispatch.c: ndarray.__array_ufunc__: NumPy's ufuncs on our arrays run as
 * ours. */
#include <string.h>

#include "layout/py_args.h"
#include "ops/py_ufunc.h"

/* Enter `ours` for each of NumPy's ufuncs of `names`, which spaces part: its `degrees` is
 * another than its `rad2deg`. Names that this NumPy lacks are passed over. -1: exception. */
static int
enter_names(PyObject *table, PyObject *numpy, const char *names, PyObject *ours)
{
    while (*names) {
        const size_t n = strcspn(names, " ");
        PyObject *name = PyUnicode_FromStringAndSize(names, (Py_ssize_t)n);
        PyObject *theirs = name ? PyObject_GetAttr(numpy, name) : NULL;
        int failed;

        Py_XDECREF(name);
        if (theirs == NULL) {
            if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
            PyErr_Clear();
        } else {
            failed = PyDict_SetItem(table, theirs, ours);
            Py_DECREF(theirs);
            if (failed) return -1;
        }
        names += n;
        names += strspn(names, " ");
    }
    return 0;
}

/* NumPy's ufunc objects to ours: a dict, owned for ever. */
static PyObject *
make_table(void)
{
    PyObject *table = PyDict_New(), *numpy = PyImport_ImportModule("numpy");
    PyObject *core = PyImport_ImportModule("cupric._core");

    for (int op = 0; table && numpy && core && op < CUPRIC_N_UFUNCS; op++) {
        PyObject *ours;
        if (cu_ufuncs[op].names[0] == '\0' || cu_ufuncs[op].family) continue;
        ours = PyObject_GetAttrString(core, cu_ufuncs[op].name);
        if (ours == NULL || enter_names(table, numpy, cu_ufuncs[op].names, ours))
            Py_CLEAR(table);
        Py_XDECREF(ours);
    }
    if (numpy == NULL || core == NULL) Py_CLEAR(table);
    Py_XDECREF(numpy);
    Py_XDECREF(core);
    return table;
}

/* `holder.name`, and the holder's reference is given up; NULL without an exception where
 * there is none. */
static PyObject *
take_attribute(PyObject *holder, PyObject *name)
{
    PyObject *found = holder ? PyObject_GetAttr(holder, name) : NULL;
    if (holder && !found && PyErr_ExceptionMatches(PyExc_AttributeError)) PyErr_Clear();
    Py_XDECREF(holder);
    return found;
}

/* Our ufunc of the name: a special function, or another one, as SciPy has i0 and log1p
 * for ufuncs of its own. New reference, or NULL. */
static PyObject *
find_by_name(PyObject *name)
{
    PyObject *core = PyImport_ImportModule("cupric._core"); /* owned */
    PyObject *special = core ? PyObject_GetAttrString(core, "special") : NULL;
    PyObject *ours = take_attribute(special, name);

    if (ours == NULL && !PyErr_Occurred()) {
        ours = take_attribute(Py_XNewRef(core), name);
        if (ours && !Py_IS_TYPE(ours, &py_ufunc_type)) Py_CLEAR(ours);
    }
    Py_XDECREF(core);
    return ours;
}

/* Ours for SciPy's `ufunc`, which is in the table from then on: new reference, or NULL
 * without an exception. */
static PyObject *
find_special(PyObject *table, PyObject *ufunc)
{
    PyObject *name = PyObject_GetAttrString(ufunc, "__name__"); /* owned */
    PyObject *scipy = PyUnicode_FromString("scipy.special");    /* owned */
    PyObject *theirs, *ours = NULL;                             /* owned */

    if (name == NULL || scipy == NULL) goto done;
    theirs = take_attribute(PyImport_GetModule(scipy), name); /* if it is loaded */
    if (theirs == ufunc) {
        ours = find_by_name(name);
        if (ours && PyDict_SetItem(table, ufunc, ours) < 0) Py_CLEAR(ours);
    }
    Py_XDECREF(theirs);

done:
    Py_XDECREF(name);
    Py_XDECREF(scipy);
    return ours;
}

/* Ours for NumPy's `ufunc`, or SciPy's: new reference, or NULL without an exception. */
static PyObject *
find_ours(PyObject *ufunc)
{
    static PyObject *table; /* under the GIL; owned for ever */
    PyObject *ours, *name, *module;

    if (table == NULL) table = make_table();
    if (table == NULL) return NULL;
    ours = PyDict_GetItemWithError(table, ufunc);
    if (ours || PyErr_Occurred()) return Py_XNewRef(ours);
    /* Those that are not element by element (matmul, vecdot, …) are functions of ours. */
    name = PyObject_GetAttrString(ufunc, "signature");
    if (name == NULL || name == Py_None) {
        const int is_elementwise = name == Py_None;
        Py_XDECREF(name);
        return is_elementwise ? find_special(table, ufunc) : NULL;
    }
    Py_DECREF(name);
    name = PyObject_GetAttrString(ufunc, "__name__");
    module = PyImport_ImportModule("cupric");
    if (name && module) ours = PyObject_GetAttr(module, name);
    if (ours == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) PyErr_Clear();
    Py_XDECREF(name);
    Py_XDECREF(module);
    return ours;
}

/* Whether an object is a number: to look for a method that it lacks takes longer than an
 * operation does. */
static bool
is_number(PyObject *o)
{
    return PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyBool_Check(o) ||
           PyComplex_CheckExact(o) || PyArray_IsScalar(o, Number);
}

/* A NumPy array among the operands from `first` on is refused; other classes that handle
 * ufuncs get their turn. 1, 0 for NotImplemented, -1. */
static int
check_operands(PyObject *operands, Py_ssize_t first)
{
    for (Py_ssize_t k = first; k < PyTuple_GET_SIZE(operands); k++) {
        PyObject *o = PyTuple_GET_ITEM(operands, k);
        if (PyArray_Check(o)) {
            py_raise_unsupported(o);
            return -1;
        }
        if (!py_array_check(o) && !is_number(o) &&
            PyObject_HasAttrString((PyObject *)Py_TYPE(o), "__array_ufunc__")) {
            return 0;
        }
    }
    return 1;
}

static int
check_types(PyObject *args, PyObject *kwargs)
{
    PyObject *out = kwargs ? PyDict_GetItemString(kwargs, "out") : NULL;
    const int ok = check_operands(args, 2);
    return ok > 0 && out && PyTuple_Check(out) ? check_operands(out, 0) : ok;
}

/* Call `f` with the inputs of (ufunc, method, *inputs). */
static PyObject *
forward(PyObject *f, PyObject *args, PyObject *kwargs)
{
    PyObject *inputs = PyTuple_GetSlice(args, 2, PyTuple_GET_SIZE(args)); /* owned */
    PyObject *options = kwargs ? PyDict_Copy(kwargs) : NULL;              /* owned */
    PyObject *out = options ? PyDict_GetItemString(options, "out") : NULL, *r = NULL;

    if (inputs == NULL || (kwargs && options == NULL)) goto done;
    /* Functions of ours other than ufuncs take one array, not a tuple. */
    if (out && PyTuple_Check(out) && PyTuple_GET_SIZE(out) == 1 &&
        PyDict_SetItemString(options, "out", PyTuple_GET_ITEM(out, 0)) < 0) {
        goto done;
    }
    r = PyObject_Call(f, inputs, options);

done:
    Py_XDECREF(inputs);
    Py_XDECREF(options);
    return r;
}

/* Whether NumPy's ufunc is one of ours that compares. */
static int
is_comparison(PyObject *ufunc)
{
    PyObject *ours = find_ours(ufunc); /* owned */
    int found = 0;

    if (ours == NULL) return PyErr_Occurred() ? -1 : 0;
    if (Py_TYPE(ours) == &py_ufunc_type) {
        const int op = ((py_ufunc *)ours)->op;
        found = cu_ufuncs[op].integers == CUPRIC_INTEGERS_COMPARED;
    }
    Py_DECREF(ours);
    return found;
}

/* NumPy hands `np.int64(1) < x` over as an array of no dimensions and x (its issue 12142):
 * comparisons take that as the scalar it was. A new reference to the arguments to use. */
static PyObject *
unwrap_compared(PyObject *args)
{
    PyObject *unwrapped = NULL; /* owned */

    for (Py_ssize_t k = 2; k < PyTuple_GET_SIZE(args); k++) {
        PyObject *o = PyTuple_GET_ITEM(args, k), *value;
        int comparison;
        if (!PyArray_Check(o) || PyArray_NDIM((PyArrayObject *)o) != 0) continue;
        comparison = is_comparison(PyTuple_GET_ITEM(args, 0));
        if (comparison == 0) break;
        value = comparison < 0 ? NULL
                               : PyArray_ToScalar(PyArray_DATA((PyArrayObject *)o),
                                                  (PyArrayObject *)o);
        if (value && unwrapped == NULL) {
            unwrapped = PyTuple_New(PyTuple_GET_SIZE(args));
            for (Py_ssize_t i = 0; unwrapped && i < PyTuple_GET_SIZE(args); i++) {
                PyTuple_SET_ITEM(unwrapped, i, Py_NewRef(PyTuple_GET_ITEM(args, i)));
            }
        }
        if (value == NULL || unwrapped == NULL) {
            Py_XDECREF(value);
            Py_XDECREF(unwrapped);
            return NULL;
        }
        Py_SETREF(((PyTupleObject *)unwrapped)->ob_item[k], value);
    }
    return unwrapped ? unwrapped : Py_NewRef(args);
}

static PyObject *
array_ufunc(PyObject *args, PyObject *kwargs)
{
    PyObject *ours, *method, *bound, *r;
    int ok;

    method = PyTuple_GET_ITEM(args, 1);
    ours = find_ours(PyTuple_GET_ITEM(args, 0));
    if (ours == NULL) {
        if (PyErr_Occurred()) return NULL;
        Py_RETURN_NOTIMPLEMENTED;
    }
    ok = check_types(args, kwargs);
    if (ok <= 0) {
        Py_DECREF(ours);
        if (ok < 0) return NULL;
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (PyUnicode_Check(method) && py_keyword_is(method, "__call__")) {
        r = forward(ours, args, kwargs);
        Py_DECREF(ours);
        return r;
    }
    bound = PyObject_GetAttr(ours, method);
    Py_DECREF(ours);
    if (bound == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return NULL;
        PyErr_Clear();
        Py_RETURN_NOTIMPLEMENTED;
    }
    r = forward(bound, args, kwargs);
    Py_DECREF(bound);
    return r;
}

PyObject *
py_array_ufunc(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *r;

    (void)self;
    if (PyTuple_GET_SIZE(args) < 2) {
        PyErr_SetString(PyExc_TypeError,
                        "__array_ufunc__ takes a ufunc, a method's name and inputs");
        return NULL;
    }
    args = unwrap_compared(args);
    if (args == NULL) return NULL;
    r = array_ufunc(args, kwargs);
    Py_DECREF(args);
    return r;
}
