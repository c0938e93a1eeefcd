/* py_memory.c: memory as an object: of a pool, of the device, of others.
 *
 * A memory object holds a storage. When arrays are made on a memory object from Python
 * (UnownedMemory, subclasses), the object must outlive them: their storage is then a
 * wrapper whose release lets go of the object. Memory of a pool needs no such wrapper.
 */
#include <Python.h>

#include "memory/py_memory.h"

#include <string.h>

#include "device/py_device.h"
#include "memory/pool.h"
#include "memory/py_memory_doc.h"
#include "py_status.h"

static PyTypeObject py_MemoryType;
static PyTypeObject py_UnownedMemoryType;

int
py_size_convert(PyObject *o, size_t *out)
{
    PyObject *index = PyNumber_Index(o);
    Py_ssize_t n;

    if (!index) return 0;
    n = PyLong_AsSsize_t(index);
    Py_DECREF(index);
    if (n == -1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return 0;
        PyErr_Clear();
        py_fail(CUPRIC_ERR_MEMORY, "Out of memory: the size is larger than any memory");
        return 0;
    }
    if (n < 0) {
        PyErr_Format(PyExc_ValueError, "a size must not be negative, got %zd", n);
        return 0;
    }
    *out = (size_t)n;
    return 1;
}

cu_storage *
py_memory_storage(PyObject *mem)
{
    cu_storage *s = ((py_memory *)mem)->storage;

    if (!s) py_fail(CUPRIC_ERR_VALUE, "the memory was freed");
    return s;
}

/* ---- what a program's own class sets --------------------------------------------------- */

/* A storage that frees nothing, as the object, which arrays keep alive, does so. Arrays that
 * were made on it keep the memory that it was then. */
static int
set_storage(py_memory *mem)
{
    cu_storage *s = NULL;
    cu_device *d = cu_device_current();

    mem->set.own = true;
    if (mem->set.ptr || mem->set.size == 0) {
        if (mem->set.device_id && cu_device_get(mem->set.device_id - 1, &d)) {
            return py_raise_int();
        }
        if (cu_storage_wrap(d, mem->set.ptr, mem->set.size, NULL, NULL, &s)) {
            return py_raise_int();
        }
    }
    cu_storage_unref(mem->storage);
    mem->storage = s;
    return 0;
}

/* Whether attributes may be set: not of memory that the package made. */
static int
check_own(PyObject *self, PyObject *value, const char *name)
{
    const py_memory *mem = (py_memory *)self;

    if (value && (mem->set.own ||
                  (mem->storage == NULL && !Py_IS_TYPE(self, &py_PooledMemoryType)))) {
        return 0;
    }
    PyErr_Format(PyExc_AttributeError,
                 value ? "%s of memory that has an owner cannot be set: derive a class "
                         "from BaseMemory for memory of your own"
                       : "%s cannot be deleted",
                 name);
    return -1;
}

static int
py_memory_set_ptr(PyObject *self, PyObject *value, void *closure)
{
    py_memory *mem = (py_memory *)self;
    void *ptr;

    (void)closure;
    if (check_own(self, value, "ptr") < 0) return -1;
    ptr = PyLong_AsVoidPtr(value);
    if (ptr == NULL && PyErr_Occurred()) return -1;
    mem->set.ptr = ptr;
    return set_storage(mem);
}

static int
py_memory_set_size(PyObject *self, PyObject *value, void *closure)
{
    py_memory *mem = (py_memory *)self;

    (void)closure;
    if (check_own(self, value, "size") < 0) return -1;
    if (!py_size_convert(value, &mem->set.size)) return -1;
    return set_storage(mem);
}

static int
py_memory_set_device_id(PyObject *self, PyObject *value, void *closure)
{
    py_memory *mem = (py_memory *)self;
    cu_device *d;
    int ordinal;

    (void)closure;
    if (check_own(self, value, "device_id") < 0) return -1;
    ordinal = (int)PyNumber_AsSsize_t(value, PyExc_OverflowError);
    if (ordinal == -1 && PyErr_Occurred()) return -1;
    if (cu_device_get(ordinal, &d)) return py_raise_int();
    mem->set.device_id = ordinal + 1;
    return set_storage(mem);
}

/* ---- making ---------------------------------------------------------------------------- */

/* Memory objects are made empty, so that a subclass may call __init__ late or never. */
static PyObject *
py_memory_make(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)args, (void)kwargs;
    return type->tp_alloc(type, 0);
}

static void
py_memory_dealloc(PyObject *o)
{
    cu_storage_unref(((py_memory *)o)->storage);
    Py_TYPE(o)->tp_free(o);
}

/* Arrays count on the memory of an object to stay the same. */
static int
check_empty(PyObject *o)
{
    if (!((py_memory *)o)->storage) return 0;
    py_fail(CUPRIC_ERR_VALUE, "the memory object has its memory already");
    return -1;
}

static int
py_memory_setup(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"size", "_managed", "_stream", NULL};
    PyObject *stream = Py_None;
    size_t size;
    int managed = 0;
    cu_device *d;
    cu_stream *on;
    cu_pool *pool;
    cu_storage *s = NULL;
    cu_status st;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&|pO:Memory", names,
                                     py_size_convert, &size, &managed, &stream)) {
        return -1;
    }
    if (check_empty(self) || !py_device_convert(Py_None, &d)) return -1;
    if (managed) {
        st = cu_storage_managed(d, size, &s);
    } else if (stream == Py_None || size == 0) {
        st = cu_storage_direct(d, size, &s);
    } else {
        if (py_stream_on(stream, d, &on)) return -1;
        st = cu_pool_default(d, &pool);
        if (!st) st = cu_pool_alloc(pool, size, on, &s);
    }
    if (st) return py_raise_int();
    ((py_memory *)self)->storage = s;
    return 0;
}

/* The last user of memory that a Python object owns is gone. */
void
py_memory_release_owner(void *ptr, void *arg)
{
    PyGILState_STATE gil;

    (void)ptr;
    if (!Py_IsInitialized()) return;
    gil = PyGILState_Ensure();
    Py_DECREF((PyObject *)arg);
    PyGILState_Release(gil);
}

/* The device whose memory an address is in; -1 where that cannot be told. */
static int
device_of_address(const cu_device *d, const void *address)
{
    const cu_device *of_pool = cu_pool_find_device(address);
    cu_pointer_info info;

    if (of_pool) return of_pool->backend == d->backend ? of_pool->ordinal : -1;
    if (d->backend->pointer_info(address, &info)) return -1;
    return info.kind == CUPRIC_POINTER_DEVICE ? info.ordinal : -1;
}

static int
py_unowned_setup(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"ptr", "size", "owner", "device_id", NULL};
    PyObject *ptr, *owner;
    size_t size;
    int device_id = -1;
    void *address;
    cu_device *d;
    cu_storage *s = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO&O|i:UnownedMemory", names, &ptr,
                                     py_size_convert, &size, &owner, &device_id)) {
        return -1;
    }
    address = PyLong_AsVoidPtr(ptr);
    if (!address && PyErr_Occurred()) return -1;
    if (!address && size) {
        py_fail(CUPRIC_ERR_VALUE, "%zu bytes of memory cannot lie at address 0", size);
        return -1;
    }
    if (check_empty(self) || !py_device_convert(Py_None, &d)) return -1;
    if (device_id < 0 && address) device_id = device_of_address(d, address);
    if (device_id >= 0 && cu_device_get(device_id, &d)) return py_raise_int();
    if (cu_storage_wrap(d, address, size, py_memory_release_owner, owner, &s)) {
        return py_raise_int();
    }
    Py_INCREF(owner);
    ((py_memory *)self)->storage = s;
    return 0;
}

static PyObject *
py_memory_get_ptr(PyObject *self, void *closure)
{
    cu_storage *s = ((py_memory *)self)->storage;

    (void)closure;
    if (!s) return PyLong_FromLong(0);
    return PyLong_FromVoidPtr(
        cu_storage_access(s, CUPRIC_READ | CUPRIC_WRITE | CUPRIC_ESCAPE));
}

static PyObject *
py_memory_int(PyObject *self)
{
    return py_memory_get_ptr(self, NULL);
}

static PyObject *
py_memory_get_size(PyObject *self, void *closure)
{
    cu_storage *s = ((py_memory *)self)->storage;

    (void)closure;
    if (!s) return PyLong_FromSize_t(((py_memory *)self)->set.size);
    return PyLong_FromSize_t(s->nbytes);
}

PyObject *
py_memory_get_device(PyObject *self, void *closure)
{
    cu_storage *s = py_memory_storage(self);

    (void)closure;
    return s ? py_device_new(s->device) : NULL;
}

PyObject *
py_memory_get_device_id(PyObject *self, void *closure)
{
    const int set = ((py_memory *)self)->set.device_id;
    cu_storage *s;

    (void)closure;
    if (set) return PyLong_FromLong(set - 1);
    s = py_memory_storage(self);
    return s ? PyLong_FromLong(s->device->ordinal) : NULL;
}

static PyObject *
py_unowned_get_owner(PyObject *self, void *closure)
{
    cu_storage *s = ((py_memory *)self)->storage;

    (void)closure;
    if (!s || s->release != py_memory_release_owner) Py_RETURN_NONE;
    return Py_NewRef((PyObject *)s->release_arg);
}

static PyObject *
py_pooled_free(PyObject *self, PyObject *unused)
{
    cu_storage *s = ((py_memory *)self)->storage;

    (void)unused;
    ((py_memory *)self)->storage = NULL;
    cu_storage_unref(s);
    Py_RETURN_NONE;
}

/* `<PooledMemory 0x7f0080000000 size=512 device=0>` */
static PyObject *
py_memory_repr(PyObject *self)
{
    const char *dot = strrchr(Py_TYPE(self)->tp_name, '.');
    const char *const name = dot ? dot + 1 : Py_TYPE(self)->tp_name;
    const cu_storage *s = ((py_memory *)self)->storage;

    if (!s) return PyUnicode_FromFormat("<%s, freed>", name);
    return PyUnicode_FromFormat("<%s %p size=%zu device=%d>", name, s->ptr, s->nbytes,
                                s->device->ordinal);
}

static PyNumberMethods memory_as_number = {.nb_int = py_memory_int};

static PyGetSetDef memory_getset[] = {
    {"ptr", py_memory_get_ptr, py_memory_set_ptr,
     "The address, as an int. A class of a program's own may set it.", NULL},
    {"size", py_memory_get_size, py_memory_set_size, "Bytes; settable so, too.", NULL},
    {"device", py_memory_get_device, NULL, "Where it is.", NULL},
    {"device_id", py_memory_get_device_id, py_memory_set_device_id,
     "The number of that device; settable so, too.", NULL},
    {0},
};

static PyGetSetDef unowned_getset[] = {
    {"_owner", py_unowned_get_owner, NULL, "What keeps the memory alive.", NULL},
    {0},
};

static PyMethodDef pooled_methods[] = {
    {"free", py_pooled_free, METH_NOARGS, pooled_memory_free_doc},
    {0},
};

PyTypeObject py_BaseMemoryType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.memory.BaseMemory",
    .tp_doc = base_memory_doc,
    .tp_basicsize = sizeof(py_memory),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = py_memory_make,
    .tp_dealloc = py_memory_dealloc,
    .tp_repr = py_memory_repr,
    .tp_as_number = &memory_as_number,
    .tp_getset = memory_getset,
};

static PyTypeObject py_MemoryType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.memory.Memory",
    .tp_doc = direct_memory_doc,
    .tp_basicsize = sizeof(py_memory),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_base = &py_BaseMemoryType,
    .tp_init = py_memory_setup,
};

static PyTypeObject py_UnownedMemoryType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.memory.UnownedMemory",
    .tp_doc = unowned_memory_doc,
    .tp_basicsize = sizeof(py_memory),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_base = &py_BaseMemoryType,
    .tp_init = py_unowned_setup,
    .tp_getset = unowned_getset,
};

PyTypeObject py_PooledMemoryType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.memory.PooledMemory",
    .tp_doc = pooled_memory_doc,
    .tp_basicsize = sizeof(py_memory),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_base = &py_BaseMemoryType,
    .tp_methods = pooled_methods,
};

PyObject *
py_memory_wrap(cu_storage *s)
{
    bool pooled = s->block || s->nbytes == 0;
    PyTypeObject *type = pooled ? &py_PooledMemoryType : &py_UnownedMemoryType;
    PyObject *mem = type->tp_alloc(type, 0);

    if (!mem) {
        cu_storage_unref(s);
        return NULL;
    }
    ((py_memory *)mem)->storage = s;
    return mem;
}

int
py_memory_init(PyObject *module)
{
    const struct {
        const char *name;
        PyTypeObject *type;
    } types[] = {
        {"BaseMemory", &py_BaseMemoryType},
        {"Memory", &py_MemoryType},
        {"UnownedMemory", &py_UnownedMemoryType},
        {"PooledMemory", &py_PooledMemoryType},
    };

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        PyObject *type = (PyObject *)types[i].type;
        if (PyType_Ready(types[i].type)) return -1;
        if (PyModule_AddObjectRef(module, types[i].name, type)) return -1;
    }
    return 0;
}
