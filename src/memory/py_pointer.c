/* py_pointer.c: cupric.cuda.MemoryPointer, and copies by address. */
#include <Python.h>

#include "device/py_device.h"
#include "memory/py_memory.h"
#include "memory/py_memory_doc.h"
#include "py_status.h"

typedef struct py_pointer {
    PyObject_HEAD
    PyObject *mem;    /* owned: a BaseMemory */
    ptrdiff_t offset; /* bytes */
} py_pointer;

static PyObject *
pointer_make(PyObject *mem /* borrowed */, ptrdiff_t offset)
{
    py_pointer *p = PyObject_New(py_pointer, &py_MemoryPointerType);

    if (!p) return NULL;
    p->mem = Py_NewRef(mem);
    p->offset = offset;
    return (PyObject *)p;
}

PyObject *
py_pointer_steal(cu_storage *s)
{
    PyObject *mem = py_memory_wrap(s);
    PyObject *p;

    if (!mem) return NULL;
    p = pointer_make(mem, 0);
    Py_DECREF(mem);
    return p;
}

/* Into the memory object that the storage was made of by py_pointer_storage, or into a new
 * one. */
PyObject *
py_pointer_new(cu_storage *s, ptrdiff_t offset)
{
    PyObject *mem, *p;

    if (s->release == py_memory_release_owner &&
        Py_IS_TYPE((PyObject *)s->release_arg, &py_MemoryPointerType)) {
        const py_pointer *made_on = s->release_arg;
        return pointer_make(made_on->mem, offset);
    }
    mem = py_memory_wrap(cu_storage_ref(s));
    if (!mem) return NULL;
    p = pointer_make(mem, offset);
    Py_DECREF(mem);
    return p;
}

int
py_pointer_storage(PyObject *o, cu_storage **storage, ptrdiff_t *offset)
{
    const py_pointer *p = (py_pointer *)o;
    cu_storage *s;

    if (!Py_IS_TYPE(o, &py_MemoryPointerType)) {
        PyErr_Format(PyExc_TypeError, "a MemoryPointer is needed, not %s",
                     Py_TYPE(o)->tp_name);
        return -1;
    }
    s = py_memory_storage(p->mem);
    if (!s) return -1;
    if (Py_IS_TYPE(p->mem, &py_PooledMemoryType)) {
        *storage = cu_storage_ref(s);
        *offset = p->offset;
        return 0;
    }
    if (p->offset < 0 || (size_t)p->offset > s->nbytes) {
        py_fail(CUPRIC_ERR_VALUE, "the pointer is outside its memory of %zu bytes",
                s->nbytes);
        return -1;
    }
    /* All of it: an array may reach back from the pointer, by negative strides. */
    if (cu_storage_wrap(s->device, s->ptr, s->nbytes, py_memory_release_owner, o,
                        storage)) {
        return py_raise_int();
    }
    Py_INCREF(o);
    *offset = p->offset;
    return 0;
}

static PyObject *
py_pointer_make(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"mem", "offset", NULL};
    PyObject *mem;
    Py_ssize_t offset;

    (void)type;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!n:MemoryPointer", names,
                                     &py_BaseMemoryType, &mem, &offset)) {
        return NULL;
    }
    return pointer_make(mem, offset);
}

static void
py_pointer_dealloc(PyObject *o)
{
    Py_DECREF(((py_pointer *)o)->mem);
    PyObject_Free(o);
}

static char *
address_of(const py_pointer *p)
{
    cu_storage *s = ((py_memory *)p->mem)->storage;

    if (!s) return NULL;
    return cu_storage_access(s, CUPRIC_READ | CUPRIC_WRITE | CUPRIC_ESCAPE) + p->offset;
}

static PyObject *
py_pointer_get_ptr(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromVoidPtr(address_of((py_pointer *)self));
}

static PyObject *
py_pointer_int(PyObject *self)
{
    return py_pointer_get_ptr(self, NULL);
}

static PyObject *
py_pointer_get_mem(PyObject *self, void *closure)
{
    (void)closure;
    return Py_NewRef(((py_pointer *)self)->mem);
}

static PyObject *
py_pointer_get_device(PyObject *self, void *closure)
{
    return py_memory_get_device(((py_pointer *)self)->mem, closure);
}

static PyObject *
py_pointer_get_device_id(PyObject *self, void *closure)
{
    return py_memory_get_device_id(((py_pointer *)self)->mem, closure);
}

/* pointer + n, n + pointer, pointer - n */
static PyObject *
pointer_moved(PyObject *a, PyObject *b, int sign)
{
    bool reversed = !Py_IS_TYPE(a, &py_MemoryPointerType);
    PyObject *pointer = reversed ? b : a;
    PyObject *number = reversed ? a : b;
    const py_pointer *p = (py_pointer *)pointer;
    Py_ssize_t n;

    if (!PyIndex_Check(number) || (reversed && sign < 0)) Py_RETURN_NOTIMPLEMENTED;
    n = PyNumber_AsSsize_t(number, PyExc_OverflowError);
    if (n == -1 && PyErr_Occurred()) return NULL;
    if (sign < 0 ? __builtin_sub_overflow(p->offset, n, &n)
                 : __builtin_add_overflow(p->offset, n, &n)) {
        return py_fail(CUPRIC_ERR_OVERFLOW, "the pointer's offset is too large");
    }
    return pointer_make(p->mem, n);
}

static PyObject *
py_pointer_add(PyObject *a, PyObject *b)
{
    return pointer_moved(a, b, 1);
}

static PyObject *
py_pointer_subtract(PyObject *a, PyObject *b)
{
    return pointer_moved(a, b, -1);
}

/* ---- copies ------------------------------------------------------------------------ */

/* Bytes at a pointer, kept alive while they are worked on without the GIL. */
typedef struct span {
    cu_storage *storage; /* owned */
    char *address;
    cu_device *device;
} span;

/* The first `size` bytes at a pointer; -1 with a ValueError if they are not there. */
static int
span_init(span *sp, PyObject *o, size_t size)
{
    const py_pointer *p = (py_pointer *)o;
    cu_storage *s = py_memory_storage(p->mem);

    if (!s) return -1;
    if (p->offset < 0 || (size_t)p->offset > s->nbytes ||
        size > s->nbytes - (size_t)p->offset) {
        py_fail(CUPRIC_ERR_VALUE,
                "%zu bytes from byte %td are outside the memory of %zu bytes", size,
                p->offset, s->nbytes);
        return -1;
    }
    *sp = (span){cu_storage_ref(s), address_of(p), s->device};
    return 0;
}

static void
span_release(span *sp)
{
    cu_storage_unref(sp->storage);
}

/* A host address: an int, ctypes' c_void_p, or a PinnedMemoryPointer (by __int__). */
static int
host_address(PyObject *o, char **out)
{
    PyObject *value = NULL; /* owned */

    if (PyLong_Check(o)) {
        value = Py_NewRef(o);
    } else if (PyObject_HasAttrString(o, "ptr")) {
        value = PyObject_GetAttrString(o, "ptr");
    } else {
        value = PyObject_GetAttrString(o, "value");
    }
    if (!value) {
        PyErr_Clear();
    } else if (PyLong_Check(value)) {
        *out = PyLong_AsVoidPtr(value);
        Py_DECREF(value);
        return PyErr_Occurred() ? -1 : 0;
    }
    Py_XDECREF(value);
    PyErr_Format(PyExc_TypeError,
                 "a host address (an int or ctypes.c_void_p) is needed, "
                 "not %s",
                 Py_TYPE(o)->tp_name);
    return -1;
}

/* Copy `size` bytes; `wait` for it if it goes to or from the host. */
typedef struct transfer {
    PyObject *self, *other, *stream; /* borrowed */
    size_t size;
    bool wait;
} transfer;

static PyObject *
copy_between_devices(const transfer *t)
{
    span dst = {0}, src = {0};
    cu_stream *s;
    cu_status st = CUPRIC_ERR_PYTHON;

    if (!Py_IS_TYPE(t->other, &py_MemoryPointerType)) {
        return PyErr_Format(PyExc_TypeError, "a MemoryPointer is needed, not %s",
                            Py_TYPE(t->other)->tp_name);
    }
    if (span_init(&dst, t->self, t->size)) goto done;
    if (span_init(&src, t->other, t->size)) goto done;
    if (py_stream_on(t->stream, dst.device, &s)) goto done;
    cu_storage_used_on(dst.storage, s);
    cu_storage_used_on(src.storage, s);
    Py_BEGIN_ALLOW_THREADS
    st = cu_storage_copy(dst.device, dst.address, src.device, src.address, t->size, s);
    Py_END_ALLOW_THREADS

done:
    span_release(&dst);
    span_release(&src);
    if (st) return py_raise();
    Py_RETURN_NONE;
}

static cu_status
copy_span(const transfer *t, const span *sp, char *host, bool to_host, cu_stream *s)
{
    static const cu_copy_kind kinds[2][2] = {
        {CUPRIC_COPY_ASYNC_TO_DEVICE, CUPRIC_COPY_ASYNC_TO_HOST},
        {CUPRIC_COPY_TO_DEVICE, CUPRIC_COPY_TO_HOST},
    };
    void *dst = to_host ? host : sp->address;
    const void *src = to_host ? sp->address : host;
    cu_status st = t->wait ? cu_wait_check() : CUPRIC_OK;

    if (!st && t->size)
        st = s->backend->copy(dst, src, t->size, kinds[t->wait][to_host], s);
    if (!st && t->wait && !to_host) st = s->backend->stream_sync(s);
    return st;
}

static PyObject *
copy_with_host(const transfer *t, bool to_host)
{
    span device_side = {0};
    char *host;
    cu_stream *s;
    cu_status st = CUPRIC_ERR_PYTHON;

    if (span_init(&device_side, t->self, t->size)) goto done;
    if (host_address(t->other, &host)) goto done;
    if (!host && t->size) {
        st = cu_fail(CUPRIC_ERR_VALUE, "the host address is 0");
        goto done;
    }
    if (py_stream_on(t->stream, device_side.device, &s)) goto done;
    cu_storage_used_on(device_side.storage, s);
    Py_BEGIN_ALLOW_THREADS
    st = copy_span(t, &device_side, host, to_host, s);
    Py_END_ALLOW_THREADS

done:
    span_release(&device_side);
    if (st) return py_raise();
    Py_RETURN_NONE;
}

static int
parse(PyObject *self, PyObject *args, PyObject *kwargs, char *first, bool wait,
      transfer *t)
{
    char *names[] = {first, "size", wait ? NULL : "stream", NULL};

    *t = (transfer){.self = self, .wait = wait};
    return PyArg_ParseTupleAndKeywords(args, kwargs, wait ? "OO&" : "OO&|O", names,
                                       &t->other, py_size_convert, &t->size,
                                       &t->stream);
}

static PyObject *
copy_from(const transfer *t)
{
    if (Py_IS_TYPE(t->other, &py_MemoryPointerType)) return copy_between_devices(t);
    return copy_with_host(t, false);
}

#define TRANSFER(name, first, wait, call)                                              \
    static PyObject *py_pointer_##name(PyObject *self, PyObject *args,                 \
                                       PyObject *kwargs)                               \
    {                                                                                  \
        transfer t;                                                                    \
        if (!parse(self, args, kwargs, first, wait, &t)) return NULL;                  \
        return call;                                                                   \
    }

TRANSFER(copy_from, "mem", true, copy_from(&t))
TRANSFER(copy_from_async, "mem", false, copy_from(&t))
TRANSFER(copy_from_host, "mem", true, copy_with_host(&t, false))
TRANSFER(copy_from_host_async, "mem", false, copy_with_host(&t, false))
TRANSFER(copy_to_host, "mem", true, copy_with_host(&t, true))
TRANSFER(copy_to_host_async, "mem", false, copy_with_host(&t, true))
TRANSFER(copy_from_device, "src", true, copy_between_devices(&t))
TRANSFER(copy_from_device_async, "src", false, copy_between_devices(&t))

static PyObject *
py_pointer_memset(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"value", "size", "stream", NULL};
    PyObject *stream = NULL;
    int value;
    size_t size;
    span sp = {0};
    cu_stream *s;
    cu_status st = CUPRIC_ERR_PYTHON;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "iO&|O", names, &value,
                                     py_size_convert, &size, &stream)) {
        return NULL;
    }
    if (span_init(&sp, self, size)) goto done;
    if (py_stream_on(stream, sp.device, &s)) goto done;
    cu_storage_used_on(sp.storage, s);
    Py_BEGIN_ALLOW_THREADS
    st = size ? s->backend->fill(sp.address, value, size, s) : CUPRIC_OK;
    Py_END_ALLOW_THREADS

done:
    span_release(&sp);
    if (st) return py_raise();
    Py_RETURN_NONE;
}

static PyObject *
py_pointer_repr(PyObject *self)
{
    const py_pointer *p = (py_pointer *)self;
    const cu_storage *s = ((py_memory *)p->mem)->storage;
    char address[32]; /* FromFormat knows no %zx before Python 3.12 */

    PyOS_snprintf(address, sizeof address, "0x%zx", (size_t)address_of(p));
    return PyUnicode_FromFormat("<MemoryPointer %s device=%d mem=%R>", address,
                                s ? s->device->ordinal : -1, p->mem);
}

#define KEYWORDS(f) (PyCFunction)(void (*)(void))(f), METH_VARARGS | METH_KEYWORDS

static PyMethodDef pointer_methods[] = {
    {"copy_from", KEYWORDS(py_pointer_copy_from), pointer_copy_from_doc},
    {"copy_from_async", KEYWORDS(py_pointer_copy_from_async),
     pointer_copy_from_async_doc},
    {"copy_from_host", KEYWORDS(py_pointer_copy_from_host), pointer_copy_from_host_doc},
    {"copy_from_host_async", KEYWORDS(py_pointer_copy_from_host_async),
     pointer_copy_from_host_async_doc},
    {"copy_from_device", KEYWORDS(py_pointer_copy_from_device),
     pointer_copy_from_device_doc},
    {"copy_from_device_async", KEYWORDS(py_pointer_copy_from_device_async),
     pointer_copy_from_device_async_doc},
    {"copy_to_host", KEYWORDS(py_pointer_copy_to_host), pointer_copy_to_host_doc},
    {"copy_to_host_async", KEYWORDS(py_pointer_copy_to_host_async),
     pointer_copy_to_host_async_doc},
    {"memset", KEYWORDS(py_pointer_memset), pointer_memset_doc},
    {"memset_async", KEYWORDS(py_pointer_memset), pointer_memset_async_doc},
    {0},
};

static PyGetSetDef pointer_getset[] = {
    {"ptr", py_pointer_get_ptr, NULL, "The address, as an int.", NULL},
    {"mem", py_pointer_get_mem, NULL, "The memory it points into.", NULL},
    {"device", py_pointer_get_device, NULL, "Where that is.", NULL},
    {"device_id", py_pointer_get_device_id, NULL, "The number of that device.", NULL},
    {0},
};

/* A pointer does not change: += makes a new one, as for any number. */
static PyNumberMethods pointer_as_number = {
    .nb_add = py_pointer_add,
    .nb_subtract = py_pointer_subtract,
    .nb_int = py_pointer_int,
};

PyTypeObject py_MemoryPointerType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.memory.MemoryPointer",
    .tp_doc = pointer_doc,
    .tp_basicsize = sizeof(py_pointer),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = py_pointer_make,
    .tp_dealloc = py_pointer_dealloc,
    .tp_repr = py_pointer_repr,
    .tp_as_number = &pointer_as_number,
    .tp_methods = pointer_methods,
    .tp_getset = pointer_getset,
};

/* ---- raw addresses ----------------------------------------------------------------- */

/* What the runtime's memcpy and memset work on: addresses, on trust. */
static PyObject *
py_memory_copy_raw(PyObject *module, PyObject *args)
{
    enum { HOST_TO_HOST, TO_DEVICE, TO_HOST, ON_DEVICE, BY_ADDRESS };
    static const cu_copy_kind kinds[][2] = {
        [TO_DEVICE] = {CUPRIC_COPY_TO_DEVICE, CUPRIC_COPY_ASYNC_TO_DEVICE},
        [TO_HOST] = {CUPRIC_COPY_TO_HOST, CUPRIC_COPY_ASYNC_TO_HOST},
        [ON_DEVICE] = {CUPRIC_COPY_ON_DEVICE, CUPRIC_COPY_ON_DEVICE},
        [BY_ADDRESS] = {CUPRIC_COPY_ON_DEVICE, CUPRIC_COPY_ON_DEVICE},
    };
    Py_ssize_t dst, src;
    size_t size;
    int kind, async;
    PyObject *stream;
    cu_device *d;
    cu_stream *s;
    cu_status st = CUPRIC_OK;

    (void)module;
    if (!PyArg_ParseTuple(args, "nnO&ipO", &dst, &src, py_size_convert, &size, &kind,
                          &async, &stream)) {
        return NULL;
    }
    if (kind < HOST_TO_HOST || kind > BY_ADDRESS || ((!dst || !src) && size)) {
        return py_fail(CUPRIC_ERR_DEVICE, "cudaErrorInvalidValue: invalid argument");
    }
    if (!py_device_convert(Py_None, &d)) return NULL;
    if (py_stream_on(stream, d, &s)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    st = cu_device_check(d);
    if (!st && !async) st = cu_wait_check();
    if (!st && kind == HOST_TO_HOST) memmove((void *)dst, (void *)src, size);
    if (!st && kind != HOST_TO_HOST && size) {
        st = d->backend->copy((void *)dst, (void *)src, size, kinds[kind][async], s);
    }
    if (!st && !async && kind != TO_HOST) st = d->backend->stream_sync(s);
    Py_END_ALLOW_THREADS
    if (st) return py_raise();
    Py_RETURN_NONE;
}

static PyObject *
py_memory_copy_peer(PyObject *module, PyObject *args)
{
    Py_ssize_t dst, src;
    size_t size;
    cu_device *dst_device, *src_device;
    cu_stream *s;
    cu_status st;
    PyObject *stream;

    (void)module;
    if (!PyArg_ParseTuple(args, "nO&nO&O&O", &dst, py_device_convert, &dst_device, &src,
                          py_device_convert, &src_device, py_size_convert, &size,
                          &stream)) {
        return NULL;
    }
    if ((!dst || !src) && size) {
        return py_fail(CUPRIC_ERR_DEVICE, "cudaErrorInvalidValue: invalid argument");
    }
    if (py_stream_on(stream, dst_device, &s)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    st = cu_storage_copy(dst_device, (void *)dst, src_device, (void *)src, size, s);
    Py_END_ALLOW_THREADS
    if (st) return py_raise();
    Py_RETURN_NONE;
}

static PyObject *
py_memory_fill_raw(PyObject *module, PyObject *args)
{
    Py_ssize_t dst;
    int value;
    size_t size;
    cu_device *d;
    cu_stream *s;
    cu_status st;
    PyObject *stream;

    (void)module;
    if (!PyArg_ParseTuple(args, "niO&O", &dst, &value, py_size_convert, &size,
                          &stream)) {
        return NULL;
    }
    if (!dst && size) {
        return py_fail(CUPRIC_ERR_DEVICE, "cudaErrorInvalidValue: invalid argument");
    }
    if (!py_device_convert(Py_None, &d)) return NULL;
    if (py_stream_on(stream, d, &s)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    st = cu_device_check(d);
    if (!st && size) st = d->backend->fill((void *)dst, value, size, s);
    Py_END_ALLOW_THREADS
    if (st) return py_raise();
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"memcpy", py_memory_copy_raw, METH_VARARGS,
     "memcpy(dst, src, size, kind, asynchronous, stream)\n--\n\nCopy between "
     "addresses."},
    {"memcpy_peer", py_memory_copy_peer, METH_VARARGS,
     "memcpy_peer(dst, dst_device, src, src_device, size, stream)\n--\n\n"
     "Copy between addresses of two devices."},
    {"memset", py_memory_fill_raw, METH_VARARGS,
     "memset(dst, value, size, stream)\n--\n\nSet the bytes at an address."},
    {0},
};

int
py_pointer_init(PyObject *module)
{
    PyObject *type = (PyObject *)&py_MemoryPointerType;

    if (PyType_Ready(&py_MemoryPointerType)) return -1;
    if (PyModule_AddObjectRef(module, "MemoryPointer", type)) return -1;
    return PyModule_AddFunctions(module, functions);
}
