/* ops/py_reduction.c: reductions and scans over Python arguments: types, axes, outputs.
 *
 * `x.sum()` is the short path: two table look-ups, an output from the pool, one call of
 * the backend.
 */
#include "ops/py_reduction.h"

#include <math.h>
#include <string.h>

#include "layout/py_args.h"
#include "layout/py_shape.h"
#include "ops/py_ufunc.h"

/* ---- types --------------------------------------------------------------------------- */

/* Sums and products of small integers are made in 64 bits. */
static cu_dtype
widened(int op, cu_dtype t)
{
    char kind = cu_dtypes[t].kind;
    if (!(cu_ufuncs[op].traits & WIDENS)) return t;
    return kind == 'b' || kind == 'i' ? CUPRIC_INT64 : kind == 'u' ? CUPRIC_UINT64 : t;
}

static bool
is_uniform(const cu_signature *s)
{
    return s->type[0] == s->type[1] && s->type[0] == s->type[2];
}

int
py_reduce_signature(int op, cu_dtype in, cu_dtype dtype, cu_dtype out)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    int kinds[2], sig;
    cu_dtype made;

    if (CUPRIC_UNLIKELY(u->family)) {
        PyErr_Format(PyExc_TypeError,
                     "%s is a special function, by which nothing is reduced", u->name);
        return -1;
    }

    if (u->integers ==
        CUPRIC_INTEGERS_TRUTH) { /* in bool, of whatever converts to it */
        if (dtype != CUPRIC_NO_DTYPE && dtype != CUPRIC_BOOL)
            return py_ufunc_raise_no_loop(op);
        dtype = CUPRIC_BOOL;
    }
    if (dtype != CUPRIC_NO_DTYPE) {
        kinds[0] = kinds[1] = (int)dtype;
    } else if (out != CUPRIC_NO_DTYPE) {
        kinds[0] = (int)out;
        kinds[1] = (int)in;
    } else {
        kinds[0] = kinds[1] = (int)widened(op, in);
    }
    sig = cu_ufunc_resolve(op, kinds);
    if (CUPRIC_UNLIKELY(sig < 0)) {
        cu_ufunc_no_loop(op, kinds);
        return py_raise_int();
    }
    if (CUPRIC_LIKELY(is_uniform(&u->sigs[sig]))) {
        bool as_asked = dtype == CUPRIC_NO_DTYPE || u->sigs[sig].type[2] == dtype;
        return as_asked ? sig : py_ufunc_raise_no_loop(op);
    }
    /* Quotients of integers are floats: the reduction is made in their dtype. And only
     * of bool are there comparisons whose results can be compared again. */
    made = u->sigs[sig].type[2];
    if (dtype != CUPRIC_NO_DTYPE ? dtype != made : made == CUPRIC_BOOL && in != made) {
        return py_ufunc_raise_no_loop(op);
    }
    sig = cu_ufunc_find_same(op, made);
    return sig < 0 ? py_ufunc_raise_no_loop(op) : sig;
}

/* ---- arguments ----------------------------------------------------------------------- */

PyObject *
py_array_require(PyObject *o)
{
    return py_array_require_on(o, cu_device_current());
}

PyObject *
py_array_require_on(PyObject *o, cu_device *device)
{
    py_operand p;
    cu_array a = cu_array_none();
    cu_scalar value;

    if (CUPRIC_LIKELY(py_array_check(o))) return Py_NewRef(o);
    if (py_operand_require(o, &p) < 0) return NULL;
    if (p.array) return p.owned ? p.owned : Py_NewRef(p.object);
    if (py_scalar_store(&p.scalar, p.scalar.dtype, &value) < 0) return NULL;
    if (cu_array_init(&a, device, p.scalar.dtype, 0, NULL, 'C')) {
        return py_raise();
    }
    if (cu_array_fill(&a, p.scalar.dtype, &value, NULL)) {
        cu_array_release(&a);
        return py_raise();
    }
    return py_array_new(&a);
}

int
py_output_unpack(PyObject *o, PyObject **out)
{
    if (o && PyTuple_Check(o)) {
        if (PyTuple_GET_SIZE(o) != 1) {
            PyErr_SetString(
                PyExc_ValueError,
                "The 'out' tuple must have exactly one entry per ufunc output");
            return -1;
        }
        o = PyTuple_GET_ITEM(o, 0);
    }
    *out = o == Py_None ? NULL : o;
    return 0;
}

int
py_output_require(PyObject *o, const char *fname, int ndim, const int64_t *shape,
                  cu_array **out)
{
    char have[CUPRIC_SHAPE_TEXT], need[CUPRIC_SHAPE_TEXT];
    cu_array *a;

    if (!py_array_check(o)) {
        PyErr_Format(PyExc_TypeError,
                     "return arrays must be of cupric.ndarray type, not %R",
                     Py_TYPE(o));
        return -1;
    }
    a = py_array_target(o);
    if (!(a->flags & CUPRIC_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "output array is read-only");
        return -1;
    }
    if (a->ndim != ndim) {
        PyErr_Format(
            PyExc_ValueError,
            "output parameter for reduction operation %s has the wrong number of "
            "dimensions: Found %d but expected %d",
            fname, a->ndim, ndim);
        return -1;
    }
    if (memcmp(a->shape, shape, (size_t)ndim * sizeof *shape) != 0) {
        PyErr_Format(PyExc_ValueError,
                     "output parameter for reduction operation %s has shape %s but the "
                     "result has shape %s",
                     fname, cu_shape_text(a->ndim, a->shape, have, sizeof have),
                     cu_shape_text(ndim, shape, need, sizeof need));
        return -1;
    }
    *out = a;
    return 0;
}

/* Which axes go. Returns how many, or -1. */
static int
read_axes(PyObject *axis, int ndim, bool *reduced)
{
    int axes[CUPRIC_MAXDIMS], n;

    if (py_is_absent(axis)) {
        for (int i = 0; i < ndim; i++) reduced[i] = true;
        return ndim;
    }
    /* NumPy lets 0-d arrays be reduced over axis 0 or -1, given as an int. */
    if (ndim == 0 && PyLong_Check(axis)) {
        long v = PyLong_AsLong(axis);
        if (v == 0 || (v == -1 && !PyErr_Occurred())) return 0;
        PyErr_Clear();
    }
    n = py_axes_read(axis, ndim, axes);
    if (n < 0) return -1;
    for (int i = 0; i < ndim; i++) reduced[i] = false;
    for (int i = 0; i < n; i++) reduced[axes[i]] = true;
    return n;
}

static int
read_bool(PyObject *o)
{
    if (o == NULL || o == Py_False || o == Py_None) return 0;
    return o == Py_True ? 1 : PyObject_IsTrue(o);
}

/* A start value becomes what the reduction is made in as by int() or float(). */
static int
store_initial(const py_scalar *s, cu_dtype t, cu_scalar *value)
{
    const char kind = cu_dtypes[t].kind;
    const double re =
        s->weak == PY_STRONG ? cu_scalar_get_double(&s->value, s->dtype, NULL) : s->re;

    if (cu_dtypes[s->dtype].kind == 'c' && strchr("iuf", kind)) {
        PyErr_Format(PyExc_TypeError,
                     "the initial value of a reduction in %s must be real, not complex",
                     cu_dtypes[t].name);
        return -1;
    }
    if (cu_dtypes[s->dtype].kind == 'f' && strchr("iu", kind) && !isfinite(re)) {
        PyErr_Format(isnan(re) ? PyExc_ValueError : PyExc_OverflowError,
                     "cannot convert float %s to the integer that a reduction in %s "
                     "starts with",
                     isnan(re) ? "NaN" : "infinity", cu_dtypes[t].name);
        return -1;
    }
    return py_scalar_store(s, t, value);
}

static int
read_initial(PyObject *o, cu_dtype t, cu_scalar *value)
{
    py_operand p;
    py_scalar strong = {.weak = PY_STRONG};

    if (py_operand_require(o, &p) < 0) return -1;
    if (p.array == NULL) return store_initial(&p.scalar, t, value);
    if (p.array->ndim != 0) {
        PyErr_SetString(PyExc_ValueError,
                        "the initial value of a reduction must be a scalar");
        py_operand_release(&p);
        return -1;
    }
    strong.dtype = p.array->dtype;
    if (cu_array_get(p.array, &strong.value)) {
        py_operand_release(&p);
        return py_raise_int();
    }
    py_operand_release(&p);
    return store_initial(&strong, t, value);
}

static int
check_mask(const cu_array *mask, const cu_array *in)
{
    int64_t shape[CUPRIC_MAXDIMS];
    int ndim = in->ndim;
    char have[CUPRIC_SHAPE_TEXT], need[CUPRIC_SHAPE_TEXT];

    memcpy(shape, in->shape, (size_t)ndim * sizeof *shape);
    if (cu_shape_broadcast(&ndim, shape, mask->ndim, mask->shape) && ndim == in->ndim &&
        memcmp(shape, in->shape, (size_t)ndim * sizeof *shape) == 0) {
        return 0;
    }
    PyErr_Format(
        PyExc_ValueError,
        "the `where` mask of shape %s does not broadcast to the array's shape %s",
        cu_shape_text(mask->ndim, mask->shape, have, sizeof have),
        cu_shape_text(in->ndim, in->shape, need, sizeof need));
    return -1;
}

/* ---- reduce -------------------------------------------------------------------------- */

/* What is reduced, once types are chosen. */
typedef struct py_reduction {
    int op, sig;
    cu_dtype result;       /* of a new output */
    const cu_array *other; /* borrowed: the second input, or NULL */
    double param;
} py_reduction;

static int
run(const cu_reduction *c, cu_array *out)
{
    cu_status st;
    if (py_is_long(c->in[0]->size)) {
        Py_BEGIN_ALLOW_THREADS
        st = cu_array_reduce(c, out);
        Py_END_ALLOW_THREADS
    } else {
        st = cu_array_reduce(c, out);
    }
    return st ? py_raise_int() : 0;
}

/* Operations whose operands may not be regrouped are reduced along one axis, and masks and
 * empty arrays need a value to start from. */
static int
check_rules(const cu_reduction *c, int naxes)
{
    const cu_ufunc *u = &cu_ufuncs[c->op];
    cu_scalar unused;

    if (naxes > 1 && u->identity == CUPRIC_IDENTITY_NONE) {
        PyErr_Format(
            PyExc_ValueError,
            "reduction operation '%s' is not reorderable, so at most one axis may "
            "be specified",
            u->name);
        return -1;
    }
    if (c->mask && !c->initial &&
        (c->no_identity || !cu_reduction_identity(c->op, c->sig, &unused))) {
        PyErr_Format(
            PyExc_ValueError,
            "reduction operation '%s' does not have an identity, so to use a where "
            "mask one has to specify 'initial'",
            u->name);
        return -1;
    }
    return 0;
}

static int
result_shape(const cu_array *in, const bool *reduced, bool keepdims, int64_t *shape)
{
    int ndim = 0;
    for (int i = 0; i < in->ndim; i++) {
        if (!reduced[i]) {
            shape[ndim++] = in->shape[i];
        } else if (keepdims) {
            shape[ndim++] = 1;
        }
    }
    return ndim;
}

/* A new result, its axes in the order in which they lie in `in`: those that remain beside
 * each other stay so in both, and are walked as one. */
static cu_status
init_result(cu_array *out, const cu_array *in, const bool *reduced, cu_dtype dtype,
            int ndim, const int64_t *shape)
{
    cu_array like = cu_array_none();
    bool kept_dims = ndim == in->ndim;

    if (ndim < 2 || cu_array_is_contiguous(in) || !cu_array_has_order(in)) {
        return cu_array_init(out, cu_array_device(in), dtype, ndim, shape, 'C');
    }
    like.flags = 0;
    for (int i = 0; i < in->ndim; i++) {
        if (reduced[i] && !kept_dims) continue;
        like.shape[like.ndim] = reduced[i] ? 1 : in->shape[i];
        like.strides[like.ndim++] = in->strides[i];
    }
    return cu_array_init_like(out, cu_array_device(in), dtype, &like);
}

/* Into `out`, by way of an array of the signature's own dtype where a start value would
 * otherwise be read in another. */
static int
run_into(const cu_reduction *c, cu_dtype own, cu_array *out)
{
    cu_array exact; /* owned */
    int r;

    if (c->initial == NULL || out->dtype == own) return run(c, out);
    if (cu_array_init_like(&exact, cu_array_device(out), own, out))
        return py_raise_int();
    r = run(c, &exact);
    if (r == 0 && cu_array_assign(out, &exact, NULL)) r = py_raise_int();
    cu_array_release(&exact);
    return r;
}

/* Axis, out, keepdims, initial and where are read here. New reference. */
static PyObject *
run_chosen(const py_reduction *r, PyObject *array, const py_reduce_args *args)
{
    const cu_ufunc *u = &cu_ufuncs[r->op];
    const cu_dtype own = u->sigs[r->sig].type[u->nin];
    cu_array whole, *in = &whole; /* borrowed: reading arguments may change the shape */
    cu_reduction c;
    cu_array made, *out = NULL; /* made: owned */
    cu_scalar initial;
    PyObject *mask = NULL, *given, *result = NULL; /* mask: owned */
    int64_t shape[CUPRIC_MAXDIMS];
    int naxes, ndim, keepdims;

    cu_array_clear(&made);
    cu_array_borrow(&whole, py_array_get(array));
    c.op = r->op;
    c.sig = r->sig;
    c.nin = r->other ? 2 : 1;
    c.in[0] = in;
    c.in[1] = r->other;
    c.mask = NULL;
    c.no_identity = args->initial == Py_None;
    c.initial = NULL;
    c.param = r->param;

    if (r->other && check_mask(r->other, in) < 0) return NULL;
    naxes = read_axes(args->axis, in->ndim, c.reduced);
    if (naxes < 0) return NULL;
    c.ordered = u->is_position && naxes > 1;
    keepdims = read_bool(args->keepdims);
    if (keepdims < 0 || py_output_unpack(args->out, &given) < 0) return NULL;
    if (!py_is_absent(args->initial)) {
        if (read_initial(args->initial, own, &initial) < 0) return NULL;
        c.initial = &initial;
    }
    if (CUPRIC_UNLIKELY(args->where != NULL)) {
        bool absent;
        mask = py_mask_read(args->where, cu_array_device(in), &absent);
        if (mask == NULL && !absent) return NULL;
        if (mask) c.mask = py_array_get(mask);
        if (mask && check_mask(c.mask, in) < 0) goto done;
    }
    if (check_rules(&c, naxes) < 0) goto done;
    if (py_warn_complex(in->dtype, u->sigs[r->sig].type[0]) < 0) goto done;

    ndim = result_shape(in, c.reduced, keepdims, shape);
    if (given) {
        if (py_output_require(given, u->name, ndim, shape, &out) < 0) goto done;
        if (py_warn_complex(own, out->dtype) < 0) goto done;
    } else {
        if (init_result(&made, in, c.reduced, r->result, ndim, shape)) {
            py_raise();
            goto done;
        }
        out = &made;
    }
    if (run_into(&c, own, out) < 0) goto done;
    result = given ? Py_NewRef(given) : py_array_new_like(&made, array);
    cu_array_clear(&made);

done:
    cu_array_release(&made);
    Py_XDECREF(mask);
    return result;
}

static int
read_dtype(PyObject *o, cu_dtype *t)
{
    *t = CUPRIC_NO_DTYPE;
    return py_is_absent(o) ? 0 : py_dtype_convert(o, t);
}

static cu_dtype
dtype_of_output(PyObject *out)
{
    return out && py_array_check(out) ? py_array_get(out)->dtype : CUPRIC_NO_DTYPE;
}

/* The row that reduces in place of `op`, with the signature for this dtype. */
static int
fast_path(int op, cu_dtype in, int *sig)
{
    const int kind = (int)in, row = cu_ufuncs[op].reduced_by;
    if (row == op) return op;
    *sig = cu_ufunc_resolve(row, &kind);
    return *sig < 0 ? op : row;
}

PyObject *
py_reduce(int op, PyObject *array, const py_reduce_args *args)
{
    cu_dtype in = py_array_get(array)->dtype, dtype;
    py_reduction r = {.op = op, .result = CUPRIC_NO_DTYPE};
    PyObject *out;

    if (py_require_numbers(py_array_get(array), cu_ufuncs[op].name) < 0) return NULL;
    if (read_dtype(args->dtype, &dtype) < 0) return NULL;
    if (py_output_unpack(args->out, &out) < 0) return NULL;
    r.sig = py_reduce_signature(op, in, dtype, dtype_of_output(out));
    if (r.sig < 0) return NULL;
    r.result = cu_ufuncs[op].sigs[r.sig].type[2];
    if (args->initial == NULL) r.op = fast_path(op, in, &r.sig);
    return run_chosen(&r, array, args);
}

/* The signature whose first input is `t`, or -1. */
static int
find_first(const cu_ufunc *u, cu_dtype t)
{
    for (int i = 0; i < u->nsigs; i++) {
        if (u->sigs[i].type[0] == t) return i;
    }
    return -1;
}

/* The dtype that a rule computes in, from the input's or the one asked for. */
static cu_dtype
inexact(cu_dtype t)
{
    const char kind = cu_dtypes[t].kind;
    return kind == 'f' || kind == 'c' ? t : CUPRIC_FLOAT64;
}

/* The signature of a row of reduce.def, and the dtype of a new result. -1 with TypeError.
 */
static int
choose_row(int op, cu_dtype in, const cu_array *other, cu_dtype asked, cu_dtype *result)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    int kinds[2] = {(int)in, other ? (int)other->dtype : 0}, sig = -1;

    switch (u->dtypes) {
    case CUPRIC_DTYPES_SAME: sig = cu_ufunc_resolve(op, kinds); break;
    case CUPRIC_DTYPES_INEXACT:
        if (cu_is_opaque(in)) break;
        sig = find_first(u, inexact(asked == CUPRIC_NO_DTYPE ? in : asked));
        break;
    case CUPRIC_DTYPES_WIDENED:
        sig = py_reduce_signature(u->combiner, in, asked, CUPRIC_NO_DTYPE);
        if (sig < 0) return -1;
        kinds[0] = (int)cu_ufuncs[u->combiner].sigs[sig].type[2];
        sig = cu_ufunc_resolve(op, kinds);
        break;
    }
    if (CUPRIC_UNLIKELY(sig < 0)) {
        cu_ufunc_no_loop(op, kinds);
        return py_raise_int();
    }
    *result = asked == CUPRIC_NO_DTYPE ? u->sigs[sig].type[u->nin] : asked;
    return sig;
}

PyObject *
py_reduce_row(int op, PyObject *array, const cu_array *other, double param,
              const py_reduce_args *args)
{
    py_reduction r = {.op = op, .other = other, .param = param};
    cu_dtype asked;

    if (op < CUPRIC_N_UFUNCS) return py_reduce(op, array, args);
    if (read_dtype(args->dtype, &asked) < 0) return NULL;
    r.sig = choose_row(op, py_array_get(array)->dtype, other, asked, &r.result);
    return r.sig < 0 ? NULL : run_chosen(&r, array, args);
}

/* ---- scan ---------------------------------------------------------------------------- */

/* *flat: `a` as one axis; a view where that is possible. */
static int
flatten(const cu_array *a, cu_array *flat)
{
    const int64_t shape[1] = {a->size};
    bool needs_copy = false;
    cu_array dense = cu_array_none(); /* owned */
    cu_status st;

    st = cu_array_reshape(a, 1, shape, 'C', flat, &needs_copy);
    if (!st && needs_copy) {
        st = cu_array_cast(a, a->dtype, 'C', &dense);
        if (!st) st = cu_array_reshape(&dense, 1, shape, 'C', flat, &needs_copy);
        cu_array_release(&dense);
    }
    return st ? py_raise_int() : 0;
}

static cu_status
scan(int op, int sig, const cu_array *in, int axis, cu_array *out)
{
    cu_status st;
    if (!py_is_long(in->size)) return cu_array_scan(op, sig, in, axis, out);
    Py_BEGIN_ALLOW_THREADS
    st = cu_array_scan(op, sig, in, axis, out);
    Py_END_ALLOW_THREADS
    return st;
}

PyObject *
py_scan(int op, PyObject *array, PyObject *axis, PyObject *dtype, PyObject *out)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    cu_array whole, *in = &whole, *into = NULL; /* whole: borrowed, as above */
    cu_array flat = cu_array_none(), made = cu_array_none(); /* owned */
    PyObject *result = NULL;
    cu_dtype asked;
    int along = 0, sig, axes[CUPRIC_MAXDIMS];

    if (read_dtype(dtype, &asked) < 0 || py_output_unpack(out, &out) < 0) return NULL;
    cu_array_borrow(&whole, py_array_get(array));
    if (!py_is_absent(axis)) {
        int n = py_axes_read(axis, in->ndim ? in->ndim : 1, axes);
        if (n < 0) return NULL;
        if (n != 1) {
            PyErr_SetString(PyExc_ValueError,
                            "accumulate does not allow multiple axes");
            return NULL;
        }
        along = axes[0];
    }
    sig = py_reduce_signature(op, in->dtype, asked, dtype_of_output(out));
    if (sig < 0 || py_warn_complex(in->dtype, u->sigs[sig].type[0]) < 0) return NULL;
    if (in->ndim == 0 || (in->ndim > 1 && py_is_absent(axis))) {
        if (flatten(in, &flat) < 0) return NULL;
        in = &flat;
    }
    if (out) {
        if (py_output_require(out, u->name, in->ndim, in->shape, &into) < 0) goto done;
        if (py_warn_complex(u->sigs[sig].type[2], into->dtype) < 0) goto done;
    } else {
        if (cu_array_init_like(&made, cu_array_device(in), u->sigs[sig].type[2], in)) {
            py_raise();
            goto done;
        }
        into = &made;
    }
    if (scan(op, sig, in, along, into)) {
        py_raise();
        goto done;
    }
    result = out ? Py_NewRef(out) : py_array_new_like(&made, array);
    cu_array_clear(&made);

done:
    cu_array_release(&flat);
    cu_array_release(&made);
    return result;
}
