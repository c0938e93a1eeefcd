/* kernel/py_call.c: the operands of a call of a generated kernel: their types, their
 * common shape, and the outputs. */
#include <Python.h>

#include "kernel/py_call.h"

#include <ctype.h>
#include <string.h>

#include "layout/py_foreign.h"

/* ---- types of a call -------------------------------------------------------------------------------- */

static int
raise_mismatch(const cu_param *p, cu_dtype have, cu_dtype want)
{
    PyErr_Format(PyExc_TypeError,
                 "Type is mismatched: %s is %s, the parameter '%s %s' "
                 "takes %s",
                 p->name, cu_dtypes[have].name, p->type, p->name, cu_dtypes[want].name);
    return -1;
}

/* What each placeholder stands for: by its letter. */
typedef struct letters {
    int dtype[128]; /* CUPRIC_NO_DTYPE: not known */
} letters;

static int
raise_opaque(const cu_param *p, cu_dtype t)
{
    PyErr_Format(PyExc_TypeError,
                 "argument %s has dtype %s, which no C structure has the layout of: "
                 "make it by cupric.make_aligned_dtype, or give the kernel its fields",
                 p->name, cu_dtypes[t].name);
    return -1;
}

static int
bind_type(letters *known, const cu_param *p, cu_dtype t)
{
    int *slot = &known->dtype[(unsigned char)p->type[0] & 127];

    if (CUPRIC_UNLIKELY(cu_dtypes[t].ctype == NULL)) return raise_opaque(p, t);

    if (p->dtype != CUPRIC_NO_DTYPE) {
        return p->dtype == t ? 0 : raise_mismatch(p, t, p->dtype);
    }
    if (*slot == CUPRIC_NO_DTYPE) *slot = (int)t;
    return *slot == (int)t ? 0 : raise_mismatch(p, t, (cu_dtype)*slot);
}

static cu_dtype
known_type(const letters *known, const cu_param *p)
{
    if (p->dtype != CUPRIC_NO_DTYPE) return p->dtype;
    return (cu_dtype)known->dtype[(unsigned char)p->type[0] & 127];
}

/* Numbers decide a placeholder only where no array does: NumPy's before Python's. */
static void
bind_scalars(letters *known, const cu_params *params, const py_scalar *scalars,
             const cu_plan *plan, bool weak)
{
    for (int k = 0; k < params->nin; k++) {
        const cu_param *p = &params->at[k];
        if (plan->op[k].array || known_type(known, p) != CUPRIC_NO_DTYPE) continue;
        if ((scalars[k].weak != PY_STRONG) != weak) continue;
        known->dtype[(unsigned char)p->type[0] & 127] = (int)scalars[k].dtype;
    }
}

/* Of a complex number a real parameter would take the real part alone. */
static int
check_number(const py_call *c, const cu_param *p, const py_scalar *s, cu_dtype t)
{
    if (CUPRIC_LIKELY(cu_dtypes[s->dtype].kind != 'c') || cu_dtypes[t].kind == 'c') {
        return 0;
    }
    PyErr_Format(PyExc_TypeError,
                 "%s: %s is a complex number, the parameter '%s %s' takes %s", c->name,
                 p->name, p->type, p->name, cu_dtypes[t].name);
    return -1;
}

static int
decide_types(py_call *c, const py_scalar *scalars, int ngiven)
{
    const cu_params *params = c->params;
    cu_plan *plan = &c->plan;
    letters known;

    for (int i = 0; i < 128; i++) known.dtype[i] = CUPRIC_NO_DTYPE;
    for (int k = params->nin; k < ngiven; k++) {
        if (bind_type(&known, &params->at[k], plan->op[k].array->dtype) < 0) return -1;
    }
    for (int k = 0; k < params->nin; k++) {
        if (!plan->op[k].array) continue;
        if (bind_type(&known, &params->at[k], plan->op[k].array->dtype) < 0) return -1;
    }
    bind_scalars(&known, params, scalars, plan, false);
    bind_scalars(&known, params, scalars, plan, true);
    for (int k = 0; k < plan->nops; k++) {
        cu_kernel_operand *op = &plan->op[k];
        op->dtype = known_type(&known, &params->at[k]);
        if (op->dtype == CUPRIC_NO_DTYPE) {
            PyErr_Format(PyExc_TypeError, "%s: nothing says what type %s is in '%s %s'",
                         c->name, params->at[k].type, params->at[k].type,
                         params->at[k].name);
            return -1;
        }
        if (k >= params->nin || op->array) continue;
        if (check_number(c, &params->at[k], &scalars[k], op->dtype) < 0) return -1;
        if (py_scalar_store(&scalars[k], op->dtype, &op->value) < 0) return -1;
    }
    return 0;
}

/* ---- operands of a call -------------------------------------------------------------------------------- */

static int
use_device(py_call *c, const cu_array *a)
{
    cu_device *d = cu_array_device(a);

    if (c->device == NULL) c->device = d;
    if (c->device == d) return 0;
    PyErr_Format(PyExc_ValueError,
                 "Array device must be same as that of the other arrays of the call of "
                 "'%s': one is on device %d (%s), another on device %d (%s)",
                 c->name, c->device->ordinal, c->device->backend->name, d->ordinal,
                 d->backend->name);
    return -1;
}

/* The array that `o` is or offers, borrowed. NULL with *failed false: neither. */
static PyObject *
array_of(py_call *c, PyObject *o, bool *failed)
{
    PyObject *offered;

    *failed = false;
    if (CUPRIC_LIKELY(py_array_check(o))) return o;
    offered = py_foreign_array(o);
    *failed = offered == NULL && PyErr_Occurred();
    if (offered) c->foreign[c->nforeign++] = offered;
    return offered;
}

static int
read_output(py_call *c, int k, PyObject *given)
{
    bool failed;
    PyObject *o = array_of(c, given, &failed);
    cu_array *a;

    if (o == NULL) {
        if (!failed) {
            PyErr_Format(PyExc_TypeError,
                         "Output arguments type must be cupric.ndarray, not %R",
                         Py_TYPE(given));
        }
        return -1;
    }
    a = py_array_target(o);
    if (!(a->flags & CUPRIC_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "output array is read-only");
        return -1;
    }
    c->out[k - c->params->nin] = o;
    c->plan.op[k].array = a;
    return use_device(c, a);
}

/* What is neither an array nor a number may be a handle. */
static int
read_handle(PyObject *given, py_scalar *scalar)
{
    PyObject *handle = py_foreign_handle(given);
    int r = handle ? py_scalar_read(handle, scalar) : 0;

    Py_XDECREF(handle);
    if (r == 0 && !PyErr_Occurred()) py_raise_unsupported(given);
    return r > 0 ? 0 : -1;
}

static int
read_input(py_call *c, int k, PyObject *given, py_scalar *scalar)
{
    cu_kernel_operand *op = &c->plan.op[k];
    bool failed;
    PyObject *o = array_of(c, given, &failed);
    int r;

    if (CUPRIC_LIKELY(o != NULL)) {
        op->array = py_array_get(o);
        op->written = !c->params->at[k].is_const;
        return use_device(c, op->array);
    }
    if (failed) return -1;
    r = py_scalar_read(given, scalar);
    return r != 0 ? (r > 0 ? 0 : -1) : read_handle(given, scalar);
}

int
py_call_read(py_call *c, const char *name, const cu_params *params,
             PyObject *const *args, Py_ssize_t nargs)
{
    py_scalar scalars[CUPRIC_MAXPARAMS];
    const int n = params->nin + params->nout;

    c->name = name;
    c->params = params;
    c->device = NULL;
    c->nmade = c->nforeign = 0;
    c->plan.nops = n;
    if (nargs != params->nin && nargs != n) {
        PyErr_Format(
            PyExc_TypeError,
            "Wrong number of arguments for '%s': it takes %d, or %d with outputs, "
            "but %zd were given",
            name, params->nin, n, nargs);
        return -1;
    }
    for (int k = 0; k < n; k++) {
        cu_kernel_operand *op = &c->plan.op[k];
        op->array = NULL;
        op->written = k >= params->nin;
        if (k >= params->nin) {
            c->out[k - params->nin] = NULL;
            if (k < nargs && read_output(c, k, args[k]) < 0) goto fail;
        } else if (read_input(c, k, args[k], &scalars[k]) < 0) {
            goto fail;
        }
    }
    if (c->device == NULL) c->device = cu_device_current();
    if (c->device == NULL) {
        py_raise();
        goto fail;
    }
    if (decide_types(c, scalars, (int)nargs) == 0) return 0;

fail:
    py_call_release(c);
    return -1;
}

int
py_call_broadcast(const py_call *c, int n, int64_t *shape, bool *found)
{
    int ndim = 0;
    char one[CUPRIC_SHAPE_TEXT], other[CUPRIC_SHAPE_TEXT];

    *found = false;
    for (int k = 0; k < n; k++) {
        const cu_array *a = c->plan.op[k].array;
        if (!a || c->params->at[k].raw) continue;
        if (!cu_shape_broadcast(&ndim, shape, a->ndim, a->shape)) {
            PyErr_Format(
                PyExc_ValueError,
                k < c->params->nin
                    ? "operands could not be broadcast together with shapes %s %s"
                    : "Out shape is mismatched: the inputs broadcast to %s, the "
                      "output has the shape %s",
                cu_shape_text(ndim, shape, one, sizeof one),
                cu_shape_text(a->ndim, a->shape, other, sizeof other));
            return -1;
        }
        *found = true;
    }
    return ndim;
}

static bool
has_shape(const cu_array *a, int ndim, const int64_t *shape)
{
    return a->ndim == ndim && !memcmp(a->shape, shape, (size_t)ndim * sizeof *shape);
}

int
py_call_outputs(py_call *c, int ndim, const int64_t *shape)
{
    char have[CUPRIC_SHAPE_TEXT], need[CUPRIC_SHAPE_TEXT];

    for (int i = 0; i < c->params->nout; i++) {
        const int k = c->params->nin + i;
        cu_kernel_operand *op = &c->plan.op[k];
        if (c->out[i] == NULL) {
            if (cu_array_init(&c->made[c->nmade], c->device, op->dtype, ndim, shape,
                              'C')) {
                py_raise();
                return -1;
            }
            op->array = &c->made[c->nmade++];
        } else if (!c->params->at[k].raw && !has_shape(op->array, ndim, shape)) {
            PyErr_Format(
                PyExc_ValueError,
                "Out shape is mismatched: '%s' has the shape %s, the result %s",
                c->params->at[k].name,
                cu_shape_text(op->array->ndim, op->array->shape, have, sizeof have),
                cu_shape_text(ndim, shape, need, sizeof need));
            return -1;
        }
    }
    return 0;
}

void
py_call_release(py_call *c)
{
    while (c->nmade > 0) cu_array_release(&c->made[--c->nmade]);
    while (c->nforeign > 0) Py_DECREF(c->foreign[--c->nforeign]);
}

PyObject *
py_call_result(py_call *c, bool tuple)
{
    const int nout = c->params->nout;
    int next = 0;
    PyObject *result, *one;

    if (nout == 1 && !tuple) {
        result = c->out[0] ? Py_NewRef(c->out[0]) : py_array_new(&c->made[0]);
        c->nmade = 0;
        py_call_release(c);
        return result;
    }
    result = PyTuple_New(nout);
    for (int i = 0; i < nout; i++) {
        if (c->out[i]) {
            one = Py_NewRef(c->out[i]);
        } else {
            one = result ? py_array_new(&c->made[next]) : NULL;
            if (result == NULL) cu_array_release(&c->made[next]);
            next++;
        }
        if (one == NULL) Py_CLEAR(result);
        if (result)
            PyTuple_SET_ITEM(result, i, one);
        else
            Py_XDECREF(one);
    }
    c->nmade = 0;
    py_call_release(c);
    return result;
}
