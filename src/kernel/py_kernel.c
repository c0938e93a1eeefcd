/* kernel/py_kernel.c: what the types of user kernels share, and the functions of the module. */
#include <Python.h>

#include "kernel/py_kernel.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/cache.h"
#include "kernel/disk.h"

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

PyObject *
py_module_handle(const cu_device *device, cu_module *m)
{
    void *(*const handle)(const cu_module *) = device->backend->module_handle;

    return PyLong_FromVoidPtr(handle ? handle(m) : m);
}

PyObject *
py_function_handle(const cu_device *device, cu_function *f)
{
    void *(*const handle)(const cu_function *) = device->backend->function_handle;

    return PyLong_FromVoidPtr(handle ? handle(f) : f);
}

PyObject *
py_params_text(const cu_params *p, int begin, int end)
{
    cu_text text = {0};
    PyObject *r;

    if (begin == end) return PyUnicode_FromString("");
    for (int k = begin; k < end; k++) {
        const cu_param *one = &p->at[k];
        const bool is_changed = !one->is_const && k < p->nin;
        cu_text_add(&text, "%s%s%s%s %s", k > begin ? ", " : "", one->raw ? "raw " : "",
                    is_changed ? "_non_const " : "", one->type, one->name);
    }
    r = cu_text_status(&text)
            ? py_raise()
            : PyUnicode_FromStringAndSize(text.data, (Py_ssize_t)text.nbytes);
    cu_text_release(&text);
    return r;
}

PyObject *
py_params_repr(PyObject *kernel, PyObject *name, const cu_params *p)
{
    PyObject *in = py_params_text(p, 0, p->nin);
    PyObject *out = py_params_text(p, p->nin, p->nin + p->nout), *r = NULL;

    if (in && out) {
        const char *const space = PyUnicode_GET_LENGTH(in) ? " " : "";
        r = PyUnicode_FromFormat("<%s %R: %U%s-> %U>", Py_TYPE(kernel)->tp_name, name,
                                 in, space, out);
    }
    Py_XDECREF(in);
    Py_XDECREF(out);
    return r;
}

PyObject *
py_reduce_call(PyObject *callable, PyObject *args, PyObject *keywords)
{
    PyObject *functools = NULL, *partial = NULL, *one = NULL, *call = NULL, *r = NULL;

    if (!args || !keywords) goto done;
    if (PyDict_GET_SIZE(keywords) == 0) {
        r = PyTuple_Pack(2, callable, args);
        goto done;
    }
    functools = PyImport_ImportModule("functools");
    partial = functools ? PyObject_GetAttrString(functools, "partial") : NULL;
    one = PyTuple_Pack(1, callable);
    if (partial && one) call = PyObject_Call(partial, one, keywords);
    if (call) r = PyTuple_Pack(2, call, args);

done:
    Py_XDECREF(functools);
    Py_XDECREF(partial);
    Py_XDECREF(one);
    Py_XDECREF(call);
    Py_XDECREF(args);
    Py_XDECREF(keywords);
    return r;
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
    return Py_BuildValue("LLLL", (long long)counts[CUPRIC_KERNELS_SHIPPED],
                         (long long)counts[CUPRIC_KERNELS_ON_DISK],
                         (long long)counts[CUPRIC_KERNELS_COMPILED],
                         (long long)counts[CUPRIC_KERNELS_ORDERED]);
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
         "process took from\nthe package, read from the cache on disk, and compiled, "
         "and "
         "how many it had been asked\nfor when general kernels served instead."},
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
    return PyModule_AddFunctions(module, functions);
}
