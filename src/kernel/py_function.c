/* kernel/py_function.c: cupric.cuda.Function and cupric.cuda.Module. */
#include <Python.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <structmember.h>

#include "kernel/py_kernel.h"
#include "layout/py_args.h"
#include "memory/py_memory.h"

/* ---- Function ---------------------------------------------------------------------------------- */

typedef struct py_function {
    PyObject_HEAD
    PyObject *module; /* owned: whom it belongs to */
    PyObject *name;   /* owned: str */
    cu_function *function;
    cu_device *device;
} py_function;

PyObject *
py_function_new(PyObject *owner, cu_function *f, cu_device *device, const char *name)
{
    py_function *self = PyObject_New(py_function, &py_FunctionType);

    if (self == NULL) return NULL;
    self->module = Py_XNewRef(owner);
    self->name = PyUnicode_FromString(name);
    self->function = f;
    self->device = device;
    if (self->name == NULL) Py_CLEAR(self);
    return (PyObject *)self;
}

static int
own_function(void *arg, cu_device *device, cu_function **out)
{
    const py_function *self = arg;

    if (device != self->device) {
        PyErr_Format(
            PyExc_ValueError,
            "the function was loaded on device %d, the arrays are on device %d",
            self->device->ordinal, device->ordinal);
        return -1;
    }
    *out = self->function;
    return 0;
}

static PyObject *
function_call(PyObject *o, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"grid",       "block",  "args",
                            "shared_mem", "stream", "enable_cooperative_groups",
                            NULL};
    PyObject *grid, *block, *values, *shared = NULL, *stream = NULL;
    int cooperative = 0;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO|OOp:Function", names, &grid,
                                     &block, &values, &shared, &stream, &cooperative)) {
        return NULL;
    }
    if (py_launch(own_function, o, grid, block, values, shared, stream, cooperative) <
        0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
function_linear_launch(PyObject *o, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"size",       "args",
                            "shared_mem", "block_max_size",
                            "stream",     "enable_cooperative_groups",
                            NULL};
    long long size, most = 128;
    PyObject *values, *shared = NULL, *stream = NULL, *grid = NULL, *block = NULL;
    int cooperative = 0, r = -1;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "LO|OLOp:linear_launch", names,
                                     &size, &values, &shared, &most, &stream,
                                     &cooperative)) {
        return NULL;
    }
    if (most < 1) most = 1;
    if (most > 1024) most = 1024;
    grid = PyLong_FromLongLong(size > 0 ? (size + most - 1) / most : 1);
    block = PyLong_FromLongLong(size > 0 && size < most ? size : most);
    if (grid && block) {
        r = py_launch(own_function, o, grid, block, values, shared, stream,
                      cooperative);
    }
    Py_XDECREF(grid);
    Py_XDECREF(block);
    if (r < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *
function_get_ptr(PyObject *o, void *unused)
{
    (void)unused;
    return py_function_handle(((py_function *)o)->device, ((py_function *)o)->function);
}

static PyObject *module_get(PyObject *o, const char *name);

static PyObject *
function_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"module", "funcname", NULL};
    PyObject *module;
    const char *name;

    (void)type;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!s:Function", names,
                                     &py_ModuleType, &module, &name)) {
        return NULL;
    }
    return module_get(module, name);
}

static void
function_dealloc(PyObject *o)
{
    Py_XDECREF(((py_function *)o)->module);
    Py_XDECREF(((py_function *)o)->name);
    Py_TYPE(o)->tp_free(o);
}

static PyMethodDef function_methods[] = {
    {"linear_launch", (PyCFunction)(void (*)(void))function_linear_launch,
     METH_VARARGS | METH_KEYWORDS,
     "linear_launch(size, args, shared_mem=0, block_max_size=128, stream=None, "
     "enable_cooperative_groups=False)\n--\n\n"
     "Launch with at least `size` threads along one axis."},
    {NULL},
};

static PyGetSetDef function_getset[] = {
    {"ptr", function_get_ptr, NULL, "The driver's handle of the function.", NULL},
    {NULL},
};

static PyMemberDef function_members[] = {
    {"module", T_OBJECT, offsetof(py_function, module), READONLY,
     "Whom it belongs to."},
    {"name", T_OBJECT, offsetof(py_function, name), READONLY, "The kernel's name."},
    {NULL},
};

static PyObject *
function_repr(PyObject *o)
{
    const py_function *self = (py_function *)o;

    return PyUnicode_FromFormat("<%s %R on device %d>", Py_TYPE(o)->tp_name, self->name,
                                self->device->ordinal);
}

PyTypeObject py_FunctionType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.function.Function",
    .tp_doc = "Function(module, funcname)\n--\n\nA kernel of a loaded module.",
    .tp_basicsize = sizeof(py_function),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = function_new,
    .tp_dealloc = function_dealloc,
    .tp_call = function_call,
    .tp_repr = function_repr,
    .tp_methods = function_methods,
    .tp_getset = function_getset,
    .tp_members = function_members,
};

/* ---- Module ------------------------------------------------------------------------------------- */

typedef struct py_module {
    PyObject_HEAD
    cu_module *module; /* borrowed from the cache; NULL: nothing loaded */
    cu_device *device;
} py_module;

static PyObject *
module_load_bytes(py_module *self, const void *data, Py_ssize_t nbytes)
{
    cu_status st;

    self->device = cu_device_current();
    if (self->device == NULL) return py_raise();
    Py_BEGIN_ALLOW_THREADS
    st = cu_cache_binary(self->device, data, (size_t)nbytes, &self->module);
    Py_END_ALLOW_THREADS
    if (st) return py_raise();
    Py_RETURN_NONE;
}

static PyObject *
module_load(PyObject *o, PyObject *data)
{
    Py_buffer view;
    PyObject *r;

    if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0) return NULL;
    r = module_load_bytes((py_module *)o, view.buf, view.len);
    PyBuffer_Release(&view);
    return r;
}

static PyObject *
module_load_file(PyObject *o, PyObject *path)
{
    PyObject *io = PyImport_ImportModule("io"), *file = NULL, *data = NULL, *r = NULL;

    if (io) file = PyObject_CallMethod(io, "open", "Os", path, "rb");
    if (file) data = PyObject_CallMethod(file, "read", NULL);
    if (data) r = module_load(o, data);
    Py_XDECREF(PyErr_Occurred() || !file ? NULL
                                         : PyObject_CallMethod(file, "close", NULL));
    Py_XDECREF(io);
    Py_XDECREF(file);
    Py_XDECREF(data);
    return r;
}

static int
require_loaded(const py_module *self)
{
    if (self->module) return 0;
    PyErr_SetString(PyExc_ValueError, "the module is empty: load() comes first");
    return -1;
}

static PyObject *
module_get(PyObject *o, const char *name)
{
    py_module *self = (py_module *)o;
    cu_function *f;

    if (require_loaded(self) < 0) return NULL;
    if (self->device->backend->module_function(self->module, name, &f))
        return py_raise();
    return py_function_new(o, f, self->device, name);
}

static PyObject *
module_get_function(PyObject *o, PyObject *name)
{
    const char *text = py_text_read(name, "name");
    return text ? module_get(o, text) : NULL;
}

static PyObject *
module_get_global_var(PyObject *o, PyObject *name)
{
    py_module *self = (py_module *)o;
    const char *text = py_text_read(name, "name");
    void *address;
    size_t nbytes;

    if (text == NULL || require_loaded(self) < 0) return NULL;
    if (self->device->backend->module_global(self->module, text, &address, &nbytes)) {
        return py_raise();
    }
    return PyLong_FromVoidPtr(address);
}

static PyObject *
module_get_ptr(PyObject *o, void *unused)
{
    (void)unused;
    const py_module *self = (py_module *)o;

    if (self->module == NULL) return PyLong_FromLong(0);
    return py_module_handle(self->device, self->module);
}

static PyMethodDef module_methods[] = {
    {"load", module_load, METH_O, "load(cubin)\n--\n\nLoad a binary from bytes."},
    {"load_file", module_load_file, METH_O, "load_file(filename)\n--\n\nFrom a file."},
    {"get_function", module_get_function, METH_O,
     "get_function(name)\n--\n\nA kernel by its name."},
    {"get_global_var", module_get_global_var, METH_O,
     "get_global_var(name)\n--\n\nThe address of a variable."},
    {NULL},
};

static PyGetSetDef module_getset[] = {
    {"ptr", module_get_ptr, NULL,
     "The driver's handle of the module; 0 before one is loaded.", NULL},
    {NULL},
};

static PyObject *
module_repr(PyObject *o)
{
    const py_module *self = (py_module *)o;
    const char *const type = Py_TYPE(o)->tp_name;

    if (self->module == NULL) return PyUnicode_FromFormat("<%s, empty>", type);
    return PyUnicode_FromFormat("<%s on device %d>", type, self->device->ordinal);
}

PyTypeObject py_ModuleType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.function.Module",
    .tp_doc = "Module()\n--\n\nA loaded binary, which has kernels and variables.",
    .tp_basicsize = sizeof(py_module),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = PyType_GenericNew,
    .tp_repr = module_repr,
    .tp_methods = module_methods,
    .tp_getset = module_getset,
};
