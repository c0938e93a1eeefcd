/* kernel/py_launch.c: Python values as a kernel's arguments; Function and Module.
 *
 * Each argument gets a slot of its own, padded with zeros, whose address the backend is
 * given. The kernel reads as many bytes as its parameter has: where the two cannot agree
 * (a float, which is 8 bytes, for a `float` parameter of 4) the launch is refused.
 */
#include <Python.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <structmember.h>

#include "device/py_device.h"
#include "kernel/py_kernel.h"
#include "layout/py_args.h"
#include "layout/py_foreign.h"
#include "memory/py_memory.h"

#define MAX_ARGUMENTS 256
#define SLOT 16
#define FEW 16 /* arguments that need no memory of their own */
#define MAX_GRID 2147483647ll
/* Of py_launch_work: the threads of a block where each takes an element; on the host, the
 * elements that are worth a block, and how many blocks a core gets at most. Rows take
 * unequal time more often. */
#define ELEMENTS_BLOCK 256
#define HOST_CHUNK 8192
#define CHUNKS 4
#define ROW_CHUNKS 16

typedef struct argument {
    _Alignas(SLOT) unsigned char bytes[SLOT];
    void *large;       /* owned: where it does not fit the slot */
    size_t nbytes;     /* given */
    char kind;         /* p pointer, i u integer, f c floating, b bool, V bytes */
    PyObject *offered; /* owned: the array of another package's object, or NULL */
    bool is_unowned;   /* a pointer to memory that is not an array's */
} argument;

typedef struct arguments {
    int n;
    cu_device *device; /* of the arrays; NULL: none came */
    int naddresses;    /* of storages, in the order of the arguments */
    py_address addresses[MAX_ARGUMENTS];
    argument *at; /* owned, where it is not `few` */
    argument few[FEW];
} arguments;

static void
arguments_release(arguments *a)
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
set_room(argument *out, size_t nbytes, char kind)
{
    const size_t room = (nbytes + 63) & ~(size_t)63;

    out->nbytes = nbytes;
    out->kind = kind;
    if (nbytes <= SLOT) return out->bytes;
    out->large = aligned_alloc(64, room);
    if (out->large == NULL) {
        PyErr_NoMemory();
    } else {
        memset(out->large, 0, room);
    }
    return out->large;
}

static int
set_bytes(argument *out, const void *data, size_t nbytes, char kind)
{
    void *to = set_room(out, nbytes, kind);

    if (to == NULL) return -1;
    memcpy(to, data, nbytes);
    return 0;
}

static int
set_pointer(argument *out, const void *p)
{
    return set_bytes(out, &p, sizeof p, 'p');
}

static int
use_device(arguments *all, cu_device *d)
{
    if (all->device == NULL) all->device = d;
    if (all->device == d) return 0;
    cu_device_differs(all->device, d);
    py_raise();
    return -1;
}

/* Note that there is an address of `s`, `offset` bytes into argument `out`. */
static int
add_address(arguments *all, const argument *out, size_t offset, cu_storage *s)
{
    if (all->naddresses == MAX_ARGUMENTS) {
        PyErr_Format(PyExc_TypeError, "a kernel can take %d arrays", MAX_ARGUMENTS);
        return -1;
    }
    all->addresses[all->naddresses++] =
        (py_address){(int)(out - all->at), (unsigned)offset, s};
    return 0;
}

static int
set_array(arguments *all, argument *out, const cu_array *a)
{
    if (use_device(all, cu_array_device(a)) < 0) return -1;
    if (add_address(all, out, 0, a->storage) < 0) return -1;
    return set_pointer(out,
                       cu_array_access(a, CUPRIC_READ | CUPRIC_WRITE | CUPRIC_ESCAPE));
}

static int
set_memory(arguments *all, argument *out, PyObject *o)
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
set_int(argument *out, PyObject *o)
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
set_numpy_scalar(argument *out, PyObject *o)
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
    if (n <= SLOT && kind != 'V' && kind != 'S' && kind != 'U') {
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
set_view(arguments *all, argument *out, const cu_array *a)
{
    int64_t words[2 + 2 * CUPRIC_MAXDIMS] = {0};
    int n;

    if (use_device(all, cu_array_device(a)) < 0) return -1;
    if (add_address(all, out, 0, a->storage) < 0) return -1;
    n = view_words(a, words);
    return set_bytes(out, words, (size_t)n * sizeof *words, 'V');
}

static int
set_handle(argument *out, PyObject *o)
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
set_argument(arguments *all, argument *out, PyObject *o)
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

static int
set_elements(arguments *all, argument *out, const py_parameter *p, PyObject *o)
{
    if (py_array_check(o)) {
        const cu_array *a = py_array_get(o);
        if (!has_elements(p, a)) return raise_elements(p, o);
        return set_array(all, out, a);
    }
    if (o == Py_None) return set_pointer(out, NULL);
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
set_views(arguments *all, argument *out, const py_parameter *p, PyObject *o)
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
set_number(argument *out, const py_parameter *p, PyObject *o)
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
set_record(argument *out, const py_parameter *p, PyObject *o)
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
set_parameter(arguments *all, argument *out, const py_parameter *p, PyObject *o)
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

/* A list might change while its elements are read. */
static PyObject *
tuple_of(PyObject *o, const char *message)
{
    PyObject *t = PySequence_Tuple(o);
    if (t == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_SetString(PyExc_TypeError, message);
    }
    return t;
}

/* Where a launch's arguments come from: a tuple of values, or one for each parameter. */
typedef struct source {
    PyObject *tuple;            /* borrowed; NULL: parameters are declared */
    const py_parameter *params; /* borrowed, with the values */
    PyObject *const *values;
    int n;
} source;

static int
arguments_init(arguments *out, Py_ssize_t n)
{
    if (n > MAX_ARGUMENTS) {
        PyErr_Format(PyExc_TypeError, "a kernel can have %d arguments", MAX_ARGUMENTS);
        return -1;
    }
    if (n > FEW) {
        const size_t nbytes = ((size_t)(n + 1) * sizeof *out->at + 63) & ~(size_t)63;
        argument *const at = aligned_alloc(64, nbytes);
        if (at == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        out->at = at;
    }
    out->n = (int)n;
    for (int i = 0; i < out->n; i++) out->at[i] = (argument){.large = NULL};
    return 0;
}

static int
read_arguments(const source *from, arguments *out)
{
    PyObject *fast;
    int r;

    if (from->tuple == NULL) {
        r = arguments_init(out, from->n);
        for (int i = 0; i < out->n && r == 0; i++)
            r = set_parameter(out, &out->at[i], &from->params[i], from->values[i]);
        return r;
    }
    fast = tuple_of(from->tuple, "a kernel's arguments must be a tuple");
    if (fast == NULL) return -1;
    r = arguments_init(out, PyTuple_GET_SIZE(fast));
    for (int i = 0; i < out->n && r == 0; i++) {
        r = set_argument(out, &out->at[i], PyTuple_GET_ITEM(fast, i));
    }
    Py_DECREF(fast);
    return r;
}

/* ---- what the kernel takes ------------------------------------------------------------------------ */

/* A kernel is not told of arguments that it has no parameter for: as a launch by the driver
 * does, which ignores them. */
static int
check_count(int count, const arguments *args)
{
    if (count > args->n) {
        PyErr_Format(PyExc_TypeError, "the kernel takes %d arguments, %d were given",
                     count, args->n);
        return -1;
    }
    return PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                            "the kernel takes %d arguments, %d were given: the last %d "
                            "are ignored",
                            count, args->n, args->n - count);
}

/* Whether an integer is the same in its first `nbytes` bytes, signed or unsigned. */
static bool
fits(const argument *a, size_t nbytes)
{
    const unsigned rest = 64 - 8 * (unsigned)nbytes;
    uint64_t u;

    memcpy(&u, a->bytes, sizeof u);
    return u << rest >> rest == u ||
           (a->kind == 'i' && (int64_t)(u << rest) >> rest == (int64_t)u);
}

static int
raise_cut(int i, const argument *a, size_t nbytes)
{
    int64_t value;

    memcpy(&value, a->bytes, sizeof value);
    if (a->kind == 'u') {
        PyErr_Format(
            PyExc_OverflowError,
            "argument %d, %llu, does not fit the kernel's parameter of %zu bytes", i,
            (unsigned long long)value, nbytes);
    } else {
        PyErr_Format(
            PyExc_OverflowError,
            "argument %d, %lld, does not fit the kernel's parameter of %zu bytes", i,
            (long long)value, nbytes);
    }
    return -1;
}

static int
check_arguments(const cu_backend *backend, cu_function *f, const arguments *args)
{
    int count, nbytes;

    if (backend->function_get(f, CUPRIC_FUNC_PARAMS, &count)) return py_raise_int();
    if (count < 0) return 0;
    if (CUPRIC_UNLIKELY(count != args->n) && check_count(count, args) < 0) return -1;
    for (int i = 0; i < count; i++) {
        const argument *a = &args->at[i];
        const cu_function_attr which = (cu_function_attr)(CUPRIC_FUNC_PARAM_NBYTES + i);
        if (backend->function_get(f, which, &nbytes)) return py_raise_int();
        const size_t want = (size_t)nbytes;
        const bool is_number = a->kind == 'f' || a->kind == 'c';
        const bool widens = strchr("biu", a->kind) && want <= SLOT / 2;
        if (want == a->nbytes) continue;
        if (widens) {
            if (want > a->nbytes || fits(a, want)) continue;
            return raise_cut(i, a, want);
        }
        if (want > a->nbytes || is_number || a->kind == 'p') {
            PyErr_Format(PyExc_TypeError,
                         "argument %d has %zu bytes, the kernel's parameter %zu%s", i,
                         a->nbytes, want,
                         is_number ? ": pass a number of its type, as numpy.float32(x)"
                                   : "");
            return -1;
        }
    }
    return 0;
}

/* (1,), (1, 2), (1, 2, 3) or 1 */
static int
read_dims(PyObject *o, const char *what, unsigned *dims)
{
    PyObject *fast;
    Py_ssize_t n;

    dims[0] = dims[1] = dims[2] = 1;
    if (PyLong_Check(o) || PyArray_IsScalar(o, Integer)) {
        const long long value = PyLong_AsLongLong(o);
        if (value == -1 && PyErr_Occurred()) return -1;
        dims[0] = value < 0 || value > UINT32_MAX ? 0 : (unsigned)value;
        return 0;
    }
    fast = tuple_of(o, "grid and block must be tuples of one to three ints");
    if (fast == NULL) return -1;
    n = PyTuple_GET_SIZE(fast);
    if (n < 1 || n > 3) {
        PyErr_Format(PyExc_ValueError, "%s must have one to three lengths, not %zd",
                     what, n);
        Py_DECREF(fast);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *index = PyNumber_Index(PyTuple_GET_ITEM(fast, i));
        const long long value = index ? PyLong_AsLongLong(index) : -1;
        Py_XDECREF(index);
        if (value == -1 && PyErr_Occurred()) {
            Py_DECREF(fast);
            return -1;
        }
        dims[i] = value < 0 || value > UINT32_MAX ? 0 : (unsigned)value;
    }
    Py_DECREF(fast);
    return 0;
}

/* As much as a launch needs; more than there can be fails there. */
static int
read_shared(PyObject *shared, cu_launch *config)
{
    const long long value = shared ? PyLong_AsLongLong(shared) : 0;

    if (value == -1 && PyErr_Occurred()) return -1;
    config->shared_bytes =
        value < 0 || value > UINT32_MAX ? UINT32_MAX : (unsigned)value;
    return 0;
}

/* ---- launches --------------------------------------------------------------------------- */

/* Tell the recordings of this thread. Of memory that is not an array's nobody knows where
 * it will be the next time. */
static void
record(const arguments *a, cu_function *f, PyObject *kernel, const cu_launch *config,
       void *const *pointers)
{
    py_launched l = {.device = a->device,
                     .function = f,
                     .kernel = kernel,
                     .config = config,
                     .nargs = a->n,
                     .values = pointers};
    bool repeats = a->n <= PY_LAUNCHED_MAX && a->naddresses <= PY_LAUNCHED_MAX;

    for (int i = 0; i < a->n && repeats; i++) {
        const argument *one = &a->at[i];
        l.nbytes[i] = one->nbytes;
        repeats = !one->offered && !one->is_unowned;
    }
    for (int i = 0; i < a->naddresses && repeats; i++) {
        l.addresses[l.naddresses++] = a->addresses[i];
    }
    py_record_launch(repeats ? &l : NULL);
}

static bool
is_small(const arguments *a)
{
    size_t nbytes = 0;

    for (int i = 0; i < a->n; i++) {
        if (a->at[i].is_unowned) return false; /* of unknown size */
    }
    for (int i = 0; i < a->naddresses; i++) {
        nbytes += a->addresses[i].storage->nbytes;
    }
    return nbytes <= CUPRIC_SMALL_LAUNCH;
}

/* A launch whose grid and block `shape` decides once the device is known, where it is
 * given; it returns false where there is nothing to do. */
typedef bool (*shape_launch)(const cu_device *device, const py_work *work,
                             cu_launch *config);

static int
launch(py_find_function find, void *arg, cu_launch *config, shape_launch shape,
       const py_work *work, const source *from, PyObject *stream)
{
    arguments a; /* not all of it is set: it is large */
    void *pointers[MAX_ARGUMENTS];
    cu_function *f;
    cu_stream *s;
    cu_status st;
    int r = -1;

    a.n = a.naddresses = 0;
    a.device = NULL;
    a.at = a.few;
    if (read_arguments(from, &a) < 0) goto done;
    if (a.device == NULL) a.device = cu_device_current();
    if (a.device == NULL) {
        py_raise();
        goto done;
    }
    if (shape && !shape(a.device, work, config)) {
        r = 0;
        goto done;
    }
    if (shape) config->is_small = is_small(&a);
    if (find(arg, a.device, &f) < 0) goto done;
    if (check_arguments(a.device->backend, f, &a) < 0) goto done;
    if (py_stream_on(stream, a.device, &s) < 0) goto done;
    for (int i = 0; i < a.naddresses; i++) {
        cu_storage_used_on(a.addresses[i].storage, s);
    }
    for (int i = 0; i < a.n; i++) {
        pointers[i] = a.at[i].large ? a.at[i].large : (void *)a.at[i].bytes;
    }
    Py_BEGIN_ALLOW_THREADS
    st = s->backend->launch(f, config, pointers, s);
    Py_END_ALLOW_THREADS
    r = st ? py_raise_int() : 0;
    if (r == 0 && CUPRIC_UNLIKELY(py_is_recording())) {
        record(&a, f, (PyObject *)arg, config, pointers);
    }

done:
    arguments_release(&a);
    return r;
}

int
py_launch(py_find_function find, void *arg, PyObject *grid, PyObject *block,
          PyObject *args, PyObject *shared, PyObject *stream, bool cooperative)
{
    cu_launch config = {.cooperative = cooperative};
    const source from = {.tuple = args};

    if (read_dims(grid, "grid", config.grid) < 0) return -1;
    if (read_dims(block, "block", config.block) < 0) return -1;
    if (read_shared(shared, &config) < 0) return -1;
    return launch(find, arg, &config, NULL, NULL, &from, stream);
}

static int few_blocks, block_of_elements; /* see py_launch_shape_as_device */

void
py_launch_shape_as_device(int blocks, int elements)
{
    few_blocks = blocks;
    block_of_elements = elements;
}

/* On a CPU a block is a loop over its share of the work. */
static bool
shape_work(const cu_device *device, const py_work *work, cu_launch *config)
{
    const bool elements = work->threads == 0;
    const int64_t threads = elements ? ELEMENTS_BLOCK : work->threads;
    const int64_t cores =
        device->info.multiprocessors > 0 ? device->info.multiprocessors : 1;
    int64_t blocks = elements ? (work->n + threads - 1) / threads : work->n;

    if (work->n <= 0) return false;
    if (CUPRIC_UNLIKELY(few_blocks)) { /* as on a GPU, but few */
        config->block[0] = (unsigned)(elements ? block_of_elements : threads);
        if (elements) blocks = (work->n + block_of_elements - 1) / block_of_elements;
        config->grid[0] = (unsigned)(blocks < few_blocks ? blocks : few_blocks);
        return true;
    }
    if (device->info.capability_major == 0) {
        const int64_t most = cores * (elements ? CHUNKS : ROW_CHUNKS);
        if (elements) blocks = (work->n + HOST_CHUNK - 1) / HOST_CHUNK;
        config->grid[0] = (unsigned)(blocks < most ? blocks : most);
        return true;
    }
    config->block[0] = (unsigned)threads;
    config->grid[0] = (unsigned)(blocks < MAX_GRID ? blocks : MAX_GRID);
    return true;
}

int
py_launch_work(py_find_function find, void *arg, const py_work *work, PyObject *args,
               PyObject *shared)
{
    cu_launch config = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    const source from = {.tuple = args};

    if (read_shared(shared, &config) < 0) return -1;
    return launch(find, arg, &config, shape_work, work, &from, NULL);
}

int
py_launch_declared(py_find_function find, void *arg, const py_parameter *params, int n,
                   PyObject *const *values, const py_work *work, PyObject *shared)
{
    cu_launch config = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    const source from = {NULL, params, values, n};

    if (read_shared(shared, &config) < 0) return -1;
    return launch(find, arg, &config, shape_work, work, &from, NULL);
}
