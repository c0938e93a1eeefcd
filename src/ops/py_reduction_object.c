/* ops/py_reduction_object.c: the type cupric.reduction and its objects, in the namespace
 * cupric._core.reductions: the rows of reduce.def, and the rows of ufunc.def that two
 * elements of one dtype can be combined by.
 *
 * An object is a row's number behind a vectorcall, as a ufunc is. What a call takes, and
 * the docstring, follow from the row.
 */
#include <stdlib.h>
#include <string.h>

#include "layout/py_args.h"
#include "ops/py_reduction.h"
#include "ops/py_ufunc.h"

enum { A, B, AXIS, DTYPE, OUT, KEEPDIMS, INITIAL, WHERE, PARAMETER, N_NAMES };

typedef struct py_reduction_object {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    int op;
    /* Which argument each name of a call is, and the names, which end with NULL. */
    signed char places[N_NAMES];
    const char *names[N_NAMES + 1];
    char parameter[8]; /* its name */
    double standard;   /* its default */
} py_reduction_object;

static py_reduction_object objects[CUPRIC_N_OPS]; /* static: immortal */

static const cu_ufunc *
row_of(PyObject *self)
{
    return &cu_ufuncs[((py_reduction_object *)self)->op];
}

/* Inputs of a call: one of a ufunc, whose two are an accumulator and an element. */
static int
inputs_of(const cu_ufunc *u)
{
    return u < cu_ufuncs + CUPRIC_N_UFUNCS ? 1 : u->nin;
}

/* Whether elements are reduced in this signature: of a ufunc, if all is of one dtype. */
static bool
is_reduced_in(const cu_ufunc *u, const cu_signature *s)
{
    if (u >= cu_ufuncs + CUPRIC_N_UFUNCS) return true;
    return s->type[0] != CUPRIC_NO_DTYPE && s->type[0] == s->type[1] &&
           s->type[0] == s->type[2];
}

static bool
is_reduction(const cu_ufunc *u)
{
    if (u >= cu_ufuncs + CUPRIC_N_UFUNCS) return true;
    if (u->nin != 2 || u->nout != 1 || u->family) return false;
    for (int i = 0; i < u->nsigs; i++) {
        if (is_reduced_in(u, &u->sigs[i])) return true;
    }
    return false;
}

/* ---- call ---------------------------------------------------------------------------- */

/* The first input stretched to the shape of both, as a view: most often it is of it. */
static int
broadcast(PyObject **first, const cu_array *b)
{
    const cu_array *a = py_array_get(*first);
    cu_array wide = cu_array_none(); /* owned */
    int64_t shape[CUPRIC_MAXDIMS];
    int ndim = a->ndim;

    memcpy(shape, a->shape, (size_t)ndim * sizeof *shape);
    if (!cu_shape_broadcast(&ndim, shape, b->ndim, b->shape)) {
        char left[CUPRIC_SHAPE_TEXT], right[CUPRIC_SHAPE_TEXT];
        PyErr_Format(PyExc_ValueError,
                     "operands could not be broadcast together with shapes %s %s",
                     cu_shape_text(a->ndim, a->shape, left, sizeof left),
                     cu_shape_text(b->ndim, b->shape, right, sizeof right));
        return -1;
    }
    if (ndim == a->ndim && memcmp(shape, a->shape, (size_t)ndim * sizeof *shape) == 0) {
        return 0;
    }
    if (cu_array_broadcast_to(a, ndim, shape, &wide)) return py_raise_int();
    Py_SETREF(*first, py_array_new_like(&wide, *first));
    return *first ? 0 : -1;
}

static PyObject *
call(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    const py_reduction_object *o = (const py_reduction_object *)self;
    const cu_ufunc *u = &cu_ufuncs[o->op];
    const int nin = inputs_of(u);
    PyObject *given[N_NAMES] = {NULL}, *v[N_NAMES];
    PyObject *in[2] = {NULL, NULL}, *r = NULL; /* owned */
    double parameter = o->standard;

    if (py_args_parse(u->name, args, PyVectorcall_NARGS(nargsf), kwnames, o->names,
                      nin + 4, nin, v) < 0) {
        return NULL;
    }
    for (int i = 0; o->names[i]; i++) given[o->places[i]] = v[i];
    for (int k = 0; k < nin; k++) {
        in[k] = py_array_require(given[A + k]);
        if (in[k] == NULL) goto done;
    }
    if (!py_is_absent(given[PARAMETER])) {
        parameter = PyFloat_AsDouble(given[PARAMETER]);
        if (parameter == -1.0 && PyErr_Occurred()) goto done;
    }
    if (nin == 2 && broadcast(&in[0], py_array_get(in[1])) < 0) goto done;
    const py_reduce_args rest = {given[AXIS],     given[DTYPE],   given[OUT],
                                 given[KEEPDIMS], given[INITIAL], given[WHERE]};
    r = py_reduce_row(o->op, in[0], nin == 2 ? py_array_get(in[1]) : NULL, parameter,
                      &rest);

done:
    Py_XDECREF(in[0]);
    Py_XDECREF(in[1]);
    return r;
}

/* ---- attributes ---------------------------------------------------------------------- */

static PyObject *
get_name(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(row_of(self)->name);
}

static PyObject *
get_nin(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(inputs_of(row_of(self)));
}

static PyObject *
get_nout(PyObject *self, void *unused)
{
    (void)self;
    (void)unused;
    return PyLong_FromLong(1);
}

static PyObject *
get_types(PyObject *self, void *unused)
{
    const cu_ufunc *u = row_of(self);
    const int nin = inputs_of(u);
    PyObject *list = PyList_New(0);

    (void)unused;
    for (int i = 0; list && i < u->nsigs; i++) {
        const cu_dtype *t = u->sigs[i].type;
        char text[8], *p = text;
        PyObject *one;
        if (!is_reduced_in(u, &u->sigs[i])) continue;
        for (int k = 0; k < nin; k++) *p++ = cu_dtypes[t[k]].letter;
        *p++ = '-';
        *p++ = '>';
        *p++ = cu_dtypes[t[u->nin]].letter;
        one = PyUnicode_FromStringAndSize(text, p - text);
        if (one == NULL || PyList_Append(list, one) < 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *
get_ntypes(PyObject *self, void *unused)
{
    PyObject *types = get_types(self, unused), *n = NULL; /* types: owned */
    if (types) n = PyLong_FromSsize_t(PyList_GET_SIZE(types));
    Py_XDECREF(types);
    return n;
}

static PyObject *
get_identity(PyObject *self, void *unused)
{
    (void)unused;
    return py_identity_value(row_of(self)->identity);
}

/* The names of a call with their defaults, "a, axis=None, …"; new reference. */
static PyObject *
get_parameters(PyObject *self)
{
    const cu_ufunc *u = row_of(self);
    PyObject *identity = get_identity(self, NULL), *start = NULL, *r = NULL; /* owned */

    if (identity) {
        start = u->is_plain ? PyUnicode_FromFormat("initial=%R, ", identity)
                            : PyUnicode_FromString("");
    }
    if (start) {
        r = PyUnicode_FromFormat(
            "a, %saxis=None, dtype=None, out=None, keepdims=False, *, %Uwhere=True%s%s",
            inputs_of(u) == 2 ? "b, " : "", start, u->parameter[0] ? ", " : "",
            u->parameter);
    }
    Py_XDECREF(start);
    Py_XDECREF(identity);
    return r;
}

static PyObject *
get_signature(PyObject *self, void *unused)
{
    PyObject *text = get_parameters(self), *r = NULL; /* text: owned */

    (void)unused;
    if (text) r = py_signature_new(text);
    Py_XDECREF(text);
    return r;
}

static const char *const dtype_doc[] = {
    [CUPRIC_DTYPES_SAME] = "    Of a new result.\n",
    [CUPRIC_DTYPES_INEXACT] =
        "    Of the result and of the work. Integers and bool are "
        "float64 when it is left out.\n",
    [CUPRIC_DTYPES_WIDENED] = "    Of the result and of the work. Bool and small "
                              "integers are 64 bits when it is left out.\n",
};

static PyObject *
get_doc(PyObject *self, void *unused)
{
    const py_reduction_object *o = (const py_reduction_object *)self;
    const cu_ufunc *u = row_of(self);
    PyObject *given = get_parameters(self), *types = get_types(self, NULL);
    PyObject *blank = PyUnicode_FromString(" "), *joined = NULL, *r = NULL;
    char summary[80], parameter[160] = "";

    (void)unused;
    snprintf(summary, sizeof summary, "Reduce by `%s`.", u->name);
    if (o->parameter[0]) {
        snprintf(parameter, sizeof parameter,
                 "%s : float, optional\n    What the row's expressions call `param`.\n",
                 o->parameter);
    }
    if (given && types && blank) joined = PyUnicode_Join(blank, types);
    if (joined) {
        r = PyUnicode_FromFormat(
            "%s(%U)\n\n%s\n\n"
            "Parameters\n----------\n"
            "%s : cupric.ndarray\n%s"
            "axis : None, int or tuple of ints, optional\n"
            "    Axes to reduce; all of them when left out.\n"
            "dtype : dtype, optional\n%s"
            "out : cupric.ndarray, optional\n"
            "    Receives the result; it has the result's shape.\n"
            "keepdims : bool, optional\n"
            "    Keep the reduced axes, with length 1.\n%s"
            "where : cupric.ndarray of bool, optional\n"
            "    Elements that take part; broadcasts to `a`.\n%s\n"
            "Returns\n-------\n"
            "cupric.ndarray\n    A new array, or `out`. 0-d when no axis remains.\n\n"
            "Notes\n-----\nTypes: %U\n",
            u->name, given, u->summary[0] ? u->summary : summary,
            inputs_of(u) == 2 ? "a, b" : "a",
            inputs_of(u) == 2 ? "    Broadcast to one shape.\n" : "",
            dtype_doc[u->dtypes],
            u->is_plain
                ? "initial : scalar, optional\n    Where the reduction starts.\n"
                : "",
            parameter, joined);
    }
    Py_XDECREF(given);
    Py_XDECREF(types);
    Py_XDECREF(blank);
    Py_XDECREF(joined);
    return r;
}

static PyObject *
repr(PyObject *self)
{
    return PyUnicode_FromFormat("<reduction 'cupric_%s'>", row_of(self)->name);
}

static PyGetSetDef attributes[] = {
    {"name", get_name, NULL, "The name, as a str.", NULL},
    {"__name__", get_name, NULL, NULL, NULL},
    {"__qualname__", get_name, NULL, NULL, NULL},
    {"__doc__", get_doc, NULL, NULL, NULL},
    {"__signature__", get_signature, NULL, NULL, NULL},
    {"nin", get_nin, NULL, "The number of inputs.", NULL},
    {"nout", get_nout, NULL, "The number of outputs: 1.", NULL},
    {"ntypes", get_ntypes, NULL, "The number of signatures.", NULL},
    {"types", get_types, NULL, "The signatures, as NumPy writes them.", NULL},
    {"identity", get_identity, NULL, "What an empty reduction gives, or None.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.reduction",
    .tp_doc = "An operation that takes axes of an array away.",
    .tp_basicsize = sizeof(py_reduction_object),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_vectorcall_offset = offsetof(py_reduction_object, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_repr = repr,
    .tp_getset = attributes,
};

/* ---- the namespace ------------------------------------------------------------------- */

static void
name_arguments(py_reduction_object *o)
{
    static const char *const names[] = {"a",   "b",        "axis",    "dtype",
                                        "out", "keepdims", "initial", "where"};
    const cu_ufunc *u = &cu_ufuncs[o->op];
    const char *equals = strchr(u->parameter, '=');
    int n = 0;

    for (int k = A; k <= WHERE; k++) {
        if ((k == B && inputs_of(u) == 1) || (k == INITIAL && !u->is_plain)) continue;
        o->places[n] = (signed char)k;
        o->names[n++] = names[k];
    }
    if (equals) {
        snprintf(o->parameter, sizeof o->parameter, "%.*s",
                 (int)(equals - u->parameter), u->parameter);
        o->standard = strtod(equals + 1, NULL);
        o->places[n] = PARAMETER;
        o->names[n++] = o->parameter;
    }
    o->names[n] = NULL;
}

int
py_reduction_objects_init(PyObject *module)
{
    PyObject *space = PyModule_New("cupric._core.reductions"); /* owned */
    int r = -1;

    if (space == NULL || PyType_Ready(&type) < 0) goto done;
    for (int op = 0; op < CUPRIC_N_OPS; op++) {
        py_reduction_object *o = &objects[op];
        if (!is_reduction(&cu_ufuncs[op])) continue;
        if (o->vectorcall == NULL) {
            PyObject_Init((PyObject *)o, &type);
            o->vectorcall = call;
            o->op = op;
            name_arguments(o);
        }
        if (PyModule_AddObjectRef(space, cu_ufuncs[op].name, (PyObject *)o) < 0) {
            goto done;
        }
    }
    r = PyModule_AddObjectRef(module, "reductions", space);

done:
    Py_XDECREF(space);
    return r;
}
