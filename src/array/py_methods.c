/* array/py_methods.c: the methods that have no file of their own, and the method table. */
#include <string.h>

#include "array/py_array.h"
#include "array/py_dlpack.h"
#include "array/py_methods_doc.h"
#include "device/units.h"
#include "ops/py_sort.h"
#include "ops/py_ufunc.h"

/* A method that is the function module.name with self as its first argument. The
 * function object is looked up once. */
static PyObject *
delegate(PyObject **cache, const char *module, const char *name, PyObject *self,
         PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *stack[16];
    Py_ssize_t total = nargs + 1 + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);

    if (*cache == NULL) {
        PyObject *m = PyImport_ImportModule(module);
        if (m == NULL) return NULL;
        *cache = PyObject_GetAttrString(m, name);
        Py_DECREF(m);
        if (*cache == NULL) return NULL;
    }
    if (total > 16) {
        PyErr_Format(PyExc_TypeError, "%s() got too many arguments", name);
        return NULL;
    }
    stack[0] = self;
    for (Py_ssize_t i = 1; i < total; i++) stack[i] = args[i - 1];
    return PyObject_Vectorcall(*cache, stack, (size_t)(nargs + 1), kwnames);
}

/* Elements of several bytes each as unsigned numbers, whose bytes can be swapped, those of
 * complex numbers in one line; false where there is no such view. */
static bool
as_words(const cu_array *a, cu_array *words)
{
    const char kind = cu_dtypes[a->dtype].kind;
    const int width = cu_itemsize(a->dtype) / (kind == 'c' ? 2 : 1);

    if (width == 1 || strchr("iufc", kind) == NULL) return false;
    cu_array_borrow(words, a);
    words->dtype = cu_unit_dtype(width);
    if (kind != 'c') return true;
    words->ndim = 1;
    words->size = words->shape[0] = a->size * 2;
    words->strides[0] = width;
    cu_array_update_flags(words);
    return cu_array_is_contiguous(a);
}

/* byteswap(inplace=False): what is plain here, the rest in Python. */
static PY_FASTCALL(array_byteswap)
{
    static PyObject *rest; /* under the GIL; owned for ever */
    static const char *const names[] = {"inplace", NULL};
    const cu_array *a = py_array_get(self);
    cu_array out = cu_array_none(), from, to, *outs[1] = {&to}; /* out owned */
    const cu_iter_arg arg = {&from, NULL, 0, CUPRIC_READ};
    PyThreadState *thread;
    PyObject *v[1];
    cu_status st;

    if (py_args_parse("byteswap", args, nargs, kwnames, names, 1, 0, v) < 0)
        return NULL;
    if ((v[0] && v[0] != Py_False) || cu_is_opaque(a->dtype) || !as_words(a, &from)) {
        return delegate(&rest, "cupric._methods", "byteswap", self, args, nargs,
                        kwnames);
    }
    st = cu_array_init(&out, cu_array_device(a), a->dtype, a->ndim, a->shape, 'C');
    if (st) return py_raise();
    as_words(&out, &to);
    thread = py_suspend(a->size);
    st = cu_run_elementwise(CUPRIC_OP_byteswap,
                            cu_ufunc_find_same(CUPRIC_OP_byteswap, from.dtype), 1, &arg,
                            1, outs, NULL);
    py_resume(thread);
    if (st) {
        cu_array_release(&out);
        return py_raise();
    }
    return py_array_wrap(&out, Py_TYPE(self), NULL, self);
}

static PyObject *
array_implicit(PyObject *self, PyObject *args, PyObject *kwargs)
{
    (void)self, (void)args, (void)kwargs;
    PyErr_SetString(PyExc_TypeError,
                    "Implicit conversion to a NumPy array is not allowed. Please use "
                    "`.get()` to construct a NumPy array explicitly.");
    return NULL;
}

static PyObject *
array_conj(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (cu_dtypes[py_array_get(self)->dtype].kind != 'c') return Py_NewRef(self);
    return py_ufunc_unary(CUPRIC_OP_conjugate, self);
}

static PyObject *
array_complex(PyObject *self, PyObject *unused)
{
    PyObject *s, *r; /* s owned */
    (void)unused;
    if (py_array_get(self)->size != 1) {
        PyErr_SetString(PyExc_TypeError,
                        "only length-1 arrays can be converted to Python scalars");
        return NULL;
    }
    s = py_array_scalar(self);
    if (s == NULL) return NULL;
    r = PyObject_CallFunctionObjArgs((PyObject *)&PyComplex_Type, s, NULL);
    Py_DECREF(s);
    return r;
}

static PyObject *
array_finalize_method(PyObject *self, PyObject *parent)
{
    (void)self, (void)parent;
    Py_RETURN_NONE;
}

static PyObject *
array_function(PyObject *self, PyObject *args)
{
    static PyObject *function; /* under the GIL; owned for ever */
    PyObject *stack[5];
    if (function == NULL) {
        PyObject *m = PyImport_ImportModule("cupric._dispatch");
        if (m == NULL) return NULL;
        function = PyObject_GetAttrString(m, "array_function");
        Py_DECREF(m);
        if (function == NULL) return NULL;
    }
    if (PyTuple_GET_SIZE(args) != 4) {
        PyErr_SetString(PyExc_TypeError, "__array_function__() takes 4 arguments");
        return NULL;
    }
    stack[0] = self;
    for (int i = 0; i < 4; i++) stack[i + 1] = PyTuple_GET_ITEM(args, i);
    return PyObject_Vectorcall(function, stack, 5, NULL);
}

static PyObject *namespace_given; /* under the GIL; owned; NULL: the package */

PyObject *
py_array_set_namespace(PyObject *module, PyObject *namespace)
{
    (void)module;
    Py_INCREF(namespace);
    Py_XSETREF(namespace_given, namespace);
    Py_RETURN_NONE;
}

static PyObject *
array_namespace(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static const char *const versions[] = {"2021.12", "2022.12", "2023.12", "2024.12"};
    static char *names[] = {"api_version", NULL};
    PyObject *version = Py_None;
    (void)self;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$O:__array_namespace__", names,
                                     &version)) {
        return NULL;
    }
    for (size_t i = 0; version != Py_None; i++) {
        if (i == sizeof versions / sizeof *versions) {
            return PyErr_Format(PyExc_ValueError,
                                "api_version=%R is no version of the array API "
                                "standard that cupric has: None, or from '%s' to '%s'",
                                version, versions[0], versions[i - 1]);
        }
        if (PyUnicode_Check(version) &&
            PyUnicode_CompareWithASCIIString(version, versions[i]) == 0) {
            break;
        }
    }
    if (namespace_given) return Py_NewRef(namespace_given);
    return PyImport_ImportModule("cupric");
}

/* Pickled as (function, (class, elements as a NumPy array), instance dictionary). Without
 * the class where it is ndarray, whose name need not be "cupric.ndarray" in the process
 * that reads it (cupric.install_as_cupy). */
static PyObject *
array_reduce(PyObject *self, PyObject *unused)
{
    PyObject *m = PyImport_ImportModule("cupric._core"), *f, *np, *dict, *r; /* owned */
    (void)unused;
    if (m == NULL) return NULL;
    f = PyObject_GetAttrString(m, "_unpickle");
    Py_DECREF(m);
    if (f == NULL) return NULL;
    np = py_array_to_numpy(py_array_get(self), 'A');
    if (np == NULL) {
        Py_DECREF(f);
        return NULL;
    }
    if (Py_TYPE(self) == &py_array_type) return Py_BuildValue("N(N)", f, np);
    dict = PyObject_GetAttrString(self, "__dict__");
    if (dict == NULL) {
        PyErr_Clear();
        r = Py_BuildValue("N(ON)", f, Py_TYPE(self), np);
    } else {
        r = Py_BuildValue("N(ON)N", f, Py_TYPE(self), np, dict);
    }
    return r;
}

PyObject *
py_array_unpickle(PyObject *module, PyObject *args)
{
    PyObject *type = (PyObject *)&py_array_type, *np, *made, *r;
    cu_array a;
    (void)module;
    if (PyTuple_GET_SIZE(args) == 1) {
        np = PyTuple_GET_ITEM(args, 0);
    } else if (!PyArg_ParseTuple(args, "OO", &type, &np)) {
        return NULL;
    }
    made = py_array_from_any(np, CUPRIC_NO_DTYPE, 'K', 1);
    if (made == NULL || type == (PyObject *)&py_array_type) return made;
    if (!PyType_Check(type) ||
        !PyType_IsSubtype((PyTypeObject *)type, &py_array_type)) {
        PyErr_SetString(PyExc_TypeError, "not a subclass of cupric.ndarray");
        Py_DECREF(made);
        return NULL;
    }
    cu_array_alias(&a, py_array_get(made));
    a.flags |= CUPRIC_OWNDATA;
    Py_DECREF(made);
    r = py_array_wrap(&a, (PyTypeObject *)type, NULL, NULL);
    return r;
}

static PyObject *
array_copy_here(PyObject *self, PyObject *unused)
{
    const cu_array *a = py_array_get(self);
    cu_array out;
    (void)unused;
    if (cu_array_cast(a, a->dtype, 'K', &out)) {
        return py_raise();
    }
    return py_array_wrap(&out, Py_TYPE(self), NULL, self);
}

static PyObject *
array_format(PyObject *self, PyObject *spec)
{
    PyObject *value, *r; /* value owned */
    if (py_array_get(self)->ndim == 0) {
        value = py_array_scalar(self);
    } else if (PyUnicode_Check(spec) && PyUnicode_GET_LENGTH(spec) > 0) {
        PyErr_Format(PyExc_TypeError,
                     "format %R is for one number, the array has %d dimensions", spec,
                     py_array_get(self)->ndim);
        return NULL;
    } else {
        value = PyObject_Str(self);
    }
    if (value == NULL) return NULL;
    r = PyObject_Format(value, spec);
    Py_DECREF(value);
    return r;
}

static PyObject *
array_tobytes(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
              PyObject *kwnames)
{
    static const char *const names[] = {"order", NULL};
    PyObject *v[1];
    char order;
    if (py_args_parse("tobytes", args, nargs, kwnames, names, 1, 0, v) < 0) return NULL;
    order = py_order_read(v[0], 'C');
    return order ? py_array_to_bytes(py_array_get(self), order) : NULL;
}

static PyObject *
array_bytes(PyObject *self, PyObject *unused)
{
    (void)unused;
    return array_tobytes(self, NULL, 0, NULL);
}

/* As NumPy's scalars, which a[i] is there: an int unless digits are asked for. */
static PY_FASTCALL(array_round_protocol)
{
    PyObject *rounded, *r; /* rounded owned */

    if (nargs > 1 || (kwnames && PyTuple_GET_SIZE(kwnames))) {
        PyErr_SetString(PyExc_TypeError, "__round__() takes at most one argument");
        return NULL;
    }
    if (py_array_get(self)->ndim > 0) {
        PyErr_Format(PyExc_TypeError,
                     "type %.100s doesn't define __round__ method for arrays of %d "
                     "dimensions: use .round()",
                     Py_TYPE(self)->tp_name, py_array_get(self)->ndim);
        return NULL;
    }
    if (nargs == 1 && args[0] != Py_None) {
        return py_array_round(self, args, nargs, NULL);
    }
    rounded = py_array_round(self, NULL, 0, NULL);
    if (rounded == NULL) return NULL;
    r = PyNumber_Long(rounded);
    Py_DECREF(rounded);
    return r;
}

/* Methods that only make sense on the host run on a copy there. */
static PyObject *
on_host(PyObject *self, const char *name, PyObject *args, PyObject *kwargs)
{
    PyObject *np = py_array_to_numpy(py_array_get(self), 'C'), *f, *r; /* owned */
    if (np == NULL) return NULL;
    f = PyObject_GetAttrString(np, name);
    r = f ? PyObject_Call(f, args, kwargs) : NULL;
    Py_XDECREF(f);
    Py_DECREF(np);
    return r;
}

static PyObject *
array_tofile(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return on_host(self, "tofile", args, kwargs);
}

static PyObject *
array_dump(PyObject *self, PyObject *file)
{
    PyObject *m = PyImport_ImportModule("pickle"), *r; /* owned */
    if (m == NULL) return NULL;
    if (PyUnicode_Check(file) || PyObject_HasAttrString(file, "__fspath__")) {
        PyObject *io = PyImport_ImportModule("io"), *f; /* owned */
        f = io ? PyObject_CallMethod(io, "open", "Os", file, "wb") : NULL;
        Py_XDECREF(io);
        r = f ? PyObject_CallMethod(m, "dump", "OOi", self, f, -1) : NULL;
        if (f) {
            PyObject *type, *value, *trace, *closed;
            PyErr_Fetch(&type, &value, &trace);
            closed = PyObject_CallMethod(f, "close", NULL);
            Py_XDECREF(closed);
            PyErr_Restore(type, value, trace);
            Py_DECREF(f);
        }
    } else {
        r = PyObject_CallMethod(m, "dump", "OOi", self, file, -1);
    }
    Py_DECREF(m);
    return r;
}

static PyObject *
array_dumps(PyObject *self, PyObject *unused)
{
    PyObject *m = PyImport_ImportModule("pickle"), *r; /* owned */
    (void)unused;
    if (m == NULL) return NULL;
    r = PyObject_CallMethod(m, "dumps", "Oi", self, -1);
    Py_DECREF(m);
    return r;
}

static PyObject *
array_sizeof(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyLong_FromSsize_t(Py_TYPE(self)->tp_basicsize);
}

#define METHOD(name, function, convention, parameters, doc)
#define DELEGATE(name, module, parameters, doc)                                        \
    static PY_FASTCALL(method_##name)                                                  \
    {                                                                                  \
        static PyObject *cached; /* under the GIL; owned for ever */                   \
        return delegate(&cached, module, #name, self, args, nargs, kwnames);           \
    }
#include "array/methods.def"
#undef METHOD
#undef DELEGATE

enum {
    FAST = METH_FASTCALL | METH_KEYWORDS,
    KEYWORDS = METH_VARARGS | METH_KEYWORDS,
    TUPLE = METH_VARARGS,
    ONE = METH_O,
    NONE = METH_NOARGS
};

#define ENTRY(name, function, convention, parameters, doc)                             \
    {#name, (PyCFunction)(void (*)(void))(function), convention,                       \
     #name "($self" parameters ")\n--\n\n" doc},

PyMethodDef py_array_methods[] = {
#define METHOD(name, function, convention, parameters, doc)                            \
    ENTRY(name, function, convention, parameters, doc)
#define DELEGATE(name, module, parameters, doc)                                        \
    ENTRY(name, method_##name, FAST, parameters, doc)
#include "array/methods.def"
#undef METHOD
#undef DELEGATE
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {NULL},
};
