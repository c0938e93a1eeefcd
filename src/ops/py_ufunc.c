/* ops/py_ufunc.c: from Python arguments to one call of cu_run_elementwise.
 *
 * The common call (arrays of one dtype and shape, no keywords) is the short path: types
 * are looked up in the memo, the output comes from the pool, and no Python object is
 * made but the result.
 */
#include "ops/py_ufunc.h"

#include <math.h>
#include <string.h>

static int
kind_of(const py_operand *p)
{
    if (p->array) return (int)p->array->dtype;
    if (p->scalar.weak == PY_STRONG) return (int)p->scalar.dtype;
    return CUPRIC_WEAK_INT + (int)p->scalar.weak - PY_WEAK_INT;
}

PyObject *
py_mask_read(PyObject *where, cu_device *device, bool *absent)
{
    *absent = false;
    if (where == NULL || where == Py_True) {
        *absent = true;
        return NULL;
    }
    if (PyArray_IsAnyScalar(where) && PyNumber_Check(where)) {
        cu_array a = cu_array_none();
        cu_scalar v = {.b = PyObject_IsTrue(where) == 1};
        if (cu_array_init(&a, device, CUPRIC_BOOL, 0, NULL, 'C') ||
            cu_array_fill(&a, CUPRIC_BOOL, &v, NULL)) {
            cu_array_release(&a);
            return py_raise();
        }
        return py_array_new(&a);
    }
    if (!py_array_check(where)) {
        py_raise_unsupported(where);
        return NULL;
    }
    if (py_array_get(where)->dtype != CUPRIC_BOOL) {
        PyErr_Format(
            PyExc_TypeError,
            "Cannot cast array data from dtype('%s') to dtype('bool') according "
            "to the rule 'safe' (the `where` argument is a mask)",
            cu_dtypes[py_array_get(where)->dtype].name);
        return NULL;
    }
    return Py_NewRef(where);
}

/* ---- the choice of a signature ------------------------------------------------------- */

/* What a Python integer becomes beside an array of integers or bool. */
static cu_dtype
dtype_to_meet(const cu_array *a)
{
    return a->dtype == CUPRIC_BOOL ? CUPRIC_INT64 : a->dtype;
}

/* Read Python integers that the other operand's dtype cannot hold as the row says:
 * a comparison as uint64 or int64, or as an infinity on their side. */
static void
widen_integer(cu_integers rule, py_operand *in, int *kinds)
{
    for (int k = 0; k < 2; k++) {
        const cu_array *other = in[1 - k].array;
        py_scalar *s = &in[k].scalar;
        cu_scalar unused;

        if (kinds[k] != CUPRIC_WEAK_INT || !other) continue;
        if (rule == CUPRIC_INTEGERS_TRUTH) {
            py_scalar_store(s, CUPRIC_BOOL, &s->value);
            s->weak = PY_STRONG;
            s->dtype = CUPRIC_BOOL;
            kinds[k] = CUPRIC_BOOL;
            continue;
        }
        if (strchr("biu", cu_dtypes[other->dtype].kind) == NULL) continue;
        if (py_scalar_store(s, dtype_to_meet(other), &unused) == 0) continue;
        PyErr_Clear();
        if (rule == CUPRIC_INTEGERS_QUOTIENT) {
            if (isinf(s->re)) continue; /* no float holds it either */
            s->weak = PY_WEAK_FLOAT;
            kinds[k] = CUPRIC_FLOAT64;
            continue;
        }
        kinds[k] = s->above ? CUPRIC_UINT64 : s->beyond ? CUPRIC_FLOAT64 : CUPRIC_INT64;
        if (s->beyond) {
            s->weak = PY_WEAK_FLOAT;
            s->re = s->re > 0 ? HUGE_VAL : -HUGE_VAL;
        }
    }
}

static int
choose(int op, py_operand *in, const py_ufunc_options *options)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    int kinds[CUPRIC_MAXSIGNATURE], sig;
    bool any_strong = false;

    for (int k = 0; k < u->nin; k++) {
        kinds[k] = kind_of(&in[k]);
        any_strong |= CUPRIC_KIND_IS_DTYPE(kinds[k]);
    }
    for (int k = 0; k < u->nin && !any_strong; k++) kinds[k] = (int)in[k].scalar.dtype;
    /* A condition of any dtype is asked whether it is zero as it is read. */
    if (CUPRIC_UNLIKELY(u->traits & CONDITION)) kinds[0] = CUPRIC_BOOL;
    if (u->integers != CUPRIC_INTEGERS_FITS && u->nin == 2) {
        widen_integer(u->integers, in, kinds);
    }
    if (CUPRIC_UNLIKELY(options->types != NULL)) {
        sig = cu_ufunc_resolve_asked(op, kinds, options->types);
        if (sig < 0) py_ufunc_raise_no_loop(op);
        return sig;
    }
    sig = cu_ufunc_resolve(op, kinds);
    if (CUPRIC_UNLIKELY(sig < 0)) {
        cu_ufunc_no_loop(op, kinds);
        py_raise();
    }
    return sig;
}

int
py_ufunc_raise_no_loop(int op)
{
    PyErr_Format(
        PyExc_TypeError,
        "No loop matching the specified signature and casting was found for ufunc %s",
        cu_ufuncs[op].name);
    return -1;
}

static int
raise_casting(int op, const char *what, int index, cu_dtype from, cu_dtype to,
              const char *rule)
{
    char where[24] = "";
    if (index >= 0) snprintf(where, sizeof where, " %d", index);
    PyErr_Format(
        PyExc_TypeError,
        "Cannot cast ufunc '%s' %s%s from dtype('%s') to dtype('%s') with casting "
        "rule '%s'",
        cu_ufuncs[op].name, what, where, cu_dtypes[from].name, cu_dtypes[to].name,
        rule ? rule : "same_kind");
    return -1;
}

/* A Python number is of the kind that it is alone, and an integer must fit. */
static bool
casts_weakly(const py_scalar *s, cu_dtype to, const char *casting)
{
    if (casting && strcmp(casting, "unsafe") == 0) return true;
    return cu_can_cast_same_kind(s->weak == PY_WEAK_INT     ? CUPRIC_UINT8
                                 : s->weak == PY_WEAK_FLOAT ? CUPRIC_FLOAT16
                                                            : CUPRIC_COMPLEX64,
                                 to);
}

/* Whether the arguments may become what the signature takes: only a question where types
 * or a rule were asked for. */
static int
check_inputs(int op, const cu_signature *sig, const py_operand *in, const char *casting)
{
    const cu_ufunc *u = &cu_ufuncs[op];

    if (u->integers == CUPRIC_INTEGERS_TRUTH) return 0;
    for (int k = 0; k < u->nin; k++) {
        const int kind = kind_of(&in[k]);
        cu_dtype from =
            CUPRIC_KIND_IS_DTYPE(kind) ? (cu_dtype)kind : in[k].scalar.dtype;
        cu_dtype to = sig->type[k];
        /* Integers are divided as they are, but it is floats that NumPy divides. */
        if (u->integers == CUPRIC_INTEGERS_QUOTIENT &&
            strchr("iu", cu_dtypes[to].kind)) {
            to = sig->type[u->nin];
        }
        int ok = CUPRIC_KIND_IS_DTYPE(kind) ? py_can_cast(from, to, casting)
                                            : casts_weakly(&in[k].scalar, to, casting);
        if (ok < 0) return -1;
        if (!ok) return raise_casting(op, "input", k, from, to, casting);
        if (py_warn_complex(from, to) < 0) return -1;
    }
    return 0;
}

/* Inputs as the backend takes them; Python numbers get the signature's type. */
static int
make_inputs(int op, const cu_signature *sig, const py_operand *in,
            const py_ufunc_options *options, cu_scalar *values, cu_iter_arg *args)
{
    int nin = cu_ufuncs[op].nin;

    for (int k = 0; k < nin; k++) {
        cu_dtype to = sig->type[k];
        if (in[k].array) {
            args[k] = (cu_iter_arg){in[k].array, NULL, 0, CUPRIC_READ};
        } else {
            if (py_scalar_store(&in[k].scalar, to, &values[k]) < 0) return -1;
            args[k] = (cu_iter_arg){NULL, &values[k], to, CUPRIC_READ};
        }
    }
    if (CUPRIC_UNLIKELY(options->types != NULL || options->casting != NULL)) {
        return check_inputs(op, sig, in, options->casting);
    }
    return 0;
}

/* ---- shapes and outputs -------------------------------------------------------------- */

static int
raise_broadcast(int n, const cu_array *const *arrays)
{
    char text[1024], one[CUPRIC_SHAPE_TEXT];
    size_t used = 0;
    for (int k = 0; k < n && used < sizeof text; k++) {
        if (arrays[k] == NULL) continue;
        used += (size_t)snprintf(
            text + used, sizeof text - used, "%s ",
            cu_shape_text(arrays[k]->ndim, arrays[k]->shape, one, sizeof one));
    }
    PyErr_Format(PyExc_ValueError,
                 "operands could not be broadcast together with shapes %s", text);
    return -1;
}

static int
broadcast(int n, const cu_array *const *arrays, int64_t *shape)
{
    int ndim = 0;
    for (int k = 0; k < n; k++) {
        if (arrays[k] == NULL) continue;
        if (!cu_shape_broadcast(&ndim, shape, arrays[k]->ndim, arrays[k]->shape)) {
            return raise_broadcast(n, arrays);
        }
    }
    return ndim;
}

static int
check_output(int op, PyObject *o, int ndim, const int64_t *shape, cu_dtype from,
             const char *casting)
{
    const cu_array *a;
    char have[CUPRIC_SHAPE_TEXT], need[CUPRIC_SHAPE_TEXT];
    int ok;

    if (!py_array_check(o)) {
        PyErr_Format(PyExc_TypeError,
                     "return arrays must be of cupric.ndarray type, not %R",
                     Py_TYPE(o));
        return -1;
    }
    a = py_array_get(o);
    if (!(a->flags & CUPRIC_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "output array is read-only");
        return -1;
    }
    if (a->ndim != ndim || memcmp(a->shape, shape, (size_t)ndim * sizeof *shape) != 0) {
        PyErr_Format(PyExc_ValueError,
                     "non-broadcastable output operand with shape %s doesn't match the "
                     "broadcast shape %s",
                     cu_shape_text(a->ndim, a->shape, have, sizeof have),
                     cu_shape_text(ndim, shape, need, sizeof need));
        return -1;
    }
    ok = py_can_cast(from, a->dtype, casting);
    if (ok == 0) return raise_casting(op, "output", -1, from, a->dtype, casting);
    return ok < 0 ? -1 : py_warn_complex(from, a->dtype);
}

/* Where a new output's axes lie in memory for order 'K' and 'A'. */
static cu_status
new_output(cu_array *out, cu_device *device, cu_dtype dtype, int ndim,
           const int64_t *shape, char order, int n, const cu_array *const *arrays)
{
    bool all_f = false, any_other = false;

    if (order == 'C' || order == 'F') {
        return cu_array_init(out, device, dtype, ndim, shape, order);
    }
    for (int k = 0; k < n; k++) {
        const cu_array *a = arrays[k];
        if (a == NULL || a->ndim < 2 || (a->flags & CUPRIC_C_CONTIGUOUS)) continue;
        any_other = true;
        all_f = (a->flags & CUPRIC_F_CONTIGUOUS) != 0;
    }
    if (CUPRIC_UNLIKELY(any_other)) {
        bool dense_c = false;
        for (int k = 0; k < n; k++) {
            const cu_array *a = arrays[k];
            if (a == NULL || a->ndim < 2) continue;
            dense_c |=
                (a->flags & CUPRIC_C_CONTIGUOUS) && !(a->flags & CUPRIC_F_CONTIGUOUS);
            all_f &= (a->flags & CUPRIC_F_CONTIGUOUS) != 0;
        }
        if (all_f && !dense_c)
            return cu_array_init(out, device, dtype, ndim, shape, 'F');
        for (int k = 0; k < n && order == 'K' && !dense_c; k++) {
            const cu_array *a = arrays[k];
            if (a && a->ndim == ndim && cu_array_has_order(a) &&
                memcmp(a->shape, shape, (size_t)ndim * sizeof *shape) == 0) {
                return cu_array_init_like(out, device, dtype, a);
            }
        }
    }
    return cu_array_init(out, device, dtype, ndim, shape, 'C');
}

/* A subclass among the inputs decides the class of new outputs. */
static PyObject *
subclass_parent(const py_operand *in, int nin)
{
    for (int k = 0; k < nin; k++) {
        if (in[k].object && Py_TYPE(in[k].object) != &py_array_type)
            return in[k].object;
    }
    return NULL;
}

/* ---- running ------------------------------------------------------------------------- */

static PyObject *run_masked(int op, py_operand *in, const py_ufunc_options *options,
                            PyObject *mask);

/* The device of an array that was given as one; NULL: there is none. */
static cu_device *
device_given(const py_operand *in, int nin)
{
    for (int k = 0; k < nin; k++) {
        if (in[k].array && !in[k].owned) return cu_array_device(in[k].array);
    }
    return NULL;
}

PyObject *
py_ufunc_run(int op, py_operand *in, const py_ufunc_options *options)
{
    if (CUPRIC_UNLIKELY(options->where != NULL)) {
        bool absent;
        cu_device *device = device_given(in, cu_ufuncs[op].nin);
        PyObject *r, *mask; /* mask owned */
        if (device == NULL) device = cu_device_current();
        mask = py_mask_read(options->where, device, &absent);
        if (mask == NULL && !absent) return NULL;
        r = run_masked(op, in, options, mask);
        Py_XDECREF(mask);
        return r;
    }
    return run_masked(op, in, options, NULL);
}

static PyObject *
wrap_outputs(int op, PyObject *const *given, cu_array *made, int nmade,
             PyObject *parent)
{
    int nout = cu_ufuncs[op].nout, next = 0;
    PyTypeObject *type = parent ? Py_TYPE(parent) : &py_array_type;
    PyObject *result[CUPRIC_MAXOUT] = {NULL}, *tuple;

    for (int k = 0; k < nout; k++) {
        result[k] = given[k] ? Py_NewRef(given[k])
                             : py_array_wrap(&made[next++], type, NULL, parent);
        if (result[k] == NULL) goto fail;
    }
    if (nout == 1) return result[0];
    tuple = PyTuple_New(nout);
    if (tuple == NULL) goto fail;
    for (int k = 0; k < nout; k++) PyTuple_SET_ITEM(tuple, k, result[k]);
    return tuple;

fail:
    for (int k = 0; k < nout; k++) Py_XDECREF(result[k]);
    while (next < nmade) cu_array_release(&made[next++]);
    return NULL;
}

/* An operand as an array, on `device` where it was NumPy's scalar: it was read before
 * the device was known. New reference. */
static PyObject *
operand_on(const py_operand *p, cu_device *device)
{
    cu_array moved = cu_array_none();

    if (!p->owned || p->array->ndim || !device || cu_array_device(p->array) == device) {
        return Py_NewRef(p->object);
    }
    if (cu_array_to_device(p->array, device, &moved)) return py_raise();
    return py_array_new(&moved);
}

/* Where no signature has the inputs' dtypes: rows that know opaque arrays are composed of
 * moves and views. The exception is set, and stays for all else. */
static PyObject *
run_opaque(int op, const py_operand *in, const py_ufunc_options *options)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    PyObject *m = NULL, *table = NULL, *inputs = NULL, *r = NULL; /* owned */
    PyObject *type, *value, *traceback;                           /* owned */
    cu_device *device = device_given(in, u->nin);
    bool opaque = false;

    if (!(u->traits & OPAQUE)) return NULL;
    for (int k = 0; k < u->nin; k++) {
        if (in[k].object == NULL) return NULL;
        opaque |= cu_is_opaque(in[k].array->dtype);
    }
    if (!opaque) return NULL;
    PyErr_Fetch(&type, &value, &traceback);
    m = PyImport_ImportModule("cupric._dtypes");
    if (m) table = PyObject_GetAttrString(m, "OPAQUE_UFUNCS");
    if (table) inputs = PyTuple_New(u->nin);
    for (int k = 0; inputs && k < u->nin; k++) {
        PyTuple_SET_ITEM(inputs, k, operand_on(&in[k], device));
        if (!PyTuple_GET_ITEM(inputs, k)) Py_CLEAR(inputs);
    }
    if (inputs) {
        PyObject *f = PyDict_GetItemString(table, u->name); /* borrowed */
        r = PyObject_CallFunction(f, "OOOs", inputs,
                                  options->out[0] ? options->out[0] : Py_None,
                                  options->where ? options->where : Py_True,
                                  options->casting ? options->casting : "same_kind");
    }
    Py_XDECREF(m);
    Py_XDECREF(table);
    Py_XDECREF(inputs);
    if (r == Py_NotImplemented) { /* not with these options */
        Py_DECREF(r);
        PyErr_Restore(type, value, traceback);
        return NULL;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return r;
}

static PyObject *
run_masked(int op, py_operand *in, const py_ufunc_options *options, PyObject *mask)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    const cu_array *arrays[CUPRIC_MAXSIGNATURE + 1];
    const cu_array *where = mask ? py_array_get(mask) : NULL;
    cu_iter_arg args[CUPRIC_MAXSIGNATURE];
    cu_scalar values[CUPRIC_MAXSIGNATURE];
    cu_array made[CUPRIC_MAXOUT]; /* owned: the first nmade */
    cu_array *outputs[CUPRIC_MAXOUT];
    int64_t shape[CUPRIC_MAXDIMS];
    cu_device *device = NULL;
    const cu_signature *sig;
    int chosen, ndim, nmade = 0, n = 0;
    cu_status st;

    chosen = choose(op, in, options);
    if (CUPRIC_UNLIKELY(chosen < 0)) return run_opaque(op, in, options);
    sig = &u->sigs[chosen];
    for (int k = 0; k < u->nin; k++) arrays[n++] = in[k].array;
    if (where) arrays[n++] = where;
    /* An output takes part: inputs stretch to it, it is never stretched itself. */
    for (int k = 0; k < u->nout; k++) {
        PyObject *o = options->out[k];
        if (o && py_array_check(o)) arrays[n++] = py_array_get(o);
    }
    ndim = broadcast(n, arrays, shape);
    if (ndim < 0) return NULL;
    st = cu_common_device(n, arrays, &device);
    if (st) return py_raise();

    for (int k = 0; k < u->nout; k++) {
        cu_dtype type = sig->type[u->nin + k];
        if (options->out[k]) {
            if (check_output(op, options->out[k], ndim, shape, type, options->casting) <
                0) {
                goto fail;
            }
            outputs[k] = py_array_target(options->out[k]);
            continue;
        }
        st = new_output(&made[nmade], device ? device : cu_device_current(), type, ndim,
                        shape, options->order, u->nin, arrays);
        if (st) goto raise;
        outputs[k] = &made[nmade++];
    }
    if (make_inputs(op, sig, in, options, values, args) < 0) goto fail;

    if (py_is_long(outputs[0]->size)) {
        Py_BEGIN_ALLOW_THREADS
        st = cu_run_elementwise(op, chosen, u->nin, args, u->nout, outputs, where);
        Py_END_ALLOW_THREADS
    } else {
        st = cu_run_elementwise(op, chosen, u->nin, args, u->nout, outputs, where);
    }
    if (st) goto raise;
    return wrap_outputs(op, options->out, made, nmade, subclass_parent(in, u->nin));

raise:
    py_raise();
fail:
    while (nmade > 0) cu_array_release(&made[--nmade]);
    return NULL;
}

/* ---- the number protocol ------------------------------------------------------------- */

PyObject *
py_ufunc_unary(int op, PyObject *a)
{
    const py_ufunc_options options = PY_UFUNC_DEFAULTS;
    py_operand in[1];
    if (py_operand_require(a, &in[0]) < 0) return NULL;
    return py_ufunc_run(op, in, &options);
}

/* A number of Python's or NumPy's own classes, which rank below every array. */
static bool
is_plain_number(PyObject *o)
{
    return PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyComplex_CheckExact(o) ||
           PyBool_Check(o) ||
           (PyArray_IsScalar(o, Generic) &&
            !(Py_TYPE(o)->tp_flags & Py_TPFLAGS_HEAPTYPE));
}

/* Another class that ranks itself above ndarray and knows the operator goes first. */
static bool
yields_to(PyObject *a, PyObject *other)
{
    PyObject *p;
    bool yes = false;
    if (!py_array_check(a) || py_array_check(other)) return false;
    p = PyObject_GetAttrString((PyObject *)Py_TYPE(other), "__array_ufunc__");
    if (p == NULL) {
        PyErr_Clear();
    } else {
        yes = p == Py_None;
        Py_DECREF(p);
        if (yes) return true;
    }
    p = PyObject_GetAttrString((PyObject *)Py_TYPE(other), "__array_priority__");
    if (p == NULL) {
        PyErr_Clear();
        return false;
    }
    if (PyFloat_Check(p) || PyLong_Check(p)) yes = PyFloat_AsDouble(p) > 100.0;
    Py_DECREF(p);
    return yes;
}

static PyObject *
binary(int op, PyObject *a, PyObject *b, PyObject *out)
{
    py_ufunc_options options = PY_UFUNC_DEFAULTS;
    py_operand in[2] = {py_operand_none(), py_operand_none()};
    PyObject *r = NULL;
    int ok;

    ok = py_operand_read(a, &in[0]);
    if (ok > 0) ok = py_operand_read(b, &in[1]);
    if (ok == 0) {
        r = Py_NewRef(Py_NotImplemented);
    } else if (ok > 0) {
        options.out[0] = out;
        r = py_ufunc_run(op, in, &options);
    }
    py_operand_release(&in[0]);
    py_operand_release(&in[1]);
    return r;
}

PyObject *
py_ufunc_binary(int op, PyObject *a, PyObject *b)
{
    if (CUPRIC_UNLIKELY(Py_TYPE(a) != &py_array_type || Py_TYPE(b) != &py_array_type)) {
        const bool plain = is_plain_number(a) || is_plain_number(b);
        if (!plain && (yields_to(a, b) || yields_to(b, a))) {
            Py_RETURN_NOTIMPLEMENTED;
        }
    }
    return binary(op, a, b, NULL);
}

PyObject *
py_ufunc_inplace(int op, PyObject *a, PyObject *b)
{
    return binary(op, a, b, a);
}

static PyObject *
required(PyObject *r, PyObject *a, PyObject *b)
{
    if (r == Py_NotImplemented) {
        py_operand p;
        Py_DECREF(r);
        py_raise_unsupported(py_operand_read(a, &p) == 0 ? a : b);
        return NULL;
    }
    return r;
}

PyObject *
py_ufunc_call1(int op, PyObject *a, PyObject *out)
{
    py_ufunc_options options = PY_UFUNC_DEFAULTS;
    py_operand in[1];
    PyObject *r;
    if (py_operand_require(a, &in[0]) < 0) return NULL;
    options.out[0] = out;
    r = py_ufunc_run(op, in, &options);
    py_operand_release(&in[0]);
    return r;
}

PyObject *
py_ufunc_call2(int op, PyObject *a, PyObject *b, PyObject *out)
{
    return required(binary(op, a, b, out), a, b);
}
