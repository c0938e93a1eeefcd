/* py_pinned_pool.c: cupric.cuda.PinnedMemoryPool, over the device's memory or what a
 * user's allocator gives. */
#include <Python.h>

#include "memory/py_memory.h"
#include "memory/py_memory_doc.h"
#include "memory/py_pinned.h"
#include "py_gil.h"
#include "py_status.h"

typedef struct py_pinned_pool {
    PyObject_HEAD
    PyObject *allocator;  /* owned; NULL: the backend's memory */
    cu_pinned_pool *pool; /* owned */
} py_pinned_pool;

/* Whether the exception says that memory is short: what a pool keeps may be missing. */
static bool
is_out_of_memory(void)
{
    PyObject *type, *value, *traceback, *status;
    bool is;

    if (PyErr_ExceptionMatches(PyExc_MemoryError)) return true;
    if (!PyErr_ExceptionMatches(py_CUDARuntimeError)) return false;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    status = PyObject_GetAttrString(value, "status");
    is = status && PyLong_Check(status) && PyLong_AsLong(status) == 2;
    Py_XDECREF(status);
    PyErr_Restore(type, value, traceback);
    return is;
}

/* The memory of what an allocator gave: at least `size` bytes. New reference. */
static PyObject *
memory_of(PyObject *pointer, size_t size)
{
    const py_pinned *mem;

    if (!Py_IS_TYPE(pointer, &py_PinnedMemoryPointerType)) {
        return PyErr_Format(PyExc_TypeError,
                            "the allocator must give a PinnedMemoryPointer, not %s",
                            Py_TYPE(pointer)->tp_name);
    }
    mem = (py_pinned *)((py_pinned_pointer *)pointer)->mem;
    if (!mem->ptr || (size_t)mem->size < size) {
        return py_fail(CUPRIC_ERR_VALUE,
                       "the allocator gave %zd bytes of pinned memory where %zu were "
                       "asked for",
                       mem->ptr ? mem->size : 0, size);
    }
    return Py_NewRef(mem);
}

/* A cu_pinned_source over the allocator of a py_pinned_pool. */
static cu_status
allocator_alloc(void *arg, size_t size, void **ptr, void **owner)
{
    PyGILState_STATE gil = py_gil_take();
    PyObject *allocator = Py_XNewRef(((py_pinned_pool *)arg)->allocator);
    PyObject *pointer = NULL; /* owned */
    PyObject *mem = NULL;
    cu_status st = CUPRIC_OK;

    PyErr_Clear(); /* of a first try that lacked memory */
    if (allocator) {
        pointer = PyObject_CallFunction(allocator, "n", (Py_ssize_t)size);
    } else {
        PyErr_SetString(PyExc_RuntimeError, "the pool is gone");
    }
    if (pointer) mem = memory_of(pointer, size);
    Py_XDECREF(pointer);
    if (mem) {
        *ptr = ((py_pinned *)mem)->ptr;
        *owner = mem;
    } else {
        st = is_out_of_memory() ? CUPRIC_ERR_MEMORY : CUPRIC_ERR_PYTHON;
    }
    Py_XDECREF(allocator);
    PyGILState_Release(gil);
    return st;
}

static void
allocator_free(void *owner)
{
    PyObject *type, *value, *traceback;
    PyGILState_STATE gil;

    if (!Py_IsInitialized()) return;
    gil = PyGILState_Ensure();
    PyErr_Fetch(&type, &value, &traceback);
    Py_DECREF((PyObject *)owner);
    PyErr_Restore(type, value, traceback);
    PyGILState_Release(gil);
}

static PyObject *
py_pinned_pool_make(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"allocator", NULL};
    PyObject *allocator = Py_None;
    cu_pinned_source source = {allocator_alloc, allocator_free, NULL};
    py_pinned_pool *self;
    bool own;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:PinnedMemoryPool", names,
                                     &allocator)) {
        return NULL;
    }
    own = allocator != Py_None;
    if (own && !PyCallable_Check(allocator)) {
        return PyErr_Format(PyExc_TypeError, "an allocator is callable or None, not %s",
                            Py_TYPE(allocator)->tp_name);
    }
    self = (py_pinned_pool *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    if (own) self->allocator = Py_NewRef(allocator);
    source.arg = self;
    if (cu_pinned_pool_new(own ? &source : NULL, &self->pool)) {
        Py_DECREF(self);
        return py_raise();
    }
    return (PyObject *)self;
}

static int
py_pinned_pool_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((py_pinned_pool *)self)->allocator);
    return 0;
}

static int
py_pinned_pool_clear(PyObject *self)
{
    Py_CLEAR(((py_pinned_pool *)self)->allocator);
    return 0;
}

static void
py_pinned_pool_dealloc(PyObject *self)
{
    py_pinned_pool *p = (py_pinned_pool *)self;

    PyObject_GC_UnTrack(self);
    cu_pinned_pool_unref(p->pool);
    Py_XDECREF(p->allocator);
    Py_TYPE(self)->tp_free(self);
}

static PyObject *
py_pinned_pool_malloc(PyObject *self, PyObject *size)
{
    PyTypeObject *type;
    size_t nbytes;
    PyObject *mem, *pointer;

    if (!py_size_convert(size, &nbytes)) return NULL;
    type = nbytes ? &py_PooledPinnedMemoryType : &py_PinnedMemoryType;
    mem = type->tp_alloc(type, 0);
    if (!mem) return NULL;
    if (py_pinned_fill(mem, ((py_pinned_pool *)self)->pool, nbytes)) {
        Py_DECREF(mem);
        return NULL;
    }
    if (nbytes) ((py_pinned *)mem)->pool = Py_NewRef(self);
    pointer = py_pinned_pointer_new(mem, 0);
    Py_DECREF(mem);
    return pointer;
}

static PyObject *
py_pinned_pool_free_all(PyObject *self, PyObject *unused)
{
    (void)unused;
    cu_pinned_pool_trim(((py_pinned_pool *)self)->pool);
    Py_RETURN_NONE;
}

static PyObject *
py_pinned_pool_n_free(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyLong_FromSize_t(cu_pinned_pool_n_free(((py_pinned_pool *)self)->pool));
}

static PyObject *
py_pinned_pool_repr(PyObject *self)
{
    PyObject *n = PyObject_CallMethod(self, "n_free_blocks", NULL);
    PyObject *r =
        n ? PyUnicode_FromFormat("<PinnedMemoryPool: %S free blocks>", n) : NULL;

    Py_XDECREF(n);
    return r;
}

static PyMethodDef pool_methods[] = {
    {"malloc", py_pinned_pool_malloc, METH_O, pinned_pool_malloc_doc},
    {"free_all_blocks", py_pinned_pool_free_all, METH_NOARGS,
     pinned_pool_free_all_blocks_doc},
    {"n_free_blocks", py_pinned_pool_n_free, METH_NOARGS,
     pinned_pool_n_free_blocks_doc},
    {0},
};

PyTypeObject py_PinnedMemoryPoolType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name =
        "cupric.cuda.pinned_memory.PinnedMemoryPool",
    .tp_doc = pinned_pool_doc,
    .tp_basicsize = sizeof(py_pinned_pool),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = py_pinned_pool_traverse,
    .tp_clear = py_pinned_pool_clear,
    .tp_new = py_pinned_pool_make,
    .tp_dealloc = py_pinned_pool_dealloc,
    .tp_repr = py_pinned_pool_repr,
    .tp_methods = pool_methods,
};
