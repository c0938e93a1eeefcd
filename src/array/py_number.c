/* array/py_number.c: operators. Each is one row of ops/ufunc.def. */
#include "array/py_array.h"
#include "layout/py_foreign.h"
#include "ops/py_ufunc.h"

#define BINARY(slot, row)                                                              \
    static PyObject *number_##slot(PyObject *a, PyObject *b)                           \
    {                                                                                  \
        return py_ufunc_binary(CUPRIC_OP_##row, a, b);                                 \
    }                                                                                  \
    static PyObject *number_inplace_##slot(PyObject *a, PyObject *b)                   \
    {                                                                                  \
        return py_ufunc_inplace(CUPRIC_OP_##row, a, b);                                \
    }

BINARY(add, add)
BINARY(subtract, subtract)
BINARY(multiply, multiply)
BINARY(true_divide, divide)
BINARY(floor_divide, floor_divide)
BINARY(remainder, remainder)
BINARY(lshift, left_shift)
BINARY(rshift, right_shift)
BINARY(and, bitwise_and)
BINARY(or, bitwise_or)
BINARY(xor, bitwise_xor)

static PyObject *
number_divmod(PyObject *a, PyObject *b)
{
    return py_ufunc_binary(CUPRIC_OP_divmod, a, b);
}

/* x ** 2 and the like have rows that cost one instruction: those whose result is the same
 * where it is exact, and rounded once where it is not. */
static int
power_row(PyObject *a, PyObject *b)
{
    if (!py_array_check(a) || !PyFloat_CheckExact(b)) {
        if (!py_array_check(a) || !PyLong_CheckExact(b)) return CUPRIC_OP_power;
    }
    const char kind = cu_dtypes[py_array_get(a)->dtype].kind;
    if (PyLong_CheckExact(b)) {
        int overflow;
        long v = PyLong_AsLongAndOverflow(b, &overflow);
        if (overflow) return CUPRIC_OP_power;
        if (v == -1 && kind == 'f') return CUPRIC_OP_reciprocal;
        return v == 2 ? CUPRIC_OP_square : CUPRIC_OP_power;
    }
    if (strchr("fc", kind) == NULL) return CUPRIC_OP_power;
    if (PyFloat_AS_DOUBLE(b) == 2.0) return CUPRIC_OP_square;
    if (PyFloat_AS_DOUBLE(b) == 0.5) return CUPRIC_OP_sqrt;
    if (PyFloat_AS_DOUBLE(b) == -1.0 && kind == 'f') return CUPRIC_OP_reciprocal;
    return CUPRIC_OP_power;
}

/* Whether integers are to have their square root, as a power that is a float. */
static bool
is_integer_root(PyObject *a, PyObject *b)
{
    if (!py_array_check(a) || !PyFloat_CheckExact(b)) return false;
    return strchr("iu", cu_dtypes[py_array_get(a)->dtype].kind) &&
           PyFloat_AS_DOUBLE(b) == 0.5;
}

/* In double, whatever the integers' size. */
static PyObject *
integer_root(PyObject *a)
{
    static const cu_dtype types[] = {CUPRIC_FLOAT64, CUPRIC_FLOAT64};
    py_ufunc_options options = PY_UFUNC_DEFAULTS;
    py_operand in[1];

    options.types = types;
    if (py_operand_require(a, &in[0]) < 0) return NULL;
    return py_ufunc_run(CUPRIC_OP_sqrt, in, &options);
}

static PyObject *
number_power(PyObject *a, PyObject *b, PyObject *modulo)
{
    int row;
    if (modulo != Py_None) Py_RETURN_NOTIMPLEMENTED;
    if (is_integer_root(a, b)) return integer_root(a);
    row = power_row(a, b);
    return row == CUPRIC_OP_power ? py_ufunc_binary(row, a, b) : py_ufunc_unary(row, a);
}

static PyObject *
number_inplace_power(PyObject *a, PyObject *b, PyObject *modulo)
{
    int row;
    if (modulo != Py_None) Py_RETURN_NOTIMPLEMENTED;
    row = power_row(a, b);
    return row == CUPRIC_OP_power ? py_ufunc_inplace(row, a, b)
                                  : py_ufunc_call1(row, a, a);
}

static bool
takes_part(PyObject *o)
{
    return py_array_check(o) || PyArray_IsAnyScalar(o) || py_is_foreign(o);
}

static PyObject *
number_matmul(PyObject *a, PyObject *b)
{
    static PyObject *matmul; /* under the GIL; owned for ever */
    if (!takes_part(a) || !takes_part(b)) Py_RETURN_NOTIMPLEMENTED;
    if (matmul == NULL) {
        PyObject *m = PyImport_ImportModule("cupric");
        if (m == NULL) return NULL;
        matmul = PyObject_GetAttrString(m, "matmul");
        Py_DECREF(m);
        if (matmul == NULL) return NULL;
    }
    PyObject *args[2] = {a, b};
    return PyObject_Vectorcall(matmul, args, 2, NULL);
}

static PyObject *
number_inplace_matmul(PyObject *a, PyObject *b)
{
    static PyObject *names; /* under the GIL; owned for ever */
    PyObject *module, *matmul, *r;
    PyObject *args[3] = {a, b, a};

    if (!py_array_check(b)) Py_RETURN_NOTIMPLEMENTED;
    if (names == NULL) names = Py_BuildValue("(s)", "out");
    module = PyImport_ImportModule("cupric");
    if (module == NULL) return NULL;
    matmul = PyObject_GetAttrString(module, "matmul");
    Py_DECREF(module);
    if (matmul == NULL) return NULL;
    r = PyObject_Vectorcall(matmul, args, 2, names);
    Py_DECREF(matmul);
    return r;
}

static PyObject *
number_negative(PyObject *a)
{
    return py_ufunc_unary(CUPRIC_OP_negative, a);
}

static PyObject *
number_positive(PyObject *a)
{
    return py_ufunc_unary(CUPRIC_OP_positive, a);
}

static PyObject *
number_absolute(PyObject *a)
{
    return py_ufunc_unary(CUPRIC_OP_absolute, a);
}

static PyObject *
number_invert(PyObject *a)
{
    return py_ufunc_unary(CUPRIC_OP_invert, a);
}

/* ---- conversions of one element ------------------------------------------------------ */

static int
number_bool(PyObject *self)
{
    const cu_array *a = py_array_get(self);
    PyObject *s; /* owned */
    int r;

    if (a->size == 0) {
        return PyErr_WarnEx(PyExc_DeprecationWarning,
                            "The truth value of an empty array is ambiguous. Returning "
                            "False, but in future this will result in an error. Use "
                            "`array.size > 0` to check that an array is not empty.",
                            1);
    }
    if (a->size != 1) {
        PyErr_SetString(PyExc_ValueError,
                        "The truth value of an array with more than one element is "
                        "ambiguous. Use a.any() or a.all()");
        return -1;
    }
    s = py_array_scalar(self);
    if (s == NULL) return -1;
    r = PyObject_IsTrue(s);
    Py_DECREF(s);
    return r;
}

static PyObject *
convert_scalar(PyObject *self, PyObject *(*convert)(PyObject *))
{
    PyObject *s, *r; /* s owned */
    if (py_array_get(self)->size != 1) {
        PyErr_SetString(PyExc_TypeError,
                        "only length-1 arrays can be converted to Python scalars");
        return NULL;
    }
    s = py_array_scalar(self);
    if (s == NULL) return NULL;
    r = convert(s);
    Py_DECREF(s);
    return r;
}

/* The same for a real number: a complex one is refused, not cut. */
static PyObject *
convert_real(PyObject *self, PyObject *(*convert)(PyObject *), const char *to)
{
    if (cu_dtypes[py_array_get(self)->dtype].kind == 'c') {
        PyErr_Format(PyExc_TypeError,
                     "cannot convert a complex array to %s: take its .real or .imag",
                     to);
        return NULL;
    }
    return convert_scalar(self, convert);
}

static PyObject *
number_int(PyObject *self)
{
    return convert_real(self, PyNumber_Long, "int");
}

static PyObject *
number_float(PyObject *self)
{
    return convert_real(self, PyNumber_Float, "float");
}

static PyObject *
number_index(PyObject *self)
{
    const cu_array *a = py_array_get(self);
    if (a->ndim != 0 || strchr("iu", cu_dtypes[a->dtype].kind) == NULL) {
        PyErr_SetString(
            PyExc_TypeError,
            "only integer scalar arrays can be converted to a scalar index");
        return NULL;
    }
    return convert_scalar(self, PyNumber_Index);
}

PyNumberMethods py_array_number = {
    .nb_add = number_add,
    .nb_subtract = number_subtract,
    .nb_multiply = number_multiply,
    .nb_true_divide = number_true_divide,
    .nb_floor_divide = number_floor_divide,
    .nb_remainder = number_remainder,
    .nb_divmod = number_divmod,
    .nb_power = number_power,
    .nb_matrix_multiply = number_matmul,
    .nb_lshift = number_lshift,
    .nb_rshift = number_rshift,
    .nb_and = number_and,
    .nb_or = number_or,
    .nb_xor = number_xor,
    .nb_negative = number_negative,
    .nb_positive = number_positive,
    .nb_absolute = number_absolute,
    .nb_invert = number_invert,
    .nb_bool = number_bool,
    .nb_int = number_int,
    .nb_float = number_float,
    .nb_index = number_index,
    .nb_inplace_add = number_inplace_add,
    .nb_inplace_subtract = number_inplace_subtract,
    .nb_inplace_multiply = number_inplace_multiply,
    .nb_inplace_true_divide = number_inplace_true_divide,
    .nb_inplace_floor_divide = number_inplace_floor_divide,
    .nb_inplace_remainder = number_inplace_remainder,
    .nb_inplace_power = number_inplace_power,
    .nb_inplace_matrix_multiply = number_inplace_matmul,
    .nb_inplace_lshift = number_inplace_lshift,
    .nb_inplace_rshift = number_inplace_rshift,
    .nb_inplace_and = number_inplace_and,
    .nb_inplace_or = number_inplace_or,
    .nb_inplace_xor = number_inplace_xor,
};
