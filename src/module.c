/* module.c: cupric._core, what Python sees of the core. */
#define CUPRIC_IMPORT_NUMPY
#include "array/py_array.h"
#include "array/py_field.h"
#include "array/py_functions.h"
#include "array/py_functions_doc.h"
#include "device/py_device.h"
#include "env.h"
#include "kernel/py_kernel.h"
#include "layout/py_placed.h"
#include "memory/py_memory.h"
#include "ops/py_linear.h"
#include "ops/py_sort.h"
#include "ops/py_ufunc.h"
#include "py_numpy.h"
#include "py_wrapper.h"

#define FAST(f) (PyCFunction)(void (*)(void))(f), METH_FASTCALL | METH_KEYWORDS

/* Those that are set; read when asked, so before any device is looked for. */
static PyObject *
settings(PyObject *module, PyObject *unused)
{
    PyObject *found = PyDict_New();

    (void)module, (void)unused;
    for (size_t i = 0; found && cu_setting_name(i); i++) {
        const char *value = cu_setting(cu_setting_name(i));
        PyObject *text = value ? PyUnicode_DecodeFSDefault(value) : NULL;
        if (value && (!text || PyDict_SetItemString(found, cu_setting_name(i), text))) {
            Py_CLEAR(found);
        }
        Py_XDECREF(text);
    }
    return found;
}

/* What type(x).__module__ and __name__ say is read from the name of a static type. */
static PyObject *
rename_type(PyObject *module, PyObject *args)
{
    PyTypeObject *type;
    const char *name;
    char *kept;

    (void)module;
    if (!PyArg_ParseTuple(args, "O!s", &PyType_Type, &type, &name)) return NULL;
    if (strncmp(type->tp_name, "cup", 3) ||
        PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE)) {
        return PyErr_Format(PyExc_TypeError, "%s is no type of cupric's own",
                            type->tp_name);
    }
    kept = PyMem_RawMalloc(strlen(name) + 1); /* for ever, as the type */
    if (!kept) return PyErr_NoMemory();
    type->tp_name = strcpy(kept, name);
    PyType_Modified(type);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"array", FAST(py_create_array), array_doc},
    {"asarray", FAST(py_create_asarray), asarray_doc},
    {"asanyarray", FAST(py_create_asanyarray), asanyarray_doc},
    {"ascontiguousarray", FAST(py_create_ascontiguousarray), ascontiguousarray_doc},
    {"_contiguous", FAST(py_create_contiguous), NULL},
    {"asfortranarray", FAST(py_create_asfortranarray), asfortranarray_doc},
    {"empty", FAST(py_create_empty), empty_doc},
    {"zeros", FAST(py_create_zeros), zeros_doc},
    {"new_like", py_create_like, METH_O, "new_like(a, /)\n--\n\n"},
    {"arange", FAST(py_create_arange), arange_doc},
    {"asnumpy", FAST(py_create_asnumpy), asnumpy_doc},
    {"_require_objects", py_require_objects_for, METH_VARARGS,
     "_require_objects(n, what, /)\n--\n\n"
     "MemoryError where `n` arrays are more than the host's memory holds."},
    {"_unsupported", py_unsupported, METH_O,
     "_unsupported(o, /)\n--\n\nThe TypeError for what is no device array."},
    {"offers_array", py_offers_array, METH_O, "offers_array(o, /)\n--\n\n"},
    {"_settings", settings, METH_NOARGS,
     "_settings()\n--\n\nThe switches of the environment that are set, by name."},
    {"_rename_type", rename_type, METH_VARARGS,
     "_rename_type(type, name, /)\n--\n\nGive a type of the core another name."},
    {"_set_namespace", py_array_set_namespace, METH_O,
     "_set_namespace(module, /)\n--\n\nMake `module` what __array_namespace__ gives."},
    {"_unpickle", py_array_unpickle, METH_VARARGS, NULL},
    {NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "cupric._core", .m_doc = "The C core of cupric.",
    .m_size = -1,          .m_methods = functions,
};

static int
fill(PyObject *m)
{
    if (py_array_ready() < 0 || PyType_Ready(&py_flags_type) < 0) return -1;
    if (PyType_Ready(&py_iterator_type) < 0) return -1;
    if (PyModule_AddObjectRef(m, "ndarray", (PyObject *)&py_array_type) < 0) return -1;
    if (PyModule_AddIntConstant(m, "MAXDIMS", CUPRIC_MAXDIMS) < 0) return -1;
    if (PyModule_AddStringConstant(m, "_HOST_ARRAY", CUPRIC_HOST_ARRAY) < 0) return -1;
    if (PyModule_AddFunctions(m, py_take_functions) < 0) return -1;
    if (PyModule_AddFunctions(m, py_join_functions) < 0) return -1;
    if (PyModule_AddFunctions(m, py_dlpack_functions) < 0) return -1;
    if (PyModule_AddFunctions(m, py_promote_functions) < 0) return -1;
    if (PyModule_AddFunctions(m, py_given_functions) < 0) return -1;
    if (PyModule_AddFunctions(m, py_field_functions) < 0) return -1;
    if (PyModule_AddFunctions(m, py_methods_doc_functions) < 0) return -1;
    if (PyModule_AddFunctions(m, py_refusal_functions) < 0) return -1;
    if (PyType_Ready(&py_wrapper_type) < 0 || py_placed_init(m) < 0) return -1;
    if (py_status_init(m) < 0) return -1;
    if (py_ufunc_init(m) < 0 || py_reduction_init(m) < 0) return -1;
    if (py_sort_init(m) < 0 || py_nonzero_init(m) < 0) return -1;
    if (py_rounding_init(m) < 0) return -1;
    if (py_counting_init(m) < 0) return -1;
    if (py_device_init(m) < 0 || py_stream_init(m) < 0) return -1;
    if (py_event_init(m) < 0 || py_graph_init(m) < 0) return -1;
    if (py_linear_init(m) < 0 || py_transform_init(m) < 0 || py_random_init(m) < 0)
        return -1;
    if (py_memory_init(m) < 0 || py_pointer_init(m) < 0) return -1;
    if (py_pinned_init(m) < 0) return -1;
    if (py_pool_init(m) < 0 || py_allocator_init(m) < 0) return -1;
    if (py_kernel_init(m) < 0 || py_library_init(m) < 0) return -1;
    return 0;
}

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC
PyInit__core(void)
{
    PyObject *m;
    import_array();
    m = PyModule_Create(&definition);
    if (m && fill(m) < 0) Py_CLEAR(m);
    return m;
}
