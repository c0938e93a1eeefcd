/* ops/py_random.c: arrays of random numbers from one place of a Philox stream. */
#include "layout/py_args.h"
#include "layout/py_shape.h"
#include "ops/execute.h"
#include "ops/py_linear.h"
#include "ops/py_ufunc.h"

static int
read_word(PyObject *o, uint64_t *out)
{
    if (o == NULL) return 0;
    *out = PyLong_AsUnsignedLongLongMask(o);
    return *out == (uint64_t)-1 && PyErr_Occurred() ? -1 : 0;
}

static int
read_double(PyObject *o, double *out)
{
    if (o == NULL) return 0;
    *out = PyFloat_AsDouble(o);
    return *out == -1.0 && PyErr_Occurred() ? -1 : 0;
}

/* _random(kind, shape, dtype, key, counter, p0, p1, lo, hi, out): element j of the new
 * array (or of `out`, which is C-contiguous) is the j-th draw at (key, counter); see
 * cu_random. shape None is 0-d. */
/* Bits and integers are integers, the others real floating numbers. */
static cu_status
check_dtype(const cu_random *call)
{
    const char kind = cu_dtypes[call->dtype].kind;
    const bool integral = kind != 'f' && kind != 'c';
    const bool wanted =
        call->kind == CUPRIC_RANDOM_BITS || call->kind == CUPRIC_RANDOM_INTEGERS;

    if (kind != 'c' && integral == wanted) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_TYPE, "random numbers of this kind cannot be %s",
                   cu_dtypes[call->dtype].name);
}

static PyObject *
py_random(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"kind",    "shape", "dtype", "key",
                                        "counter", "p0",    "p1",    "lo",
                                        "hi",      "out",   NULL};
    PyObject *v[10];
    int64_t shape[CUPRIC_MAXDIMS];
    cu_random call = {0};
    cu_array a = cu_array_none(); /* owned */
    cu_device *device = cu_device_current();
    long kind;
    int ndim = 0;
    cu_status st;
    (void)self;

    if (py_args_parse("_random", args, nargs, kwnames, names, 10, 5, v) < 0)
        return NULL;
    kind = PyLong_AsLong(v[0]);
    if (kind == -1 && PyErr_Occurred()) return NULL;
    if (kind < 0 || kind >= CUPRIC_N_RANDOM) {
        PyErr_SetString(PyExc_ValueError, "_random(): no such kind");
        return NULL;
    }
    call.kind = (cu_random_kind)kind;
    if (py_dtype_convert(v[2], &call.dtype) < 0 || read_word(v[3], &call.key) < 0 ||
        read_word(v[4], &call.counter) < 0 || read_double(v[5], &call.param[0]) < 0 ||
        read_double(v[6], &call.param[1]) < 0 || read_word(v[7], &call.lo) < 0 ||
        read_word(v[8], &call.hi) < 0) {
        return NULL;
    }
    if (!py_is_absent(v[9])) {
        const cu_array *given = py_array_check(v[9]) ? py_array_get(v[9]) : NULL;
        if (given == NULL || given->dtype != call.dtype ||
            !cu_array_is_contiguous(given) || !(given->flags & CUPRIC_WRITEABLE)) {
            PyErr_SetString(
                PyExc_ValueError,
                "out must be a writeable C-contiguous array of the dtype asked");
            return NULL;
        }
        cu_array_alias(&a, given);
        device = cu_array_device(&a);
    } else {
        if (v[1] != Py_None) ndim = py_shape_read(v[1], shape);
        if (ndim < 0) return NULL;
        if (cu_array_init(&a, device, call.dtype, ndim, shape, 'C')) return py_raise();
    }
    /* Bits of a bool: a number from 0 to 1. */
    if (call.dtype == CUPRIC_BOOL && call.kind == CUPRIC_RANDOM_BITS) {
        call.kind = CUPRIC_RANDOM_INTEGERS;
        call.lo = 0;
        call.hi = 1;
    }
    call.n = a.size;
    if (a.size) {
        st = check_dtype(&call);
        if (!st) call.out = cu_array_access(&a, CUPRIC_WRITE);
        Py_BEGIN_ALLOW_THREADS
        if (!st) st = device->backend->random(&call, cu_stream_current(device));
        Py_END_ALLOW_THREADS
        if (st) {
            cu_array_release(&a);
            return py_raise();
        }
    }
    if (!py_is_absent(v[9])) {
        cu_array_release(&a);
        return Py_NewRef(v[9]);
    }
    return py_array_new(&a);
}

static PyMethodDef functions[] = {
    {"_random", (PyCFunction)(void (*)(void))py_random, METH_FASTCALL | METH_KEYWORDS,
     NULL},
    {NULL},
};

int
py_random_init(PyObject *module)
{
    static const struct {
        const char *name;
        int value;
    } constants[] = {
        {"_BITS", CUPRIC_RANDOM_BITS},
        {"_UNIFORM", CUPRIC_RANDOM_UNIFORM},
        {"_NORMAL", CUPRIC_RANDOM_NORMAL},
        {"_INTEGERS", CUPRIC_RANDOM_INTEGERS},
        {"_EXPONENTIAL", CUPRIC_RANDOM_EXPONENTIAL},
    };
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        if (PyModule_AddIntConstant(module, constants[i].name, constants[i].value) <
            0) {
            return -1;
        }
    }
    return PyModule_AddFunctions(module, functions);
}
