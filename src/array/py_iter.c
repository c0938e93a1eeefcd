/* array/py_iter.c: iteration over an array's first axis. Python's own iterator over sequences
 * learns of the end by an IndexError, which takes as long as six elements. */
#include "array/py_array.h"

typedef struct iterator {
    PyObject_HEAD
    PyObject *array; /* owned; NULL when the end was met */
    Py_ssize_t at;
} iterator;

static int
traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((iterator *)self)->array);
    return 0;
}

static int
clear(PyObject *self)
{
    Py_CLEAR(((iterator *)self)->array);
    return 0;
}

static void
dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    clear(self);
    PyObject_GC_Del(self);
}

static Py_ssize_t
left(const iterator *it)
{
    const cu_array *a;
    if (it->array == NULL) return 0;
    a = py_array_get(it->array); /* whose shape may have been set */
    return a->ndim && a->shape[0] > it->at ? (Py_ssize_t)a->shape[0] - it->at : 0;
}

static PyObject *
next(PyObject *self)
{
    iterator *it = (iterator *)self;

    if (left(it) > 0) return PySequence_GetItem(it->array, it->at++);
    clear(self);
    return NULL;
}

static PyObject *
length_hint(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyLong_FromSsize_t(left((iterator *)self));
}

static PyMethodDef methods[] = {{"__length_hint__", length_hint, METH_NOARGS, NULL},
                                {NULL}};

PyTypeObject py_iterator_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.array_iterator",
    .tp_basicsize = sizeof(iterator),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = dealloc,
    .tp_traverse = traverse,
    .tp_clear = clear,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = next,
    .tp_methods = methods,
};

PyObject *
py_array_iter(PyObject *self)
{
    iterator *it;

    if (py_array_get(self)->ndim == 0) {
        PyErr_SetString(PyExc_TypeError, "iteration over a 0-d array");
        return NULL;
    }
    it = PyObject_GC_New(iterator, &py_iterator_type);
    if (it == NULL) return NULL;
    it->array = Py_NewRef(self);
    it->at = 0;
    PyObject_GC_Track(it);
    return (PyObject *)it;
}
