/* array/py_take.c: take, put and their kin along one axis. */
#include <string.h>

#include "array/py_array.h"
#include "array/py_functions.h"
#include "array/py_functions_doc.h"
#include "array/py_key.h"
#include "array/py_value.h"
#include "env.h"
#include "layout/py_shape.h"
#include "ops/py_ufunc.h"
#include "ops/sorting.h"

/* What becomes of indices out of range. */
typedef enum take_mode { MODE_WRAP, MODE_CLIP, MODE_RAISE, MODE_ERROR } take_mode;

static take_mode
read_mode(PyObject *o)
{
    static const char *const names[] = {"wrap", "clip", "raise"};
    if (py_is_absent(o)) return MODE_WRAP;
    for (int i = 0; i < 3; i++) {
        if (PyUnicode_Check(o) && PyUnicode_CompareWithASCIIString(o, names[i]) == 0) {
            return (take_mode)i;
        }
    }
    PyErr_Format(PyExc_ValueError,
                 "mode must be one of 'wrap', 'clip' or 'raise' (got %R)", o);
    return MODE_ERROR;
}

/* Indices from whatever may hold them; int64 and owned. */
static int
read_indices(PyObject *o, cu_device *device, cu_array *out)
{
    py_scalar s;
    int r = py_array_check(o) || PyArray_Check(o) ? 0 : py_scalar_read(o, &s);

    if (r < 0) return -1;
    if (r > 0) {
        cu_scalar v;
        char kind = cu_dtypes[s.dtype].kind;
        if (kind == 'f' || kind == 'c') goto not_integers;
        if (py_scalar_store(&s, CUPRIC_INT64, &v) < 0) return -1;
        if (cu_array_init(out, device, CUPRIC_INT64, 0, NULL, 'C'))
            return py_raise_int();
        if (cu_array_set(out, &v)) {
            cu_array_release(out);
            return py_raise_int();
        }
        return 0;
    }
    r = py_index_array(o, device, out);
    if (r < 0) return -1;
    if (r == 0) goto not_integers;
    if (out->dtype == CUPRIC_BOOL) {
        cu_array numbers = cu_array_none();
        cu_status st = cu_array_cast(out, CUPRIC_INT64, 'C', &numbers);
        cu_array_release(out);
        if (st) return py_raise_int();
        cu_array_move(out, &numbers);
    }
    return 0;

not_integers:
    PyErr_Format(PyExc_TypeError,
                 "indices must be integers or an array of integers, not %R",
                 Py_TYPE(o));
    return -1;
}

/* index = min(max(index, 0), length - 1) in place of *index, which is owned. */
static cu_status
clip_indices(cu_array *index, int64_t length)
{
    cu_array out = cu_array_none(), *outs[1] = {&out};
    cu_scalar low = {.i = 0}, high = {.i = length > 0 ? length - 1 : 0};
    int sig = cu_ufunc_find_same(CUPRIC_OP_clip, CUPRIC_INT64);
    const cu_iter_arg args[3] = {{index, NULL, 0, CUPRIC_READ},
                                 {NULL, &low, CUPRIC_INT64, CUPRIC_READ},
                                 {NULL, &high, CUPRIC_INT64, CUPRIC_READ}};
    cu_status st = cu_array_init(&out, cu_array_device(index), CUPRIC_INT64,
                                 index->ndim, index->shape, 'C');
    if (st) return st;
    st = cu_run_elementwise(CUPRIC_OP_clip, sig, 3, args, 1, outs, NULL);
    if (st) {
        cu_array_release(&out);
        return st;
    }
    cu_array_release(index);
    cu_array_move(index, &out);
    return CUPRIC_OK;
}

/* An array as one axis in C order: a view, or a copy. Owned. */
static cu_status
flatten(const cu_array *a, cu_array *out, bool *is_copy)
{
    cu_array dense = cu_array_none(); /* owned */
    cu_status st = cu_array_reshape(a, 1, &a->size, 'C', out, is_copy);
    bool unused;

    if (st || !*is_copy) return st;
    st = cu_array_cast(a, a->dtype, 'C', &dense);
    if (st) return st;
    st = cu_array_reshape(&dense, 1, &dense.size, 'C', out, &unused);
    cu_array_release(&dense);
    return st;
}

static int
check_out(PyObject *o, const cu_array *a, const cu_indexed *x)
{
    const cu_array *out;
    char have[CUPRIC_SHAPE_TEXT], need[CUPRIC_SHAPE_TEXT];

    if (!py_array_check(o)) {
        PyErr_Format(PyExc_TypeError, "out must be a cupric.ndarray, not %R",
                     Py_TYPE(o));
        return -1;
    }
    out = py_array_get(o);
    if (!(out->flags & CUPRIC_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "output array is read-only");
        return -1;
    }
    if (out->ndim != x->walk.ndim ||
        memcmp(out->shape, x->walk.shape, (size_t)out->ndim * sizeof out->shape[0]) !=
            0) {
        PyErr_Format(PyExc_ValueError,
                     "output array does not match result of take: it has shape %s, the "
                     "result %s",
                     cu_shape_text(out->ndim, out->shape, have, sizeof have),
                     cu_shape_text(x->walk.ndim, x->walk.shape, need, sizeof need));
        return -1;
    }
    if (!py_can_cast(a->dtype, out->dtype, "same_kind")) {
        PyErr_Format(
            PyExc_TypeError,
            "Cannot cast array data from dtype('%s') to dtype('%s') according to "
            "the rule 'same_kind'",
            cu_dtypes[a->dtype].name, cu_dtypes[out->dtype].name);
        return -1;
    }
    return 0;
}

static cu_status
gather(const cu_indexed *x, cu_array *out)
{
    PyThreadState *thread = py_suspend(out->size);
    cu_status st = cu_indexed_gather(x, out);
    py_resume(thread);
    return st;
}

/* Whether the result of a take has elements, were there any along `axis`. */
static bool
takes_elements(const cu_array *a, int axis, const cu_array *index)
{
    for (int i = 0; i < a->ndim; i++) {
        if (i != axis && a->shape[i] == 0) return false;
    }
    return index->size > 0;
}

/* a chosen from along `axis` by one array of indices. */
static PyObject *
take(PyObject *self, const cu_array *a, int axis, const cu_array *index, take_mode mode,
     PyObject *out_arg)
{
    const cu_index_array index_array = {index, axis, axis};
    cu_indexed x;
    cu_array out = cu_array_none(); /* owned */

    if (a->shape[axis] == 0 && takes_elements(a, axis, index)) {
        PyErr_SetString(PyExc_IndexError,
                        "cannot do a non-empty take from an empty axes.");
        return NULL;
    }
    if (cu_indexed_init(&x, a, 1, &index_array, index->ndim, index->shape, axis)) {
        return py_raise();
    }
    if (mode == MODE_RAISE) x.check = true;
    if (!py_is_absent(out_arg)) {
        if (check_out(out_arg, a, &x) < 0) return NULL;
        return gather(&x, py_array_target(out_arg)) ? py_raise() : Py_NewRef(out_arg);
    }
    if (cu_array_init(&out, cu_array_device(a), a->dtype, x.walk.ndim, x.walk.shape,
                      'C')) {
        return py_raise();
    }
    if (gather(&x, &out)) {
        cu_array_release(&out);
        return py_raise();
    }
    return py_array_wrap(&out, Py_TYPE(self), NULL, self);
}

static int
require_array(PyObject *o)
{
    if (py_array_check(o)) return 0;
    py_raise_unsupported(o);
    return -1;
}

/* v: indices, axis, out, mode */
static PyObject *
take_of(PyObject *array, PyObject *const *v)
{
    PyObject *r = NULL;
    cu_array a = cu_array_none(), index = cu_array_none(); /* owned */
    take_mode mode;
    bool copied;
    int axis = 0;

    if ((mode = read_mode(v[3])) == MODE_ERROR) return NULL;
    if (py_is_absent(v[1])) {
        if (flatten(py_array_get(array), &a, &copied)) return py_raise();
    } else {
        cu_array_alias(&a, py_array_get(array));
        if (a.ndim == 0) { /* NumPy takes from a number as from a vector of one */
            py_view_add(&a, 1, 0);
            cu_array_update_flags(&a);
        }
        if (py_axis_read(v[1], a.ndim, &axis) < 0) goto done;
    }
    if (read_indices(v[0], cu_array_device(&a), &index) < 0) goto done;
    if (mode == MODE_CLIP && clip_indices(&index, a.shape[axis])) {
        py_raise();
        goto done;
    }
    r = take(array, &a, axis, &index, mode, v[2]);

done:
    cu_array_release(&a);
    cu_array_release(&index);
    return r;
}

/* take(a, indices, axis=None, out=None, mode='wrap') */
static PY_FASTCALL(module_take)
{
    static const char *const names[] = {"a", "indices", "axis", "out", "mode", NULL};
    PyObject *v[5];
    (void)self;

    if (py_args_parse("take", args, nargs, kwnames, names, 5, 2, v) < 0) return NULL;
    return require_array(v[0]) < 0 ? NULL : take_of(v[0], v + 1);
}

PY_FASTCALL(py_array_take)
{
    static const char *const names[] = {"indices", "axis", "out", "mode", NULL};
    PyObject *v[4];

    if (py_args_parse("take", args, nargs, kwnames, names, 4, 1, v) < 0) return NULL;
    return take_of(self, v);
}

/* ---- repeat -------------------------------------------------------------------------- */

/* A copy of `a` with an axis more, before its axis `at`, along which it is the same. */
static cu_status
stretch(const cu_array *a, int at, int64_t times, cu_array *out)
{
    cu_array spread; /* borrows a's storage */
    cu_status st;

    cu_array_borrow(&spread, a);
    for (int i = spread.ndim++; i > at; i--) {
        spread.shape[i] = spread.shape[i - 1];
        spread.strides[i] = spread.strides[i - 1];
    }
    spread.shape[at] = times;
    spread.strides[at] = 0;
    cu_array_update_flags(&spread);
    st = cu_array_init(out, cu_array_device(a), a->dtype, spread.ndim, spread.shape,
                       'C');
    if (st) return st;
    st = cu_array_assign(out, &spread, NULL);
    if (st) cu_array_release(out);
    return st;
}

/* Every element `times` times. */
static cu_status
repeat_along(const cu_array *a, int axis, int64_t times, cu_array *out)
{
    cu_status st = stretch(a, axis + 1, times, out);

    if (st) return st;
    out->ndim = a->ndim;
    memcpy(out->shape, a->shape, (size_t)a->ndim * sizeof out->shape[0]);
    out->shape[axis] *= times;
    cu_strides_fill(out->dtype, out->ndim, out->shape, 'C', out->strides);
    cu_array_update_flags(out);
    return CUPRIC_OK;
}

/* repeat_each(a, times, axis): of at most 63 axes; `axis` counts from the first. */
static PyObject *
module_repeat_each(PyObject *self, PyObject *args)
{
    cu_array out = cu_array_none();
    const cu_array *a;
    PyThreadState *thread;
    long long times;
    PyObject *array;
    cu_status st;
    int axis;
    (void)self;

    if (!PyArg_ParseTuple(args, "O!Li:repeat_each", &py_array_type, &array, &times,
                          &axis)) {
        return NULL;
    }
    a = py_array_get(array);
    thread = py_suspend(a->size);
    st = repeat_along(a, axis, times, &out);
    py_resume(thread);
    return st ? py_raise() : py_array_new(&out);
}

/* ---- put ----------------------------------------------------------------------------- */

/* Let a vector, or dense rows, be a vector of `n` of its elements. */
static void
shorten(cu_array *a, int64_t n)
{
    a->shape[0] = n;
    if (a->ndim > 1) a->strides[0] = cu_itemsize(a->dtype);
    a->ndim = 1;
    cu_array_update_flags(a);
}

/* values[i % values.size] for i < n: what put stores; one value is broadcast. Owned. */
static cu_status
cycle(const cu_array *values, int64_t n, cu_array *out)
{
    cu_array flat = cu_array_none(), rows = cu_array_none(); /* owned */
    bool copied;
    cu_status st = flatten(values, &flat, &copied);

    if (st) return st;
    if (flat.size > 1 && flat.size < n) {
        st = stretch(&flat, 0, (n - 1) / flat.size + 1, &rows);
        cu_array_release(&flat);
        if (st) return st;
        cu_array_move(&flat, &rows);
    }
    if (flat.size > n) shorten(&flat, n);
    cu_array_move(out, &flat);
    return CUPRIC_OK;
}

/* The flat places `index` of `a` become `value`; of an array that has no flat view, those
 * of a copy, which is then copied back. */
static cu_status
put(cu_array *a, const cu_array *index, take_mode mode, const cu_iter_arg *value)
{
    cu_array flat = cu_array_none(), back = cu_array_none(); /* owned */
    cu_index_array index_array = {index, 0, 0};
    cu_indexed x;
    bool copied, unused;
    cu_status st = flatten(a, &flat, &copied);

    if (st) return st;
    st = cu_indexed_init(&x, &flat, 1, &index_array, index->ndim, index->shape, 0);
    if (st) goto done;
    if (mode == MODE_RAISE) x.check = true;
    st = cu_indexed_scatter(&x, value);
    if (st || !copied) goto done;
    st = cu_array_reshape(&flat, a->ndim, a->shape, 'C', &back, &unused);
    if (!st) st = cu_array_assign(a, &back, NULL);

done:
    cu_array_release(&flat);
    cu_array_release(&back);
    return st;
}

/* The first of `values`, which have one or more, at places, in cycles. */
static cu_status
put_cycled(cu_array *a, const cu_array *places, take_mode mode, const py_value *values)
{
    cu_iter_arg arg = values->arg;
    cu_array cycled = cu_array_none(); /* owned */
    cu_status st = CUPRIC_OK;

    if (arg.array) {
        st = cycle(&values->array, places->size, &cycled);
        arg.array = &cycled;
    }
    if (!st) st = put(a, places, mode, &arg);
    cu_array_release(&cycled);
    return st;
}

/* put(a, ind, v, mode='wrap') */
static PY_FASTCALL(module_put)
{
    static const char *const names[] = {"a", "ind", "v", "mode", NULL};
    PyObject *v[4];
    cu_array index = cu_array_none(), flat = cu_array_none(); /* owned */
    cu_array *a;
    py_value value;
    take_mode mode;
    bool copied;
    cu_status st = CUPRIC_OK;
    (void)self;

    if (py_args_parse("put", args, nargs, kwnames, names, 4, 3, v) < 0) return NULL;
    if (require_array(v[0]) < 0 || (mode = read_mode(v[3])) == MODE_ERROR) return NULL;
    a = py_array_target(v[0]);
    if (!(a->flags & CUPRIC_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "put: output array is read-only");
        return NULL;
    }
    if (read_indices(v[1], cu_array_device(a), &index) < 0) return NULL;
    if (py_value_read(v[2], a, PY_VALUE_ARRAY, &value) < 0) {
        cu_array_release(&index);
        return NULL;
    }
    if (index.size == 0) goto done;
    if (a->size == 0) {
        st = cu_fail(CUPRIC_ERR_INDEX, "cannot replace elements of an empty array");
        goto done;
    }
    if (value.arg.array && value.array.size == 0) goto done;
    st = flatten(&index, &flat, &copied);
    if (!st && mode == MODE_CLIP) st = clip_indices(&flat, a->size);
    if (!st) st = put_cycled(a, &flat, mode, &value);

done:
    py_value_release(&value);
    cu_array_release(&index);
    cu_array_release(&flat);
    if (st) return py_raise();
    Py_RETURN_NONE;
}

/* Whether what place is called with is an array and a mask of its size, where it is, and
 * values of its dtype, or a list. */
static bool
is_plain_place(PyObject *o, PyObject *mask, PyObject *values)
{
    const cu_array *a;

    if (!py_array_check(o) || !py_array_check(mask)) return false;
    a = py_array_get(o);
    if (!(a->flags & CUPRIC_WRITEABLE) || cu_is_opaque(a->dtype) ||
        py_array_get(mask)->size != a->size ||
        cu_array_device(py_array_get(mask)) != cu_array_device(a)) {
        return false;
    }
    if (PyList_CheckExact(values)) return PyList_GET_SIZE(values) > 0;
    return py_array_check(values) && py_array_get(values)->dtype == a->dtype &&
           py_array_get(values)->size > 0;
}

/* Where a mask is not zero, in C order, as a vector. Owned. */
static cu_status
find_places(const cu_array *mask, cu_array *out)
{
    cu_array line = cu_array_none(); /* owned */
    bool copied;
    cu_status st = flatten(mask, &line, &copied);

    if (!st) st = cu_array_nonzero(&line, out);
    cu_array_release(&line);
    if (!st) shorten(out, out->size);
    return st;
}

static cu_status
place(cu_array *a, const cu_array *mask, const py_value *values)
{
    cu_array places = cu_array_none(); /* owned */
    PyThreadState *thread = PyEval_SaveThread();
    cu_status st = find_places(mask, &places);

    PyEval_RestoreThread(thread);
    if (!st && places.size) st = put_cycled(a, &places, MODE_WRAP, values);
    cu_array_release(&places);
    return st;
}

/* place(arr, mask, vals): what is plain here, the rest in Python. */
static PY_FASTCALL(module_place)
{
    static const char *const names[] = {"arr", "mask", "vals", NULL};
    PyObject *v[3], *call, *r; /* call: owned */
    const cu_array *mask;
    cu_array *a;
    py_value values;
    cu_status st;
    (void)self;

    if (py_args_parse("place", args, nargs, kwnames, names, 3, 3, v) < 0) return NULL;
    if (!is_plain_place(v[0], v[1], v[2])) {
        call = PyTuple_Pack(3, v[0], v[1], v[2]);
        r = call ? py_call_python("cupric._indexing._insert", "place_any", call) : NULL;
        Py_XDECREF(call);
        return r;
    }
    a = py_array_target(v[0]);
    mask = py_array_get(v[1]);
    if (py_value_read(v[2], a, PY_VALUE_ARRAY, &values) < 0) return NULL;
    st = place(a, mask, &values);
    py_value_release(&values);
    if (st) return py_raise();
    Py_RETURN_NONE;
}

/* ---- along an axis ------------------------------------------------------------------- */

/* Indices over every axis: `axis` by the given array, the others by their own place, which
 * makes them axes that are walked. */
static int
along_axis(const cu_array *a, const cu_array *index, int axis, cu_indexed *x)
{
    if (index->ndim != a->ndim) {
        PyErr_Format(
            PyExc_ValueError,
            "`indices` and `arr` must have the same number of dimensions (%d and "
            "%d)",
            index->ndim, a->ndim);
        return -1;
    }
    /* Walk the result's shape: where the array broadcasts, its stride is 0. */
    cu_array_borrow(&x->base, a);
    cu_array_borrow(&x->walk, a);
    x->nindex = 1;
    x->check = a->shape[axis] == 0 || cu_setting_int("CUPRIC_CHECK", 0) != 0;
    x->distinct = false;
    x->length[0] = a->shape[axis];
    x->stride[0] = a->strides[axis];
    x->axis[0] = axis;
    cu_array_borrow(&x->index[0], index);
    for (int i = 0; i < a->ndim; i++) {
        int64_t n = i == axis || a->shape[i] == 1 ? index->shape[i] : a->shape[i];
        if (i != axis && index->shape[i] != n && index->shape[i] != 1) {
            char one[CUPRIC_SHAPE_TEXT], two[CUPRIC_SHAPE_TEXT];
            PyErr_Format(
                PyExc_IndexError,
                "shape mismatch: indexing arrays could not be broadcast together "
                "with shapes %s %s",
                cu_shape_text(a->ndim, a->shape, one, sizeof one),
                cu_shape_text(index->ndim, index->shape, two, sizeof two));
            return -1;
        }
        if (i == axis || a->shape[i] == 1) x->walk.strides[i] = 0;
        if (index->shape[i] == 1) x->index[0].strides[i] = 0;
        x->walk.shape[i] = x->index[0].shape[i] = n;
    }
    cu_array_update_flags(&x->walk);
    cu_array_update_flags(&x->index[0]);
    return 0;
}

typedef struct along_call {
    cu_array a, index; /* owned */
    cu_indexed x;
} along_call;

static void
along_release(along_call *c)
{
    cu_array_release(&c->a);
    cu_array_release(&c->index);
}

static int
along_begin(along_call *c, PyObject *arr, PyObject *indices, PyObject *axis_arg)
{
    int axis = 0;
    bool copied;

    cu_array_clear(&c->a);
    cu_array_clear(&c->index);
    if (require_array(arr) < 0 || require_array(indices) < 0) return -1;
    if (strchr("iu", cu_dtypes[py_array_get(indices)->dtype].kind) == NULL) {
        PyErr_SetString(PyExc_IndexError, "`indices` must be an integer array");
        return -1;
    }
    if (py_is_absent(axis_arg)) {
        if (py_array_get(indices)->ndim != 1) {
            PyErr_SetString(PyExc_ValueError,
                            "when axis=None, `indices` must have a single dimension.");
            return -1;
        }
        if (flatten(py_array_get(arr), &c->a, &copied)) return py_raise_int();
    } else {
        cu_array_alias(&c->a, py_array_get(arr));
        if (py_axis_read(axis_arg, c->a.ndim, &axis) < 0) goto fail;
    }
    if (read_indices(indices, cu_array_device(&c->a), &c->index) < 0) goto fail;
    if (along_axis(&c->a, &c->index, axis, &c->x) < 0) goto fail;
    return 0;

fail:
    along_release(c);
    return -1;
}

/* take_along_axis(a, indices, axis=-1) */
static PY_FASTCALL(module_take_along_axis)
{
    static const char *const names[] = {"a", "indices", "axis", NULL};
    PyObject *v[3], *last; /* last: owned */
    along_call c;
    cu_array out = cu_array_none(); /* owned */
    cu_status st;
    int r;
    (void)self;

    if (py_args_parse("take_along_axis", args, nargs, kwnames, names, 3, 2, v) < 0) {
        return NULL;
    }
    last = PyLong_FromLong(-1);
    if (last == NULL) return NULL;
    r = along_begin(&c, v[0], v[1], v[2] ? v[2] : last);
    Py_DECREF(last);
    if (r < 0) return NULL;
    st = cu_array_init(&out, cu_array_device(&c.a), c.a.dtype, c.x.walk.ndim,
                       c.x.walk.shape, 'C');
    if (!st) st = gather(&c.x, &out);
    along_release(&c);
    if (st) {
        cu_array_release(&out);
        return py_raise();
    }
    return py_array_new(&out);
}

/* put_along_axis(arr, indices, values, axis): arr is C-contiguous where axis is None. */
static PY_FASTCALL(module_put_along_axis)
{
    static const char *const names[] = {"arr", "indices", "values", "axis", NULL};
    PyObject *v[4];
    along_call c;
    py_value value;
    cu_status st = CUPRIC_OK;
    bool fits = true;
    (void)self;

    if (py_args_parse("put_along_axis", args, nargs, kwnames, names, 4, 3, v) < 0) {
        return NULL;
    }
    if (along_begin(&c, v[0], v[1], v[3]) < 0) return NULL;
    if (!(py_array_get(v[0])->flags & CUPRIC_WRITEABLE)) {
        along_release(&c);
        PyErr_SetString(PyExc_ValueError, "assignment destination is read-only");
        return NULL;
    }
    if (py_value_read(v[2], &c.a, PY_VALUE_ARRAY, &value) < 0) {
        along_release(&c);
        return NULL;
    }
    fits = py_value_fit(&value, c.x.walk.ndim, c.x.walk.shape);
    if (fits) st = cu_indexed_scatter(&c.x, &value.arg);
    py_value_release(&value);
    along_release(&c);
    if (!fits) {
        PyErr_SetString(PyExc_ValueError,
                        "shape mismatch: values could not be broadcast to "
                        "the shape of the indices");
        return NULL;
    }
    if (st) return py_raise();
    Py_RETURN_NONE;
}

#define FAST(f) (PyCFunction)(void (*)(void))(f), METH_FASTCALL | METH_KEYWORDS

PyMethodDef py_take_functions[] = {
    {"take", FAST(module_take), take_doc},
    {"repeat_each", module_repeat_each, METH_VARARGS,
     "repeat_each(a, times, axis)\n--\n\n"},
    {"put", FAST(module_put), put_doc},
    {"place", FAST(module_place), place_doc},
    {"take_along_axis", FAST(module_take_along_axis), take_along_axis_doc},
    {"put_along_axis", FAST(module_put_along_axis),
     "put_along_axis(arr, indices, values, axis)\n--\n\n"},
    {NULL},
};
