/* array/py_list.c: arrays of flat lists of Python's own numbers, the commonest of lists. They
 * are read into memory once; NumPy, which reads all others, first looks at each element to
 * find a dtype and a shape. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "array/py_array.h"
#include "array/py_key.h"
#include "kernel/py_kernel.h"

#define FEW 64 /* elements on the stack */

/* What may be read as `dtype`, which becomes that of the numbers where it is none. False for
 * what is no list of numbers alone, or has a dtype that could not hold them all. */
static bool
find_dtype(PyObject *const *items, Py_ssize_t n, cu_dtype *dtype)
{
    bool floats = false;

    if (*dtype != CUPRIC_NO_DTYPE && *dtype != CUPRIC_FLOAT64 &&
        *dtype != CUPRIC_FLOAT32 && *dtype != CUPRIC_INT64) {
        return false;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (PyFloat_CheckExact(items[i])) {
            floats = true;
        } else if (!PyLong_CheckExact(items[i])) {
            return false;
        }
    }
    if (*dtype == CUPRIC_NO_DTYPE) *dtype = floats ? CUPRIC_FLOAT64 : CUPRIC_INT64;
    return !floats || *dtype != CUPRIC_INT64;
}

/* One number; false where it does not fit. */
static bool
read_number(PyObject *o, cu_dtype dtype, void *out)
{
    int64_t whole = 0;
    double x;

    if (PyLong_CheckExact(o) && !py_exact_int(o, &whole)) return false;
    if (dtype == CUPRIC_INT64) {
        *(int64_t *)out = whole;
        return true;
    }
    x = PyLong_CheckExact(o) ? (double)whole : PyFloat_AS_DOUBLE(o);
    if (dtype == CUPRIC_FLOAT64) {
        *(double *)out = x;
        return true;
    }
    *(float *)out = (float)x;
    return fabs(x) <= FLT_MAX || !isfinite(x);
}

static cu_status
upload(const void *numbers, int64_t n, cu_dtype dtype, cu_array *out)
{
    cu_status st = cu_array_init(out, cu_device_current(), dtype, 1, &n, 'C');

    if (st) return st;
    st = cu_array_set(out, numbers);
    if (!st && CUPRIC_UNLIKELY(py_is_recording())) py_record_upload(out, numbers);
    if (st) cu_array_release(out);
    return st;
}

PyObject *
py_array_from_numbers(PyObject *o, cu_dtype dtype)
{
    int64_t few[FEW];
    char *numbers = (char *)few;
    PyObject *const *items = PySequence_Fast_ITEMS(o);
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
    cu_array a = cu_array_none();
    cu_status st = CUPRIC_OK;
    bool fits = true;
    int item;

    if (n == 0 || !find_dtype(items, n, &dtype)) return NULL;
    item = cu_itemsize(dtype);
    if (n > FEW) numbers = malloc((size_t)n * (size_t)item);
    if (numbers == NULL) return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n && fits; i++) {
        fits = read_number(items[i], dtype, numbers + i * item);
    }
    if (fits) st = upload(numbers, n, dtype, &a);
    if (n > FEW) free(numbers);
    if (st) return py_raise();
    return fits ? py_array_new(&a) : NULL;
}
