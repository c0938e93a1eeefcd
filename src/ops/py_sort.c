/* ops/py_sort.c: sort, argsort, partition, argpartition, searchsorted. */
#include "ops/py_sort.h"

#include <string.h>

#include "layout/py_args.h"
#include "ops/py_ufunc.h"
#include "ops/sorting.h"

/* ---- arguments ----------------------------------------------------------------------- */

/* *out: whether equal elements keep their order; as it was where neither `kind` nor
 * `stable` says so. */
static int
read_kind(PyObject *kind, PyObject *stable, bool *out)
{
    const char *text;

    if (!py_is_absent(stable)) {
        int yes = PyObject_IsTrue(stable);
        if (yes < 0) return -1;
        if (!py_is_absent(kind)) {
            PyErr_SetString(
                PyExc_ValueError,
                "`kind` and keyword parameters can't be provided at the same "
                "time. Use only one of them.");
            return -1;
        }
        *out = yes;
        return 0;
    }
    if (py_is_absent(kind)) return 0;
    if (!PyUnicode_Check(kind)) {
        PyErr_Format(PyExc_TypeError, "sort kind must be str, not %.100s",
                     Py_TYPE(kind)->tp_name);
        return -1;
    }
    text = PyUnicode_AsUTF8(kind);
    if (text == NULL) return -1;
    if (text[0] == '\0' || strchr("qhmsQHMS", text[0]) == NULL ||
        !(strlen(text) == 1 || strncmp(text, "quick", 5) == 0 ||
          strncmp(text, "heap", 4) == 0 || strncmp(text, "merge", 5) == 0 ||
          strncmp(text, "stable", 6) == 0)) {
        PyErr_Format(PyExc_ValueError,
                     "sort kind must be one of 'quick', 'heap', or 'stable' (got '%s')",
                     text);
        return -1;
    }
    *out = (text[0] | 0x20) == 's' || (text[0] | 0x20) == 'm';
    return 0;
}

/* One axis: -1 by default. */
static int
read_axis(PyObject *axis, int ndim, int *out)
{
    int64_t v = -1;
    if (axis) {
        v = PyNumber_AsSsize_t(axis, PyExc_OverflowError);
        if (v == -1 && PyErr_Occurred()) return -1;
    }
    return cu_axis_normalize(v, ndim, out) ? py_raise_int() : 0;
}

static int
read_one_kth(PyObject *o, int64_t n, int64_t *out)
{
    Py_ssize_t k;
    if (PyBool_Check(o)) {
        PyErr_SetString(PyExc_ValueError, "Booleans unacceptable as partition index");
        return -1;
    }
    if (!PyIndex_Check(o)) {
        PyErr_SetString(PyExc_TypeError, "Partition index must be integer");
        return -1;
    }
    k = PyNumber_AsSsize_t(o, PyExc_ValueError);
    if (k == -1 && PyErr_Occurred()) return -1;
    if (k < 0) k += n;
    if (n > 0 && (k < 0 || k >= n)) {
        PyErr_Format(PyExc_ValueError, "kth(=%zd) out of bounds (%lld)", k,
                     (long long)n);
        return -1;
    }
    *out = k;
    return 0;
}

/* `kth`: an int, or several, for which everything is sorted. Any will do where n is 0. */
static int
read_kth(PyObject *o, int64_t n, int64_t *out)
{
    PyObject *seq; /* owned */
    Py_ssize_t count;
    bool is_sequence = PyTuple_Check(o) || PyList_Check(o) ||
                       (PyArray_Check(o) && PyArray_NDIM((PyArrayObject *)o) > 0) ||
                       (py_array_check(o) && py_array_get(o)->ndim > 0);

    if (!is_sequence) return read_one_kth(o, n, out);
    if (py_array_check(o)) { /* one copy to the host, not one for each index */
        PyObject *list = PyObject_CallMethod(o, "tolist", NULL);
        seq = list ? PySequence_Tuple(list) : NULL;
        Py_XDECREF(list);
    } else {
        seq = PySequence_Tuple(o);
    }
    if (seq == NULL) return -1;
    count = PyTuple_GET_SIZE(seq);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (read_one_kth(PyTuple_GET_ITEM(seq, i), n, out) < 0) {
            Py_DECREF(seq);
            return -1;
        }
    }
    Py_DECREF(seq);
    if (count == 0) {
        PyErr_SetString(PyExc_TypeError, "Partition index must be integer");
        return -1;
    }
    if (count > 1) *out = -1;
    return 0;
}

/* A new array object of `o`'s elements, dense and of one axis. */
static PyObject *
flat_copy(PyObject *o)
{
    const cu_array *a = py_array_get(o);
    cu_array copy = cu_array_none(), line = cu_array_none();
    const int64_t shape[1] = {a->size};
    bool needs_copy;

    if (cu_array_cast(a, a->dtype, 'C', &copy)) return py_raise();
    if (cu_array_reshape(&copy, 1, shape, 'C', &line, &needs_copy)) {
        cu_array_release(&copy);
        return py_raise();
    }
    cu_array_release(&copy);
    return py_array_new_like(&line, o);
}

/* ---- structures ---------------------------------------------------------------------- */

/* Whether `function` of _sorting/_fields.py sorts `o`: where it is a structure, or `order`
 * names fields. *r is the result then, or NULL with an exception. */
static bool
by_fields(const char *function, PyObject *o, PyObject *axis, PyObject *order,
          PyObject **r)
{
    PyObject *m;

    if (CUPRIC_LIKELY(!cu_is_opaque(py_array_get(o)->dtype) && py_is_absent(order))) {
        return false;
    }
    m = PyImport_ImportModule("cupric._sorting._fields");
    *r = NULL;
    if (m && axis) {
        *r = PyObject_CallMethod(m, function, "OOO", o, axis, order ? order : Py_None);
    } else if (m) {
        *r = PyObject_CallMethod(m, function, "OiO", o, -1, order ? order : Py_None);
    }
    Py_XDECREF(m);
    if (*r != Py_NotImplemented) return true;
    Py_CLEAR(*r);
    return false;
}

/* The same for an array that is to be sorted in place: 1, or 0 where it is not. -1 with an
 * exception. */
static int
sort_fields_in_place(PyObject *o, PyObject *axis, PyObject *order)
{
    PyObject *r; /* owned */
    int failed;

    if (CUPRIC_LIKELY(!by_fields("sort_by_fields", o, axis, order, &r))) return 0;
    if (r == NULL) return -1;
    failed = PyObject_SetItem(o, Py_Ellipsis, r);
    Py_DECREF(r);
    return failed < 0 ? -1 : 1;
}

/* ---- sort, partition ----------------------------------------------------------------- */

static int
sort_in_place(cu_array *a, const cu_sorting *how)
{
    PyThreadState *thread;
    cu_status st;

    if (!(a->flags & CUPRIC_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "sort array is read-only");
        return -1;
    }
    thread = py_suspend(a->size);
    st = cu_array_sort(a, how);
    py_resume(thread);
    return st ? py_raise_int() : 0;
}

/* A sorted or partitioned copy of `a`, which `o` was when how->axis was read: new
 * reference. */
static PyObject *
sorted_copy(PyObject *o, const cu_array *a, const cu_sorting *how)
{
    cu_array out = cu_array_none();
    PyThreadState *thread;
    cu_status st;

    thread = py_suspend(a->size);
    st = cu_array_sorted(a, how, &out);
    py_resume(thread);
    return st ? py_raise() : py_array_new_like(&out, o);
}

/* `o`, or with axis None its elements in C order; *axis is then the only one. New
 * reference. */
static PyObject *
along(PyObject *o, PyObject **axis)
{
    if (*axis != Py_None) return Py_NewRef(o);
    *axis = NULL;
    return py_array_get(o)->ndim == 1 ? Py_NewRef(o) : flat_copy(o);
}

PY_METHOD(sort)
{
    static const char *const names[] = {"axis", "kind", "order", "stable", NULL};
    cu_array *a = py_array_target(self);
    PyObject *v[4];
    cu_sorting how = {.kth = -1};
    int fields;

    if (py_args_parse("sort", args, nargs, kwnames, names, 3, 0, v) < 0) return NULL;
    if (read_kind(v[1], v[3], &how.stable) < 0) return NULL;
    if (read_axis(v[0], a->ndim, &how.axis) < 0) return NULL;
    fields = sort_fields_in_place(self, v[0], v[2]);
    if (fields < 0 || (!fields && sort_in_place(a, &how) < 0)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *
sort(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "axis", "kind", "order", "stable", NULL};
    PyObject *v[5], *a, *line, *r = NULL; /* owned */
    const cu_array *unsorted;
    cu_sorting how = {.kth = -1};

    (void)module;
    if (py_args_parse("sort", args, nargs, kwnames, names, 4, 1, v) < 0) return NULL;
    if (read_kind(v[2], v[4], &how.stable) < 0) return NULL;
    a = py_array_require(v[0]);
    if (a == NULL) return NULL;
    if (by_fields("sort_by_fields", a, v[1], v[3], &r)) {
        Py_DECREF(a);
        return r;
    }
    line = along(a, &v[1]);
    Py_DECREF(a);
    if (line == NULL) return NULL;
    unsorted = py_array_get(line);
    if (read_axis(v[1], unsorted->ndim, &how.axis) == 0) {
        r = sorted_copy(line, unsorted, &how);
    }
    Py_DECREF(line);
    return r;
}

/* Read kth, which may be NULL, and axis against `a`. */
static int
read_partition(const cu_array *a, PyObject *kth, PyObject *axis, cu_sorting *how)
{
    int64_t n;

    if (read_axis(axis, a->ndim, &how->axis) < 0) return -1;
    n = a->size ? a->shape[how->axis] : 0;
    return kth ? read_kth(kth, n, &how->kth) : 0;
}

PY_METHOD(partition)
{
    static const char *const names[] = {"kth", "axis", "kind", "order", NULL};
    cu_array *a = py_array_target(self);
    PyObject *v[4];
    cu_sorting how = {0};
    int fields;

    if (py_args_parse("partition", args, nargs, kwnames, names, 4, 1, v) < 0)
        return NULL;
    if (read_partition(a, v[0], v[1], &how) < 0) return NULL;
    fields = sort_fields_in_place(self, v[1], v[3]);
    if (fields < 0 || (!fields && sort_in_place(a, &how) < 0)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *
partition(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "kth", "axis", "kind", "order", NULL};
    PyObject *v[5], *a, *line, *r = NULL; /* owned */
    const cu_array *unsorted;
    cu_sorting how = {0};

    (void)module;
    if (py_args_parse("partition", args, nargs, kwnames, names, 5, 2, v) < 0)
        return NULL;
    a = py_array_require(v[0]);
    if (a == NULL) return NULL;
    line = along(a, &v[2]);
    Py_DECREF(a);
    if (line == NULL) return NULL;
    unsorted = py_array_get(line);
    if (read_partition(unsorted, v[1], v[2], &how) == 0 &&
        !by_fields("sort_by_fields", line, v[2], v[4], &r)) {
        r = sorted_copy(line, unsorted, &how);
    }
    Py_DECREF(line);
    return r;
}

/* ---- argsort, argpartition ----------------------------------------------------------- */

/* The order along v_axis of `o` (None: of its elements in C order). kth may be NULL. */
static PyObject *
order_of(PyObject *o, PyObject *axis, PyObject *kth, PyObject *order_arg, bool stable)
{
    cu_sorting how = {.stable = stable, .kth = -1};
    cu_array order = cu_array_none();
    PyObject *line = NULL, *r = NULL; /* line: owned */
    const cu_array *a;
    PyThreadState *thread;
    cu_status st;

    if (axis == Py_None || py_array_get(o)->ndim == 0) {
        int unused;
        if (axis && axis != Py_None && read_axis(axis, 1, &unused) < 0) return NULL;
        o = line = flat_copy(o);
        if (line == NULL) return NULL;
        axis = NULL;
    }
    a = py_array_get(o);
    if (read_partition(a, kth, axis, &how) < 0 ||
        by_fields("order_by_fields", o, axis, order_arg, &r)) {
        goto done;
    }
    thread = py_suspend(a->size);
    st = cu_array_argsort(a, &how, &order);
    py_resume(thread);
    r = st ? py_raise() : py_array_new_like(&order, o);

done:
    Py_XDECREF(line);
    return r;
}

PY_METHOD(argsort)
{
    static const char *const names[] = {"axis", "kind", "order", "stable", NULL};
    PyObject *v[4];
    bool stable = true; /* as the array API standard and CuPy have it */
    if (py_args_parse("argsort", args, nargs, kwnames, names, 3, 0, v) < 0) return NULL;
    if (read_kind(v[1], v[3], &stable) < 0) return NULL;
    return order_of(self, v[0], NULL, v[2], stable);
}

static PyObject *
argsort(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "axis", "kind", "order", "stable", NULL};
    PyObject *v[5], *a, *r;
    bool stable = true;

    (void)module;
    if (py_args_parse("argsort", args, nargs, kwnames, names, 4, 1, v) < 0) return NULL;
    if (read_kind(v[2], v[4], &stable) < 0) return NULL;
    a = py_array_require(v[0]);
    if (a == NULL) return py_or_numpy_method(NULL, "argsort", args, nargs, kwnames);
    r = order_of(a, v[1], NULL, v[3], stable);
    Py_DECREF(a);
    return r;
}

PY_METHOD(argpartition)
{
    static const char *const names[] = {"kth", "axis", "kind", "order", NULL};
    PyObject *v[4];
    if (py_args_parse("argpartition", args, nargs, kwnames, names, 4, 1, v) < 0)
        return NULL;
    return order_of(self, v[1], v[0], v[3], false);
}

static PyObject *
argpartition(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
             PyObject *kwnames)
{
    static const char *const names[] = {"a", "kth", "axis", "kind", "order", NULL};
    PyObject *v[5], *a, *r;

    (void)module;
    if (py_args_parse("argpartition", args, nargs, kwnames, names, 5, 2, v) < 0)
        return NULL;
    a = py_array_require(v[0]);
    if (a == NULL) {
        return py_or_numpy_method(NULL, "argpartition", args, nargs, kwnames);
    }
    r = order_of(a, v[2], v[1], v[4], false);
    Py_DECREF(a);
    return r;
}

/* ---- searchsorted -------------------------------------------------------------------- */

static int
read_side(PyObject *o, bool *right)
{
    *right = false;
    if (o == NULL) return 0;
    if (PyUnicode_Check(o)) {
        if (py_keyword_is(o, "left")) return 0;
        if (py_keyword_is(o, "right")) {
            *right = true;
            return 0;
        }
    }
    PyErr_Format(PyExc_ValueError, "search side must be 'left' or 'right' (got %R)", o);
    return -1;
}

/* `a` in the order of `sorter`: new reference. */
static PyObject *
apply_sorter(PyObject *a, PyObject *sorter)
{
    char kind;
    if (!py_array_check(sorter)) {
        py_raise_unsupported(sorter);
        return NULL;
    }
    kind = cu_dtypes[py_array_get(sorter)->dtype].kind;
    if (kind != 'i' && kind != 'u') {
        PyErr_SetString(PyExc_TypeError, "sorter must only contain integers");
        return NULL;
    }
    if (py_array_get(sorter)->size != py_array_get(a)->size) {
        PyErr_SetString(PyExc_ValueError, "sorter.size must equal a.size");
        return NULL;
    }
    return PyObject_GetItem(a, sorter);
}

/* Values in Fortran order are taken for their transpose, whose elements follow each
 * other. */
static cu_status
search_as_it_lies(const cu_array *sorted, const cu_array *values, bool right,
                  cu_array *out)
{
    const unsigned f_order = CUPRIC_F_CONTIGUOUS;
    const unsigned orders = CUPRIC_C_CONTIGUOUS | CUPRIC_F_CONTIGUOUS;
    cu_array turned, found = cu_array_none(); /* owned */
    cu_status st;

    if ((values->flags & orders) != f_order)
        return cu_array_search(sorted, values, right, out);
    st = cu_array_transpose(values, NULL, &turned);
    if (st) return st;
    st = cu_array_search(sorted, &turned, right, &found);
    if (!st) st = cu_array_transpose(&found, NULL, out);
    if (!st) out->flags |= CUPRIC_OWNDATA;
    cu_array_release(&turned);
    cu_array_release(&found);
    return st;
}

static PyObject *
insertion_points(const cu_array *sorted, const cu_array *values, bool right)
{
    cu_dtype t = cu_promote(sorted->dtype, values->dtype);
    cu_array copies[2] = {cu_array_none(), cu_array_none()}; /* owned */
    cu_array out = cu_array_none();
    PyThreadState *thread;
    cu_status st = CUPRIC_OK;

    if (py_require_numbers(sorted, "searchsorted") < 0 ||
        py_require_numbers(values, "searchsorted") < 0) {
        return NULL;
    }
    thread = py_suspend(sorted->size + values->size);
    if (sorted->dtype != t) {
        st = cu_array_cast(sorted, t, 'C', &copies[0]);
        sorted = &copies[0];
    }
    if (!st && values->dtype != t &&
        !cu_array_device(values)->backend->search_converts) {
        st = cu_array_cast(values, t, 'C', &copies[1]);
        values = &copies[1];
    }
    if (!st) st = search_as_it_lies(sorted, values, right, &out);
    cu_array_release(&copies[0]);
    cu_array_release(&copies[1]);
    py_resume(thread);
    return st ? py_raise() : py_array_new(&out);
}

static PyObject *
search(PyObject *a, PyObject *const *v)
{
    PyObject *values = NULL, *sorted = NULL, *r = NULL; /* owned */
    const cu_array *array = py_array_get(a);
    bool right;

    if (read_side(v[1], &right) < 0) return NULL;
    if (array->ndim != 1) {
        PyErr_SetString(PyExc_ValueError,
                        array->ndim ? "object too deep for desired array"
                                    : "object of too small depth for desired array");
        return NULL;
    }
    values = py_array_require_on(v[0], cu_array_device(array));
    if (values == NULL) return NULL;
    if (!py_is_absent(v[2])) {
        sorted = apply_sorter(a, v[2]);
        array = sorted ? py_array_get(sorted) : NULL;
    }
    if (array) r = insertion_points(array, py_array_get(values), right);
    Py_XDECREF(sorted);
    Py_DECREF(values);
    return r;
}

PY_METHOD(searchsorted)
{
    static const char *const names[] = {"v", "side", "sorter", NULL};
    PyObject *v[3];
    if (py_args_parse("searchsorted", args, nargs, kwnames, names, 3, 1, v) < 0)
        return NULL;
    return search(self, v);
}

static PyObject *
searchsorted(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
             PyObject *kwnames)
{
    static const char *const names[] = {"a", "v", "side", "sorter", NULL};
    PyObject *v[4], *a, *r;
    (void)module;
    if (py_args_parse("searchsorted", args, nargs, kwnames, names, 4, 2, v) < 0)
        return NULL;
    a = py_array_require(v[0]);
    if (a == NULL) return NULL;
    r = search(a, v + 1);
    Py_DECREF(a);
    return r;
}

/* ---- the module's ---------------------------------------------------------------------- */

#define FAST(f) (PyCFunction)(void (*)(void)) f, METH_FASTCALL | METH_KEYWORDS
#define DOC_A "\n\nParameters\n----------\na : cupric.ndarray\n"
#define DOC_AXIS                                                                       \
    "axis : int or None, optional\n    The axis to sort along; None flattens first.\n"
#define DOC_KIND                                                                       \
    "kind : {None, 'quicksort', 'stable'}, optional\n"                                 \
    "    'stable' keeps equal elements in their order.\n"                              \
    "order : str or sequence of str, optional\n"                                       \
    "    Fields by which structures are ordered; the others follow.\n"                 \
    "stable : bool, optional\n"                                                        \
    "    The same as ``kind='stable'``.\n"
#define DOC_KTH                                                                        \
    "kth : int or sequence of ints\n"                                                  \
    "    Indices of the elements that come to their sorted places, with none larger\n" \
    "    before and none smaller after.\n"

#define DOC_SELECTION                                                                  \
    "kind : {'introselect'}, optional\n    Makes no difference.\n"                     \
    "order : str or sequence of str, optional\n"                                       \
    "    Fields by which structures are ordered; the others follow.\n"
#define DOC_EXAMPLES "\nExamples\n--------\n"

static PyMethodDef functions[] = {
    {"sort", FAST(sort),
     "sort($module, a, axis=-1, kind=None, order=None, *, stable=None)\n--\n\n"
     "A sorted copy: NaN last, complex numbers by their real parts first." DOC_A
         DOC_AXIS DOC_KIND "\nReturns\n-------\ncupric.ndarray\n    A new array.\n"},
    {"argsort", FAST(argsort),
     "argsort($module, a, axis=-1, kind=None, order=None, *, stable=None)\n--\n\n"
     "The indices that sort an array." DOC_A DOC_AXIS DOC_KIND
     "\nReturns\n-------\ncupric.ndarray of int64\n    Of a's shape.\n"},
    {"partition", FAST(partition),
     "partition($module, a, kth, axis=-1, kind='introselect', order=None)\n--\n\n"
     "A copy with some elements where sorting would put them." DOC_A DOC_KTH DOC_AXIS
         DOC_SELECTION
     "\nReturns\n-------\ncupric.ndarray\n    A new array.\n" DOC_EXAMPLES
     ">>> cp.partition(cp.array([3, 1, 2, 0]), 1)[1]\n"
     "array(1)\n"},
    {"argpartition", FAST(argpartition),
     "argpartition($module, a, kth, axis=-1, kind='introselect', order=None)\n--\n\n"
     "The indices that partition an array." DOC_A DOC_KTH DOC_AXIS DOC_SELECTION
     "\nReturns\n-------\ncupric.ndarray of int64\n    Of a's shape.\n" DOC_EXAMPLES
     ">>> cp.argpartition(cp.array([3, 1, 2, 0]), 0)[0]\n"
     "array(3)\n"},
    {"searchsorted", FAST(searchsorted),
     "searchsorted($module, a, v, side='left', sorter=None)\n--\n\n"
     "Where values would be inserted in a sorted array to keep it sorted." DOC_A
     "    One axis, ascending.\n"
     "v : cupric.ndarray or scalar\n    The values.\n"
     "side : {'left', 'right'}, optional\n"
     "    Before or after elements equal to the value.\n"
     "sorter : cupric.ndarray of ints, optional\n    The order that sorts `a`.\n"
     "\nReturns\n-------\ncupric.ndarray of int64\n    Of v's shape.\n" DOC_EXAMPLES
     ">>> cp.searchsorted(cp.array([1, 3, 5]), cp.array([0, 3, 9]))\n"
     "array([0, 1, 3])\n"},
    {NULL, NULL, 0, NULL},
};

int
py_sort_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
