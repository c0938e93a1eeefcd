/* array/py_key.c: see py_key.h. A key is read into items first, because where the index
 * dimensions go depends on the whole key; then the view is built axis by axis.
 */
#include "array/py_key.h"

#include <string.h>

#include "array/py_array.h"
#include "ops/py_ufunc.h"
#include "ops/py_upload.h"
#include "ops/sorting.h"

int
py_raise_out_of_bounds(int64_t i, int axis, int64_t length)
{
    PyErr_Format(PyExc_IndexError,
                 "index %lld is out of bounds for axis %d with size %lld", (long long)i,
                 axis, (long long)length);
    return -1;
}

int
py_raise_too_many(const cu_array *a, Py_ssize_t n)
{
    PyErr_Format(
        PyExc_IndexError,
        "too many indices for array: array is %d-dimensional, but %zd were indexed",
        a->ndim, n);
    return -1;
}

static int
raise_not_an_index(void)
{
    PyErr_SetString(
        PyExc_IndexError,
        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) "
        "and integer or boolean arrays are valid indices");
    return -1;
}

/* ---- items --------------------------------------------------------------------------- */

typedef enum item_kind {
    ITEM_INT,
    ITEM_SLICE,
    ITEM_NEW, /* None */
    ITEM_ELLIPSIS,
    ITEM_INDEX, /* integer array */
    ITEM_MASK
} item_kind;

typedef struct item {
    item_kind kind;
    int64_t value;   /* of an int; of a 0-d mask, 0 or 1 */
    PyObject *slice; /* borrowed */
    cu_array array;  /* owned: index or mask of one or more dimensions */
} item;

/* Every axis once, as many None, an Ellipsis. */
enum { MAX_ITEMS = 2 * CUPRIC_MAXDIMS + 1 };

typedef struct item_list {
    int n;
    int consumed; /* axes of the array that the items stand for */
    bool advanced, ellipsis;
    item item[MAX_ITEMS];
} item_list;

static void
items_release(item_list *list)
{
    while (list->n > 0) cu_array_release(&list->item[--list->n].array);
}

/* A NumPy array of integers or booleans as one on `device`; 0 when it holds others. */
static int
index_from_numpy(PyArrayObject *given, cu_device *device, cu_array *out)
{
    const bool is_mask = PyArray_ISBOOL(given);
    if (!is_mask && !PyArray_ISINTEGER(given)) return 0;
    return py_upload(given, is_mask ? CUPRIC_BOOL : CUPRIC_INT64, 'C', device, out) < 0
               ? -1
               : 1;
}

static int
index_from_ours(const cu_array *a, cu_array *out)
{
    char kind = cu_dtypes[a->dtype].kind;
    if (a->dtype == CUPRIC_INT64 || a->dtype == CUPRIC_BOOL) {
        cu_array_alias(out, a);
        return 1;
    }
    if (kind != 'i' && kind != 'u') return 0;
    return cu_array_cast(a, CUPRIC_INT64, 'C', out) ? py_raise_int() : 1;
}

/* A nested list. What NumPy does not take may hold arrays of ours. */
static int
index_from_list(PyObject *o, cu_device *device, cu_array *out)
{
    PyArrayObject *array = (PyArrayObject *)PyArray_FROM_O(o); /* owned */
    PyObject *ours;
    int r;

    if (array == NULL || (PyArray_TYPE(array) == NPY_OBJECT && py_holds_arrays(o))) {
        if (array == NULL && !PyErr_ExceptionMatches(PyExc_TypeError)) return -1;
        PyErr_Clear();
        Py_XDECREF(array);
        ours = py_array_from_any(o, CUPRIC_NO_DTYPE, 'C', -1);
        if (ours == NULL) return -1;
        r = index_from_ours(py_array_get(ours), out);
        Py_DECREF(ours);
        return r;
    }
    if (PyArray_SIZE(array) == 0 && !PyArray_ISBOOL(array)) { /* [] is of float64 */
        Py_SETREF(array, (PyArrayObject *)PyArray_Cast(array, NPY_INT64));
        if (array == NULL) return -1;
    }
    r = index_from_numpy(array, device, out);
    Py_DECREF(array);
    return r;
}

static int
raise_not_integer(void)
{
    PyErr_SetString(PyExc_IndexError,
                    "arrays used as indices must be of integer (or boolean) type");
    return -1;
}

int
py_index_array(PyObject *o, cu_device *device, cu_array *out)
{
    py_operand converted;
    int r;

    if (py_array_check(o)) {
        r = index_from_ours(py_array_get(o), out);
        return r ? r : raise_not_integer();
    }
    if (PyArray_Check(o)) {
        r = index_from_numpy((PyArrayObject *)o, device, out);
        return r ? r : raise_not_integer();
    }
    if (PyUnicode_Check(o) || PyBytes_Check(o) || PyByteArray_Check(o)) return 0;
    if (PyList_Check(o) || PyTuple_Check(o)) return index_from_list(o, device, out);
    r = py_operand_read(o, &converted);
    if (r > 0 && converted.array) {
        r = index_from_ours(converted.array, out);
        py_operand_release(&converted);
        return r ? r : raise_not_integer();
    }
    if (r < 0) return -1;
    return PySequence_Check(o) && !PyArray_IsScalar(o, Generic)
               ? index_from_list(o, device, out)
               : 0;
}

static int
add_bool(item_list *list, bool value)
{
    item *it = &list->item[list->n++];
    it->kind = ITEM_MASK;
    it->value = value;
    it->array.storage = NULL;
    list->advanced = true;
    return 0;
}

/* Arrays of indices, lists of them, and masks. */
static int
add_array(item_list *list, PyObject *o, const cu_array *self)
{
    item *it = &list->item[list->n];
    cu_array *a = &it->array;
    int r = py_index_array(o, cu_array_device(self), a);

    if (r < 0) return -1;
    if (r == 0) return raise_not_an_index();
    if (a->dtype == CUPRIC_BOOL && a->ndim == 0) {
        bool value;
        cu_status st = cu_array_get(a, &value);
        cu_array_release(a);
        return st ? py_raise_int() : add_bool(list, value);
    }
    list->n++;
    it->kind = a->dtype == CUPRIC_BOOL ? ITEM_MASK : ITEM_INDEX;
    it->value = -1;
    list->consumed += a->dtype == CUPRIC_BOOL ? a->ndim : 1;
    list->advanced = true;
    return 0;
}

static int
add_int(item_list *list, PyObject *o)
{
    PyObject *number = PyNumber_Index(o); /* owned */
    item *it;
    int64_t i;
    bool fits;

    if (number == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) raise_not_an_index();
        return -1;
    }
    fits = py_exact_int(number, &i);
    Py_DECREF(number);
    if (!fits) return raise_not_an_index();
    it = &list->item[list->n++];
    it->kind = ITEM_INT;
    it->value = i;
    it->array.storage = NULL;
    list->consumed++;
    return 0;
}

static int
add_item(item_list *list, PyObject *o, const cu_array *self)
{
    item *it = &list->item[list->n];

    if (list->n == MAX_ITEMS) {
        PyErr_SetString(PyExc_IndexError, "too many indices for array");
        return -1;
    }
    it->array.storage = NULL;
    if (o == Py_Ellipsis) {
        if (list->ellipsis) {
            PyErr_SetString(PyExc_IndexError,
                            "an index can only have a single ellipsis ('...')");
            return -1;
        }
        list->ellipsis = true;
        it->kind = ITEM_ELLIPSIS;
        list->n++;
        return 0;
    }
    if (o == Py_None) {
        it->kind = ITEM_NEW;
        list->n++;
        return 0;
    }
    if (PySlice_Check(o)) {
        it->kind = ITEM_SLICE;
        it->slice = o;
        list->consumed++;
        list->n++;
        return 0;
    }
    if (o == Py_True || o == Py_False || PyArray_IsScalar(o, Bool)) {
        return add_bool(list, PyObject_IsTrue(o) == 1);
    }
    if (PyLong_Check(o) || (PyArray_IsScalar(o, Integer))) return add_int(list, o);
    if (py_array_check(o)) return add_array(list, o, self);
    if (PyArray_Check(o)) {
        bool is_int = PyArray_NDIM((PyArrayObject *)o) == 0 &&
                      PyArray_ISINTEGER((PyArrayObject *)o);
        return is_int ? add_int(list, o) : add_array(list, o, self);
    }
    if (PyIndex_Check(o) && !PySequence_Check(o)) return add_int(list, o);
    return add_array(list, o, self);
}

static int
read_items(item_list *list, PyObject *key, const cu_array *self)
{
    list->n = list->consumed = 0;
    list->advanced = list->ellipsis = false;
    if (PyTuple_Check(key)) {
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); i++) {
            if (add_item(list, PyTuple_GET_ITEM(key, i), self) < 0) return -1;
        }
    } else if (add_item(list, key, self) < 0) {
        return -1;
    }
    if (list->consumed > self->ndim) return py_raise_too_many(self, list->consumed);
    return 0;
}

/* ---- from items to a key ------------------------------------------------------------- */

/* Where the index dimensions stand: at the first advanced item when all of them are
 * neighbours (ints count as advanced where there are others), else in front. */
typedef struct placing {
    enum { NONE_YET, RUNNING, ENDED, SCATTERED } state;
    int at;
    int walked; /* axes so far that are not indexed */
} placing;

static void
place_advanced(placing *p)
{
    if (p->state == NONE_YET) p->at = p->walked;
    p->state = p->state == NONE_YET || p->state == RUNNING ? RUNNING : SCATTERED;
}

static void
place_other(placing *p, int naxes)
{
    if (p->state == RUNNING) p->state = ENDED;
    p->walked += naxes;
}

static int
check_mask(const cu_array *a, int axis, const cu_array *mask)
{
    for (int i = 0; i < mask->ndim; i++) {
        /* NumPy lets a mask of length 0 choose nothing from an axis of any length. */
        if (mask->shape[i] == a->shape[axis + i] || mask->shape[i] == 0) continue;
        PyErr_Format(
            PyExc_IndexError,
            "boolean index did not match indexed array along axis %d; size of axis "
            "is %lld but size of corresponding boolean axis is %lld",
            axis + i, (long long)a->shape[axis + i], (long long)mask->shape[i]);
        return -1;
    }
    return 0;
}

/* A 0-d boolean is an index dimension of its own, of length 1 or 0. */
static int
join_bool(py_key *k, bool value)
{
    int64_t length = value;
    if (cu_shape_broadcast(&k->ndim, k->shape, 1, &length)) return 0;
    PyErr_SetString(PyExc_IndexError, "shape mismatch: indexing arrays could not be "
                                      "broadcast together with a boolean scalar");
    return -1;
}

static int
key_add_array(py_key *k, item *it, const cu_array *a, int axis)
{
    cu_array *mine = &k->arrays[k->narrays];

    if (it->kind == ITEM_MASK && check_mask(a, axis, &it->array) < 0) return -1;
    cu_array_borrow(mine, &it->array); /* with its reference */
    it->array.storage = NULL;
    k->narrays++;
    k->index_arrays[k->n++] = (cu_index_array){mine, k->view.ndim, axis};
    return 0;
}

static int
raise_too_deep(void)
{
    PyErr_Format(
        PyExc_IndexError,
        "number of dimensions must be within [0, %d], the indexing result would "
        "have more",
        CUPRIC_MAXDIMS);
    return -1;
}

static int
key_build(py_key *k, item_list *list, const cu_array *a)
{
    placing p = {NONE_YET, 0, 0};
    int axis = 0, bools = 0;

    for (int i = 0; i < list->n; i++) {
        item *it = &list->item[i];
        int naxes = 1;
        switch (it->kind) {
        case ITEM_INT:
            if (py_view_int(&k->view, a, axis, it->value) < 0) return -1;
            if (list->advanced) place_advanced(&p);
            axis++;
            continue;
        case ITEM_NEW: naxes = 0; break;
        case ITEM_ELLIPSIS: naxes = a->ndim - list->consumed; break;
        case ITEM_SLICE: break;
        case ITEM_INDEX: break;
        case ITEM_MASK: naxes = it->array.storage ? it->array.ndim : 0; break;
        }
        if (k->view.ndim + (it->kind == ITEM_NEW ? 1 : naxes) > CUPRIC_MAXDIMS) {
            return raise_too_deep();
        }
        if (it->kind == ITEM_INDEX || it->kind == ITEM_MASK) {
            place_advanced(&p);
            if (it->array.storage) {
                if (key_add_array(k, it, a, axis) < 0) return -1;
            } else {
                bools++;
                if (join_bool(k, it->value) < 0) return -1;
            }
            py_view_rest(&k->view, a, axis, axis + naxes);
        } else if (it->kind == ITEM_SLICE) {
            if (py_view_slice(&k->view, a, axis, it->slice) < 0) return -1;
            place_other(&p, 1);
        } else if (it->kind == ITEM_NEW) {
            py_view_add(&k->view, 1, 0);
            place_other(&p, 1);
        } else {
            py_view_rest(&k->view, a, axis, axis + naxes);
            place_other(&p, naxes);
        }
        axis += naxes;
    }
    if (k->view.ndim + a->ndim - axis > CUPRIC_MAXDIMS) {
        return raise_too_deep();
    }
    py_view_rest(&k->view, a, axis, a->ndim);
    k->at = p.state == SCATTERED ? 0 : p.at;
    /* One mask alone: perhaps its places need not be found. */
    if (k->n == 1 && bools == 0 && k->arrays[0].dtype == CUPRIC_BOOL &&
        k->arrays[0].size > 0) {
        cu_array_borrow(&k->mask, &k->arrays[0]); /* with its reference */
        k->mask_axis = k->index_arrays[0].axis;
        k->n = k->narrays = 0;
    }
    return 0;
}

int
py_key_read(PyObject *self, PyObject *key, py_key *out)
{
    cu_array whole, *a = &whole; /* borrowed: reading the key may change the shape */
    item_list list;
    int r;

    cu_array_borrow(&whole, py_array_get(self));
    if (a->storage == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "this array was never initialised");
        return -1;
    }
    out->n = out->narrays = out->ndim = out->at = 0;
    out->mask.storage = NULL;
    py_view_begin(&out->view, a);
    r = read_items(&list, key, a);
    if (r == 0) {
        out->advanced = list.advanced;
        r = key_build(out, &list, a);
    }
    items_release(&list);
    py_view_end(&out->view);
    if (r < 0) py_key_release(out);
    return r;
}

void
py_key_release(py_key *k)
{
    cu_array_release(&k->view);
    cu_array_release(&k->mask);
    while (k->narrays > 0) cu_array_release(&k->arrays[--k->narrays]);
}

/* ---- masks --------------------------------------------------------------------------- */

/* Axes [axis, axis + n) of `a` as one, where strides allow: a mask over them then needs
 * one index array. */
static bool
merge_axes(cu_array *a, int axis, int n)
{
    int64_t length = a->shape[axis + n - 1], step = a->strides[axis + n - 1];
    for (int i = axis + n - 2; i >= axis; i--) {
        if (a->strides[i] != step * length) return false;
        length *= a->shape[i];
    }
    a->shape[axis] = length;
    a->strides[axis] = step;
    for (int i = axis + n; i < a->ndim; i++) {
        a->shape[i - n + 1] = a->shape[i];
        a->strides[i - n + 1] = a->strides[i];
    }
    a->ndim -= n - 1;
    cu_array_update_flags(a);
    return true;
}

/* Add the coordinates of mask's true elements as index arrays, one per axis. */
static int
add_coordinates(py_key *k, const cu_array *mask, int axis, int reported)
{
    cu_array coords = cu_array_none(); /* owned */
    int64_t count;
    cu_status st;

    Py_BEGIN_ALLOW_THREADS
    st = cu_array_nonzero(mask, &coords);
    Py_END_ALLOW_THREADS
    if (st) return py_raise_int();
    count = coords.shape[1];
    for (int i = 0; i < mask->ndim; i++) {
        cu_array *row = &k->arrays[k->narrays++];
        cu_array_init_view(row, coords.storage, coords.offset + i * coords.strides[0],
                           CUPRIC_INT64, 1, &count, &coords.strides[1]);
        k->index_arrays[k->n++] = (cu_index_array){row, axis + i, reported + i};
    }
    cu_array_release(&coords);
    return 0;
}

static int
resolve_lone_mask(py_key *k)
{
    cu_array flat = cu_array_none(); /* owned */
    int64_t size = k->mask.size;
    bool copied;
    int r;

    if (k->mask.ndim == 1 || !merge_axes(&k->view, k->mask_axis, k->mask.ndim)) {
        return add_coordinates(k, &k->mask, k->mask_axis, k->mask_axis);
    }
    if (!cu_array_is_contiguous(&k->mask)) {
        cu_array dense = cu_array_none();
        if (cu_array_cast(&k->mask, CUPRIC_BOOL, 'C', &dense)) return py_raise_int();
        cu_array_release(&k->mask);
        cu_array_move(&k->mask, &dense);
    }
    if (cu_array_reshape(&k->mask, 1, &size, 'C', &flat, &copied))
        return py_raise_int();
    r = add_coordinates(k, &flat, k->mask_axis, k->mask_axis);
    cu_array_release(&flat);
    return r;
}

/* Masks among other arrays. */
static int
resolve_masks(py_key *k)
{
    cu_index_array given[CUPRIC_MAXDIMS];
    cu_array arrays[CUPRIC_MAXDIMS]; /* owned: those from `i` on */
    int n = k->n, i = 0, r = 0;

    memcpy(given, k->index_arrays, (size_t)n * sizeof given[0]);
    for (int j = 0; j < n; j++) arrays[j] = k->arrays[j];
    k->n = k->narrays = 0;
    for (; i < n && r == 0; i++) {
        if (arrays[i].dtype == CUPRIC_BOOL) {
            r = add_coordinates(k, &arrays[i], given[i].axis, given[i].reported);
            cu_array_release(&arrays[i]);
            continue;
        }
        k->arrays[k->narrays] = arrays[i];
        k->index_arrays[k->n++] =
            (cu_index_array){&k->arrays[k->narrays], given[i].axis, given[i].reported};
        k->narrays++;
    }
    for (; i < n; i++) cu_array_release(&arrays[i]);
    return r;
}

int
py_key_resolve(py_key *k, cu_indexed *x)
{
    bool any_mask = false;
    for (int i = 0; i < k->n; i++) any_mask |= k->arrays[i].dtype == CUPRIC_BOOL;
    if (k->mask.storage) {
        if (resolve_lone_mask(k) < 0) return -1;
    } else if (any_mask) {
        if (resolve_masks(k) < 0) return -1;
    }
    if (cu_index_arrays_broadcast(k->n, k->index_arrays, &k->ndim, k->shape) ||
        cu_indexed_init(x, &k->view, k->n, k->index_arrays, k->ndim, k->shape, k->at)) {
        return py_raise_int();
    }
    x->distinct = k->mask.storage && !cu_array_overlaps_itself(&k->view);
    return 0;
}
