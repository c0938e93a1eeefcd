/* kernel/py_launch.c: Python values as a kernel's arguments; Function and Module.
 *
 * Each argument gets a slot of its own, padded with zeros, whose address the backend is
 * given. The kernel reads as many bytes as its parameter has: where the two cannot agree
 * (a float, which is 8 bytes, for a `float` parameter of 4) the launch is refused.
 */
#include <Python.h>

#include <stddef.h>
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
    void *large;         /* owned: where it does not fit the slot */
    size_t nbytes;       /* given */
    char kind;           /* p pointer, i u integer, f c floating, b bool, V bytes */
    PyObject *offered;   /* owned: the array of another package's object, or NULL */
    cu_storage *storage; /* borrowed: what a pointer points into, or NULL */
} argument;

typedef struct arguments {
    int n;
    cu_device *device; /* of the arrays; NULL: none came */
    argument *at;      /* owned, where it is not `few` */
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

static int
set_bytes(argument *out, const void *data, size_t nbytes, char kind)
{
    unsigned char *to = out->bytes;

    out->nbytes = nbytes;
    out->kind = kind;
    if (nbytes > SLOT) {
        const size_t room = (nbytes + 63) & ~(size_t)63;
        to = out->large = aligned_alloc(64, room);
        if (to == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        memset(to, 0, room);
    }
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

static int
set_array(arguments *all, argument *out, const cu_array *a)
{
    if (use_device(all, cu_array_device(a)) < 0) return -1;
    out->storage = a->storage;
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
        if (s->block) out->storage = s; /* which the pointer's memory keeps */
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

/* The bytes of CArray<T, ndim, false>. */
static int
set_view(arguments *all, argument *out, const cu_array *a)
{
    int64_t words[2 + 2 * CUPRIC_MAXDIMS] = {0};
    const int n = a->ndim > 0 ? a->ndim : 1;

    if (use_device(all, cu_array_device(a)) < 0) return -1;
    out->storage = a->storage;
    words[0] = (int64_t)(intptr_t)cu_array_access(a, CUPRIC_READ | CUPRIC_WRITE |
                                                         CUPRIC_ESCAPE);
    words[1] = a->size;
    memcpy(words + 2, a->shape, (size_t)a->ndim * sizeof *words);
    memcpy(words + 2 + n, a->strides, (size_t)a->ndim * sizeof *words);
    return set_bytes(out, words, (size_t)(2 + 2 * n) * sizeof *words, 'V');
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

static int
read_arguments(PyObject *args, arguments *out)
{
    PyObject *fast = tuple_of(args, "a kernel's arguments must be a tuple");
    int r = 0;

    if (fast == NULL) return -1;
    out->n = (int)PyTuple_GET_SIZE(fast);
    if (PyTuple_GET_SIZE(fast) > MAX_ARGUMENTS) {
        PyErr_Format(PyExc_TypeError, "a kernel can have %d arguments", MAX_ARGUMENTS);
        out->n = 0;
        r = -1;
    } else {
        out->at =
            out->n <= FEW
                ? out->few
                : aligned_alloc(64, ((size_t)(out->n + 1) * sizeof *out->at + 63) &
                                        ~(size_t)63);
        if (out->at == NULL) {
            out->n = 0;
            PyErr_NoMemory();
            r = -1;
        }
    }
    for (int i = 0; i < out->n; i++) out->at[i] = (argument){.large = NULL};
    for (int i = 0; i < out->n && r == 0; i++) {
        r = set_argument(out, &out->at[i], PyTuple_GET_ITEM(fast, i));
    }
    Py_DECREF(fast);
    return r;
}

/* ---- what the kernel takes ------------------------------------------------------------------------ */

static int
check_arguments(const cu_backend *backend, cu_function *f, const arguments *args)
{
    int count, nbytes;

    if (backend->function_get(f, CUPRIC_FUNC_PARAMS, &count)) return py_raise_int();
    if (count < 0) return 0;
    if (count != args->n) {
        PyErr_Format(PyExc_TypeError, "the kernel takes %d arguments, %d were given",
                     count, args->n);
        return -1;
    }
    for (int i = 0; i < count; i++) {
        const argument *a = &args->at[i];
        const cu_function_attr which = (cu_function_attr)(CUPRIC_FUNC_PARAM_NBYTES + i);
        if (backend->function_get(f, which, &nbytes)) return py_raise_int();
        const size_t want = (size_t)nbytes;
        const bool is_number = a->kind == 'f' || a->kind == 'c';
        const bool widens = strchr("biu", a->kind) && want <= SLOT / 2;
        if (want == a->nbytes || widens) continue;
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

/* A pointer to memory that is not an array's. */
static bool
is_unowned(const argument *a)
{
    return a->kind == 'p' && !a->storage && *(void *const *)a->bytes != NULL;
}

/* Tell the recordings of this thread. Of memory that is not an array's nobody knows where
 * it will be the next time. */
static void
record(const arguments *a, cu_function *f, PyObject *kernel, const cu_launch *config,
       void *const *pointers)
{
    py_launched l = {a->device, f, kernel, config, a->n, pointers, {0}, {0}, NULL};
    bool repeats = a->n <= PY_LAUNCHED_MAX;

    for (int i = 0; i < a->n && repeats; i++) {
        const argument *one = &a->at[i];
        l.nbytes[i] = one->nbytes;
        l.storages[i] = one->storage;
        repeats = !one->offered && !is_unowned(one);
    }
    py_record_launch(repeats ? &l : NULL);
}

static bool
is_small(const arguments *a)
{
    size_t nbytes = 0;

    for (int i = 0; i < a->n; i++) {
        const argument *one = &a->at[i];
        if (is_unowned(one)) return false; /* of unknown size */
        if (one->storage) nbytes += one->storage->nbytes;
        if (nbytes > CUPRIC_SMALL_LAUNCH) return false;
    }
    return true;
}

/* A launch whose grid and block `shape` decides once the device is known, where it is
 * given; it returns false where there is nothing to do. */
typedef bool (*shape_launch)(const cu_device *device, const py_work *work,
                             cu_launch *config);

static int
launch(py_find_function find, void *arg, cu_launch *config, shape_launch shape,
       const py_work *work, PyObject *args, PyObject *stream)
{
    arguments a; /* not all of it is set: it is large */
    void *pointers[MAX_ARGUMENTS];
    cu_function *f;
    cu_stream *s;
    cu_status st;
    int r = -1;

    a.n = 0;
    a.device = NULL;
    a.at = a.few;
    if (read_arguments(args, &a) < 0) goto done;
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
    for (int i = 0; i < a.n; i++) {
        if (a.at[i].storage) cu_storage_used_on(a.at[i].storage, s);
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

    if (read_dims(grid, "grid", config.grid) < 0) return -1;
    if (read_dims(block, "block", config.block) < 0) return -1;
    if (read_shared(shared, &config) < 0) return -1;
    return launch(find, arg, &config, NULL, NULL, args, stream);
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

    if (read_shared(shared, &config) < 0) return -1;
    return launch(find, arg, &config, shape_work, work, args, NULL);
}
