/* kernel/py_library.c: what kernel libraries (python/cupric/_lib) need of the core. */
#include <Python.h>

#include "kernel/py_kernel.h"
#include "kernel/py_raw_doc.h"

/* overlap(a, b): whether a kernel that writes one may change the other */
static PyObject *
overlap(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    if (nargs != 2 || !py_array_check(args[0]) || !py_array_check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "_overlap takes two arrays");
        return NULL;
    }
    return PyBool_FromLong(
        cu_arrays_overlap(py_array_get(args[0]), py_array_get(args[1])));
}

/* ---- what comes compiled ------------------------------------------------------------------------ */

/* The source, options and names of a compilation; unit is "" for none. */
typedef struct request {
    py_strings options, names;
    cu_compile args;
} request;

static int
read_request(PyObject *args, request *out)
{
    PyObject *options, *names;
    const char *source, *unit = NULL;

    if (!PyArg_ParseTuple(args, "sOO|s", &source, &options, &names, &unit)) return -1;
    if (py_strings_read(options, "an option", &out->options) < 0) return -1;
    if (py_strings_read(names, "a name", &out->names) < 0) {
        py_strings_release(&out->options);
        return -1;
    }
    out->args = (cu_compile){source,
                             unit ? unit : "kernel.cu",
                             out->options.at,
                             out->options.n,
                             out->names.at,
                             out->names.n,
                             unit};
    return 0;
}

static void
request_release(request *r)
{
    py_strings_release(&r->options);
    py_strings_release(&r->names);
}

static PyObject *
kernel_key(PyObject *self, PyObject *args)
{
    request r;
    uint64_t key[2];

    (void)self;
    if (read_request(args, &r) < 0) return NULL;
    cu_cache_shipped_key(&r.args, key);
    request_release(&r);
    return Py_BuildValue("KK", (unsigned long long)key[0], (unsigned long long)key[1]);
}

/* The host's C++ of a unit of a library. */
static PyObject *
kernel_unit(PyObject *self, PyObject *args)
{
    request r;
    cu_device *device;
    cu_blob text = {0}, log = {0}, files = {0}; /* owned */
    cu_status st;
    PyObject *result = NULL;

    (void)self;
    if (read_request(args, &r) < 0) return NULL;
    st = cu_device_find("host", 0, &device);
    if (!st) st = device->backend->compile(0, &r.args, &text, &log, &files);
    if (st) {
        py_raise();
    } else {
        result = PyUnicode_FromStringAndSize(text.data, (Py_ssize_t)text.nbytes);
    }
    free(text.data);
    free(log.data);
    free(files.data);
    request_release(&r);
    return result;
}

/* ctype(dtype): its name in device code */
static PyObject *
ctype(PyObject *self, PyObject *dtype)
{
    cu_dtype t;

    (void)self;
    if (py_dtype_convert(dtype, &t) < 0) return NULL;
    return PyUnicode_FromString(cu_dtypes[t].ctype);
}

static PyObject *
add_folder(PyObject *self, PyObject *path)
{
    PyObject *bytes;
    cu_status st;

    (void)self;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    st = cu_cache_add_folder(PyBytes_AS_STRING(bytes));
    Py_DECREF(bytes);
    if (st) return py_raise();
    Py_RETURN_NONE;
}

static PyObject *
shipped_count(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return PyLong_FromLongLong((long long)cu_cache_shipped());
}

int
py_library_init(PyObject *module)
{
    static PyMethodDef functions[] = {
        {"_view", py_view_new, METH_O, view_doc},
        {"_overlap", (PyCFunction)(void (*)(void))overlap, METH_FASTCALL,
         "_overlap(a, b)\n--\n\nWhether two arrays can share memory: by the ranges of "
         "their addresses."},
        {"_ctype", ctype, METH_O,
         "_ctype(dtype)\n--\n\nWhat a dtype is called in device code."},
        {"_kernel_key", kernel_key, METH_VARARGS,
         "_kernel_key(source, options, names)\n--\n\nWhat a kernel that comes compiled "
         "is found by: two integers."},
        {"_kernel_unit", kernel_unit, METH_VARARGS,
         "_kernel_unit(source, options, names, unit)\n--\n\nThe C++ that the host "
         "device "
         "compiles a source to, as a unit of a library."},
        {"_kernel_folder_add", add_folder, METH_O,
         "_kernel_folder_add(path)\n--\n\nLook for kernels that come compiled there "
         "too."},
        {"_shipped_kernel_count", shipped_count, METH_NOARGS,
         "_shipped_kernel_count()\n--\n\nKernels of libraries that this process took "
         "from what came compiled with a package."},
        {NULL},
    };

    if (PyType_Ready(&py_ViewType) < 0 || py_replay_init(module) < 0 ||
        py_instance_init(module) < 0)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
