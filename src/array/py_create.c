/* array/py_create.c: new arrays, empty or from anything that has elements. */
#include <math.h>
#include <string.h>

#include "array/py_array.h"
#include "array/py_field.h"
#include "array/py_value.h"
#include "device/py_device.h"
#include "kernel/record.h"
#include "layout/py_foreign.h"
#include "layout/py_shape.h"
#include "ops/py_ufunc.h"
#include "ops/py_upload.h"

static int
read_dtype(PyObject *o, cu_dtype *t)
{
    if (py_is_absent(o)) return 0;
    return py_dtype_convert_any(o, t);
}

/* ---- from host memory ---------------------------------------------------------------- */

static PyObject *
from_numpy(PyArrayObject *np, cu_dtype dtype, char order)
{
    cu_array a;
    if (py_upload(np, dtype, order, cu_device_current(), &a) < 0) return NULL;
    return py_array_new(&a);
}

static PyObject *
from_scalar(const py_scalar *s, cu_dtype dtype)
{
    cu_scalar v;
    cu_array a = cu_array_none();
    if (dtype == CUPRIC_NO_DTYPE) {
        if (s->weak == PY_WEAK_INT && s->beyond) {
            PyErr_SetString(PyExc_OverflowError,
                            "Python integer is too large for an array");
            return NULL;
        }
        dtype = s->dtype;
    }
    if (py_value_store(s, dtype, PY_VALUE_ARRAY, &v) < 0) return NULL;
    if (cu_array_init(&a, cu_device_current(), dtype, 0, NULL, 'C')) return py_raise();
    if (cu_array_set(&a, &v)) {
        cu_array_release(&a);
        return py_raise();
    }
    return py_array_new(&a);
}

/* ---- from anything ------------------------------------------------------------------- */

/* Whether an array stays on its device: the current one, or one of another backend. */
static bool
stays_there(const cu_array *a)
{
    const cu_device *d = cu_array_device(a), *current = cu_device_current();

    return d == current || d->backend != current->backend;
}

static bool
has_order(const cu_array *a, char order)
{
    if (order == 'C') return (a->flags & CUPRIC_C_CONTIGUOUS) != 0;
    return order != 'F' || (a->flags & CUPRIC_F_CONTIGUOUS) != 0;
}

/* Converted to or from an opaque dtype, on the device where it stays. */
static PyObject *
cast_opaque(PyObject *o, cu_dtype dtype, char order)
{
    const cu_array *a = py_array_get(o);
    cu_array moved = cu_array_none();
    PyObject *there, *r; /* there owned */

    if (stays_there(a)) return py_opaque_cast(o, dtype, "unsafe", order);
    if (cu_array_to_device(a, cu_device_current(), &moved)) return py_raise();
    there = py_array_new(&moved);
    r = there ? py_opaque_cast(there, dtype, "unsafe", order) : NULL;
    Py_XDECREF(there);
    return r;
}

static PyObject *
copy_array(PyObject *o, cu_dtype dtype, char order, int copy)
{
    const cu_array *a = py_array_get(o);
    cu_array out = cu_array_none(), moved = cu_array_none(); /* moved owned */
    PyThreadState *thread;
    cu_status st;

    if (dtype == CUPRIC_NO_DTYPE) dtype = a->dtype;
    if (dtype != a->dtype && (cu_is_opaque(dtype) || cu_is_opaque(a->dtype))) {
        if (copy != 0) return cast_opaque(o, dtype, order);
    }
    if (copy == 0) {
        PyErr_SetString(PyExc_ValueError,
                        "Unable to avoid copy while creating an array as requested.");
        return NULL;
    }
    if (py_warn_complex(a->dtype, dtype) < 0) return NULL;
    if (!stays_there(a)) {
        if (cu_array_to_device(a, cu_device_current(), &moved)) return py_raise();
        a = &moved;
    }
    thread = py_suspend(a->size);
    st = cu_array_cast(a, dtype, order, &out);
    py_resume(thread);
    cu_array_release(&moved);
    return st ? py_raise() : py_array_wrap(&out, Py_TYPE(o), NULL, o);
}

static PyObject *
from_array(PyObject *o, cu_dtype dtype, char order, int copy)
{
    const cu_array *a = py_array_get(o);

    if (copy != 1 && (dtype == CUPRIC_NO_DTYPE || dtype == a->dtype) &&
        has_order(a, order) && stays_there(a)) {
        return Py_NewRef(o);
    }
    return copy_array(o, dtype, order, copy);
}

/* To some depth; an endless list is somebody else's error. */
static bool
holds_arrays(PyObject *o, int depth)
{
    PyObject **items;
    Py_ssize_t n;
    if (py_array_check(o) || py_is_foreign(o)) return true;
    if (depth > CUPRIC_MAXDIMS || !(PyList_CheckExact(o) || PyTuple_Check(o))) {
        return PyList_Check(o) && depth <= CUPRIC_MAXDIMS && PyList_GET_SIZE(o) > 0 &&
               holds_arrays(PyList_GET_ITEM(o, 0), depth + 1);
    }
    n = PySequence_Fast_GET_SIZE(o);
    items = PySequence_Fast_ITEMS(o);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *e = items[i];
        if (PyFloat_CheckExact(e) || PyLong_CheckExact(e)) continue;
        if (py_array_check(e) || py_is_foreign(e)) return true;
        if ((PyList_Check(e) || PyTuple_Check(e)) && holds_arrays(e, depth + 1))
            return true;
    }
    return false;
}

bool
py_holds_arrays(PyObject *o)
{
    return holds_arrays(o, 0);
}

PyObject *
py_array_from_any(PyObject *o, cu_dtype dtype, char order, int copy)
{
    py_operand p = py_operand_none();
    PyArray_Descr *descr = NULL;
    PyObject *np, *r; /* np owned */
    int known;

    if (py_array_check(o)) return from_array(o, dtype, order, copy);
    if (PyArray_Check(o)) {
        if (copy == 0) goto must_copy;
        return from_numpy((PyArrayObject *)o, dtype, order);
    }
    if (PyArray_IsScalar(o, Flexible) || PyArray_IsScalar(o, Datetime) ||
        PyArray_IsScalar(o, Timedelta) ||
        (dtype != CUPRIC_NO_DTYPE && cu_is_opaque(dtype) && PyArray_IsAnyScalar(o))) {
        if (copy == 0) goto must_copy;
        goto by_numpy;
    }
    known = py_operand_read(o, &p);
    if (known < 0) return NULL;
    if (known && p.array) {
        r = from_array(p.owned, dtype, order, copy);
        py_operand_release(&p);
        return r;
    }
    if (copy == 0) goto must_copy;
    if (known) return from_scalar(&p.scalar, dtype);

    if (PyList_CheckExact(o) || PyTuple_CheckExact(o)) {
        r = py_array_from_numbers(o, dtype);
        if (r || PyErr_Occurred()) return r;
    }
    if (py_holds_arrays(o)) {
        np = py_call_python("cupric._creation._nested", "from_nested", o);
        if (np == NULL) return NULL;
        r = py_array_from_any(np, dtype, order, -1);
        Py_DECREF(np);
        return r;
    }
by_numpy:
    /* Plain bytes are made of numbers by a cast, not from them. */
    if (dtype != CUPRIC_NO_DTYPE && !(cu_dtypes[dtype].kind == 'V' &&
                                      PyArray_IsAnyScalar(o) && PyNumber_Check(o))) {
        descr = (PyArray_Descr *)py_dtype_new(dtype);
        if (descr == NULL) return NULL;
    }
    np = PyArray_FromAny(o, descr, 0, 0, 0, NULL); /* steals descr */
    if (np == NULL) return NULL;
    r = from_numpy((PyArrayObject *)np, dtype, order);
    Py_DECREF(np);
    return r;

must_copy:
    PyErr_SetString(
        PyExc_ValueError,
        "Unable to avoid copy while creating an array as requested: the data "
        "is not on a device");
    return NULL;
}

/* offers_array(o): whether an object of another package holds memory of a device. */
PyObject *
py_offers_array(PyObject *self, PyObject *o)
{
    (void)self;
    return PyBool_FromLong(py_is_foreign(o));
}

/* py_array_from_any, and the result on `device` (NULL: wherever that leaves it). */
static PyObject *
from_any_on(cu_device *device, PyObject *o, cu_dtype dtype, char order, int copy)
{
    cu_device *before = cu_device_current();
    cu_array moved = cu_array_none(); /* owned */
    PyObject *r, *elsewhere;

    if (device == NULL) return py_array_from_any(o, dtype, order, copy);
    cu_device_set_current(device);
    r = py_array_from_any(o, dtype, order, copy);
    cu_device_set_current(before);
    if (r == NULL || cu_array_device(py_array_get(r)) == device) return r;
    elsewhere = r; /* an array of another backend, which asarray alone leaves there */
    r = NULL;
    if (copy == 0) {
        PyErr_SetString(PyExc_ValueError,
                        "Unable to avoid copy while creating an array as requested: "
                        "the data is on another device");
    } else if (cu_array_to_device(py_array_get(elsewhere), device, &moved)) {
        py_raise();
    } else {
        r = py_array_wrap(&moved, Py_TYPE(elsewhere), NULL, elsewhere);
    }
    Py_DECREF(elsewhere);
    return r;
}

/* `r`, which this steals, as an array of the base class. */
static PyObject *
as_plain(PyObject *r)
{
    cu_array plain;
    PyObject *base = r;

    if (r == NULL || Py_TYPE(r) == &py_array_type) return r;
    cu_array_alias(&plain, py_array_get(r));
    r = py_array_wrap(&plain, &py_array_type, base, NULL);
    Py_DECREF(base);
    return r;
}

/* array(obj, dtype=None, copy=True, order='K', subok=False, ndmin=0, *, device=None,
 *       blocking=False) */
PY_FASTCALL(py_create_array)
{
    static const char *const names[] = {"obj",   "dtype",  "copy",     "order", "subok",
                                        "ndmin", "device", "blocking", NULL};
    PyObject *v[8], *r;
    cu_device *device = NULL;
    cu_dtype t = CUPRIC_NO_DTYPE;
    int copy = 1, ndmin = 0, subok = 0;
    char order;
    (void)self;

    if (py_args_parse("array", args, nargs, kwnames, names, 6, 1, v) < 0) return NULL;
    if (read_dtype(v[1], &t) < 0) {
        return py_subarray_call("array", v[1], NULL, args, nargs, kwnames);
    }
    if (v[2] && py_copy_read(v[2], &copy) < 0) return NULL;
    /* As in CuPy, `copy` is about memory of a device: what lies on the host is copied to one
     * in any case. asarray's `copy`, which is the array API's, refuses that. */
    if (copy == 0 && !py_array_check(v[0]) && !py_is_foreign(v[0])) copy = -1;
    order = py_order_read(v[3], 'K');
    if (order == 0) return NULL;
    if (!py_is_absent(v[4]) && (subok = PyObject_IsTrue(v[4])) < 0) return NULL;
    if (!py_is_absent(v[5])) {
        ndmin = (int)PyNumber_AsSsize_t(v[5], PyExc_ValueError);
        if (ndmin == -1 && PyErr_Occurred()) return NULL;
        if (ndmin > CUPRIC_MAXDIMS) {
            PyErr_Format(PyExc_ValueError,
                         "ndmin bigger than allowable number of "
                         "dimensions (%d)",
                         CUPRIC_MAXDIMS);
            return NULL;
        }
    }
    if (!py_is_absent(v[6]) && !py_device_convert(v[6], &device)) return NULL;
    r = from_any_on(device, v[0], t, order, copy);
    if (!subok) r = as_plain(r);
    if (r == NULL) return NULL;
    if (py_array_get(r)->ndim < ndmin) {
        const cu_array *a = py_array_get(r);
        int64_t shape[CUPRIC_MAXDIMS];
        int extra = ndmin - a->ndim;
        PyObject *wide;
        for (int i = 0; i < ndmin; i++) shape[i] = i < extra ? 1 : a->shape[i - extra];
        wide = py_reshape(r, ndmin, shape, 'A', -1);
        Py_DECREF(r);
        r = wide;
    }
    return r;
}

/* array() for the dtype of a subarray, after read_dtype has failed. */
static PyObject *
as_subarrays(PyObject *a, PyObject *dtype, PyObject *copy, PyObject *order,
             PyObject *device)
{
    static PyObject *keywords; /* under the GIL; owned for ever */
    PyObject *args[] = {a, dtype, copy ? copy : Py_None, order ? order : Py_None,
                        device ? device : Py_None};

    if (keywords == NULL) keywords = Py_BuildValue("(s)", "device");
    if (keywords == NULL) return NULL;
    return py_subarray_call("array", dtype, NULL, args, 4, keywords);
}

/* asarray(a, dtype=None, order=None, *, device=None, copy=None, blocking=False), and
 * asanyarray, which keeps instances of subclasses. */
static PyObject *
as_array(const char *name, bool subok, PyObject *const *args, Py_ssize_t nargs,
         PyObject *kwnames)
{
    static const char *const names[] = {"a",    "dtype",    "order", "device",
                                        "copy", "blocking", NULL};
    PyObject *v[6], *r;
    cu_device *device = NULL;
    cu_dtype t = CUPRIC_NO_DTYPE;
    int copy;
    char order;

    if (nargs == 1 && kwnames == NULL && Py_TYPE(args[0]) == &py_array_type) {
        return from_array(args[0], CUPRIC_NO_DTYPE, 'K', -1);
    }
    if (py_args_parse(name, args, nargs, kwnames, names, 3, 1, v) < 0) return NULL;
    if (read_dtype(v[1], &t) < 0) {
        return as_subarrays(v[0], v[1], v[4], v[2], v[3]);
    }
    if (py_copy_read(v[4], &copy) < 0) return NULL;
    order = py_order_read(v[2], 'K');
    if (order == 0) return NULL;
    if (!py_is_absent(v[3]) && !py_device_convert(v[3], &device)) return NULL;
    r = from_any_on(device, v[0], t, order, copy);
    return subok ? r : as_plain(r);
}

PY_FASTCALL(py_create_asarray)
{
    (void)self;
    return as_array("asarray", false, args, nargs, kwnames);
}

PY_FASTCALL(py_create_asanyarray)
{
    (void)self;
    return as_array("asanyarray", true, args, nargs, kwnames);
}

/* One axis for an array that has none, as NumPy's and CuPy's have it. Takes the reference
 * to `r`, which may be NULL. */
static PyObject *
with_an_axis(PyObject *r)
{
    static const int64_t one = 1;
    cu_array view;
    bool needs_copy;
    PyObject *made;

    if (r == NULL || !py_array_check(r) || py_array_get(r)->ndim) return r;
    if (cu_array_reshape(py_array_get(r), 1, &one, 'C', &view, &needs_copy)) {
        Py_DECREF(r);
        return py_raise();
    }
    made = py_array_wrap(&view, &py_array_type, r, NULL);
    Py_DECREF(r);
    return made;
}

/* ascontiguousarray(a, dtype=None), asfortranarray and _contiguous. */
static PyObject *
as_ordered(const char *name, char order, PyObject *const *args, Py_ssize_t nargs,
           PyObject *kwnames)
{
    static const char *const names[] = {"a", "dtype", NULL};
    PyObject *v[2];
    cu_dtype t = CUPRIC_NO_DTYPE;

    if (nargs == 1 && kwnames == NULL && Py_TYPE(args[0]) == &py_array_type) {
        return from_array(args[0], t, order, -1);
    }
    if (py_args_parse(name, args, nargs, kwnames, names, 2, 1, v) < 0) return NULL;
    if (read_dtype(v[1], &t) < 0) {
        PyObject *letter = PyUnicode_FromStringAndSize(&order, 1),
                 *r; /* letter owned */
        r = letter ? as_subarrays(v[0], v[1], NULL, letter, NULL) : NULL;
        Py_XDECREF(letter);
        return r;
    }
    return as_plain(py_array_from_any(v[0], t, order, -1));
}

PY_FASTCALL(py_create_ascontiguousarray)
{
    (void)self;
    return with_an_axis(as_ordered("ascontiguousarray", 'C', args, nargs, kwnames));
}

PY_FASTCALL(py_create_asfortranarray)
{
    (void)self;
    return with_an_axis(as_ordered("asfortranarray", 'F', args, nargs, kwnames));
}

/* For kernels, whose arrays keep their axes, also none. */
PY_FASTCALL(py_create_contiguous)
{
    (void)self;
    return as_ordered("_contiguous", 'C', args, nargs, kwnames);
}

/* ---- of a shape ---------------------------------------------------------------------- */

static int
create(const char *name, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
       cu_array *out)
{
    static const char *const names[] = {"shape", "dtype", "order", "device", NULL};
    PyObject *v[4];
    cu_device *device = cu_device_current();
    int64_t shape[CUPRIC_MAXDIMS];
    cu_dtype t = CUPRIC_FLOAT64;
    char order;
    int ndim;

    if (py_args_parse(name, args, nargs, kwnames, names, 3, 1, v) < 0) return -1;
    ndim = py_shape_read(v[0], shape);
    if (ndim < 0) return -1;
    if (!py_is_absent(v[1]) && py_dtype_convert_new(v[1], &t, &ndim, shape) < 0) {
        return -1;
    }
    order = py_order_read(v[2], 'C');
    if (order == 0) return -1;
    if (order == 'K' || order == 'A') {
        PyErr_SetString(PyExc_ValueError, "only 'C' or 'F' order is permitted");
        return -1;
    }
    if (!py_is_absent(v[3]) && !py_device_convert(v[3], &device)) return -1;
    if (cu_array_init(out, device, t, ndim, shape, order)) {
        return py_raise_int();
    }
    return 0;
}

PY_FASTCALL(py_create_empty)
{
    cu_array a;
    (void)self;
    if (create("empty", args, nargs, kwnames, &a) < 0) return NULL;
    return py_array_new(&a);
}

/* new_like(a): of undefined contents, on the device of `a`, with its axes in the same
 * order in memory. */
PyObject *
py_create_like(PyObject *self, PyObject *o)
{
    const cu_array *a;
    cu_array made;
    (void)self;

    if (!py_array_check(o)) return py_raise_unsupported(o), NULL;
    a = py_array_get(o);
    if (cu_array_init_like(&made, cu_array_device(a), a->dtype, a)) return py_raise();
    return py_array_new(&made);
}

PY_FASTCALL(py_create_zeros)
{
    static const cu_scalar zero;
    cu_array a;
    cu_device *d;
    cu_status st = CUPRIC_OK;
    (void)self;
    if (create("zeros", args, nargs, kwnames, &a) < 0) return NULL;
    if (CUPRIC_UNLIKELY(cu_may_record()) && !cu_is_opaque(a.dtype)) {
        st = cu_array_fill(&a, a.dtype, &zero, NULL); /* which recordings take */
    } else if (a.size) {
        d = cu_array_device(&a);
        st = d->backend->fill(cu_array_access(&a, CUPRIC_WRITE), 0,
                              (size_t)(a.size * cu_itemsize(a.dtype)),
                              cu_stream_current(d));
    }
    if (st) {
        cu_array_release(&a);
        return py_raise();
    }
    return py_array_new(&a);
}

/* ---- arange -------------------------------------------------------------------------- */

/* How many elements, by NumPy's rule ceil((stop - start) / step), exact for integers. */
static int
arange_length(const py_scalar *start, const py_scalar *stop, const py_scalar *step,
              bool integral, int64_t *n)
{
    double span, count;
    if (integral && !start->above && !stop->above && !step->above) {
        __int128 d = (__int128)stop->i - start->i, s = step->i, q;
        if (s == 0) goto zero_step;
        q = s > 0 ? (d + s - 1) / s : (-d - s - 1) / -s;
        if ((s > 0) != (d > 0)) q = 0;
        if (q > INT64_MAX) q = INT64_MAX;
        *n = (int64_t)q;
        return 0;
    }
    if (step->re == 0.0) goto zero_step;
    span = (stop->re - start->re) / step->re;
    count = ceil(span);
    if (isnan(count)) {
        PyErr_SetString(PyExc_ValueError, "arange: cannot compute length");
        return -1;
    }
    if (count > 9.2e18) {
        PyErr_SetString(PyExc_ValueError, "Maximum allowed size exceeded");
        return -1;
    }
    *n = count > 0 ? (int64_t)count : 0;
    return 0;

zero_step:
    PyErr_SetString(PyExc_ZeroDivisionError, "division by zero");
    return -1;
}

static int
read_bound(PyObject *o, py_scalar *out)
{
    PyObject *s = NULL; /* owned */
    int r;
    if (py_array_check(o) && py_require_numbers(py_array_get(o), "arange") < 0) {
        return -1;
    }
    if (py_array_check(o) || PyArray_Check(o)) {
        s = PyObject_CallMethod(o, "item", NULL);
        if (s == NULL) return -1;
        o = s;
    }
    r = py_scalar_read(o, out);
    if (r == 0) py_raise_unsupported(o);
    if (r > 0 && out->weak == PY_STRONG) { /* its value as a double and an int, too */
        char kind = cu_dtypes[out->dtype].kind;
        out->above = out->beyond = false;
        out->re = cu_scalar_get_double(&out->value, out->dtype, &out->im);
        out->i = strchr("iub", kind) ? cu_scalar_get_int(&out->value, out->dtype)
                                     : (int64_t)0;
    }
    Py_XDECREF(s);
    return r > 0 ? 0 : -1;
}

PY_FASTCALL(py_create_arange)
{
    static const char *const names[] = {"start", "stop",   "step",
                                        "dtype", "device", NULL};
    py_scalar start, stop, step;
    PyObject *v[5];
    cu_dtype t = CUPRIC_NO_DTYPE;
    cu_scalar first = {0}, stride;
    cu_array a = cu_array_none();
    cu_device *d = cu_device_current();
    bool integral;
    int64_t n;
    (void)self;

    if (py_args_parse("arange", args, nargs, kwnames, names, 4, 0, v) < 0) return NULL;
    if (py_is_absent(v[1])) {
        if (py_is_absent(v[0])) {
            PyErr_SetString(PyExc_TypeError, "arange() requires stop to be specified.");
            return NULL;
        }
        v[1] = v[0];
        v[0] = NULL;
    }
    start = (py_scalar){.weak = PY_WEAK_INT, .dtype = CUPRIC_INT64};
    step = (py_scalar){.weak = PY_WEAK_INT, .dtype = CUPRIC_INT64, .i = 1, .re = 1.0};
    if (!py_is_absent(v[3]) && py_dtype_convert(v[3], &t) < 0) return NULL;
    if (!py_is_absent(v[4]) && !py_device_convert(v[4], &d)) return NULL;
    if (!py_is_absent(v[0]) && read_bound(v[0], &start) < 0) return NULL;
    if (read_bound(v[1], &stop) < 0) return NULL;
    if (!py_is_absent(v[2]) && read_bound(v[2], &step) < 0) return NULL;

    integral = strchr("fc", cu_dtypes[start.dtype].kind) == NULL &&
               strchr("fc", cu_dtypes[stop.dtype].kind) == NULL &&
               strchr("fc", cu_dtypes[step.dtype].kind) == NULL;
    if (t == CUPRIC_NO_DTYPE) {
        t = cu_promote(cu_promote(start.dtype, stop.dtype), step.dtype);
        if (t == CUPRIC_BOOL) t = CUPRIC_INT64;
    }
    if (arange_length(&start, &stop, &step, integral, &n) < 0) return NULL;
    if (t == CUPRIC_BOOL && n > 2) {
        PyErr_SetString(PyExc_TypeError, "no fill-function for data-type.");
        return NULL;
    }
    /* The first two elements fix the rest, as in NumPy: the step is their difference in
     * the result's dtype. */
    if (n > 0 && py_scalar_store(&start, t, &first) < 0) return NULL;
    if (t == CUPRIC_BOOL) {
        int from = integral ? start.i != 0 : start.re != 0;
        int next = integral ? start.i + step.i != 0 : start.re + step.re != 0;
        cu_scalar_set_int(&first, t, from);
        cu_scalar_set_int(&stride, t, from != next);
    } else if (strchr("fc", cu_dtypes[t].kind)) {
        double second = start.re + step.re, im;
        cu_scalar two;
        cu_scalar_set_complex(&two, t, second, 0.0);
        cu_scalar_set_complex(&stride, t,
                              cu_scalar_get_double(&two, t, &im) -
                                  cu_scalar_get_double(&first, t, &im),
                              0.0);
    } else if (integral) {
        if (n > 1 && py_scalar_store(&step, CUPRIC_INT64, &stride) < 0) return NULL;
        cu_scalar_set_int(&stride, t, step.i);
    } else {
        cu_scalar_set_int(&first, t, (int64_t)start.re);
        cu_scalar_set_int(&stride, t,
                          (int64_t)(start.re + step.re) - (int64_t)start.re);
    }
    if (cu_array_init(&a, d, t, 1, &n, 'C')) return py_raise();
    if (n &&
        d->backend->arange(t, n, &first, &stride, cu_array_access(&a, CUPRIC_WRITE),
                           cu_stream_current(d))) {
        cu_array_release(&a);
        return py_raise();
    }
    return py_array_new(&a);
}

/* ---- back to NumPy ------------------------------------------------------------------- */

/* What another class that holds arrays of a device, as sparse arrays do, makes of itself
 * on the host: `__cupric_get__(stream)`. NULL without an error where it has no such method. */
static PyObject *
own_host_copy(PyObject *o, PyObject *stream)
{
    PyObject *r,
        *get = PyObject_GetAttrString((PyObject *)Py_TYPE(o), "__cupric_get__");
    if (get == NULL) {
        PyErr_Clear();
        return NULL;
    }
    r = PyObject_CallFunctionObjArgs(get, o, stream ? stream : Py_None, NULL);
    Py_DECREF(get);
    return r;
}

/* asnumpy(a, stream=None, order='C', out=None, *, blocking=True) */
PY_FASTCALL(py_create_asnumpy)
{
    static const char *const names[] = {"a",   "stream",   "order",
                                        "out", "blocking", NULL};
    PyObject *v[5];
    (void)self;

    if (py_args_parse("asnumpy", args, nargs, kwnames, names, 4, 1, v) < 0) return NULL;
    if (py_array_check(v[0])) {
        PyObject *get[4] = {v[1] ? v[1] : Py_None, v[2] ? v[2] : Py_None,
                            v[3] ? v[3] : Py_None, v[4] ? v[4] : Py_True};
        return py_array_get_method(v[0], get, 4, NULL);
    }
    {
        PyObject *np, *converted = NULL, *source = v[0]; /* np, converted owned */
        char order = py_order_read(v[2], 'C');
        int flags = order == 'F'   ? NPY_ARRAY_F_CONTIGUOUS
                    : order == 'C' ? NPY_ARRAY_C_CONTIGUOUS
                                   : 0;
        if (order == 0) return NULL;
        if (py_is_absent(v[3])) {
            np = own_host_copy(source, v[1]);
            if (np != NULL || PyErr_Occurred()) return np;
        }
        if (holds_arrays(source, 0)) {
            converted = py_array_from_any(source, CUPRIC_NO_DTYPE, 'C', -1);
            if (converted == NULL) return NULL;
            np = py_array_to_numpy(py_array_get(converted), order);
            Py_DECREF(converted);
        } else {
            np = PyArray_FromAny(source, NULL, 0, 0, flags, NULL);
        }
        if (np == NULL || py_is_absent(v[3])) return np;
        if (!PyArray_Check(v[3]) ||
            PyArray_CopyInto((PyArrayObject *)v[3], (PyArrayObject *)np) < 0) {
            if (!PyErr_Occurred()) py_raise_unsupported(v[3]);
            Py_DECREF(np);
            return NULL;
        }
        Py_DECREF(np);
        return Py_NewRef(v[3]);
    }
}
