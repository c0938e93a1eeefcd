/* layout/py_args.h: arguments of a vectorcall function, matched with parameter names. */
#ifndef CUPRIC_LAYOUT_PY_ARGS_H
#define CUPRIC_LAYOUT_PY_ARGS_H

#include <Python.h>

#include "status.h"

enum { PY_ARGS_MAX = 24 };

/* Put the arguments of a METH_FASTCALL | METH_KEYWORDS call (or of a vectorcall) into
 * `values`, one per name of the NULL-terminated `names`: borrowed, NULL where absent.
 * The first `npositional_max` may be given by position, the first `nrequired` must be
 * given. 0, or -1 with the TypeError that a Python function of that signature raises.
 * `nargs` is a count, without PY_VECTORCALL_ARGUMENTS_OFFSET. */
int py_args_parse(const char *fname, PyObject *const *args, Py_ssize_t nargs,
                  PyObject *kwnames, const char *const *names, int npositional_max,
                  int nrequired, PyObject **values);

/* The inspect.Signature of parameters as they are written after `def f(`. New
 * reference. */
PyObject *py_signature_new(PyObject *parameters);

/* Whether a keyword, as CPython hands it over, is `name`. */
static inline int
py_keyword_is(PyObject *keyword, const char *name)
{
    return PyUnicode_CompareWithASCIIString(keyword, name) == 0;
}

/* An argument that means the same left out and as None. */
static inline int
py_is_absent(PyObject *value)
{
    return value == NULL || value == Py_None;
}

#endif
