/* array/py_array.c: the ndarray type: its life, its attributes, its protocols. */
#include "array/py_array.h"

#include <string.h>

#include "array/py_field.h"
#include "array/py_index.h"
#include "device/py_device.h"
#include "env.h"
#include "layout/py_shape.h"
#include "memory/py_memory.h"
#include "ops/py_ufunc.h"

/* ---- life ---------------------------------------------------------------------------- */

/* Array objects come and go with every operation: a few are kept. Under the GIL. */
enum { SPARE_MAX = 64 };
static py_array *spare[SPARE_MAX];
static int nspare;

static PyObject *
array_alloc(PyTypeObject *type, Py_ssize_t nitems)
{
    py_array *self;
    if (type != &py_array_type) return PyType_GenericAlloc(type, nitems);
    if (nspare > 0) {
        self = spare[--nspare];
    } else {
        self = PyObject_Malloc(sizeof *self);
        if (self == NULL) return PyErr_NoMemory();
    }
    self->a.storage = NULL;
    self->base = NULL;
    self->weakrefs = NULL;
    return PyObject_Init((PyObject *)self, type);
}

static void
array_dealloc(PyObject *o)
{
    py_array *self = (py_array *)o;
    if (self->weakrefs) PyObject_ClearWeakRefs(o);
    py_array_free_layouts(self);
    cu_array_release(&self->a);
    Py_CLEAR(self->base);
    if (Py_TYPE(o) == &py_array_type) {
        if (nspare < SPARE_MAX) {
            spare[nspare++] = self;
        } else {
            PyObject_Free(o);
        }
        return;
    }
    Py_TYPE(o)->tp_free(o);
}

static bool
lies_within(const cu_storage *s, int64_t offset, cu_dtype t, int ndim,
            const int64_t *shape, const int64_t *strides)
{
    int64_t lo = offset, hi = offset;
    for (int i = 0; i < ndim; i++) {
        int64_t span;
        if (shape[i] == 0) return true;
        if (__builtin_mul_overflow(shape[i] - 1, strides[i], &span) ||
            __builtin_add_overflow(span < 0 ? lo : hi, span, span < 0 ? &lo : &hi)) {
            return false;
        }
    }
    return lo >= 0 && hi <= INT64_MAX - 16 &&
           (size_t)(hi + cu_itemsize(t)) <= s->nbytes;
}

/* An array over the memory of a MemoryPointer, which stays alive with it. */
static int
init_over_memory(cu_array *out, cu_dtype t, int ndim, const int64_t *shape,
                 const int64_t *strides, PyObject *memptr)
{
    cu_storage *storage = NULL; /* owned */
    ptrdiff_t offset = 0;
    bool fits;

    if (py_pointer_storage(memptr, &storage, &offset) < 0) return -1;
    fits = lies_within(storage, offset, t, ndim, shape, strides);
    if (fits) {
        cu_array_init_view(out, storage, offset, t, ndim, shape, strides);
    } else {
        PyErr_Format(PyExc_ValueError,
                     "the array does not fit in the %zu bytes of its memory",
                     storage->nbytes);
    }
    cu_storage_unref(storage);
    return fits ? 0 : -1;
}

static PyObject *
array_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"shape", "dtype", "memptr", "strides", "order", NULL};
    PyObject *shape_arg, *dtype_arg = NULL, *memptr = NULL, *strides_arg = NULL;
    PyObject *order_arg = NULL;
    int64_t shape[CUPRIC_MAXDIMS], strides[CUPRIC_MAXDIMS], size;
    cu_dtype t = CUPRIC_FLOAT64;
    cu_array a = cu_array_none();
    int ndim;
    char order;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OOOO:ndarray", names, &shape_arg,
                                     &dtype_arg, &memptr, &strides_arg, &order_arg)) {
        return NULL;
    }
    ndim = py_shape_read(shape_arg, shape);
    if (ndim < 0) return NULL;
    if (!py_is_absent(dtype_arg) &&
        py_dtype_convert_new(dtype_arg, &t, &ndim, shape) < 0) {
        return NULL;
    }
    order = py_order_read(order_arg, 'C');
    if (order == 0) return NULL;
    if (order != 'C' && order != 'F') {
        PyErr_Format(PyExc_ValueError, "order must be 'C' or 'F', not '%c'", order);
        return NULL;
    }
    if (cu_shape_size(t, ndim, shape, &size)) return py_raise();
    if (py_is_absent(strides_arg)) {
        cu_strides_fill(t, ndim, shape, order, strides);
    } else {
        if (py_shape_read(strides_arg, strides) != ndim) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_ValueError,
                                "strides, if given, must be the same length as shape");
            }
            return NULL;
        }
    }
    if (py_is_absent(memptr)) {
        cu_device *device = cu_device_current();
        if (py_is_absent(strides_arg)
                ? cu_array_init(&a, device, t, ndim, shape, order)
                : cu_array_init_strided(&a, device, t, ndim, shape, strides)) {
            return py_raise();
        }
    } else if (init_over_memory(&a, t, ndim, shape, strides, memptr) < 0) {
        return NULL;
    }
    if (py_require_aligned(&a, "let memptr and strides be multiples") < 0) {
        cu_array_release(&a);
        return NULL;
    }
    return py_array_wrap(&a, type, NULL, NULL);
}

static int
array_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    (void)self, (void)args, (void)kwargs;
    return 0; /* __new__ did everything; subclasses may pass what they like */
}

/* ---- attributes ---------------------------------------------------------------------- */

static PyObject *
get_shape(PyObject *self, void *unused)
{
    const cu_array *a = py_array_get(self);
    (void)unused;
    return py_shape_new(a->ndim, a->shape);
}

static PyObject *
get_strides(PyObject *self, void *unused)
{
    const cu_array *a = py_array_get(self);
    (void)unused;
    return py_shape_new(a->ndim, a->strides);
}

static PyObject *
get_dtype(PyObject *self, void *unused)
{
    (void)unused;
    return py_dtype_new(py_array_get(self)->dtype);
}

static PyObject *
get_ndim(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(py_array_get(self)->ndim);
}

static PyObject *
get_size(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(py_array_get(self)->size);
}

static PyObject *
get_itemsize(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(cu_itemsize(py_array_get(self)->dtype));
}

static PyObject *
get_nbytes(PyObject *self, void *unused)
{
    const cu_array *a = py_array_get(self);
    (void)unused;
    return PyLong_FromLongLong(a->size * cu_itemsize(a->dtype));
}

static PyObject *
get_base(PyObject *self, void *unused)
{
    PyObject *base = ((py_array *)self)->base;
    (void)unused;
    return Py_NewRef(base ? base : Py_None);
}

static PyObject *
get_flags(PyObject *self, void *unused)
{
    (void)unused;
    return py_flags_new(self);
}

PyObject *
py_call_python(const char *module, const char *name, PyObject *arg)
{
    PyObject *m = PyImport_ImportModule(module), *f, *r; /* owned */
    if (m == NULL) return NULL;
    f = PyObject_GetAttrString(m, name);
    Py_DECREF(m);
    if (f == NULL) return NULL;
    r = arg ? PyObject_CallOneArg(f, arg) : PyObject_CallNoArgs(f);
    Py_DECREF(f);
    return r;
}

static PyObject *
get_device(PyObject *self, void *unused)
{
    (void)unused;
    return py_device_new(cu_array_device(py_array_get(self)));
}

static PyObject *
get_data(PyObject *self, void *unused)
{
    const cu_array *a = py_array_get(self);
    (void)unused;
    cu_array_access(a, CUPRIC_READ | CUPRIC_WRITE | CUPRIC_ESCAPE);
    return py_pointer_new(a->storage, (ptrdiff_t)a->offset);
}

static PyObject *
get_flat(PyObject *self, void *unused)
{
    (void)unused;
    return py_call_python("cupric._indexing._flat", "flatiter", self);
}

static int
set_flat(PyObject *self, PyObject *value, void *unused)
{
    PyObject *flat = value ? get_flat(self, unused) : NULL, *all; /* owned */
    int r = -1;
    if (value == NULL) PyErr_SetString(PyExc_AttributeError, "Cannot delete flat");
    if (flat == NULL) return -1;
    all = PySlice_New(NULL, NULL, NULL);
    if (all) r = PyObject_SetItem(flat, all, value);
    Py_XDECREF(all);
    Py_DECREF(flat);
    return r;
}

static PyObject *
get_priority(PyObject *self, void *unused)
{
    (void)self, (void)unused;
    return PyFloat_FromDouble(100.0);
}

/* The fields of a structure; NumPy has no list of those that overlap. */
static PyObject *
describe(PyObject *dtype, PyObject *typestr)
{
    PyObject *fields = PyObject_GetAttrString(dtype, "descr");

    if (fields || typestr == NULL) return fields;
    PyErr_Clear();
    return Py_BuildValue("[(sO)]", "", typestr);
}

/* Version 3 of the protocol: https://numba.readthedocs.io/en/stable/cuda/ ->
 * cuda_array_interface. Absent on the host device, whose memory is not CUDA's. */
static PyObject *
get_cuda_interface(PyObject *self, void *unused)
{
    const cu_array *a = py_array_get(self);
    const char *wanted = cu_setting("CUPY_CUDA_ARRAY_INTERFACE_EXPORT_VERSION");
    const bool old = wanted && strcmp(wanted, "2") == 0;
    PyObject *shape, *strides, *dtype, *descr, *typestr, *r;
    cu_stream *s;
    (void)unused;

    if (strcmp(cu_array_device(a)->backend->name, "cuda") != 0) {
        PyErr_SetString(
            PyExc_AttributeError,
            "'ndarray' object has no attribute '__cuda_array_interface__' (its "
            "memory is the host's)");
        return NULL;
    }
    s = cu_stream_current(cu_array_device(a));
    shape = py_shape_new(a->ndim, a->shape);
    strides = a->flags & CUPRIC_C_CONTIGUOUS ? Py_NewRef(Py_None)
                                             : py_shape_new(a->ndim, a->strides);
    dtype = py_dtype_new(a->dtype);
    typestr = dtype ? PyObject_GetAttrString(dtype, "str") : NULL;
    descr = dtype ? describe(dtype, typestr) : NULL;
    r = Py_BuildValue(
        "{s:O,s:O,s:O,s:(KO),s:i,s:K,s:O}", "shape", shape, "strides", strides,
        "typestr", typestr, "data",
        (unsigned long long)(uintptr_t)(a->size ? cu_array_access(a, CUPRIC_READ |
                                                                         CUPRIC_WRITE |
                                                                         CUPRIC_ESCAPE)
                                                : NULL),
        a->flags & CUPRIC_WRITEABLE ? Py_False : Py_True, "version", old ? 2 : 3,
        "stream", (unsigned long long)(s->handle ? (uintptr_t)s->handle : 1), "descr",
        descr);
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    Py_XDECREF(dtype);
    Py_XDECREF(descr);
    Py_XDECREF(typestr);
    /* Version 2 knows of no streams: all that is queued has to be done. */
    if (r && old &&
        (PyDict_DelItemString(r, "stream") < 0 ||
         (cu_array_device(a)->backend->stream_sync(s) && py_raise_int() < 0))) {
        Py_CLEAR(r);
    }
    return r;
}

/* What kernels take belongs to the layer of kernels, above this one. */
static PyObject *
get_cstruct(PyObject *self, void *closure)
{
    PyObject *core = PyImport_ImportModule("cupric._core");
    PyObject *r = core ? PyObject_CallMethod(core, "_view", "O", self) : NULL;

    (void)closure;
    Py_XDECREF(core);
    return r;
}

static PyGetSetDef array_getset[] = {
    {"shape", get_shape, py_array_set_shape, "Lengths of the axes. Settable.", NULL},
    {"strides", get_strides, NULL, "Bytes to step along each axis.", NULL},
    {"dtype", get_dtype, NULL, "Element type, a numpy.dtype.", NULL},
    {"ndim", get_ndim, NULL, "Number of axes.", NULL},
    {"size", get_size, NULL, "Number of elements.", NULL},
    {"itemsize", get_itemsize, NULL, "Bytes of one element.", NULL},
    {"nbytes", get_nbytes, NULL, "Bytes of all elements.", NULL},
    {"base", get_base, NULL, "The array this one is a view of, or None.", NULL},
    {"flags", get_flags, NULL, "Memory layout; flags.writeable is settable.", NULL},
    {"device", get_device, NULL, "The cupric.cuda.Device that holds the elements.",
     NULL},
    {"data", get_data, NULL, "cupric.cuda.MemoryPointer to the first element.", NULL},
    {"cstruct", get_cstruct, NULL,
     "What a kernel takes as a parameter CArray<T, ndim, false>, with the shape.",
     NULL},
    {"flat", get_flat, set_flat, "A one-dimensional iterator over the array.", NULL},
    {"T", py_array_get_T, NULL, "The array with its axes reversed: a view.", NULL},
    {"mT", py_array_get_mT, NULL, "The last two axes exchanged: a view.", NULL},
    {"real", py_array_get_real, py_array_set_real, "The real part: a view.", NULL},
    {"imag", py_array_get_imag, py_array_set_imag,
     "The imaginary part: a view of a complex array; zeros for a real one.", NULL},
    {"__array_priority__", get_priority, NULL, NULL, NULL},
    {"__cuda_array_interface__", get_cuda_interface, NULL, NULL, NULL},
    {NULL},
};

/* ---- sequence, printing -------------------------------------------------------------- */

static Py_ssize_t
array_length(PyObject *self)
{
    const cu_array *a = py_array_get(self);
    if (a->ndim == 0) {
        PyErr_SetString(PyExc_TypeError, "len() of unsized object");
        return -1;
    }
    if (py_refuse_shuffle() < 0) return -1;
    return a->shape[0];
}

static int
array_contains(PyObject *self, PyObject *value)
{
    PyObject *same = py_array_richcompare(self, value, Py_EQ), *any; /* owned */
    int r;
    if (same == NULL) return -1;
    if (same == Py_NotImplemented) {
        Py_DECREF(same);
        return 0;
    }
    any = PyObject_CallMethod(same, "any", NULL);
    Py_DECREF(same);
    if (any == NULL) return -1;
    r = PyObject_IsTrue(any);
    Py_DECREF(any);
    return r;
}

static PyObject *
array_repr(PyObject *self)
{
    return py_call_python("cupric._io._text", "array_repr", self);
}

static PyObject *
array_str(PyObject *self)
{
    return py_call_python("cupric._io._text", "array_str", self);
}

static PySequenceMethods array_sequence = {
    .sq_length = array_length,
    .sq_item = py_array_item_at,
    .sq_contains = array_contains, /* for `in` alone: see py_array_ready */
};

static PyMappingMethods array_mapping = {
    .mp_length = array_length,
    .mp_subscript = py_array_subscript,
    .mp_ass_subscript = py_array_ass_subscript,
};

PyDoc_STRVAR(
    array_doc,
    "ndarray(shape, dtype='float64', memptr=None, strides=None, order='C')\n--\n\n"
    "A multi-dimensional array of one dtype in the memory of a device.\n\n"
    "Usually made by `cupric.array`, `cupric.zeros` and their like.\n\n"
    "Parameters\n----------\n"
    "shape : int or tuple of ints\n    Lengths of the axes, at most 64.\n"
    "dtype : data-type, optional\n    Element type, float64 by default.\n"
    "memptr : cupric.cuda.MemoryPointer, optional\n"
    "    Memory to use instead of new memory.\n"
    "strides : tuple of ints, optional\n"
    "    Bytes from one element to the next along each axis.\n"
    "order : {'C', 'F'}, optional\n    Layout of new memory.\n\n"
    "Examples\n--------\n"
    ">>> x = cp.ndarray((2, 3), 'float32')\n"
    ">>> x.nbytes\n"
    "24\n");

PyTypeObject py_array_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.ndarray",
    .tp_doc = array_doc,
    .tp_basicsize = sizeof(py_array),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = array_new,
    .tp_init = array_init,
    .tp_alloc = array_alloc,
    .tp_dealloc = array_dealloc,
    .tp_weaklistoffset = offsetof(py_array, weakrefs),
    .tp_repr = array_repr,
    .tp_str = array_str,
    .tp_iter = py_array_iter,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_richcompare = py_array_richcompare,
    .tp_as_number = &py_array_number,
    .tp_as_sequence = &array_sequence,
    .tp_as_mapping = &array_mapping,
    .tp_methods = py_array_methods,
    .tp_getset = array_getset,
};

int
py_array_ready(void)
{
    if (PyType_Ready(&py_array_type) < 0) return -1;
    /* CuPy's arrays have no method of this name, and so are no collections.abc.Collection,
     * by which programs tell arrays from containers. The slot stays. */
    if (PyDict_DelItemString(py_array_type.tp_dict, "__contains__") < 0) return -1;
    PyType_Modified(&py_array_type);
    return 0;
}
