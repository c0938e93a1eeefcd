/* array/py_from_dlpack.c: arrays of other libraries. See py_dlpack.h. */
#include "array/dlpack.h"
#include "array/py_dlpack.h"
#include "array/py_functions.h"
#include "array/py_functions_doc.h"
#include "device/py_device.h"
#include "layout/py_args.h"
#include "ops/execute.h"

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
    if (PyCapsule_IsValid(capsule, CUPRIC_DL_VERSIONED)) {
        cu_dl_versioned *m = PyCapsule_GetPointer(capsule, CUPRIC_DL_VERSIONED);
        if (m->major > CUPRIC_DLPACK_MAJOR) {
            PyErr_Format(
                PyExc_BufferError,
                "the tensor is of DLPack version %u.%u; this package reads up to "
                "%d.x",
                m->major, m->minor, CUPRIC_DLPACK_MAJOR);
            return -1;
        }
        *in = (imported){&m->tensor, m->flags, m, release_versioned,
                         CUPRIC_DL_VERSIONED_USED};
        return 0;
    }
    if (PyCapsule_IsValid(capsule, CUPRIC_DL_LEGACY)) {
        cu_dl_managed *m = PyCapsule_GetPointer(capsule, CUPRIC_DL_LEGACY);
        *in = (imported){&m->tensor, 0, m, release_legacy, CUPRIC_DL_LEGACY_USED};
        return 0;
    }
    if (PyCapsule_IsValid(capsule, CUPRIC_DL_LEGACY_USED) ||
        PyCapsule_IsValid(capsule, CUPRIC_DL_VERSIONED_USED)) {
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
    out->dtype = cu_dl_dtype_find(t->dtype);
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
    cu_array a = cu_array_none();
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
        if (!st) { /* it is ours to give back: not every capsule does so by itself */
            PyCapsule_SetName(capsule, in.used_name);
            in.release(NULL, in.managed);
        }
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

    if (py_dl_pair_read(where, "__dlpack_device__()", &type, &id) < 0) return NULL;
    if (type == CUPRIC_DL_CPU) Py_RETURN_NONE;
    if (find_device((cu_dl_device){(int32_t)type, (int32_t)id}, &device) < 0)
        return NULL;
    handle = cu_stream_current(device)->handle;
    return PyLong_FromVoidPtr(handle ? handle : (void *)1);
}

/* What a producer is asked with, made once. */
static struct {
    PyObject *export, *device;    /* names of methods; owned for ever, as all here */
    PyObject *keywords, *keyword; /* of export: today's, and before DLPack 1.0 */
    PyObject *version;            /* the newest that is read */
} names;

static int
names_init(void)
{
    if (names.version) return 0;
    names.export = PyUnicode_InternFromString("__dlpack__");
    names.device = PyUnicode_InternFromString("__dlpack_device__");
    names.keywords = Py_BuildValue("(sss)", "stream", "max_version", "copy");
    names.keyword = Py_BuildValue("(s)", "stream");
    names.version = Py_BuildValue("(ii)", CUPRIC_DLPACK_MAJOR, CUPRIC_DLPACK_MINOR);
    return names.export && names.device && names.keywords && names.keyword &&
                   names.version
               ? 0
               : -1;
}

/* producer.__dlpack__(…), with as many arguments as it understands. */
static PyObject *
call_producer(PyObject *producer, int copy)
{
    PyObject *args[] = {producer, Py_None, names.version,
                        copy < 0 ? Py_None
                        : copy   ? Py_True
                                 : Py_False};
    PyObject *where, *stream, *capsule; /* where and stream owned */

    where = PyObject_CallMethodNoArgs(producer, names.device);
    if (where == NULL) return NULL;
    stream = stream_number(where);
    Py_DECREF(where);
    if (stream == NULL) return NULL;
    args[1] = stream;
    capsule = PyObject_VectorcallMethod(names.export, args, 1, names.keywords);
    if (capsule == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear(); /* a producer from before DLPack 1.0 */
        capsule = PyObject_VectorcallMethod(names.export, args, 1,
                                            stream == Py_None ? NULL : names.keyword);
    }
    Py_DECREF(stream);
    return capsule;
}

/* Bring *a to `device`, or make it a copy, as asked. */
static int
settle(cu_array *a, uint64_t flags, cu_device *device, int copy)
{
    cu_array moved = cu_array_none();
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
    cu_array_move(a, &moved);
    return 0;
}

/* A Device, a device number, or a pair as __dlpack_device__ gives it. */
static int
read_device(PyObject *o, cu_device **out)
{
    long type, id;

    if (!PyTuple_Check(o)) return py_device_convert(o, out) ? 0 : -1;
    if (py_dl_pair_read(o, "device", &type, &id) < 0) return -1;
    return find_device((cu_dl_device){(int32_t)type, (int32_t)id}, out);
}

/* Whether the result only shares the memory of an array of ours: no tensor is needed then,
 * nor that what it was computed by is waited for. */
static bool
is_ours(PyObject *producer, const cu_device *device, int copy)
{
    const cu_array *a = py_array_get(producer);

    return Py_TYPE(producer) == &py_array_type && copy != 1 &&
           !cu_is_opaque(a->dtype) && (!device || device == cu_array_device(a));
}

/* from_dlpack(array, *, device=None, copy=None); an object with __dlpack__, or a capsule.
 * `device` is an ordinal. */
static PyObject *
from_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const parameters[] = {"array", "device", "copy", NULL};
    PyObject *v[3], *producer, *capsule; /* capsule owned */
    cu_device *device = NULL;
    cu_array a = cu_array_none(); /* owned */
    uint64_t flags = 0;
    int copy, r;
    (void)self;

    if (py_args_parse("from_dlpack", args, nargs, kwnames, parameters, 1, 1, v) < 0) {
        return NULL;
    }
    producer = v[0];
    copy = py_dl_copy_read(v[2]);
    if (copy < -1) return NULL;
    if (!py_is_absent(v[1]) && read_device(v[1], &device) < 0) return NULL;
    if (is_ours(producer, device, copy)) {
        cu_array_alias(&a, py_array_get(producer));
        return py_array_new(&a);
    }
    if (PyCapsule_CheckExact(producer)) {
        capsule = Py_NewRef(producer);
    } else {
        if (names_init() < 0) return NULL;
        if (!PyObject_HasAttr(producer, names.export) ||
            !PyObject_HasAttr(producer, names.device)) {
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
    {"from_dlpack", (PyCFunction)(void (*)(void))from_dlpack,
     METH_FASTCALL | METH_KEYWORDS, from_dlpack_doc},
    {NULL},
};
