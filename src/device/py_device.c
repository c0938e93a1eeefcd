/* py_device.c: cupric.cuda.Device.
 *
 * A Device is its number and nothing else, so there is one object for each device. Others,
 * of numbers that no device has, can be made, compared and hashed as well: programs do so
 * before they know how many devices there are. Using one raises. What a `with` statement
 * must put back is kept on a stack of the thread.
 */
#include <Python.h>

#include "device/py_device.h"

#include "device/py_device_doc.h"
#include "py_status.h"

typedef struct py_device {
    PyObject_HEAD
    const cu_device *first; /* static: device 0 of the backend */
    int ordinal;
    cu_device *device; /* static; NULL: the backend has none of this number */
} py_device;

static PyObject *objects[CUPRIC_MAXDEVICES]; /* owned, for ever; by cu_device.index */

/* Devices to return to, the latest first. */
typedef struct frame {
    cu_device *device;
    struct frame *below;
} frame;

static _Thread_local frame *frames;

/* The device itself; NULL with an exception where there is none of the number. */
static cu_device *
device_of(PyObject *self)
{
    const py_device *o = (py_device *)self;
    cu_device *d = o->device;

    if (!d && cu_device_get(o->ordinal, &d)) return py_raise(), NULL;
    return d;
}

static PyObject *
device_make(const cu_device *first, int ordinal, cu_device *d)
{
    py_device *self = PyObject_New(py_device, &py_DeviceType);

    if (!self) return NULL;
    self->first = first;
    self->ordinal = ordinal;
    self->device = d;
    return (PyObject *)self;
}

PyObject *
py_device_new(cu_device *d)
{
    PyObject **object = &objects[d->index];

    /* The devices of a backend are neighbours in the table. */
    if (!*object) *object = device_make(d - d->ordinal, d->ordinal, d);
    return Py_XNewRef(*object);
}

/* Reading the number of a device failed: a TypeError says what a device is. */
static void
raise_no_device(PyObject *o)
{
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return;
    PyErr_Format(PyExc_TypeError,
                 "a device is a cupric.cuda.Device, its number or None for the current "
                 "one, not %R",
                 o);
}

int
py_device_convert(PyObject *o, cu_device **out)
{
    long ordinal;
    cu_status st;

    if (o == NULL || o == Py_None) {
        st = cu_devices_init();
        if (st) return py_raise(), 0;
        *out = cu_device_current();
        return 1;
    }
    if (Py_IS_TYPE(o, &py_DeviceType)) {
        *out = device_of(o);
        return *out != NULL;
    }
    ordinal = PyLong_AsLong(o);
    if (ordinal == -1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_Clear();
            py_fail(CUPRIC_ERR_DEVICE,
                    "cudaErrorInvalidDevice: invalid device ordinal");
        } else {
            raise_no_device(o);
        }
        return 0;
    }
    if (ordinal != (int)ordinal) ordinal = -1;
    st = cu_device_get((int)ordinal, out);
    if (st) return py_raise(), 0;
    return 1;
}

static PyObject *
py_device_make(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"device", NULL};
    cu_device *d = NULL;
    PyObject *which = Py_None;
    long ordinal;

    (void)type;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:Device", names, &which)) {
        return NULL;
    }
    if (Py_IS_TYPE(which, &py_DeviceType)) return Py_NewRef(which);
    if (which == Py_None) return py_device_convert(which, &d) ? py_device_new(d) : NULL;
    ordinal = PyLong_AsLong(which);
    if (ordinal == -1 && PyErr_Occurred()) return raise_no_device(which), NULL;
    if (ordinal != (int)ordinal) {
        return py_fail(CUPRIC_ERR_OVERFLOW, "a device number is of 32 bits, %ld is not",
                       ordinal);
    }
    if (cu_devices_init()) return py_raise();
    if (ordinal < 0 || ordinal >= cu_device_count()) {
        if (cu_device_get(0, &d)) return py_raise();
        return device_make(d, (int)ordinal, NULL);
    }
    if (cu_device_get((int)ordinal, &d)) return py_raise();
    return py_device_new(d);
}

static PyObject *
py_device_use(PyObject *self, PyObject *unused)
{
    cu_device *d = device_of(self);

    (void)unused;
    if (!d) return NULL;
    cu_device_set_current(d);
    return Py_NewRef(self);
}

static PyObject *
py_device_enter(PyObject *self, PyObject *unused)
{
    cu_device *d = device_of(self);
    frame *f;

    (void)unused;
    if (!d) return NULL;
    f = malloc(sizeof *f);
    if (!f) return PyErr_NoMemory();
    f->device = cu_device_current();
    f->below = frames;
    frames = f;
    cu_device_set_current(d);
    return Py_NewRef(self);
}

static PyObject *
py_device_exit(PyObject *self, PyObject *unused)
{
    frame *f = frames;

    (void)self, (void)unused;
    if (!f) return py_fail(CUPRIC_ERR_RUNTIME, "this thread entered no device");
    cu_device_set_current(f->device);
    frames = f->below;
    free(f);
    Py_RETURN_NONE;
}

static PyObject *
py_device_synchronize(PyObject *self, PyObject *unused)
{
    cu_device *d = device_of(self);
    cu_status st;

    (void)unused;
    if (!d) return NULL;
    Py_BEGIN_ALLOW_THREADS
    st = cu_device_check(d);
    if (!st) st = cu_wait_check();
    if (!st) st = d->backend->device_sync(d->ordinal);
    Py_END_ALLOW_THREADS
    if (st) return py_raise();
    Py_RETURN_NONE;
}

static PyObject *
py_device_from_pci_bus_id(PyObject *type, PyObject *args)
{
    const char *wanted;
    cu_device *d;

    (void)type;
    if (!PyArg_ParseTuple(args, "s:from_pci_bus_id", &wanted)) return NULL;
    for (int i = 0; i < cu_device_count(); i++) {
        if (cu_device_get(i, &d)) return py_raise();
        if (PyOS_stricmp(d->info.pci_bus_id, wanted) == 0) return py_device_new(d);
    }
    return py_fail(CUPRIC_ERR_DEVICE,
                   "cudaErrorInvalidDevice: invalid device ordinal: no device has the "
                   "PCI bus id %.100s",
                   wanted);
}

/* ---- properties -------------------------------------------------------------------- */

static PyObject *
py_device_get_id(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((py_device *)self)->ordinal);
}

static PyObject *
py_device_get_backend(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(((py_device *)self)->first->backend->name);
}

static PyObject *
py_device_get_name(PyObject *self, void *closure)
{
    const cu_device *d = device_of(self);

    (void)closure;
    if (!d) return NULL;
    return PyUnicode_DecodeUTF8(d->info.name, (Py_ssize_t)strlen(d->info.name),
                                "replace");
}

static PyObject *
py_device_get_mem_info(PyObject *self, void *closure)
{
    cu_device *d = device_of(self);
    size_t free_bytes, total_bytes;

    (void)closure;
    if (!d) return NULL;
    if (cu_device_check(d)) return py_raise();
    if (d->backend->mem_info(d->ordinal, &free_bytes, &total_bytes)) return py_raise();
    return Py_BuildValue("(nn)", (Py_ssize_t)free_bytes, (Py_ssize_t)total_bytes);
}

/* What mem_info's second number is, but asked without a context. */
static PyObject *
py_device_get_total_bytes(PyObject *self, void *unused)
{
    const cu_device *d = device_of(self);

    (void)unused;
    return d ? PyLong_FromSize_t(d->info.total_bytes) : NULL;
}

static PyObject *
py_device_get_compute_capability(PyObject *self, void *closure)
{
    const cu_device *d = device_of(self);

    (void)closure;
    if (!d) return NULL;
    return PyUnicode_FromFormat("%d%d", d->info.capability_major,
                                d->info.capability_minor);
}

static PyObject *
py_device_get_pci_bus_id(PyObject *self, void *closure)
{
    const cu_device *d = device_of(self);

    (void)closure;
    return d ? PyUnicode_FromString(d->info.pci_bus_id) : NULL;
}

static const struct {
    int number;
    const char *name;
} attributes[] = {
#define ATTRIBUTE(number, name) {number, #name},
#include "device/attributes.def"
#undef ATTRIBUTE
};

static int
add_attribute(PyObject *dict, const cu_device *d, int number, const char *name)
{
    int value = 0;
    PyObject *number_object;
    int failed;

    if (d->backend->device_attribute(d->ordinal, number, &value)) {
        return py_raise_int();
    }
    number_object = PyLong_FromLong(value);
    failed = !number_object || PyDict_SetItemString(dict, name, number_object);
    Py_XDECREF(number_object);
    return failed ? -1 : 0;
}

static PyObject *
py_device_get_attributes(PyObject *self, void *closure)
{
    const cu_device *d = device_of(self);
    PyObject *dict; /* owned */

    (void)closure;
    if (!d) return NULL;
    dict = PyDict_New();
    for (size_t i = 0; dict && i < sizeof attributes / sizeof *attributes; i++) {
        if (add_attribute(dict, d, attributes[i].number, attributes[i].name)) {
            Py_CLEAR(dict);
        }
    }
    return dict;
}

static PyObject *
py_device_attribute(PyObject *self, PyObject *arg)
{
    const cu_device *d = device_of(self);
    long number;
    int value = 0;

    if (!d) return NULL;
    number = PyLong_AsLong(arg);
    if (number == -1 && PyErr_Occurred()) return NULL;
    if (d->backend->device_attribute(d->ordinal, (int)number, &value)) {
        return py_raise();
    }
    return PyLong_FromLong(value);
}

/* Handles of NVIDIA's libraries, which only their own device has. */
static PyObject *
py_device_get_handle(PyObject *self, void *closure)
{
    cu_device *d = device_of(self);
    const char *name = closure;
    const bool is_blas = strcmp(name, "cuBLAS") == 0;
    void *handle = NULL;

    if (!d) return NULL;
    if (!d->backend->library_handle || (!is_blas && strcmp(name, "cuSOLVER") != 0)) {
        return py_fail(CUPRIC_ERR_UNSUPPORTED, "the %s device has no %s handle",
                       d->backend->name, name);
    }
    if (d->backend->library_handle(
            cu_stream_current(d), is_blas ? CUPRIC_LIBRARY_BLAS : CUPRIC_LIBRARY_SOLVER,
            &handle)) {
        return py_raise();
    }
    return PyLong_FromVoidPtr(handle);
}

/* ---- for cupric.cuda.runtime --------------------------------------------------------- */

static PyObject *
py_device_can_access(PyObject *self, PyObject *other)
{
    const cu_device *d = device_of(self);
    cu_device *peer;
    bool can = false;

    if (!d || !py_device_convert(other, &peer)) return NULL;
    if (d->backend == peer->backend &&
        d->backend->peer_query(d->ordinal, peer->ordinal, &can)) {
        return py_raise();
    }
    return PyBool_FromLong(can);
}

static PyObject *
py_device_enable_access(PyObject *self, PyObject *other)
{
    const cu_device *d = device_of(self);
    cu_device *peer;

    if (!d || !py_device_convert(other, &peer)) return NULL;
    if (d->backend->peer_enable(d->ordinal, peer->ordinal)) return py_raise();
    Py_RETURN_NONE;
}

static PyObject *
py_device_profiler(PyObject *self, PyObject *on)
{
    const cu_device *d = device_of(self);

    if (!d) return NULL;
    if (d->backend->profiler(d->ordinal, on == Py_True)) return py_raise();
    Py_RETURN_NONE;
}

/* The address of a function of the driver; None on a device that has none. */
static PyObject *
py_device_native(PyObject *self, PyObject *name)
{
    const cu_device *d = device_of(self);
    const char *text = PyUnicode_AsUTF8(name);
    void *address = NULL;

    if (!d || !text) return NULL;
    if (!d->backend->native) Py_RETURN_NONE;
    if (d->backend->native(d->ordinal, text, &address)) return py_raise();
    return PyLong_FromVoidPtr(address);
}

static PyGetSetDef getset[] = {
    {"id", py_device_get_id, NULL, "The device's number.", NULL},
    {"backend", py_device_get_backend, NULL, "\"cuda\" or \"host\".", NULL},
    {"name", py_device_get_name, NULL, "What the maker calls it.", NULL},
    {"mem_info", py_device_get_mem_info, NULL, "(free, total) bytes of memory.", NULL},
    {"_total_bytes", py_device_get_total_bytes, NULL, NULL, NULL},
    {"compute_capability", py_device_get_compute_capability, NULL,
     "Major and minor version as digits, \"90\"; \"00\" on the host.", NULL},
    {"pci_bus_id", py_device_get_pci_bus_id, NULL, "Where it is on the bus.", NULL},
    {"attributes", py_device_get_attributes, NULL, "A dict of the device's limits.",
     NULL},
    {"cublas_handle", py_device_get_handle, NULL, NULL, "cuBLAS"},
    {"cusolver_handle", py_device_get_handle, NULL, NULL, "cuSOLVER"},
    {"cusolver_sp_handle", py_device_get_handle, NULL, NULL, "cuSOLVER's sparse"},
    {"cusparse_handle", py_device_get_handle, NULL, NULL, "cuSPARSE"},
    {"cutensor_handle", py_device_get_handle, NULL, NULL, "cuTENSOR"},
    {0},
};

static PyMethodDef methods[] = {
    {"use", py_device_use, METH_NOARGS, device_use_doc},
    {"synchronize", py_device_synchronize, METH_NOARGS, device_synchronize_doc},
    {"from_pci_bus_id", py_device_from_pci_bus_id, METH_VARARGS | METH_STATIC,
     device_from_pci_bus_id_doc},
    {"_attribute", py_device_attribute, METH_O, NULL},
    {"_can_access", py_device_can_access, METH_O, NULL},
    {"_enable_access", py_device_enable_access, METH_O, NULL},
    {"_profiler", py_device_profiler, METH_O, NULL},
    {"_native", py_device_native, METH_O, NULL},
    {"__enter__", py_device_enter, METH_NOARGS, NULL},
    {"__exit__", py_device_exit, METH_VARARGS, NULL},
    {0},
};

static PyObject *
py_device_repr(PyObject *self)
{
    const py_device *o = (py_device *)self;
    const char *backend = o->first->backend->name;
    const char *name = strcmp(backend, "cuda") ? backend : "CUDA";

    return PyUnicode_FromFormat("<%s Device %d>", name, o->ordinal);
}

static Py_hash_t
py_device_hash(PyObject *self)
{
    const py_device *o = (py_device *)self;

    return o->ordinal == -1 ? -2 : o->ordinal; /* -1 would mean an error */
}

/* By backend, then by number. */
static PyObject *
py_device_compare(PyObject *a, PyObject *b, int op)
{
    const py_device *x = (py_device *)a, *y = (py_device *)b;

    if (!Py_IS_TYPE(a, &py_DeviceType) || !Py_IS_TYPE(b, &py_DeviceType)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (x->first != y->first) Py_RETURN_RICHCOMPARE(x->first, y->first, op);
    Py_RETURN_RICHCOMPARE(x->ordinal, y->ordinal, op);
}

static PyObject *
py_device_int(PyObject *self)
{
    return py_device_get_id(self, NULL);
}

/* A Device cannot be sent elsewhere; its number can. */
static PyNumberMethods as_number = {.nb_int = py_device_int};

PyTypeObject py_DeviceType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.cuda.device.Device",
    .tp_doc = device_doc,
    .tp_basicsize = sizeof(py_device),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = py_device_make,
    .tp_repr = py_device_repr,
    .tp_hash = py_device_hash,
    .tp_richcompare = py_device_compare,
    .tp_as_number = &as_number,
    .tp_methods = methods,
    .tp_getset = getset,
};

/* ---- functions --------------------------------------------------------------------- */

static PyObject *
py_device_count(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    if (cu_devices_init()) return py_raise();
    return PyLong_FromLong(cu_device_count());
}

static PyObject *
py_device_versions(PyObject *module, PyObject *unused)
{
    int driver = 0, runtime = 0;

    (void)module, (void)unused;
    if (cu_devices_init()) return py_raise();
    if (cu_device_current()->backend->versions(&driver, &runtime)) return py_raise();
    return Py_BuildValue("(ii)", driver, runtime);
}

static PyObject *
py_device_pointer_info(PyObject *module, PyObject *arg)
{
    const void *ptr = PyLong_AsVoidPtr(arg);
    cu_pointer_info info;

    (void)module;
    if (!ptr && PyErr_Occurred()) return NULL;
    if (cu_devices_init()) return py_raise();
    if (cu_device_current()->backend->pointer_info(ptr, &info)) return py_raise();
    return Py_BuildValue("(iiNN)", (int)info.kind, info.ordinal,
                         PyLong_FromVoidPtr(info.device_ptr),
                         PyLong_FromVoidPtr(info.host_ptr));
}

static PyObject *
py_device_components(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    cu_component c;

    (void)module, (void)unused;
    if (cu_devices_init()) {
        Py_XDECREF(list);
        return py_raise();
    }
    const cu_backend *backend = cu_device_current()->backend;
    for (int i = 0; list && backend->component && backend->component(i, &c); i++) {
        PyObject *row = Py_BuildValue("(ssN)", c.name, c.version,
                                      PyUnicode_DecodeFSDefault(c.path));
        if (!row || PyList_Append(list, row)) Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *
py_device_passed_over(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return Py_BuildValue("z", cu_device_passed_over());
}

static PyMethodDef functions[] = {
    {"_cuda_passed_over", py_device_passed_over, METH_NOARGS,
     "_cuda_passed_over()\n--\n\nWhy CUDA is not in use, or None."},
    {"_components", py_device_components, METH_NOARGS,
     "_components()\n--\n\n(name, version, path) of what the backend in use works "
     "with."},
    {"versions", py_device_versions, METH_NOARGS,
     "versions()\n--\n\n(driver, runtime) in use; 12040 is 12.4, 0 is none."},
    {"pointer_info", py_device_pointer_info, METH_O,
     "pointer_info(ptr)\n--\n\n(kind, device, device pointer, host pointer)."},
    {"device_count", py_device_count, METH_NOARGS,
     "device_count()\n--\n\nThe number of devices of the backend in use."},
    {0},
};

int
py_device_init(PyObject *module)
{
    if (PyType_Ready(&py_DeviceType)) return -1;
    if (PyModule_AddFunctions(module, functions)) return -1;
    Py_AtExit(cu_devices_stop);
    return PyModule_AddObjectRef(module, "Device", (PyObject *)&py_DeviceType);
}
