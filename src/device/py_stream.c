/* py_stream.c: cupric.cuda.Stream and ExternalStream.
 *
 * A Stream of a device holds a cu_stream. Stream.null and Stream.ptds hold none: they
 * mean the default, or the thread's own default, stream of whichever device is current.
 */
#include <Python.h>

#include "device/py_stream.h"

#include "device/py_device.h"
#include "device/py_device_doc.h"
#include "py_status.h"

static PyTypeObject py_StreamType;

/* Streams to return to, the latest first. */
typedef struct frame {
    cu_device *device;
    cu_stream *stream; /* owned */
    struct frame *below;
} frame;

static _Thread_local frame *frames;

/* CUDA's own name for "the default stream of the calling thread". */
#define PER_THREAD_HANDLE ((void *)2)

cu_device *
py_stream_device(const py_stream *self)
{
    return self->device ? self->device : cu_device_current();
}

/* The stream that `self` is on `d`, borrowed; NULL with an exception. */
static cu_stream *
stream_on(const py_stream *self, cu_device *d)
{
    cu_stream *own;

    if (self->stream) return self->stream;
    if (!(self->flags & CUPRIC_STREAM_PTDS)) return d->default_stream;
    if (cu_stream_own(d, &own)) return py_raise(), NULL;
    return own;
}

cu_stream *
py_stream_of(const py_stream *self)
{
    if (cu_devices_init()) return py_raise(), NULL;
    return stream_on(self, py_stream_device(self));
}

int
py_stream_on(PyObject *o, cu_device *d, cu_stream **out)
{
    const py_stream *self = (py_stream *)o;

    if (o == NULL || o == Py_None) {
        *out = cu_stream_current(d);
        return 0;
    }
    if (!PyObject_TypeCheck(o, &py_BaseStreamType)) {
        PyErr_Format(PyExc_TypeError,
                     "stream must be a cupric.cuda.Stream or None, not %s",
                     Py_TYPE(o)->tp_name);
        return -1;
    }
    if (self->device && self->device != d) {
        py_fail(CUPRIC_ERR_VALUE,
                "the stream is of %s device %d, the work is on %s "
                "device %d",
                self->device->backend->name, self->device->ordinal, d->backend->name,
                d->ordinal);
        return -1;
    }
    *out = stream_on(self, d);
    return *out ? 0 : -1;
}

static py_stream *
stream_alloc(PyTypeObject *type, cu_device *d, cu_stream *s, uint32_t flags)
{
    py_stream *self = (py_stream *)type->tp_alloc(type, 0);

    if (!self) return NULL;
    self->device = d;
    self->stream = s ? cu_stream_ref(s) : NULL;
    self->flags = flags;
    return self;
}

PyObject *
py_stream_new(cu_device *d, cu_stream *s)
{
    return (PyObject *)stream_alloc(&py_StreamType, d, s, s->flags);
}

static PyObject *
py_stream_make(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"null", "non_blocking", "ptds", "priority", NULL};
    int null = 0, non_blocking = 0, ptds = 0;
    long level = 0;
    PyObject *priority = Py_None;
    cu_device *d = NULL;
    cu_stream *s = NULL;
    PyObject *self;
    uint32_t flags;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|pppO:Stream", names, &null,
                                     &non_blocking, &ptds, &priority)) {
        return NULL;
    }
    if (null && ptds)
        return py_fail(CUPRIC_ERR_VALUE, "null and ptds exclude each other");
    if (null || ptds) {
        flags = ptds ? CUPRIC_STREAM_PTDS : 0;
        return (PyObject *)stream_alloc(type, NULL, NULL, flags);
    }
    if (priority != Py_None) {
        level = PyLong_AsLong(priority);
        if (level == -1 && PyErr_Occurred()) return NULL;
        if (level != (int)level) {
            return py_fail(CUPRIC_ERR_VALUE, "priority is out of range");
        }
    }
    if (!py_device_convert(Py_None, &d)) return NULL;
    flags = non_blocking ? CUPRIC_STREAM_NON_BLOCKING : 0;
    if (cu_stream_new(d, flags, (int)level, &s)) return py_raise();
    self = (PyObject *)stream_alloc(type, d, s, flags);
    cu_stream_unref(s);
    return self;
}

static PyObject *
wrap_handle(PyTypeObject *type, PyObject *ptr, cu_device *d, PyObject *owner)
{
    void *handle = PyLong_AsVoidPtr(ptr);
    cu_stream *s = NULL;
    py_stream *self;

    if (!handle && PyErr_Occurred()) return NULL;
    if (!handle) return (PyObject *)stream_alloc(type, d, d->default_stream, 0);
    if (cu_stream_wrap(d, handle, &s)) return py_raise();
    self = stream_alloc(type, d, s, CUPRIC_STREAM_EXTERNAL);
    cu_stream_unref(s);
    if (self) self->owner = Py_XNewRef(owner);
    return (PyObject *)self;
}

static PyObject *
py_stream_make_external(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"ptr", "device_id", NULL};
    PyObject *ptr;
    int device_id = -1;
    cu_device *d;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!|i:ExternalStream", names,
                                     &PyLong_Type, &ptr, &device_id)) {
        return NULL;
    }
    if (cu_devices_init()) return py_raise();
    d = cu_device_current();
    if (device_id >= 0 && cu_device_get(device_id, &d)) return py_raise();
    return wrap_handle(type, ptr, d, NULL);
}

/* An object of another library that speaks the __cuda_stream__ protocol. */
static PyObject *
py_stream_from_external(PyObject *type, PyObject *obj)
{
    PyObject *protocol = NULL, *ptr, *self = NULL;
    int version;

    if (cu_devices_init()) return py_raise();
    protocol = PyObject_GetAttrString(obj, "__cuda_stream__");
    if (protocol && PyCallable_Check(protocol)) {
        Py_SETREF(protocol, PyObject_CallNoArgs(protocol));
    }
    if (!protocol) return NULL;
    if (!PyTuple_Check(protocol)) {
        PyErr_SetString(PyExc_TypeError, "__cuda_stream__ did not give a tuple");
    } else if (PyArg_ParseTuple(protocol, "iO!", &version, &PyLong_Type, &ptr)) {
        self = wrap_handle((PyTypeObject *)type, ptr, cu_device_current(), obj);
    }
    Py_DECREF(protocol);
    return self;
}

/* A stream that ends while it records: what it recorded is nobody's. */
static void
drop_capture(py_stream *self)
{
    cu_captured *unwanted = NULL;

    if (self->stream && !cu_graph_end(self->stream, &unwanted)) {
        cu_captured_free(unwanted);
    }
}

static void
py_stream_dealloc(PyObject *o)
{
    py_stream *self = (py_stream *)o;

    if (self->weakrefs) PyObject_ClearWeakRefs(o);
    if (CUPRIC_UNLIKELY(self->records)) drop_capture(self);
    cu_stream_unref(self->stream);
    Py_XDECREF(self->owner);
    Py_TYPE(o)->tp_free(o);
}

/* ---- the current stream ------------------------------------------------------------ */

static PyObject *
py_stream_use(PyObject *self, PyObject *unused)
{
    cu_stream *s = py_stream_of((py_stream *)self);

    (void)unused;
    if (!s) return NULL;
    cu_stream_set_current(py_stream_device((py_stream *)self), s);
    return Py_NewRef(self);
}

static PyObject *
py_stream_enter(PyObject *self, PyObject *unused)
{
    cu_stream *s = py_stream_of((py_stream *)self);
    frame *f;

    (void)unused;
    if (!s) return NULL;
    f = malloc(sizeof *f);
    if (!f) return PyErr_NoMemory();
    f->device = py_stream_device((py_stream *)self);
    f->stream = cu_stream_ref(cu_stream_current(f->device));
    f->below = frames;
    frames = f;
    cu_stream_set_current(f->device, s);
    return Py_NewRef(self);
}

static PyObject *
py_stream_exit(PyObject *self, PyObject *unused)
{
    frame *f = frames;

    (void)self, (void)unused;
    if (!f) return py_fail(CUPRIC_ERR_RUNTIME, "this thread entered no stream");
    frames = f->below;
    cu_stream_set_current(f->device, f->stream);
    cu_stream_unref(f->stream);
    free(f);
    Py_RETURN_NONE;
}

/* ---- order ------------------------------------------------------------------------- */

static PyObject *
py_stream_synchronize(PyObject *self, PyObject *unused)
{
    cu_stream *s = py_stream_of((py_stream *)self);
    cu_status st;

    (void)unused;
    if (!s) return NULL;
    Py_BEGIN_ALLOW_THREADS
    st = cu_wait_check();
    if (!st) st = s->backend->stream_sync(s);
    Py_END_ALLOW_THREADS
    if (st) return py_raise();
    Py_RETURN_NONE;
}

#define LOOKS 20000 /* at a word in a cache: some tens of microseconds */

/* Wait until an int32 in memory that the device writes to is not 0, or the stream is done:
 * the word is seen sooner than the driver says the latter. */
static PyObject *
py_stream_wait_for_word(PyObject *self, PyObject *address)
{
    cu_stream *s = py_stream_of((py_stream *)self);
    const int32_t *word = PyLong_AsVoidPtr(address);
    int32_t written = 0;
    cu_status st;

    if (!s || PyErr_Occurred()) return NULL;
    Py_BEGIN_ALLOW_THREADS
    st = cu_wait_check();
    for (int i = 0; !st && !written && i < LOOKS; i++)
        written = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    if (!st && !written) st = s->backend->stream_sync(s);
    Py_END_ALLOW_THREADS
    if (st) return py_raise();
    Py_RETURN_NONE;
}

static PyObject *
py_stream_record(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"event", NULL};
    PyObject *event = Py_None;
    PyObject *result;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:record", names, &event)) {
        return NULL;
    }
    if (event == Py_None) {
        event = PyObject_CallNoArgs((PyObject *)&py_EventType);
    } else if (PyObject_TypeCheck(event, &py_EventType)) {
        Py_INCREF(event);
    } else {
        return PyErr_Format(PyExc_TypeError, "event must be an Event or None, not %s",
                            Py_TYPE(event)->tp_name);
    }
    if (!event) return NULL;
    result = PyObject_CallMethod(event, "record", "O", self);
    if (!result) {
        Py_DECREF(event);
        return NULL;
    }
    Py_DECREF(result);
    return event;
}

static PyObject *
py_stream_wait_event(PyObject *self, PyObject *event)
{
    cu_stream *s = py_stream_of((py_stream *)self);

    if (!s) return NULL;
    if (!PyObject_TypeCheck(event, &py_EventType)) {
        return PyErr_Format(PyExc_TypeError, "event must be an Event, not %s",
                            Py_TYPE(event)->tp_name);
    }
    if (((py_event *)event)->device->backend != s->backend) {
        return py_fail(CUPRIC_ERR_VALUE, "the event is of another kind of device");
    }
    if (s->backend->stream_wait(s, ((py_event *)event)->event)) return py_raise();
    if (cu_graph_join(s)) return py_raise();
    Py_RETURN_NONE;
}

/* ---- callbacks --------------------------------------------------------------------- */

static PyObject *
callback_add(PyObject *self, PyObject *args, PyObject *kwargs, bool with_stream)
{
    static char *names[] = {"callback", "arg", NULL};
    cu_stream *s = py_stream_of((py_stream *)self);
    PyObject *function, *arg;

    if (!s) return NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO", names, &function, &arg)) {
        return NULL;
    }
    if (py_callback_queue(s, function, with_stream ? self : NULL, arg)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *
py_stream_add_callback(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return callback_add(self, args, kwargs, true);
}

static PyObject *
py_stream_launch_host_func(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return callback_add(self, args, kwargs, false);
}

/* ---- properties -------------------------------------------------------------------- */

/* The handle as CUDA counts: 0 the default stream, 2 the thread's own. */
static void *
handle_of(const py_stream *self)
{
    if (self->stream) return self->stream->handle;
    return self->flags & CUPRIC_STREAM_PTDS ? PER_THREAD_HANDLE : NULL;
}

static int
device_id_of(const py_stream *self)
{
    return self->device ? self->device->ordinal : -1;
}

static PyObject *
py_stream_get_ptr(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromVoidPtr(handle_of((py_stream *)self));
}

static PyObject *
py_stream_get_device_id(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(device_id_of((py_stream *)self));
}

static PyObject *
py_stream_get_done(PyObject *self, void *closure)
{
    cu_stream *s = py_stream_of((py_stream *)self);
    bool done;

    (void)closure;
    if (!s) return NULL;
    if (s->backend->stream_query(s, &done)) return py_raise();
    return PyBool_FromLong(done);
}

static PyObject *
py_stream_get_priority(PyObject *self, void *closure)
{
    const py_stream *stream = (py_stream *)self;

    (void)closure;
    return PyLong_FromLong(stream->stream ? stream->stream->priority : 0);
}

static PyObject *
py_stream_get_non_blocking(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((py_stream *)self)->flags & CUPRIC_STREAM_NON_BLOCKING);
}

static PyObject *
py_stream_protocol(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_BuildValue("(iN)", 0, py_stream_get_ptr(self, NULL));
}

static PyObject *
py_stream_repr(PyObject *self)
{
    const char *name = strrchr(Py_TYPE(self)->tp_name, '.');

    return PyUnicode_FromFormat(
        "<%s %zu (device %d)>", name ? name + 1 : Py_TYPE(self)->tp_name,
        (size_t)handle_of((py_stream *)self), device_id_of((py_stream *)self));
}

static Py_hash_t
py_stream_hash(PyObject *self)
{
    Py_hash_t h = (Py_hash_t)((size_t)handle_of((py_stream *)self) >> 4);

    return h == -1 ? 0 : h;
}

/* Equal where they mean the same queue: the null stream of any device is the null one. */
static PyObject *
py_stream_compare(PyObject *a, PyObject *b, int op)
{
    const py_stream *x = (py_stream *)a, *y = (py_stream *)b;
    bool same;

    if (!PyObject_TypeCheck(b, &py_BaseStreamType) || (op != Py_EQ && op != Py_NE)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    same = handle_of(x) == handle_of(y);
    if (x->device && y->device && x->device != y->device) same = false;
    return PyBool_FromLong(same == (op == Py_EQ));
}

static PyGetSetDef getset[] = {
    {"ptr", py_stream_get_ptr, NULL, "The stream's handle, as an int.", NULL},
    {"device_id", py_stream_get_device_id, NULL, "Its device; -1: the current one.",
     NULL},
    {"done", py_stream_get_done, NULL, "Whether all work given to it is done.", NULL},
    {"priority", py_stream_get_priority, NULL, "Lower numbers go first.", NULL},
    {"is_non_blocking", py_stream_get_non_blocking, NULL,
     "Whether it runs beside the default stream.", NULL},
    {0},
};

#define KEYWORDS(f) (PyCFunction)(void (*)(void))(f), METH_VARARGS | METH_KEYWORDS

static PyMethodDef methods[] = {
    {"use", py_stream_use, METH_NOARGS, stream_use_doc},
    {"synchronize", py_stream_synchronize, METH_NOARGS, stream_synchronize_doc},
    {"_wait_for_word", py_stream_wait_for_word, METH_O, NULL},
    {"record", KEYWORDS(py_stream_record), stream_record_doc},
    {"wait_event", py_stream_wait_event, METH_O, stream_wait_event_doc},
    {"add_callback", KEYWORDS(py_stream_add_callback), stream_add_callback_doc},
    {"launch_host_func", KEYWORDS(py_stream_launch_host_func),
     stream_launch_host_func_doc},
    {"__cuda_stream__", py_stream_protocol, METH_NOARGS, NULL},
    {"__enter__", py_stream_enter, METH_NOARGS, NULL},
    {"__exit__", py_stream_exit, METH_VARARGS, NULL},
    {0},
};

static PyMethodDef stream_methods[] = {
    {"from_external", py_stream_from_external, METH_O | METH_CLASS,
     stream_from_external_doc},
    {0},
};

PyTypeObject py_BaseStreamType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.stream._BaseStream",
    .tp_basicsize = sizeof(py_stream),
    .tp_weaklistoffset = offsetof(py_stream, weakrefs),
    .tp_flags =
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = py_stream_dealloc,
    .tp_repr = py_stream_repr,
    .tp_hash = py_stream_hash,
    .tp_richcompare = py_stream_compare,
    .tp_methods = methods,
    .tp_getset = getset,
};

static PyTypeObject py_StreamType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.stream.Stream",
    .tp_doc = stream_doc,
    .tp_basicsize = sizeof(py_stream),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_base = &py_BaseStreamType,
    .tp_new = py_stream_make,
    .tp_methods = stream_methods,
};

static PyTypeObject py_ExternalStreamType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.stream.ExternalStream",
    .tp_doc = stream_external_doc,
    .tp_basicsize = sizeof(py_stream),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_base = &py_BaseStreamType,
    .tp_new = py_stream_make_external,
};

/* ---- functions --------------------------------------------------------------------- */

static PyObject *
py_stream_get_current(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"device_id", NULL};
    int device_id = -1;
    cu_device *d;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|i:get_current_stream", names,
                                     &device_id)) {
        return NULL;
    }
    if (cu_devices_init()) return py_raise();
    d = cu_device_current();
    if (device_id >= 0 && cu_device_get(device_id, &d)) return py_raise();
    return py_stream_new(d, cu_stream_current(d));
}

/* _allow_waiting(allowed): in this thread; returns what was set before. */
static PyObject *
py_allow_waiting(PyObject *self, PyObject *allowed)
{
    const int value = PyObject_IsTrue(allowed);

    (void)self;
    return value < 0 ? NULL : PyBool_FromLong(cu_wait_allow(value));
}

static PyObject *
py_wait_count(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return PyLong_FromUnsignedLongLong(cu_wait_count());
}

static PyMethodDef functions[] = {
    {"_allow_waiting", py_allow_waiting, METH_O, NULL},
    {"_wait_count", py_wait_count, METH_NOARGS,
     "_wait_count()\n--\n\nHow often this thread has waited for a device."},
    {"get_current_stream", KEYWORDS(py_stream_get_current), stream_get_current_doc},
    {0},
};

/* Stream.null, Stream.ptds: no device is asked for until they are used. */
static int
add_default_streams(void)
{
    static const struct {
        const char *name;
        uint32_t flags;
    } rows[] = {{"null", 0}, {"ptds", CUPRIC_STREAM_PTDS}};

    for (int i = 0; i < 2; i++) {
        py_stream *s = stream_alloc(&py_StreamType, NULL, NULL, rows[i].flags);
        int failed = !s || PyDict_SetItemString(py_StreamType.tp_dict, rows[i].name,
                                                (PyObject *)s);
        Py_XDECREF(s);
        if (failed) return -1;
    }
    PyType_Modified(&py_StreamType);
    return 0;
}

int
py_stream_init(PyObject *module)
{
    PyTypeObject *external = &py_ExternalStreamType;

    if (PyType_Ready(&py_BaseStreamType) || PyType_Ready(&py_StreamType)) return -1;
    if (PyType_Ready(external) || add_default_streams()) return -1;
    if (PyModule_AddFunctions(module, functions)) return -1;
    if (PyModule_AddObjectRef(module, "Stream", (PyObject *)&py_StreamType)) return -1;
    return PyModule_AddObjectRef(module, "ExternalStream", (PyObject *)external);
}
