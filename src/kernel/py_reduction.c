/* kernel/py_reduction.c: cupric.ReductionKernel. */
#include <Python.h>

#include <stddef.h>
#include <string.h>
#include <structmember.h>

#include "device/py_device.h"
#include "kernel/py_call.h"
#include "kernel/py_kernel.h"
#include "kernel/source.h"
#include "layout/py_args.h"
#include "layout/py_shape.h"

/* Elements from which other threads of the interpreter should not have to wait. */
#define LONG_LOOP 16384

typedef struct py_reduction {
    PyObject_HEAD
    vectorcallfunc call;
    PyObject *map_expr, *reduce_expr, *post_map_expr, *identity; /* owned: str */
    PyObject *name, *reduce_type, *preamble;                     /* owned: str */
    PyObject *weakrefs;
    py_strings options;
    cu_reduction_text text; /* borrowed from the str */
    cu_params params;
    py_variants variants;
    bool reduce_dims;
} py_reduction;

/* ---- calls ---------------------------------------------------------------------------------- */

typedef struct call_options {
    PyObject *out, *axis, *stream; /* borrowed, NULL where absent */
    int keepdims;
} call_options;

static int
read_options(PyObject *const *values, PyObject *kwnames, call_options *o)
{
    const Py_ssize_t n = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;

    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *key = PyTuple_GET_ITEM(kwnames, i), *value = values[i];
        if (py_keyword_is(key, "out")) {
            o->out = value == Py_None ? NULL : value;
        } else if (py_keyword_is(key, "axis")) {
            o->axis = value;
        } else if (py_keyword_is(key, "keepdims")) {
            o->keepdims = PyObject_IsTrue(value);
            if (o->keepdims < 0) return -1;
        } else if (py_keyword_is(key, "stream")) {
            o->stream = value;
        } else {
            PyErr_Format(PyExc_TypeError, "Wrong arguments {%R: %R}", key, value);
            return -1;
        }
    }
    return 0;
}

/* Inputs, and outputs whether they come by position or as `out`. */
static int
read_operands(py_reduction *self, py_call *c, PyObject *const *args, Py_ssize_t nargs,
              const call_options *o)
{
    PyObject *all[CUPRIC_MAXPARAMS];

    if (o->out == NULL) {
        return py_call_read(c, self->text.name, &self->params, args, nargs);
    }
    if (self->params.nout != 1) {
        PyErr_SetString(PyExc_ValueError,
                        "'out' is for kernels of one output; pass outputs by position");
        return -1;
    }
    if (nargs > self->params.nin) {
        PyErr_SetString(
            PyExc_ValueError,
            "cannot specify 'out' as both a positional and keyword argument");
        return -1;
    }
    memcpy(all, args, (size_t)nargs * sizeof *all);
    all[nargs] = o->out;
    if (nargs < self->params.nin) { /* too few, of which py_call_read complains */
        return py_call_read(c, self->text.name, &self->params, args, nargs);
    }
    return py_call_read(c, self->text.name, &self->params, all, nargs + 1);
}

/* The shape without the axes, or with them as 1. */
static int
reduced_shape(int ndim, const int64_t *shape, int naxes, const int *axes, bool keep,
              int64_t *out)
{
    bool reduced[CUPRIC_MAXDIMS] = {false};
    int n = 0;

    for (int i = 0; i < naxes; i++) reduced[axes[i]] = true;
    for (int d = 0; d < ndim; d++) {
        if (!reduced[d])
            out[n++] = shape[d];
        else if (keep)
            out[n++] = 1;
    }
    return n;
}

static cu_function *
get_function(py_reduction *self, const py_call *c)
{
    cu_plan_key key;
    cu_function *f;
    cu_text source = {0};
    cu_reduction_text text = self->text;

    cu_plan_make_key(&c->plan, c->device, &key);
    f = py_variants_find(&self->variants, &key);
    if (CUPRIC_LIKELY(f != NULL)) return f;
    if (text.reduce_type == NULL) { /* the first output's */
        const cu_param *p = &self->params.at[self->params.nin];
        text.reduce_type = p->dtype == CUPRIC_NO_DTYPE
                               ? p->type
                               : cu_dtypes[c->plan.op[self->params.nin].dtype].ctype;
        text.plain = !cu_is_opaque(c->plan.op[self->params.nin].dtype);
    }
    if (cu_source_reduction(&text, &self->params, &c->plan, &source)) {
        cu_text_release(&source);
        py_raise();
        return NULL;
    }
    return py_variants_add(&self->variants, &key, &source, text.name, &self->options);
}

/* What the parts of outputs need, for the launch: counters that are zero, then a value
 * for each part. A block has a value for each of 512 threads in its shared memory. */
static cu_status
get_partial(cu_plan_split *split, int64_t outputs, cu_function *f, cu_device *device,
            cu_stream *stream, cu_storage **out)
{
    const size_t counters =
        ((size_t)split->blocks * sizeof(uint32_t) + 255) / 256 * 256;
    int shared = 0;
    cu_status st = device->backend->function_get(f, CUPRIC_FUNC_SHARED_BYTES, &shared);

    if (st) return st;
    const size_t nbytes =
        counters + (size_t)(split->parts * outputs) * ((size_t)shared / 512 + 1);
    st = cu_storage_new(device, nbytes, out);
    if (st) return st;
    split->arrived = cu_storage_access(*out, CUPRIC_WRITE);
    split->partial = (char *)split->arrived + counters;
    return device->backend->fill(split->arrived, 0, counters, stream);
}

static int
launch(py_reduction *self, py_call *c, PyObject *on)
{
    const int64_t outputs = cu_plan_outputs(&c->plan),
                  reduced = cu_plan_reduced(&c->plan);
    const bool is_gpu = c->device->info.capability_major > 0;
    cu_storage *partial = NULL; /* owned */
    cu_plan_split split = {0};
    cu_stream *stream;
    cu_function *f;
    cu_status st = CUPRIC_OK;

    if (py_stream_on(on, c->device, &stream) < 0) return -1;
    if (outputs == 0) return 0;
    if (reduced == 0 && !self->text.identity[0]) {
        PyErr_Format(PyExc_ValueError,
                     "zero-size array to reduction operation %s which has no identity",
                     self->text.name);
        return -1;
    }
    f = get_function(self, c);
    if (f == NULL) return -1;
    if (is_gpu) {
        /* Memory from the pool is the current stream's. */
        const bool may_cut = stream == cu_stream_current(c->device);
        cu_plan_share(&c->plan, c->device, may_cut, &split);
        if (split.parts > 1) {
            st = get_partial(&split, outputs, f, c->device, stream, &partial);
        }
    }
    if (st) {
        /* raised below */
    } else if (outputs * (reduced + 1) >= LONG_LOOP) {
        Py_BEGIN_ALLOW_THREADS
        st = cu_plan_launch_reduction(&c->plan, &split, f, c->device, stream);
        Py_END_ALLOW_THREADS
    } else {
        st = cu_plan_launch_reduction(&c->plan, &split, f, c->device, stream);
    }
    cu_storage_unref(partial);
    return st ? py_raise_int() : 0;
}

static PyObject *
reduction_call(PyObject *o, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    py_reduction *self = (py_reduction *)o;
    const Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    call_options options = {0};
    int64_t shape[CUPRIC_MAXDIMS], out_shape[CUPRIC_MAXDIMS];
    int64_t again[CUPRIC_MAXDIMS];
    int axes[CUPRIC_MAXDIMS], ndim, naxes, nout;
    bool found;
    py_call c;

    if (kwnames && read_options(args + nargs, kwnames, &options) < 0) return NULL;
    if (read_operands(self, &c, args, nargs, &options) < 0) return NULL;
    ndim = py_call_broadcast(&c, self->params.nin, shape, &found);
    if (ndim < 0) goto fail;
    if (!found) {
        PyErr_SetString(PyExc_ValueError, "Loop size is undecided.");
        goto fail;
    }
    naxes = py_axes_read(options.axis ? options.axis : Py_None, ndim, axes);
    if (naxes < 0) goto fail;
    /* Reading the axes may have run code that set a shape. */
    if (py_call_broadcast(&c, self->params.nin, again, &found) != ndim ||
        memcmp(again, shape, (size_t)ndim * sizeof *shape) != 0) {
        PyErr_SetString(PyExc_RuntimeError,
                        "a shape was set while the arguments were read");
        goto fail;
    }
    nout = reduced_shape(ndim, shape, naxes, axes, options.keepdims, out_shape);
    if (py_call_outputs(&c, nout, out_shape) < 0) goto fail;
    cu_plan_reduction(&c.plan, &self->params, ndim, shape, naxes, axes,
                      self->reduce_dims);
    if (launch(self, &c, options.stream) < 0) goto fail;
    return py_call_result(&c, false);

fail:
    py_call_release(&c);
    return NULL;
}

/* ---- construction ------------------------------------------------------------------------------ */

/* None and '' mean that there is none. */
static PyObject *
identity_text(PyObject *o)
{
    if (o == NULL || o == Py_None) return PyUnicode_FromString("");
    return PyObject_Str(o);
}

static int
read_texts(py_reduction *self)
{
    cu_reduction_text *t = &self->text;

    t->name = PyUnicode_AsUTF8(self->name);
    t->map = PyUnicode_AsUTF8(self->map_expr);
    t->reduce = PyUnicode_AsUTF8(self->reduce_expr);
    t->post = PyUnicode_AsUTF8(self->post_map_expr);
    t->identity = PyUnicode_AsUTF8(self->identity);
    t->preamble = PyUnicode_AsUTF8(self->preamble);
    if (PyErr_Occurred()) return -1;
    if (self->reduce_type == Py_None) {
        t->reduce_type = NULL;
    } else {
        t->reduce_type = py_text_read(self->reduce_type, "reduce_type");
        if (t->reduce_type == NULL) return -1;
    }
    if (!py_is_kernel_name(t->name)) {
        PyErr_Format(PyExc_ValueError, "Invalid kernel name: \"%U\"", self->name);
        return -1;
    }
    return 0;
}

static PyObject *
or_text(PyObject *o, const char *otherwise)
{
    return o ? Py_NewRef(o) : PyUnicode_FromString(otherwise);
}

static PyObject *
reduction_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"in_params",     "out_params", "map_expr", "reduce_expr",
                            "post_map_expr", "identity",   "name",     "reduce_type",
                            "reduce_dims",   "preamble",   "options",  NULL};
    PyObject *in, *out, *map, *reduce, *post, *identity, *name = NULL, *preamble = NULL;
    PyObject *reduce_type = Py_None, *options = NULL;
    int reduce_dims = 1;
    py_reduction *self;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "UUUUUO|UOpUO:ReductionKernel",
                                     names, &in, &out, &map, &reduce, &post, &identity,
                                     &name, &reduce_type, &reduce_dims, &preamble,
                                     &options)) {
        return NULL;
    }
    self = (py_reduction *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->call = reduction_call;
    self->map_expr = Py_NewRef(map);
    self->reduce_expr = Py_NewRef(reduce);
    self->post_map_expr = Py_NewRef(post);
    self->reduce_type = Py_NewRef(reduce_type);
    self->reduce_dims = reduce_dims;
    self->name = or_text(name, "reduce_kernel");
    self->preamble = or_text(preamble, "");
    self->identity = identity_text(identity);
    if (!self->name || !self->preamble || !self->identity || read_texts(self) < 0 ||
        py_strings_read(options, "an option", &self->options) < 0) {
        goto fail;
    }
    if (cu_params_parse(PyUnicode_AsUTF8(in), false, &self->params) ||
        cu_params_parse(PyUnicode_AsUTF8(out), true, &self->params) ||
        cu_params_check(&self->params)) {
        py_raise();
        goto fail;
    }
    const char *const texts[] = {self->text.preamble, self->text.map, self->text.reduce,
                                 self->text.post};
    cu_source_find_views(&self->params, texts, sizeof texts / sizeof *texts);
    if (self->params.nout == 0) {
        PyErr_SetString(PyExc_ValueError, "a ReductionKernel needs an output");
        goto fail;
    }
    return (PyObject *)self;

fail:
    Py_DECREF(self);
    return NULL;
}

static void
reduction_dealloc(PyObject *o)
{
    py_reduction *self = (py_reduction *)o;

    if (self->weakrefs) PyObject_ClearWeakRefs(o);
    Py_XDECREF(self->map_expr);
    Py_XDECREF(self->reduce_expr);
    Py_XDECREF(self->post_map_expr);
    Py_XDECREF(self->identity);
    Py_XDECREF(self->name);
    Py_XDECREF(self->reduce_type);
    Py_XDECREF(self->preamble);
    py_strings_release(&self->options);
    py_variants_release(&self->variants);
    Py_TYPE(o)->tp_free(o);
}

/* ---- attributes ----------------------------------------------------------------------------------- */

static PyObject *
get_number(PyObject *o, void *what)
{
    return py_params_count(&((py_reduction *)o)->params, what);
}

static PyObject *
get_params(PyObject *o, void *what)
{
    return py_params_list(&((py_reduction *)o)->params, what);
}

static PyObject *
get_options(PyObject *o, void *unused)
{
    (void)unused;
    return Py_NewRef(((py_reduction *)o)->options.tuple);
}

static PyObject *
get_reduce_dims(PyObject *o, void *unused)
{
    (void)unused;
    return PyBool_FromLong(((py_reduction *)o)->reduce_dims);
}

static PyObject *
get_codes(PyObject *o, void *unused)
{
    (void)unused;
    return py_variants_codes(&((py_reduction *)o)->variants);
}

static PyObject *
get_code(PyObject *o, void *unused)
{
    (void)unused;
    return py_variants_code(&((py_reduction *)o)->variants);
}

static PyGetSetDef reduction_getset[] = {
    {"nin", get_number, NULL, "Number of inputs.", "nin"},
    {"nout", get_number, NULL, "Number of outputs.", "nout"},
    {"nargs", get_number, NULL, "Number of inputs and outputs.", "nargs"},
    {"in_params", get_params, NULL, "The parameters of the inputs.", "in_params"},
    {"out_params", get_params, NULL, "The parameters of the outputs.", "out_params"},
    {"params", get_params, NULL, "All parameters.", "params"},
    {"options", get_options, NULL, "Options for the compiler.", NULL},
    {"reduce_dims", get_reduce_dims, NULL, "Whether axes may be joined.", NULL},
    {"cached_codes", get_codes, NULL, "Sources generated so far, by dtypes.", NULL},
    {"cached_code", get_code, NULL, "The source that was generated.", NULL},
    {NULL},
};

static PyObject *
reduction_reduce(PyObject *o, PyObject *unused)
{
    const py_reduction *self = (py_reduction *)o;
    const cu_params *p = &self->params;
    PyObject *args;

    (void)unused;
    args = Py_BuildValue(
        "(NNOOOOOOOOO)", py_params_text(p, 0, p->nin),
        py_params_text(p, p->nin, p->nin + p->nout), self->map_expr, self->reduce_expr,
        self->post_map_expr, self->identity, self->name, self->reduce_type,
        self->reduce_dims ? Py_True : Py_False, self->preamble, self->options.tuple);
    return py_reduce_call((PyObject *)Py_TYPE(o), args, PyDict_New());
}

static PyObject *
reduction_repr(PyObject *o)
{
    return py_params_repr(o, ((py_reduction *)o)->name, &((py_reduction *)o)->params);
}

static PyMethodDef reduction_methods[] = {
    {"__reduce__", reduction_reduce, METH_NOARGS, NULL},
    {NULL},
};

#define MEMBER(field)                                                                  \
    {                                                                                  \
#field, T_OBJECT, offsetof(py_reduction, field), READONLY, NULL                \
    }

static PyMemberDef reduction_members[] = {
    MEMBER(map_expr),
    MEMBER(reduce_expr),
    MEMBER(post_map_expr),
    MEMBER(identity),
    MEMBER(name),
    MEMBER(reduce_type),
    MEMBER(preamble),
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(py_reduction, call), READONLY, NULL},
    {NULL},
};

PyDoc_STRVAR(
    reduction_doc,
    "ReductionKernel(in_params, out_params, map_expr, reduce_expr, post_map_expr, "
    "identity, "
    "name='reduce_kernel', reduce_type=None, reduce_dims=True, preamble='', "
    "options=())\n"
    "--\n\n"
    "A reduction along axes: map each element, combine by pairs, finish each result.\n"
    "\n"
    "A call takes the inputs, and ``axis``, ``keepdims`` and ``out`` as `cupric.sum` "
    "does.\n"
    "\n"
    "Parameters\n"
    "----------\n"
    "in_params, out_params : str\n"
    "    Parameters, as for `ElementwiseKernel`.\n"
    "map_expr : str\n"
    "    What an element contributes, from the inputs.\n"
    "reduce_expr : str\n"
    "    The combination of ``a`` and ``b``; associative and commutative.\n"
    "post_map_expr : str\n"
    "    A statement that makes the outputs from the reduced value ``a``.\n"
    "identity : str, number or None\n"
    "    The result where there is nothing to reduce.\n"
    "name : str, optional\n"
    "    The kernel's name.\n"
    "reduce_type : str, optional\n"
    "    The type of ``a`` and ``b``, by default the first output's.\n"
    "reduce_dims : bool, optional\n"
    "    Whether neighbouring axes may be joined.\n"
    "preamble : str, optional\n"
    "    Code before the kernel.\n"
    "options : tuple of str, optional\n"
    "    Options for the compiler.\n"
    "\n"
    "Examples\n"
    "--------\n"
    ">>> norm = cupric.ReductionKernel('T x', 'T y', 'x * x', 'a + b', 'y = sqrt(a)', "
    "'0')\n"
    ">>> norm(cupric.array([3.0, 4.0]))\n"
    "array(5.)\n");

PyTypeObject py_ReductionKernelType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.ReductionKernel",
    .tp_doc = reduction_doc,
    .tp_basicsize = sizeof(py_reduction),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_new = reduction_new,
    .tp_dealloc = reduction_dealloc,
    .tp_call = PyVectorcall_Call,
    .tp_repr = reduction_repr,
    .tp_methods = reduction_methods,
    .tp_vectorcall_offset = offsetof(py_reduction, call),
    .tp_weaklistoffset = offsetof(py_reduction, weakrefs),
    .tp_getset = reduction_getset,
    .tp_members = reduction_members,
};
