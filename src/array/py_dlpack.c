/* array/py_dlpack.c: see py_dlpack.h.
 *
 * Who frees what: an exported tensor holds a reference to the storage, which needs no
 * interpreter to be given back; an imported one belongs to a storage made for it, whose
 * last user calls the producer's deleter. Either side may go first.
 */
#include "array/py_dlpack.h"

#include <stdlib.h>
#include <string.h>

#include "array/dlpack.h"
#include "array/py_functions.h"
#include "array/py_functions_doc.h"
#include "ops/execute.h"

#define LEGACY "dltensor"
#define LEGACY_USED "used_dltensor"
#define VERSIONED "dltensor_versioned"
#define VERSIONED_USED "used_dltensor_versioned"

static const struct {
    char kind; /* of cu_dtypes; 'E' is bfloat16 */
    uint8_t code;
} codes[] = {
    {'b', CUPRIC_DL_BOOL},   {'i', CUPRIC_DL_INT},   {'u', CUPRIC_DL_UINT},
    {'E', CUPRIC_DL_BFLOAT}, {'f', CUPRIC_DL_FLOAT}, {'c', CUPRIC_DL_COMPLEX},
};

static uint8_t
code_of(cu_dtype t)
{
    char kind = t == CUPRIC_BFLOAT16 ? 'E' : cu_dtypes[t].kind;
    int i = 0;
    while (codes[i].kind != kind) i++;
    return codes[i].code;
}

static cu_dtype
dtype_of(cu_dl_dtype d)
{
    for (int t = 0; t < CUPRIC_N_DTYPES && d.lanes == 1; t++) {
        if (code_of((cu_dtype)t) == d.code && cu_itemsize((cu_dtype)t) * 8 == d.bits) {
            return (cu_dtype)t;
        }
    }
    return CUPRIC_NO_DTYPE;
}

/* ---- export -------------------------------------------------------------------------- */

/* A tensor handed out, in either form, with the memory that it points into. */
typedef struct exported {
    union {
        cu_dl_managed legacy;
        cu_dl_versioned versioned;
    } form;
    cu_storage *storage; /* owned */
    int64_t shape[CUPRIC_MAXDIMS], strides[CUPRIC_MAXDIMS];
} exported;

static void
exported_free(exported *e)
{
    cu_storage_unref(e->storage);
    free(e);
}

static void
delete_legacy(cu_dl_managed *self)
{
    exported_free(self->context);
}

static void
delete_versioned(cu_dl_versioned *self)
{
    exported_free(self->context);
}

/* Nobody took the capsule's tensor. */
static void
capsule_destroy(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, LEGACY)) {
        cu_dl_managed *m = PyCapsule_GetPointer(capsule, LEGACY);
        if (m->deleter) m->deleter(m);
    } else if (PyCapsule_IsValid(capsule, VERSIONED)) {
        cu_dl_versioned *m = PyCapsule_GetPointer(capsule, VERSIONED);
        if (m->deleter) m->deleter(m);
    }
}

static int
fill_tensor(cu_dl_tensor *t, exported *e, const cu_array *a)
{
    int item = cu_itemsize(a->dtype);
    for (int i = 0; i < a->ndim; i++) {
        if (a->shape[i] > 1 && a->strides[i] % item) {
            PyErr_Format(PyExc_BufferError,
                         "DLPack counts strides in elements, but this array steps %lld "
                         "bytes along axis %d with elements of %d: copy it first",
                         (long long)a->strides[i], i, item);
            return -1;
        }
        e->shape[i] = a->shape[i];
        e->strides[i] = a->strides[i] / item;
    }
    t->data =
        a->size ? cu_array_access(a, CUPRIC_READ | CUPRIC_WRITE | CUPRIC_ESCAPE) : NULL;
    t->device.type = cu_array_device(a)->backend->dlpack_type;
    t->device.id = cu_array_device(a)->ordinal;
    t->ndim = a->ndim;
    t->dtype = (cu_dl_dtype){code_of(a->dtype), (uint8_t)(item * 8), 1};
    t->shape = e->shape;
    t->strides = e->strides;
    t->byte_offset = 0;
    return 0;
}

static PyObject *
export_array(const cu_array *a, bool versioned, uint64_t flags)
{
    exported *e = calloc(1, sizeof *e);
    PyObject *capsule;
    int r;

    if (e == NULL) return PyErr_NoMemory();
    if (versioned) {
        cu_dl_versioned *v = &e->form.versioned;
        v->major = CUPRIC_DLPACK_MAJOR;
        v->minor = CUPRIC_DLPACK_MINOR;
        v->context = e;
        v->deleter = delete_versioned;
        v->flags = flags;
        r = fill_tensor(&v->tensor, e, a);
    } else {
        e->form.legacy.context = e;
        e->form.legacy.deleter = delete_legacy;
        r = fill_tensor(&e->form.legacy.tensor, e, a);
    }
    if (r < 0) {
        free(e);
        return NULL;
    }
    e->storage = cu_storage_ref(a->storage);
    capsule = PyCapsule_New(&e->form, versioned ? VERSIONED : LEGACY, capsule_destroy);
    if (capsule == NULL) exported_free(e);
    return capsule;
}

/* The consumer works on `stream` (as its library counts streams): what is queued here
 * comes before what it will queue there. */
static int
order_before(const cu_array *a, PyObject *stream)
{
    const cu_backend *b = cu_array_device(a)->backend;
    cu_stream *mine = cu_stream_current(cu_array_device(a)), *theirs = NULL;
    cu_event *done = NULL;
    long long number;
    cu_status st;

    if (stream == NULL || stream == Py_None || b->dlpack_type == CUPRIC_DL_CPU) {
        return b->stream_sync(mine) ? py_raise_int() : 0;
    }
    number = PyLong_AsLongLong(stream);
    if (number == -1 && PyErr_Occurred()) return -1;
    if (number == -1) return 0; /* the consumer asks for none */
    if (number == 0) {
        PyErr_SetString(PyExc_ValueError,
                        "stream=0 is ambiguous: 1 is the default stream, 2 the default "
                        "stream of the thread");
        return -1;
    }
    st = cu_stream_wrap(cu_array_device(a), (void *)(intptr_t)number, &theirs);
    if (!st)
        st = b->event_new(cu_array_device(a)->ordinal, CUPRIC_EVENT_NO_TIMING, &done);
    if (!st) st = b->event_record(done, mine);
    if (!st) st = b->stream_wait(theirs, done);
    if (done) b->event_free(done);
    cu_stream_unref(theirs);
    return st ? py_raise_int() : 0;
}

/* A pair of ints; 1 read, 0 None, -1. */
static int
read_pair(PyObject *o, const char *what, long *first, long *second)
{
    if (o == NULL || o == Py_None) return 0;
    if (!PyTuple_Check(o) || PyTuple_GET_SIZE(o) != 2) {
        PyErr_Format(PyExc_TypeError, "%s must be None or a tuple of two ints, not %R",
                     what, o);
        return -1;
    }
    *first = PyLong_AsLong(PyTuple_GET_ITEM(o, 0));
    *second = PyLong_AsLong(PyTuple_GET_ITEM(o, 1));
    return PyErr_Occurred() ? -1 : 1;
}

/* None: -1; otherwise its truth. -2 on an exception. */
static int
read_copy(PyObject *o)
{
    int r;
    if (o == NULL || o == Py_None) return -1;
    r = PyObject_IsTrue(o);
    return r < 0 ? -2 : r;
}

PyObject *
py_array_dlpack(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
    PyObject *stream = NULL, *max_version = NULL, *dl_device = NULL, *copy_arg = NULL;
    const cu_array *a = py_array_get(self);
    cu_array own = {0}; /* owned */
    long major = 0, minor = 0, type = 0, id = 0;
    uint64_t flags = 0;
    int copy, asked;
    PyObject *r;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOOO:__dlpack__", names, &stream,
                                     &max_version, &dl_device, &copy_arg)) {
        return NULL;
    }
    if (read_pair(max_version, "max_version", &major, &minor) < 0) return NULL;
    asked = read_pair(dl_device, "dl_device", &type, &id);
    copy = read_copy(copy_arg);
    if (asked < 0 || copy < -1) return NULL;
    if (asked && (type != cu_array_device(a)->backend->dlpack_type ||
                  id != cu_array_device(a)->ordinal)) {
        /* Host memory that is not a device's: only NumPy has that. */
        PyErr_Format(
            PyExc_BufferError,
            "cannot export to DLPack device (%ld, %ld): this array is on (%d, %d); "
            "use .get() for host memory",
            type, id, cu_array_device(a)->backend->dlpack_type,
            cu_array_device(a)->ordinal);
        return NULL;
    }
    if (!(a->flags & CUPRIC_WRITEABLE)) {
        if (major < 1 && copy != 1) {
            PyErr_SetString(
                PyExc_BufferError,
                "a read-only array can only be exported to consumers of DLPack "
                "1.0 or later, or with copy=True");
            return NULL;
        }
        flags |= CUPRIC_DL_READ_ONLY;
    }
    if (copy == 1) {
        if (cu_array_cast(a, a->dtype, 'K', &own)) return py_raise();
        flags = CUPRIC_DL_IS_COPIED;
        a = &own;
    }
    r = order_before(a, stream) < 0 ? NULL : export_array(a, major >= 1, flags);
    cu_array_release(&own);
    return r;
}

PyObject *
py_array_to_dlpack(PyObject *self, PyObject *unused)
{
    const cu_array *a = py_array_get(self);
    (void)unused;
    return order_before(a, NULL) < 0 ? NULL : export_array(a, false, 0);
}

PyObject *
py_array_dlpack_device(PyObject *self, PyObject *unused)
{
    const cu_device *d = cu_array_device(py_array_get(self));
    (void)unused;
    return Py_BuildValue("(ii)", d->backend->dlpack_type, d->ordinal);
}

/* ---- import -------------------------------------------------------------------------- */

static void
release_legacy(void *ptr, void *managed)
{
    cu_dl_managed *m = managed;
    (void)ptr;
    if (m->deleter) m->deleter(m);
}

static void
release_versioned(void *ptr, void *managed)
{
    cu_dl_versioned *m = managed;
    (void)ptr;
    if (m->deleter) m->deleter(m);
}

/* A tensor taken in: the parts of it that matter, and how to give it back. */
typedef struct imported {
    const cu_dl_tensor *tensor;
    uint64_t flags;
    void *managed;
    void (*release)(void *ptr, void *managed);
    const char *used_name; /* of the capsule, once it is ours */
} imported;

static int
open_capsule(PyObject *capsule, imported *in)
{
    if (PyCapsule_IsValid(capsule, VERSIONED)) {
        cu_dl_versioned *m = PyCapsule_GetPointer(capsule, VERSIONED);
        if (m->major > CUPRIC_DLPACK_MAJOR) {
            PyErr_Format(
                PyExc_BufferError,
                "the tensor is of DLPack version %u.%u; this package reads up to "
                "%d.x",
                m->major, m->minor, CUPRIC_DLPACK_MAJOR);
            return -1;
        }
        *in = (imported){&m->tensor, m->flags, m, release_versioned, VERSIONED_USED};
        return 0;
    }
    if (PyCapsule_IsValid(capsule, LEGACY)) {
        cu_dl_managed *m = PyCapsule_GetPointer(capsule, LEGACY);
        *in = (imported){&m->tensor, 0, m, release_legacy, LEGACY_USED};
        return 0;
    }
    if (PyCapsule_IsValid(capsule, LEGACY_USED) ||
        PyCapsule_IsValid(capsule, VERSIONED_USED)) {
        PyErr_SetString(PyExc_ValueError,
                        "A DLPack tensor object can be consumed only once");
        return -1;
    }
    PyErr_Format(PyExc_ValueError, "%R is not a DLPack capsule", capsule);
    return -1;
}

/* Shape, strides in bytes, dtype and size of a tensor, checked. */
static int
describe(const cu_dl_tensor *t, cu_array *out)
{
    out->dtype = dtype_of(t->dtype);
    if (out->dtype == CUPRIC_NO_DTYPE) {
        PyErr_Format(PyExc_BufferError,
                     "DLPack type (code %d, %d bits, %d lanes) has no dtype here",
                     t->dtype.code, t->dtype.bits, t->dtype.lanes);
        return -1;
    }
    if (t->ndim < 0 || t->ndim > CUPRIC_MAXDIMS) {
        PyErr_Format(PyExc_BufferError,
                     "the tensor has %d dimensions; arrays have at most %d", t->ndim,
                     CUPRIC_MAXDIMS);
        return -1;
    }
    out->ndim = t->ndim;
    for (int i = 0; i < t->ndim; i++) out->shape[i] = t->shape[i];
    if (cu_shape_size(out->dtype, out->ndim, out->shape, &out->size))
        return py_raise_int();
    if (t->strides == NULL) {
        cu_strides_fill(out->dtype, out->ndim, out->shape, 'C', out->strides);
    } else {
        for (int i = 0; i < t->ndim; i++) {
            out->strides[i] = t->strides[i] * cu_itemsize(out->dtype);
        }
    }
    out->offset = 0;
    return 0;
}

static int
find_device(cu_dl_device d, cu_device **out)
{
    bool cuda = d.type == CUPRIC_DL_CUDA || d.type == CUPRIC_DL_CUDA_MANAGED;
    if (d.type != CUPRIC_DL_CPU && d.type != CUPRIC_DL_CUDA_HOST && !cuda) {
        PyErr_Format(PyExc_BufferError, "DLPack device type %d is not supported",
                     d.type);
        return -1;
    }
    /* Host memory of other packages is device 0's, however many devices the host plays. */
    if (!cuda && cu_device_find("host", d.id, out) == CUPRIC_OK) return 0;
    return cu_device_find(cuda ? "cuda" : "host", cuda ? d.id : 0, out) ? py_raise_int()
                                                                        : 0;
}

/* Elements that are not aligned for their type cannot be walked: their bytes are copied. */
static cu_status
copy_bytes(cu_device *device, const char *from, size_t nbytes, cu_storage **out)
{
    cu_storage *s = NULL; /* owned */
    cu_stream *stream = cu_stream_current(device);
    cu_status st = cu_storage_new(device, nbytes, &s);
    if (st) return st;
    st = device->backend->copy(cu_storage_access(s, CUPRIC_WRITE), from, nbytes,
                               CUPRIC_COPY_ON_DEVICE, stream);
    if (!st) st = device->backend->stream_sync(stream);
    if (st) {
        cu_storage_unref(s);
        return st;
    }
    *out = s;
    return CUPRIC_OK;
}

static int
alignment_of(cu_dtype t)
{
    int item = cu_itemsize(t);
    return cu_dtypes[t].kind == 'c' ? item / 2 : item;
}

/* An array over the capsule's tensor, which becomes ours. */
static int
take_capsule(PyObject *capsule, cu_array *out, uint64_t *flags)
{
    cu_array a = {0};
    cu_storage *storage = NULL; /* owned */
    cu_device *device = NULL;
    imported in;
    int64_t lo, hi;
    char *first;
    cu_status st;

    if (open_capsule(capsule, &in) < 0 || describe(in.tensor, &a) < 0 ||
        find_device(in.tensor->device, &device) < 0) {
        return -1;
    }
    cu_array_extent(&a, &lo, &hi);
    first = (char *)in.tensor->data + in.tensor->byte_offset;
    *flags = in.flags;
    if (a.size && (uintptr_t)first % (uintptr_t)alignment_of(a.dtype)) {
        st = copy_bytes(device, first + lo, (size_t)(hi - lo), &storage);
        *flags = CUPRIC_DL_IS_COPIED;
    } else {
        st = cu_storage_wrap(device, a.size ? first + lo : NULL, (size_t)(hi - lo),
                             in.release, in.managed, &storage);
        if (!st) PyCapsule_SetName(capsule, in.used_name);
    }
    if (st) return py_raise_int();
    cu_array_init_view(out, storage, -lo, a.dtype, a.ndim, a.shape, a.strides);
    if (*flags & CUPRIC_DL_READ_ONLY) out->flags &= ~(unsigned)CUPRIC_WRITEABLE;
    cu_storage_unref(storage);
    return 0;
}

/* The number that a producer knows our current stream by; None on the host. */
static PyObject *
stream_number(PyObject *where)
{
    long type = 0, id = 0;
    cu_device *device;
    void *handle;

    if (read_pair(where, "__dlpack_device__()", &type, &id) < 0) return NULL;
    if (type == CUPRIC_DL_CPU) Py_RETURN_NONE;
    if (find_device((cu_dl_device){(int32_t)type, (int32_t)id}, &device) < 0)
        return NULL;
    handle = cu_stream_current(device)->handle;
    return PyLong_FromVoidPtr(handle ? handle : (void *)1);
}

/* producer.__dlpack__(…), with as many arguments as it understands. */
static PyObject *
ask_producer(PyObject *producer, int copy)
{
    PyObject *where = NULL, *method = NULL, *stream = NULL, *kwargs = NULL,
             *none = NULL;
    PyObject *capsule = NULL;

    where = PyObject_CallMethod(producer, "__dlpack_device__", NULL);
    if (where == NULL) goto done;
    stream = stream_number(where);
    method = stream ? PyObject_GetAttrString(producer, "__dlpack__") : NULL;
    none = method ? PyTuple_New(0) : NULL;
    if (none == NULL) goto done;
    kwargs = Py_BuildValue("{s:O,s:(ii),s:O}", "stream", stream, "max_version",
                           CUPRIC_DLPACK_MAJOR, CUPRIC_DLPACK_MINOR, "copy",
                           copy < 0 ? Py_None
                           : copy   ? Py_True
                                    : Py_False);
    if (kwargs == NULL) goto done;
    capsule = PyObject_Call(method, none, kwargs);
    if (capsule == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear(); /* a producer from before DLPack 1.0 */
        PyDict_Clear(kwargs);
        if (stream != Py_None && PyDict_SetItemString(kwargs, "stream", stream) < 0)
            goto done;
        capsule = PyObject_Call(method, none, kwargs);
    }

done:
    Py_XDECREF(where);
    Py_XDECREF(method);
    Py_XDECREF(stream);
    Py_XDECREF(kwargs);
    Py_XDECREF(none);
    return capsule;
}

/* Bring *a to `device`, or make it a copy, as asked. */
static int
settle(cu_array *a, uint64_t flags, cu_device *device, int copy)
{
    cu_array moved = {0};
    bool same = device == NULL || device == cu_array_device(a);
    cu_status st;

    if (same && (copy != 1 || (flags & CUPRIC_DL_IS_COPIED))) return 0;
    if (copy == 0) {
        PyErr_SetString(
            PyExc_ValueError,
            "Unable to avoid copy while creating an array as requested: the "
            "data is on another device");
        return -1;
    }
    st = same ? cu_array_cast(a, a->dtype, 'K', &moved)
              : cu_array_to_device(a, device, &moved);
    if (st) return py_raise_int();
    cu_array_release(a);
    *a = moved;
    return 0;
}

PyObject *
py_from_dlpack(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"array", "device", "copy", NULL};
    PyObject *producer, *device_arg = NULL, *copy_arg = NULL,
                        *capsule; /* capsule owned */
    cu_device *device = NULL;
    cu_array a = {0}; /* owned */
    uint64_t flags = 0;
    int copy, r;
    (void)module;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$OO:from_dlpack", names,
                                     &producer, &device_arg, &copy_arg)) {
        return NULL;
    }
    copy = read_copy(copy_arg);
    if (copy < -1) return NULL;
    if (device_arg && device_arg != Py_None) {
        long ordinal = PyLong_AsLong(device_arg);
        if (ordinal == -1 && PyErr_Occurred()) return NULL;
        if (cu_device_get((int)ordinal, &device)) return py_raise();
    }
    if (PyCapsule_CheckExact(producer)) {
        capsule = Py_NewRef(producer);
    } else {
        if (!PyObject_HasAttrString(producer, "__dlpack__") ||
            !PyObject_HasAttrString(producer, "__dlpack_device__")) {
            PyErr_Format(
                PyExc_TypeError,
                "%R has no __dlpack__ and __dlpack_device__ methods, so that it "
                "cannot be read through DLPack",
                Py_TYPE(producer));
            return NULL;
        }
        capsule = ask_producer(producer, copy);
        if (capsule == NULL) return NULL;
    }
    r = take_capsule(capsule, &a, &flags);
    Py_DECREF(capsule);
    if (r < 0) return NULL;
    if (settle(&a, flags, device, copy) < 0) {
        cu_array_release(&a);
        return NULL;
    }
    return py_array_new(&a);
}

PyMethodDef py_dlpack_functions[] = {
    {"from_dlpack", (PyCFunction)(void (*)(void))py_from_dlpack,
     METH_VARARGS | METH_KEYWORDS, from_dlpack_doc},
    {NULL},
};
