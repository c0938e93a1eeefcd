/* py_event.c: cupric.cuda.Event. */
#include <Python.h>

#include <string.h>

#include "device/py_device.h"
#include "device/py_device_doc.h"
#include "py_status.h"

static cu_event *
event_of(PyObject *self)
{
    return ((py_event *)self)->event;
}

static const cu_backend *
backend_of(PyObject *self)
{
    return ((py_event *)self)->device->backend;
}

static PyObject *
py_event_make(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"block", "disable_timing", "interprocess", NULL};
    int block = 0, disable_timing = 0, interprocess = 0;
    uint32_t flags = 0;
    cu_device *d = NULL;
    py_event *self = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|ppp:Event", names, &block,
                                     &disable_timing, &interprocess)) {
        return NULL;
    }
    if (interprocess && !disable_timing) {
        return py_fail(CUPRIC_ERR_VALUE, "An interprocess event needs "
                                         "disable_timing=True");
    }
    if (!py_device_convert(Py_None, &d)) return NULL;
    if (cu_device_check(d)) return py_raise();
    if (block) flags |= CUPRIC_EVENT_BLOCKING;
    if (disable_timing) flags |= CUPRIC_EVENT_NO_TIMING;
    if (interprocess) flags |= CUPRIC_EVENT_IPC;
    self = (py_event *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->device = d;
    if (d->backend->event_new(d->ordinal, flags, &self->event)) {
        Py_DECREF(self);
        return py_raise();
    }
    return (PyObject *)self;
}

static void
py_event_dealloc(PyObject *self)
{
    if (event_of(self)) backend_of(self)->event_free(event_of(self));
    Py_TYPE(self)->tp_free(self);
}

static PyObject *
py_event_record(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"stream", NULL};
    PyObject *stream = Py_None;
    cu_stream *s = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:record", names, &stream)) {
        return NULL;
    }
    if (py_stream_on(stream, ((py_event *)self)->device, &s)) return NULL;
    if (backend_of(self)->event_record(event_of(self), s)) return py_raise();
    Py_RETURN_NONE;
}

static PyObject *
py_event_synchronize(PyObject *self, PyObject *unused)
{
    cu_status st;

    (void)unused;
    Py_BEGIN_ALLOW_THREADS
    st = cu_wait_check();
    if (!st) st = backend_of(self)->event_sync(event_of(self));
    Py_END_ALLOW_THREADS
    if (st) return py_raise();
    Py_RETURN_NONE;
}

static PyObject *
py_event_get_done(PyObject *self, void *closure)
{
    bool done;

    (void)closure;
    if (backend_of(self)->event_query(event_of(self), &done)) return py_raise();
    return PyBool_FromLong(done);
}

static PyObject *
py_event_get_ptr(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromVoidPtr(event_of(self));
}

static PyObject *
py_event_repr(PyObject *self)
{
    const char *name = strrchr(Py_TYPE(self)->tp_name, '.');

    return PyUnicode_FromFormat(
        "<%s %zu (device %d)>", name ? name + 1 : Py_TYPE(self)->tp_name,
        (size_t)event_of(self), ((py_event *)self)->device->ordinal);
}

static PyGetSetDef getset[] = {
    {"done", py_event_get_done, NULL, "Whether the work it marks is done.", NULL},
    {"ptr", py_event_get_ptr, NULL, "The event's handle, as an int.", NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"record", (PyCFunction)(void (*)(void))py_event_record,
     METH_VARARGS | METH_KEYWORDS, event_record_doc},
    {"synchronize", py_event_synchronize, METH_NOARGS, event_synchronize_doc},
    {0},
};

PyTypeObject py_EventType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.stream.Event",
    .tp_doc = event_doc,
    .tp_basicsize = sizeof(py_event),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = py_event_make,
    .tp_dealloc = py_event_dealloc,
    .tp_repr = py_event_repr,
    .tp_methods = methods,
    .tp_getset = getset,
};

static PyObject *
py_event_elapsed(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"start_event", "end_event", NULL};
    PyObject *from, *to;
    float ms;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O!:get_elapsed_time", names,
                                     &py_EventType, &from, &py_EventType, &to)) {
        return NULL;
    }
    if (backend_of(from) != backend_of(to)) {
        return py_fail(CUPRIC_ERR_VALUE, "the events are of different kinds of device");
    }
    if (backend_of(from)->event_elapsed(event_of(from), event_of(to), &ms)) {
        return py_raise();
    }
    return PyFloat_FromDouble(ms);
}

static PyMethodDef functions[] = {
    {"get_elapsed_time", (PyCFunction)(void (*)(void))py_event_elapsed,
     METH_VARARGS | METH_KEYWORDS, event_elapsed_doc},
    {0},
};

int
py_event_init(PyObject *module)
{
    if (PyType_Ready(&py_EventType)) return -1;
    if (PyModule_AddFunctions(module, functions)) return -1;
    return PyModule_AddObjectRef(module, "Event", (PyObject *)&py_EventType);
}
