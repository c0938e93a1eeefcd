/* kernel/py_instance.c: an instance of a library's kernel, called by the names of its
 * parameters: kernel[dtype](x=x, y=y, n=n).
 *
 * Python reads the declarations of a library's code (python/cupric/_lib/kernels/_signature.py) and
 * makes an instance of them once. A call finds the place of each keyword, mostly by its
 * address, as names are interned, and each value is converted to what is declared.
 */
#include <Python.h>

#include <stddef.h>
#include <string.h>
#include <structmember.h>

#include "kernel/py_kernel.h"

enum { MAX_PARAMETERS = 64 };
enum { OWN_WORK, OWN_THREADS, OWN_SHARED, OWN_KEYWORDS };

/* Keywords that no parameter may have. */
static const char *const own_names[OWN_KEYWORDS] = {
    [OWN_WORK] = "work", [OWN_THREADS] = "threads", [OWN_SHARED] = "shared_mem"};
static PyObject *own[OWN_KEYWORDS]; /* interned */

typedef struct py_instance {
    PyObject_HEAD
    vectorcallfunc call;
    PyObject *raw; /* owned: the RawKernel */
    int n;
    py_parameter *params; /* owned */
    /* What is counted as work: a parameter, or of a structure the int64 or int32 (`q`,
     * `i`) at an offset. -1: a keyword of the call. */
    int work;
    char work_type;
    Py_ssize_t work_offset;
    int threads; /* of a block; 0: work is elements; -1: a keyword of the call */
} py_instance;

/* ---- calls ---------------------------------------------------------------------------- */

/* The place of a keyword: a parameter's, or n and on for our own; -1: there is none. */
static int
place_of(const py_instance *self, PyObject *name)
{
    for (int i = 0; i < self->n; i++) {
        if (self->params[i].name == name) return i;
    }
    for (int i = 0; i < OWN_KEYWORDS; i++) {
        if (own[i] == name) return self->n + i;
    }
    for (int i = 0; i < self->n; i++) {
        if (PyUnicode_Compare(self->params[i].name, name) == 0) return i;
    }
    for (int i = 0; i < OWN_KEYWORDS; i++) {
        if (PyUnicode_Compare(own[i], name) == 0) return self->n + i;
    }
    return -1;
}

static int
raise_lacking(const py_instance *self, PyObject *const *values)
{
    PyObject *names = PyList_New(0), *comma = PyUnicode_FromString(", "), *text = NULL;
    PyObject *name = PyObject_GetAttrString(self->raw, "name");

    for (int i = 0; names && i < self->n; i++) {
        if (values[i] || PyList_Append(names, self->params[i].name) == 0) continue;
        Py_CLEAR(names);
    }
    if (names && comma && name) text = PyUnicode_Join(comma, names);
    if (text) PyErr_Format(PyExc_TypeError, "%U lacks %U", name, text);
    Py_XDECREF(text);
    Py_XDECREF(name);
    Py_XDECREF(comma);
    Py_XDECREF(names);
    return -1;
}

static int
read_keywords(const py_instance *self, PyObject *const *args, PyObject *kwnames,
              PyObject **values)
{
    const Py_ssize_t n = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
    int known = 0;

    for (int i = 0; i < self->n + OWN_KEYWORDS; i++) values[i] = NULL;
    for (Py_ssize_t k = 0; k < n; k++) {
        PyObject *name = PyTuple_GET_ITEM(kwnames, k);
        const int i = place_of(self, name);
        if (i < 0) {
            PyErr_Format(PyExc_TypeError, "%R has no parameter %R", self->raw, name);
            return -1;
        }
        values[i] = args[k];
        known += i < self->n;
    }
    return known == self->n ? 0 : raise_lacking(self, values);
}

/* What is counted, by a keyword where no parameter says it. */
static int
read_work(const py_instance *self, PyObject *const *values, py_work *out)
{
    PyObject *const *const ours = values + self->n;
    PyObject *o = self->work < 0 ? ours[OWN_WORK] : values[self->work];

    if ((self->work < 0) != (ours[OWN_WORK] != NULL) ||
        (self->threads < 0) != (ours[OWN_THREADS] != NULL)) {
        PyErr_Format(PyExc_TypeError,
                     "%R: `work` and `threads` are passed where the kernel's "
                     "declaration leaves them open, and only there",
                     self->raw);
        return -1;
    }
    if (self->work >= 0 && self->work_type) {
        const PyArrayObject *a = (PyArrayObject *)o;
        int small;
        if (!PyArray_Check(o) ||
            PyArray_ITEMSIZE(a) < self->work_offset + (Py_ssize_t)sizeof out->n) {
            PyErr_Format(PyExc_TypeError, "%R: %U is not its structure", self->raw,
                         self->params[self->work].name);
            return -1;
        }
        const char *at = PyArray_BYTES((PyArrayObject *)o) + self->work_offset;
        memcpy(&out->n, at, sizeof out->n);
        memcpy(&small, at, sizeof small);
        if (self->work_type == 'i') out->n = small;
    } else {
        out->n = PyLong_AsLongLong(o);
        if (out->n == -1 && PyErr_Occurred()) return -1;
    }
    out->threads = self->threads;
    if (self->threads >= 0) return 0;
    const long threads = PyLong_AsLong(ours[OWN_THREADS]);
    if (threads == -1 && PyErr_Occurred()) return -1;
    if (threads < 1 || threads > 1024) {
        PyErr_Format(PyExc_ValueError, "a block has 1 to 1024 threads, not %ld",
                     threads);
        return -1;
    }
    out->threads = (int)threads;
    return 0;
}

static PyObject *
instance_call(PyObject *o, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    const py_instance *self = (py_instance *)o;
    PyObject *values[MAX_PARAMETERS + OWN_KEYWORDS]; /* borrowed */
    py_work work;

    if (PyVectorcall_NARGS(nargsf)) {
        PyErr_Format(PyExc_TypeError, "%R takes its arguments by name", self->raw);
        return NULL;
    }
    if (read_keywords(self, args, kwnames, values) < 0) return NULL;
    if (read_work(self, values, &work) < 0) return NULL;
    if (py_launch_declared(py_raw_find, self->raw, self->params, self->n, values, &work,
                           values[self->n + OWN_SHARED]) < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- the type --------------------------------------------------------------------------- */

/* (name, kind, dtype or None, ndim, count, record or None) */
static int
read_parameter(PyObject *item, py_parameter *out)
{
    PyObject *name, *dtype, *record;
    int kind;
    cu_dtype t;

    if (!PyArg_ParseTuple(item, "UiOiiO:parameter", &name, &kind, &dtype, &out->ndim,
                          &out->count, &record))
        return -1;
    if (kind < 0 || kind >= PY_PARAMETER_KINDS || out->ndim > CUPRIC_MAXDIMS) {
        PyErr_SetString(PyExc_ValueError,
                        "a parameter of an unknown kind, or of too many dimensions");
        return -1;
    }
    for (int i = 0; i < OWN_KEYWORDS; i++) {
        if (PyUnicode_CompareWithASCIIString(name, own_names[i])) continue;
        PyErr_Format(PyExc_ValueError, "no parameter may be called %U", name);
        return -1;
    }
    out->kind = (py_parameter_kind)kind;
    out->dtype = CUPRIC_NO_DTYPE;
    if (dtype != Py_None) {
        if (py_dtype_convert(dtype, &t) < 0) return -1;
        out->dtype = (int)t;
    }
    out->name = Py_NewRef(name);
    PyUnicode_InternInPlace(&out->name);
    out->record = record == Py_None ? NULL : Py_NewRef(record);
    if (record != Py_None && !PyArray_DescrCheck(record)) {
        PyErr_SetString(PyExc_TypeError,
                        "a parameter that is a structure needs its dtype");
        return -1;
    }
    return 0;
}

static void
instance_dealloc(PyObject *o)
{
    py_instance *self = (py_instance *)o;

    for (int i = 0; i < self->n; i++) {
        Py_XDECREF(self->params[i].name);
        Py_XDECREF(self->params[i].record);
    }
    PyMem_Free(self->params);
    Py_XDECREF(self->raw);
    Py_TYPE(o)->tp_free(o);
}

/* _Instance(raw, params, work, work_type, work_offset, threads) */
static PyObject *
instance_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *raw, *params;
    int work, work_type, threads;
    Py_ssize_t offset;
    py_instance *self;

    if (kwargs && PyDict_GET_SIZE(kwargs)) {
        PyErr_SetString(PyExc_TypeError, "_Instance takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!O!iCni:_Instance", &py_RawKernelType, &raw,
                          &PyTuple_Type, &params, &work, &work_type, &offset, &threads))
        return NULL;
    const Py_ssize_t n = PyTuple_GET_SIZE(params);
    if (n > MAX_PARAMETERS || work >= n || threads > 1024) {
        PyErr_SetString(PyExc_ValueError,
                        "an instance with too many parameters or threads");
        return NULL;
    }
    self = (py_instance *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->call = instance_call;
    self->raw = Py_NewRef(raw);
    self->work = work;
    self->work_type = work_type == ' ' ? 0 : (char)work_type;
    self->work_offset = offset;
    self->threads = threads;
    self->params = PyMem_Calloc((size_t)n + 1, sizeof *self->params);
    if (self->params == NULL) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    for (; self->n < n; self->n++) {
        py_parameter *p = &self->params[self->n];
        if (read_parameter(PyTuple_GET_ITEM(params, self->n), p) == 0) continue;
        self->n++; /* what it has is released */
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static PyObject *
instance_repr(PyObject *o)
{
    return PyUnicode_FromFormat("<instance of %R>", ((py_instance *)o)->raw);
}

static PyMemberDef members[] = {
    {"raw", T_OBJECT_EX, offsetof(py_instance, raw), READONLY, "The RawKernel."},
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(py_instance, call), READONLY, NULL},
    {NULL},
};

static PyTypeObject instance_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric._core._Instance",
    .tp_doc =
        "An instance of a kernel of a library: see cupric._lib.kernels.Library.kernel.",
    .tp_basicsize = sizeof(py_instance),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(py_instance, call),
    .tp_new = instance_new,
    .tp_dealloc = instance_dealloc,
    .tp_repr = instance_repr,
    .tp_members = members,
};

/* ---- for tests ----------------------------------------------------------------------- */

/* launch_as_device(blocks, elements) */
static PyObject *
launch_as_device(PyObject *self, PyObject *args)
{
    int blocks, elements;

    (void)self;
    if (!PyArg_ParseTuple(args, "ii:_launch_as_device", &blocks, &elements))
        return NULL;
    py_launch_shape_as_device(blocks, elements);
    Py_RETURN_NONE;
}

int
py_instance_init(PyObject *module)
{
    static PyMethodDef functions[] = {
        {"_launch_as_device", launch_as_device, METH_VARARGS,
         "_launch_as_device(blocks, elements)\n--\n\nFor tests: work on the host "
         "device "
         "is launched as on a GPU, as up to so many blocks, of `elements` threads "
         "where "
         "the work is elements."},
        {NULL},
    };

    for (int i = 0; i < OWN_KEYWORDS; i++) {
        own[i] = PyUnicode_InternFromString(own_names[i]);
        if (own[i] == NULL) return -1;
    }
    if (PyType_Ready(&instance_type) < 0 ||
        PyModule_AddObjectRef(module, "_Instance", (PyObject *)&instance_type) < 0)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
