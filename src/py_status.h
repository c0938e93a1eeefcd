/* py_status.h: from a cu_status to a Python exception. */
#ifndef CUPRIC_PY_STATUS_H
#define CUPRIC_PY_STATUS_H

#include <Python.h>

#include "status.h"

/* Raise this thread's last failure (see status.h) and return NULL, so that
 * `if (cu_f(…)) return py_raise();` reads as one statement. A Python exception that is
 * set already stays. Needs the GIL. */
PyObject *py_raise(void) __attribute__((cold));

/* The same for functions that return an int: -1. */
int py_raise_int(void) __attribute__((cold));

/* cu_fail for functions that face Python: raises the status as an exception there and
 * then, and returns NULL. */
PyObject *py_fail(cu_status st, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/* The exceptions that have no class elsewhere; borrowed. Valid after py_status_init. */
extern PyObject *py_OutOfMemoryError; /* a MemoryError */
extern PyObject *py_CUDARuntimeError; /* a RuntimeError */

/* Make the classes and add them to `module`; -1 with an exception on failure. */
int py_status_init(PyObject *module);

#endif
