/* kernel/py_elementwise.c: cupric.ElementwiseKernel. */
#include <Python.h>

#include <stddef.h>
#include <string.h>
#include <structmember.h>

#include "device/py_device.h"
#include "kernel/py_call.h"
#include "kernel/py_kernel.h"
#include "kernel/source.h"
#include "layout/py_args.h"

#define DEFAULT_BLOCK 128
/* Elements from which other threads of the interpreter should not have to wait. */
#define LONG_LOOP 16384

typedef struct py_elementwise {
    PyObject_HEAD
    vectorcallfunc call;
    PyObject *operation, *name, *preamble; /* owned: str */
    PyObject *kwargs;                      /* owned: dict */
    PyObject *weakrefs;
    py_strings options;
    cu_elementwise_text text; /* borrowed from the str */
    cu_params params;
    py_variants variants;
    bool reduce_dims, no_return, return_tuple;
} py_elementwise;

/* ---- calls ---------------------------------------------------------------------------------- */

typedef struct call_options {
    int64_t size; /* -1: from the arrays */
    PyObject *stream;
    long block_size;
} call_options;

static int
read_options(PyObject *const *values, PyObject *kwnames, call_options *o)
{
    const Py_ssize_t n = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;

    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *key = PyTuple_GET_ITEM(kwnames, i), *value = values[i];
        if (py_keyword_is(key, "size")) {
            if (value == Py_None) continue;
            o->size = PyLong_AsLongLong(value);
            if (o->size == -1 && PyErr_Occurred()) return -1;
        } else if (py_keyword_is(key, "stream")) {
            o->stream = value;
        } else if (py_keyword_is(key, "block_size")) {
            o->block_size = PyLong_AsLong(value);
            if (o->block_size == -1 && PyErr_Occurred()) return -1;
        } else {
            PyErr_Format(PyExc_TypeError, "Wrong arguments {%R: %R}", key, value);
            return -1;
        }
    }
    if (o->block_size <= 0 || o->block_size > 1024) {
        PyErr_SetString(PyExc_ValueError, o->block_size <= 0
                                              ? "block_size must be greater than zero"
                                              : "block_size is at most 1024");
        return -1;
    }
    return 0;
}

/* The shape of the loop: the arrays' or `size`. Returns ndim, or -1. */
static int
loop_shape(const py_call *c, const call_options *o, int64_t *shape)
{
    bool found;
    const int ndim = py_call_broadcast(c, c->plan.nops, shape, &found);

    if (ndim < 0) return -1;
    if (found && o->size != -1) {
        PyErr_SetString(PyExc_ValueError,
                        "Specified 'size' can be used only if all of the "
                        "ndarray are 'raw'.");
        return -1;
    }
    if (found) return ndim;
    if (o->size < 0) {
        PyErr_SetString(PyExc_ValueError, o->size == -1
                                              ? "Loop size is undecided."
                                              : "'size' must not be negative.");
        return -1;
    }
    shape[0] = o->size;
    return 1;
}

static int
check_raw_outputs(const py_call *c, const call_options *o)
{
    for (int i = 0; i < c->params->nout; i++) {
        const cu_param *p = &c->params->at[c->params->nin + i];
        if (p->raw && c->out[i] == NULL && o->size == -1) {
            PyErr_Format(
                PyExc_ValueError,
                "Output array size is Undecided: pass the array for 'raw %s %s'",
                p->type, p->name);
            return -1;
        }
    }
    return 0;
}

static cu_function *
get_function(py_elementwise *self, const py_call *c)
{
    cu_plan_key key;
    cu_function *f;
    cu_text source = {0};

    cu_plan_make_key(&c->plan, c->device, &key);
    f = py_variants_find(&self->variants, &key);
    if (CUPRIC_LIKELY(f != NULL)) return f;
    if (cu_source_elementwise(&self->text, &self->params, &c->plan, &source)) {
        cu_text_release(&source);
        py_raise();
        return NULL;
    }
    return py_variants_add(&self->variants, &key, &source, self->text.name,
                           &self->options);
}

static int
launch(py_elementwise *self, py_call *c, const call_options *o)
{
    cu_function *f;
    cu_stream *stream;
    cu_status st;
    const int64_t n = cu_plan_outputs(&c->plan);

    if (py_stream_on(o->stream, c->device, &stream) < 0) return -1;
    if (n == 0) return 0;
    f = get_function(self, c);
    if (f == NULL) return -1;
    if (n >= LONG_LOOP) {
        Py_BEGIN_ALLOW_THREADS
        st = cu_plan_launch(&c->plan, f, c->device, stream, (unsigned)o->block_size);
        Py_END_ALLOW_THREADS
    } else {
        st = cu_plan_launch(&c->plan, f, c->device, stream, (unsigned)o->block_size);
    }
    return st ? py_raise_int() : 0;
}

static PyObject *
elementwise_call(PyObject *o, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    py_elementwise *self = (py_elementwise *)o;
    const Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    call_options options = {-1, NULL, DEFAULT_BLOCK};
    int64_t shape[CUPRIC_MAXDIMS];
    py_call c;
    int ndim;

    if (kwnames && read_options(args + nargs, kwnames, &options) < 0) return NULL;
    if (py_call_read(&c, self->text.name, &self->params, args, nargs) < 0) return NULL;
    ndim = loop_shape(&c, &options, shape);
    if (ndim < 0 || check_raw_outputs(&c, &options) < 0) goto fail;
    if (py_call_outputs(&c, ndim, shape) < 0) goto fail;
    cu_plan_loop(&c.plan, &self->params, ndim, shape, self->reduce_dims);
    if (self->text.library) cu_plan_unify(&c.plan);
    if (launch(self, &c, &options) < 0) goto fail;
    if (self->no_return) {
        py_call_release(&c);
        Py_RETURN_NONE;
    }
    return py_call_result(&c, self->return_tuple);

fail:
    py_call_release(&c);
    return NULL;
}

/* ---- construction ------------------------------------------------------------------------------ */

static int
read_kwargs(py_elementwise *self, PyObject *kwargs)
{
    PyObject *key, *value;
    Py_ssize_t position = 0;

    while (PyDict_Next(kwargs, &position, &key, &value)) {
        if (py_keyword_is(key, "options")) {
            if (py_strings_read(value, "an option", &self->options) < 0) return -1;
        } else if (py_keyword_is(key, "loop_prep")) {
            self->text.loop_prep = py_text_read(value, "loop_prep");
            if (self->text.loop_prep == NULL) return -1;
        } else if (py_keyword_is(key, "after_loop")) {
            self->text.after_loop = py_text_read(value, "after_loop");
            if (self->text.after_loop == NULL) return -1;
        } else if (py_keyword_is(key, "_library")) {
            self->text.library = py_text_read(value, "_library");
            if (self->text.library == NULL) return -1;
        } else {
            PyErr_Format(PyExc_TypeError,
                         "ElementwiseKernel() got an unexpected keyword argument %R",
                         key);
            return -1;
        }
    }
    if (self->options.tuple == NULL) {
        return py_strings_read(NULL, "an option", &self->options);
    }
    return 0;
}

static int
read_params(py_elementwise *self, const char *in, const char *out)
{
    if (cu_params_parse(in, false, &self->params) ||
        cu_params_parse(out, true, &self->params) || cu_params_check(&self->params)) {
        return py_raise_int();
    }
    return 0;
}

static void
find_views(py_elementwise *self)
{
    const cu_elementwise_text *t = &self->text;
    const char *const texts[] = {t->preamble, t->operation, t->loop_prep,
                                 t->after_loop};

    cu_source_find_views(&self->params, texts, sizeof texts / sizeof *texts);
}

/* The named parameters are taken out of the keywords; the rest is `**kwargs`. */
static PyObject *
elementwise_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"in_params", "out_params",   "operation",
                            "name",      "reduce_dims",  "preamble",
                            "no_return", "return_tuple", NULL};
    PyObject *known = PyDict_New(), *rest = PyDict_New(); /* owned */
    PyObject *in, *out, *operation, *name = NULL, *preamble = NULL;
    int reduce_dims = 1, no_return = 0, return_tuple = 0, ok = 0;
    PyObject *key, *value;
    Py_ssize_t position = 0;
    py_elementwise *self = NULL;

    if (!known || !rest) goto done;
    while (keywords && PyDict_Next(keywords, &position, &key, &value)) {
        bool found = false;
        for (char **n = names; *n; n++) found |= py_keyword_is(key, *n);
        if (PyDict_SetItem(found ? known : rest, key, value) < 0) goto done;
    }
    if (!PyArg_ParseTupleAndKeywords(args, known, "UUU|UpUpp:ElementwiseKernel", names,
                                     &in, &out, &operation, &name, &reduce_dims,
                                     &preamble, &no_return, &return_tuple)) {
        goto done;
    }
    self = (py_elementwise *)type->tp_alloc(type, 0);
    if (self == NULL) goto done;
    self->call = elementwise_call;
    self->operation = Py_NewRef(operation);
    self->name = name ? Py_NewRef(name) : PyUnicode_FromString("kernel");
    self->preamble = preamble ? Py_NewRef(preamble) : PyUnicode_FromString("");
    self->kwargs = Py_NewRef(rest);
    self->reduce_dims = reduce_dims;
    self->no_return = no_return;
    self->return_tuple = return_tuple;
    if (!self->name || !self->preamble) goto done;
    self->text = (cu_elementwise_text){PyUnicode_AsUTF8(self->name),
                                       PyUnicode_AsUTF8(operation),
                                       PyUnicode_AsUTF8(self->preamble),
                                       "",
                                       "",
                                       NULL};
    if (!self->text.name || !self->text.operation || !self->text.preamble) goto done;
    if (!py_is_kernel_name(self->text.name)) {
        PyErr_Format(PyExc_ValueError, "Invalid kernel name: \"%U\"", self->name);
        goto done;
    }
    if (read_kwargs(self, rest) < 0) goto done;
    ok = read_params(self, PyUnicode_AsUTF8(in), PyUnicode_AsUTF8(out)) == 0;
    find_views(self);

done:
    Py_XDECREF(known);
    Py_XDECREF(rest);
    if (!ok) Py_CLEAR(self);
    return (PyObject *)self;
}

static void
elementwise_dealloc(PyObject *o)
{
    py_elementwise *self = (py_elementwise *)o;

    PyObject_GC_UnTrack(o);
    if (self->weakrefs) PyObject_ClearWeakRefs(o);
    Py_XDECREF(self->operation);
    Py_XDECREF(self->name);
    Py_XDECREF(self->preamble);
    Py_XDECREF(self->kwargs);
    py_strings_release(&self->options);
    py_variants_release(&self->variants);
    Py_TYPE(o)->tp_free(o);
}

static int
elementwise_traverse(PyObject *o, visitproc visit, void *arg)
{
    Py_VISIT(((py_elementwise *)o)->kwargs);
    return 0;
}

/* ---- attributes ----------------------------------------------------------------------------------- */

static PyObject *
get_number(PyObject *o, void *what)
{
    return py_params_count(&((py_elementwise *)o)->params, what);
}

static PyObject *
get_flag(PyObject *o, void *what)
{
    return PyBool_FromLong(*(bool *)((char *)o + (size_t)what));
}

static PyObject *
get_params(PyObject *o, void *what)
{
    return py_params_list(&((py_elementwise *)o)->params, what);
}

static PyObject *
get_codes(PyObject *o, void *unused)
{
    (void)unused;
    return py_variants_codes(&((py_elementwise *)o)->variants);
}

static PyObject *
get_code(PyObject *o, void *unused)
{
    (void)unused;
    return py_variants_code(&((py_elementwise *)o)->variants);
}

static PyGetSetDef elementwise_getset[] = {
    {"nin", get_number, NULL, "Number of inputs.", "nin"},
    {"nout", get_number, NULL, "Number of outputs.", "nout"},
    {"nargs", get_number, NULL, "Number of inputs and outputs.", "nargs"},
    {"in_params", get_params, NULL, "The parameters of the inputs.", "in_params"},
    {"out_params", get_params, NULL, "The parameters of the outputs.", "out_params"},
    {"params", get_params, NULL, "All parameters.", "params"},
    {"cached_codes", get_codes, NULL, "Sources generated so far, by dtypes.", NULL},
    {"cached_code", get_code, NULL, "The source that was generated.", NULL},
    {"reduce_dims", get_flag, NULL, "Whether axes may be joined.",
     (void *)offsetof(py_elementwise, reduce_dims)},
    {"no_return", get_flag, NULL, "Whether a call returns None.",
     (void *)offsetof(py_elementwise, no_return)},
    {"return_tuple", get_flag, NULL, "Whether a call always returns a tuple.",
     (void *)offsetof(py_elementwise, return_tuple)},
    {NULL},
};

/* What a call with such operands would compile. Each is (dtype's character, form, axes):
 * 'v' a number, 'd' dense, 's' strided, 'r' raw of so many axes. */
static PyObject *
elementwise_source(PyObject *o, PyObject *args)
{
    py_elementwise *self = (py_elementwise *)o;
    cu_array raw[CUPRIC_MAXPARAMS];
    cu_text source = {0};
    cu_plan plan = {0};
    PyObject *operands, *r;

    if (!PyArg_ParseTuple(args, "O!i:_source", &PyTuple_Type, &operands, &plan.ndim))
        return NULL;
    plan.nkeep = plan.ndim;
    plan.nops = self->params.nin + self->params.nout;
    if (PyTuple_GET_SIZE(operands) != plan.nops) {
        PyErr_Format(PyExc_ValueError, "%s has %d operands", self->text.name,
                     plan.nops);
        return NULL;
    }
    for (int k = 0; k < plan.nops; k++) {
        static const char forms[] = "vds r";
        cu_kernel_operand *op = &plan.op[k];
        int letter, form, axes;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(operands, k), "CCi", &letter, &form,
                              &axes))
            return NULL;
        const char *const at = strchr(forms, form);
        op->dtype = cu_dtype_from_letter((char)letter);
        if (op->dtype == CUPRIC_NO_DTYPE || at == NULL) {
            PyErr_Format(PyExc_ValueError, "no operand is of dtype '%c', form '%c'",
                         letter, form);
            return NULL;
        }
        op->form = (cu_kernel_form)(form == 'r' ? CUPRIC_FORM_RAW : at - forms);
        raw[k].ndim = axes;
        op->array = &raw[k];
    }
    r = cu_source_elementwise(&self->text, &self->params, &plan, &source)
            ? py_raise()
            : PyUnicode_FromStringAndSize(source.data, (Py_ssize_t)source.nbytes);
    cu_text_release(&source);
    return r;
}

static PyObject *
elementwise_reduce(PyObject *o, PyObject *unused)
{
    const py_elementwise *self = (py_elementwise *)o;
    const cu_params *p = &self->params;
    PyObject *args;

    (void)unused;
    args = Py_BuildValue("(NNOOOOOO)", py_params_text(p, 0, p->nin),
                         py_params_text(p, p->nin, p->nin + p->nout), self->operation,
                         self->name, self->reduce_dims ? Py_True : Py_False,
                         self->preamble, self->no_return ? Py_True : Py_False,
                         self->return_tuple ? Py_True : Py_False);
    return py_reduce_call((PyObject *)Py_TYPE(o), args, Py_NewRef(self->kwargs));
}

static PyObject *
elementwise_repr(PyObject *o)
{
    return py_params_repr(o, ((py_elementwise *)o)->name,
                          &((py_elementwise *)o)->params);
}

static PyMethodDef elementwise_methods[] = {
    {"__reduce__", elementwise_reduce, METH_NOARGS, NULL},
    {"_source", elementwise_source, METH_VARARGS, NULL},
    {NULL},
};

#define MEMBER(field)                                                                  \
    {                                                                                  \
#field, T_OBJECT, offsetof(py_elementwise, field), READONLY, NULL              \
    }

static PyMemberDef elementwise_members[] = {
    MEMBER(operation),
    MEMBER(name),
    MEMBER(preamble),
    MEMBER(kwargs),
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(py_elementwise, call), READONLY,
     NULL},
    {NULL},
};

PyDoc_STRVAR(
    elementwise_doc,
    "ElementwiseKernel(in_params, out_params, operation, name='kernel', "
    "reduce_dims=True, "
    "preamble='', no_return=False, return_tuple=False, **kwargs)\n--\n\n"
    "A kernel applied to each element of its arguments, which broadcast.\n"
    "\n"
    "Parameters\n"
    "----------\n"
    "in_params, out_params : str\n"
    "    Parameters, as in ``'T x, raw float32 y'``: a dtype's name, or a letter that "
    "stands\n"
    "    for any dtype, and a name. ``raw`` ones are arrays that the operation "
    "indexes,\n"
    "    in memory as it lies there: bools that are a view of other bytes, "
    "``x.view('?')``,\n"
    "    are those bytes, where other parameters are true or false. ``x != 0`` makes "
    "bools.\n"
    "operation : str\n"
    "    CUDA C++ for one element. ``i`` is its number, ``n`` and ``_ind.size()`` how "
    "many\n"
    "    there are, ``_ind.get()`` its index.\n"
    "name : str\n"
    "    The kernel's name.\n"
    "reduce_dims : bool\n"
    "    Whether neighbouring axes may be joined.\n"
    "preamble : str\n"
    "    Code before the kernel.\n"
    "no_return, return_tuple : bool\n"
    "    Whether a call returns None; always a tuple.\n"
    "options : tuple of str\n"
    "    Options for the compiler.\n"
    "loop_prep, after_loop : str\n"
    "    Code before and after the operation of each element, which sees its "
    "variables; they\n"
    "    begin anew with every element, as if each had a thread of its own.\n"
    "\n"
    "Examples\n"
    "--------\n"
    ">>> square = cupric.ElementwiseKernel('T x', 'T y', 'y = x * x', 'square')\n"
    ">>> square(cupric.arange(4))\n"
    "array([0, 1, 4, 9])\n");

PyTypeObject py_ElementwiseKernelType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.ElementwiseKernel",
    .tp_doc = elementwise_doc,
    .tp_basicsize = sizeof(py_elementwise),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_new = elementwise_new,
    .tp_dealloc = elementwise_dealloc,
    .tp_traverse = elementwise_traverse,
    .tp_call = PyVectorcall_Call,
    .tp_repr = elementwise_repr,
    .tp_vectorcall_offset = offsetof(py_elementwise, call),
    .tp_weaklistoffset = offsetof(py_elementwise, weakrefs),
    .tp_getset = elementwise_getset,
    .tp_methods = elementwise_methods,
    .tp_members = elementwise_members,
};
