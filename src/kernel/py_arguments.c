/* kernel/py_arguments.c: see py_arguments.h. What a kernel's code declares (py_instance.c)
 * is converted to; of a RawKernel the values decide what they are.
 */
#include <Python.h>

#include "kernel/py_arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/py_args.h"
#include "layout/py_foreign.h"
#include "memory/py_memory.h"

void
py_arguments_release(py_arguments *a)
{
    for (int i = 0; i < a->n; i++) {
        free(a->at[i].large);
        Py_XDECREF(a->at[i].offered);
    }
    if (a->at != a->few) free(a->at);
}

/* ---- one value ------------------------------------------------------------------------------- */

/* Room for a value, of zeros: NULL with an exception where there is no memory. */
static void *
set_room(py_argument *out, size_t nbytes, char kind)
{
    const size_t room = (nbytes + 63) & ~(size_t)63;

    out->nbytes = nbytes;
    out->kind = kind;
    if (nbytes <= PY_SLOT) return out->bytes;
    out->large = aligned_alloc(64, room);
    if (out->large == NULL) {
        PyErr_NoMemory();
    } else {
        memset(out->large, 0, room);
    }
    return out->large;
}

static int
set_bytes(py_argument *out, const void *data, size_t nbytes, char kind)
{
    void *to = set_room(out, nbytes, kind);

    if (to == NULL) return -1;
    memcpy(to, data, nbytes);
    return 0;
}

static int
set_pointer(py_argument *out, const void *p)
{
    return set_bytes(out, &p, sizeof p, 'p');
}

static int
use_device(py_arguments *all, cu_device *d)
{
    if (all->device == NULL) all->device = d;
    if (all->device == d) return 0;
    cu_device_differs(all->device, d);
    py_raise();
    return -1;
}

/* Note that there is an address of `s`, `offset` bytes into argument `out`. */
static int
add_address(py_arguments *all, const py_argument *out, size_t offset, cu_storage *s)
{
    if (all->naddresses == PY_MAX_ARGUMENTS) {
        PyErr_Format(PyExc_TypeError, "a kernel can take %d arrays", PY_MAX_ARGUMENTS);
        return -1;
    }
    all->addresses[all->naddresses++] =
        (py_address){(int)(out - all->at), (unsigned)offset, s};
    return 0;
}

static int
set_array(py_arguments *all, py_argument *out, const cu_array *a)
{
    if (use_device(all, cu_array_device(a)) < 0) return -1;
    if (add_address(all, out, 0, a->storage) < 0) return -1;
    return set_pointer(out,
                       cu_array_access(a, CUPRIC_READ | CUPRIC_WRITE | CUPRIC_ESCAPE));
}

static int
set_memory(py_arguments *all, py_argument *out, PyObject *o)
{
    cu_storage *s;
    ptrdiff_t offset;
    int r;

    if (py_pointer_storage(o, &s, &offset) < 0) return -1;
    r = use_device(all, s->device);
    if (r == 0) {
        char *p = cu_storage_access(s, CUPRIC_READ | CUPRIC_WRITE | CUPRIC_ESCAPE);
        r = set_pointer(out, p + offset);
        out->is_unowned = !s->block && (uintptr_t)p + (uintptr_t)offset != 0;
        if (r == 0 && s->block) r = add_address(all, out, 0, s); /* kept by `o` */
    }
    cu_storage_unref(s);
    return r;
}

/* An integer widens with its sign, as an argument of a C function would. */
static int
set_int(py_argument *out, PyObject *o)
{
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(o, &overflow);

    if (overflow > 0) {
        const unsigned long long u = PyLong_AsUnsignedLongLong(o);
        if (u == (unsigned long long)-1 && PyErr_Occurred()) return -1;
        return set_bytes(out, &u, sizeof u, 'u');
    }
    if (overflow < 0) {
        PyErr_SetString(PyExc_OverflowError, "int too large for a kernel's argument");
        return -1;
    }
    if (value == -1 && PyErr_Occurred()) return -1;
    return set_bytes(out, &value, sizeof value, 'i');
}

static int
set_numpy_scalar(py_argument *out, PyObject *o)
{
    PyArray_Descr *d = PyArray_DescrFromScalar(o);
    const size_t n = d ? (size_t)PyDataType_ELSIZE(d) : 0;
    char kind = d ? d->kind : 'V';
    PyObject *bytes = NULL;
    int r = -1;

    if (d == NULL) return -1;
    if (strchr("biufcVSU", kind) == NULL && kind != 'V') {
        py_raise_unsupported(o);
        goto done;
    }
    if (n <= PY_SLOT && kind != 'V' && kind != 'S' && kind != 'U') {
        unsigned char value[32] = {0};
        PyArray_ScalarAsCtype(o, value);
        r = set_bytes(out, value, n, kind);
        if (r == 0 && kind == 'i' && n < 8) { /* see set_int */
            const int64_t wide = n == 1   ? *(signed char *)value
                                 : n == 2 ? *(short *)value
                                          : *(int *)value;
            memcpy(out->bytes, &wide, sizeof wide);
        }
        goto done;
    }
    bytes = PyObject_CallMethod(o, "tobytes", NULL);
    if (bytes == NULL) goto done;
    r = set_bytes(out, PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes), 'V');

done:
    Py_XDECREF(bytes);
    Py_DECREF(d);
    return r;
}

/* A record may also come as an array of a structured dtype, with one element. */
static bool
is_record(PyObject *o)
{
    return PyArray_Check(o) && PyArray_SIZE((PyArrayObject *)o) == 1 &&
           PyArray_TYPE((PyArrayObject *)o) == NPY_VOID;
}

/* The words of CArray<T, ndim, false>: how many. */
static int
view_words(const cu_array *a, int64_t *words)
{
    const int n = a->ndim > 0 ? a->ndim : 1;

    words[0] = (int64_t)(intptr_t)cu_array_access(a, CUPRIC_READ | CUPRIC_WRITE |
                                                         CUPRIC_ESCAPE);
    words[1] = a->size;
    memcpy(words + 2, a->shape, (size_t)a->ndim * sizeof *words);
    memcpy(words + 2 + n, a->strides, (size_t)a->ndim * sizeof *words);
    return 2 + 2 * n;
}

static int
set_view(py_arguments *all, py_argument *out, const cu_array *a)
{
    int64_t words[2 + 2 * CUPRIC_MAXDIMS] = {0};
    int n;

    if (use_device(all, cu_array_device(a)) < 0) return -1;
    if (add_address(all, out, 0, a->storage) < 0) return -1;
    n = view_words(a, words);
    return set_bytes(out, words, (size_t)n * sizeof *words, 'V');
}

static int
set_handle(py_argument *out, PyObject *o)
{
    PyObject *handle = py_foreign_handle(o);
    int r;

    if (handle == NULL) {
        if (!PyErr_Occurred()) py_raise_unsupported(o);
        return -1;
    }
    r = set_int(out, handle);
    Py_DECREF(handle);
    return r;
}

static int
set_argument(py_arguments *all, py_argument *out, PyObject *o)
{
    if (py_array_check(o)) return set_array(all, out, py_array_get(o));
    if (PyLong_CheckExact(o)) return set_int(out, o);
    if (Py_IS_TYPE(o, &py_ViewType))
        return set_view(all, out, py_array_get(py_view_array(o)));
    if (PyFloat_CheckExact(o)) {
        const double value = PyFloat_AS_DOUBLE(o);
        return set_bytes(out, &value, sizeof value, 'f');
    }
    if (PyBool_Check(o)) {
        const bool value = o == Py_True;
        return set_bytes(out, &value, sizeof value, 'b');
    }
    if (PyArray_CheckScalar(o) && !PyArray_Check(o)) return set_numpy_scalar(out, o);
    if (PyLong_Check(o)) return set_int(out, o);
    if (PyFloat_Check(o)) {
        const double value = PyFloat_AS_DOUBLE(o);
        return set_bytes(out, &value, sizeof value, 'f');
    }
    if (PyComplex_Check(o)) {
        const Py_complex value = PyComplex_AsCComplex(o);
        return set_bytes(out, &value, sizeof value, 'c');
    }
    if (o == Py_None) return set_pointer(out, NULL);
    if (PyObject_TypeCheck(o, &py_MemoryPointerType)) return set_memory(all, out, o);
    if (is_record(o)) {
        PyArrayObject *a = (PyArrayObject *)o;
        return set_bytes(out, PyArray_DATA(a), (size_t)PyArray_ITEMSIZE(a), 'V');
    }
    out->offered = py_foreign_array(o);
    if (out->offered) return set_array(all, out, py_array_get(out->offered));
    if (PyErr_Occurred()) return -1;
    return set_handle(out, o);
}

/* ---- values of declared parameters -------------------------------------------------- */

static int
raise_misfit(const py_parameter *p, PyObject *o, const char *takes)
{
    if (py_array_check(o)) {
        const cu_array *a = py_array_get(o);
        PyErr_Format(PyExc_TypeError,
                     "parameter %U takes %s, not an array of %s with %d dimensions",
                     p->name, takes, cu_dtypes[a->dtype].name, a->ndim);
    } else {
        PyErr_Format(PyExc_TypeError, "parameter %U takes %s, not %.200s", p->name,
                     takes, Py_TYPE(o)->tp_name);
    }
    return -1;
}

/* Whether elements are what a parameter declares: its dtype. Unsigned integers, and
 * complex128 of 16 bytes, stand for whatever has their size where elements are moved. */
static bool
has_elements(const py_parameter *p, const cu_array *a)
{
    if (p->dtype == CUPRIC_NO_DTYPE || (int)a->dtype == p->dtype) return true;
    if (cu_dtypes[p->dtype].kind != 'u' && p->dtype != CUPRIC_COMPLEX128) return false;
    return cu_itemsize(a->dtype) == cu_itemsize((cu_dtype)p->dtype);
}

static int
raise_elements(const py_parameter *p, PyObject *o)
{
    char takes[96] = "an array";

    if (p->dtype != CUPRIC_NO_DTYPE) {
        const char *const name = cu_dtypes[p->dtype].name;
        if (p->kind == PY_PARAMETER_POINTER)
            snprintf(takes, sizeof takes, "an array of %s", name);
        else
            snprintf(takes, sizeof takes, "an array of %s with %d dimensions", name,
                     p->ndim);
    }
    return raise_misfit(p, o, takes);
}

/* An address as an int, of memory that its caller keeps: a word of pinned memory. No
 * memory lies in the first page, so that a number in an array's place is refused. */
static int
set_address(py_argument *out, const py_parameter *p, PyObject *o)
{
    enum { PAGE = 4096 };
    const unsigned long long address = PyLong_AsUnsignedLongLong(o);

    if (address == (unsigned long long)-1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return -1;
        PyErr_Format(PyExc_OverflowError, "parameter %U takes an address, not %S",
                     p->name, o);
        return -1;
    }
    if (address > 0 && address < PAGE) return raise_elements(p, o);
    return set_pointer(out, (const void *)(uintptr_t)address);
}

static int
set_elements(py_arguments *all, py_argument *out, const py_parameter *p, PyObject *o)
{
    if (py_array_check(o)) {
        const cu_array *a = py_array_get(o);
        if (!has_elements(p, a)) return raise_elements(p, o);
        return set_array(all, out, a);
    }
    if (o == Py_None) return set_pointer(out, NULL);
    if (PyLong_CheckExact(o)) return set_address(out, p, o);
    if (PyObject_TypeCheck(o, &py_MemoryPointerType)) return set_memory(all, out, o);
    return raise_elements(p, o);
}

static bool
is_view_of(const py_parameter *p, PyObject *o)
{
    return py_array_check(o) && py_array_get(o)->ndim == p->ndim &&
           has_elements(p, py_array_get(o));
}

/* cupric::views: those that are not there are of no elements. */
static int
set_views(py_arguments *all, py_argument *out, const py_parameter *p, PyObject *o)
{
    const size_t one = (2 + 2 * (size_t)(p->ndim > 0 ? p->ndim : 1)) * sizeof(int64_t);
    PyObject *fast = PySequence_Tuple(o);
    char *words = fast ? set_room(out, one * (size_t)p->count, 'V') : NULL;
    int r = words ? 0 : -1;

    if (r == 0 && PyTuple_GET_SIZE(fast) > p->count) {
        PyErr_Format(PyExc_ValueError, "parameter %U takes up to %d arrays, not %zd",
                     p->name, p->count, PyTuple_GET_SIZE(fast));
        r = -1;
    }
    for (Py_ssize_t i = 0; r == 0 && i < PyTuple_GET_SIZE(fast); i++) {
        PyObject *given = PyTuple_GET_ITEM(fast, i);
        PyObject *item = Py_IS_TYPE(given, &py_ViewType) ? py_view_array(given) : given;
        const cu_array *a = py_array_check(item) ? py_array_get(item) : NULL;
        const size_t offset = one * (size_t)i;
        if (!is_view_of(p, item)) {
            r = raise_elements(p, item);
        } else if (use_device(all, cu_array_device(a)) < 0 ||
                   add_address(all, out, offset, a->storage) < 0) {
            r = -1;
        } else {
            view_words(a, (int64_t *)(words + offset));
        }
    }
    Py_XDECREF(fast);
    return r;
}

/* 0 bool, 1 integer, 2 real, 3 complex */
static int
rank_of(const py_scalar *s)
{
    static const char kinds[] = "biufc";
    const char kind = cu_dtypes[s->dtype].kind;

    if (s->weak != PY_STRONG) return (int)s->weak;
    return kind == 'b'                  ? 0
           : kind == 'i' || kind == 'u' ? 1
                                        : strchr(kinds, kind) - kinds - 1;
}

/* A number of the parameter's type: no part of it is lost, but for digits of a float. */
static int
set_number(py_argument *out, const py_parameter *p, PyObject *o)
{
    const cu_dtype t = (cu_dtype)p->dtype;
    const char kind = cu_dtypes[t].kind;
    const int rank = kind == 'c' ? 3 : kind == 'f' ? 2 : 1;
    py_scalar s;
    cu_scalar value = {0};
    const int r = py_scalar_read(o, &s);

    if (r < 0) return -1;
    if (r == 0 || rank_of(&s) > rank) {
        char takes[64];
        snprintf(takes, sizeof takes, "a number of %s", cu_dtypes[t].name);
        return raise_misfit(p, o, takes);
    }
    if (s.weak == PY_STRONG && rank == 1) { /* has to fit, too */
        const int64_t i = cu_scalar_get_int(&s.value, s.dtype);
        s.above = cu_dtypes[s.dtype].kind == 'u' && i < 0;
        s.beyond = false;
        s.weak = PY_WEAK_INT;
        s.u = (uint64_t)i;
        s.i = i;
    }
    if (py_scalar_store(&s, t, &value) < 0) return -1;
    return set_bytes(out, &value, (size_t)cu_itemsize(t), kind);
}

static int
set_record(py_argument *out, const py_parameter *p, PyObject *o)
{
    const PyArrayObject *a = (PyArrayObject *)o;

    if (!is_record(o) ||
        ((PyObject *)PyArray_DESCR(a) != p->record &&
         !PyArray_EquivTypes(PyArray_DESCR(a), (PyArray_Descr *)p->record))) {
        return raise_misfit(p, o, "its own structure");
    }
    return set_bytes(out, PyArray_DATA((PyArrayObject *)o), (size_t)PyArray_ITEMSIZE(a),
                     'V');
}

static int
set_parameter(py_arguments *all, py_argument *out, const py_parameter *p, PyObject *o)
{
    if (Py_IS_TYPE(o, &py_ViewType)) o = py_view_array(o);
    switch (p->kind) {
    case PY_PARAMETER_POINTER: return set_elements(all, out, p, o);
    case PY_PARAMETER_VIEW:
        if (!is_view_of(p, o)) return raise_elements(p, o);
        return set_view(all, out, py_array_get(o));
    case PY_PARAMETER_VIEWS: return set_views(all, out, p, o);
    case PY_PARAMETER_NUMBER: return set_number(out, p, o);
    case PY_PARAMETER_RECORD: return set_record(out, p, o);
    default: return set_argument(all, out, o);
    }
}

/* ---- the arguments of a launch --------------------------------------------------------- */

PyObject *
py_arguments_tuple(PyObject *o, const char *message)
{
    PyObject *t = PySequence_Tuple(o);
    if (t == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_SetString(PyExc_TypeError, message);
    }
    return t;
}

static int
make_room(py_arguments *out, Py_ssize_t n)
{
    if (n > PY_MAX_ARGUMENTS) {
        PyErr_Format(PyExc_TypeError, "a kernel can have %d arguments",
                     PY_MAX_ARGUMENTS);
        return -1;
    }
    if (n > PY_FEW_ARGUMENTS) {
        const size_t nbytes = ((size_t)(n + 1) * sizeof *out->at + 63) & ~(size_t)63;
        py_argument *const at = aligned_alloc(64, nbytes);
        if (at == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        out->at = at;
    }
    out->n = (int)n;
    for (int i = 0; i < out->n; i++) out->at[i] = (py_argument){.large = NULL};
    return 0;
}

int
py_arguments_read(const py_argument_source *from, py_arguments *out)
{
    PyObject *fast;
    int r;

    if (from->tuple == NULL) {
        r = make_room(out, from->n);
        for (int i = 0; i < out->n && r == 0; i++)
            r = set_parameter(out, &out->at[i], &from->params[i], from->values[i]);
        return r;
    }
    fast = py_arguments_tuple(from->tuple, "a kernel's arguments must be a tuple");
    if (fast == NULL) return -1;
    r = make_room(out, PyTuple_GET_SIZE(fast));
    for (int i = 0; i < out->n && r == 0; i++) {
        r = set_argument(out, &out->at[i], PyTuple_GET_ITEM(fast, i));
    }
    Py_DECREF(fast);
    return r;
}
