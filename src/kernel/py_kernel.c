/* kernel/py_kernel.c: what the types of user kernels share. */
#include <Python.h>

#include "kernel/py_kernel.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/cache.h"
#include "kernel/disk.h"
#include "layout/py_foreign.h"

/* ---- arguments of constructors --------------------------------------------------------------- */

const char *
py_text_read(PyObject *o, const char *what)
{
    if (!PyUnicode_Check(o)) {
        PyErr_Format(PyExc_TypeError, "%s must be str, not %.200s", what,
                     Py_TYPE(o)->tp_name);
        return NULL;
    }
    return PyUnicode_AsUTF8(o);
}

bool
py_is_kernel_name(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_') return false;
    while (isalnum((unsigned char)*name) || *name == '_') name++;
    return *name == '\0';
}

static PyObject *
as_tuple(PyObject *o)
{
    if (o == NULL || o == Py_None) return PyTuple_New(0);
    if (PyUnicode_Check(o)) return PyTuple_Pack(1, o);
    return PySequence_Tuple(o);
}

int
py_strings_read(PyObject *o, const char *what, py_strings *out)
{
    py_strings s = {0};

    s.tuple = as_tuple(o);
    if (s.tuple == NULL) return -1;
    s.n = (int)PyTuple_GET_SIZE(s.tuple);
    s.at = calloc((size_t)s.n + 1, sizeof *s.at);
    if (s.at == NULL) PyErr_NoMemory();
    for (int i = 0; s.at && i < s.n; i++) {
        s.at[i] = py_text_read(PyTuple_GET_ITEM(s.tuple, i), what);
        if (s.at[i] == NULL) break;
    }
    if (PyErr_Occurred()) {
        py_strings_release(&s);
        return -1;
    }
    *out = s;
    return 0;
}

void
py_strings_release(py_strings *s)
{
    Py_CLEAR(s->tuple);
    free(s->at);
    *s = (py_strings){0};
}

/* ---- compilation ------------------------------------------------------------------------------- */

/* The compiler's messages, then the source with its lines numbered. */
static void
describe_failure(const cu_compile *args, const char *log, cu_text *out)
{
    int line = 1;

    cu_text_put(out, log);
    cu_text_put(out, "\n\nThe source:\n");
    for (const char *p = args->source; *p; line++) {
        const size_t n = strcspn(p, "\n");
        cu_text_add(out, "%4d  %.*s\n", line, (int)n, p);
        p += n + (p[n] == '\n');
    }
}

static void
raise_compile(const cu_compile *args, const cu_blob *log)
{
    PyObject *module = NULL, *type = NULL, *options = NULL, *error = NULL; /* owned */
    cu_text text = {0};

    describe_failure(args, log->data ? log->data : cu_error_message(), &text);
    module = PyImport_ImportModule("cupric.cuda.compiler");
    if (module == NULL) goto done;
    type = PyObject_GetAttrString(module, "CompileException");
    options = PyTuple_New(args->noptions);
    if (type == NULL || options == NULL || cu_text_status(&text)) goto done;
    for (int i = 0; i < args->noptions; i++) {
        PyObject *s = PyUnicode_FromString(args->options[i]);
        if (s == NULL) goto done;
        PyTuple_SET_ITEM(options, i, s);
    }
    PyObject *message =
        PyUnicode_DecodeUTF8(text.data, (Py_ssize_t)text.nbytes, "replace");
    if (message == NULL) goto done;
    error =
        PyObject_CallFunction(type, "NssO", message, args->source, args->file, options);
    if (error) PyErr_SetObject(type, error);

done:
    cu_text_release(&text);
    Py_XDECREF(module);
    Py_XDECREF(type);
    Py_XDECREF(options);
    Py_XDECREF(error);
}

int
py_kernel_compile(cu_device *device, const cu_compile *args, cu_module **out)
{
    cu_blob log = {0};
    cu_status st;

    Py_BEGIN_ALLOW_THREADS
    st = cu_cache_module(device, args, out, &log);
    Py_END_ALLOW_THREADS
    if (st == CUPRIC_ERR_COMPILE && log.data) {
        raise_compile(args, &log);
    } else if (st) {
        py_raise();
    }
    free(log.data);
    return st ? -1 : 0;
}

/* ---- variants ------------------------------------------------------------------------------------ */

cu_function *
py_variants_find(py_variants *v, const cu_plan_key *key)
{
    for (int i = 0; i < v->n; i++) {
        if (!cu_plan_same_key(&v->at[i].key, key)) continue;
        if (i > 0) { /* those in use gather in front */
            const py_variant found = v->at[i];
            v->at[i] = v->at[i - 1];
            v->at[i - 1] = found;
            return found.function;
        }
        return v->at[i].function;
    }
    return NULL;
}

cu_function *
py_variants_add(py_variants *v, const cu_plan_key *key, cu_text *source,
                const char *name, const py_strings *options)
{
    char file[256];
    const cu_compile args = {source->data, file, options->at, options->n,
                             &name,        1,    NULL};
    cu_module *module;
    cu_function *f;
    py_variant *at;

    snprintf(file, sizeof file, "%.200s.cu", name);
    if (py_kernel_compile((cu_device *)key->device, &args, &module) < 0) goto fail;
    if (key->device->backend->module_function(module, name, &f)) {
        py_raise();
        goto fail;
    }
    at = realloc(v->at, (size_t)(v->n + 1) * sizeof *at);
    if (at == NULL) {
        PyErr_NoMemory();
        goto fail;
    }
    v->at = at;
    at[v->n++] = (py_variant){*key, f, source->data};
    return f;

fail:
    cu_text_release(source);
    return NULL;
}

void
py_variants_release(py_variants *v)
{
    for (int i = 0; i < v->n; i++) free(v->at[i].code);
    free(v->at);
    *v = (py_variants){0};
}

static PyObject *
variant_types(const py_variant *v)
{
    PyObject *t = PyTuple_New(v->key.n);

    for (int k = 0; t && k < v->key.n; k++) {
        PyObject *name = PyUnicode_FromString(cu_dtypes[v->key.op[k][0]].name);
        if (name == NULL)
            Py_CLEAR(t);
        else
            PyTuple_SET_ITEM(t, k, name);
    }
    return t;
}

PyObject *
py_variants_codes(const py_variants *v)
{
    PyObject *codes = PyDict_New();

    for (int i = 0; codes && i < v->n; i++) {
        PyObject *types = variant_types(&v->at[i]);
        PyObject *code = PyUnicode_FromString(v->at[i].code);
        if (!types || !code || PyDict_SetItem(codes, types, code) < 0) Py_CLEAR(codes);
        Py_XDECREF(types);
        Py_XDECREF(code);
    }
    return codes;
}

PyObject *
py_variants_code(const py_variants *v)
{
    if (v->n == 0) {
        PyErr_SetString(PyExc_ValueError, "the kernel has not been compiled yet");
        return NULL;
    }
    return PyUnicode_FromString(v->at[0].code);
}

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
        if (k < params->nin && !op->array &&
            py_scalar_store(&scalars[k], op->dtype, &op->value) < 0) {
            return -1;
        }
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
    a = py_array_get(o);
    if (!(a->flags & CUPRIC_WRITEABLE)) {
        PyErr_SetString(PyExc_ValueError, "output array is read-only");
        return -1;
    }
    c->out[k - c->params->nin] = o;
    c->plan.op[k].array = a;
    return use_device(c, a);
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
    if (r == 0) py_raise_unsupported(given);
    return r > 0 ? 0 : -1;
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

/* ---- attributes ------------------------------------------------------------------------------------------- */

static PyObject *
param_new(PyObject *type, const cu_param *p)
{
    PyObject *empty = PyTuple_New(0), *dtype = NULL, *fields = NULL, *o = NULL;

    dtype = p->dtype == CUPRIC_NO_DTYPE ? Py_NewRef(Py_None) : py_dtype_new(p->dtype);
    if (empty && dtype) {
        fields = Py_BuildValue("{s:s,s:s,s:O,s:O,s:O}", "name", p->name, "ctype",
                               p->dtype == CUPRIC_NO_DTYPE ? p->type
                                                           : cu_dtypes[p->dtype].ctype,
                               "dtype", dtype, "raw", p->raw ? Py_True : Py_False,
                               "is_const", p->is_const ? Py_True : Py_False);
    }
    if (fields) o = PyObject_Call(type, empty, fields);
    Py_XDECREF(empty);
    Py_XDECREF(dtype);
    Py_XDECREF(fields);
    return o;
}

static PyObject *
params_new(const cu_params *p, int begin, int end)
{
    PyObject *types = PyImport_ImportModule("types");
    PyObject *type = types ? PyObject_GetAttrString(types, "SimpleNamespace") : NULL;
    PyObject *t = type ? PyTuple_New(end - begin) : NULL;

    for (int k = begin; t && k < end; k++) {
        PyObject *o = param_new(type, &p->at[k]);
        if (o == NULL)
            Py_CLEAR(t);
        else
            PyTuple_SET_ITEM(t, k - begin, o);
    }
    Py_XDECREF(types);
    Py_XDECREF(type);
    return t;
}

PyObject *
py_params_list(const cu_params *p, const char *which)
{
    const int n = p->nin + p->nout;

    if (strcmp(which, "in_params") == 0) return params_new(p, 0, p->nin);
    if (strcmp(which, "out_params") == 0) return params_new(p, p->nin, n);
    return params_new(p, 0, n);
}

PyObject *
py_params_count(const cu_params *p, const char *which)
{
    if (strcmp(which, "nin") == 0) return PyLong_FromLong(p->nin);
    if (strcmp(which, "nout") == 0) return PyLong_FromLong(p->nout);
    return PyLong_FromLong(p->nin + p->nout);
}

static PyObject *
cache_counts(PyObject *self, PyObject *unused)
{
    int64_t compiled, read;

    (void)self;
    (void)unused;
    cu_cache_counts(&compiled, &read);
    return Py_BuildValue("LL", (long long)compiled, (long long)read);
}

static PyObject *
builtin_counts(PyObject *self, PyObject *unused)
{
    const cu_backend *backend = cu_device_current()->backend;
    int64_t counts[CUPRIC_N_KERNEL_COUNTS] = {0};

    (void)self;
    (void)unused;
    if (backend->kernel_counts) backend->kernel_counts(counts);
    return Py_BuildValue("LLL", (long long)counts[CUPRIC_KERNELS_SHIPPED],
                         (long long)counts[CUPRIC_KERNELS_ON_DISK],
                         (long long)counts[CUPRIC_KERNELS_COMPILED]);
}

static PyObject *
cache_folder(PyObject *self, PyObject *unused)
{
    char path[4096];

    (void)self;
    (void)unused;
    if (!cu_disk_folder(path, sizeof path)) Py_RETURN_NONE;
    return PyUnicode_DecodeFSDefault(path);
}

int
py_kernel_init(PyObject *module)
{
    static PyMethodDef functions[] = {
        {"_kernel_cache_folder", cache_folder, METH_NOARGS,
         "_kernel_cache_folder()\n--\n\nWhere compiled kernels are kept, or None."},
        {"_kernel_cache_counts", cache_counts, METH_NOARGS,
         "_kernel_cache_counts()\n--\n\nKernels compiled by this process, and read "
         "from "
         "the cache on disk."},
        {"_builtin_kernel_counts", builtin_counts, METH_NOARGS,
         "_builtin_kernel_counts()\n--\n\nKernels of built-in operations that this "
         "process "
         "took from\nthe package, read from the cache on disk, and compiled."},
        {NULL},
    };
    static const struct {
        const char *name;
        PyTypeObject *type;
    } types[] = {
        {"ElementwiseKernel", &py_ElementwiseKernelType},
        {"ReductionKernel", &py_ReductionKernelType},
        {"RawKernel", &py_RawKernelType},
        {"RawModule", &py_RawModuleType},
        {"Function", &py_FunctionType},
        {"Module", &py_ModuleType},
    };

    cu_cache_share();
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (PyType_Ready(types[i].type) < 0 ||
            PyModule_AddObjectRef(module, types[i].name, (PyObject *)types[i].type) <
                0) {
            return -1;
        }
    }
    if (py_library_init(module) < 0) return -1;
    return PyModule_AddFunctions(module, functions);
}
