/* layout/py_args.c: see py_args.h. Keywords are few and names short, so that comparing
 * bytes in place beats any table; no tuple, dict or string is made. */
#include "layout/py_args.h"

#include <stdio.h>
#include <string.h>

/* The index of `keyword` in `names`, or -1. */
static int
find(PyObject *keyword, const char *const *names)
{
    const char *text;

    if (CUPRIC_UNLIKELY(!PyUnicode_IS_ASCII(keyword))) return -1;
    text = (const char *)PyUnicode_1BYTE_DATA(keyword); /* ends with a zero byte */
    if (CUPRIC_UNLIKELY(strlen(text) != (size_t)PyUnicode_GET_LENGTH(keyword)))
        return -1;
    for (int i = 0; names[i]; i++) {
        if (names[i][0] == text[0] && strcmp(names[i], text) == 0) return i;
    }
    return -1;
}

static int __attribute__((cold))
fail_too_many(const char *fname, Py_ssize_t given, int most, int least)
{
    if (most == 0) {
        PyErr_Format(PyExc_TypeError, "%s() takes no positional arguments (%zd given)",
                     fname, given);
    } else if (most == least) {
        PyErr_Format(PyExc_TypeError,
                     "%s() takes %d positional argument%s but %zd were given", fname,
                     most, most == 1 ? "" : "s", given);
    } else {
        PyErr_Format(PyExc_TypeError,
                     "%s() takes from %d to %d positional arguments but %zd were given",
                     fname, least, most, given);
    }
    return -1;
}

static int __attribute__((cold))
fail_missing(const char *fname, const char *const *names, int nrequired,
             PyObject *const *values)
{
    char text[512] = "";
    size_t used = 0;
    int missing = 0, seen = 0;

    for (int i = 0; i < nrequired; i++) missing += values[i] == NULL;
    for (int i = 0; i < nrequired && used < sizeof text - 64; i++) {
        if (values[i]) continue;
        seen++;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s'%s'",
                                 seen == 1         ? ""
                                 : seen == missing ? (missing == 2 ? " and " : ", and ")
                                                   : ", ",
                                 names[i]);
    }
    PyErr_Format(PyExc_TypeError, "%s() missing %d required positional argument%s: %s",
                 fname, missing, missing == 1 ? "" : "s", text);
    return -1;
}

int
py_args_parse(const char *fname, PyObject *const *args, Py_ssize_t nargs,
              PyObject *kwnames, const char *const *names, int npositional_max,
              int nrequired, PyObject **values)
{
    Py_ssize_t nkw = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
    int i;

    if (CUPRIC_UNLIKELY(nargs > npositional_max)) {
        return fail_too_many(fname, nargs, npositional_max, nrequired);
    }
    for (i = 0; i < nargs; i++) values[i] = args[i];
    for (; names[i]; i++) values[i] = NULL;
    for (Py_ssize_t k = 0; k < nkw; k++) {
        PyObject *keyword = PyTuple_GET_ITEM(kwnames, k);
        int at = find(keyword, names);
        if (CUPRIC_UNLIKELY(at < 0)) {
            PyErr_Format(PyExc_TypeError,
                         "%s() got an unexpected keyword argument '%U'", fname,
                         keyword);
            return -1;
        }
        if (CUPRIC_UNLIKELY(values[at] != NULL)) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'",
                         fname, keyword);
            return -1;
        }
        values[at] = args[nargs + k];
    }
    for (i = 0; i < nrequired; i++) {
        if (CUPRIC_UNLIKELY(values[i] == NULL)) {
            return fail_missing(fname, names, nrequired, values);
        }
    }
    return 0;
}

PyObject *
py_signature_new(PyObject *parameters)
{
    /* owned; defaults may be inf and nan */
    PyObject *globals = Py_BuildValue("{s:O,s:d,s:d}", "__builtins__", Py_None, "inf",
                                      Py_HUGE_VAL, "nan", Py_NAN);
    PyObject *text = PyUnicode_FromFormat("lambda %U: None", parameters);
    PyObject *inspect = PyImport_ImportModule("inspect"), *function = NULL, *r = NULL;
    const char *source = text ? PyUnicode_AsUTF8(text) : NULL;

    if (globals && inspect && source) {
        function = PyRun_String(source, Py_eval_input, globals, globals);
    }
    if (function) r = PyObject_CallMethod(inspect, "signature", "O", function);
    Py_XDECREF(function);
    Py_XDECREF(inspect);
    Py_XDECREF(text);
    Py_XDECREF(globals);
    return r;
}
