/* layout/py_object.c: dtypes, scalars, shapes and axes between Python and the core. */
#include "layout/py_object.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- arrays -------------------------------------------------------------------------- */

static PyObject *
finalize(PyObject *self, PyObject *parent)
{
    PyObject *r =
        PyObject_CallMethod(self, "__array_finalize__", "O", parent ? parent : Py_None);
    if (r == NULL) {
        Py_DECREF(self);
        return NULL;
    }
    Py_DECREF(r);
    return self;
}

/* One of the layouts that were set, in a ring of all that the array had. */
typedef struct py_layout {
    cu_array a; /* borrows the storage of the array's own */
    struct py_layout *next;
} py_layout;

/* Programs go back and forth between a few shapes, so that each stands in the ring once. */
static bool
same_layout(const cu_array *a, const cu_array *b)
{
    const size_t nbytes = (size_t)a->ndim * sizeof a->shape[0];

    return a->ndim == b->ndim && a->flags == b->flags &&
           memcmp(a->shape, b->shape, nbytes) == 0 &&
           memcmp(a->strides, b->strides, nbytes) == 0;
}

int
py_array_set_layout(PyObject *o, const cu_array *like)
{
    py_array *self = (py_array *)o;
    /* The one that the array was made with is not in the ring, and never returned to: a
     * `now` that is not &a says that there is a ring. */
    py_layout *const last = self->now == &self->a ? NULL : (py_layout *)self->now;
    py_layout *made;

    assert(like->storage == self->a.storage && like->dtype == self->a.dtype);
    if (same_layout(self->now, like)) return 0;
    for (py_layout *l = last ? last->next : NULL; l != last; l = l->next) {
        if (!same_layout(&l->a, like)) continue;
        self->now = &l->a;
        return 0;
    }
    made = PyMem_Malloc(sizeof *made);
    if (made == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    cu_array_borrow(&made->a, like);
    made->next = last ? last->next : made;
    if (last) last->next = made;
    self->now = &made->a;
    return 0;
}

void
py_array_free_layouts(py_array *self)
{
    py_layout *l, *next;

    if (CUPRIC_LIKELY(self->now == &self->a)) return;
    l = (py_layout *)self->now;
    next = l->next;
    l->next = NULL;
    for (l = next; l; l = next) {
        next = l->next;
        PyMem_Free(l);
    }
}

PyObject *
py_array_wrap(cu_array *a, PyTypeObject *type, PyObject *base, PyObject *parent)
{
    py_array *self = (py_array *)type->tp_alloc(type, 0);
    if (self == NULL) {
        cu_array_release(a);
        return NULL;
    }
    cu_array_move(&self->a, a);
    self->now = &self->a;
    self->weakrefs = NULL;
    /* A view of a view shows the array that made the storage, as NumPy's base does. */
    while (base && ((py_array *)base)->base && Py_TYPE(base) == &py_array_type) {
        base = ((py_array *)base)->base;
    }
    self->base = Py_XNewRef(base);
    if (type == &py_array_type) return (PyObject *)self;
    return finalize((PyObject *)self, parent);
}

PyObject *
py_array_new(cu_array *a)
{
    return py_array_wrap(a, &py_array_type, NULL, NULL);
}

PyObject *
py_array_new_view(cu_array *a, PyObject *of)
{
    return py_array_wrap(a, Py_TYPE(of), of, of);
}

/* ---- dtypes -------------------------------------------------------------------------- */

static const int numpy_number[CUPRIC_N_DTYPES] = {
    [CUPRIC_BOOL] = NPY_BOOL,
    [CUPRIC_INT8] = NPY_INT8,
    [CUPRIC_UINT8] = NPY_UINT8,
    [CUPRIC_INT16] = NPY_INT16,
    [CUPRIC_UINT16] = NPY_UINT16,
    [CUPRIC_INT32] = NPY_INT32,
    [CUPRIC_UINT32] = NPY_UINT32,
    [CUPRIC_INT64] = NPY_INT64,
    [CUPRIC_UINT64] = NPY_UINT64,
    [CUPRIC_FLOAT16] = NPY_FLOAT16,
    [CUPRIC_BFLOAT16] = -1,
    [CUPRIC_FLOAT32] = NPY_FLOAT32,
    [CUPRIC_FLOAT64] = NPY_FLOAT64,
    [CUPRIC_COMPLEX64] = NPY_COMPLEX64,
    [CUPRIC_COMPLEX128] = NPY_COMPLEX128,
};

/* ml_dtypes registers its type when it is imported, which only a bfloat16 array needs. */
static PyArray_Descr *
bfloat16_descr(void)
{
    static PyArray_Descr *descr; /* under the GIL; owned for ever */
    if (descr == NULL) {
        PyObject *module = PyImport_ImportModule("ml_dtypes");
        PyObject *type = module ? PyObject_GetAttrString(module, "bfloat16") : NULL;
        PyArray_Descr *d = NULL;
        if (type) PyArray_DescrConverter(type, &d);
        Py_XDECREF(type);
        Py_XDECREF(module);
        descr = d;
    }
    return descr;
}

PyObject *
py_dtype_new(cu_dtype t)
{
    if (t == CUPRIC_BFLOAT16) return Py_XNewRef((PyObject *)bfloat16_descr());
    if (CUPRIC_UNLIKELY(cu_is_opaque(t))) return py_opaque_new(t);
    return (PyObject *)PyArray_DescrFromType(numpy_number[t]);
}

cu_dtype
py_dtype_from_descr(PyArray_Descr *descr)
{
    if (!PyArray_ISNBO(descr->byteorder)) return CUPRIC_NO_DTYPE;
    switch (descr->type_num) {
    case NPY_BOOL: return CUPRIC_BOOL;
    case NPY_BYTE: return CUPRIC_INT8;
    case NPY_UBYTE: return CUPRIC_UINT8;
    case NPY_SHORT: return CUPRIC_INT16;
    case NPY_USHORT: return CUPRIC_UINT16;
    case NPY_INT: return CUPRIC_INT32;
    case NPY_UINT: return CUPRIC_UINT32;
    case NPY_LONG: return sizeof(long) == 8 ? CUPRIC_INT64 : CUPRIC_INT32;
    case NPY_ULONG: return sizeof(long) == 8 ? CUPRIC_UINT64 : CUPRIC_UINT32;
    case NPY_LONGLONG: return CUPRIC_INT64;
    case NPY_ULONGLONG: return CUPRIC_UINT64;
    case NPY_HALF: return CUPRIC_FLOAT16;
    case NPY_FLOAT: return CUPRIC_FLOAT32;
    case NPY_DOUBLE: return CUPRIC_FLOAT64;
    case NPY_CFLOAT: return CUPRIC_COMPLEX64;
    case NPY_CDOUBLE: return CUPRIC_COMPLEX128;
    default:
        if (PyTypeNum_ISUSERDEF(descr->type_num) &&
            strcmp(descr->typeobj->tp_name, "ml_dtypes.bfloat16") == 0) {
            return CUPRIC_BFLOAT16;
        }
        if (PyTypeNum_ISUSERDEF(descr->type_num) &&
            strcmp(descr->typeobj->tp_name, "bfloat16") == 0) {
            return CUPRIC_BFLOAT16;
        }
        return CUPRIC_NO_DTYPE;
    }
}

int
py_dtype_convert(PyObject *o, cu_dtype *out)
{
    PyArray_Descr *descr = NULL; /* owned */
    cu_dtype t;

    if (o == Py_None) {
        *out = CUPRIC_FLOAT64;
        return 0;
    }
    if (PyArray_DescrCheck(o)) {
        descr = (PyArray_Descr *)Py_NewRef(o);
    } else if (PyUnicode_Check(o) &&
               PyUnicode_CompareWithASCIIString(o, "bfloat16") == 0) {
        descr = (PyArray_Descr *)Py_XNewRef((PyObject *)bfloat16_descr());
        if (descr == NULL) return -1;
    } else if (!PyArray_DescrConverter(o, &descr)) {
        return -1;
    }
    t = py_dtype_from_descr(descr);
    if (t == CUPRIC_NO_DTYPE) {
        PyErr_Format(
            PyExc_TypeError,
            "dtype %R is not supported here: it takes bool, int8 to int64, uint8 to "
            "uint64, float16, bfloat16, float32, float64, complex64 or complex128 "
            "in native byte order (arrays also hold datetime64, timedelta64, "
            "structures "
            "of these and plain bytes)",
            descr);
        Py_DECREF(descr);
        return -1;
    }
    Py_DECREF(descr);
    *out = t;
    return 0;
}

int
py_can_cast(cu_dtype from, cu_dtype to, const char *rule)
{
    if (CUPRIC_UNLIKELY(cu_is_opaque(from) || cu_is_opaque(to))) return from == to;
    if (rule == NULL || strcmp(rule, "same_kind") == 0) {
        return from == to || cu_can_cast_same_kind(from, to);
    }
    if (strcmp(rule, "unsafe") == 0) return 1;
    if (strcmp(rule, "safe") == 0) return from == to || cu_can_cast_safely(from, to);
    if (strcmp(rule, "no") == 0 || strcmp(rule, "equiv") == 0) return from == to;
    PyErr_Format(
        PyExc_ValueError,
        "casting must be one of 'no', 'equiv', 'safe', 'same_kind', or 'unsafe' "
        "(got '%s')",
        rule);
    return -1;
}

int
py_warn_dropped(cu_dtype from, cu_dtype to)
{
    static PyObject *warning; /* under the GIL; owned for ever */
    if (cu_dtypes[from].kind != 'c' || strchr("iuf", cu_dtypes[to].kind) == NULL)
        return 0;
    if (warning == NULL) {
        PyObject *m = PyImport_ImportModule("numpy.exceptions");
        warning = m ? PyObject_GetAttrString(m, "ComplexWarning") : NULL;
        Py_XDECREF(m);
        if (warning == NULL) return -1;
    }
    return PyErr_WarnEx(
        warning, "Casting complex values to real discards the imaginary part", 1);
}

/* ---- scalars ------------------------------------------------------------------------- */

static int
read_int(PyObject *o, py_scalar *out)
{
    int overflow = 0;
    long long v = PyLong_AsLongLongAndOverflow(o, &overflow);

    out->weak = PY_WEAK_INT;
    out->dtype = CUPRIC_INT64;
    out->above = out->beyond = false;
    out->im = 0.0;
    if (overflow == 0) {
        if (v == -1 && PyErr_Occurred()) return -1;
        out->i = v;
        out->re = (double)v;
        return 1;
    }
    if (overflow > 0) {
        unsigned long long u = PyLong_AsUnsignedLongLong(o);
        if (u != (unsigned long long)-1 || !PyErr_Occurred()) {
            out->above = true;
            out->dtype = CUPRIC_UINT64;
            out->u = u;
            out->re = (double)u;
            return 1;
        }
        PyErr_Clear();
    }
    out->beyond = true;
    out->re = PyLong_AsDouble(o);
    if (out->re == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        out->re = overflow > 0 ? HUGE_VAL : -HUGE_VAL;
    }
    return 1;
}

/* NumPy does not know how large a scalar of another package's type is. */
static int
read_bfloat16(PyObject *o, py_scalar *out)
{
    PyObject *f = PyNumber_Float(o); /* owned */

    if (f == NULL) return -1;
    cu_scalar_set_complex(&out->value, CUPRIC_BFLOAT16, PyFloat_AS_DOUBLE(f), 0.0);
    Py_DECREF(f);
    return 1;
}

static int
read_numpy(PyObject *o, py_scalar *out)
{
    PyArray_Descr *descr = PyArray_DescrFromScalar(o); /* owned */
    cu_dtype t;

    if (descr == NULL) return -1;
    t = py_dtype_from_descr(descr);
    Py_DECREF(descr);
    if (t == CUPRIC_NO_DTYPE) {
        if (PyArray_IsScalar(o, Flexible) || PyArray_IsScalar(o, Datetime) ||
            PyArray_IsScalar(o, Timedelta)) {
            return 0;
        }
        py_raise_unsupported(o);
        return -1;
    }
    out->weak = PY_STRONG;
    out->dtype = t;
    if (t == CUPRIC_BFLOAT16) return read_bfloat16(o, out);
    PyArray_ScalarAsCtype(o, &out->value);
    return 1;
}

int
py_scalar_read(PyObject *o, py_scalar *out)
{
    if (PyFloat_CheckExact(o)) {
        out->weak = PY_WEAK_FLOAT;
        out->dtype = CUPRIC_FLOAT64;
        out->re = PyFloat_AS_DOUBLE(o);
        out->im = 0.0;
        return 1;
    }
    if (PyLong_CheckExact(o)) return read_int(o, out);
    if (PyBool_Check(o)) {
        out->weak = PY_STRONG;
        out->dtype = CUPRIC_BOOL;
        out->value.b = o == Py_True;
        return 1;
    }
    if (PyArray_IsScalar(o, Generic)) return read_numpy(o, out);
    if (PyComplex_Check(o)) {
        out->weak = PY_WEAK_COMPLEX;
        out->dtype = CUPRIC_COMPLEX128;
        out->re = PyComplex_RealAsDouble(o);
        out->im = PyComplex_ImagAsDouble(o);
        return 1;
    }
    if (PyLong_Check(o)) return read_int(o, out);
    if (PyFloat_Check(o)) {
        out->weak = PY_WEAK_FLOAT;
        out->dtype = CUPRIC_FLOAT64;
        out->re = PyFloat_AS_DOUBLE(o);
        out->im = 0.0;
        return 1;
    }
    return 0;
}

static int
out_of_bounds(const py_scalar *s, cu_dtype t)
{
    if (s->above) {
        PyErr_Format(PyExc_OverflowError, "Python integer %llu out of bounds for %s",
                     (unsigned long long)s->u, cu_dtypes[t].name);
    } else if (s->beyond) {
        PyErr_Format(PyExc_OverflowError, "Python integer out of bounds for %s",
                     cu_dtypes[t].name);
    } else {
        PyErr_Format(PyExc_OverflowError, "Python integer %lld out of bounds for %s",
                     (long long)s->i, cu_dtypes[t].name);
    }
    return -1;
}

static int
store_int(const py_scalar *s, cu_dtype t, cu_scalar *out)
{
    int bits = cu_itemsize(t) * 8;

    if (cu_dtypes[t].kind == 'u') {
        uint64_t u = s->above ? s->u : (uint64_t)s->i;
        if (s->beyond || (!s->above && s->i < 0)) return out_of_bounds(s, t);
        if (bits < 64 && u >> bits) return out_of_bounds(s, t);
        cu_scalar_set_uint(out, t, u);
        return 0;
    }
    if (s->above || s->beyond) return out_of_bounds(s, t);
    if (bits < 64 && (s->i < -(1LL << (bits - 1)) || s->i >= 1LL << (bits - 1))) {
        return out_of_bounds(s, t);
    }
    cu_scalar_set_int(out, t, s->i);
    return 0;
}

int
py_scalar_store(const py_scalar *s, cu_dtype t, cu_scalar *out)
{
    char kind = cu_dtypes[t].kind;
    double re, im = 0.0;

    if (s->weak == PY_STRONG) {
        if (s->dtype == t) {
            *out = s->value;
        } else if (cu_dtypes[s->dtype].kind == 'i' || cu_dtypes[s->dtype].kind == 'b') {
            cu_scalar_set_int(out, t, cu_scalar_get_int(&s->value, s->dtype));
        } else if (cu_dtypes[s->dtype].kind == 'u') {
            cu_scalar_set_uint(out, t,
                               (uint64_t)cu_scalar_get_int(&s->value, s->dtype));
        } else {
            re = cu_scalar_get_double(&s->value, s->dtype, &im);
            cu_scalar_set_complex(out, t, re, im);
        }
        return 0;
    }
    if (s->weak == PY_WEAK_INT) {
        if (kind == 'i' || kind == 'u') return store_int(s, t, out);
        if (kind == 'b') {
            out->b = s->above || s->beyond || s->i != 0;
            return 0;
        }
        if (s->beyond && isinf(s->re)) {
            PyErr_SetString(PyExc_OverflowError, "int too large to convert to float");
            return -1;
        }
    }
    cu_scalar_set_complex(out, t, s->re, s->im);
    return 0;
}

PyObject *
py_scalar_new(cu_dtype t, const void *bytes)
{
    PyArray_Descr *descr = (PyArray_Descr *)py_dtype_new(t); /* owned */
    PyObject *r;
    if (descr == NULL) return NULL;
    r = PyArray_Scalar((void *)bytes, descr, NULL);
    Py_DECREF(descr);
    return r;
}

/* ---- arguments ----------------------------------------------------------------------- */

PyObject *
py_shape_new(int ndim, const int64_t *shape)
{
    PyObject *t = PyTuple_New(ndim);
    if (t == NULL) return NULL;
    for (int i = 0; i < ndim; i++) {
        PyObject *v = PyLong_FromLongLong(shape[i]);
        if (v == NULL) {
            Py_DECREF(t);
            return NULL;
        }
        PyTuple_SET_ITEM(t, i, v);
    }
    return t;
}

PyObject *
py_unsupported(PyObject *self, PyObject *o)
{
    const char *hint =
        PyArray_Check(o) ? CUPRIC_HOST_ARRAY
                         : "an array of a device is needed, as cupric.asarray(x) makes";
    PyObject *text = PyUnicode_FromFormat("Unsupported type %R: %s", Py_TYPE(o), hint);
    PyObject *error; /* owned */

    (void)self;
    if (text == NULL) return NULL;
    error = PyObject_CallOneArg(PyExc_TypeError, text);
    Py_DECREF(text);
    return error;
}

void
py_raise_unsupported(PyObject *o)
{
    PyObject *error = py_unsupported(NULL, o);

    if (error == NULL) return; /* out of memory */
    PyErr_SetObject(PyExc_TypeError, error);
    Py_DECREF(error);
}

PyObject *
py_or_numpy_method(PyObject *r, const char *name, PyObject *const *args,
                   Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *text; /* owned */

    if (CUPRIC_LIKELY(r != NULL) || nargs == 0 || !PyArray_Check(args[0])) return r;
    PyErr_Clear();
    text = PyUnicode_FromString(name);
    if (text == NULL) return NULL;
    r = PyObject_VectorcallMethod(text, args, (size_t)nargs, kwnames);
    Py_DECREF(text);
    return r;
}

/* ---- arrays that a call would make by the million ------------------------------------ */

#define FEW_OBJECTS (1 << 16)

int
py_require_objects(int64_t n, const char *what)
{
    const double gib = (double)((int64_t)1 << 30);
    double memory, needed = (double)n * sizeof(py_array);

    if (n <= FEW_OBJECTS) return 0;
    memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (memory <= 0 || needed <= memory) return 0;
    PyErr_Format(PyExc_MemoryError,
                 "%s: %lld arrays would take %lld GiB of the host's memory, which has "
                 "%lld GiB",
                 what, (long long)n, (long long)(needed / gib),
                 (long long)(memory / gib));
    return -1;
}

PyObject *
py_require_objects_for(PyObject *self, PyObject *args)
{
    const char *what;
    long long n;
    PyObject *count;
    int overflow;

    (void)self;
    if (!PyArg_ParseTuple(args, "Os:_require_objects", &count, &what)) return NULL;
    n = PyLong_AsLongLongAndOverflow(count, &overflow);
    if (n == -1 && PyErr_Occurred()) return NULL;
    if (overflow > 0) n = INT64_MAX;
    if (py_require_objects(n, what) < 0) return NULL;
    Py_RETURN_NONE;
}
