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
#include "device/py_device.h"
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

/* -1: DLPack has no such type. */
static int
code_of(cu_dtype t)
{
    const char kind = t == CUPRIC_BFLOAT16 ? 'E' : cu_dtypes[t].kind;

    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (codes[i].kind == kind) return codes[i].code;
    }
    return -1;
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
    const int item = cu_itemsize(a->dtype), code = code_of(a->dtype);

    if (code < 0) {
        PyErr_Format(PyExc_BufferError,
                     "DLPack has no type for elements of dtype %s: lend a view as an "
                     "ordinary dtype, for example x.view('int64')",
                     cu_dtypes[a->dtype].name);
        return -1;
    }
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
    t->dtype = (cu_dl_dtype){(uint8_t)code, (uint8_t)(item * 8), 1};
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

/* -1: no order is wanted, 1 the default stream, 2 the thread's, else a stream. Some
 * libraries say 0 for the default one, against the protocol. */
static int
read_stream(PyObject *stream, long long *number)
{
    *number = PyLong_AsLongLong(stream);
    if (*number == -1 && PyErr_Occurred()) return -1;
    if (*number < -1) {
        PyErr_Format(PyExc_ValueError,
                     "stream=%lld is none of DLPack's: -1, 1, 2 or a stream's pointer",
                     *number);
        return -1;
    }
    if (*number > 0 || *number == -1) return 0;
    *number = 1;
    return PyErr_WarnEx(PyExc_UserWarning,
                        "stream=0 is ambiguous in DLPack and is taken for the default "
                        "stream: the library that passes it should say 1",
                        1);
}

/* The consumer works on `stream` (as its library counts streams): what is queued here
 * comes before what it will queue there. */
static int
order_before(const cu_array *a, PyObject *stream)
{
    const cu_backend *b = cu_array_device(a)->backend;
    cu_stream *mine = cu_stream_current(cu_array_device(a)), *theirs = NULL;
    cu_event *done = NULL;
    long long number = 0;
    cu_status st;

    if (stream && stream != Py_None && read_stream(stream, &number) < 0) return -1;
    if (number == 0 || b->dlpack_type == CUPRIC_DL_CPU) {
        return b->stream_sync(mine) ? py_raise_int() : 0;
    }
    if (number == -1) return 0; /* the consumer asks for none */
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

/* Whether the device that a consumer asks for is the array's: host memory is the same
 * wherever the host plays several devices. */
static bool
is_at(const cu_array *a, long type, long id)
{
    const cu_device *d = cu_array_device(a);

    return type == d->backend->dlpack_type &&
           (type == CUPRIC_DL_CPU || id == d->ordinal);
}

/* A copy in the host's memory, valid on return. */
static cu_status
copy_to_host(const cu_array *a, cu_array *out)
{
    cu_array dense = {0}, dst = {0}; /* owned */
    cu_device *from = cu_array_device(a), *host;
    cu_stream *s = cu_stream_current(from);
    const size_t nbytes = (size_t)(a->size * cu_itemsize(a->dtype));
    cu_status st = cu_device_find("host", 0, &host);

    if (!st) st = cu_array_cast(a, a->dtype, 'C', &dense);
    if (!st) st = cu_array_init(&dst, host, a->dtype, a->ndim, a->shape, 'C');
    if (!st && nbytes) {
        st = from->backend->copy(cu_array_access(&dst, CUPRIC_WRITE),
                                 cu_array_access(&dense, CUPRIC_READ), nbytes,
                                 CUPRIC_COPY_TO_HOST, s);
    }
    if (!st) st = from->backend->stream_sync(s);
    if (!st) {
        *out = dst;
        dst = (cu_array){0};
    }
    cu_array_release(&dense);
    cu_array_release(&dst);
    return st;
}

/* A copy of `a` on another device that a consumer asked for. */
static int
copy_elsewhere(const cu_array *a, long type, long id, int copy, cu_array *out)
{
    const cu_backend *b = cu_array_device(a)->backend;
    cu_device *device;

    if (type != CUPRIC_DL_CPU && type != b->dlpack_type) {
        PyErr_Format(PyExc_BufferError,
                     "cannot export to DLPack device (%ld, %ld): this array is on "
                     "(%d, %d)",
                     type, id, b->dlpack_type, cu_array_device(a)->ordinal);
        return -1;
    }
    if (copy == 0) {
        PyErr_Format(PyExc_BufferError,
                     "cannot export to DLPack device (%ld, %ld) without a copy: this "
                     "array is on (%d, %d)",
                     type, id, b->dlpack_type, cu_array_device(a)->ordinal);
        return -1;
    }
    if (type == CUPRIC_DL_CPU) return copy_to_host(a, out) ? py_raise_int() : 0;
    if (cu_device_find(b->name, (int)id, &device)) return py_raise_int();
    return cu_array_to_device(a, device, out) ? py_raise_int() : 0;
}

static int
refuse_read_only(void)
{
    PyErr_SetString(PyExc_BufferError,
                    "a read-only array can only be exported to consumers of DLPack "
                    "1.0 or later, or with copy=True; copy it first, x.copy()");
    return -1;
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
    if (asked && !is_at(a, type, id)) {
        if (copy_elsewhere(a, type, id, copy, &own) < 0) return NULL;
        flags = CUPRIC_DL_IS_COPIED;
        a = &own;
        if (type == CUPRIC_DL_CPU) stream = NULL;
    } else if (!(a->flags & CUPRIC_WRITEABLE) && copy != 1) {
        if (major < 1 && refuse_read_only() < 0) return NULL;
        flags |= CUPRIC_DL_READ_ONLY;
    } else if (copy == 1) {
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
    if (!(a->flags & CUPRIC_WRITEABLE) && refuse_read_only() < 0) return NULL;
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

/* In bytes; false where some element's address would overflow. Axes without a second
 * element have no step, whatever the tensor says. */
static bool
fill_strides(const cu_dl_tensor *t, cu_array *out)
{
    int64_t low = 0, high = cu_itemsize(out->dtype), span;

    cu_strides_fill(out->dtype, out->ndim, out->shape, 'C', out->strides);
    for (int i = 0; i < t->ndim && out->size; i++) {
        if (out->shape[i] == 1 && t->strides[i] > INT32_MAX) continue;
        if (__builtin_mul_overflow(t->strides[i], cu_itemsize(out->dtype),
                                   &out->strides[i]) ||
            __builtin_mul_overflow(out->shape[i] - 1, out->strides[i], &span) ||
            __builtin_add_overflow(span < 0 ? low : high, span,
                                   span < 0 ? &low : &high)) {
            return false;
        }
    }
    return !__builtin_sub_overflow(high, low, &span);
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
    } else if (!fill_strides(t, out)) {
        PyErr_SetString(PyExc_BufferError,
                        "the tensor's strides lead beyond what can be addressed");
        return -1;
    }
    if (out->size && t->data == NULL) {
        PyErr_SetString(PyExc_BufferError, "the tensor has elements and no memory");
        return -1;
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

/* An array over the capsule's tensor, which becomes ours. */
static int
take_capsule(PyObject *capsule, int copy, cu_array *out, uint64_t *flags)
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
    const bool misaligned =
        a.size && (uintptr_t)first % (uintptr_t)cu_itemsize(a.dtype);
    if (misaligned && copy == 0) {
        PyErr_Format(PyExc_ValueError,
                     "Unable to avoid copy while creating an array as requested: the "
                     "data is not aligned to the %d bytes of its dtype",
                     cu_itemsize(a.dtype));
        return -1;
    }
    if (misaligned) {
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
call_producer(PyObject *producer, int copy)
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

/* A Device, a device number, or a pair as __dlpack_device__ gives it. */
static int
read_device(PyObject *o, cu_device **out)
{
    long type, id;

    if (!PyTuple_Check(o)) return py_device_convert(o, out) ? 0 : -1;
    if (read_pair(o, "device", &type, &id) < 0) return -1;
    return find_device((cu_dl_device){(int32_t)type, (int32_t)id}, out);
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
    if (device_arg && device_arg != Py_None && read_device(device_arg, &device) < 0)
        return NULL;
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
        capsule = call_producer(producer, copy);
        if (capsule == NULL) return NULL;
    }
    r = take_capsule(capsule, copy, &a, &flags);
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
