/* array/py_index.c: see py_index.h. Keys of ints and slices, the common ones, are read
 * straight into the view; py_key.c reads all others.
 */
#include "array/py_index.h"

#include <string.h>

#include "array/py_array.h"
#include "array/py_field.h"
#include "array/py_key.h"
#include "array/py_value.h"
#include "ops/py_ufunc.h"
#include "ops/sorting.h"

/* ---- ints and slices ----------------------------------------------------------------- */

static inline bool
is_plain(PyObject *o)
{
    return o == Py_None || PyLong_CheckExact(o);
}

/* Whether reading the slice runs no Python code, which could set the array's shape. */
static inline bool
is_plain_slice(PyObject *o)
{
    const PySliceObject *s = (PySliceObject *)o;
    return is_plain(s->start) && is_plain(s->stop) && is_plain(s->step);
}

/* One item on the first axis: 1 done, 0 not an int or a slice, -1 an exception. */
static inline int
view_of_one(cu_array *v, const cu_array *a, PyObject *key)
{
    int64_t i;
    if (a->ndim == 0 || key == Py_None) return 0;
    if (key == Py_Ellipsis) {
        cu_array_alias(v, a);
        return 1;
    }
    py_view_begin(v, a);
    if (PySlice_Check(key)) {
        if (!is_plain_slice(key)) return 0;
        if (py_view_slice(v, a, 0, key) < 0) return -1;
    } else if (PyLong_CheckExact(key)) {
        if (!py_exact_int(key, &i)) return 0;
        if (py_view_int(v, a, 0, i) < 0) return -1;
    } else {
        return 0;
    }
    py_view_rest(v, a, 1, a->ndim);
    py_view_end(v);
    return 1;
}

/* How many axes a tuple's items stand for, of those that views are made of: ints, slices,
 * None, one Ellipsis. -1 for others, or too many. */
static int
count_axes(const cu_array *a, PyObject *key, bool *has_ellipsis)
{
    const int n = (int)PyTuple_GET_SIZE(key);
    int added = 0;

    *has_ellipsis = false;
    for (int k = 0; k < n; k++) {
        PyObject *item = PyTuple_GET_ITEM(key, k);
        if (item == Py_None) {
            added++;
        } else if (item == Py_Ellipsis) {
            if (*has_ellipsis) return -1;
            *has_ellipsis = true;
        } else if (PySlice_Check(item) ? !is_plain_slice(item)
                                       : !PyLong_CheckExact(item)) {
            return -1;
        }
    }
    if (a->ndim + added > CUPRIC_MAXDIMS) return -1;
    return n - added - *has_ellipsis <= a->ndim ? n - added - *has_ellipsis : -1;
}

/* A tuple, as above. */
static int
view_of_tuple(cu_array *v, const cu_array *a, PyObject *key)
{
    const Py_ssize_t n = PyTuple_GET_SIZE(key);
    bool has_ellipsis;
    int axis = 0, rest;

    if (n == 0 || n > CUPRIC_MAXDIMS) return 0;
    rest = count_axes(a, key, &has_ellipsis);
    if (rest < 0) return 0;
    rest = a->ndim - rest; /* axes that no item names */
    py_view_begin(v, a);
    for (Py_ssize_t k = 0; k < n; k++) {
        PyObject *item = PyTuple_GET_ITEM(key, k);
        int64_t i;
        if (item == Py_None) {
            py_view_add(v, 1, 0);
        } else if (item == Py_Ellipsis) {
            py_view_rest(v, a, axis, axis + rest);
            axis += rest;
        } else if (PyLong_CheckExact(item)) {
            if (!py_exact_int(item, &i)) return 0;
            if (py_view_int(v, a, axis++, i) < 0) return -1;
        } else if (py_view_slice(v, a, axis++, item) < 0) {
            return -1;
        }
    }
    py_view_rest(v, a, axis, a->ndim);
    py_view_end(v);
    return 1;
}

static inline int
view_of_simple(cu_array *v, const cu_array *a, PyObject *key)
{
    return PyTuple_CheckExact(key) ? view_of_tuple(v, a, key) : view_of_one(v, a, key);
}

/* ---- get ----------------------------------------------------------------------------- */

/* a[mask] of a mask of a's shape. */
static PyObject *
get_masked(PyObject *self, py_key *k)
{
    cu_array out = cu_array_none(); /* owned */
    cu_status st;

    Py_BEGIN_ALLOW_THREADS
    st = cu_array_select(&k->view, &k->mask, &out);
    Py_END_ALLOW_THREADS
    if (st) return py_raise();
    return py_array_wrap(&out, Py_TYPE(self), NULL, self);
}

static PyObject *
get_chosen(PyObject *self, py_key *k)
{
    cu_indexed x;
    cu_array out = cu_array_none(); /* owned */
    cu_status st;

    if (k->mask.storage && k->mask.ndim == k->view.ndim &&
        !cu_is_opaque(k->view.dtype)) {
        return get_masked(self, k);
    }
    if (py_key_resolve(k, &x) < 0) return NULL;
    st = cu_array_init(&out, cu_array_device(&k->view), k->view.dtype, x.walk.ndim,
                       x.walk.shape, 'C');
    if (st) return py_raise();
    if (py_is_long(out.size)) {
        Py_BEGIN_ALLOW_THREADS
        st = cu_indexed_gather(&x, &out);
        Py_END_ALLOW_THREADS
    } else {
        st = cu_indexed_gather(&x, &out);
    }
    if (st) {
        cu_array_release(&out);
        return py_raise();
    }
    return py_array_wrap(&out, Py_TYPE(self), NULL, self);
}

static PyObject *
get_general(PyObject *self, PyObject *key)
{
    PyObject *r;
    py_key k;

    if (py_is_field_key(key)) return py_field_get(self, key);
    if (py_key_read(self, key, &k) < 0) return NULL;
    if (k.advanced) {
        r = get_chosen(self, &k);
    } else {
        cu_array view;
        cu_array_alias(&view, &k.view);
        r = py_array_new_view(&view, self);
    }
    py_key_release(&k);
    return r;
}

PyObject *
py_array_subscript(PyObject *self, PyObject *key)
{
    cu_array view;
    int r = view_of_simple(&view, py_array_get(self), key);
    if (CUPRIC_LIKELY(r > 0)) return py_array_new_view(&view, self);
    return r < 0 ? NULL : get_general(self, key);
}

PyObject *
py_array_item_at(PyObject *self, Py_ssize_t i)
{
    const cu_array *a = py_array_get(self);
    cu_array view;

    if (a->ndim == 0) {
        py_raise_too_many(a, 1);
        return NULL;
    }
    py_view_begin(&view, a);
    if (py_view_int(&view, a, 0, i) < 0) return NULL;
    py_view_rest(&view, a, 1, a->ndim);
    py_view_end(&view);
    return py_array_new_view(&view, self);
}

/* ---- set ----------------------------------------------------------------------------- */

/* NumPy writes "(2,3)" in the messages of assignments. */
static const char *
dense_text(const cu_array *a, char *buf)
{
    char *to = buf;
    cu_shape_text(a->ndim, a->shape, buf, CUPRIC_SHAPE_TEXT);
    for (const char *from = buf; *from; from++) {
        if (*from != ' ') *to++ = *from;
    }
    *to = '\0';
    return buf;
}

/* Works on copies of the descriptions alone, so that the GIL may be let go. */
static int
assign(cu_array *dst, const cu_iter_arg *value, const cu_array *mask)
{
    cu_status st;
    PyThreadState *released = py_is_long(dst->size) ? PyEval_SaveThread() : NULL;
    st = value->array ? cu_array_assign(dst, value->array, mask)
                      : cu_array_fill(dst, value->dtype, value->imm, mask);
    if (released) PyEval_RestoreThread(released);
    return st ? py_raise_int() : 0;
}

static int
set_view(cu_array *view, PyObject *o)
{
    char from[CUPRIC_SHAPE_TEXT], to[CUPRIC_SHAPE_TEXT];
    py_value v;
    int r = 0;

    if (py_value_read(o, view, PY_VALUE_ELEMENT, &v) < 0) return -1;
    if (!py_value_fit(&v, view->ndim, view->shape)) {
        PyErr_Format(PyExc_ValueError,
                     "could not broadcast input array from shape %s into shape %s",
                     dense_text(&v.array, from), dense_text(view, to));
        r = -1;
    } else {
        r = assign(view, &v.arg, NULL);
    }
    py_value_release(&v);
    return r;
}

/* a[mask] = value where the value does not depend on which places are chosen: 1 done, 0
 * not such a value, -1. */
static int
set_masked(py_key *k, py_value *v)
{
    cu_array mask, value;                                   /* borrowed descriptions */
    int after = k->view.ndim - k->mask_axis - k->mask.ndim; /* axes behind the mask */

    if (k->mask_axis != k->at) return 0;
    cu_array_borrow(&mask, &k->mask);
    for (int i = 0; i < after; i++) py_view_add(&mask, 1, 0);
    cu_array_update_flags(&mask);
    if (v->arg.array == NULL) return assign(&k->view, &v->arg, &mask) < 0 ? -1 : 1;

    cu_array_borrow(&value, &v->array);
    if (value.ndim > after) { /* one of its axes is for the places chosen */
        int axis = value.ndim - after - 1, grow = k->mask.ndim - 1;
        if (value.shape[axis] != 1 || value.ndim + grow > CUPRIC_MAXDIMS) return 0;
        for (int i = value.ndim - 1; i > axis; i--) {
            value.shape[i + grow] = value.shape[i];
            value.strides[i + grow] = value.strides[i];
        }
        for (int i = 0; i < grow; i++) {
            value.shape[axis + i + 1] = 1;
            value.strides[axis + i + 1] = 0;
        }
        value.ndim += grow;
        cu_array_update_flags(&value);
    }
    if (!py_broadcasts_to(&value, k->view.ndim, k->view.shape)) return 0;
    const cu_iter_arg arg = {&value, NULL, 0, CUPRIC_READ};
    return assign(&k->view, &arg, &mask) < 0 ? -1 : 1;
}

static int
raise_no_fit(const py_key *k, const py_value *v, const cu_array *result)
{
    char from[CUPRIC_SHAPE_TEXT], to[CUPRIC_SHAPE_TEXT];
    if (k->mask.storage && result->ndim == 1 && v->array.ndim == 1) {
        PyErr_Format(PyExc_ValueError,
                     "NumPy boolean array indexing assignment cannot assign %lld input "
                     "values to the %lld output values where the mask is true",
                     (long long)v->array.size, (long long)result->size);
    } else {
        PyErr_Format(
            PyExc_ValueError,
            "shape mismatch: value array of shape %s could not be broadcast to "
            "indexing result of shape %s",
            dense_text(&v->array, from), dense_text(result, to));
    }
    return -1;
}

static int
set_chosen(py_key *k, PyObject *o)
{
    PyThreadState *released;
    cu_indexed x;
    py_value v;
    cu_status st;
    int r;

    if (py_value_read(o, &k->view, PY_VALUE_ARRAY, &v) < 0) return -1;
    r = k->mask.storage ? set_masked(k, &v) : 0;
    if (r == 0) {
        r = py_key_resolve(k, &x);
        if (r == 0 && !py_value_fit(&v, x.walk.ndim, x.walk.shape)) {
            r = raise_no_fit(k, &v, &x.walk);
        }
        if (r == 0) {
            released = py_is_long(x.walk.size) ? PyEval_SaveThread() : NULL;
            st = cu_indexed_scatter(&x, &v.arg);
            if (released) PyEval_RestoreThread(released);
            if (st) r = py_raise_int();
        }
    }
    py_value_release(&v);
    return r < 0 ? -1 : 0;
}

static int
set_general(PyObject *self, PyObject *key, PyObject *value)
{
    py_key k;
    int r;

    if (py_is_field_key(key)) return py_field_set(self, key, value);
    if (py_key_read(self, key, &k) < 0) return -1;
    r = k.advanced ? set_chosen(&k, value) : set_view(&k.view, value);
    py_key_release(&k);
    return r;
}

int
py_array_ass_subscript(PyObject *self, PyObject *key, PyObject *value)
{
    const cu_array *a = py_array_get(self);
    cu_array view;
    int r;

    if (value == NULL) {
        PyErr_SetString(PyExc_ValueError, "cannot delete array elements");
        return -1;
    }
    if (!(a->flags & CUPRIC_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "assignment destination is read-only");
        return -1;
    }
    r = view_of_simple(&view, a, key);
    if (r < 0) return -1;
    if (r == 0) return set_general(self, key, value);
    r = set_view(&view, value);
    cu_array_release(&view);
    return r;
}
