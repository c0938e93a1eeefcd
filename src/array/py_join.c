/* array/py_join.c: concatenate, and the copying of broadcast arrays. */
#include <stdlib.h>
#include <string.h>

#include "array/join.h"
#include "array/py_array.h"
#include "array/py_functions.h"
#include "array/py_functions_doc.h"
#include "array/py_index.h"
#include "array/py_value.h"
#include "device/py_device.h"
#include "layout/py_placed.h"
#include "layout/py_shape.h"
#include "ops/iter.h"
#include "ops/py_ufunc.h"

enum { FEW = 4 }; /* arrays that need no memory of their own */

/* One of a call's arrays, as it was given; where axis is None, flat. */
typedef struct part {
    cu_array array; /* owned */
    py_weak weak;   /* of Python's numbers, which adapt to the arrays */
} part;

/* The arrays of a call. */
typedef struct parts {
    int64_t n;
    PyObject *sequence;   /* owned: keeps the arrays */
    part *of;             /* owned, each of them */
    const cu_array **ptr; /* to those of `of` */
    part few[FEW];
    const cu_array *few_ptr[FEW];
} parts;

static void
parts_release(parts *p)
{
    for (int64_t i = 0; i < p->n; i++) cu_array_release(&p->of[i].array);
    if (p->of != p->few) free(p->of);
    if (p->ptr != p->few_ptr) free((void *)p->ptr);
    Py_CLEAR(p->sequence);
}

/* Room for `n` that hold nothing yet. */
static int
parts_make(parts *p, int64_t n)
{
    if (n > FEW) {
        p->of = malloc((size_t)n * sizeof *p->of);
        p->ptr = malloc((size_t)n * sizeof *p->ptr);
    }
    if (p->of == NULL || p->ptr == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (int64_t i = 0; i < n; i++) {
        cu_array_clear(&p->of[i].array);
        p->of[i].weak = PY_STRONG;
        p->ptr[i] = &p->of[i].array;
    }
    p->n = n;
    return 0;
}

static int
add_flat(cu_array *out, const cu_array *a)
{
    cu_array dense = cu_array_none(); /* owned */
    bool needs_copy = false;
    cu_status st = cu_array_reshape(a, 1, &a->size, 'C', out, &needs_copy);
    if (!st && needs_copy) {
        st = cu_array_cast(a, a->dtype, 'C', &dense);
        if (!st) st = cu_array_reshape(&dense, 1, &dense.size, 'C', out, &needs_copy);
        cu_array_release(&dense);
    }
    return st ? py_raise_int() : 0;
}

/* A scalar among arrays that are joined flat: a vector of one element. */
static int
add_scalar(cu_array *out, const py_scalar *s)
{
    const int64_t one = 1;
    const bool beyond = s->weak == PY_WEAK_INT && s->beyond;
    const cu_dtype t = beyond ? CUPRIC_FLOAT64 : s->dtype;
    cu_scalar value;

    if (py_scalar_store(s, t, &value) < 0) return -1;
    if (cu_array_init(out, cu_device_current(), t, 1, &one, 'C') ||
        cu_array_set(out, &value)) {
        return py_raise_int();
    }
    return 0;
}

static int
parts_add(part *p, PyObject *o, bool flat)
{
    py_operand converted = py_operand_none();
    int r;

    if (flat && (PyList_Check(o) || PyTuple_Check(o))) {
        PyObject *made = py_array_from_any(o, CUPRIC_NO_DTYPE, 'C', -1); /* owned */
        r = made ? add_flat(&p->array, py_array_get(made)) : -1;
        Py_XDECREF(made);
        return r;
    }
    r = py_operand_read(o, &converted);
    if (r < 0) return -1;
    if (r == 0) {
        py_raise_unsupported(o);
        return -1;
    }
    if (converted.array == NULL) {
        if (!flat) {
            PyErr_SetString(PyExc_ValueError,
                            "zero-dimensional arrays cannot be concatenated");
            return -1;
        }
        p->weak = converted.scalar.weak;
        return add_scalar(&p->array, &converted.scalar);
    }
    if (flat) {
        r = add_flat(&p->array, converted.array);
    } else {
        cu_array_alias(&p->array, converted.array);
        r = 0;
    }
    py_operand_release(&converted);
    return r;
}

/* Numbers and lists that are joined flat are put on the device of the arrays. */
static int
parts_read(parts *p, PyObject *arrays, bool flat)
{
    cu_device *before = cu_device_current();
    int r = 0;

    p->n = 0;
    p->of = p->few;
    p->ptr = p->few_ptr;
    p->sequence = NULL;
    if (py_array_check(arrays) && py_array_get(arrays)->ndim &&
        py_require_objects(py_array_get(arrays)->shape[0], "concatenate") < 0) {
        return -1;
    }
    p->sequence = PySequence_Tuple(arrays); /* a list might change while it is read */
    if (p->sequence == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_SetString(PyExc_TypeError,
                            "The first input argument needs to be a sequence");
        }
        return -1;
    }
    if (PyTuple_GET_SIZE(p->sequence) == 0) {
        PyErr_SetString(PyExc_ValueError, "need at least one array to concatenate");
        return -1;
    }
    if (parts_make(p, PyTuple_GET_SIZE(p->sequence)) < 0) return -1;
    if (flat) cu_device_set_current(py_device_of(&p->sequence, 1));
    for (int64_t i = 0; i < p->n && r == 0; i++) {
        r = parts_add(&p->of[i], PyTuple_GET_ITEM(p->sequence, i), flat);
    }
    if (flat) cu_device_set_current(before);
    return r;
}

/* What an array's dtype becomes beside a Python number (NEP 50). */
static cu_dtype
promote_weak(cu_dtype t, py_weak weak)
{
    const char kind = cu_dtypes[t].kind;
    if (weak == PY_WEAK_INT) return kind == 'b' ? CUPRIC_INT64 : t;
    if (weak == PY_WEAK_FLOAT) return strchr("biu", kind) ? CUPRIC_FLOAT64 : t;
    if (strchr("biu", kind)) return CUPRIC_COMPLEX128;
    return cu_promote(t, CUPRIC_COMPLEX64);
}

static bool
any_weak(const parts *p)
{
    for (int64_t i = 0; i < p->n; i++) {
        if (p->of[i].weak != PY_STRONG) return true;
    }
    return false;
}

/* Promoted from the widest of the highest kind on, as NumPy does: pair after pair, int16,
 * uint16 and float32 would become float64. Python's numbers come last, where there are
 * others. */
static cu_dtype
common_dtype(const parts *p)
{
    cu_dtype t;
    int64_t first = 0;

    while (first < p->n && p->of[first].weak != PY_STRONG) first++;
    if (first == p->n) first = 0;
    t = p->of[first].array.dtype;
    const bool any_strong = p->of[first].weak == PY_STRONG;
    for (int64_t i = 0; i < p->n; i++) {
        cu_dtype u = p->of[i].array.dtype;
        if (u == t || (any_strong && p->of[i].weak != PY_STRONG)) continue;
        if (cu_is_opaque(u) || cu_is_opaque(t)) return CUPRIC_NO_DTYPE;
        t = cu_leading(t, u);
    }
    if (CUPRIC_UNLIKELY(cu_is_opaque(t))) return any_weak(p) ? CUPRIC_NO_DTYPE : t;
    for (int64_t i = 0; i < p->n; i++) {
        if (!any_strong || p->of[i].weak == PY_STRONG)
            t = cu_promote(t, p->of[i].array.dtype);
    }
    for (int64_t i = 0; i < p->n && any_strong; i++) {
        if (p->of[i].weak != PY_STRONG) t = promote_weak(t, p->of[i].weak);
    }
    return t;
}

/* Whether an integer of more than 64 bits, which add_scalar made a float, goes to integers. */
static bool
overflows(const parts *p, int64_t i, cu_dtype to)
{
    const bool beyond =
        p->of[i].weak == PY_WEAK_INT && p->of[i].array.dtype == CUPRIC_FLOAT64;

    return beyond && strchr("iu", cu_dtypes[to].kind);
}

static int
check_casting(const parts *p, cu_dtype to, const char *casting)
{
    for (int64_t i = 0; i < p->n; i++) {
        if (overflows(p, i, to)) {
            PyErr_Format(PyExc_OverflowError, "Python integer out of bounds for %s",
                         cu_dtypes[to].name);
            return -1;
        }
        int ok = py_can_cast(p->of[i].array.dtype, to, casting);
        if (ok < 0) return -1;
        if (p->of[i].weak != PY_STRONG) ok = promote_weak(to, p->of[i].weak) == to;
        if (ok && py_warn_complex(p->of[i].array.dtype, to) < 0) return -1;
        if (ok) continue;
        PyErr_Format(
            PyExc_TypeError,
            "Cannot cast array data from dtype('%s') to dtype('%s') according to "
            "the rule '%s'",
            cu_dtypes[p->of[i].array.dtype].name, cu_dtypes[to].name,
            casting ? casting : "same_kind");
        return -1;
    }
    return 0;
}

static bool
all_in_fortran_order(const parts *p)
{
    for (int64_t i = 0; i < p->n; i++) {
        unsigned f = p->of[i].array.flags;
        if (!(f & CUPRIC_F_CONTIGUOUS) || (f & CUPRIC_C_CONTIGUOUS)) return false;
    }
    return true;
}

/* What the parts go into: in Fortran order where they all are, but for an axis along which
 * they are stacked. Each lies densely then. */
static cu_status
init_joined(const parts *p, int axis, cu_dtype dtype, const int64_t *shape,
            cu_array *out)
{
    const cu_array *first = p->ptr[0];
    cu_device *device = cu_array_device(first);
    cu_array like;

    if (!all_in_fortran_order(p))
        return cu_array_init(out, device, dtype, first->ndim, shape, 'C');
    if (first->shape[axis] != 1 || shape[axis] != p->n)
        return cu_array_init(out, device, dtype, first->ndim, shape, 'F');
    cu_array_borrow(&like, first);
    memcpy(like.shape, shape, (size_t)like.ndim * sizeof *shape);
    like.strides[axis] = INT64_MAX;
    like.flags = 0;
    return cu_array_init_like(out, device, dtype, &like);
}

static int
check_out(PyObject *o, int ndim, const int64_t *shape)
{
    const cu_array *out;
    if (!py_array_check(o)) {
        py_raise_unsupported(o);
        return -1;
    }
    out = py_array_get(o);
    if (out->ndim != ndim) {
        PyErr_SetString(PyExc_ValueError, "Output array has wrong dimensionality");
        return -1;
    }
    if (memcmp(out->shape, shape, (size_t)ndim * sizeof *shape) != 0) {
        PyErr_SetString(PyExc_ValueError, "Output array is the wrong shape");
        return -1;
    }
    if (!(out->flags & CUPRIC_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "output array is read-only");
        return -1;
    }
    return 0;
}

static cu_status
join(const parts *p, int axis, cu_array *out)
{
    PyThreadState *released = py_is_long(out->size) ? PyEval_SaveThread() : NULL;
    cu_status st = cu_concat(p->n, p->ptr, axis, out);
    if (released) PyEval_RestoreThread(released);
    return st;
}

/* Everything is read: the shape, the output and the copying. */
static PyObject *
concatenate(const parts *p, int axis, PyObject *out_arg, cu_dtype dtype,
            const char *casting)
{
    int64_t shape[CUPRIC_MAXDIMS];
    cu_device *device = NULL;
    cu_array out = cu_array_none(); /* owned */

    if (cu_concat_shape(p->n, p->ptr, axis, shape)) return py_raise();
    for (int64_t i = 1; i < p->n; i++) {
        const cu_array *pair[2] = {p->ptr[0], p->ptr[i]};
        if (cu_common_device(2, pair, &device)) return py_raise();
    }
    if (out_arg) {
        const cu_array *pair[2] = {p->ptr[0], py_array_get(out_arg)};
        if (py_array_check(out_arg) && cu_common_device(2, pair, &device)) {
            return py_raise();
        }
        if (check_out(out_arg, p->of[0].array.ndim, shape) < 0 ||
            check_casting(p, py_array_get(out_arg)->dtype, casting) < 0) {
            return NULL;
        }
        return join(p, axis, py_array_target(out_arg)) ? py_raise()
                                                       : Py_NewRef(out_arg);
    }
    if (dtype == CUPRIC_NO_DTYPE) dtype = common_dtype(p);
    if (dtype == CUPRIC_NO_DTYPE) {
        PyErr_SetString(PyExc_TypeError,
                        "arrays of different dtypes are joined where all are numbers; "
                        "make times and structures of one dtype first, by astype");
        return NULL;
    }
    if (check_casting(p, dtype, casting) < 0) return NULL;
    if (init_joined(p, axis, dtype, shape, &out)) return py_raise();
    if (join(p, axis, &out)) {
        cu_array_release(&out);
        return py_raise();
    }
    return py_array_new(&out);
}

/* concatenate(tup, axis=0, out=None, *, dtype=None, casting='same_kind') */
static PY_FASTCALL(module_concatenate)
{
    static const char *const names[] = {"tup", "axis", "out", "dtype", "casting", NULL};
    PyObject *v[5], *r = NULL;
    cu_dtype dtype = CUPRIC_NO_DTYPE;
    const char *casting = NULL;
    bool flat;
    parts p;
    int axis = 0;
    (void)self;

    if (py_args_parse("concatenate", args, nargs, kwnames, names, 3, 1, v) < 0)
        return NULL;
    if (!py_is_absent(v[2]) && !py_is_absent(v[3])) {
        PyErr_SetString(
            PyExc_TypeError,
            "concatenate() only takes `out` or `dtype` as an argument, but both "
            "were provided.");
        return NULL;
    }
    if (!py_is_absent(v[3]) && py_dtype_convert_any(v[3], &dtype) < 0) return NULL;
    if (!py_is_absent(v[4]) && (casting = PyUnicode_AsUTF8(v[4])) == NULL) return NULL;
    flat = v[1] == Py_None;
    if (parts_read(&p, v[0], flat) < 0) goto done;
    if (p.of[0].array.ndim == 0) {
        PyErr_SetString(PyExc_ValueError,
                        "zero-dimensional arrays cannot be concatenated");
        goto done;
    }
    if (!flat && v[1] && py_axis_read(v[1], p.of[0].array.ndim, &axis) < 0) goto done;
    r = concatenate(&p, axis, py_is_absent(v[2]) ? NULL : v[2], dtype, casting);

done:
    parts_release(&p);
    return r;
}

/* ---- broadcasting -------------------------------------------------------------------- */

/* broadcast_to(array, shape): a read-only view. */
static PY_FASTCALL(module_broadcast_to)
{
    static const char *const names[] = {"array", "shape", NULL};
    int64_t shape[CUPRIC_MAXDIMS];
    PyObject *v[2];
    cu_array view;
    int ndim;
    (void)self;

    if (py_args_parse("broadcast_to", args, nargs, kwnames, names, 2, 2, v) < 0)
        return NULL;
    if (!py_array_check(v[0])) {
        py_raise_unsupported(v[0]);
        return NULL;
    }
    ndim = py_shape_read(v[1], shape);
    if (ndim < 0) return NULL;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] >= 0) continue;
        PyErr_SetString(PyExc_ValueError,
                        "all elements of broadcast shape must be non-negative");
        return NULL;
    }
    if (cu_array_broadcast_to(py_array_get(v[0]), ndim, shape, &view))
        return py_raise();
    return py_array_new_view(&view, v[0]);
}

static int
write_masked(cu_array *dst, const py_value *value, const cu_array *mask)
{
    PyThreadState *released = py_is_long(dst->size) ? PyEval_SaveThread() : NULL;
    cu_status st = value->arg.array
                       ? cu_array_assign(dst, value->arg.array, mask)
                       : cu_array_fill(dst, value->arg.dtype, value->arg.imm, mask);
    if (released) PyEval_RestoreThread(released);
    return st ? py_raise_int() : 0;
}

/* copy_where(dst, src, mask, cast=False): dst[mask] = src, where both broadcast to dst.
 * `cast`: Python's floats and complex numbers are cast as arrays are. */
static PY_FASTCALL(module_copy_where)
{
    static const char *const names[] = {"dst", "src", "mask", "cast", NULL};
    PyObject *v[4], *mask_object, *r = NULL; /* mask_object owned */
    cu_array mask = cu_array_none(), *dst;   /* mask owned */
    py_value_rule rule;
    py_value value;
    bool absent;
    (void)self;

    if (py_args_parse("copy_where", args, nargs, kwnames, names, 4, 3, v) < 0)
        return NULL;
    rule = v[3] == Py_True ? PY_VALUE_CAST : PY_VALUE_ARRAY;
    if (!py_array_check(v[0])) {
        py_raise_unsupported(v[0]);
        return NULL;
    }
    dst = py_array_target(v[0]);
    if (!(dst->flags & CUPRIC_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "assignment destination is read-only");
        return NULL;
    }
    mask_object = py_mask_read(v[2], cu_array_device(dst), &absent);
    if (mask_object == NULL && !absent) return NULL;
    if (mask_object && cu_array_broadcast_to(py_array_get(mask_object), dst->ndim,
                                             dst->shape, &mask)) {
        Py_DECREF(mask_object);
        return py_raise();
    }
    if (py_value_read(v[1], dst, rule, &value) == 0) {
        if (!py_value_fit(&value, dst->ndim, dst->shape)) {
            char from[CUPRIC_SHAPE_TEXT], to[CUPRIC_SHAPE_TEXT];
            PyErr_Format(
                PyExc_ValueError,
                "could not broadcast input array from shape %s into shape %s",
                cu_shape_text(value.array.ndim, value.array.shape, from, sizeof from),
                cu_shape_text(dst->ndim, dst->shape, to, sizeof to));
        } else if (write_masked(dst, &value, mask_object ? &mask : NULL) == 0) {
            r = Py_NewRef(Py_None);
        }
        py_value_release(&value);
    }
    cu_array_release(&mask);
    Py_XDECREF(mask_object);
    return r;
}

/* Of one shape, on one device. */
static bool
lie_alike(const cu_array *a, const cu_array *b)
{
    return a->ndim == b->ndim && cu_array_device(a) == cu_array_device(b) &&
           memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof a->shape[0]) == 0;
}

/* Whether each element has a bool and a value of its own, or all one number. */
static bool
is_plain_putmask(PyObject *o, PyObject *mask_object, PyObject *value)
{
    const cu_array *a, *mask, *values;

    if (!py_array_check(o) || !py_array_check(mask_object)) return false;
    a = py_array_get(o);
    mask = py_array_get(mask_object);
    if (!(a->flags & CUPRIC_WRITEABLE) || mask->dtype != CUPRIC_BOOL ||
        !lie_alike(a, mask)) {
        return false;
    }
    if (PyFloat_CheckExact(value) || PyLong_CheckExact(value)) return true;
    if (!py_array_check(value)) return false;
    values = py_array_get(value);
    return values->dtype == a->dtype && lie_alike(a, values);
}

/* putmask(a, mask, values): what is plain here, the rest in Python. */
static PY_FASTCALL(module_putmask)
{
    static const char *const names[] = {"a", "mask", "values", NULL};
    PyObject *v[3], *call, *r = NULL; /* call: owned */
    const cu_array *mask;
    cu_array *a;
    py_value value;
    (void)self;

    if (py_args_parse("putmask", args, nargs, kwnames, names, 3, 3, v) < 0) return NULL;
    if (!is_plain_putmask(v[0], v[1], v[2])) {
        call = PyTuple_Pack(3, v[0], v[1], v[2]);
        r = call ? py_call_python("cupric._indexing._insert", "put_masked", call)
                 : NULL;
        Py_XDECREF(call);
        return r;
    }
    a = py_array_target(v[0]);
    mask = py_array_get(v[1]);
    if (py_value_read(v[2], a, PY_VALUE_ARRAY, &value) < 0) return NULL;
    if (write_masked(a, &value, mask) == 0) {
        r = Py_NewRef(Py_None);
    }
    py_value_release(&value);
    return r;
}

#define FAST(f) (PyCFunction)(void (*)(void))(f), METH_FASTCALL | METH_KEYWORDS

PyMethodDef py_join_functions[] = {
    {"concatenate", FAST(module_concatenate), concatenate_doc},
    {"broadcast_to", FAST(module_broadcast_to), "broadcast_to(array, shape)\n--\n\n"},
    {"copy_where", FAST(module_copy_where),
     "copy_where(dst, src, mask, cast=False)\n--\n\n"},
    {"putmask", FAST(module_putmask), putmask_doc},
    {NULL},
};
