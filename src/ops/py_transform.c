/* ops/py_transform.c: Fourier, cosine and sine transforms, and direct convolution. */
#include <string.h>

#include "device/py_device.h"
#include "layout/py_args.h"
#include "layout/py_shape.h"
#include "ops/execute.h"
#include "ops/fourier.h"
#include "ops/py_linear.h"
#include "ops/py_ufunc.h"

/* Whether the transform of `a` that *call asks for has the given shape. */
static bool
fits_transform(const cu_array *a, const cu_fft *call, const int64_t *shape)
{
    const int last = call->naxes ? call->axes[call->naxes - 1] : -1;

    for (int d = 0; d < a->ndim; d++) {
        int64_t in = a->shape[d], out = shape[d];
        if (d == last && call->kind == CUPRIC_FFT_R2C) in = in / 2 + 1;
        if (d == last && call->kind == CUPRIC_FFT_C2R) out = out / 2 + 1;
        if (in != out) return false;
    }
    return true;
}

/* The output where that is `a` itself; -1 with an exception set. */
static int
take_in_place(const cu_array *a, const cu_fft *call, cu_dtype t, cu_array *out)
{
    if (call->kind == CUPRIC_FFT_C2C && a->dtype == t &&
        (a->flags & CUPRIC_WRITEABLE)) {
        cu_array_alias(out, a);
        return 0;
    }
    PyErr_SetString(PyExc_ValueError, "_fft(): not in place");
    return -1;
}

/* _fft(a, out_dtype, out_shape, kind, inverse, axes, n_last, scale, order, in_place): one
 * transform. `a` has the lengths that it reads already. A new array in `order`, 'C' or 'K',
 * or, `in_place`, `a`. */
static PyObject *
py_fft(PyObject *self, PyObject *args)
{
    PyObject *array, *dtype_arg, *shape_arg, *axes_arg;
    cu_array out = cu_array_none(); /* owned */
    int64_t shape[CUPRIC_MAXDIMS];
    const cu_array *a;
    cu_fft call = {0};
    cu_dtype t;
    int kind, inverse, ndim, order, in_place;
    long long n_last;
    cu_status st;
    (void)self;

    if (!PyArg_ParseTuple(args, "O!OOipOLdCp", &py_array_type, &array, &dtype_arg,
                          &shape_arg, &kind, &inverse, &axes_arg, &n_last, &call.scale,
                          &order, &in_place)) {
        return NULL;
    }
    a = py_array_get(array);
    ndim = py_shape_read(shape_arg, shape);
    if (ndim < 0 || py_dtype_convert(dtype_arg, &t) < 0 ||
        py_require_numbers(a, "a transform") < 0) {
        return NULL;
    }
    if (ndim != a->ndim) {
        PyErr_SetString(PyExc_ValueError, "_fft(): shapes differ in dimension");
        return NULL;
    }
    call.naxes = py_axes_read(axes_arg, ndim, call.axes);
    if (call.naxes < 0) return NULL;
    call.kind = (cu_fft_kind)kind;
    if (!fits_transform(a, &call, shape)) {
        PyErr_SetString(PyExc_ValueError,
                        "_fft(): the array has another shape than its transform");
        return NULL;
    }
    call.inverse = inverse;
    call.n_last = n_last;
    if (in_place) {
        if (take_in_place(a, &call, t, &out) < 0) return NULL;
    } else if (cu_fourier_output(a, t, shape, (char)order, &call, &out)) {
        return py_raise();
    }
    Py_BEGIN_ALLOW_THREADS
    st = cu_fourier(a, &out, &call);
    Py_END_ALLOW_THREADS
    if (st || in_place) cu_array_release(&out);
    if (st) return py_raise();
    return in_place ? Py_NewRef(array) : py_array_new(&out);
}

/* Whether _dct() has a transform for these arguments; -1 with an exception set. */
static int
dct_check(const cu_array *a, const cu_dct *call)
{
    const bool floating = a->dtype == CUPRIC_FLOAT32 || a->dtype == CUPRIC_FLOAT64 ||
                          a->dtype == CUPRIC_COMPLEX64 || a->dtype == CUPRIC_COMPLEX128;
    const int shortest = call->type == 1 && !call->sine ? 2 : 1;

    if (floating && call->type >= 1 && call->type <= 4 && call->axis >= 0 &&
        call->axis < a->ndim && a->shape[call->axis] >= shortest &&
        cu_array_device(a)->backend->dct) {
        return 0;
    }
    PyErr_SetString(PyExc_ValueError, "_dct(): no such transform");
    return -1;
}

/* _dct(a, type, sine, axis, scale, orthogonal, in_place): one cu_dct call, whose result is a
 * new array or, `in_place`, `a`. */
static PyObject *
py_dct(PyObject *self, PyObject *args)
{
    PyObject *array;
    cu_array out = {0}; /* owned */
    cu_dct call = {0};
    const cu_array *a;
    int sine, orthogonal, in_place;
    cu_status st;
    (void)self;

    if (!PyArg_ParseTuple(args, "O!ipidpp", &py_array_type, &array, &call.type, &sine,
                          &call.axis, &call.scale, &orthogonal, &in_place)) {
        return NULL;
    }
    call.sine = sine;
    call.orthogonal = orthogonal;
    a = py_array_get(array);
    if (dct_check(a, &call) < 0) return NULL;
    if (in_place) {
        cu_array_alias(&out, a);
    } else if (cu_array_init(&out, cu_array_device(a), a->dtype, a->ndim, a->shape,
                             'C')) {
        return py_raise();
    }
    if (out.size) {
        cu_device *const device = cu_array_device(a);
        cu_array_view_of(a, CUPRIC_READ, &call.in);
        cu_array_view_of(&out, CUPRIC_WRITE, &call.out);
        Py_BEGIN_ALLOW_THREADS
        st = device->backend->dct(&call, cu_stream_current(device));
        Py_END_ALLOW_THREADS
        if (st) {
            cu_array_release(&out);
            return py_raise();
        }
    }
    return py_array_new(&out);
}

/* _fft_cache(device, max_plans=None, max_bytes=None): (plans, bytes, max_plans, max_bytes) of
 * a device, its limits set before where they are given. */
static PyObject *
py_fft_cache(PyObject *self, PyObject *args)
{
    PyObject *device_arg, *given[2] = {Py_None, Py_None};
    cu_fft_cache limits = {0}, out = {0};
    cu_device *d;
    cu_status st;
    (void)self;

    if (!PyArg_ParseTuple(args, "O|OO", &device_arg, &given[0], &given[1]) ||
        !py_device_convert(device_arg, &d)) {
        return NULL;
    }
    st = d->backend->fft_cache(d->ordinal, NULL, &limits);
    for (int i = 0; i < 2 && !st; i++) {
        int64_t *limit = i ? &limits.max_bytes : &limits.max_plans;
        if (given[i] == Py_None) continue;
        *limit = PyLong_AsLongLong(given[i]);
        if (PyErr_Occurred()) return NULL;
    }
    if (!st) {
        const bool set = given[0] != Py_None || given[1] != Py_None;
        st = d->backend->fft_cache(d->ordinal, set ? &limits : NULL, &out);
    }
    if (st) return py_raise();
    return Py_BuildValue("LLLL", (long long)out.plans, (long long)out.bytes,
                         (long long)out.max_plans, (long long)out.max_bytes);
}

/* `a` in C order: its own memory where that is dense, else a copy. */
static cu_status
dense(const cu_array *a, cu_array *out)
{
    if (!cu_array_is_contiguous(a)) return cu_array_cast(a, a->dtype, 'C', out);
    cu_array_alias(out, a);
    return CUPRIC_OK;
}

/* _convolve(in, kernel, shape, start, boundary, fill, correlate): one cu_convolve call,
 * see device/backend.h. The arrays have one dtype and ndim. */
static PyObject *
py_convolve(PyObject *self, PyObject *args)
{
    PyObject *in, *kernel, *shape_arg, *start_arg, *fill_arg;
    cu_array image = cu_array_none(), weights = cu_array_none(),
             out = cu_array_none(); /* owned */
    int64_t shape[CUPRIC_MAXDIMS];
    cu_convolve call = {0};
    const cu_array *both[2];
    cu_device *device;
    py_scalar fill;
    int boundary, correlate, ndim;
    PyObject *r = NULL;
    cu_status st;
    (void)self;

    if (!PyArg_ParseTuple(args, "O!O!OOiOp", &py_array_type, &in, &py_array_type,
                          &kernel, &shape_arg, &start_arg, &boundary, &fill_arg,
                          &correlate)) {
        return NULL;
    }
    both[0] = py_array_get(in);
    both[1] = py_array_get(kernel);
    ndim = py_shape_read(shape_arg, shape);
    if (ndim < 0 || py_require_numbers(both[0], "a convolution") < 0) {
        return NULL;
    }
    if (both[0]->ndim != ndim || both[1]->ndim != ndim ||
        both[0]->dtype != both[1]->dtype ||
        py_shape_read(start_arg, call.start) != ndim) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_ValueError, "_convolve(): operands do not match");
        }
        return NULL;
    }
    if (py_scalar_read(fill_arg, &fill) <= 0 ||
        py_scalar_store(&fill, both[0]->dtype, &call.fill) < 0) {
        if (!PyErr_Occurred()) py_raise_unsupported(fill_arg);
        return NULL;
    }
    call.boundary = (cu_boundary)boundary;
    call.correlate = correlate;
    device = cu_array_device(both[0]);
    if (cu_common_device(2, both, &device)) return py_raise();

    Py_BEGIN_ALLOW_THREADS
    st = dense(both[0], &image);
    if (!st) st = dense(both[1], &weights);
    if (!st) st = cu_array_init(&out, device, image.dtype, ndim, shape, 'C');
    if (!st && out.size) {
        cu_array_view_of(&image, CUPRIC_READ, &call.in);
        cu_array_view_of(&weights, CUPRIC_READ, &call.kernel);
        cu_array_view_of(&out, CUPRIC_WRITE, &call.out);
        st = device->backend->convolve(&call, cu_stream_current(device));
    }
    Py_END_ALLOW_THREADS
    if (st) {
        py_raise();
    } else {
        r = py_array_new(&out);
    }
    cu_array_release(&image);
    cu_array_release(&weights);
    cu_array_release(&out);
    return r;
}

static PyMethodDef functions[] = {
    {"_fft", py_fft, METH_VARARGS, NULL},
    {"_dct", py_dct, METH_VARARGS, NULL},
    {"_fft_cache", py_fft_cache, METH_VARARGS, NULL},
    {"_convolve", py_convolve, METH_VARARGS, NULL},
    {NULL},
};

int
py_transform_init(PyObject *module)
{
    static const struct {
        const char *name;
        int value;
    } constants[] = {
        {"_C2C", CUPRIC_FFT_C2C},        {"_R2C", CUPRIC_FFT_R2C},
        {"_C2R", CUPRIC_FFT_C2R},        {"_FILL", CUPRIC_BOUNDARY_FILL},
        {"_WRAP", CUPRIC_BOUNDARY_WRAP}, {"_SYMM", CUPRIC_BOUNDARY_SYMM},
        {"_NONE", CUPRIC_BOUNDARY_NONE},
    };
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        if (PyModule_AddIntConstant(module, constants[i].name, constants[i].value) <
            0) {
            return -1;
        }
    }
    return PyModule_AddFunctions(module, functions);
}
