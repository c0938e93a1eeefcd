/* py_graph.c: cupric.cuda.Graph, and the methods of a Stream that make one. */
#include <Python.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/py_device.h"
#include "device/py_device_doc.h"
#include "device/py_stream.h"
#include "py_status.h"

typedef struct py_graph {
    PyObject_HEAD
    cu_captured *captured; /* owned */
} py_graph;

static cu_captured *
captured_of(PyObject *self)
{
    return ((py_graph *)self)->captured;
}

/* Takes what was captured, also where it fails. */
static PyObject *
graph_new(cu_captured *captured)
{
    py_graph *self = PyObject_New(py_graph, &py_GraphType);

    if (self) {
        self->captured = captured;
    } else {
        cu_captured_free(captured);
    }
    return (PyObject *)self;
}

static PyObject *
py_graph_make(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)type, (void)args, (void)kwargs;
    return py_fail(CUPRIC_ERR_RUNTIME, "a Graph is made by Stream.begin_capture and "
                                       "Stream.end_capture");
}

static void
py_graph_dealloc(PyObject *self)
{
    cu_captured *c = captured_of(self);

    /* It waits for launches, and their callbacks for the GIL. */
    Py_BEGIN_ALLOW_THREADS
    cu_captured_free(c);
    Py_END_ALLOW_THREADS
    Py_TYPE(self)->tp_free(self);
}

/* The stream that a graph is to run on; NULL with an exception. */
static cu_stream *
stream_argument(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"stream", NULL};
    PyObject *stream = Py_None;
    cu_stream *s = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O", names, &stream)) return NULL;
    if (py_stream_on(stream, cu_captured_device(captured_of(self)), &s)) return NULL;
    return s;
}

static PyObject *
py_graph_launch(PyObject *self, PyObject *args, PyObject *kwargs)
{
    cu_stream *s = stream_argument(self, args, kwargs);
    cu_status st;

    if (!s) return NULL;
    Py_BEGIN_ALLOW_THREADS
    st = cu_captured_launch(captured_of(self), s);
    Py_END_ALLOW_THREADS
    if (st) return py_raise();
    Py_RETURN_NONE;
}

static PyObject *
py_graph_upload(PyObject *self, PyObject *args, PyObject *kwargs)
{
    cu_stream *s = stream_argument(self, args, kwargs);
    cu_status st;

    if (!s) return NULL;
    Py_BEGIN_ALLOW_THREADS
    st = s->backend->graph_upload(cu_captured_graph(captured_of(self)), s);
    Py_END_ALLOW_THREADS
    if (st) return py_raise();
    Py_RETURN_NONE;
}

/* What is in an open file, as a str. */
static PyObject *
read_text(int fd)
{
    const off_t n = lseek(fd, 0, SEEK_END);
    char *data = PyMem_Malloc((size_t)(n > 0 ? n : 0) + 1);
    ssize_t got;
    PyObject *text;

    if (!data) return PyErr_NoMemory();
    got = pread(fd, data, (size_t)(n > 0 ? n : 0), 0);
    text = PyUnicode_DecodeUTF8(data, got > 0 ? got : 0, "replace");
    PyMem_Free(data);
    return text;
}

static PyObject *
py_graph_debug_dot_str(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"flags", NULL};
    const cu_captured *c = captured_of(self);
    const char *folder = getenv("TMPDIR");
    char path[PATH_MAX];
    unsigned flags = 0;
    PyObject *text;
    cu_status st;
    int fd;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|I:debug_dot_str", names, &flags)) {
        return NULL;
    }
    /* The driver writes to a file only. */
    snprintf(path, sizeof path, "%s/cupric-graph-XXXXXX",
             folder && *folder ? folder : "/tmp");
    fd = mkstemp(path);
    if (fd < 0) return PyErr_SetFromErrnoWithFilename(PyExc_OSError, path);
    st = cu_captured_device(c)->backend->graph_print(cu_captured_graph(c), flags, path);
    text = st ? py_raise() : read_text(fd);
    close(fd);
    unlink(path);
    return text;
}

static PyObject *
py_graph_get_handle(PyObject *self, void *executable)
{
    const cu_captured *c = captured_of(self);
    void *handles[2] = {NULL, NULL};

    cu_captured_device(c)->backend->graph_handles(cu_captured_graph(c), &handles[0],
                                                  &handles[1]);
    return PyLong_FromVoidPtr(handles[executable != NULL]);
}

static PyObject *
py_graph_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<Graph %zu (device %d)>",
                                (size_t)cu_captured_graph(captured_of(self)),
                                cu_captured_device(captured_of(self))->ordinal);
}

static PyGetSetDef getset[] = {
    {"graph", py_graph_get_handle, NULL, "The graph's handle; 0 on the host device.",
     NULL},
    {"graphExec", py_graph_get_handle, NULL,
     "The handle of what is launched; 0 on the host device.", "executable"},
    {0},
};

#define KEYWORDS(f) (PyCFunction)(void (*)(void))(f), METH_VARARGS | METH_KEYWORDS

static PyMethodDef methods[] = {
    {"launch", KEYWORDS(py_graph_launch), graph_launch_doc},
    {"upload", KEYWORDS(py_graph_upload), graph_upload_doc},
    {"debug_dot_str", KEYWORDS(py_graph_debug_dot_str), graph_debug_dot_str_doc},
    {0},
};

PyTypeObject py_GraphType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.graph.Graph",
    .tp_doc = graph_doc,
    .tp_basicsize = sizeof(py_graph),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = py_graph_make,
    .tp_dealloc = py_graph_dealloc,
    .tp_repr = py_graph_repr,
    .tp_methods = methods,
    .tp_getset = getset,
};

/* ---- a stream's methods ------------------------------------------------------------ */

static PyObject *
py_stream_begin_capture(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"mode", NULL};
    PyObject *which = Py_None;
    long mode = CUPRIC_CAPTURE_RELAXED;
    cu_stream *s;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:begin_capture", names, &which)) {
        return NULL;
    }
    if (which != Py_None) {
        mode = PyLong_AsLong(which);
        if (mode == -1 && PyErr_Occurred()) return NULL;
        if (mode < CUPRIC_CAPTURE_GLOBAL || mode > CUPRIC_CAPTURE_RELAXED) {
            return py_fail(CUPRIC_ERR_VALUE, "there is no capture mode %ld", mode);
        }
    }
    s = py_stream_of((py_stream *)self);
    if (!s) return NULL;
    if (cu_graph_begin(py_stream_device((py_stream *)self), s, (cu_capture_mode)mode)) {
        return py_raise();
    }
    ((py_stream *)self)->records = true;
    Py_RETURN_NONE;
}

static PyObject *
py_stream_end_capture(PyObject *self, PyObject *unused)
{
    cu_stream *s = py_stream_of((py_stream *)self);
    cu_captured *captured = NULL;

    (void)unused;
    if (!s) return NULL;
    ((py_stream *)self)->records = false;
    if (cu_graph_end(s, &captured)) return py_raise();
    return graph_new(captured);
}

static PyObject *
py_stream_is_capturing(PyObject *self, PyObject *unused)
{
    cu_stream *s = py_stream_of((py_stream *)self);
    bool capturing;

    (void)unused;
    if (!s) return NULL;
    if (cu_graph_is_recorded(s, &capturing)) return py_raise();
    return PyBool_FromLong(capturing);
}

static PyMethodDef capture_methods[] = {
    {"begin_capture", KEYWORDS(py_stream_begin_capture), stream_begin_capture_doc},
    {"end_capture", py_stream_end_capture, METH_NOARGS, stream_end_capture_doc},
    {"is_capturing", py_stream_is_capturing, METH_NOARGS, stream_is_capturing_doc},
};

/* Streams know nothing of graphs, which are launched on them. */
static int
add_capture_methods(void)
{
    PyTypeObject *type = &py_BaseStreamType;

    for (size_t i = 0; i < sizeof capture_methods / sizeof *capture_methods; i++) {
        PyMethodDef *m = &capture_methods[i];
        PyObject *method = PyDescr_NewMethod(type, m);
        const int failed =
            !method || PyDict_SetItemString(type->tp_dict, m->ml_name, method);
        Py_XDECREF(method);
        if (failed) return -1;
    }
    PyType_Modified(type);
    return 0;
}

int
py_graph_init(PyObject *module)
{
    if (PyType_Ready(&py_GraphType) || add_capture_methods()) return -1;
    return PyModule_AddObjectRef(module, "Graph", (PyObject *)&py_GraphType);
}
