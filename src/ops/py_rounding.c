/* ops/py_rounding.c: round and clip, by elementwise operations. */
#include <math.h>

#include "layout/py_args.h"
#include "ops/py_sort.h"
#include "ops/py_ufunc.h"

/* ---- round --------------------------------------------------------------------------- */

/* Into an array of another dtype, which is rounded in, as in NumPy. */
static PyObject *
round_into(PyObject *out, PyObject *a, int decimals, PyObject *scale)
{
    const int up = decimals > 0 ? CUPRIC_OP_multiply : CUPRIC_OP_divide;
    const int down = decimals > 0 ? CUPRIC_OP_divide : CUPRIC_OP_multiply;
    PyObject *scaled = py_ufunc_call2(up, a, scale, out), *whole;

    if (scaled == NULL) return NULL;
    whole = py_ufunc_call1(CUPRIC_OP_rint, scaled, scaled);
    Py_DECREF(scaled);
    if (whole == NULL) return NULL;
    scaled = py_ufunc_call2(down, whole, scale, whole);
    Py_DECREF(whole);
    return scaled;
}

static PyObject *
round_inexact(PyObject *a, int decimals, PyObject *out)
{
    const int op =
        decimals > 0 ? CUPRIC_OP_round_to_fraction : CUPRIC_OP_round_to_multiple;
    const cu_dtype t = py_array_get(a)->dtype;
    PyObject *scale, *r;

    if (decimals == 0) return py_ufunc_call1(CUPRIC_OP_rint, a, out);
    scale = PyFloat_FromDouble(pow(10.0, decimals < 0 ? -decimals : decimals));
    if (scale == NULL) return NULL;
    if (out && py_array_check(out) && py_array_get(out)->dtype != t &&
        cu_dtypes[t].kind != 'c') {
        r = round_into(out, a, decimals, scale);
    } else {
        r = py_ufunc_call2(op, a, scale, out);
    }
    Py_DECREF(scale);
    return r;
}

static PyObject *
assign_to(PyObject *out, const cu_array *from)
{
    cu_array *into;
    if (py_output_require(out, "round", from->ndim, from->shape, &into) < 0)
        return NULL;
    if (cu_array_assign(into, from, NULL)) return py_raise();
    return Py_NewRef(out);
}

/* Rounded in floats that hold enough digits, as powers of ten do not fit into bfloat16 and
 * integers, and converted back. Integers are whole: they change only for negative
 * decimals. */
static PyObject *
round_in_floats(PyObject *a, int decimals, PyObject *out)
{
    const cu_array *in = py_array_get(a);
    PyObject *wide = NULL, *rounded = NULL, *r = NULL; /* owned */
    const cu_array *from = in;
    cu_array made = cu_array_none();

    if (in->dtype == CUPRIC_BFLOAT16) {
        if (cu_array_cast(in, CUPRIC_FLOAT32, 'K', &made)) return py_raise();
        wide = py_array_new_like(&made, a);
        if (wide) rounded = round_inexact(wide, decimals, wide);
    } else if (decimals < 0) {
        rounded = round_inexact(a, decimals, NULL);
    }
    if (PyErr_Occurred()) goto done;
    if (rounded) from = py_array_get(rounded);
    if (out) {
        r = assign_to(out, from);
    } else if (cu_array_cast(from, in->dtype, 'K', &made)) {
        r = py_raise();
    } else {
        r = py_array_new_like(&made, a);
    }

done:
    Py_XDECREF(wide);
    Py_XDECREF(rounded);
    return r;
}

static PyObject *
round_to(PyObject *a, PyObject *decimals, PyObject *out)
{
    char kind = cu_dtypes[py_array_get(a)->dtype].kind;
    long d = 0;

    if (py_output_unpack(out, &out) < 0) return NULL;
    if (decimals) {
        PyObject *index = PyNumber_Index(decimals);
        if (index == NULL) return NULL;
        d = PyLong_AsLong(index);
        Py_DECREF(index);
        if (d == -1 && PyErr_Occurred()) return NULL;
        d = d > 400 ? 400 : d < -400 ? -400 : d;
    }
    if (kind == 'i' || kind == 'u' ||
        (d != 0 && py_array_get(a)->dtype == CUPRIC_BFLOAT16)) {
        return round_in_floats(a, (int)d, out);
    }
    return round_inexact(a, (int)d, out);
}

PY_METHOD(round)
{
    static const char *const names[] = {"decimals", "out", NULL};
    PyObject *v[2];
    if (py_args_parse("round", args, nargs, kwnames, names, 2, 0, v) < 0) return NULL;
    return round_to(self, v[0], v[1]);
}

static PyObject *
round_function(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
               PyObject *kwnames)
{
    static const char *const names[] = {"a", "decimals", "out", NULL};
    PyObject *v[3], *a, *r;
    (void)module;
    if (py_args_parse("round", args, nargs, kwnames, names, 3, 1, v) < 0) return NULL;
    a = py_array_require(v[0]);
    if (a == NULL) return py_or_numpy_method(NULL, "round", args, nargs, kwnames);
    r = round_to(a, v[1], v[2]);
    Py_DECREF(a);
    return r;
}

/* ---- clip ---------------------------------------------------------------------------- */

/* Whether a bound is a Python integer at or beyond the end of an integer dtype's range:
 * then it does nothing. `low`: it is the lower bound. */
static bool
is_idle(PyObject *bound, cu_dtype t, bool low)
{
    int bits = cu_itemsize(t) * 8, overflow = 0;
    long long v;

    if (!PyLong_CheckExact(bound)) return false;
    if (cu_dtypes[t].kind != 'i' && cu_dtypes[t].kind != 'u') return false;
    v = PyLong_AsLongLongAndOverflow(bound, &overflow);
    if (cu_dtypes[t].kind == 'u') {
        if (low) return overflow < 0 || (overflow == 0 && v <= 0);
        if (bits == 64) {
            if (overflow <= 0) return false;
            bool fits =
                PyLong_AsUnsignedLongLong(bound) < UINT64_MAX || !PyErr_Occurred();
            PyErr_Clear();
            return !fits;
        }
        return overflow > 0 || (overflow == 0 && v >= (1LL << bits) - 1);
    }
    if (low) return overflow < 0 || (overflow == 0 && v <= -(1LL << (bits - 2)) * 2);
    return overflow > 0 || (overflow == 0 && v >= ((1LL << (bits - 2)) - 1) * 2 + 1);
}

static PyObject *
clip_to(PyObject *a, PyObject *low, PyObject *high, const py_ufunc_options *options)
{
    cu_dtype t = py_array_get(a)->dtype;
    PyObject *given[3] = {a, NULL, NULL}, *r = NULL;
    py_operand in[3];
    int op = CUPRIC_OP_maximum, n = 1, nread = 0;

    if (!py_is_absent(low) && !is_idle(low, t, true)) {
        given[n++] = low;
        op = CUPRIC_OP_maximum;
    }
    if (!py_is_absent(high) && !is_idle(high, t, false)) {
        given[n++] = high;
        op = n == 3 ? CUPRIC_OP_clip : CUPRIC_OP_minimum;
    }
    for (; nread < n; nread++) {
        if (py_operand_require(given[nread], &in[nread]) < 0) goto done;
    }
    if (n == 1) { /* nothing to do but a copy */
        in[1] = in[0];
        in[1].owned = NULL;
    }
    r = py_ufunc_run(op, in, options);

done:
    while (nread > 0) py_operand_release(&in[--nread]);
    return r;
}

/* values: a_min, a_max, out, min, max, dtype, where */
static PyObject *
clip_values(PyObject *a, PyObject *const *v)
{
    PyObject *low = v[0], *high = v[1];
    py_ufunc_options options = PY_UFUNC_DEFAULTS;
    cu_dtype types[4] = {CUPRIC_NO_DTYPE, CUPRIC_NO_DTYPE, CUPRIC_NO_DTYPE,
                         CUPRIC_NO_DTYPE};

    if (v[3] || v[4]) {
        if (low || high) {
            PyErr_SetString(PyExc_ValueError,
                            "Passing `min` or `max` keyword argument when `a_min` and "
                            "`a_max` are provided is forbidden.");
            return NULL;
        }
        low = v[3];
        high = v[4];
    }
    if (py_output_unpack(v[2], &options.out[0]) < 0) return NULL;
    if (!py_is_absent(v[5])) {
        if (py_dtype_convert(v[5], &types[3]) < 0) return NULL;
        options.types = types;
    }
    options.where = v[6];
    return clip_to(a, low, high, &options);
}

PY_METHOD(clip)
{
    static const char *const names[] = {"min", "max", "out", "dtype", "where", NULL};
    PyObject *v[5];
    if (py_args_parse("clip", args, nargs, kwnames, names, 3, 0, v) < 0) return NULL;
    PyObject *const values[7] = {v[0], v[1], v[2], NULL, NULL, v[3], v[4]};
    return clip_values(self, values);
}

/* A NumPy array's own method, whose parameters have other names. */
static PyObject *
clip_numpy(PyObject *const *v)
{
    PyObject *low = v[1] ? v[1] : v[4], *high = v[2] ? v[2] : v[5];
    return PyObject_CallMethod(v[0], "clip", "OOO", low ? low : Py_None,
                               high ? high : Py_None, v[3] ? v[3] : Py_None);
}

static PyObject *
clip(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a",   "a_min", "a_max", "out", "min",
                                        "max", "dtype", "where", NULL};
    PyObject *v[8], *a, *r;
    (void)module;
    if (py_args_parse("clip", args, nargs, kwnames, names, 4, 1, v) < 0) return NULL;
    if (PyArray_Check(v[0])) return clip_numpy(v);
    a = py_array_require(v[0]);
    if (a == NULL) return NULL;
    r = clip_values(a, v + 1);
    Py_DECREF(a);
    return r;
}

/* ---- the module's ---------------------------------------------------------------------- */

#define FAST(f) (PyCFunction)(void (*)(void)) f, METH_FASTCALL | METH_KEYWORDS
#define DOC_ROUND                                                                      \
    "($module, a, decimals=0, out=None)\n--\n\n"                                       \
    "Round to a number of decimals, halves to even.\n\n"                               \
    "Parameters\n----------\n"                                                         \
    "a : cupric.ndarray\n"                                                             \
    "decimals : int, optional\n    Negative: positions left of the point.\n"           \
    "out : cupric.ndarray, optional\n\n"                                               \
    "Returns\n-------\ncupric.ndarray\n    A new array, or `out`.\n" DOC_EXAMPLES
#define DOC_EXAMPLES "\nExamples\n--------\n"

static PyMethodDef functions[] = {
    {"round", FAST(round_function),
     "round" DOC_ROUND ">>> cp.round(cp.array([0.5, 1.25, 2.375]), 1)\n"
     "array([0.5, 1.2, 2.4])\n"},
    {"around", FAST(round_function),
     "around" DOC_ROUND ">>> cp.around(cp.array([0.5, 1.5, -1.7]))\n"
     "array([ 0.,  2., -2.])\n"},
    {"clip", FAST(clip),
     "clip($module, a, a_min=None, a_max=None, out=None, *, min=None, max=None, "
     "dtype=None, where=True)\n--\n\n"
     "Values outside an interval are moved to its ends.\n\n"
     "Parameters\n----------\n"
     "a : cupric.ndarray\n"
     "a_min, a_max : cupric.ndarray, scalar or None\n"
     "    The ends; they broadcast against `a`. None: there is no such end.\n"
     "out : cupric.ndarray, optional\n"
     "min, max : cupric.ndarray, scalar or None, optional\n"
     "    Other names of `a_min` and `a_max`.\n"
     "dtype, where : optional\n    As for a ufunc.\n\n"
     "Returns\n-------\ncupric.ndarray\n    A new array, or `out`.\n" DOC_EXAMPLES
     ">>> cp.clip(cp.arange(5), 1, 3)\n"
     "array([1, 1, 2, 3, 3])\n"},
    {NULL, NULL, 0, NULL},
};

int
py_rounding_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
