/* array/py_key.h: the key of a subscript, read into what it means for the array. */
#ifndef CUPRIC_ARRAY_PY_KEY_H
#define CUPRIC_ARRAY_PY_KEY_H

#include "array/index.h"
#include "layout/py_object.h"

/* A key, read: the view that its ints, slices, None and Ellipsis make, and what its arrays
 * choose from that view. */
typedef struct py_key {
    cu_array view; /* owned: indexed axes in full */
    bool advanced; /* there are arrays or booleans */
    int n;
    cu_index_array index_arrays[CUPRIC_MAXDIMS]; /* into `arrays` */
    cu_array arrays[CUPRIC_MAXDIMS];             /* owned: the first narrays */
    int narrays;
    cu_array
        mask; /* owned; a mask that is the only advanced item and not expanded yet */
    int mask_axis; /* of the view: where it begins */
    int ndim;      /* of the index arrays' broadcast shape */
    int64_t shape[CUPRIC_MAXDIMS];
    int at; /* where these dimensions stand among the view's other axes */
} py_key;

/* 0, or -1 with an exception in NumPy's words. Release with py_key_release. */
int py_key_read(PyObject *self, PyObject *key, py_key *out);
void py_key_release(py_key *k);
/* Masks become index arrays (which waits for the device); then *x describes the access,
 * for as long as *k lives. Also for keys that are not advanced. */
int py_key_resolve(py_key *k, cu_indexed *x);

/* An index array from an object that holds integers or booleans (an array of ours, of
 * NumPy or a nested list), on `device`, int64 or bool: *out is owned. 1; 0 when it is
 * something else; -1 on an exception. */
int py_index_array(PyObject *o, cu_device *device, cu_array *out);

/* IndexErrors in NumPy's words; -1. */
int py_raise_out_of_bounds(int64_t i, int axis, int64_t length) __attribute__((cold));
int py_raise_too_many(const cu_array *a, Py_ssize_t n) __attribute__((cold));

/* ---- views, built axis by axis -------------------------------------------------------- */

/* Start of a view of `a` that is built axis by axis. */
static inline void
py_view_begin(cu_array *v, const cu_array *a)
{
    v->storage = a->storage;
    v->offset = a->offset;
    v->dtype = a->dtype;
    v->ndim = 0;
    v->flags = a->flags & CUPRIC_WRITEABLE;
}

static inline void
py_view_add(cu_array *v, int64_t length, int64_t stride)
{
    v->shape[v->ndim] = length;
    v->strides[v->ndim++] = stride;
}

/* The view becomes an owner. */
static inline void
py_view_end(cu_array *v)
{
    cu_storage_ref(v->storage);
    cu_array_update_flags(v);
}

static inline int
py_view_int(cu_array *v, const cu_array *a, int axis, int64_t i)
{
    int64_t n = a->shape[axis];
    if (CUPRIC_UNLIKELY(i >= n || i < -n)) return py_raise_out_of_bounds(i, axis, n);
    v->offset += (i < 0 ? i + n : i) * a->strides[axis];
    return 0;
}

static inline int
py_view_slice(cu_array *v, const cu_array *a, int axis, PyObject *slice)
{
    Py_ssize_t start, stop, step, length;
    if (PySlice_Unpack(slice, &start, &stop, &step) < 0) return -1;
    length = PySlice_AdjustIndices(a->shape[axis], &start, &stop, step);
    /* An empty slice stays where it is: its start may lie outside the memory. */
    if (length > 0) v->offset += start * a->strides[axis];
    py_view_add(v, length, a->strides[axis] * step);
    return 0;
}

static inline void
py_view_rest(cu_array *v, const cu_array *a, int axis, int end)
{
    for (; axis < end; axis++) py_view_add(v, a->shape[axis], a->strides[axis]);
}

/* A Python int as an index; false (no exception) when it does not fit. */
static inline bool
py_exact_int(PyObject *o, int64_t *out)
{
    int overflow;
    *out = PyLong_AsLongLongAndOverflow(o, &overflow);
    return overflow == 0;
}

#endif
