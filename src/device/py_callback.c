/* py_callback.c: Python functions that run when a stream reaches them. */
#include <Python.h>

#include "device/py_device.h"
#include "py_gil.h"
#include "py_status.h"

/* All owned. `stream` is NULL for the plain kind. */
typedef struct callback {
    PyObject *function, *stream, *arg;
} callback;

static void
callback_free(callback *c)
{
    Py_DECREF(c->function);
    Py_XDECREF(c->stream);
    Py_DECREF(c->arg);
    PyMem_RawFree(c);
}

/* A graph's callback goes with the graph, which may be let go of without the GIL. */
static void
callback_release(void *arg)
{
    PyGILState_STATE gil;

    if (!Py_IsInitialized()) return;
    gil = PyGILState_Ensure();
    callback_free(arg);
    PyGILState_Release(gil);
}

static void
callback_call(void *arg)
{
    callback *c = arg;
    PyGILState_STATE gil = py_gil_take();
    PyObject *result;

    if (c->stream) {
        result = PyObject_CallFunction(c->function, "OiO", c->stream, 0, c->arg);
    } else {
        result = PyObject_CallOneArg(c->function, c->arg);
    }
    if (!result) PyErr_WriteUnraisable(c->function);
    Py_XDECREF(result);
    PyGILState_Release(gil);
}

static void
callback_run(void *arg)
{
    callback_call(arg);
    callback_release(arg);
}

/* Queue a callback, which takes `c` even where it fails. */
static cu_status
callback_queue(cu_stream *s, callback *c)
{
    bool captured = false;
    cu_status st = cu_graph_is_recorded(s, &captured);

    if (!st && captured) {
        st = cu_graph_keep(s, c, callback_release);
        if (!st) return s->backend->stream_callback(s, callback_call, c);
    }
    if (!st) st = s->backend->stream_callback(s, callback_run, c);
    if (st) callback_free(c);
    return st;
}

int
py_callback_queue(cu_stream *s, PyObject *function, PyObject *stream, PyObject *arg)
{
    callback *c = PyMem_RawMalloc(sizeof *c);

    if (!c) return PyErr_NoMemory(), -1;
    c->function = Py_NewRef(function);
    c->stream = Py_XNewRef(stream);
    c->arg = Py_NewRef(arg);
    return callback_queue(s, c) ? py_raise_int() : 0;
}
