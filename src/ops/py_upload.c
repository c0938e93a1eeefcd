/* ops/py_upload.c: see py_upload.h. */
#include "ops/py_upload.h"

#include "kernel/py_kernel.h"
#include "memory/capture.h"
#include "ops/execute.h"

static int
raise_dtype(PyArray_Descr *descr)
{
    PyErr_Format(PyExc_ValueError, "Unsupported dtype %S", descr);
    return -1;
}

/* Foreign byte order has a native equal, which NumPy converts to. */
static int
native_dtype(PyArrayObject *np, cu_dtype *out)
{
    PyArray_Descr *native = PyArray_DescrNewByteorder(PyArray_DESCR(np), NPY_NATIVE);
    int r;
    if (native == NULL) return -1;
    r = py_dtype_find(native, out);
    Py_DECREF(native);
    return r;
}

/* The elements, which are of `have`, as `dtype`, one beside the other in `order`; new
 * reference. */
static PyArrayObject *
dense_in_numpy(PyArrayObject *np, cu_dtype have, cu_dtype dtype, char order)
{
    const int flags = NPY_ARRAY_ALIGNED |
                      (order == 'F' ? NPY_ARRAY_F_CONTIGUOUS : NPY_ARRAY_C_CONTIGUOUS);
    PyArray_Descr *descr;

    /* In structures each field has a byte order of its own. */
    if (have == dtype && !cu_is_opaque(have) && PyArray_CHKFLAGS(np, flags) &&
        PyArray_ISNOTSWAPPED(np)) {
        return (PyArrayObject *)Py_NewRef((PyObject *)np);
    }
    descr = (PyArray_Descr *)py_dtype_new(dtype);
    if (descr == NULL) return NULL;
    return (PyArrayObject *)PyArray_FromArray(
        np, descr, flags | NPY_ARRAY_NOTSWAPPED | NPY_ARRAY_FORCECAST);
}

/* Conversion on the host where it makes fewer bytes to move. */
int
py_upload(PyArrayObject *np, cu_dtype dtype, char order, cu_device *device,
          cu_array *out)
{
    cu_dtype have, stage;
    PyArrayObject *dense; /* owned */
    int64_t shape[CUPRIC_MAXDIMS];
    cu_array a = cu_array_none(), cast = cu_array_none(), t;
    cu_status st;

    if (PyArray_NDIM(np) > CUPRIC_MAXDIMS) {
        PyErr_Format(
            PyExc_ValueError,
            "maximum supported dimension for an ndarray is currently %d, found %d",
            CUPRIC_MAXDIMS, PyArray_NDIM(np));
        return -1;
    }
    if (py_dtype_find(PyArray_DESCR(np), &have) < 0) return -1;
    if (have == CUPRIC_NO_DTYPE && dtype == CUPRIC_NO_DTYPE) {
        if (native_dtype(np, &have) < 0) return -1;
        if (have == CUPRIC_NO_DTYPE) return raise_dtype(PyArray_DESCR(np));
    }
    if (dtype == CUPRIC_NO_DTYPE) dtype = have;
    stage = have == CUPRIC_NO_DTYPE || cu_is_opaque(have) || cu_is_opaque(dtype) ||
                    cu_itemsize(dtype) < cu_itemsize(have)
                ? dtype
                : have;
    if (order == 'K' || order == 'A') {
        bool f = PyArray_IS_F_CONTIGUOUS(np) && !PyArray_IS_C_CONTIGUOUS(np);
        order = f ? 'F' : 'C';
    }
    dense = dense_in_numpy(np, have, stage, order);
    if (dense == NULL) return -1;

    for (int i = 0; i < PyArray_NDIM(dense); i++) shape[i] = PyArray_DIM(dense, i);
    st = cu_array_init(&a, device, stage, PyArray_NDIM(dense), shape, order);
    if (st) {
        Py_DECREF(dense);
        return py_raise_int();
    }
    if (order == 'F') {
        cu_array_transpose(&a, NULL, &t);
    } else {
        cu_array_alias(&t, &a);
    }
    if (py_is_long(a.size)) {
        Py_BEGIN_ALLOW_THREADS
        st = cu_array_set(&t, PyArray_DATA(dense));
        Py_END_ALLOW_THREADS
    } else {
        st = cu_array_set(&t, PyArray_DATA(dense));
    }
    if (!st && order != 'F' && CUPRIC_UNLIKELY(py_is_recording())) {
        py_record_upload(&a, PyArray_DATA(dense));
    }
    cu_array_release(&t);
    Py_DECREF(dense);
    if (!st && stage != dtype) {
        st = cu_array_cast(&a, dtype, order, &cast);
        cu_array_release(&a);
        cu_array_move(&a, &cast);
    }
    if (st) {
        cu_array_release(&a);
        return py_raise_int();
    }
    cu_array_move(out, &a);
    return 0;
}

/* ---- without a copy ------------------------------------------------------------------ */

/* Whether an operation is over once its call returns, on memory like NumPy's. What is
 * recorded or captured runs again. */
static bool
reads_host_memory(const cu_device *d)
{
    return cu_device_on_host(d) && !py_is_recording() &&
           !cu_capture_is_active_on(d->backend, d->ordinal);
}

/* Shape and strides; false where elements do not lie at multiples of their size. */
static bool
describe(PyArrayObject *np, cu_dtype dtype, cu_array *out)
{
    const int64_t item = cu_itemsize(dtype);
    uintptr_t odd = (uintptr_t)PyArray_DATA(np) % (uintptr_t)item;

    out->dtype = dtype;
    out->ndim = PyArray_NDIM(np);
    out->size = PyArray_SIZE(np);
    out->offset = 0;
    for (int i = 0; i < out->ndim; i++) {
        out->shape[i] = PyArray_DIM(np, i);
        out->strides[i] = PyArray_STRIDE(np, i);
        odd |= (uintptr_t)(out->strides[i] % item);
    }
    return odd == 0;
}

bool
py_upload_borrow(PyArrayObject *np, const cu_array *dst, cu_array *out)
{
    cu_device *device = cu_array_device(dst);
    char *data = PyArray_BYTES(np);
    cu_storage *storage = NULL; /* owned */
    cu_dtype have;
    cu_array a;
    int64_t lo, hi;

    if (!reads_host_memory(device) || dst->storage->escaped || PyArray_SIZE(np) == 0 ||
        PyArray_NDIM(np) > CUPRIC_MAXDIMS) {
        return false;
    }
    if (py_dtype_find(PyArray_DESCR(np), &have) < 0) return PyErr_Clear(), false;
    if (have != dst->dtype || !describe(np, have, &a)) return false;
    cu_array_extent(&a, &lo, &hi);
    if (cu_storage_wrap(device, data + lo, (size_t)(hi - lo), NULL, NULL, &storage)) {
        return false;
    }
    cu_array_init_view(out, storage, -lo, a.dtype, a.ndim, a.shape, a.strides);
    cu_storage_unref(storage);
    return true;
}
