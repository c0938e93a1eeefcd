/* device/py_device.h: devices, streams, events and graphs as Python sees them. */
#ifndef CUPRIC_DEVICE_PY_DEVICE_H
#define CUPRIC_DEVICE_PY_DEVICE_H

#include <Python.h>

#include "device/graph.h"

/* Add the types and functions to `module`; -1 with an exception on failure. */
int py_device_init(PyObject *module);
int py_stream_init(PyObject *module);
int py_event_init(PyObject *module);
int py_graph_init(PyObject *module);

/* The Device of `d`: one object per device. New reference. */
PyObject *py_device_new(cu_device *d);

/* A PyArg converter: a Device, a device number, or None for the current device. */
int py_device_convert(PyObject *o, cu_device **out);

/* A Stream for `s` of `d`, which it refs. New reference. */
PyObject *py_stream_new(cu_device *d, cu_stream *s);

/* What a `stream` argument means for work on `d`: NULL or None is the current stream,
 * Stream.null the default one, and any other must be of that device (else ValueError).
 * 0 with *out borrowed from `o`, or -1 with an exception. */
int py_stream_on(PyObject *o, cu_device *d, cu_stream **out);

/* Call `function(stream, status, arg)` when `s` reaches this point; where `stream` is NULL,
 * `function(arg)`. All are borrowed. -1 with an exception. */
int py_callback_queue(cu_stream *s, PyObject *function, PyObject *stream,
                      PyObject *arg);

typedef struct py_event {
    PyObject_HEAD
    cu_device *device;
    cu_event *event; /* owned */
} py_event;

extern PyTypeObject py_DeviceType;
extern PyTypeObject py_BaseStreamType; /* of Stream and ExternalStream */
extern PyTypeObject py_EventType;
extern PyTypeObject py_GraphType;

#endif
