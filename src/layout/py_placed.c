/* layout/py_placed.c: see py_placed.h. */
#include "layout/py_placed.h"

#include <stddef.h>

#include "device/device.h"
#include "layout/py_object.h"
#include "py_status.h"
#include "py_wrapper.h"

#define DEPTH 2 /* of lists in lists, as of blocks */
#define FEW 64  /* numbers of a long list are not looked at for arrays among them */

/* The device that arrays among the items lie on, those in lists too: of the first, or of
 * all with an error where they lie on two. */
static int
find_device(PyObject *const *items, Py_ssize_t n, int depth, bool first,
            cu_device **device)
{
    for (Py_ssize_t i = 0; i < n && !(first && *device); i++) {
        PyObject *o = items[i];
        if (py_array_check(o) && py_array_get(o)->storage) {
            cu_device *d = cu_array_device(py_array_get(o));
            if (*device && d != *device) return cu_device_differs(*device, d), -1;
            *device = d;
        } else if (depth > 0 && (PyList_CheckExact(o) || PyTuple_CheckExact(o))) {
            PyObject **below = PySequence_Fast_ITEMS(o);
            Py_ssize_t m = PySequence_Fast_GET_SIZE(o);
            if (m > FEW && !py_array_check(below[0])) m = FEW;
            if (find_device(below, m, depth - 1, first, device) < 0) return -1;
        }
    }
    return 0;
}

cu_device *
py_device_of(PyObject *const *items, Py_ssize_t n)
{
    cu_device *device = NULL;

    find_device(items, n, DEPTH, true, &device); /* of one there is no error */
    return device ? device : cu_device_current();
}

PyObject *
py_call_on(cu_device *device, PyObject *function, PyObject *const *args, size_t nargsf,
           PyObject *kwnames)
{
    cu_device *before = cu_device_current();
    PyObject *r;

    if (CUPRIC_LIKELY(device == before)) {
        return PyObject_Vectorcall(function, args, nargsf, kwnames);
    }
    if (cu_device_check(device)) return py_raise();
    cu_device_set_current(device);
    r = PyObject_Vectorcall(function, args, nargsf, kwnames);
    cu_device_set_current(before);
    return r;
}

/* ---- the type ------------------------------------------------------------------------ */

static PyObject *
placed_call(PyObject *o, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    PyObject *function = ((py_wrapper *)o)->function;
    const Py_ssize_t nkw = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
    cu_device *device = NULL;

    if (find_device(args, PyVectorcall_NARGS(nargsf) + nkw, DEPTH, false, &device) <
        0) {
        return py_raise();
    }
    if (device == NULL) return PyObject_Vectorcall(function, args, nargsf, kwnames);
    return py_call_on(device, function, args, nargsf, kwnames);
}

static PyObject *
placed_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    return py_wrapper_new(type, args, kwargs, placed_call);
}

static PyTypeObject placed_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric._core._Placed",
    .tp_doc = "A function that runs on its arguments' device: see where_it_lives.",
    .tp_basicsize = sizeof(py_wrapper),
    PY_WRAPPER_TYPE,
    .tp_new = placed_new,
    .tp_clear = py_wrapper_clear,
};

int
py_placed_init(PyObject *module)
{
    if (PyType_Ready(&placed_type) < 0) return -1;
    return PyModule_AddObjectRef(module, "_Placed", (PyObject *)&placed_type);
}
