/* array/py_value.c: see py_value.h. */
#include "array/py_value.h"

#include <math.h>
#include <string.h>

#include "array/py_array.h"
#include "array/py_field.h"
#include "ops/py_ufunc.h"
#include "ops/py_upload.h"

/* ---- scalars ------------------------------------------------------------------------- */

static int
raise_no_complex(cu_dtype t)
{
    PyErr_SetString(
        PyExc_TypeError,
        cu_dtypes[t].kind == 'f'
            ? "float() argument must be a string or a real number, not 'complex'"
            : "int() argument must be a string, a bytes-like object or a real "
              "number, not 'complex'");
    return -1;
}

/* A float as an integer of dtype `t`, by way of the Python int that it is cut to. */
static int
store_cut(double re, cu_dtype t, cu_scalar *out)
{
    PyObject *number; /* owned */
    py_scalar whole;
    int r;

    if (isnan(re)) {
        PyErr_SetString(PyExc_ValueError, "cannot convert float NaN to integer");
        return -1;
    }
    if (isinf(re)) {
        PyErr_SetString(PyExc_OverflowError,
                        "cannot convert float infinity to integer");
        return -1;
    }
    number = PyLong_FromDouble(re);
    if (number == NULL) return -1;
    r = py_scalar_read(number, &whole) < 0 ? -1 : py_scalar_store(&whole, t, out);
    Py_DECREF(number);
    return r;
}

/* NumPy's numbers in a signed integer, where they must fit; of complex ones the real
 * part. */
static int
store_exactly(const py_scalar *s, cu_dtype t, cu_scalar *out)
{
    const char kind = cu_dtypes[s->dtype].kind;
    py_scalar whole = {.weak = PY_WEAK_INT};

    if (kind == 'f' || kind == 'c') {
        return store_cut(cu_scalar_get_double(&s->value, s->dtype, NULL), t, out);
    }
    whole.i = cu_scalar_get_int(&s->value, s->dtype);
    whole.u = (uint64_t)whole.i;
    whole.above = kind == 'u' && whole.i < 0;
    return py_scalar_store(&whole, t, out);
}

int
py_value_store(const py_scalar *s, cu_dtype t, py_value_rule rule, cu_scalar *out)
{
    const char kind = cu_dtypes[t].kind, from = cu_dtypes[s->dtype].kind;

    if (CUPRIC_LIKELY(s->weak == PY_WEAK_INT || kind == 'c' || kind == 'b')) {
        return py_scalar_store(s, t, out);
    }
    if (s->weak == PY_WEAK_COMPLEX && rule != PY_VALUE_CAST) return raise_no_complex(t);
    if (from == 'c') {
        if (py_warn_complex(s->dtype, t) < 0) return -1;
    } else if ((kind == 'i' || kind == 'u') && s->weak == PY_WEAK_FLOAT &&
               rule != PY_VALUE_CAST) {
        return store_cut(s->re, t, out);
    }
    if (kind == 'i' && s->weak == PY_STRONG && rule == PY_VALUE_ELEMENT &&
        from != 'b') {
        return store_exactly(s, t, out);
    }
    return py_scalar_store(s, t, out);
}

/* ---- reading ------------------------------------------------------------------------- */

static int
value_from_scalar(const py_scalar *s, cu_dtype t, py_value_rule rule, py_value *out)
{
    if (py_value_store(s, t, rule, &out->scalar) < 0) return -1;
    out->arg = (cu_iter_arg){NULL, &out->scalar, t, CUPRIC_READ};
    return 0;
}

static int
value_from_array(PyObject *o, const cu_array *dst, py_value *out)
{
    const cu_array *a = py_array_get(o);

    if (py_warn_complex(a->dtype, dst->dtype) < 0) return -1;
    cu_array_borrow(&out->array, a);
    out->owned = Py_NewRef(o);
    out->arg = (cu_iter_arg){&out->array, NULL, 0, CUPRIC_READ};
    return 0;
}

/* A nested list, on the device where it is wanted. */
static int
value_from_list(PyObject *o, const cu_array *dst, py_value_rule rule, py_value *out)
{
    const bool own = rule == PY_VALUE_CAST && !cu_is_opaque(dst->dtype);
    const cu_dtype t = own ? CUPRIC_NO_DTYPE : dst->dtype;
    PyObject *made = py_array_from_any(o, t, 'C', -1); /* owned */
    cu_array moved = cu_array_none();
    int r;

    if (made && cu_array_device(py_array_get(made)) != cu_array_device(dst)) {
        cu_status st =
            cu_array_to_device(py_array_get(made), cu_array_device(dst), &moved);
        Py_SETREF(made, st ? py_raise() : py_array_new(&moved));
    }
    if (made == NULL) return -1;
    r = value_from_array(made, dst, out);
    Py_DECREF(made);
    return r;
}

/* A NumPy array, on the device where it is wanted. */
static int
value_from_numpy(PyObject *o, const cu_array *dst, py_value *out)
{
    cu_array a = cu_array_none();

    if (PyArray_ISOBJECT((PyArrayObject *)o)) { /* of itself, perhaps */
        py_raise_unsupported(o);
        return -1;
    }
    if (py_upload_borrow((PyArrayObject *)o, dst, &a)) {
        out->owned = Py_NewRef(o);
    } else if (py_upload((PyArrayObject *)o, dst->dtype, 'K', cu_array_device(dst),
                         &a) < 0) {
        return -1;
    }
    cu_array_borrow(&out->array, &a);
    out->storage = a.storage;
    out->arg = (cu_iter_arg){&out->array, NULL, 0, CUPRIC_READ};
    return 0;
}

/* Elements that become those of a structure, or a structure that becomes plain. */
static int
value_from_opaque(PyObject *o, const cu_array *dst, py_value *out)
{
    PyObject *made = py_opaque_cast(o, dst->dtype, "unsafe", 'K'); /* owned */
    int r = made ? value_from_array(made, dst, out) : -1;
    Py_XDECREF(made);
    return r;
}

int
py_value_read(PyObject *o, const cu_array *dst, py_value_rule rule, py_value *out)
{
    py_operand p;
    int r;

    out->owned = NULL;
    out->storage = NULL;
    if (py_array_check(o)) {
        cu_dtype t = py_array_get(o)->dtype;
        if (CUPRIC_LIKELY(t == dst->dtype) ||
            !(cu_is_opaque(t) || cu_is_opaque(dst->dtype))) {
            return value_from_array(o, dst, out);
        }
        return value_from_opaque(o, dst, out);
    }
    if (CUPRIC_UNLIKELY(cu_is_opaque(dst->dtype))) {
        return value_from_list(o, dst, rule, out);
    }
    if (PyArray_Check(o)) return value_from_numpy(o, dst, out);
    if (PyList_Check(o) || PyTuple_Check(o)) {
        return value_from_list(o, dst, rule, out);
    }
    r = py_operand_read(o, &p);
    if (r < 0) return -1;
    if (r == 0) {
        py_raise_unsupported(o);
        return -1;
    }
    r = p.array ? value_from_array(p.object, dst, out)
                : value_from_scalar(&p.scalar, dst->dtype, rule, out);
    py_operand_release(&p);
    return r;
}

/* ---- shapes -------------------------------------------------------------------------- */

/* Leading axes of length 1 go, until `ndim` are left. */
static void
strip_axes(cu_array *a, int ndim)
{
    int drop = 0;
    while (a->ndim - drop > ndim && a->shape[drop] == 1) drop++;
    if (drop == 0) return;
    a->ndim -= drop;
    memmove(a->shape, a->shape + drop, (size_t)a->ndim * sizeof a->shape[0]);
    memmove(a->strides, a->strides + drop, (size_t)a->ndim * sizeof a->strides[0]);
    cu_array_update_flags(a);
}

bool
py_broadcasts_to(const cu_array *a, int ndim, const int64_t *shape)
{
    if (a->ndim > ndim) return false;
    for (int i = 0; i < a->ndim; i++) {
        int64_t n = a->shape[i];
        if (n != 1 && n != shape[ndim - a->ndim + i]) return false;
    }
    return true;
}

bool
py_value_fit(py_value *v, int ndim, const int64_t *shape)
{
    if (v->arg.array == NULL) return true;
    strip_axes(&v->array, ndim);
    return py_broadcasts_to(&v->array, ndim, shape);
}
