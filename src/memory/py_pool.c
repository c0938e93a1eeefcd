/* py_pool.c: cupric.cuda.MemoryPool, and which allocator serves new arrays.
 *
 * As long as nobody has set an allocator and no memory hook is active, cu_storage_new goes
 * to the default pools and nothing here runs. Otherwise serve() stands in for it.
 */
#include <Python.h>

#include "device/py_device.h"
#include "memory/capture.h"
#include "memory/pool.h"
#include "memory/py_memory.h"
#include "py_status.h"

typedef struct py_pool {
    PyObject_HEAD
    bool is_default;
    cu_pool *pool[CUPRIC_MAXDEVICES]; /* owned, made on first use, not by the default */
} py_pool;

static PyTypeObject py_MemoryPoolType;

static PyObject *default_pool;   /* owned, for ever: a py_pool */
static PyObject *default_malloc; /* owned, for ever: its bound method malloc */

/* ---- the pool ---------------------------------------------------------------------- */

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

static int
check_allocator(PyObject *allocator)
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
    if (check_allocator(allocator)) return NULL;
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

static cu_status hooked_alloc(cu_pool *pool, cu_device *d, size_t nbytes,
                              cu_storage **out);

static PyObject *
py_pool_malloc(PyObject *self, PyObject *size)
{
    cu_pool *pool = current_pool(self);
    cu_storage *s = NULL;
    size_t nbytes;
    cu_status st;

    if (!pool || !py_size_convert(size, &nbytes)) return NULL;
    st = hooked_alloc(pool, cu_pool_device(pool), nbytes, &s);
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

#define KEYWORDS(f) (PyCFunction)(void (*)(void))(f), METH_VARARGS | METH_KEYWORDS

static PyMethodDef pool_methods[] = {
    {"malloc", py_pool_malloc, METH_O,
     "malloc(size)\n--\n\nA MemoryPointer to that many bytes of the current device."},
    {"used_bytes", py_pool_used_bytes, METH_NOARGS,
     "used_bytes()\n--\n\nBytes in use, in blocks of 512."},
    {"total_bytes", py_pool_total_bytes, METH_NOARGS,
     "total_bytes()\n--\n\nBytes held from the device, which come 2 MiB and more at a "
     "time."},
    {"free_bytes", py_pool_free_bytes, METH_NOARGS,
     "free_bytes()\n--\n\nBytes held and not in use."},
    {"n_free_blocks", py_pool_n_free_blocks, METH_NOARGS,
     "n_free_blocks()\n--\n\nThe number of blocks that were freed and are kept for "
     "reuse."},
    {"free_all_blocks", KEYWORDS(py_pool_free_all),
     "free_all_blocks(stream=None)\n--\n\nReturn what is not in use to the device."},
    {"free_all_free", py_pool_free_all_free, METH_NOARGS,
     "free_all_free()\n--\n\nDeprecated: free_all_blocks."},
    {"set_limit", KEYWORDS(py_pool_set_limit),
     "set_limit(size=None, fraction=None)\n--\n\n"
     "Hold no more than this many bytes, or this part of the device's memory. 0: any."},
    {"get_limit", py_pool_get_limit, METH_NOARGS,
     "get_limit()\n--\n\nThe limit in bytes; 0: none."},
    {0},
};

static PyTypeObject py_MemoryPoolType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.memory.MemoryPool",
    .tp_doc = "MemoryPool(allocator=None)\n--\n\n"
              "Device memory, kept for reuse: a pool for each device.\n\n"
              "Its methods mean the current device's.",
    .tp_basicsize = sizeof(py_pool),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = py_pool_make,
    .tp_dealloc = py_pool_dealloc,
    .tp_methods = pool_methods,
};

/* ---- hooks ------------------------------------------------------------------------- */

static PyObject *hook; /* owned: called with (event, keyword arguments); NULL: none */

/* What a hook is told of. */
typedef struct hook_event {
    const char *event;
    int device_id;
    size_t size, mem_size;
    const void *ptr;
    const cu_storage *storage;
} hook_event;

static cu_status
notify(const hook_event *n)
{
    PyObject *result;

    if (!hook) return CUPRIC_OK;
    result = PyObject_CallFunction(
        hook, "s{s:i,s:n,s:n,s:N,s:N}", n->event, "device_id", n->device_id, "size",
        (Py_ssize_t)n->size, "mem_size", (Py_ssize_t)n->mem_size, "mem_ptr",
        PyLong_FromVoidPtr((void *)n->ptr), "pmem_id",
        PyLong_FromVoidPtr((void *)n->storage));
    if (!result) return CUPRIC_ERR_PYTHON;
    Py_DECREF(result);
    return CUPRIC_OK;
}

static size_t
pool_total(cu_pool *pool)
{
    cu_pool_stats stats;

    cu_pool_get_stats(pool, &stats);
    return stats.total_bytes;
}

/* The same of an allocation that failed, whose status is given and passed on. */
static cu_status
notify_failure(const hook_event *n, cu_status failure)
{
    char *message =
        strdup(cu_error_message()); /* owned: hooks may fail at things, too */
    cu_status st = notify(n);

    if (!st) st = cu_fail(failure, "%s", message ? message : "Out of memory");
    free(message);
    return st;
}

/* The pool's own growth is told when it is over: it happens under the pool's lock, where
 * nothing may wait for the GIL. */
static cu_status
alloc_with_hooks(cu_pool *pool, cu_device *d, size_t nbytes, cu_storage **out)
{
    size_t rounded =
        (nbytes + CUPRIC_POOL_UNIT - 1) / CUPRIC_POOL_UNIT * CUPRIC_POOL_UNIT;
    hook_event n = {"malloc_preprocess", d->ordinal, nbytes, rounded, NULL, NULL};
    cu_storage *s = NULL;
    size_t before, after;
    cu_status st;

    st = notify(&n);
    if (st) return st;
    before = pool_total(pool);
    n.event = "malloc_postprocess";
    st = cu_pool_alloc(pool, nbytes, cu_stream_current(d), &s);
    if (st) return notify_failure(&n, st);
    after = pool_total(pool);
    n.ptr = s->ptr;
    if (after > before) {
        hook_event grown = n;
        grown.mem_size = after - before;
        grown.event = "alloc_preprocess";
        st = notify(&grown);
        grown.event = "alloc_postprocess";
        if (!st) st = notify(&grown);
    }
    n.storage = s;
    if (!st) st = notify(&n);
    if (st) {
        cu_storage_unref(s);
        return st;
    }
    *out = s;
    return CUPRIC_OK;
}

static cu_status
hooked_alloc(cu_pool *pool, cu_device *d, size_t nbytes, cu_storage **out)
{
    if (nbytes == 0) return cu_storage_wrap(d, NULL, 0, NULL, NULL, out);
    if (hook) return alloc_with_hooks(pool, d, nbytes, out);
    return cu_pool_alloc(pool, nbytes, cu_stream_current(d), out);
}

/* Stands in for cu_pool_return while there are hooks. An exception has nowhere to go. */
static void
return_with_hooks(cu_storage *s)
{
    PyGILState_STATE gil;
    PyObject *type, *value, *traceback;
    hook_event n;

    if (!Py_IsInitialized()) {
        cu_pool_return(s);
        return;
    }
    gil = PyGILState_Ensure();
    PyErr_Fetch(&type, &value, &traceback);
    n = (hook_event){"free_preprocess",
                     s->device->ordinal,
                     s->nbytes,
                     cu_pool_block_bytes(s),
                     s->ptr,
                     s};
    if (notify(&n)) PyErr_WriteUnraisable(hook);
    cu_pool_return(s);
    n.event = "free_postprocess";
    if (notify(&n)) PyErr_WriteUnraisable(hook);
    PyErr_Restore(type, value, traceback);
    PyGILState_Release(gil);
}

/* ---- the allocator of arrays ------------------------------------------------------- */

/* An allocator is a callable from a size to a MemoryPointer, or None: straight from the
 * device. The thread's own, when it has one, goes before everybody's. */
static PyObject *global_allocator;          /* owned; NULL: the default pool */
static _Thread_local PyObject *threads_own; /* owned; NULL: none */
static int n_threads_own;                   /* under the GIL */

static cu_status
call_allocator(PyObject *allocator, cu_device *d, size_t nbytes, cu_storage **out)
{
    cu_device *before = cu_device_current();
    PyObject *pointer; /* owned */
    cu_storage *s = NULL;
    ptrdiff_t offset;
    cu_status st = CUPRIC_ERR_PYTHON;

    cu_device_set_current(d);
    pointer = PyObject_CallFunction(allocator, "n", (Py_ssize_t)nbytes);
    cu_device_set_current(before);
    if (!pointer) return CUPRIC_ERR_PYTHON;
    if (py_pointer_storage(pointer, &s, &offset)) goto done;
    if (offset != 0 || s->nbytes < nbytes || s->device != d) {
        st = cu_fail(CUPRIC_ERR_VALUE,
                     "the allocator gave %zu bytes on device %d where %zu on device %d "
                     "were asked for",
                     s->nbytes, s->device->ordinal, nbytes, d->ordinal);
        goto done;
    }
    *out = cu_storage_ref(s);
    st = CUPRIC_OK;

done:
    cu_storage_unref(s);
    Py_DECREF(pointer);
    return st;
}

/* The MemoryPool whose malloc this is, borrowed, or NULL. */
static py_pool *
pool_behind(PyObject *allocator)
{
    if (!allocator) return (py_pool *)default_pool;
    if (!PyCFunction_Check(allocator)) return NULL;
    if (PyCFunction_GetFunction(allocator) != py_pool_malloc) return NULL;
    return (py_pool *)PyCFunction_GetSelf(allocator);
}

static cu_status
serve_locked(PyObject *allocator, cu_device *d, size_t nbytes, cu_storage **out)
{
    py_pool *behind = pool_behind(allocator);
    cu_pool *pool;
    cu_status st;

    if (nbytes == 0) return cu_storage_wrap(d, NULL, 0, NULL, NULL, out);
    if (behind) {
        st = pool_of(behind, d, &pool);
        return st ? st : hooked_alloc(pool, d, nbytes, out);
    }
    if (allocator == Py_None) return cu_storage_direct(d, nbytes, out);
    return call_allocator(allocator, d, nbytes, out);
}

static cu_status
serve(cu_device *d, size_t nbytes, cu_storage **out)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *allocator = Py_XNewRef(threads_own ? threads_own : global_allocator);
    cu_status st;

    st = serve_locked(allocator, d, nbytes, out);
    Py_XDECREF(allocator);
    PyGILState_Release(gil);
    return st;
}

/* Stand in the way only while there is a reason to. */
static void
update_allocator(void)
{
    bool needed = global_allocator || n_threads_own || hook;

    cu_storage_set_allocator(needed ? serve : NULL);
    cu_storage_set_release_hook(hook ? return_with_hooks : NULL);
}

static bool
is_default_malloc(PyObject *allocator)
{
    return pool_behind(allocator) == (py_pool *)default_pool;
}

static PyObject *
py_pool_set_allocator(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"allocator", NULL};
    PyObject *allocator = Py_None;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:set_allocator", names,
                                     &allocator)) {
        return NULL;
    }
    if (check_allocator(allocator)) return NULL;
    if (threads_own) {
        return py_fail(CUPRIC_ERR_VALUE,
                       "Can't change the global allocator inside `using_allocator` "
                       "context manager");
    }
    if (is_default_malloc(allocator)) {
        Py_CLEAR(global_allocator);
    } else {
        Py_XSETREF(global_allocator, Py_NewRef(allocator));
    }
    update_allocator();
    Py_RETURN_NONE;
}

static PyObject *
py_pool_get_allocator(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    if (threads_own) return Py_NewRef(threads_own);
    return Py_NewRef(global_allocator ? global_allocator : default_malloc);
}

/* Set the thread's own allocator (Ellipsis: none) and return the one before. */
static PyObject *
py_pool_swap_thread_allocator(PyObject *module, PyObject *allocator)
{
    PyObject *before = threads_own;

    (void)module;
    if (allocator == Py_Ellipsis) {
        threads_own = NULL;
    } else {
        if (check_allocator(allocator)) return NULL;
        threads_own = Py_NewRef(allocator);
    }
    n_threads_own += (threads_own != NULL) - (before != NULL);
    update_allocator();
    return before ? before : Py_NewRef(Py_Ellipsis);
}

static PyObject *
py_pool_set_watcher(PyObject *module, PyObject *f)
{
    (void)module;
    if (check_allocator(f)) return NULL;
    if (f == Py_None) {
        Py_CLEAR(hook);
    } else {
        Py_XSETREF(hook, Py_NewRef(f));
    }
    update_allocator();
    Py_RETURN_NONE;
}

static PyObject *
py_pool_alloc(PyObject *module, PyObject *size)
{
    size_t nbytes;
    cu_device *d;
    cu_storage *s = NULL;
    PyObject *pointer;

    (void)module;
    if (!py_size_convert(size, &nbytes)) return NULL;
    if (!py_device_convert(Py_None, &d)) return NULL;
    if (threads_own || global_allocator) {
        PyObject *allocator = threads_own ? threads_own : global_allocator;
        if (allocator != Py_None) return PyObject_CallFunction(allocator, "O", size);
    }
    if (cu_storage_new(d, nbytes, &s)) return py_raise();
    pointer = py_pointer_new(s, 0);
    cu_storage_unref(s);
    return pointer;
}

static PyObject *
py_pool_get_default(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return Py_NewRef(default_pool);
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

static PyMethodDef functions[] = {
    {"alloc", py_pool_alloc, METH_O,
     "alloc(size)\n--\n\nA MemoryPointer to memory from the current allocator."},
    {"get_default_memory_pool", py_pool_get_default, METH_NOARGS,
     "get_default_memory_pool()\n--\n\nThe pool that serves arrays by default."},
    {"set_allocator", KEYWORDS(py_pool_set_allocator),
     "set_allocator(allocator=None)\n--\n\n"
     "Let new arrays come from `allocator(size)`, which gives a MemoryPointer. None: "
     "straight from the device."},
    {"get_allocator", py_pool_get_allocator, METH_NOARGS,
     "get_allocator()\n--\n\nWhat serves new arrays in this thread."},
    {"pointer_device", py_pool_pointer_device, METH_O,
     "pointer_device(ptr)\n--\n\nThe device whose pools hold the address, or None."},
    {"_swap_thread_allocator", py_pool_swap_thread_allocator, METH_O, NULL},
    {"_set_memory_watcher", py_pool_set_watcher, METH_O, NULL},
    {"_fail_allocation", py_pool_fail_allocation, METH_VARARGS,
     "_fail_allocation(n)\n--\n\nFor tests: let the n-th allocation from now fail (0: "
     "none). The count left over from before; 0 if it struck."},
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
    default_pool = PyObject_CallNoArgs(type);
    if (!default_pool) return -1;
    ((py_pool *)default_pool)->is_default = true;
    default_malloc = PyObject_GetAttrString(default_pool, "malloc");
    if (!default_malloc) return -1;
    if (PyModule_AddFunctions(module, functions)) return -1;
    cu_pool_set_helper(help);
    return PyModule_AddObjectRef(module, "MemoryPool", type);
}
