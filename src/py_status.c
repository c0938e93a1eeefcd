/* py_status.c: from a cu_status to a Python exception.
 *
 * Classes that Python or NumPy have are theirs; NumPy's, and those defined in Python
 * code, are looked up when one is first raised.
 */
#include <Python.h>

#include "py_status.h"

#include <stdbool.h>

PyObject *py_OutOfMemoryError;
PyObject *py_CUDARuntimeError;

/* Where the class of a status is: in a variable, or else by name in a module. */
static const struct error_class {
    PyObject **type;
    const char *module, *name;
} classes[CUPRIC_N_STATUS] = {
    [CUPRIC_ERR_VALUE] = {&PyExc_ValueError, NULL, NULL},
    [CUPRIC_ERR_TYPE] = {&PyExc_TypeError, NULL, NULL},
    [CUPRIC_ERR_INDEX] = {&PyExc_IndexError, NULL, NULL},
    [CUPRIC_ERR_AXIS] = {NULL, "numpy.exceptions", "AxisError"},
    [CUPRIC_ERR_OVERFLOW] = {&PyExc_OverflowError, NULL, NULL},
    [CUPRIC_ERR_MEMORY] = {&py_OutOfMemoryError, NULL, NULL},
    [CUPRIC_ERR_LINALG] = {NULL, "numpy.linalg", "LinAlgError"},
    [CUPRIC_ERR_COMPILE] = {NULL, "cupric.cuda.compiler", "CompileException"},
    [CUPRIC_ERR_DEVICE] = {&py_CUDARuntimeError, NULL, NULL},
    [CUPRIC_ERR_RUNTIME] = {&PyExc_RuntimeError, NULL, NULL},
    [CUPRIC_ERR_IMPORT] = {&PyExc_ImportError, NULL, NULL},
    [CUPRIC_ERR_OS] = {&PyExc_OSError, NULL, NULL},
    [CUPRIC_ERR_UNSUPPORTED] = {&PyExc_NotImplementedError, NULL, NULL},
    [CUPRIC_ERR_WAITED] = {NULL, "cupric.cuda._waiting", "DeviceSynchronized"},
    [CUPRIC_ERR_PYTHON] = {&PyExc_SystemError, NULL, NULL},
};

/* What the driver answers of modules and launches, whose messages begin with its names. */
static const struct error_class driver_class = {NULL, "cupric.cuda.driver",
                                                "CUDADriverError"};

static const struct error_class *
find_class(cu_status st, const char *message)
{
    static const char prefix[] = "CUDA_ERROR_";
    const bool is_drivers = strncmp(message, prefix, sizeof prefix - 1) == 0;

    return st == CUPRIC_ERR_DEVICE && is_drivers ? &driver_class : &classes[st];
}

static PyObject *
class_of(cu_status st, const char *message)
{
    const struct error_class *c = find_class(st, message);
    PyObject *module, *type;

    if (c->type) return Py_NewRef(*c->type);
    if (!c->module) return Py_NewRef(PyExc_SystemError);
    module = PyImport_ImportModule(c->module);
    if (!module) return NULL;
    type = PyObject_GetAttrString(module, c->name);
    Py_DECREF(module);
    return type;
}

PyObject *
py_raise(void)
{
    PyObject *type = NULL;
    PyObject *text = NULL;

    if (PyErr_Occurred()) return NULL;
    text = PyUnicode_DecodeUTF8(cu_error_message(),
                                (Py_ssize_t)strlen(cu_error_message()), "replace");
    if (!text) return NULL;
    type = class_of(cu_error_status(), cu_error_message());
    if (type) PyErr_SetObject(type, text);
    Py_XDECREF(type);
    Py_DECREF(text);
    return NULL;
}

int
py_raise_int(void)
{
    py_raise();
    return -1;
}

PyObject *
py_fail(cu_status st, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    cu_vfail(st, fmt, args);
    va_end(args);
    return py_raise();
}

/* ---- the classes of our own -------------------------------------------------------- */

/* CUDA's numbers and names of what programs ask for by `status`. */
static const struct cuda_error {
    int status;
    const char *name, *text;
} cuda_errors[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {3, "cudaErrorInitializationError", "initialization error"},
    {4, "cudaErrorCudartUnloading", "driver shutting down"},
    {35, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {200, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
    {201, "cudaErrorDeviceUninitialized", "invalid device context"},
    {209, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {214, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"},
    {217, "cudaErrorPeerAccessUnsupported",
     "peer access is not supported between these two devices"},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {401, "cudaErrorIllegalState",
     "the operation cannot be performed in the present state"},
    {500, "cudaErrorSymbolNotFound", "named symbol not found"},
    {600, "cudaErrorNotReady", "device not ready"},
    {700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {705, "cudaErrorPeerAccessNotEnabled", "peer access has not been enabled"},
    {709, "cudaErrorContextIsDestroyed", "context is destroyed"},
    {710, "cudaErrorAssert", "device-side assert triggered"},
    {712, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {713, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {714, "cudaErrorHardwareStackError", "hardware stack error"},
    {715, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
    {716, "cudaErrorMisalignedAddress", "misaligned address"},
    {717, "cudaErrorInvalidAddressSpace",
     "operation not supported on global/shared address space"},
    {718, "cudaErrorInvalidPc", "invalid program counter"},
    {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {801, "cudaErrorNotSupported", "operation not supported"},
    {803, "cudaErrorSystemDriverMismatch",
     "system has unsupported display driver / cuda driver combination"},
    {900, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {901, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {902, "cudaErrorStreamCaptureMerge",
     "operation would result in a merge of separate capture sequences"},
    {903, "cudaErrorStreamCaptureUnmatched",
     "capture was not ended in the same stream as it began"},
    {904, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    {905, "cudaErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {906, "cudaErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {907, "cudaErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {908, "cudaErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
    {999, "cudaErrorUnknown", "unknown error"},
};

/* The driver's names, which messages of modules and launches begin with. */
static const struct driver_error {
    int status;
    const char *name;
} driver_errors[] = {
    {1, "CUDA_ERROR_INVALID_VALUE"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY"},
    {200, "CUDA_ERROR_INVALID_IMAGE"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    {400, "CUDA_ERROR_INVALID_HANDLE"},
    {500, "CUDA_ERROR_NOT_FOUND"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    {702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
    {710, "CUDA_ERROR_ASSERT"},
    {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
    {719, "CUDA_ERROR_LAUNCH_FAILED"},
};

#define N_DRIVER_ERRORS (sizeof driver_errors / sizeof driver_errors[0])
#define N_CUDA_ERRORS (sizeof cuda_errors / sizeof cuda_errors[0])
#define UNKNOWN (&cuda_errors[N_CUDA_ERRORS - 1])

static const struct cuda_error *
error_of_number(long status)
{
    for (size_t i = 0; i < N_CUDA_ERRORS; i++) {
        if (cuda_errors[i].status == status) return &cuda_errors[i];
    }
    return UNKNOWN;
}

static bool
begins_with(const char *text, const char *name)
{
    const size_t n = strlen(name);

    return strncmp(text, name, n) == 0 && text[n] == ':';
}

/* By the name that a message begins with. */
static const struct cuda_error *
error_of_message(PyObject *message)
{
    const char *text = PyUnicode_Check(message) ? PyUnicode_AsUTF8(message) : NULL;

    if (!text) {
        PyErr_Clear();
        return UNKNOWN;
    }
    for (size_t i = 0; i < N_CUDA_ERRORS; i++) {
        if (begins_with(text, cuda_errors[i].name)) return &cuda_errors[i];
    }
    for (size_t i = 0; i < N_DRIVER_ERRORS; i++) {
        if (!begins_with(text, driver_errors[i].name)) continue;
        return error_of_number(driver_errors[i].status);
    }
    return UNKNOWN;
}

static int
base_setup(PyObject *self, PyTypeObject *base, PyObject *text /* stolen */)
{
    PyObject *args = text ? PyTuple_Pack(1, text) : NULL;
    int failed = args ? base->tp_init(self, args, NULL) : -1;

    /* BaseException's own tp_new has kept the arguments as they were given. */
    if (!failed) failed = PyObject_SetAttrString(self, "args", args);
    Py_XDECREF(text);
    Py_XDECREF(args);
    return failed;
}

/* CUDARuntimeError(status), or of a message. */
static int
runtime_error_setup(PyObject *self, PyObject *args, PyObject *kwargs)
{
    const struct cuda_error *e = UNKNOWN;
    PyObject *what, *number, *text;
    long status;
    int failed;

    if (kwargs && PyDict_GET_SIZE(kwargs)) {
        PyErr_SetString(PyExc_TypeError, "CUDARuntimeError takes no keyword arguments");
        return -1;
    }
    if (!PyArg_ParseTuple(args, "O:CUDARuntimeError", &what)) return -1;
    if (PyLong_Check(what)) {
        status = PyLong_AsLong(what);
        if (status == -1 && PyErr_Occurred()) return -1;
        e = error_of_number(status);
        text = PyUnicode_FromFormat("%s: %s", e->name, e->text);
    } else {
        e = error_of_message(what);
        status = e->status;
        text = Py_NewRef(what);
    }
    if (base_setup(self, (PyTypeObject *)PyExc_RuntimeError, text)) return -1;
    number = PyLong_FromLong(status);
    failed = number ? PyObject_SetAttrString(self, "status", number) : -1;
    Py_XDECREF(number);
    return failed;
}

/* OutOfMemoryError(size, total, limit=0), or of a message. */
static int
memory_error_setup(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"size", "total", "limit", NULL};
    PyTypeObject *base = (PyTypeObject *)PyExc_MemoryError;
    Py_ssize_t size, total, limit = 0;
    PyObject *text;

    if (PyTuple_GET_SIZE(args) == 1 && !kwargs) {
        return base_setup(self, base, Py_NewRef(PyTuple_GET_ITEM(args, 0)));
    }
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "nn|n:OutOfMemoryError", names,
                                     &size, &total, &limit)) {
        return -1;
    }
    text = PyUnicode_FromFormat(
        "Out of memory allocating %zd bytes (allocated so far: %zd "
        "bytes",
        size, total);
    if (text && limit) {
        Py_SETREF(text,
                  PyUnicode_FromFormat("%U, limit set to: %zd bytes", text, limit));
    }
    if (text) Py_SETREF(text, PyUnicode_FromFormat("%U).", text));
    return base_setup(self, base, text);
}

static PyObject *
class_new(const char *name, const char *doc, initproc setup, PyObject *base)
{
    PyType_Slot slots[] = {
        {Py_tp_doc, (void *)doc},
        {Py_tp_init, (void *)setup},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = name,
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
        .slots = slots,
    };

    return PyType_FromSpecWithBases(&spec, base);
}

int
py_status_init(PyObject *module)
{
    py_OutOfMemoryError =
        class_new("cupric.cuda.memory.OutOfMemoryError",
                  "Device memory is exhausted, or the limit set on its pool reached.",
                  memory_error_setup, PyExc_MemoryError);
    if (!py_OutOfMemoryError) return -1;
    py_CUDARuntimeError =
        class_new("cupric.cuda.runtime.CUDARuntimeError",
                  "A device, stream or event could not do what was asked.",
                  runtime_error_setup, PyExc_RuntimeError);
    if (!py_CUDARuntimeError) return -1;
    if (PyModule_AddObjectRef(module, "OutOfMemoryError", py_OutOfMemoryError))
        return -1;
    return PyModule_AddObjectRef(module, "CUDARuntimeError", py_CUDARuntimeError);
}
