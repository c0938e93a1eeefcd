/* array/py_dlpack.c: arrays given to other libraries. See py_dlpack.h. */
#include "array/py_dlpack.h"

#include <stdlib.h>
#include <string.h>

#include "array/dlpack.h"
#include "ops/execute.h"

/* A tensor handed out, in either form, with the memory that it points into. Axes that are
 * not there have no room: that for 64 is beyond what malloc hands out at once. */
typedef struct exported {
    union {
        cu_dl_managed legacy;
        cu_dl_versioned versioned;
    } form;
    cu_storage *storage; /* owned */
    int64_t axes[];      /* shape, then strides, in elements */
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
    if (PyCapsule_IsValid(capsule, CUPRIC_DL_LEGACY)) {
        cu_dl_managed *m = PyCapsule_GetPointer(capsule, CUPRIC_DL_LEGACY);
        if (m->deleter) m->deleter(m);
    } else if (PyCapsule_IsValid(capsule, CUPRIC_DL_VERSIONED)) {
        cu_dl_versioned *m = PyCapsule_GetPointer(capsule, CUPRIC_DL_VERSIONED);
        if (m->deleter) m->deleter(m);
    }
}

static int
fill_tensor(cu_dl_tensor *t, exported *e, const cu_array *a)
{
    const int item = cu_itemsize(a->dtype), code = cu_dl_code(a->dtype);
    int64_t *shape = e->axes, *strides = e->axes + a->ndim;

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
        shape[i] = a->shape[i];
        strides[i] = a->strides[i] / item;
    }
    t->data =
        a->size ? cu_array_access(a, CUPRIC_READ | CUPRIC_WRITE | CUPRIC_ESCAPE) : NULL;
    t->device.type = cu_array_device(a)->backend->dlpack_type;
    t->device.id = cu_array_device(a)->ordinal;
    t->ndim = a->ndim;
    t->dtype = (cu_dl_dtype){(uint8_t)code, (uint8_t)(item * 8), 1};
    t->shape = shape;
    t->strides = strides;
    t->byte_offset = 0;
    return 0;
}

static PyObject *
export_array(const cu_array *a, bool versioned, uint64_t flags)
{
    exported *e = malloc(sizeof *e + 2 * (size_t)a->ndim * sizeof e->axes[0]);
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
    capsule = PyCapsule_New(
        &e->form, versioned ? CUPRIC_DL_VERSIONED : CUPRIC_DL_LEGACY, capsule_destroy);
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

int
py_dl_pair_read(PyObject *o, const char *what, long *first, long *second)
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

int
py_dl_copy_read(PyObject *o)
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

/* A new array of the host's memory, which is not what a program's own allocator makes. */
static cu_status
new_on_host(const cu_array *like, cu_array *out)
{
    int64_t strides[CUPRIC_MAXDIMS];
    cu_storage *storage = NULL; /* owned */
    cu_device *host;
    cu_status st = cu_device_find("host", 0, &host);

    if (!st) {
        st = cu_storage_direct(host, (size_t)(like->size * cu_itemsize(like->dtype)),
                               &storage);
    }
    if (st) return st;
    cu_strides_fill(like->dtype, like->ndim, like->shape, 'C', strides);
    cu_array_init_view(out, storage, 0, like->dtype, like->ndim, like->shape, strides);
    cu_storage_unref(storage);
    return CUPRIC_OK;
}

/* A copy in the host's memory, valid on return. */
static cu_status
copy_to_host(const cu_array *a, cu_array *out)
{
    cu_array dense = cu_array_none(), dst = cu_array_none(); /* owned */
    cu_device *from = cu_array_device(a);
    cu_stream *s = cu_stream_current(from);
    const size_t nbytes = (size_t)(a->size * cu_itemsize(a->dtype));
    cu_status st = CUPRIC_OK;

    if (cu_array_is_contiguous(a)) {
        cu_array_alias(&dense, a);
    } else {
        st = cu_array_cast(a, a->dtype, 'C', &dense);
    }
    if (!st) st = new_on_host(a, &dst);
    if (!st && nbytes) {
        st = from->backend->copy(cu_array_access(&dst, CUPRIC_WRITE),
                                 cu_array_access(&dense, CUPRIC_READ), nbytes,
                                 CUPRIC_COPY_TO_HOST, s);
    }
    if (!st) {
        cu_array_move(out, &dst);
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
    cu_array own = cu_array_none(); /* owned */
    long major = 0, minor = 0, type = 0, id = 0;
    uint64_t flags = 0;
    int copy, asked;
    PyObject *r;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOOO:__dlpack__", names, &stream,
                                     &max_version, &dl_device, &copy_arg)) {
        return NULL;
    }
    if (py_dl_pair_read(max_version, "max_version", &major, &minor) < 0) return NULL;
    asked = py_dl_pair_read(dl_device, "dl_device", &type, &id);
    copy = py_dl_copy_read(copy_arg);
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
