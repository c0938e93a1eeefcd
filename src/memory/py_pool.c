/* py_pool.c: cupric.cuda.MemoryPool. */
#include <Python.h>

#include "memory/py_pool.h"

#include <string.h>

#include "device/py_device.h"
#include "memory/capture.h"
#include "memory/pool.h"
#include "memory/py_memory.h"
#include "memory/py_memory_doc.h"
#include "py_status.h"

typedef struct py_pool {
    PyObject_HEAD
    bool is_default;
    cu_pool *pool[CUPRIC_MAXDEVICES]; /* owned, made on first use, not by the default */
} py_pool;

static PyTypeObject py_MemoryPoolType;

PyObject *py_default_pool;
PyObject *py_default_malloc;

static cu_status
pool_of(py_pool *self, cu_device *d, cu_pool **out)
{
    cu_status st;

    if (self->is_default) return cu_pool_default(d, out);
    if (!self->pool[d->index]) {
        st = cu_pool_new(d, &self->pool[d->index]);
        if (st) return st;
    }
    *out = self->pool[d->index];
    return CUPRIC_OK;
}

/* The pool of the current device; NULL with an exception. */
static cu_pool *
current_pool(PyObject *self)
{
    cu_device *d;
    cu_pool *pool;

    if (!py_device_convert(Py_None, &d)) return NULL;
    if (pool_of((py_pool *)self, d, &pool)) return py_raise(), NULL;
    return pool;
}

int
py_allocator_check(PyObject *allocator)
{
    if (allocator == Py_None || PyCallable_Check(allocator)) return 0;
    PyErr_Format(PyExc_TypeError, "an allocator is callable or None, not %s",
                 Py_TYPE(allocator)->tp_name);
    return -1;
}

/* A pool over an allocator of the user's, made in Python: what the core holds its lock
 * for must not wait for the GIL. None where memory of the core's own will do. */
static PyObject *
pool_over(PyObject *allocator)
{
    PyObject *module = PyImport_ImportModule("cupric.cuda.memory");
    PyObject *pool;

    if (!module) return NULL;
    pool = PyObject_CallMethod(module, "_pool_over", "O", allocator);
    Py_DECREF(module);
    return pool;
}

static PyObject *
py_pool_make(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"allocator", NULL};
    PyObject *allocator = Py_None;
    PyObject *pool; /* owned */

    if (type != &py_MemoryPoolType) return type->tp_alloc(type, 0);
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:MemoryPool", names,
                                     &allocator)) {
        return NULL;
    }
    if (py_allocator_check(allocator)) return NULL;
    if (allocator != Py_None) {
        pool = pool_over(allocator);
        if (!pool || pool != Py_None) return pool;
        Py_DECREF(pool);
    }
    return type->tp_alloc(type, 0);
}

static void
py_pool_dealloc(PyObject *o)
{
    for (int i = 0; i < CUPRIC_MAXDEVICES; i++) cu_pool_free(((py_pool *)o)->pool[i]);
    Py_TYPE(o)->tp_free(o);
}

static PyObject *
py_pool_malloc(PyObject *self, PyObject *size)
{
    cu_pool *pool = current_pool(self);
    cu_storage *s = NULL;
    size_t nbytes;
    cu_status st;

    if (!pool || !py_size_convert(size, &nbytes)) return NULL;
    st = py_hooks_alloc(pool, cu_pool_device(pool), nbytes, &s);
    if (st) return py_raise();
    return py_pointer_steal(s);
}

static PyObject *
stat_of(PyObject *self, size_t (*get)(const cu_pool_stats *))
{
    cu_pool *pool = current_pool(self);
    cu_pool_stats stats;

    if (!pool) return NULL;
    cu_pool_get_stats(pool, &stats);
    return PyLong_FromSize_t(get(&stats));
}

#define STATISTIC(name, expression)                                                    \
    static size_t get_##name(const cu_pool_stats *s)                                   \
    {                                                                                  \
        return expression;                                                             \
    }                                                                                  \
    static PyObject *py_pool_##name(PyObject *self, PyObject *un)                      \
    {                                                                                  \
        (void)un;                                                                      \
        return stat_of(self, get_##name);                                              \
    }

STATISTIC(used_bytes, s->used_bytes)
STATISTIC(total_bytes, s->total_bytes)
STATISTIC(free_bytes, s->total_bytes - s->used_bytes)
STATISTIC(n_free_blocks, s->n_free_blocks)
STATISTIC(get_limit, s->limit)

static PyObject *
py_pool_free_all(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"stream", NULL};
    PyObject *stream = Py_None;
    cu_pool *pool;
    cu_stream *s;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:free_all_blocks", names,
                                     &stream)) {
        return NULL;
    }
    pool = current_pool(self);
    /* What is free is any stream's; it is all returned, whichever was meant. */
    if (!pool || py_stream_on(stream, cu_pool_device(pool), &s)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    cu_pool_trim(pool);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

static PyObject *
py_pool_free_all_free(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (PyErr_WarnEx(PyExc_DeprecationWarning,
                     "free_all_free is deprecated: use free_all_blocks", 1)) {
        return NULL;
    }
    return PyObject_CallMethod(self, "free_all_blocks", NULL);
}

static PyObject *
py_pool_set_limit(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"size", "fraction", NULL};
    PyObject *size = Py_None, *fraction = Py_None;
    cu_pool *pool;
    cu_status st;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:set_limit", names, &size,
                                     &fraction)) {
        return NULL;
    }
    if (size != Py_None && fraction != Py_None) {
        return py_fail(CUPRIC_ERR_VALUE,
                       "size and fraction cannot be specified at one time");
    }
    pool = current_pool(self);
    if (!pool) return NULL;
    if (fraction != Py_None) {
        double part = PyFloat_AsDouble(fraction);
        if (part == -1 && PyErr_Occurred()) return NULL;
        st = cu_pool_set_limit_fraction(pool, part);
    } else {
        size_t limit = 0;
        if (size != Py_None && !py_size_convert(size, &limit)) return NULL;
        st = cu_pool_set_limit(pool, limit);
    }
    if (st) return py_raise();
    Py_RETURN_NONE;
}

/* `<MemoryPool: 512 of 1048576 bytes used (device 0)>`. By its methods, which subclasses
 * have of their own; as any object where they fail. */
static PyObject *
py_pool_repr(PyObject *self)
{
    const char *dot = strrchr(Py_TYPE(self)->tp_name, '.');
    PyObject *used = PyObject_CallMethod(self, "used_bytes", NULL);
    PyObject *total = used ? PyObject_CallMethod(self, "total_bytes", NULL) : NULL;
    PyObject *r = NULL;
    cu_device *d;

    if (total && py_device_convert(Py_None, &d)) {
        r = PyUnicode_FromFormat("<%s: %S of %S bytes used (device %d)>",
                                 dot ? dot + 1 : Py_TYPE(self)->tp_name, used, total,
                                 d->ordinal);
    }
    Py_XDECREF(used);
    Py_XDECREF(total);
    if (r) return r;
    PyErr_Clear();
    return PyBaseObject_Type.tp_repr(self);
}

#define KEYWORDS(f) (PyCFunction)(void (*)(void))(f), METH_VARARGS | METH_KEYWORDS

static PyMethodDef pool_methods[] = {
    {"malloc", py_pool_malloc, METH_O, pool_malloc_doc},
    {"used_bytes", py_pool_used_bytes, METH_NOARGS, pool_used_bytes_doc},
    {"total_bytes", py_pool_total_bytes, METH_NOARGS, pool_total_bytes_doc},
    {"free_bytes", py_pool_free_bytes, METH_NOARGS, pool_free_bytes_doc},
    {"n_free_blocks", py_pool_n_free_blocks, METH_NOARGS, pool_n_free_blocks_doc},
    {"free_all_blocks", KEYWORDS(py_pool_free_all), pool_free_all_blocks_doc},
    {"free_all_free", py_pool_free_all_free, METH_NOARGS, pool_free_all_free_doc},
    {"set_limit", KEYWORDS(py_pool_set_limit), pool_set_limit_doc},
    {"get_limit", py_pool_get_limit, METH_NOARGS, pool_get_limit_doc},
    {0},
};

static PyTypeObject py_MemoryPoolType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.memory.MemoryPool",
    .tp_doc = pool_doc,
    .tp_basicsize = sizeof(py_pool),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = py_pool_make,
    .tp_dealloc = py_pool_dealloc,
    .tp_repr = py_pool_repr,
    .tp_methods = pool_methods,
};

/* ---- for allocators ---------------------------------------------------------------- */

PyObject *
py_pool_behind(PyObject *allocator)
{
    if (!allocator) return py_default_pool;
    if (!PyCFunction_Check(allocator)) return NULL;
    if (PyCFunction_GetFunction(allocator) != py_pool_malloc) return NULL;
    return PyCFunction_GetSelf(allocator);
}

cu_status
py_pool_serve(PyObject *self, cu_device *d, size_t nbytes, cu_storage **out)
{
    cu_pool *pool;
    cu_status st = pool_of((py_pool *)self, d, &pool);

    return st ? st : py_hooks_alloc(pool, d, nbytes, out);
}

/* ---- the module's functions -------------------------------------------------------- */

static PyObject *
py_pool_get_default(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return Py_NewRef(py_default_pool);
}

static PyObject *
py_pool_pointer_device(PyObject *module, PyObject *ptr)
{
    void *address = PyLong_AsVoidPtr(ptr);
    cu_device *d;

    (void)module;
    if (!address && PyErr_Occurred()) return NULL;
    d = cu_pool_find_device(address);
    if (!d) Py_RETURN_NONE;
    return py_device_new(d);
}

static PyObject *
py_pool_fail_allocation(PyObject *module, PyObject *args)
{
    long n;

    (void)module;
    if (!PyArg_ParseTuple(args, "l:_fail_allocation", &n)) return NULL;
    return PyLong_FromLong(cu_pool_fail_after(n));
}

static PyObject *
py_pool_guard(PyObject *module, PyObject *on)
{
    const int wanted = PyObject_IsTrue(on);

    (void)module;
    if (wanted < 0) return NULL;
    return PyBool_FromLong(cu_pool_guard(wanted));
}

static PyObject *
py_pool_guard_finding(PyObject *module, PyObject *unused)
{
    char text[256];

    (void)module, (void)unused;
    if (!cu_pool_guard_finding(text, sizeof text)) Py_RETURN_NONE;
    return PyUnicode_FromString(text);
}

static PyMethodDef functions[] = {
    {"get_default_memory_pool", py_pool_get_default, METH_NOARGS,
     "get_default_memory_pool()\n--\n\nThe pool that serves arrays by default.\n\n"
     "Returns\n-------\ncupric.cuda.MemoryPool\n\n"
     "Examples\n--------\n"
     ">>> x = cp.ones(1000)\n"
     ">>> cp.get_default_memory_pool().used_bytes() >= x.nbytes\n"
     "True\n"},
    {"pointer_device", py_pool_pointer_device, METH_O,
     "pointer_device(ptr)\n--\n\nThe device whose pools hold the address, or None."},
    {"_fail_allocation", py_pool_fail_allocation, METH_VARARGS,
     "_fail_allocation(n)\n--\n\nFor tests: let the n-th allocation from now fail (0: "
     "none). The count left over from before; 0 if it struck."},
    {"_guard", py_pool_guard, METH_O,
     "_guard(on)\n--\n\nFor tests: whether blocks on the host that are handed out from "
     "now on have red zones around them. What it was before."},
    {"_guard_finding", py_pool_guard_finding, METH_NOARGS,
     "_guard_finding()\n--\n\nFor tests: the first write outside a block since the "
     "last "
     "call, of those freed and of all in use, or None."},
    {0},
};

/* Memory is short. Exceptions keep frames in cycles, and frames arrays: collect those;
 * and let other threads work while the device is waited for. */
static void
help(cu_pool *pool, bool thorough, void (*wait)(cu_pool *pool))
{
    if (!Py_IsInitialized() || !PyGILState_Check()) {
        wait(pool);
        return;
    }
    if (thorough) PyGC_Collect();
    Py_BEGIN_ALLOW_THREADS
    wait(pool);
    Py_END_ALLOW_THREADS
}

int
py_pool_init(PyObject *module)
{
    PyObject *type = (PyObject *)&py_MemoryPoolType;

    cu_capture_register();
    if (PyType_Ready(&py_MemoryPoolType)) return -1;
    py_default_pool = PyObject_CallNoArgs(type);
    if (!py_default_pool) return -1;
    ((py_pool *)py_default_pool)->is_default = true;
    py_default_malloc = PyObject_GetAttrString(py_default_pool, "malloc");
    if (!py_default_malloc) return -1;
    if (PyModule_AddFunctions(module, functions)) return -1;
    cu_pool_set_helper(help);
    return PyModule_AddObjectRef(module, "MemoryPool", type);
}
