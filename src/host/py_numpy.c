/* host/py_numpy.c: calls into NumPy. See host/numpy.h. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>
#include <string.h>

#include "host/entries.h"
#include "host/gufuncs.h"
#include "host/numpy.h"
#include "host/runner.h"
#include "py_gil.h"

/* What is looked up once, on the first call, and kept for ever. */
static struct {
    bool ready;
    PyObject *matmul, *vecdot;
    PyObject *linalg; /* numpy.linalg */
    PyObject *linalg_error;
    PyObject *fft; /* numpy.fft */
    /* A context in which NumPy's floating-point warnings are off: a device has none. */
    PyObject *quiet;
    PyArrayObject *kth; /* without an axis, of wrap_kth */
} np;

static const int numbers[CUPRIC_N_DTYPES] = {
    [CUPRIC_BOOL] = NPY_BOOL,
    [CUPRIC_INT8] = NPY_INT8,
    [CUPRIC_UINT8] = NPY_UINT8,
    [CUPRIC_INT16] = NPY_INT16,
    [CUPRIC_UINT16] = NPY_UINT16,
    [CUPRIC_INT32] = NPY_INT32,
    [CUPRIC_UINT32] = NPY_UINT32,
    [CUPRIC_INT64] = NPY_INT64,
    [CUPRIC_UINT64] = NPY_UINT64,
    [CUPRIC_FLOAT16] = NPY_HALF,
    [CUPRIC_BFLOAT16] = NPY_NOTYPE,
    [CUPRIC_FLOAT32] = NPY_FLOAT32,
    [CUPRIC_FLOAT64] = NPY_FLOAT64,
    [CUPRIC_COMPLEX64] = NPY_COMPLEX64,
    [CUPRIC_COMPLEX128] = NPY_COMPLEX128,
};

/* ---- entering and leaving Python --------------------------------------------------- */

typedef struct visit {
    PyGILState_STATE gil;
    PyObject *context; /* owned, entered */
} visit;

/* A context with numpy.errstate(all="ignore") entered; new reference or NULL. */
static PyObject *
make_quiet_context(PyObject *numpy)
{
    PyObject *context = PyContext_New();                 /* owned */
    PyObject *errstate = NULL, *state = NULL;            /* owned */
    PyObject *none = NULL, *args = NULL, *kwargs = NULL; /* owned */

    errstate = PyObject_GetAttrString(numpy, "errstate");
    args = PyTuple_New(0);
    kwargs = Py_BuildValue("{s:s}", "all", "ignore");
    if (!context || !errstate || !args || !kwargs) goto fail;
    state = PyObject_Call(errstate, args, kwargs);
    if (!state || PyContext_Enter(context)) goto fail;
    none = PyObject_CallMethod(state, "__enter__", NULL);
    if (PyContext_Exit(context) || !none) goto fail;
    Py_DECREF(none);
    Py_DECREF(args);
    Py_DECREF(kwargs);
    Py_DECREF(errstate);
    return context; /* `state` stays, so that nothing undoes it */

fail:
    Py_XDECREF(none);
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    Py_XDECREF(errstate);
    Py_XDECREF(state);
    Py_XDECREF(context);
    return NULL;
}

/* Fill `np`; -1 with a Python exception on failure. */
static int
load(void)
{
    PyObject *numpy; /* owned */

    if (np.ready) return 0;
    if (_import_array() < 0) return -1;
    numpy = PyImport_ImportModule("numpy");
    if (numpy == NULL) return -1;
    np.matmul = PyObject_GetAttrString(numpy, "matmul");
    np.vecdot = PyObject_GetAttrString(numpy, "vecdot");
    /* The package has imported these: an import here might be what a fork comes upon,
     * and the child would wait for its end. */
    np.linalg = PyImport_ImportModule("numpy.linalg");
    np.fft = PyImport_ImportModule("numpy.fft");
    if (np.linalg) np.linalg_error = PyObject_GetAttrString(np.linalg, "LinAlgError");
    np.quiet = make_quiet_context(numpy);
    np.kth = (PyArrayObject *)PyArray_SimpleNew(0, NULL, NPY_INTP);
    np.ready =
        np.matmul && np.vecdot && np.linalg_error && np.fft && np.quiet && np.kth;
    Py_DECREF(numpy);
    return np.ready ? 0 : -1;
}

/* Take the GIL, for what never warns. -1 with an exception on failure; in both cases
 * leave() ends it. */
static int
enter_silent(visit *v)
{
    v->context = NULL;
    v->gil = py_gil_take();
    return load();
}

/* The same, and go where NumPy does not warn. */
static int
enter(visit *v)
{
    if (enter_silent(v) < 0) return -1;
    /* A context is entered by one thread at a time: each visit has a copy, in O(1). */
    v->context = PyContext_Copy(np.quiet);
    if (v->context == NULL) return -1;
    if (PyContext_Enter(v->context) < 0) Py_CLEAR(v->context);
    return v->context ? 0 : -1;
}

/* The status for the exception that is set, which is cleared; one that has no status of
 * its own, KeyboardInterrupt among them, stays for the caller where that is this thread. */
static cu_status
status_of_exception(void)
{
    const struct {
        PyObject *type;
        cu_status status;
    } known[] = {
        {np.linalg_error, CUPRIC_ERR_LINALG},
        {PyExc_MemoryError, CUPRIC_ERR_MEMORY},
        {PyExc_IndexError, CUPRIC_ERR_INDEX},
        {PyExc_ValueError, CUPRIC_ERR_VALUE},
        {PyExc_TypeError, CUPRIC_ERR_TYPE},
        {PyExc_OverflowError, CUPRIC_ERR_OVERFLOW},
        {PyExc_ImportError, CUPRIC_ERR_IMPORT},
    };
    PyObject *type, *value, *trace; /* owned */
    PyObject *text;                 /* owned */
    cu_status st = CUPRIC_ERR_PYTHON;

    PyErr_Fetch(&type, &value, &trace);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].type && PyErr_GivenExceptionMatches(type, known[i].type)) {
            st = known[i].status;
            break;
        }
    }
    if (st == CUPRIC_ERR_PYTHON) {
        if (!cu_host_on_runner()) {
            PyErr_Restore(type, value, trace);
            return st;
        }
        st = CUPRIC_ERR_RUNTIME;
    }
    text = value ? PyObject_Str(value) : NULL;
    st = cu_fail(st, "%s", text ? PyUnicode_AsUTF8(text) : "NumPy failed");
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    PyErr_Clear();
    return st;
}

static cu_status
leave(visit *v, bool ok)
{
    const cu_status st = ok ? CUPRIC_OK : status_of_exception();
    PyObject *type, *value, *trace; /* owned */

    PyErr_Fetch(&type, &value, &trace);
    if (v->context) {
        PyContext_Exit(v->context);
        Py_DECREF(v->context);
    }
    PyErr_Restore(type, value, trace);
    PyGILState_Release(v->gil);
    return st;
}

/* A NumPy array on the view's memory; new reference or NULL with an exception. */
static PyObject *
wrap(const cu_view *v)
{
    PyArray_Descr *descr;

    if (numbers[v->dtype] == NPY_NOTYPE) {
        PyErr_Format(PyExc_TypeError, "array type %s is unsupported here",
                     cu_dtypes[v->dtype].name);
        return NULL;
    }
    descr = PyArray_DescrFromType(numbers[v->dtype]);
    return PyArray_NewFromDescr(
        &PyArray_Type, descr, v->ndim, (const npy_intp *)v->shape,
        (const npy_intp *)v->strides, v->ptr, NPY_ARRAY_WRITEABLE, NULL);
}

/* `kth` as a NumPy integer, until the next one; borrowed. NumPy reads it before it lets the
 * GIL go. */
static PyArrayObject *
wrap_kth(int64_t kth)
{
    *(npy_intp *)PyArray_DATA(np.kth) = kth;
    return np.kth;
}

/* ---- sorting ----------------------------------------------------------------------- */

cu_status
cu_numpy_sort(const cu_view *data, bool stable, int64_t kth)
{
    visit v;
    PyObject *array = NULL; /* owned */
    bool ok = false;

    if (enter_silent(&v)) goto done;
    array = wrap(data);
    if (array == NULL) goto done;
    if (kth < 0) {
        ok = !PyArray_Sort((PyArrayObject *)array, -1,
                           stable ? NPY_STABLESORT : NPY_QUICKSORT);
        goto done;
    }
    ok = !PyArray_Partition((PyArrayObject *)array, wrap_kth(kth), -1, NPY_INTROSELECT);
done:
    Py_XDECREF(array);
    return leave(&v, ok);
}

cu_status
cu_numpy_argpartition(const cu_view *data, int64_t kth, int64_t *order)
{
    visit v;
    PyObject *array = NULL, *sorted = NULL; /* owned */
    bool ok = false;

    if (enter_silent(&v)) goto done;
    array = wrap(data);
    if (array == NULL) goto done;
    sorted = PyArray_ArgPartition((PyArrayObject *)array, wrap_kth(kth), -1,
                                  NPY_INTROSELECT);
    if (sorted == NULL) goto done;
    /* A fresh array in C order, or a copy of one. */
    if (!PyArray_IS_C_CONTIGUOUS((PyArrayObject *)sorted)) {
        PyObject *dense = PyArray_NewCopy((PyArrayObject *)sorted, NPY_CORDER);
        Py_SETREF(sorted, dense);
        if (sorted == NULL) goto done;
    }
    memcpy(order, PyArray_DATA((PyArrayObject *)sorted),
           (size_t)PyArray_NBYTES((PyArrayObject *)sorted));
    ok = true;
done:
    Py_XDECREF(array);
    Py_XDECREF(sorted);
    return leave(&v, ok);
}

/* ---- matrix products --------------------------------------------------------------- */

/* By a ufunc, a member of np, for what its loops do not take. */
static cu_status
multiply_arrays(PyObject *const *ufunc, const cu_view *const *operands)
{
    visit v;
    PyObject *args[3] = {NULL}; /* owned */
    PyObject *result = NULL;    /* owned */
    bool ok = false;

    if (enter(&v)) goto done;
    for (int i = 0; i < 3; i++) {
        args[i] = wrap(operands[i]);
        if (args[i] == NULL) goto done;
    }
    result = PyObject_Vectorcall(*ufunc, args, 3, NULL);
    ok = result != NULL;
done:
    for (int i = 0; i < 3; i++) Py_XDECREF(args[i]);
    Py_XDECREF(result);
    return leave(&v, ok);
}

cu_status
cu_numpy_matmul(const cu_view *a, const cu_view *b, const cu_view *c)
{
    const cu_view *const operands[3] = {a, b, c};

    return cu_gufunc_run(CU_GUFUNC_MATMUL, c->ndim - 2, operands)
               ? CUPRIC_OK
               : multiply_arrays(&np.matmul, operands);
}

cu_status
cu_numpy_vecdot(const cu_view *a, const cu_view *b, const cu_view *c)
{
    cu_view row = *a, column = *b, sum = *c;
    const cu_view *const operands[3] = {&row, &column, &sum};
    const int batch = c->ndim - 2;

    row.ndim = column.ndim = batch + 1;
    sum.ndim = batch;
    row.shape[batch] = row.shape[batch + 1];
    row.strides[batch] = row.strides[batch + 1];
    return cu_gufunc_run(CU_GUFUNC_VECDOT, batch, operands)
               ? CUPRIC_OK
               : multiply_arrays(&np.vecdot, operands);
}

/* ---- factorisations ---------------------------------------------------------------- */

/* The call of each kind; flag-dependent keyword: its name and the values for flag 0, 1, 2
 * (s: a string, b: a bool). */
static const struct {
    const char *function;
    const char *keyword;
    const char *value[3]; /* "True" and "False" stand for themselves */
    int left_out;         /* not 0: number of the result that is not wanted */
} linalg_calls[CUPRIC_N_LINALG] = {
    [CUPRIC_LINALG_SOLVE] = {.function = "solve"},
    [CUPRIC_LINALG_INV] = {.function = "inv"},
    [CUPRIC_LINALG_DET] = {.function = "det"},
    [CUPRIC_LINALG_SLOGDET] = {.function = "slogdet"},
    [CUPRIC_LINALG_CHOLESKY] = {.function = "cholesky"},
    [CUPRIC_LINALG_QR] = {"qr", "mode", {"reduced", "complete", "raw"}},
    [CUPRIC_LINALG_SVD] = {"svd", "full_matrices", {"False", "True"}},
    [CUPRIC_LINALG_SVDVALS] = {"svd", "compute_uv", {"False", "False"}},
    [CUPRIC_LINALG_EIGH] = {"eigh", "UPLO", {"L", "U"}},
    [CUPRIC_LINALG_EIGVALSH] = {"eigvalsh", "UPLO", {"L", "U"}},
    [CUPRIC_LINALG_EIG] = {.function = "eig"},
    [CUPRIC_LINALG_EIGVALS] = {.function = "eigvals"},
    [CUPRIC_LINALG_LSTSQ] = {.function = "lstsq", .keyword = "rcond", .left_out = 1},
};

/* The keyword arguments of a call: new reference, or NULL with an exception. */
static PyObject *
linalg_keywords(const cu_linalg *args)
{
    const char *keyword = linalg_calls[args->kind].keyword;
    const char *value;

    if (keyword == NULL) return PyDict_New();
    if (args->kind == CUPRIC_LINALG_LSTSQ)
        return Py_BuildValue("{s:d}", keyword, args->rcond);
    value = linalg_calls[args->kind].value[args->flag];
    if (strcmp(value, "True") == 0) return Py_BuildValue("{s:O}", keyword, Py_True);
    if (strcmp(value, "False") == 0) return Py_BuildValue("{s:O}", keyword, Py_False);
    return Py_BuildValue("{s:s}", keyword, value);
}

/* Copy the result, or each member of a tuple of results, into the output views. */
static bool
store_results(PyObject *result, const cu_linalg *args)
{
    const int left_out = linalg_calls[args->kind].left_out;

    for (int i = 0; i < args->nout; i++) {
        PyObject *out = wrap(&args->out[i]); /* owned */
        PyObject *value;                     /* owned */
        bool ok;

        value = PyTuple_Check(result)
                    ? PySequence_GetItem(result, i + (left_out && i >= left_out))
                    : Py_NewRef(result);
        ok = out && value && !PyArray_CopyObject((PyArrayObject *)out, value);
        Py_XDECREF(value);
        Py_XDECREF(out);
        if (!ok) return false;
    }
    return true;
}

cu_status
cu_numpy_linalg(const cu_linalg *args)
{
    visit v;
    PyObject *function = NULL, *positional = NULL, *keywords = NULL; /* owned */
    PyObject *result = NULL;                                         /* owned */
    const char *name = linalg_calls[args->kind].function;
    bool ok = false;

    if (name == NULL) {
        return cu_fail(CUPRIC_ERR_UNSUPPORTED, "no such factorisation: %d", args->kind);
    }
    if (enter(&v)) goto done;
    function = PyObject_GetAttrString(np.linalg, name);
    positional = PyTuple_New(args->nin);
    keywords = linalg_keywords(args);
    if (!function || !positional || !keywords) goto done;
    for (int i = 0; i < args->nin; i++) {
        PyObject *in = wrap(&args->in[i]);
        if (in == NULL) goto done;
        PyTuple_SET_ITEM(positional, i, in);
    }
    result = PyObject_Call(function, positional, keywords);
    ok = result && store_results(result, args);
done:
    Py_XDECREF(function);
    Py_XDECREF(positional);
    Py_XDECREF(keywords);
    Py_XDECREF(result);
    return leave(&v, ok);
}

/* ---- Fourier transforms -------------------------------------------------------------- */

/* NumPy's plans are its own: the limits are kept for who asks. One lock, the GIL. */
cu_status
cu_host_fft_cache(int ordinal, const cu_fft_cache *limits, cu_fft_cache *out)
{
    static cu_fft_cache kept = {0, 0, 32, -1};

    (void)ordinal;
    if (limits) {
        kept.max_plans = limits->max_plans;
        kept.max_bytes = limits->max_bytes;
    }
    *out = kept;
    return CUPRIC_OK;
}

/* NumPy's `norm` for a scale, or NULL where the result of the unscaled transform is to
 * be multiplied by it. `n` is the number of points. */
static const char *
fft_norm(const cu_fft *args, double n)
{
    if (args->scale == 1) return args->inverse ? "forward" : "backward";
    if (args->scale == 1 / n) return args->inverse ? "backward" : "forward";
    return NULL;
}

/* Over one axis NumPy's function does less than that over several. */
static const char *
fft_function(const cu_fft *args)
{
    if (args->naxes == 1) {
        switch (args->kind) {
        case CUPRIC_FFT_R2C: return "rfft";
        case CUPRIC_FFT_C2R: return "irfft";
        default: return args->inverse ? "ifft" : "fft";
        }
    }
    switch (args->kind) {
    case CUPRIC_FFT_R2C: return "rfftn";
    case CUPRIC_FFT_C2R: return "irfftn";
    default: return args->inverse ? "ifftn" : "fftn";
    }
}

/* Multiply an array in place by a real number. */
static bool
scale_array(PyObject *array, double scale)
{
    PyObject *factor = PyFloat_FromDouble(scale); /* owned */
    PyObject *same = factor ? PyNumber_InPlaceMultiply(array, factor) : NULL;

    Py_XDECREF(factor);
    Py_XDECREF(same);
    return same != NULL;
}

/* The length along axis number i of those transformed, of the real side. */
static int64_t
fft_length(const cu_fft *args, int i)
{
    if (args->kind != CUPRIC_FFT_C2C && i == args->naxes - 1) return args->n_last;
    return args->out.shape[args->axes[i]];
}

/* An int or, where there are several axes, a tuple of what `of` gives for each. New
 * reference or NULL. */
static PyObject *
of_axes(const cu_fft *args, int64_t (*of)(const cu_fft *args, int i))
{
    PyObject *all;

    if (args->naxes == 1) return PyLong_FromLongLong(of(args, 0));
    all = PyTuple_New(args->naxes);
    for (int i = 0; all && i < args->naxes; i++) {
        PyObject *item = PyLong_FromLongLong(of(args, i));
        if (item == NULL) Py_CLEAR(all);
        if (all) PyTuple_SET_ITEM(all, i, item);
    }
    return all;
}

static int64_t
fft_axis(const cu_fft *args, int i)
{
    return args->axes[i];
}

cu_status
cu_numpy_fft(const cu_fft *args)
{
    visit v;
    PyObject *call[5] = {NULL}; /* owned: in, lengths, axes, norm, out */
    PyObject *function = NULL;  /* owned */
    PyObject *result = NULL;    /* owned */
    const char *norm;
    double points = 1;
    bool ok = false;

    for (int i = 0; i < args->naxes; i++) points *= (double)fft_length(args, i);
    norm = fft_norm(args, points);
    if (enter(&v)) goto done;
    call[0] = wrap(&args->in);
    call[1] = of_axes(args, fft_length);
    call[2] = of_axes(args, fft_axis);
    call[3] = PyUnicode_InternFromString(norm            ? norm
                                         : args->inverse ? "forward"
                                                         : "backward");
    call[4] = wrap(&args->out);
    function = PyObject_GetAttrString(np.fft, fft_function(args));
    if (!call[0] || !call[1] || !call[2] || !call[3] || !call[4] || !function)
        goto done;
    result = PyObject_Vectorcall(function, call, 5, NULL);
    ok = result && (norm || scale_array(call[4], args->scale));
done:
    for (int i = 0; i < 5; i++) Py_XDECREF(call[i]);
    Py_XDECREF(function);
    Py_XDECREF(result);
    return leave(&v, ok);
}
