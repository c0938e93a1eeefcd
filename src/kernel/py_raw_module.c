/* kernel/py_raw_module.c: cupric.RawModule: kernels and variables of one source. */
#include <Python.h>

#include <stddef.h>
#include <structmember.h>

#include "kernel/py_raw.h"
#include "kernel/py_raw_doc.h"
#include "memory/py_memory.h"

typedef struct py_raw_module {
    PyObject_HEAD
    py_raw_code code;
    PyObject *weakrefs;
} py_raw_module;

static PyObject *
raw_module_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"code",
                            "path",
                            "options",
                            "backend",
                            "translate_cucomplex",
                            "enable_cooperative_groups",
                            "name_expressions",
                            "jitify",
                            NULL};
    PyObject *code = Py_None, *path = Py_None, *options = NULL, *backend = NULL;
    PyObject *expressions = Py_None, *jitify = Py_None;
    int translate = 0, cooperative = 0;
    py_raw_module *self;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOOppOO:RawModule", names,
                                     &code, &path, &options, &backend, &translate,
                                     &cooperative, &expressions, &jitify)) {
        return NULL;
    }
    if ((code == Py_None) == (path == Py_None)) {
        PyErr_SetString(PyExc_TypeError, code == Py_None
                                             ? "code or path must be given"
                                             : "code and path cannot both be given");
        return NULL;
    }
    if (code != Py_None && py_text_read(code, "code") == NULL) return NULL;
    if (path != Py_None && py_text_read(path, "path") == NULL) return NULL;
    if (backend && py_raw_backend_check(backend) < 0) return NULL;
    if (expressions != Py_None && path != Py_None) {
        PyErr_SetString(PyExc_ValueError,
                        "name_expressions need the source, not a path");
        return NULL;
    }
    self = (py_raw_module *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->code.code = Py_NewRef(code);
    self->code.path = Py_NewRef(path);
    self->code.jitify = Py_NewRef(jitify);
    self->code.backend = backend ? Py_NewRef(backend) : PyUnicode_FromString("nvrtc");
    self->code.translate_cucomplex = translate;
    self->code.cooperative = cooperative;
    if (!self->code.backend ||
        py_strings_read(options, "an option", &self->code.options) < 0 ||
        py_strings_read(expressions, "a name expression", &self->code.names) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    self->code.name_expressions =
        Py_NewRef(expressions == Py_None ? Py_None : self->code.names.tuple);
    return (PyObject *)self;
}

static void
raw_module_dealloc(PyObject *o)
{
    py_raw_module *self = (py_raw_module *)o;

    if (self->weakrefs) PyObject_ClearWeakRefs(o);
    py_raw_code_release(&self->code);
    Py_TYPE(o)->tp_free(o);
}

static int
raw_module_load(py_raw_module *self, cu_device **device, cu_module **out)
{
    *device = cu_device_current();
    if (*device == NULL) return py_raise_int();
    return py_raw_code_load(&self->code, *device, out);
}

static PyObject *
raw_module_compile(PyObject *o, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"log_stream", NULL};
    PyObject *unused = NULL;
    cu_device *device;
    cu_module *module;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:compile", names, &unused)) {
        return NULL;
    }
    if (raw_module_load((py_raw_module *)o, &device, &module) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *
raw_module_get_function(PyObject *o, PyObject *name)
{
    if (py_text_read(name, "name") == NULL) return NULL;
    return py_raw_kernel_from(o, &((py_raw_module *)o)->code, name);
}

static void
keep_memory(void *ptr, void *arg)
{
    (void)ptr; /* the module's, which stays loaded */
    (void)arg;
}

static PyObject *
raw_module_get_global(PyObject *o, PyObject *name)
{
    const char *text = py_text_read(name, "name");
    cu_device *device;
    cu_module *module;
    cu_storage *storage = NULL;
    void *address;
    size_t nbytes;
    PyObject *pointer;

    if (text == NULL) return NULL;
    if (raw_module_load((py_raw_module *)o, &device, &module) < 0) return NULL;
    if (device->backend->module_global(module, text, &address, &nbytes) ||
        cu_storage_wrap(device, address, nbytes, keep_memory, NULL, &storage)) {
        return py_raise();
    }
    pointer = py_pointer_new(storage, 0);
    cu_storage_unref(storage);
    return pointer;
}

static PyObject *
raw_module_get_module(PyObject *o, void *unused)
{
    cu_device *device;
    cu_module *module;

    (void)unused;
    if (raw_module_load((py_raw_module *)o, &device, &module) < 0) return NULL;
    return py_module_handle(device, module);
}

static PyObject *
module_get_options(PyObject *o, void *unused)
{
    (void)unused;
    return Py_NewRef(((py_raw_module *)o)->code.options.tuple);
}

static PyObject *
raw_module_reduce(PyObject *o, PyObject *unused)
{
    const py_raw_code *c = &((py_raw_module *)o)->code;
    PyObject *keywords = py_raw_code_keywords(c);

    (void)unused;
    if (keywords &&
        (PyDict_SetItemString(keywords, "code", c->code) < 0 ||
         PyDict_SetItemString(keywords, "path", c->path) < 0 ||
         PyDict_SetItemString(keywords, "name_expressions", c->name_expressions) < 0)) {
        Py_CLEAR(keywords);
    }
    return py_reduce_call((PyObject *)Py_TYPE(o), PyTuple_New(0), keywords);
}

/* By its file, or the lines of its source, and the kernels that were asked for. */
static PyObject *
raw_module_repr(PyObject *o)
{
    const py_raw_code *c = &((py_raw_module *)o)->code;
    const char *const type = Py_TYPE(o)->tp_name;
    PyObject *what, *names, *comma, *r;

    if (c->path != Py_None) return PyUnicode_FromFormat("<%s: path=%R>", type, c->path);
    const char *text = PyUnicode_AsUTF8(c->code);
    int lines = 0;
    for (const char *p = text; p && *p; lines++) {
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    if (text == NULL) return NULL;
    what = PyUnicode_FromFormat("%d line%s", lines, lines == 1 ? "" : "s");
    comma = PyUnicode_FromString(", ");
    names = comma ? PyUnicode_Join(comma, c->names.tuple) : NULL;
    r = what && names
            ? PyUnicode_FromFormat("<%s: %U%s%U>", type, what,
                                   PyUnicode_GET_LENGTH(names) ? ", kernels " : "",
                                   names)
            : NULL;
    Py_XDECREF(what);
    Py_XDECREF(comma);
    Py_XDECREF(names);
    return r;
}

static PyMethodDef raw_module_methods[] = {
    {"__reduce__", raw_module_reduce, METH_NOARGS, NULL},
    {"compile", (PyCFunction)(void (*)(void))raw_module_compile,
     METH_VARARGS | METH_KEYWORDS, raw_module_compile_doc},
    {"get_function", raw_module_get_function, METH_O, raw_module_get_function_doc},
    {"get_global", raw_module_get_global, METH_O, raw_module_get_global_doc},
    {NULL},
};

static PyGetSetDef raw_module_getset[] = {
    {"module", raw_module_get_module, NULL, "The driver's handle of the loaded module.",
     NULL},
    {"options", module_get_options, NULL, "Options for the compiler.", NULL},
    {"translate_cucomplex", py_raw_get_flag, NULL, "As given.",
     (void *)offsetof(py_raw_module, code.translate_cucomplex)},
    {"enable_cooperative_groups", py_raw_get_flag, NULL, "As given.",
     (void *)offsetof(py_raw_module, code.cooperative)},
    {NULL},
};

#define MODULE_MEMBER(name, field)                                                     \
    {                                                                                  \
#name, T_OBJECT, offsetof(py_raw_module, field), READONLY, NULL                \
    }

static PyMemberDef raw_module_members[] = {
    MODULE_MEMBER(code, code.code),
    MODULE_MEMBER(backend, code.backend),
    MODULE_MEMBER(file_path, code.path),
    MODULE_MEMBER(jitify, code.jitify),
    MODULE_MEMBER(name_expressions, code.name_expressions),
    {NULL},
};

PyTypeObject py_RawModuleType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.RawModule",
    .tp_doc = raw_module_doc,
    .tp_basicsize = sizeof(py_raw_module),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = raw_module_new,
    .tp_repr = raw_module_repr,
    .tp_dealloc = raw_module_dealloc,
    .tp_weaklistoffset = offsetof(py_raw_module, weakrefs),
    .tp_methods = raw_module_methods,
    .tp_getset = raw_module_getset,
    .tp_members = raw_module_members,
};
