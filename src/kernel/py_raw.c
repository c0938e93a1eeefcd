/* kernel/py_raw.c: cupric.RawKernel, and the code that it shares with RawModule. */
#include <Python.h>

#include "kernel/py_raw.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <structmember.h>

#include "kernel/py_raw_doc.h"
#include "layout/py_args.h"

#define FILE_NAME "kernel.cu"

void
py_raw_code_release(py_raw_code *c)
{
    Py_CLEAR(c->code);
    Py_CLEAR(c->path);
    Py_CLEAR(c->backend);
    Py_CLEAR(c->jitify);
    Py_CLEAR(c->name_expressions);
    py_strings_release(&c->options);
    py_strings_release(&c->names);
}

int
py_raw_code_copy(py_raw_code *out, const py_raw_code *c)
{
    *out = *c;
    out->options = out->names = (py_strings){0};
    Py_XINCREF(c->code);
    Py_XINCREF(c->path);
    Py_XINCREF(c->backend);
    Py_XINCREF(c->jitify);
    Py_XINCREF(c->name_expressions);
    if (py_strings_read(c->options.tuple, "an option", &out->options) < 0) return -1;
    return py_strings_read(c->names.tuple, "a name", &out->names);
}

PyObject *
py_raw_code_keywords(const py_raw_code *c)
{
    return Py_BuildValue("{s:O,s:O,s:O,s:O,s:O}", "options", c->options.tuple,
                         "backend", c->backend, "translate_cucomplex",
                         c->translate_cucomplex ? Py_True : Py_False,
                         "enable_cooperative_groups",
                         c->cooperative ? Py_True : Py_False, "jitify", c->jitify);
}

int
py_raw_backend_check(PyObject *backend)
{
    const char *s = py_text_read(backend, "backend");

    if (s == NULL) return -1;
    if (strcmp(s, "nvrtc") == 0 || strcmp(s, "nvcc") == 0) return 0;
    PyErr_Format(PyExc_ValueError, "backend must be 'nvrtc' or 'nvcc', not %R",
                 backend);
    return -1;
}

static int
load_file(const py_raw_code *c, cu_device *device, cu_module **out)
{
    const char *path = PyUnicode_AsUTF8(c->path);
    FILE *f = path ? fopen(path, "rb") : NULL;
    char *data = NULL;
    long n = -1;
    cu_status st = CUPRIC_OK;

    if (path == NULL) return -1;
    if (f && fseek(f, 0, SEEK_END) == 0 && (n = ftell(f)) > 0 &&
        fseek(f, 0, SEEK_SET) == 0) {
        data = malloc((size_t)n);
        if (data && fread(data, 1, (size_t)n, f) != (size_t)n) n = -1;
    }
    if (f) fclose(f);
    if (data == NULL || n <= 0) {
        PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, c->path);
    } else {
        st = cu_cache_binary(device, data, (size_t)n, out);
        if (st) py_raise();
    }
    free(data);
    return PyErr_Occurred() ? -1 : 0;
}

int
py_raw_code_load(const py_raw_code *c, cu_device *device, cu_module **out)
{
    const char *source;

    if (c->path != Py_None) return load_file(c, device, out);
    source = PyUnicode_AsUTF8(c->code);
    if (source == NULL) return -1;
    const cu_compile args = {source,      FILE_NAME,  c->options.at, c->options.n,
                             c->names.at, c->names.n, NULL};
    return py_kernel_compile(device, &args, out);
}

/* ---- RawKernel ------------------------------------------------------------------------------------ */

typedef struct raw_loaded {
    cu_device *device;
    cu_function *function;
} raw_loaded;

typedef struct py_raw_kernel {
    PyObject_HEAD
    py_raw_code code;
    PyObject *name;     /* owned: str */
    PyObject *module;   /* owned: the RawModule that it was got from, or NULL */
    raw_loaded *loaded; /* owned: one per device */
    int nloaded;
    PyObject *weakrefs;
} py_raw_kernel;

/* The kernel on a device, compiled when it was not. */
int
py_raw_find(void *arg, cu_device *device, cu_function **out)
{
    py_raw_kernel *self = arg;
    cu_module *module;
    raw_loaded *loaded;

    for (int i = 0; i < self->nloaded; i++) {
        if (self->loaded[i].device == device) {
            *out = self->loaded[i].function;
            return 0;
        }
    }
    if (self->name == NULL || self->code.code == NULL) {
        PyErr_SetString(PyExc_ValueError, "the RawKernel was not initialised");
        return -1;
    }
    if (py_raw_code_load(&self->code, device, &module) < 0) return -1;
    if (device->backend->module_function(module, PyUnicode_AsUTF8(self->name), out)) {
        return py_raise_int();
    }
    loaded = realloc(self->loaded, (size_t)(self->nloaded + 1) * sizeof *loaded);
    if (loaded == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->loaded = loaded;
    loaded[self->nloaded++] = (raw_loaded){device, *out};
    return 0;
}

/* On the current device, for what is asked without arrays. */
static int
raw_find_here(py_raw_kernel *self, cu_function **f, cu_device **device)
{
    *device = cu_device_current();
    if (*device == NULL) return py_raise_int();
    return py_raw_find(self, *device, f);
}

static PyObject *
raw_kernel_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"code",
                            "name",
                            "options",
                            "backend",
                            "translate_cucomplex",
                            "enable_cooperative_groups",
                            "jitify",
                            NULL};
    PyObject *code, *name, *options = NULL, *backend = NULL, *jitify = Py_None;
    int translate = 0, cooperative = 0;
    py_raw_kernel *self;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "UU|OO$ppO:RawKernel", names,
                                     &code, &name, &options, &backend, &translate,
                                     &cooperative, &jitify)) {
        return NULL;
    }
    if (backend && py_raw_backend_check(backend) < 0) return NULL;
    self = (py_raw_kernel *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->name = Py_NewRef(name);
    self->code.code = Py_NewRef(code);
    self->code.path = Py_NewRef(Py_None);
    self->code.jitify = Py_NewRef(jitify);
    self->code.name_expressions = Py_NewRef(Py_None);
    self->code.backend = backend ? Py_NewRef(backend) : PyUnicode_FromString("nvrtc");
    self->code.translate_cucomplex = translate;
    self->code.cooperative = cooperative;
    if (!self->code.backend ||
        py_strings_read(options, "an option", &self->code.options) < 0 ||
        py_strings_read(name, "name", &self->code.names) < 0) {
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

PyObject *
py_raw_kernel_from(PyObject *module, const py_raw_code *code, PyObject *name)
{
    py_raw_kernel *kernel;
    cu_function *f;
    cu_device *device;

    kernel = (py_raw_kernel *)py_RawKernelType.tp_alloc(&py_RawKernelType, 0);
    if (kernel == NULL) return NULL;
    kernel->name = Py_NewRef(name);
    kernel->module = Py_NewRef(module);
    /* Whether there is such a kernel shows now, not at the first launch. */
    if (py_raw_code_copy(&kernel->code, code) < 0 ||
        raw_find_here(kernel, &f, &device) < 0) {
        Py_CLEAR(kernel);
    }
    return (PyObject *)kernel;
}

static void
raw_kernel_dealloc(PyObject *o)
{
    py_raw_kernel *self = (py_raw_kernel *)o;

    if (self->weakrefs) PyObject_ClearWeakRefs(o);
    py_raw_code_release(&self->code);
    Py_XDECREF(self->name);
    Py_XDECREF(self->module);
    free(self->loaded);
    Py_TYPE(o)->tp_free(o);
}

static PyObject *
raw_kernel_call(PyObject *o, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"grid",       "block",  "args",
                            "shared_mem", "stream", "enable_cooperative_groups",
                            NULL};
    py_raw_kernel *self = (py_raw_kernel *)o;
    PyObject *grid, *block, *values, *shared = NULL, *stream = NULL;
    int cooperative = self->code.cooperative;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO|OOp:RawKernel", names, &grid,
                                     &block, &values, &shared, &stream, &cooperative)) {
        return NULL;
    }
    if (py_launch(py_raw_find, self, grid, block, values, shared, stream, cooperative) <
        0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
raw_kernel_compile(PyObject *o, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"log_stream", NULL};
    PyObject *unused = NULL;
    cu_function *f;
    cu_device *device;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:compile", names, &unused)) {
        return NULL;
    }
    if (raw_find_here((py_raw_kernel *)o, &f, &device) < 0) return NULL;
    Py_RETURN_NONE;
}

/* A kernel of a RawModule is got from it again. */
static PyObject *
raw_kernel_reduce(PyObject *o, PyObject *unused)
{
    const py_raw_kernel *self = (py_raw_kernel *)o;
    PyObject *method;

    (void)unused;
    if (self->module == NULL) {
        PyObject *const args = Py_BuildValue("(OO)", self->code.code, self->name);
        return py_reduce_call((PyObject *)Py_TYPE(o), args,
                              py_raw_code_keywords(&self->code));
    }
    method = PyObject_GetAttrString(self->module, "get_function");
    if (method == NULL) return NULL;
    return Py_BuildValue("N(O)", method, self->name);
}

static PyObject *
raw_kernel_repr(PyObject *o)
{
    return PyUnicode_FromFormat("<%s %R>", Py_TYPE(o)->tp_name,
                                ((py_raw_kernel *)o)->name);
}

/* ---- attributes of the compiled function ------------------------------------------------------------- */

static const struct attribute {
    const char *name;
    cu_function_attr attr;
} attributes[] = {
    {"max_threads_per_block", CUPRIC_FUNC_MAX_THREADS},
    {"shared_size_bytes", CUPRIC_FUNC_SHARED_BYTES},
    {"const_size_bytes", CUPRIC_FUNC_CONST_BYTES},
    {"local_size_bytes", CUPRIC_FUNC_LOCAL_BYTES},
    {"num_regs", CUPRIC_FUNC_REGISTERS},
    {"ptx_version", CUPRIC_FUNC_PTX_VERSION},
    {"binary_version", CUPRIC_FUNC_BINARY_VERSION},
    {"cache_mode_ca", CUPRIC_FUNC_CACHE_MODE_CA},
    {"max_dynamic_shared_size_bytes", CUPRIC_FUNC_MAX_DYNAMIC_SHARED},
    {"preferred_shared_memory_carveout", CUPRIC_FUNC_CARVEOUT},
};

#define N_ATTRIBUTES (sizeof attributes / sizeof *attributes)

static PyObject *
get_attribute(PyObject *o, void *which)
{
    const struct attribute *a = which;
    cu_function *f;
    cu_device *device;
    int value;

    if (raw_find_here((py_raw_kernel *)o, &f, &device) < 0) return NULL;
    if (device->backend->function_get(f, a->attr, &value)) return py_raise();
    return PyLong_FromLong(value);
}

static int
set_attribute(PyObject *o, PyObject *value, void *which)
{
    const struct attribute *a = which;
    cu_function *f;
    cu_device *device;
    long number;

    if (value == NULL) {
        PyErr_Format(PyExc_AttributeError, "%s cannot be deleted", a->name);
        return -1;
    }
    number = PyLong_AsLong(value);
    if (number == -1 && PyErr_Occurred()) return -1;
    if (number < INT32_MIN || number > INT32_MAX) number = INT32_MAX;
    if (raw_find_here((py_raw_kernel *)o, &f, &device) < 0) return -1;
    if (device->backend->function_set(f, a->attr, (int)number)) return py_raise_int();
    return 0;
}

static PyObject *
get_attributes(PyObject *o, void *unused)
{
    PyObject *d = PyDict_New();

    (void)unused;
    for (size_t i = 0; d && i < N_ATTRIBUTES; i++) {
        PyObject *value = get_attribute(o, (void *)&attributes[i]);
        if (!value || PyDict_SetItemString(d, attributes[i].name, value) < 0)
            Py_CLEAR(d);
        Py_XDECREF(value);
    }
    return d;
}

static PyObject *
get_kernel(PyObject *o, void *unused)
{
    py_raw_kernel *self = (py_raw_kernel *)o;
    cu_function *f;
    cu_device *device;

    (void)unused;
    if (raw_find_here(self, &f, &device) < 0) return NULL;
    return py_function_new(NULL, f, device, PyUnicode_AsUTF8(self->name));
}

static PyObject *
kernel_get_options(PyObject *o, void *unused)
{
    (void)unused;
    return Py_NewRef(((py_raw_kernel *)o)->code.options.tuple);
}

PyObject *
py_raw_get_flag(PyObject *o, void *closure)
{
    return PyBool_FromLong(*(bool *)((char *)o + (size_t)closure));
}

static PyGetSetDef raw_kernel_getset[N_ATTRIBUTES + 8] = {
    {"attributes", get_attributes, NULL, "All numbers below, by name.", NULL},
    {"kernel", get_kernel, NULL, "The compiled Function on the current device.", NULL},
    {"options", kernel_get_options, NULL, "Options for the compiler.", NULL},
    {"translate_cucomplex", py_raw_get_flag, NULL, "As given.",
     (void *)offsetof(py_raw_kernel, code.translate_cucomplex)},
    {"enable_cooperative_groups", py_raw_get_flag, NULL, "As given.",
     (void *)offsetof(py_raw_kernel, code.cooperative)},
    {"max_threads_per_block", get_attribute, NULL, "The most threads of a block.",
     (void *)&attributes[0]},
    {"shared_size_bytes", get_attribute, NULL,
     "Shared memory of a block that the source declares.", (void *)&attributes[1]},
    {"const_size_bytes", get_attribute, NULL, "Constant memory.",
     (void *)&attributes[2]},
    {"local_size_bytes", get_attribute, NULL, "Local memory of a thread.",
     (void *)&attributes[3]},
    {"num_regs", get_attribute, NULL, "Registers of a thread.", (void *)&attributes[4]},
    {"ptx_version", get_attribute, NULL, "The PTX version, ten times.",
     (void *)&attributes[5]},
    {"binary_version", get_attribute, NULL, "The binary version, ten times.",
     (void *)&attributes[6]},
    {"cache_mode_ca", get_attribute, NULL, "Whether global loads are cached in L1.",
     (void *)&attributes[7]},
    {"max_dynamic_shared_size_bytes", get_attribute, set_attribute,
     "The most dynamic shared memory a launch may ask for.", (void *)&attributes[8]},
    {"preferred_shared_memory_carveout", get_attribute, set_attribute,
     "Per cent of the L1 cache to be shared memory; -1: default.",
     (void *)&attributes[9]},
    {NULL},
};

#define KERNEL_MEMBER(name, field)                                                     \
    {                                                                                  \
#name, T_OBJECT, offsetof(py_raw_kernel, field), READONLY, NULL                \
    }

static PyMemberDef raw_kernel_members[] = {
    KERNEL_MEMBER(name, name),
    KERNEL_MEMBER(code, code.code),
    KERNEL_MEMBER(backend, code.backend),
    KERNEL_MEMBER(file_path, code.path),
    KERNEL_MEMBER(jitify, code.jitify),
    KERNEL_MEMBER(name_expressions, code.name_expressions),
    {NULL},
};

static PyMethodDef raw_kernel_methods[] = {
    {"compile", (PyCFunction)(void (*)(void))raw_kernel_compile,
     METH_VARARGS | METH_KEYWORDS, raw_kernel_compile_doc},
    {"__reduce__", raw_kernel_reduce, METH_NOARGS, NULL},
    {NULL},
};

PyTypeObject py_RawKernelType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.RawKernel",
    .tp_doc = raw_kernel_doc,
    .tp_basicsize = sizeof(py_raw_kernel),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = raw_kernel_new,
    .tp_dealloc = raw_kernel_dealloc,
    .tp_call = raw_kernel_call,
    .tp_repr = raw_kernel_repr,
    .tp_weaklistoffset = offsetof(py_raw_kernel, weakrefs),
    .tp_methods = raw_kernel_methods,
    .tp_getset = raw_kernel_getset,
    .tp_members = raw_kernel_members,
};
