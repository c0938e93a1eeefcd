/* ops/py_linear.c: matmul and the factorisations. */
#include "ops/py_linear.h"

#include <string.h>

#include "layout/py_args.h"
#include "ops/execute.h"
#include "ops/py_ufunc.h"
#include "ops/reduction.h"

/* ---- matmul -------------------------------------------------------------------------- */

/* An operand of matmul: (…, rows, columns), in the product's dtype. */
typedef struct matrix {
    cu_array a; /* owned */
    bool vector;
} matrix;

static void
add_axis(cu_array *a, int at)
{
    for (int i = a->ndim++; i > at; i--) {
        a->shape[i] = a->shape[i - 1];
        a->strides[i] = a->strides[i - 1];
    }
    a->shape[at] = 1;
    a->strides[at] = 0;
}

static void
remove_axis(cu_array *a, int at)
{
    a->ndim--;
    for (int i = at; i < a->ndim; i++) {
        a->shape[i] = a->shape[i + 1];
        a->strides[i] = a->strides[i + 1];
    }
    cu_array_update_flags(a);
}

/* `vectors`: the last axis alone is of the product, the others count vectors. */
static cu_status
read_matrix(const cu_array *in, cu_dtype t, bool left, bool vectors, matrix *out)
{
    cu_status st = CUPRIC_OK;
    if (in->dtype == t) {
        cu_array_alias(&out->a, in);
    } else {
        st = cu_array_cast(in, t, 'K', &out->a);
        if (st) return st;
    }
    out->vector = vectors || in->ndim == 1;
    /* a row on the left, a column on the right */
    if (out->vector) add_axis(&out->a, left ? in->ndim - 1 : in->ndim);
    return st;
}

/* The shapes' joint batch and the product's shape; -1 with NumPy's words. */
static int
product_shape(const cu_array *a, const cu_array *b, int64_t *shape)
{
    int ndim = a->ndim - 2;
    char ta[CUPRIC_SHAPE_TEXT], tb[CUPRIC_SHAPE_TEXT];

    if (a->shape[a->ndim - 1] != b->shape[b->ndim - 2]) {
        PyErr_Format(
            PyExc_ValueError,
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with "
            "gufunc signature (n?,k),(k,m?)->(n?,m?) (size %lld is different from "
            "%lld)",
            (long long)b->shape[b->ndim - 2], (long long)a->shape[a->ndim - 1]);
        return -1;
    }
    memcpy(shape, a->shape, (size_t)ndim * sizeof *shape);
    if (!cu_shape_broadcast(&ndim, shape, b->ndim - 2, b->shape)) {
        PyErr_Format(PyExc_ValueError,
                     "operands could not be broadcast together with remapped shapes "
                     "[original->remapped]: %s and %s",
                     cu_shape_text(a->ndim, a->shape, ta, sizeof ta),
                     cu_shape_text(b->ndim, b->shape, tb, sizeof tb));
        return -1;
    }
    shape[ndim++] = a->shape[a->ndim - 2];
    shape[ndim++] = b->shape[b->ndim - 1];
    return ndim;
}

/* The view of `a` with its batch stretched to `ndim` axes. */
static void
batch_view(const cu_array *a, int ndim, const int64_t *shape, cu_view *v)
{
    int extra = ndim - a->ndim;
    v->ptr = cu_array_access(a, CUPRIC_READ);
    v->dtype = a->dtype;
    v->ndim = ndim;
    for (int i = 0; i < ndim - 2; i++) {
        bool stretched = i < extra || (a->shape[i - extra] == 1 && shape[i] != 1);
        v->shape[i] = shape[i];
        v->strides[i] = stretched ? 0 : a->strides[i - extra];
    }
    for (int i = 1; i <= 2; i++) {
        v->shape[ndim - i] = a->shape[a->ndim - i];
        v->strides[ndim - i] = a->strides[a->ndim - i];
    }
}

/* The vectors of a matrix's only row or column, in the batch of the product. */
static cu_status
vectors_of(const cu_array *a, int axis, const cu_array *c, cu_array *out)
{
    cu_array v; /* owned */
    int64_t shape[CUPRIC_MAXDIMS];
    cu_status st;

    cu_array_alias(&v, a);
    remove_axis(&v, axis);
    memcpy(shape, c->shape, (size_t)c->ndim * sizeof *shape);
    shape[c->ndim - 2] = v.shape[v.ndim - 1];
    st = cu_array_broadcast_to(&v, c->ndim - 1, shape, out);
    cu_array_release(&v);
    return st;
}

/* Whether each product is of a row and a column, of floating numbers or conjugated, on a
 * GPU: the sums of a reduction are several times faster than a library's matrix products. */
static bool
is_of_vectors(const cu_array *c, bool conjugates)
{
    return c->shape[c->ndim - 2] == 1 && c->shape[c->ndim - 1] == 1 &&
           (cu_dtypes[c->dtype].kind == 'f' || conjugates) &&
           !cu_device_on_host(cu_array_device(c));
}

static cu_status
multiply_vectors(const cu_array *a, const cu_array *b, cu_array *c)
{
    const int kinds[] = {c->dtype, c->dtype};
    cu_array x = cu_array_none(), y = cu_array_none(), out; /* owned */
    cu_reduction sums = {.op = CUPRIC_REDUCE_vecdot, .nin = 2, .in = {&x, &y}};
    cu_status st = vectors_of(a, a->ndim - 2, c, &x);

    if (!st) st = vectors_of(b, b->ndim - 1, c, &y);
    if (!st) {
        sums.sig = cu_ufunc_resolve(sums.op, kinds);
        sums.reduced[c->ndim - 2] = true;
        cu_array_alias(&out, c);
        remove_axis(&out, c->ndim - 1);
        remove_axis(&out, c->ndim - 2);
        st = cu_array_reduce(&sums, &out);
        cu_array_release(&out);
    }
    cu_array_release(&x);
    cu_array_release(&y);
    return st;
}

/* `conjugates`: a, where each product is of a row and a column. */
static cu_status
multiply(const cu_array *a, const cu_array *b, cu_array *c, bool conjugates)
{
    cu_device *device = cu_array_device(c);
    cu_stream *s = cu_stream_current(device);
    cu_matmul call = {.conjugates = conjugates};

    if (c->size == 0) return CUPRIC_OK;
    if (is_of_vectors(c, conjugates)) return multiply_vectors(a, b, c);
    if (a->shape[a->ndim - 1] == 0) {
        return device->backend->fill(cu_array_access(c, CUPRIC_WRITE), 0,
                                     (size_t)(c->size * cu_itemsize(c->dtype)), s);
    }
    batch_view(a, c->ndim, c->shape, &call.a);
    batch_view(b, c->ndim, c->shape, &call.b);
    cu_array_view_of(c, CUPRIC_WRITE, &call.c);
    return device->backend->matmul(&call, s);
}

/* Take the axes that stood for a vector out of the product again. */
static void
drop_axes(cu_array *c, bool rows, bool columns)
{
    if (columns) remove_axis(c, c->ndim - 1);
    if (rows) remove_axis(c, columns ? c->ndim - 1 : c->ndim - 2);
    cu_array_update_flags(c);
}

/* Whether `out` can hold the product: its last `ncore` axes are the product's, and the
 * others are what the product's broadcast to. */
static bool
holds_product(const cu_array *out, const cu_array *c, int ncore)
{
    int64_t shape[CUPRIC_MAXDIMS];
    int ndim = c->ndim - ncore, batch = out->ndim - ncore;

    if (batch < ndim) return false;
    memcpy(shape, c->shape, (size_t)ndim * sizeof *shape);
    return cu_shape_broadcast(&ndim, shape, batch, out->shape) &&
           memcmp(shape, out->shape, (size_t)batch * sizeof *shape) == 0 &&
           memcmp(c->shape + c->ndim - ncore, out->shape + batch,
                  (size_t)ncore * sizeof *shape) == 0;
}

static int
store_product(cu_array *c, int ncore, PyObject *out, const char *casting)
{
    const cu_array *both[2] = {c, NULL};
    cu_device *device = NULL;
    cu_array *o;
    char have[CUPRIC_SHAPE_TEXT], need[CUPRIC_SHAPE_TEXT];
    int ok;

    if (!py_array_check(out)) {
        py_raise_unsupported(out);
        return -1;
    }
    o = py_array_target(out);
    both[1] = o;
    if (cu_common_device(2, both, &device)) return py_raise_int();
    if (!(o->flags & CUPRIC_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "output array is read-only");
        return -1;
    }
    if (!holds_product(o, c, ncore)) {
        PyErr_Format(PyExc_ValueError,
                     "matmul: output operand has shape %s, the product %s",
                     cu_shape_text(o->ndim, o->shape, have, sizeof have),
                     cu_shape_text(c->ndim, c->shape, need, sizeof need));
        return -1;
    }
    ok = py_can_cast(c->dtype, o->dtype, casting);
    if (ok <= 0) {
        if (ok == 0) {
            PyErr_Format(PyExc_TypeError,
                         "Cannot cast ufunc 'matmul' output from dtype('%s') to "
                         "dtype('%s') with casting rule '%s'",
                         cu_dtypes[c->dtype].name, cu_dtypes[o->dtype].name,
                         casting ? casting : "same_kind");
        }
        return -1;
    }
    if (py_warn_complex(c->dtype, o->dtype) < 0) return -1;
    return cu_array_assign(o, c, NULL) ? py_raise_int() : 0;
}

/* `vectors`: as of read_matrix, for arrays that have room for one more axis; `conjugates`:
 * as of multiply. */
static PyObject *
matmul(PyObject *x1, PyObject *x2, PyObject *out, const char *casting, cu_dtype dtype,
       bool vectors, bool conjugates)
{
    const cu_array *in[2];
    matrix a, b;                  /* owned */
    cu_array c = cu_array_none(); /* owned */
    int64_t shape[CUPRIC_MAXDIMS];
    cu_device *device = NULL;
    cu_status st;
    int ndim;
    PyObject *r = NULL;

    cu_array_clear(&a.a);
    cu_array_clear(&b.a);
    in[0] = py_array_get(x1);
    in[1] = py_array_get(x2);
    for (int k = 0; k < 2; k++) {
        if (in[k]->ndim > 0) continue;
        PyErr_Format(PyExc_ValueError,
                     "matmul: Input operand %d does not have enough dimensions (has 0, "
                     "gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)",
                     k);
        return NULL;
    }
    for (int k = 0; k < 2; k++) {
        if (py_require_numbers(in[k], "a product") < 0) return NULL;
    }
    if (dtype == CUPRIC_NO_DTYPE) dtype = cu_promote(in[0]->dtype, in[1]->dtype);
    for (int k = 0; k < 2; k++) {
        int ok = py_can_cast(in[k]->dtype, dtype, casting);
        if (ok < 0 || (ok && py_warn_complex(in[k]->dtype, dtype) < 0)) return NULL;
        if (ok) continue;
        PyErr_Format(
            PyExc_TypeError,
            "Cannot cast ufunc 'matmul' input %d from dtype('%s') to dtype('%s') "
            "with casting rule '%s'",
            k, cu_dtypes[in[k]->dtype].name, cu_dtypes[dtype].name,
            casting ? casting : "same_kind");
        return NULL;
    }
    if (cu_common_device(2, in, &device)) return py_raise();
    if (read_matrix(in[0], dtype, true, vectors, &a) ||
        read_matrix(in[1], dtype, false, vectors, &b)) {
        py_raise();
        goto done;
    }
    ndim = product_shape(&a.a, &b.a, shape);
    if (ndim < 0) goto done;
    if (cu_array_init(&c, device, dtype, ndim, shape, 'C')) {
        py_raise();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    st = multiply(&a.a, &b.a, &c, conjugates);
    Py_END_ALLOW_THREADS
    if (st) {
        py_raise();
        goto done;
    }
    drop_axes(&c, a.vector, b.vector);
    if (out) {
        int ncore = 2 - a.vector - b.vector;
        if (store_product(&c, ncore, out, casting) == 0) r = Py_NewRef(out);
    } else {
        r = py_array_new(&c);
    }

done:
    cu_array_release(&a.a);
    cu_array_release(&b.a);
    cu_array_release(&c);
    return r;
}

/* matmul(x1, x2, axes=…), by its arguments: rare, so composed of the plain one. */
static PyObject *
matmul_along(PyObject *const *v)
{
    PyObject *m = PyImport_ImportModule("cupric.linalg._products"), *r; /* owned */

    if (m == NULL) return NULL;
    r = PyObject_CallMethod(m, "matmul_along", "OOOOOO", v[0], v[1], v[7],
                            v[2] ? v[2] : Py_None, v[3] ? v[3] : Py_None,
                            v[5] ? v[5] : Py_None);
    Py_DECREF(m);
    return r;
}

static PyObject *
py_matmul(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"x1",    "x2",    "out",  "casting", "order",
                                        "dtype", "subok", "axes", NULL};
    py_operand in[2] = {py_operand_none(), py_operand_none()};
    PyObject *v[8], *out = NULL, *r = NULL;
    cu_dtype dtype = CUPRIC_NO_DTYPE;
    const char *casting = NULL;
    (void)self;

    if (py_args_parse("matmul", args, nargs, kwnames, names, 3, 2, v) < 0) return NULL;
    if (CUPRIC_UNLIKELY(v[7] != NULL)) return matmul_along(v);
    if (!py_is_absent(v[2])) {
        out = PyTuple_Check(v[2]) && PyTuple_GET_SIZE(v[2]) == 1
                  ? PyTuple_GET_ITEM(v[2], 0)
                  : v[2];
        if (out == Py_None) out = NULL;
    }
    if (!py_is_absent(v[3])) {
        casting = PyUnicode_AsUTF8(v[3]);
        if (casting == NULL) return NULL;
    }
    if (!py_is_absent(v[5]) && py_dtype_convert(v[5], &dtype) < 0) return NULL;
    for (int k = 0; k < 2; k++) {
        if (py_operand_require(v[k], &in[k]) < 0) goto done;
        if (in[k].array) continue;
        PyErr_Format(PyExc_ValueError,
                     "matmul: Input operand %d does not have enough dimensions (has 0, "
                     "gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)",
                     k);
        goto done;
    }
    r = matmul(in[0].object, in[1].object, out, casting, dtype, false, false);

done:
    py_operand_release(&in[0]);
    py_operand_release(&in[1]);
    return r;
}

/* dot, inner, vdot, vecdot, matvec and vecmat. The common products are one of matmul's: of
 * two vectors, of a matrix and a vector, for dot of matrices and for vecdot of stacks of
 * vectors. For the others there are
 * functions of the same names in Python. */
enum { DOT, INNER, VDOT, VECDOT, MATVEC, VECMAT, N_PRODUCTS };

/* Whether a product of matrices reads the vectors along the last axis as they lie, and
 * takes no more time for them than a reduction: of float16 it does. */
static bool
are_dense_vectors(const cu_array *a)
{
    const char kind = cu_dtypes[a->dtype].kind;
    const bool on_host = cu_device_on_host(cu_array_device(a));

    return a->ndim >= 1 && a->ndim < CUPRIC_MAXDIMS &&
           (kind == 'f' ? cu_itemsize(a->dtype) >= 4 : kind == 'c' || on_host) &&
           a->strides[a->ndim - 1] == cu_itemsize(a->dtype);
}

static bool
is_one_product(int which, const cu_array *a, const cu_array *b)
{
    const bool vectors = a->ndim == 1 && b->ndim == 1 && a->shape[0] == b->shape[0];

    switch (which) {
    case DOT:
        return vectors || (a->ndim >= 1 && a->ndim <= 2 && b->ndim >= 1 &&
                           b->ndim <= 2 && a->shape[a->ndim - 1] == b->shape[0]);
    case INNER:
    case VDOT: return vectors;
    case VECDOT:
        return are_dense_vectors(a) && are_dense_vectors(b) &&
               a->shape[a->ndim - 1] == b->shape[b->ndim - 1];
    case MATVEC: return a->ndim == 2 && b->ndim == 1;
    default: return a->ndim == 1 && b->ndim == 2 && cu_dtypes[a->dtype].kind != 'c';
    }
}

static PyObject *
product(int which, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"dot",    "inner",  "vdot",
                                        "vecdot", "matvec", "vecmat"};
    static PyObject *composed[N_PRODUCTS]; /* owned */

    if (nargs == 2 && !kwnames && py_array_check(args[0]) && py_array_check(args[1]) &&
        is_one_product(which, py_array_get(args[0]), py_array_get(args[1]))) {
        const bool is_complex = cu_dtypes[py_array_get(args[0])->dtype].kind == 'c' ||
                                cu_dtypes[py_array_get(args[1])->dtype].kind == 'c';
        const bool conjugates = is_complex && (which == VDOT || which == VECDOT);
        return matmul(args[0], args[1], NULL, NULL, CUPRIC_NO_DTYPE, which == VECDOT,
                      conjugates);
    }
    if (composed[which] == NULL) {
        PyObject *m = PyImport_ImportModule("cupric.linalg._products"); /* owned */
        if (m) composed[which] = PyObject_GetAttrString(m, names[which]);
        Py_XDECREF(m);
        if (composed[which] == NULL) return NULL;
    }
    return PyObject_Vectorcall(composed[which], args, (size_t)nargs, kwnames);
}

#define PRODUCT(function, which)                                                       \
    static PyObject *function(PyObject *self, PyObject *const *args, Py_ssize_t nargs, \
                              PyObject *kwnames)                                       \
    {                                                                                  \
        (void)self;                                                                    \
        return product(which, args, nargs, kwnames);                                   \
    }
PRODUCT(py_dot, DOT)
PRODUCT(py_inner, INNER)
PRODUCT(py_vdot, VDOT)
PRODUCT(py_vecdot, VECDOT)
PRODUCT(py_matvec, MATVEC)
PRODUCT(py_vecmat, VECMAT)

/* ---- factorisations ------------------------------------------------------------------ */

/* How the results of each kind relate to the first input (…, m, n): letters are lengths,
 * k = min(m, n), r the columns of the right-hand side; then a letter for the dtype: t the
 * input's, s its real type, c its complex type, i int32. */
static const struct {
    const char *name;
    int nin;
    const char *out[3];
} linalg_kinds[CUPRIC_N_LINALG] = {
    [CUPRIC_LINALG_SOLVE] = {"solve", 2, {"nrt"}},
    [CUPRIC_LINALG_INV] = {"inv", 1, {"nnt"}},
    [CUPRIC_LINALG_DET] = {"det", 1, {"t"}},
    [CUPRIC_LINALG_SLOGDET] = {"slogdet", 1, {"t", "s"}},
    [CUPRIC_LINALG_CHOLESKY] = {"cholesky", 1, {"nnt"}},
    [CUPRIC_LINALG_QR] = {"qr", 1, {"mkt", "knt"}},
    [CUPRIC_LINALG_SVD] = {"svd", 1, {"mkt", "ks", "knt"}},
    [CUPRIC_LINALG_SVDVALS] = {"svdvals", 1, {"ks"}},
    [CUPRIC_LINALG_EIGH] = {"eigh", 1, {"ns", "nnt"}},
    [CUPRIC_LINALG_EIGVALSH] = {"eigvalsh", 1, {"ns"}},
    [CUPRIC_LINALG_EIG] = {"eig", 1, {"nc", "nnc"}},
    [CUPRIC_LINALG_EIGVALS] = {"eigvals", 1, {"nc"}},
    [CUPRIC_LINALG_LSTSQ] = {"lstsq", 2, {"nrt", "i", "ks"}},
    [CUPRIC_LINALG_LU] = {"lu", 1, {"mnt", "ki"}},
    [CUPRIC_LINALG_TRIANGULAR] = {"triangular", 2, {"nrt"}},
};

static cu_dtype
real_of(cu_dtype t)
{
    if (t == CUPRIC_COMPLEX64) return CUPRIC_FLOAT32;
    return t == CUPRIC_COMPLEX128 ? CUPRIC_FLOAT64 : t;
}

static cu_dtype
complex_of(cu_dtype t)
{
    if (t == CUPRIC_FLOAT32) return CUPRIC_COMPLEX64;
    return t == CUPRIC_FLOAT64 ? CUPRIC_COMPLEX128 : t;
}

/* One result of a factorisation. `full`: complete bases (k means m for the left factor,
 * n for the right). */
static cu_status
make_factor(const char *spec, const cu_array *a, int64_t columns, bool full, int which,
            cu_array *out)
{
    int64_t shape[CUPRIC_MAXDIMS];
    int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1];
    int ndim = a->ndim - 2;
    cu_dtype t = a->dtype;
    bool wide =
        full && spec[1] && spec[2]; /* matrices grow, vectors of values do not */

    memcpy(shape, a->shape, (size_t)ndim * sizeof *shape);
    for (const char *p = spec; *p; p++) {
        switch (*p) {
        case 'm': shape[ndim++] = m; break;
        case 'n': shape[ndim++] = n; break;
        case 'r': shape[ndim++] = columns; break;
        case 'k': shape[ndim++] = wide ? (which == 2 ? n : m) : (m < n ? m : n); break;
        case 's': t = real_of(t); break;
        case 'c': t = complex_of(t); break;
        case 'i': t = CUPRIC_INT32; break;
        default: break;
        }
    }
    return cu_array_init(out, cu_array_device(a), t, ndim, shape, 'C');
}

/* The results of a kind. */
static const char *const *
factors_of(long kind, long flag)
{
    static const char *const raw[3] = {"nmt", "kt"};

    if (kind == CUPRIC_LINALG_QR && flag == 2) return raw;
    return linalg_kinds[kind].out;
}

/* _linalg(kind, flag, a[, b[, rcond]]): the results of one cu_linalg call, as a tuple.
 * Inputs are arrays of one dtype that LAPACK has, checked by the Python callers. */
static PyObject *
py_linalg(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    cu_array in[2] = {cu_array_none(), cu_array_none()};                   /* owned */
    cu_array out[3] = {cu_array_none(), cu_array_none(), cu_array_none()}; /* owned */
    cu_linalg call = {0};
    cu_device *device = NULL;
    int64_t columns = 1;
    PyObject *r = NULL;
    long kind, flag;
    cu_status st;
    (void)self;

    if (nargs < 3 || nargs > 5) {
        PyErr_SetString(PyExc_TypeError, "_linalg() takes 3 to 5 arguments");
        return NULL;
    }
    kind = PyLong_AsLong(args[0]);
    flag = PyLong_AsLong(args[1]);
    if (nargs == 5) call.rcond = PyFloat_AsDouble(args[--nargs]);
    if (PyErr_Occurred()) return NULL;
    if (kind < 0 || kind >= CUPRIC_N_LINALG || !linalg_kinds[kind].name ||
        nargs - 2 != linalg_kinds[kind].nin) {
        PyErr_SetString(PyExc_ValueError, "_linalg(): no such kind");
        return NULL;
    }
    call.kind = (cu_linalg_kind)kind;
    const bool has_bits = kind == CUPRIC_LINALG_TRIANGULAR;
    const bool is_raw = kind == CUPRIC_LINALG_QR && flag == 2;
    call.flag = has_bits || is_raw ? (int)flag : flag != 0; /* any truth, of a user's */
    call.nin = linalg_kinds[kind].nin;
    const cu_array *given[2];
    for (int k = 0; k < call.nin; k++) {
        if (!py_array_check(args[2 + k])) {
            py_raise_unsupported(args[2 + k]);
            goto done;
        }
        given[k] = py_array_get(args[2 + k]);
    }
    if (cu_common_device(call.nin, given, &device)) {
        py_raise();
        goto done;
    }
    for (int k = 0; k < call.nin; k++) {
        if (py_require_numbers(given[k], "linalg") < 0) goto done;
        if (given[k]->flags & CUPRIC_C_CONTIGUOUS) {
            cu_array_alias(&in[k], given[k]); /* no verb writes to it */
        } else if (cu_array_cast(given[k], given[k]->dtype, 'C', &in[k])) {
            py_raise();
            goto done;
        }
        if (in[k].ndim < 2) {
            PyErr_SetString(PyExc_ValueError,
                            "_linalg(): matrices have two dimensions");
            goto done;
        }
        cu_array_view_of(&in[k], CUPRIC_READ, &call.in[k]);
    }
    if (call.nin == 2) columns = in[1].shape[in[1].ndim - 1];
    const char *const *const factors = factors_of(kind, flag);
    for (; call.nout < 3 && factors[call.nout]; call.nout++) {
        if (make_factor(factors[call.nout], &in[0], columns, flag != 0, call.nout,
                        &out[call.nout])) {
            py_raise();
            goto done;
        }
        cu_array_view_of(&out[call.nout], CUPRIC_WRITE, &call.out[call.nout]);
    }
    Py_BEGIN_ALLOW_THREADS
    st = device->backend->linalg(&call, cu_stream_current(device));
    Py_END_ALLOW_THREADS
    if (st) {
        py_raise();
        goto done;
    }
    r = PyTuple_New(call.nout);
    for (int k = 0; r && k < call.nout; k++) {
        PyObject *o = py_array_new(&out[k]);
        if (o == NULL) Py_CLEAR(r);
        if (r) PyTuple_SET_ITEM(r, k, o);
    }

done:
    for (int k = 0; k < 2; k++) cu_array_release(&in[k]);
    for (int k = 0; k < 3; k++) cu_array_release(&out[k]);
    return r;
}

#define FAST(f) (PyCFunction)(void (*)(void)) f, METH_FASTCALL | METH_KEYWORDS

static PyMethodDef functions[] = {
    {"dot", FAST(py_dot),
     "dot(a, b, out=None)\n--\n\n"
     "Dot product: of vectors, of matrices, over the last and the second-to-last "
     "axis.\n\n"
     "Parameters\n----------\n"
     "a : cupric.ndarray, shape (..., k)\n"
     "b : cupric.ndarray, shape (k,) or (..., k, n)\n"
     "out : cupric.ndarray, optional\n"
     "    Receives the result; it must have its shape and dtype.\n\n"
     "Returns\n-------\n"
     "cupric.ndarray\n"
     "    Shape ``a.shape[:-1] + b.shape[:-2] + b.shape[-1:]``; new array.\n\n"
     "Examples\n--------\n"
     ">>> cp.dot(cp.array([[1, 2], [3, 4]]), cp.array([10, 1]))\n"
     "array([12, 34])\n"},
    {"inner", FAST(py_inner),
     "inner(a, b)\n--\n\n"
     "Sum of products over the last axes of both arrays.\n\n"
     "Parameters\n----------\n"
     "a, b : cupric.ndarray\n    With last axes of one length.\n\n"
     "Returns\n-------\n"
     "cupric.ndarray\n    Shape ``a.shape[:-1] + b.shape[:-1]``.\n\n"
     "Examples\n--------\n"
     ">>> cp.inner(cp.array([[1, 2], [3, 4]]), cp.array([10, 1]))\n"
     "array([12, 34])\n"},
    {"vdot", FAST(py_vdot),
     "vdot(a, b)\n--\n\n"
     "Dot product of two flattened arrays, the first one conjugated.\n\n"
     "Parameters\n----------\n"
     "a, b : cupric.ndarray\n    Of one size.\n\n"
     "Returns\n-------\n"
     "cupric.ndarray, shape ()\n\n"
     "Examples\n--------\n"
     ">>> cp.vdot(cp.array([1j, 2]), cp.array([1j, 3]))\n"
     "array(7.+0.j)\n"},
    {"vecdot", FAST(py_vecdot),
     "vecdot(x1, x2, /, out=None, *, axis=-1)\n--\n\n"
     "Dot products of vectors along one axis, the first ones conjugated.\n\n"
     "Parameters\n----------\n"
     "x1, x2 : cupric.ndarray\n"
     "    Broadcast against each other but for `axis`, on which they agree.\n"
     "out : cupric.ndarray, optional\n    Receives the products.\n"
     "axis : int, optional\n    Where the vectors lie.\n\n"
     "Returns\n-------\n"
     "cupric.ndarray\n    The broadcast shape without `axis`.\n\n"
     "Examples\n--------\n"
     ">>> cp.vecdot(cp.array([[1, 2], [3, 4]]), cp.array([10, 1]))\n"
     "array([12, 34])\n"},
    {"matvec", FAST(py_matvec),
     "matvec(x1, x2, /, out=None)\n--\n\n"
     "Products of matrices and vectors: the sum over the last axis of both.\n\n"
     "Parameters\n----------\n"
     "x1 : cupric.ndarray, shape (..., m, n)\n"
     "x2 : cupric.ndarray, shape (..., n)\n"
     "out : cupric.ndarray, optional\n    Receives the products.\n\n"
     "Returns\n-------\n"
     "cupric.ndarray, shape (..., m)\n\n"
     "Examples\n--------\n"
     ">>> cp.matvec(cp.array([[1, 2], [3, 4]]), cp.array([10, 1]))\n"
     "array([12, 34])\n"},
    {"vecmat", FAST(py_vecmat),
     "vecmat(x1, x2, /, out=None)\n--\n\n"
     "Products of vectors, conjugated, and matrices.\n\n"
     "Parameters\n----------\n"
     "x1 : cupric.ndarray, shape (..., n)\n"
     "x2 : cupric.ndarray, shape (..., n, m)\n"
     "out : cupric.ndarray, optional\n    Receives the products.\n\n"
     "Returns\n-------\n"
     "cupric.ndarray, shape (..., m)\n\n"
     "Examples\n--------\n"
     ">>> cp.vecmat(cp.array([10, 1]), cp.array([[1, 2], [3, 4]]))\n"
     "array([13, 24])\n"},
    {"matmul", FAST(py_matmul),
     "matmul(x1, x2, out=None, *, casting='same_kind', order='K', dtype=None, "
     "subok=True, axes=None)\n--\n\n"
     "Matrix product of the last two axes, broadcast over the others.\n\n"
     "Parameters\n----------\n"
     "x1, x2 : cupric.ndarray, shapes (..., m, k) and (..., k, n)\n"
     "    A one-dimensional argument is a row on the left and a column on the right; "
     "the\n"
     "    axis it gains is taken out of the result.\n"
     "out : cupric.ndarray, optional\n    Receives the product.\n"
     "casting, order, dtype, subok : optional\n    As for ufuncs.\n"
     "axes : list of three tuples of ints, optional\n"
     "    Where the matrices lie in `x1`, in `x2` and in the result.\n\n"
     "Returns\n-------\n"
     "cupric.ndarray, shape (..., m, n)\n    New array, in the promoted dtype.\n\n"
     "Examples\n--------\n"
     ">>> cp.matmul(cp.array([[1, 2], [3, 4]]), cp.array([10, 1]))\n"
     "array([12, 34])\n"},
    {"_linalg", (PyCFunction)(void (*)(void))py_linalg, METH_FASTCALL, NULL},
    {NULL},
};

int
py_linear_init(PyObject *module)
{
    static const struct {
        const char *name;
        int value;
    } kinds[] = {
        {"_SOLVE", CUPRIC_LINALG_SOLVE},
        {"_INV", CUPRIC_LINALG_INV},
        {"_DET", CUPRIC_LINALG_DET},
        {"_SLOGDET", CUPRIC_LINALG_SLOGDET},
        {"_CHOLESKY", CUPRIC_LINALG_CHOLESKY},
        {"_QR", CUPRIC_LINALG_QR},
        {"_SVD", CUPRIC_LINALG_SVD},
        {"_SVDVALS", CUPRIC_LINALG_SVDVALS},
        {"_EIGH", CUPRIC_LINALG_EIGH},
        {"_EIGVALSH", CUPRIC_LINALG_EIGVALSH},
        {"_EIG", CUPRIC_LINALG_EIG},
        {"_EIGVALS", CUPRIC_LINALG_EIGVALS},
        {"_LSTSQ", CUPRIC_LINALG_LSTSQ},
        {"_LU", CUPRIC_LINALG_LU},
        {"_TRIANGULAR", CUPRIC_LINALG_TRIANGULAR},
        {"_UPPER", CUPRIC_TRIANGULAR_UPPER},
        {"_UNIT", CUPRIC_TRIANGULAR_UNIT},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (PyModule_AddIntConstant(module, kinds[i].name, kinds[i].value) < 0)
            return -1;
    }
    return PyModule_AddFunctions(module, functions);
}
