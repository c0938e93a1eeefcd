/* layout/py_foreign.c: see py_foreign.h. */
#include "layout/py_foreign.h"

#include "layout/py_object.h"

/* Whether looking for attributes would be time lost. */
static bool
is_plain(PyObject *o)
{
    return py_array_check(o) || PyArray_Check(o) || PyList_Check(o) ||
           PyTuple_Check(o) || PyUnicode_Check(o) || PyBytes_Check(o) ||
           PyDict_Check(o) || o == Py_None || PyFloat_Check(o) || PyLong_Check(o) ||
           PyComplex_Check(o) || PyRange_Check(o) || PySlice_Check(o) ||
           PyType_Check(o) || PyArray_IsScalar(o, Generic);
}

bool
py_is_foreign(PyObject *o)
{
    if (is_plain(o) || Py_TYPE(o)->tp_dict == NULL) return false;
    return PyObject_HasAttrString(o, "__cupric_get_ndarray__") ||
           PyObject_HasAttrString(o, "__cupy_get_ndarray__") ||
           PyObject_HasAttrString(o, "__cuda_array_interface__");
}

PyObject *
py_foreign_array(PyObject *o)
{
    static PyObject *from_foreign; /* under the GIL; owned for ever */
    if (!py_is_foreign(o)) return NULL;
    if (from_foreign == NULL) {
        PyObject *m = PyImport_ImportModule("cupric._creation._foreign");
        if (m == NULL) return NULL;
        from_foreign = PyObject_GetAttrString(m, "from_foreign");
        Py_DECREF(m);
        if (from_foreign == NULL) return NULL;
    }
    return PyObject_CallOneArg(from_foreign, o);
}

PyObject *
py_foreign_handle(PyObject *o)
{
    PyObject *handle;

    if (is_plain(o)) return NULL;
    handle = PyObject_GetAttrString(o, "__cupric_handle__");
    if (handle == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) PyErr_Clear();
    return handle;
}
