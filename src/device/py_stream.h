/* device/py_stream.h: what a Stream is; its methods are in py_stream.c, those of captures in
 * py_graph.c.
 */
#ifndef CUPRIC_DEVICE_PY_STREAM_H
#define CUPRIC_DEVICE_PY_STREAM_H

#include <Python.h>

#include "device/graph.h"

typedef struct py_stream {
    PyObject_HEAD
    cu_device *device; /* NULL: the current one */
    cu_stream *stream; /* owned; NULL: a default stream of the device */
    PyObject *owner;   /* owned: of the handle, when it is another's; or NULL */
    uint32_t flags;
    bool records; /* began a capture */
    PyObject *weakrefs;
} py_stream;

/* Its device, or the current one. */
cu_device *py_stream_device(const py_stream *self);

/* The stream that it is on that device, borrowed; NULL with an exception. */
cu_stream *py_stream_of(const py_stream *self);

#endif
