/* array/py_get.c: arrays copied to NumPy arrays, at once or in stream order. */
#include "array/py_array.h"
#include "device/py_device.h"
#include "kernel/py_kernel.h"
#include "kernel/record.h"
#include "ops/execute.h"

static PyObject *
new_numpy(const cu_array *a, char order)
{
    npy_intp shape[CUPRIC_MAXDIMS];
    PyArray_Descr *descr = (PyArray_Descr *)py_dtype_new(a->dtype);
    if (descr == NULL) return NULL;
    for (int i = 0; i < a->ndim; i++) shape[i] = a->shape[i];
    return PyArray_Empty(a->ndim, shape, descr, order == 'F'); /* steals descr */
}

typedef cu_status copier(const cu_array *a, void *dst);

/* Copy into dense host memory whose axes lie in C order, or in reverse for 'F'. */
static int
get_into(const cu_array *a, void *dst, char order, copier *get)
{
    cu_array t = cu_array_none(); /* owned */
    cu_status st;

    if (order == 'F') {
        cu_array_transpose(a, NULL, &t);
        a = &t;
    }
    if (py_is_long(a->size) || !cu_array_is_contiguous(a)) {
        Py_BEGIN_ALLOW_THREADS
        st = get(a, dst);
        Py_END_ALLOW_THREADS
    } else {
        st = get(a, dst);
    }
    cu_array_release(&t);
    return st ? py_raise_int() : 0;
}

/* The order of a NumPy array that is to have `order`. */
static char
numpy_order(const cu_array *a, char order)
{
    bool f = (a->flags & CUPRIC_F_CONTIGUOUS) && !(a->flags & CUPRIC_C_CONTIGUOUS);

    if (order == 'C') return order;
    return order == 'F' || f ? 'F' : 'C';
}

PyObject *
py_array_to_numpy(const cu_array *a, char order)
{
    PyObject *out;

    order = numpy_order(a, order);
    out = new_numpy(a, order);
    if (out == NULL) return NULL;
    if (get_into(a, PyArray_DATA((PyArrayObject *)out), order, cu_array_get) < 0) {
        Py_DECREF(out);
        return NULL;
    }
    if (CUPRIC_UNLIKELY(cu_may_record())) {
        py_record_download(a, PyArray_DATA((PyArrayObject *)out));
    }
    return out;
}

PyObject *
py_array_to_bytes(const cu_array *a, char order)
{
    PyObject *out = PyBytes_FromStringAndSize(NULL, a->size * cu_itemsize(a->dtype));

    if (out &&
        get_into(a, PyBytes_AS_STRING(out), numpy_order(a, order), cu_array_get) < 0) {
        Py_CLEAR(out);
    }
    return out;
}

/* A function of cupric.cuda.pinned_memory. New reference. */
static PyObject *
pinned_function(const char *name)
{
    PyObject *module = PyImport_ImportModule("cupric.cuda.pinned_memory"); /* owned */
    PyObject *f = module ? PyObject_GetAttrString(module, name) : NULL;

    Py_XDECREF(module);
    return f;
}

/* A NumPy array in pinned memory, of the array's shape and dtype. */
static PyObject *
new_pinned(const cu_array *a, char order)
{
    PyObject *f = pinned_function("_empty"); /* owned, as the next two */
    PyObject *shape = f ? py_shape_new(a->ndim, a->shape) : NULL;
    PyObject *dtype = shape ? py_dtype_new(a->dtype) : NULL;
    PyObject *out = NULL;

    if (dtype) out = PyObject_CallFunction(f, "OOC", shape, dtype, (int)order);
    Py_XDECREF(f);
    Py_XDECREF(shape);
    Py_XDECREF(dtype);
    return out;
}

/* Keep a host array until what the current stream was given is done. */
static int
hold(const cu_array *a, PyObject *np)
{
    PyObject *f = pinned_function("_hold"); /* owned, as the next two */
    PyObject *device = f ? py_device_new(cu_array_device(a)) : NULL;
    PyObject *r = device ? PyObject_CallFunctionObjArgs(f, np, device, NULL) : NULL;

    Py_XDECREF(f);
    Py_XDECREF(device);
    Py_XDECREF(r);
    return r ? 0 : -1;
}

/* Whether a copy to the address can go on after the call: the memory is pinned, and the
 * stream not captured, as what a graph copies to the host nobody waits for. */
static bool
is_asynchronous(const cu_array *a, void *dst)
{
    cu_device *d = cu_array_device(a);
    cu_pointer_info info;
    bool captured;

    if (cu_graph_is_recorded(cu_stream_current(d), &captured) || captured) return false;
    if (d->backend->pointer_info(dst, &info)) return false;
    return info.kind == CUPRIC_POINTER_HOST;
}

/* Begin to copy to dense host memory, or copy where that is all that can be done. */
static int
get_later(const cu_array *a, PyObject *np, char order)
{
    void *dst = PyArray_DATA((PyArrayObject *)np);

    if (!is_asynchronous(a, dst)) return get_into(a, dst, order, cu_array_get);
    if (get_into(a, dst, order, cu_array_get_async) < 0) return -1;
    return hold(a, np);
}

/* What py_array_to_numpy gives, in pinned memory; where the device's memory is the host's
 * nothing is gained by that. */
static PyObject *
to_numpy_later(const cu_array *a, char order)
{
    PyObject *out;

    if (a->size == 0 || cu_device_on_host(cu_array_device(a))) {
        return py_array_to_numpy(a, order);
    }
    order = numpy_order(a, order);
    out = new_pinned(a, order);
    if (out && get_later(a, out, order) < 0) Py_CLEAR(out);
    return out;
}

void
py_raise_shapes(const char *format, const cu_array *a, PyObject *np)
{
    char text[CUPRIC_SHAPE_TEXT];
    PyObject *shape = PyObject_GetAttrString(np, "shape"); /* owned */
    if (shape == NULL) return;
    PyErr_Format(PyExc_ValueError, format,
                 cu_shape_text(a->ndim, a->shape, text, sizeof text), shape);
    Py_DECREF(shape);
}

static PyObject *
get_to_out(const cu_array *a, PyObject *out, bool wait)
{
    PyArrayObject *np;
    PyObject *plain;
    cu_dtype t;
    int r;

    if (!PyArray_Check(out)) {
        PyErr_Format(PyExc_TypeError,
                     "Only numpy.ndarray can be obtained from "
                     "cupric.ndarray, not %R",
                     Py_TYPE(out));
        return NULL;
    }
    np = (PyArrayObject *)out;
    if (py_dtype_find(PyArray_DESCR(np), &t) < 0) return NULL;
    bool same = PyArray_NDIM(np) == a->ndim;
    for (int i = 0; same && i < a->ndim; i++) same = PyArray_DIM(np, i) == a->shape[i];
    if (!same) {
        py_raise_shapes("Shape mismatch. Expected shape: %s, actual shape %R", a, out);
        return NULL;
    }
    if (t != a->dtype) {
        PyErr_Format(PyExc_TypeError, "out has dtype %R, the array %s",
                     PyArray_DESCR(np), cu_dtypes[a->dtype].name);
        return NULL;
    }
    if (!PyArray_ISWRITEABLE(np)) {
        PyErr_SetString(PyExc_ValueError, "out is read-only");
        return NULL;
    }
    if (PyArray_IS_C_CONTIGUOUS(np) || PyArray_IS_F_CONTIGUOUS(np)) {
        char order = PyArray_IS_C_CONTIGUOUS(np) ? 'C' : 'F';
        r = wait ? get_into(a, PyArray_DATA(np), order, cu_array_get)
                 : get_later(a, out, order);
        return r < 0 ? NULL : Py_NewRef(out);
    }
    plain = py_array_to_numpy(a, 'C');
    if (plain == NULL) return NULL;
    r = PyArray_CopyInto(np, (PyArrayObject *)plain);
    Py_DECREF(plain);
    return r < 0 ? NULL : Py_NewRef(out);
}

int
py_scope_enter(py_stream_scope *scope, PyObject *stream, const cu_array *a)
{
    cu_stream *s = NULL;

    *scope = (py_stream_scope){cu_array_device(a), NULL};
    if (CUPRIC_LIKELY(py_is_absent(stream))) return 0;
    if (py_stream_on(stream, scope->device, &s) < 0) return -1;
    scope->before = cu_stream_ref(cu_stream_current(scope->device));
    cu_stream_set_current(scope->device, s);
    return 0;
}

void
py_scope_leave(py_stream_scope *scope)
{
    if (CUPRIC_LIKELY(scope->before == NULL)) return;
    cu_stream_set_current(scope->device, scope->before);
    cu_stream_unref(scope->before);
}

PY_FASTCALL(py_array_get_method)
{
    static const char *const names[] = {"stream", "order", "out", "blocking", NULL};
    const cu_array *a = py_array_get(self);
    PyObject *v[4];
    py_stream_scope scope;
    PyObject *r;
    char order;
    int wait = 1;

    if (py_args_parse("get", args, nargs, kwnames, names, 4, 0, v) < 0) return NULL;
    order = py_order_read(v[1], 'C');
    if (order == 0) return NULL;
    if (v[3] && (wait = PyObject_IsTrue(v[3])) < 0) return NULL;
    if (py_scope_enter(&scope, v[0], a) < 0) return NULL;
    if (!py_is_absent(v[2])) {
        r = get_to_out(a, v[2], wait);
    } else {
        r = wait ? py_array_to_numpy(a, order) : to_numpy_later(a, order);
    }
    py_scope_leave(&scope);
    return r;
}
