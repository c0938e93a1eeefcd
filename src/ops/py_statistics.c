/* ops/py_statistics.c: sums, extremes, moments and running sums, as functions of the
 * module and as methods of arrays.
 *
 * Both have one implementation: `self` is the array of a method, or NULL and the array is
 * the first argument, which is the first parameter name.
 */
#include <string.h>

#include "layout/py_args.h"
#include "layout/py_shape.h"
#include "ops/py_reduction.h"
#include "ops/py_statistics_doc.h"
#include "ops/py_ufunc.h"

/* Match arguments: values[0] is the array, a new reference; the rest are borrowed.
 * `npositional` and `names` count the array. */
static int
parse(const char *fname, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
      PyObject *kwnames, const char *const *names, int npositional, PyObject **values)
{
    if (self) {
        if (py_args_parse(fname, args, nargs, kwnames, names + 1, npositional - 1, 0,
                          values + 1) < 0) {
            return -1;
        }
        values[0] = Py_NewRef(self);
        return 0;
    }
    if (py_args_parse(fname, args, nargs, kwnames, names, npositional, 1, values) < 0) {
        return -1;
    }
    values[0] = py_array_require(values[0]);
    return values[0] ? 0 : -1;
}

#define PARAMETERS                                                                     \
    const char *fname, PyObject *self, PyObject *const *args, Py_ssize_t nargs,        \
        PyObject *kwnames

/* The method and the function `name` by one implementation. NumPy's arrays are given to
 * their own method, but not to those that CuPy refuses (DEFINE_STRICT). */
#define NUMPY_METHOD(r, name) py_or_numpy_method(r, name, args, nargs, kwnames)
#define NUMPY_REFUSED(r, name) (r)
#define DEFINE_BOTH(name, foreign, implementation, ...)                                \
    PY_METHOD(name)                                                                    \
    {                                                                                  \
        return implementation(#name, self, args, nargs, kwnames, ##__VA_ARGS__);       \
    }                                                                                  \
    static PyObject *function_##name(PyObject *module, PyObject *const *args,          \
                                     Py_ssize_t nargs, PyObject *kwnames)              \
    {                                                                                  \
        (void)module;                                                                  \
        return foreign(                                                                \
            implementation(#name, NULL, args, nargs, kwnames, ##__VA_ARGS__), #name);  \
    }
#define DEFINE(name, ...) DEFINE_BOTH(name, NUMPY_METHOD, __VA_ARGS__)
#define DEFINE_STRICT(name, ...) DEFINE_BOTH(name, NUMPY_REFUSED, __VA_ARGS__)

/* ---- sums, products, extremes, logic ------------------------------------------------- */

static PyObject *
accumulation(PARAMETERS, int op)
{
    static const char *const names[] = {"a",        "axis",    "dtype", "out",
                                        "keepdims", "initial", "where", NULL};
    PyObject *v[7], *r;
    if (parse(fname, self, args, nargs, kwnames, names, 7, v) < 0) return NULL;
    const py_reduce_args given = {v[1], v[2], v[3], v[4], v[5], v[6]};
    r = py_reduce(op, v[0], &given);
    Py_DECREF(v[0]);
    return r;
}

static PyObject *
extreme(PARAMETERS, int op)
{
    static const char *const names[] = {"a",       "axis",  "out", "keepdims",
                                        "initial", "where", NULL};
    PyObject *v[6], *r;
    if (parse(fname, self, args, nargs, kwnames, names, 6, v) < 0) return NULL;
    const py_reduce_args given = {v[1], NULL, v[2], v[3], v[4], v[5]};
    r = py_reduce(op, v[0], &given);
    Py_DECREF(v[0]);
    return r;
}

static PyObject *
truth(PARAMETERS, int op)
{
    static const char *const names[] = {"a", "axis", "out", "keepdims", "where", NULL};
    PyObject *v[5], *r;
    if (parse(fname, self, args, nargs, kwnames, names, 4, v) < 0) return NULL;
    const py_reduce_args given = {v[1], NULL, v[2], v[3], NULL, v[4]};
    r = py_reduce(op, v[0], &given);
    Py_DECREF(v[0]);
    return r;
}

/* Whether the row of ranges takes an array. Others have errors, or an order, that are
 * those of the extremes and of their difference. */
static bool
has_range(const cu_array *a)
{
    return a->size > 0 && !cu_is_opaque(a->dtype) &&
           strchr("iuf", cu_dtypes[a->dtype].kind) != NULL;
}

static PyObject *
range(PARAMETERS)
{
    static const char *const names[] = {"a", "axis", "out", "keepdims", NULL};
    PyObject *v[4], *high, *low = NULL, *r = NULL, *out;
    cu_array *unused;
    if (parse(fname, self, args, nargs, kwnames, names, 4, v) < 0) return NULL;
    const py_reduce_args given = {.axis = v[1], .keepdims = v[3]};
    if (py_is_absent(v[2]) && has_range(py_array_get(v[0]))) {
        r = py_reduce_row(CUPRIC_REDUCE_ptp, v[0], NULL, 0, &given);
        Py_DECREF(v[0]);
        return r;
    }
    high = py_reduce(CUPRIC_OP_maximum, v[0], &given);
    if (high) low = py_reduce(CUPRIC_OP_minimum, v[0], &given);
    if (low && py_output_unpack(v[2], &out) == 0) {
        const cu_array *h = py_array_get(high);
        if (!out || py_output_require(out, fname, h->ndim, h->shape, &unused) == 0) {
            r = py_ufunc_call2(CUPRIC_OP_subtract, high, low, out ? out : high);
        }
    }
    Py_XDECREF(high);
    Py_XDECREF(low);
    Py_DECREF(v[0]);
    return r;
}

DEFINE(sum, accumulation, CUPRIC_OP_add)
DEFINE(prod, accumulation, CUPRIC_OP_multiply)
DEFINE(max, extreme, CUPRIC_OP_maximum)
DEFINE(min, extreme, CUPRIC_OP_minimum)
DEFINE_STRICT(any, truth, CUPRIC_OP_logical_or)
DEFINE_STRICT(all, truth, CUPRIC_OP_logical_and)
DEFINE_STRICT(ptp, range)

/* ---- rows of reduce.def -------------------------------------------------------------- */

static PyObject *
counting(PARAMETERS, int row)
{
    static const char *const names[] = {"a", "axis", "keepdims", NULL};
    PyObject *v[3], *r;
    if (parse(fname, self, args, nargs, kwnames, names, 2, v) < 0) return NULL;
    const py_reduce_args given = {.axis = v[1], .keepdims = v[2]};
    r = py_reduce_row(row, v[0], NULL, 0, &given);
    Py_DECREF(v[0]);
    return r;
}

static bool
is_inexact(cu_dtype t)
{
    return strchr("fc", cu_dtypes[t].kind) != NULL;
}

/* Whether a cast from one to the other leaves a part out that may be NaN. */
static bool
holds_less(cu_dtype to, cu_dtype from)
{
    return !is_inexact(to) ||
           (cu_dtypes[from].kind == 'c' && cu_dtypes[to].kind == 'f');
}

/* A sum of floats as integers, or of complex numbers as floats, where a NaN has to go
 * before the cast: rare. */
static PyObject *
nan_accumulation_in_less(const char *fname, PyObject *const *v)
{
    PyObject *m = PyImport_ImportModule("cupric._statistics._nan"), *r; /* owned */
    PyObject *args[7];

    if (m == NULL) return NULL;
    for (int i = 0; i < 7; i++) args[i] = v[i] ? v[i] : Py_None;
    r = PyObject_CallMethod(m, "in_less", "sOOOOOOO", fname, args[0], args[1], args[2],
                            args[3], args[4], args[5], args[6]);
    Py_DECREF(m);
    return r;
}

static PyObject *
nan_accumulation(PARAMETERS, int row)
{
    static const char *const names[] = {"a",        "axis",    "dtype", "out",
                                        "keepdims", "initial", "where", NULL};
    PyObject *v[7], *r = NULL;
    cu_dtype dtype = CUPRIC_NO_DTYPE, in;

    if (parse(fname, self, args, nargs, kwnames, names, 7, v) < 0) return NULL;
    const py_reduce_args given = {v[1], v[2], v[3], v[4], v[5], v[6]};
    in = py_array_get(v[0])->dtype;
    if (!py_is_absent(v[2]) && py_dtype_convert(v[2], &dtype) < 0) goto done;
    if (dtype != CUPRIC_NO_DTYPE && is_inexact(in) && holds_less(dtype, in)) {
        r = nan_accumulation_in_less(fname, v);
    } else {
        r = py_reduce_row(row, v[0], NULL, 0, &given);
    }

done:
    Py_DECREF(v[0]);
    return r;
}

static int
check_position(const char *fname, const cu_array *a, PyObject *axis, PyObject *out)
{
    int64_t length = a->size;
    int along;

    if (!py_is_absent(axis)) {
        if (!PyIndex_Check(axis)) {
            PyErr_Format(PyExc_TypeError,
                         "'%.100s' object cannot be interpreted as an integer",
                         Py_TYPE(axis)->tp_name);
            return -1;
        }
        if (a->ndim) {
            if (py_axis_read(axis, a->ndim, &along) < 0) return -1;
            length = a->shape[along];
        }
    }
    if (length == 0) {
        PyErr_Format(PyExc_ValueError, "attempt to get %s of an empty sequence", fname);
        return -1;
    }
    if (out && py_array_check(out)) {
        cu_dtype t = py_array_get(out)->dtype;
        if (cu_dtypes[t].kind != 'i' && cu_dtypes[t].kind != 'u') {
            PyErr_Format(PyExc_TypeError,
                         "Cannot cast array data from dtype('%s') to dtype('int64') "
                         "according to the rule 'safe'",
                         cu_dtypes[t].name);
            return -1;
        }
    }
    return 0;
}

static PyObject *
position(PARAMETERS, int row)
{
    static const char *const function[] = {"a",   "axis",     "dtype",
                                           "out", "keepdims", NULL};
    static const char *const method[] = {"a", "axis", "out", "dtype", "keepdims", NULL};
    PyObject *v[5], *r = NULL, *dtype, *out;

    if (parse(fname, self, args, nargs, kwnames, self ? method : function, 5, v) < 0) {
        return NULL;
    }
    dtype = self ? v[3] : v[2];
    out = self ? v[2] : v[3];
    if (out == NULL && dtype &&
        py_array_check(dtype)) { /* NumPy's order of arguments */
        out = dtype;
        dtype = NULL;
    }
    const py_reduce_args given = {
        .axis = v[1], .dtype = dtype, .out = out, .keepdims = v[4]};
    if (py_output_unpack(out, &out) < 0 ||
        check_position(fname, py_array_get(v[0]), v[1], out) < 0) {
        goto done;
    }
    r = py_reduce_row(row, v[0], NULL, 0, &given);

done:
    Py_DECREF(v[0]);
    return r;
}

#define DEFINE_FUNCTION(name, implementation, row)                                     \
    static PyObject *function_##name(PyObject *module, PyObject *const *args,          \
                                     Py_ssize_t nargs, PyObject *kwnames)              \
    {                                                                                  \
        (void)module;                                                                  \
        return implementation(#name, NULL, args, nargs, kwnames, row);                 \
    }

DEFINE(argmax, position, CUPRIC_REDUCE_argmax)
DEFINE(argmin, position, CUPRIC_REDUCE_argmin)
DEFINE_FUNCTION(count_nonzero, counting, CUPRIC_REDUCE_count_nonzero)
DEFINE_FUNCTION(nanargmax, position, CUPRIC_REDUCE_nanargmax)
DEFINE_FUNCTION(nanargmin, position, CUPRIC_REDUCE_nanargmin)
DEFINE_FUNCTION(nansum, nan_accumulation, CUPRIC_REDUCE_nansum)
DEFINE_FUNCTION(nanprod, nan_accumulation, CUPRIC_REDUCE_nanprod)

/* ---- mean, var, std ------------------------------------------------------------------ */

#define MOMENTS "a mean or a variance" /* what dtypes of other things are told */

/* Where a shape may have too few elements for `ddof` to be taken off: check the axes,
 * which exist (also in 0-d arrays), and warn as NumPy does. 0, or -1 with an exception. */
static int __attribute__((noinline))
check_count(const cu_array *a, const py_reduce_args *given, double ddof,
            const char *warning)
{
    int axes[CUPRIC_MAXDIMS], n;
    double count = 1;

    n = py_axes_read(py_is_absent(given->axis) ? NULL : given->axis, a->ndim, axes);
    if (n < 0) return -1;
    for (int i = 0; i < n; i++) count *= (double)a->shape[axes[i]];
    if (count > ddof || given->where) return 0;
    return PyErr_WarnEx(PyExc_RuntimeWarning, warning, 1);
}

static inline bool
may_lack(const cu_array *a, double ddof)
{
    return a->size == 0 || a->ndim == 0 || ddof > 0;
}

static PyObject *
average(PARAMETERS)
{
    static const char *const names[] = {"a",        "axis",  "dtype", "out",
                                        "keepdims", "where", NULL};
    PyObject *v[6], *r = NULL;
    if (parse(fname, self, args, nargs, kwnames, names, 5, v) < 0) return NULL;
    const py_reduce_args given = {v[1], v[2], v[3], v[4], NULL, v[5]};
    const cu_array *a = py_array_get(v[0]);
    if (py_require_numbers(a, MOMENTS) < 0) goto done;
    if (CUPRIC_UNLIKELY(may_lack(a, 0)) &&
        check_count(a, &given, 0, "Mean of empty slice") < 0) {
        goto done;
    }
    r = py_reduce_row(CUPRIC_REDUCE_mean, v[0], NULL, 0, &given);

done:
    Py_DECREF(v[0]);
    return r;
}

static int
read_freedom(PyObject *ddof, PyObject *correction, double *out)
{
    *out = 0.0;
    if (correction) {
        if (ddof && !(PyLong_Check(ddof) && PyLong_AsLong(ddof) == 0)) {
            PyErr_SetString(PyExc_ValueError,
                            "ddof and correction can't be provided simultaneously.");
            return -1;
        }
        ddof = correction;
    }
    if (py_is_absent(ddof)) return 0;
    *out = PyFloat_AsDouble(ddof);
    return *out == -1.0 && PyErr_Occurred() ? -1 : 0;
}

/* `mean=` as the caller gave it. New reference. */
static PyObject *
spread_mean(const cu_array *in, PyObject *mean)
{
    const cu_array *m;
    int64_t shape[CUPRIC_MAXDIMS];
    int ndim = in->ndim;

    mean = py_array_require_on(mean, cu_array_device(in));
    if (mean == NULL) return NULL;
    m = py_array_get(mean);
    for (int i = 0; i < ndim; i++) shape[i] = in->shape[i];
    if (!cu_shape_broadcast(&ndim, shape, m->ndim, m->shape) || ndim != in->ndim ||
        !PyArray_CompareLists((const npy_intp *)shape, (const npy_intp *)in->shape,
                              ndim)) {
        char have[CUPRIC_SHAPE_TEXT], need[CUPRIC_SHAPE_TEXT];
        PyErr_Format(PyExc_ValueError,
                     "operands could not be broadcast together with shapes %s %s",
                     cu_shape_text(in->ndim, in->shape, need, sizeof need),
                     cu_shape_text(m->ndim, m->shape, have, sizeof have));
        Py_DECREF(mean);
        return NULL;
    }
    return mean;
}

/* A root is not put into whole numbers. 0, or -1 with TypeError. */
static int
check_root(PyObject *out)
{
    cu_dtype t;

    if (py_output_unpack(out, &out) < 0) return -1;
    if (!out || !py_array_check(out)) return 0;
    t = py_array_get(out)->dtype;
    if (strchr("biu", cu_dtypes[t].kind) == NULL) return 0;
    PyErr_Format(PyExc_TypeError,
                 "Cannot cast the output of std to dtype('%s') according to the rule "
                 "'same_kind'",
                 cu_dtypes[t].name);
    return -1;
}

/* Whether a real result is asked for of complex elements. */
static bool
asks_for_less(const cu_array *a, PyObject *dtype)
{
    cu_dtype t;

    if (cu_dtypes[a->dtype].kind != 'c' || py_is_absent(dtype)) return false;
    if (py_dtype_convert(dtype, &t) == 0) return cu_dtypes[t].kind != 'c';
    PyErr_Clear(); /* which is raised again where the dtype is read */
    return false;
}

/* The spread of complex elements in a real dtype: as in NumPy, their mean is made in it, and
 * loses its imaginary part, but the deviations from it are complex. `mean`: NULL, or as the
 * caller gave it. */
static PyObject *
spread_in_real(PyObject *array, int row_about, PyObject *mean, double ddof,
               const py_reduce_args *given)
{
    const py_reduce_args means = {.axis = given->axis,
                                  .dtype = given->dtype,
                                  .keepdims = Py_True,
                                  .where = given->where};
    py_reduce_args squares = *given;
    PyObject *r = NULL, *converted;

    squares.dtype = NULL;
    mean = mean ? Py_NewRef(mean)
                : py_reduce_row(CUPRIC_REDUCE_mean, array, NULL, 0, &means);
    if (mean) r = py_reduce_row(row_about, array, py_array_get(mean), ddof, &squares);
    Py_XDECREF(mean);
    if (r == NULL || !py_is_absent(given->out)) return r;
    converted = PyObject_CallMethod(r, "astype", "OOOOO", given->dtype, Py_None,
                                    Py_None, Py_True, Py_False);
    Py_DECREF(r);
    return converted;
}

static PyObject *
spread(PARAMETERS, int row, int row_about, bool is_root)
{
    static const char *const names[] = {"a",          "axis",     "dtype", "out",
                                        "ddof",       "keepdims", "where", "mean",
                                        "correction", NULL};
    PyObject *v[9], *mean = NULL, *r = NULL; /* mean: owned */
    const cu_array *a;
    double ddof;

    if (parse(fname, self, args, nargs, kwnames, names, 6, v) < 0) return NULL;
    const py_reduce_args given = {v[1], v[2], v[3], v[5], NULL, v[6]};
    a = py_array_get(v[0]);
    if (py_require_numbers(a, MOMENTS) < 0) goto done;
    if (read_freedom(v[4], v[8], &ddof) < 0) goto done;
    if (may_lack(a, ddof) &&
        check_count(a, &given, ddof, "Degrees of freedom <= 0 for slice") < 0) {
        goto done;
    }
    if (is_root && v[3] && check_root(v[3]) < 0) goto done;
    if (v[7]) {
        mean = spread_mean(a, v[7]);
        if (mean == NULL) goto done;
    }
    if (CUPRIC_UNLIKELY(asks_for_less(a, v[2]))) {
        r = spread_in_real(v[0], row_about, mean, ddof, &given);
    } else if (mean) {
        r = py_reduce_row(row_about, v[0], py_array_get(mean), ddof, &given);
    } else {
        r = py_reduce_row(row, v[0], NULL, ddof, &given);
    }

done:
    Py_XDECREF(mean);
    Py_DECREF(v[0]);
    return r;
}

DEFINE(mean, average)
DEFINE(var, spread, CUPRIC_REDUCE_var, CUPRIC_REDUCE_var_about, false)
DEFINE(std, spread, CUPRIC_REDUCE_std, CUPRIC_REDUCE_std_about, true)

/* ---- running sums and products ------------------------------------------------------- */

static PyObject *
running(PARAMETERS, int op)
{
    static const char *const names[] = {"a", "axis", "dtype", "out", NULL};
    PyObject *v[4], *r;
    if (parse(fname, self, args, nargs, kwnames, names, 4, v) < 0) return NULL;
    r = py_scan(op, v[0], v[1], v[2], v[3]);
    Py_DECREF(v[0]);
    return r;
}

DEFINE_STRICT(cumsum, running, CUPRIC_OP_add)
DEFINE_STRICT(cumprod, running, CUPRIC_OP_multiply)

/* ---- the module's ---------------------------------------------------------------------- */

#define ENTRY(name)                                                                    \
    {                                                                                  \
#name, (PyCFunction)(void (*)(void))function_##name,                           \
            METH_FASTCALL | METH_KEYWORDS, doc_##name                                  \
    }

static PyMethodDef functions[] = {
    ENTRY(sum),     ENTRY(prod),      ENTRY(max),           ENTRY(min),
    ENTRY(ptp),     ENTRY(any),       ENTRY(all),           ENTRY(argmax),
    ENTRY(argmin),  ENTRY(mean),      ENTRY(var),           ENTRY(std),
    ENTRY(cumsum),  ENTRY(cumprod),   ENTRY(count_nonzero), ENTRY(nansum),
    ENTRY(nanprod), ENTRY(nanargmax), ENTRY(nanargmin),     {NULL, NULL, 0, NULL},
};

int
py_reduction_init(PyObject *module)
{
    if (PyModule_AddFunctions(module, functions) < 0) return -1;
    return py_reduction_objects_init(module);
}
