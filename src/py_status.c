/* py_status.c: from a cu_status to a Python exception.
 *
 * Classes that Python or NumPy have are theirs; NumPy's, and those defined in Python
 * code, are looked up when one is first raised.
 */
#include <Python.h>

#include "py_status.h"

PyObject *py_OutOfMemoryError;
PyObject *py_CUDARuntimeError;

/* Where the class of a status is: in a variable, or else by name in a module. */
static const struct error_class {
    PyObject **type;
    const char *module, *name;
} classes[CUPRIC_N_STATUS] = {
    [CUPRIC_ERR_VALUE] = {&PyExc_ValueError, NULL, NULL},
    [CUPRIC_ERR_TYPE] = {&PyExc_TypeError, NULL, NULL},
    [CUPRIC_ERR_INDEX] = {&PyExc_IndexError, NULL, NULL},
    [CUPRIC_ERR_AXIS] = {NULL, "numpy.exceptions", "AxisError"},
    [CUPRIC_ERR_OVERFLOW] = {&PyExc_OverflowError, NULL, NULL},
    [CUPRIC_ERR_MEMORY] = {&py_OutOfMemoryError, NULL, NULL},
    [CUPRIC_ERR_LINALG] = {NULL, "numpy.linalg", "LinAlgError"},
    [CUPRIC_ERR_COMPILE] = {NULL, "cupric.cuda.compiler", "CompileException"},
    [CUPRIC_ERR_DEVICE] = {&py_CUDARuntimeError, NULL, NULL},
    [CUPRIC_ERR_RUNTIME] = {&PyExc_RuntimeError, NULL, NULL},
    [CUPRIC_ERR_IMPORT] = {&PyExc_ImportError, NULL, NULL},
    [CUPRIC_ERR_OS] = {&PyExc_OSError, NULL, NULL},
    [CUPRIC_ERR_UNSUPPORTED] = {&PyExc_NotImplementedError, NULL, NULL},
    [CUPRIC_ERR_PYTHON] = {&PyExc_SystemError, NULL, NULL},
};

static PyObject *
class_of(cu_status st)
{
    const struct error_class *c = &classes[st];
    PyObject *module, *type;

    if (c->type) return Py_NewRef(*c->type);
    if (!c->module) return Py_NewRef(PyExc_SystemError);
    module = PyImport_ImportModule(c->module);
    if (!module) return NULL;
    type = PyObject_GetAttrString(module, c->name);
    Py_DECREF(module);
    return type;
}

PyObject *
py_raise(void)
{
    PyObject *type = NULL;
    PyObject *text = NULL;

    if (PyErr_Occurred()) return NULL;
    text = PyUnicode_DecodeUTF8(cu_error_message(),
                                (Py_ssize_t)strlen(cu_error_message()), "replace");
    if (!text) return NULL;
    type = class_of(cu_error_status());
    if (type) PyErr_SetObject(type, text);
    Py_XDECREF(type);
    Py_DECREF(text);
    return NULL;
}

int
py_raise_int(void)
{
    py_raise();
    return -1;
}

PyObject *
py_fail(cu_status st, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    cu_vfail(st, fmt, args);
    va_end(args);
    return py_raise();
}

int
py_status_init(PyObject *module)
{
    PyObject *attributes = NULL;

    py_OutOfMemoryError = PyErr_NewExceptionWithDoc(
        "cupric.cuda.memory.OutOfMemoryError",
        "Device memory is exhausted, or the limit set on its pool reached.",
        PyExc_MemoryError, NULL);
    if (!py_OutOfMemoryError) return -1;

    attributes = Py_BuildValue("{s:O}", "status", Py_None);
    if (!attributes) return -1;
    py_CUDARuntimeError = PyErr_NewExceptionWithDoc(
        "cupric.cuda.runtime.CUDARuntimeError",
        "A device, stream or event could not do what was asked.", PyExc_RuntimeError,
        attributes);
    Py_DECREF(attributes);
    if (!py_CUDARuntimeError) return -1;

    if (PyModule_AddObjectRef(module, "OutOfMemoryError", py_OutOfMemoryError)) return -1;
    return PyModule_AddObjectRef(module, "CUDARuntimeError", py_CUDARuntimeError);
}
