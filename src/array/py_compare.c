/* array/py_compare.c: comparison operators. What is neither an array nor a number is compared
 * for equality as NumPy does it, element by element: a list becomes an array, and of any other
 * object no element is equal to it, unless its own class says otherwise.
 */
#include "array/py_array.h"
#include "array/py_field.h"
#include "ops/py_ufunc.h"

/* An array of bools as large as `a`, all of them `value`. */
static PyObject *
all_alike(PyObject *a, bool value)
{
    const cu_array *shape = py_array_get(a);
    const cu_scalar v = {.b = value};
    cu_array out = cu_array_none();

    if (cu_array_init(&out, cu_array_device(shape), CUPRIC_BOOL, shape->ndim,
                      shape->shape, 'C') ||
        cu_array_fill(&out, CUPRIC_BOOL, &v, NULL)) {
        cu_array_release(&out);
        return py_raise();
    }
    return py_array_wrap(&out, Py_TYPE(a), NULL, a);
}

/* Objects whose class has no say in a comparison with an array. */
static bool
is_never_equal(PyObject *o)
{
    return o == Py_None || PyUnicode_Check(o) || PyBytes_Check(o) ||
           PyArray_IsScalar(o, Generic);
}

/* a == b or a != b where no operation takes `b`. */
static PyObject *
compare_other(PyObject *a, PyObject *b, int op)
{
    const richcmpfunc theirs = Py_TYPE(b)->tp_richcompare;

    if (PyArray_Check(b)) Py_RETURN_NOTIMPLEMENTED; /* which raises TypeError */
    if (PyList_Check(b) || PyTuple_Check(b)) {
        PyObject *call = Py_BuildValue("(OOO)", a, b, op == Py_NE ? Py_True : Py_False);
        PyObject *r =
            call ? py_call_python("cupric._logic._elements", "compare_list", call)
                 : NULL;
        Py_XDECREF(call);
        return r;
    }
    if (!is_never_equal(b) && theirs != NULL) {
        PyObject *r = theirs(b, a, op);
        if (r != Py_NotImplemented) return r;
        Py_DECREF(r);
    }
    return all_alike(a, op == Py_NE);
}

PyObject *
py_array_richcompare(PyObject *a, PyObject *b, int op)
{
    static const int rows[] = {
        [Py_LT] = CUPRIC_OP_less,    [Py_LE] = CUPRIC_OP_less_equal,
        [Py_EQ] = CUPRIC_OP_equal,   [Py_NE] = CUPRIC_OP_not_equal,
        [Py_GT] = CUPRIC_OP_greater, [Py_GE] = CUPRIC_OP_greater_equal,
    };
    const bool equality = op == Py_EQ || op == Py_NE;
    PyObject *r;

    if (CUPRIC_UNLIKELY(cu_is_opaque(py_array_get(a)->dtype)) && equality) {
        r = py_opaque_compare(a, b, op);
    } else {
        r = py_ufunc_binary(rows[op], a, b);
    }
    if (CUPRIC_LIKELY(r != Py_NotImplemented) || !equality) return r;
    Py_DECREF(r);
    return compare_other(a, b, op);
}
