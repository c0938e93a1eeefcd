/* py_hooks.c: memory hooks: Python's function that is called around what pools do. */
#include <Python.h>

#include "memory/pool.h"
#include "memory/py_pool.h"
#include "py_status.h"

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

cu_status
py_hooks_alloc(cu_pool *pool, cu_device *d, size_t nbytes, cu_storage **out)
{
    if (nbytes == 0) return cu_storage_wrap(d, NULL, 0, NULL, NULL, out);
    if (hook) return alloc_with_hooks(pool, d, nbytes, out);
    return cu_pool_alloc(pool, nbytes, cu_stream_current(d), out);
}

/* An exception has nowhere to go. */
void
py_hooks_return(cu_storage *s)
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

void
py_hooks_set(PyObject *f)
{
    if (f == Py_None) {
        Py_CLEAR(hook);
    } else {
        Py_XSETREF(hook, Py_NewRef(f));
    }
}

bool
py_hooks_active(void)
{
    return hook != NULL;
}
