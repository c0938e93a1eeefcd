/* py_pinned.c: pinned host memory as Python sees it.
 *
 * A PinnedMemoryPointer has the buffer protocol: numpy.frombuffer(pointer) is how an array
 * comes to lie in pinned memory. A subclass of PinnedMemory that does not call __init__
 * has memory of its own, whose address and size it sets: so does what a user's allocator
 * gives to a pool.
 */
#include <Python.h>

#include "memory/py_pinned.h"

#include <string.h>

#include "device/py_device.h"
#include "memory/py_memory.h"
#include "memory/py_memory_doc.h"
#include "py_status.h"

/* ---- memory ------------------------------------------------------------------------ */

int
py_pinned_fill(PyObject *self, cu_pinned_pool *pool, size_t size)
{
    py_pinned *mem = (py_pinned *)self;
    cu_pinned *block = NULL;
    cu_device *d;

    if (!py_device_convert(Py_None, &d)) return -1;
    if (cu_device_check(d)) return py_raise_int();
    if (cu_pinned_alloc(pool, d->backend, size, &block)) return py_raise_int();
    cu_pinned_free(mem->block);
    mem->block = block;
    mem->ptr = block->ptr;
    mem->size = (Py_ssize_t)block->nbytes;
    return 0;
}

static int
py_pinned_setup(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"size", "flags", NULL};
    size_t size;
    unsigned flags = 0;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&|I:PinnedMemory", names,
                                     py_size_convert, &size, &flags)) {
        return -1;
    }
    if (((py_pinned *)self)->exports) {
        py_fail(CUPRIC_ERR_VALUE, "a buffer of this memory is in use");
        return -1;
    }
    return py_pinned_fill(self, NULL, size);
}

static void
py_pinned_dealloc(PyObject *o)
{
    py_pinned *self = (py_pinned *)o;

    cu_pinned_free(self->block);
    Py_XDECREF(self->pool);
    Py_TYPE(o)->tp_free(o);
}

static PyObject *
py_pinned_get_ptr(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromVoidPtr(((py_pinned *)self)->ptr);
}

static PyObject *
py_pinned_int(PyObject *self)
{
    return py_pinned_get_ptr(self, NULL);
}

static PyObject *
py_pinned_get_size(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromSsize_t(((py_pinned *)self)->size);
}

/* Only a subclass that brings memory of its own may say where it is. */
static int
check_settable(PyObject *self, PyObject *value)
{
    const py_pinned *mem = (py_pinned *)self;

    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "ptr and size cannot be deleted");
        return -1;
    }
    if (!mem->block && !mem->exports) return 0;
    py_fail(CUPRIC_ERR_VALUE, mem->exports
                                  ? "a buffer of this memory is in use"
                                  : "the memory object has its memory already");
    return -1;
}

static int
py_pinned_set_ptr(PyObject *self, PyObject *value, void *closure)
{
    void *ptr;

    (void)closure;
    if (check_settable(self, value)) return -1;
    ptr = PyLong_AsVoidPtr(value);
    if (!ptr && PyErr_Occurred()) return -1;
    ((py_pinned *)self)->ptr = ptr;
    return 0;
}

static int
py_pinned_set_size(PyObject *self, PyObject *value, void *closure)
{
    size_t size;

    (void)closure;
    if (check_settable(self, value) || !py_size_convert(value, &size)) return -1;
    ((py_pinned *)self)->size = (Py_ssize_t)size;
    return 0;
}

static PyObject *
py_pinned_get_pool(PyObject *self, void *closure)
{
    PyObject *pool = ((py_pinned *)self)->pool;

    (void)closure;
    return Py_NewRef(pool ? pool : Py_None);
}

static PyObject *
py_pinned_free(PyObject *self, PyObject *unused)
{
    py_pinned *mem = (py_pinned *)self;
    cu_pinned *block = mem->block;

    (void)unused;
    if (mem->exports) {
        return py_fail(CUPRIC_ERR_VALUE, "a buffer of this memory is in use");
    }
    mem->block = NULL;
    mem->ptr = NULL;
    mem->size = 0;
    cu_pinned_free(block);
    Py_RETURN_NONE;
}

static PyObject *
py_pinned_repr(PyObject *self)
{
    const char *dot = strrchr(Py_TYPE(self)->tp_name, '.');
    const py_pinned *mem = (py_pinned *)self;

    return PyUnicode_FromFormat("<%s %p size=%zd>",
                                dot ? dot + 1 : Py_TYPE(self)->tp_name,
                                (void *)mem->ptr, mem->size);
}

static PyNumberMethods pinned_as_number = {.nb_int = py_pinned_int};

static PyGetSetDef pinned_getset[] = {
    {"ptr", py_pinned_get_ptr, py_pinned_set_ptr, "The address, as an int.", NULL},
    {"size", py_pinned_get_size, py_pinned_set_size, "Bytes.", NULL},
    {0},
};

static PyGetSetDef pooled_getset[] = {
    {"pool", py_pinned_get_pool, NULL, "The pool it is of.", NULL},
    {0},
};

static PyMethodDef pooled_methods[] = {
    {"free", py_pinned_free, METH_NOARGS, pooled_pinned_memory_free_doc},
    {0},
};

PyTypeObject py_PinnedMemoryType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.pinned_memory.PinnedMemory",
    .tp_doc = pinned_memory_doc,
    .tp_basicsize = sizeof(py_pinned),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = PyType_GenericNew,
    .tp_init = py_pinned_setup,
    .tp_dealloc = py_pinned_dealloc,
    .tp_repr = py_pinned_repr,
    .tp_as_number = &pinned_as_number,
    .tp_getset = pinned_getset,
};

PyTypeObject py_PooledPinnedMemoryType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name =
        "cupric.cuda.pinned_memory.PooledPinnedMemory",
    .tp_doc = pooled_pinned_memory_doc,
    .tp_basicsize = sizeof(py_pinned),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_base = &py_PinnedMemoryType,
    .tp_methods = pooled_methods,
    .tp_getset = pooled_getset,
};

/* ---- pointers ---------------------------------------------------------------------- */

PyObject *
py_pinned_pointer_new(PyObject *mem /* borrowed */, Py_ssize_t offset)
{
    py_pinned_pointer *p = PyObject_New(py_pinned_pointer, &py_PinnedMemoryPointerType);

    if (!p) return NULL;
    p->mem = Py_NewRef(mem);
    p->offset = offset;
    return (PyObject *)p;
}

static PyObject *
py_pinned_pointer_make(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"mem", "offset", NULL};
    PyObject *mem;
    Py_ssize_t offset;

    (void)type;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!n:PinnedMemoryPointer", names,
                                     &py_PinnedMemoryType, &mem, &offset)) {
        return NULL;
    }
    return py_pinned_pointer_new(mem, offset);
}

static void
py_pinned_pointer_dealloc(PyObject *o)
{
    Py_DECREF(((py_pinned_pointer *)o)->mem);
    PyObject_Free(o);
}

static char *
address_of(const py_pinned_pointer *p)
{
    const py_pinned *mem = (py_pinned *)p->mem;

    return mem->ptr ? (char *)mem->ptr + p->offset : NULL;
}

static PyObject *
py_pinned_pointer_get_ptr(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromVoidPtr(address_of((py_pinned_pointer *)self));
}

static PyObject *
py_pinned_pointer_repr(PyObject *self)
{
    const py_pinned_pointer *p = (py_pinned_pointer *)self;

    return PyUnicode_FromFormat("<PinnedMemoryPointer %p mem=%R>",
                                (void *)address_of(p), p->mem);
}

static PyObject *
py_pinned_pointer_int(PyObject *self)
{
    return py_pinned_pointer_get_ptr(self, NULL);
}

static PyObject *
py_pinned_pointer_get_mem(PyObject *self, void *closure)
{
    (void)closure;
    return Py_NewRef(((py_pinned_pointer *)self)->mem);
}

/* Bytes from the pointer to the end of its memory. */
static Py_ssize_t
bytes_left(const py_pinned_pointer *p)
{
    const py_pinned *mem = (py_pinned *)p->mem;

    return mem->ptr ? mem->size - p->offset : 0;
}

static PyObject *
py_pinned_pointer_size(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyLong_FromSsize_t(bytes_left((py_pinned_pointer *)self));
}

static PyObject *
pointer_moved(PyObject *a, PyObject *b, int sign)
{
    bool reversed = !Py_IS_TYPE(a, &py_PinnedMemoryPointerType);
    const py_pinned_pointer *p = (py_pinned_pointer *)(reversed ? b : a);
    PyObject *number = reversed ? a : b;
    Py_ssize_t n;

    if (!PyIndex_Check(number) || (reversed && sign < 0)) Py_RETURN_NOTIMPLEMENTED;
    n = PyNumber_AsSsize_t(number, PyExc_OverflowError);
    if (n == -1 && PyErr_Occurred()) return NULL;
    if (sign < 0 ? __builtin_sub_overflow(p->offset, n, &n)
                 : __builtin_add_overflow(p->offset, n, &n)) {
        return py_fail(CUPRIC_ERR_OVERFLOW, "the pointer's offset is too large");
    }
    return py_pinned_pointer_new(p->mem, n);
}

static PyObject *
py_pinned_pointer_add(PyObject *a, PyObject *b)
{
    return pointer_moved(a, b, 1);
}

static PyObject *
py_pinned_pointer_subtract(PyObject *a, PyObject *b)
{
    return pointer_moved(a, b, -1);
}

static int
py_pinned_pointer_getbuffer(PyObject *self, Py_buffer *view, int flags)
{
    const py_pinned_pointer *p = (py_pinned_pointer *)self;
    int failed;

    if (p->offset < 0 || bytes_left(p) < 0) {
        PyErr_SetString(PyExc_BufferError, "the pointer is outside its memory");
        return -1;
    }
    failed = PyBuffer_FillInfo(view, self, address_of(p), bytes_left(p), 0, flags);
    if (!failed) ((py_pinned *)p->mem)->exports++;
    return failed;
}

static void
py_pinned_pointer_releasebuffer(PyObject *self, Py_buffer *view)
{
    (void)view;
    ((py_pinned *)((py_pinned_pointer *)self)->mem)->exports--;
}

static PyNumberMethods pointer_as_number = {
    .nb_add = py_pinned_pointer_add,
    .nb_subtract = py_pinned_pointer_subtract,
    .nb_int = py_pinned_pointer_int,
};

static PyBufferProcs pointer_as_buffer = {
    .bf_getbuffer = py_pinned_pointer_getbuffer,
    .bf_releasebuffer = py_pinned_pointer_releasebuffer,
};

static PyGetSetDef pointer_getset[] = {
    {"ptr", py_pinned_pointer_get_ptr, NULL, "The address, as an int.", NULL},
    {"mem", py_pinned_pointer_get_mem, NULL, "The memory it points into.", NULL},
    {0},
};

static PyMethodDef pointer_methods[] = {
    {"size", py_pinned_pointer_size, METH_NOARGS, pinned_pointer_size_doc},
    {0},
};

PyTypeObject py_PinnedMemoryPointerType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name =
        "cupric.cuda.pinned_memory.PinnedMemoryPointer",
    .tp_doc = pinned_pointer_doc,
    .tp_basicsize = sizeof(py_pinned_pointer),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = py_pinned_pointer_make,
    .tp_dealloc = py_pinned_pointer_dealloc,
    .tp_repr = py_pinned_pointer_repr,
    .tp_as_number = &pointer_as_number,
    .tp_as_buffer = &pointer_as_buffer,
    .tp_methods = pointer_methods,
    .tp_getset = pointer_getset,
};

int
py_pinned_init(PyObject *module)
{
    const struct {
        const char *name;
        PyTypeObject *type;
    } types[] = {
        {"PinnedMemory", &py_PinnedMemoryType},
        {"PooledPinnedMemory", &py_PooledPinnedMemoryType},
        {"PinnedMemoryPointer", &py_PinnedMemoryPointerType},
        {"PinnedMemoryPool", &py_PinnedMemoryPoolType},
    };

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        PyObject *type = (PyObject *)types[i].type;
        if (PyType_Ready(types[i].type)) return -1;
        if (PyModule_AddObjectRef(module, types[i].name, type)) return -1;
    }
    return 0;
}
