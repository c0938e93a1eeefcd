/* py_allocator.c: which allocator serves new arrays.
 *
 * As long as nobody has set an allocator and no memory hook is active, cu_storage_new goes
 * to the default pools and nothing here runs. Otherwise serve() stands in for it.
 */
#include <Python.h>

#include "device/py_device.h"
#include "memory/py_memory.h"
#include "memory/py_memory_doc.h"
#include "memory/py_pool.h"
#include "py_gil.h"
#include "py_status.h"

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

static cu_status
serve_locked(PyObject *allocator, cu_device *d, size_t nbytes, cu_storage **out)
{
    PyObject *behind = py_pool_behind(allocator);

    if (nbytes == 0) return cu_storage_wrap(d, NULL, 0, NULL, NULL, out);
    if (behind) return py_pool_serve(behind, d, nbytes, out);
    if (allocator == Py_None) return cu_storage_direct(d, nbytes, out);
    return call_allocator(allocator, d, nbytes, out);
}

static cu_status
serve(cu_device *d, size_t nbytes, cu_storage **out)
{
    PyGILState_STATE gil = py_gil_take();
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
    bool needed = global_allocator || n_threads_own || py_hooks_active();

    cu_storage_set_allocator(needed ? serve : NULL);
    cu_storage_set_release_hook(py_hooks_active() ? py_hooks_return : NULL);
}

static bool
is_default_malloc(PyObject *allocator)
{
    return py_pool_behind(allocator) == py_default_pool;
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
    if (py_allocator_check(allocator)) return NULL;
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
    return Py_NewRef(global_allocator ? global_allocator : py_default_malloc);
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
        if (py_allocator_check(allocator)) return NULL;
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
    if (py_allocator_check(f)) return NULL;
    py_hooks_set(f);
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

#define KEYWORDS(f) (PyCFunction)(void (*)(void))(f), METH_VARARGS | METH_KEYWORDS

static PyMethodDef functions[] = {
    {"alloc", py_pool_alloc, METH_O, alloc_doc},
    {"set_allocator", KEYWORDS(py_pool_set_allocator), set_allocator_doc},
    {"get_allocator", py_pool_get_allocator, METH_NOARGS, get_allocator_doc},
    {"_swap_thread_allocator", py_pool_swap_thread_allocator, METH_O, NULL},
    {"_set_memory_watcher", py_pool_set_watcher, METH_O, NULL},
    {0},
};

int
py_allocator_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
