/* ops/py_ufunc_object.c: the type cupric.ufunc and its objects, one per row of
 * elementwise.def.
 *
 * An object is a row's number behind a vectorcall: positional arguments go to operands on
 * the stack, keywords are matched by name, and py_ufunc_run does the rest.
 */
#include <math.h>
#include <string.h>

#include "layout/py_args.h"
#include "ops/py_ufunc.h"
#include "ops/py_ufunc_doc.h"

static py_ufunc objects[CUPRIC_N_UFUNCS]; /* static: immortal */

static const char *
name_of(PyObject *self)
{
    return cu_ufuncs[((py_ufunc *)self)->op].name;
}

/* ---- call ---------------------------------------------------------------------------- */

enum {
    K_OUT,
    K_WHERE,
    K_CASTING,
    K_ORDER,
    K_DTYPE,
    K_SUBOK,
    K_SIGNATURE,
    K_SIG,
    N_KEYWORDS
};
static const char *const keywords[] = {
    "out", "where", "casting", "order", "dtype", "subok", "signature", "sig", NULL};

static int
read_out(const cu_ufunc *u, PyObject *o, py_ufunc_options *options)
{
    if (o == Py_None) return 0;
    for (int k = 0; k < u->nout; k++) {
        if (options->out[k]) {
            PyErr_SetString(
                PyExc_TypeError,
                "cannot specify 'out' as both a positional and keyword argument");
            return -1;
        }
    }
    if (!PyTuple_Check(o)) {
        if (u->nout > 1) {
            PyErr_SetString(PyExc_TypeError, "'out' must be a tuple of arrays");
            return -1;
        }
        options->out[0] = o;
        return 0;
    }
    if (PyTuple_GET_SIZE(o) != u->nout) {
        PyErr_SetString(PyExc_ValueError,
                        "The 'out' tuple must have exactly one entry per ufunc output");
        return -1;
    }
    for (int k = 0; k < u->nout; k++) {
        PyObject *item = PyTuple_GET_ITEM(o, k);
        options->out[k] = item == Py_None ? NULL : item;
    }
    return 0;
}

static int
read_order(PyObject *o, char *order)
{
    const char *text;
    if (o == Py_None) return 0;
    if (!PyUnicode_Check(o)) {
        PyErr_Format(PyExc_TypeError, "order must be str, not %.100s",
                     Py_TYPE(o)->tp_name);
        return -1;
    }
    text = PyUnicode_AsUTF8(o);
    if (text == NULL) return -1;
    if (strlen(text) != 1 || strchr("CFAKcfak", text[0]) == NULL) {
        PyErr_Format(PyExc_ValueError,
                     "order must be one of 'C', 'F', 'A', or 'K' (got '%s')", text);
        return -1;
    }
    *order = (char)(text[0] & ~0x20);
    return 0;
}

static int
read_casting(PyObject *o, const char **casting)
{
    if (!PyUnicode_Check(o)) {
        PyErr_Format(PyExc_TypeError, "casting must be str, not %.100s",
                     Py_TYPE(o)->tp_name);
        return -1;
    }
    *casting = PyUnicode_AsUTF8(o);
    if (*casting == NULL) return -1;
    return py_can_cast(CUPRIC_BOOL, CUPRIC_BOOL, *casting) < 0 ? -1 : 0;
}

/* `dtype=`: of all outputs. */
static int
read_dtype(const cu_ufunc *u, PyObject *o, cu_dtype *types)
{
    cu_dtype t;

    if (o == Py_None) return 0;
    if (py_dtype_convert(o, &t) < 0) return -1;
    for (int k = 0; k < u->nin + u->nout; k++) {
        types[k] = k < u->nin ? CUPRIC_NO_DTYPE : t;
    }
    return 1;
}

static int
read_letter(PyObject *o, cu_dtype *t)
{
    *t = CUPRIC_NO_DTYPE;
    return o == Py_None ? 0 : py_dtype_convert(o, t);
}

static int
raise_single_type(void)
{
    PyErr_SetString(PyExc_TypeError,
                    "a signature of one type is ambiguous: use dtype= for the outputs, "
                    "or None for each type that is left open");
    return -1;
}

static int
letters_of_text(int op, PyObject *o, cu_dtype *types)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    const char *text = PyUnicode_AsUTF8(o), *p = text;
    int n = u->nin + u->nout;

    if (text == NULL) return -1;
    if (strlen(text) == 1) return raise_single_type();
    if ((int)strlen(text) != n + 2 || strncmp(text + u->nin, "->", 2) != 0) {
        PyErr_Format(PyExc_ValueError,
                     "a signature of %s is %d letters, '->' and %d letters, not '%s'",
                     u->name, u->nin, u->nout, text);
        return -1;
    }
    for (int k = 0; k < n; k++, p++) {
        if (k == u->nin) p += 2;
        types[k] = cu_dtype_from_letter(*p);
        if (types[k] == CUPRIC_NO_DTYPE) return py_ufunc_raise_no_loop(op);
    }
    return 0;
}

/* `signature=` as a str or a tuple of dtypes and None. */
static int
read_signature(int op, PyObject *o, cu_dtype *types)
{
    const cu_ufunc *u = &cu_ufuncs[op];
    const int n = u->nin + u->nout;

    if (o == Py_None) return 0;
    for (int k = 0; k < n; k++) types[k] = CUPRIC_NO_DTYPE;
    if (PyUnicode_Check(o)) return letters_of_text(op, o, types) < 0 ? -1 : 1;
    if (!PyTuple_Check(o)) {
        PyErr_SetString(PyExc_TypeError,
                        "the signature object to ufunc must be a string or a tuple");
        return -1;
    }
    if (PyTuple_GET_SIZE(o) == 1) return raise_single_type();
    if (PyTuple_GET_SIZE(o) != n) {
        PyErr_Format(PyExc_ValueError,
                     "The signature object to ufunc must be a string or a tuple of %d "
                     "dtypes.",
                     n);
        return -1;
    }
    for (int k = 0; k < n; k++) {
        if (read_letter(PyTuple_GET_ITEM(o, k), &types[k]) < 0) return -1;
    }
    return 1;
}

/* Fill `types`, which the options then point to, from what asks for them. */
static int
read_types(int op, PyObject *const *values, cu_dtype *types, py_ufunc_options *options)
{
    PyObject *const signature =
        values[K_SIGNATURE] ? values[K_SIGNATURE] : values[K_SIG];
    int by_dtype = 0, by_signature = 0;

    if (values[K_DTYPE]) by_dtype = read_dtype(&cu_ufuncs[op], values[K_DTYPE], types);
    if (by_dtype < 0) return -1;
    if (signature) by_signature = read_signature(op, signature, types);
    if (by_signature < 0) return -1;
    if (by_dtype && by_signature) {
        PyErr_SetString(PyExc_TypeError, "cannot specify both 'signature' and 'dtype'");
        return -1;
    }
    if (by_dtype || by_signature) options->types = types;
    return 0;
}

static int
read_keywords(int op, PyObject *const *values, cu_dtype *types,
              py_ufunc_options *options)
{
    if (values[K_OUT] && read_out(&cu_ufuncs[op], values[K_OUT], options) < 0)
        return -1;
    options->where = values[K_WHERE];
    if (values[K_CASTING] && read_casting(values[K_CASTING], &options->casting) < 0)
        return -1;
    if (values[K_ORDER] && read_order(values[K_ORDER], &options->order) < 0) return -1;
    if (values[K_SUBOK] && !PyBool_Check(values[K_SUBOK])) {
        PyErr_SetString(PyExc_TypeError, "'subok' must be a boolean");
        return -1;
    }
    return read_types(op, values, types, options);
}

static int
bad_count(const cu_ufunc *u, Py_ssize_t given)
{
    PyErr_Format(PyExc_TypeError,
                 "%s() takes from %d to %d positional arguments but %zd %s given",
                 u->name, u->nin, u->nin + u->nout, given, given == 1 ? "was" : "were");
    return -1;
}

static PyObject *
call(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    const int op = ((py_ufunc *)self)->op;
    const cu_ufunc *u = &cu_ufuncs[op];
    const Py_ssize_t n = PyVectorcall_NARGS(nargsf);
    py_ufunc_options options = PY_UFUNC_DEFAULTS;
    py_operand in[CUPRIC_MAXSIGNATURE];
    cu_dtype types[CUPRIC_MAXSIGNATURE]; /* those asked for, if any */
    PyObject *values[N_KEYWORDS], *r = NULL;
    int nread = 0;

    if (CUPRIC_UNLIKELY(n < u->nin || n > u->nin + u->nout)) {
        bad_count(u, n);
        return NULL;
    }
    for (Py_ssize_t k = u->nin; k < n; k++) {
        options.out[k - u->nin] = args[k] == Py_None ? NULL : args[k];
    }
    for (; nread < u->nin; nread++) {
        if (py_operand_require(args[nread], &in[nread]) < 0) goto done;
    }
    if (kwnames && PyTuple_GET_SIZE(kwnames)) {
        if (py_args_parse(u->name, args + n, 0, kwnames, keywords, 0, 0, values) < 0) {
            goto done;
        }
        if (read_keywords(op, values, types, &options) < 0) goto done;
    }
    r = py_ufunc_run(op, in, &options);

done:
    while (nread > 0) py_operand_release(&in[--nread]);
    return r;
}

/* ---- attributes ---------------------------------------------------------------------- */

static PyObject *
get_name(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(name_of(self));
}

enum { COUNT_NIN, COUNT_NOUT, COUNT_NARGS, COUNT_NTYPES };

static PyObject *
get_count(PyObject *self, void *which)
{
    const cu_ufunc *u = &cu_ufuncs[((py_ufunc *)self)->op];
    int n = 0;

    switch ((int)(intptr_t)which) {
    case COUNT_NIN: n = u->nin; break;
    case COUNT_NOUT: n = u->nout; break;
    case COUNT_NARGS: n = u->nin + u->nout; break;
    default:
        for (int i = 0; i < u->nsigs; i++)
            n += u->sigs[i].type[u->nin] != CUPRIC_NO_DTYPE;
    }
    return PyLong_FromLong(n);
}

static PyObject *
signature_text(const cu_ufunc *u, const cu_signature *s)
{
    char text[CUPRIC_MAXSIGNATURE + 3], *p = text;
    for (int k = 0; k < u->nin + u->nout; k++) {
        if (k == u->nin) {
            *p++ = '-';
            *p++ = '>';
        }
        *p++ = cu_dtypes[s->type[k]].letter;
    }
    return PyUnicode_FromStringAndSize(text, p - text);
}

/* What of the row kernels of translated functions are made of. */
static PyObject *
get_code(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(cu_ufuncs[((py_ufunc *)self)->op].code);
}

static PyObject *
types_of(const cu_ufunc *u, bool computed)
{
    PyObject *list = PyList_New(0);

    for (int i = 0; list && i < u->nsigs; i++) {
        const bool around = computed && u->is_iterated;
        const int by = around ? cu_sig_computed(u->text, u->nin, u->nout, i) : i;
        PyObject *text;
        if (u->sigs[i].type[u->nin] == CUPRIC_NO_DTYPE) continue;
        text = signature_text(u, &u->sigs[by]);
        if (text == NULL || PyList_Append(list, text) < 0) Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static PyObject *
get_types(PyObject *self, void *computed)
{
    return types_of(&cu_ufuncs[((py_ufunc *)self)->op], computed != NULL);
}

/* The family of special functions that the row is of, or None. */
static PyObject *
get_family(PyObject *self, void *unused)
{
    const char *const family = cu_ufuncs[((py_ufunc *)self)->op].family;

    (void)unused;
    return family ? PyUnicode_FromString(family) : Py_NewRef(Py_None);
}

static PyObject *
get_integers(PyObject *self, void *unused)
{
    static const char *const words[] = {[CUPRIC_INTEGERS_FITS] = "FITS",
                                        [CUPRIC_INTEGERS_COMPARED] = "COMPARED",
                                        [CUPRIC_INTEGERS_QUOTIENT] = "QUOTIENT",
                                        [CUPRIC_INTEGERS_TRUTH] = "TRUTH"};
    (void)unused;
    return PyUnicode_FromString(words[cu_ufuncs[((py_ufunc *)self)->op].integers]);
}

static int
kind_of_letter(char letter)
{
    switch (letter) {
    case '1': return CUPRIC_WEAK_INT;
    case '.': return CUPRIC_WEAK_FLOAT;
    case 'j': return CUPRIC_WEAK_COMPLEX;
    default: return cu_dtype_from_letter(letter);
    }
}

/* The signature for inputs of these dtypes, a letter each; '1', '.' and 'j' are Python's
 * int, float and complex. */
PyObject *
py_ufunc_resolve(PyObject *self, PyObject *args)
{
    const int op = ((py_ufunc *)self)->op;
    const cu_ufunc *u = &cu_ufuncs[op];
    const char *letters;
    PyObject *dtype = Py_None;
    int kinds[CUPRIC_MAXSIGNATURE], sig, asked;
    cu_dtype types[CUPRIC_MAXSIGNATURE];

    if (!PyArg_ParseTuple(args, "s|O:_resolve", &letters, &dtype)) return NULL;
    if ((int)strlen(letters) != u->nin) {
        PyErr_Format(PyExc_TypeError, "%s() takes %d arguments, not %zu", u->name,
                     u->nin, strlen(letters));
        return NULL;
    }
    for (int k = 0; k < u->nin; k++) {
        kinds[k] = kind_of_letter(letters[k]);
        if (kinds[k] == CUPRIC_NO_DTYPE) {
            PyErr_Format(PyExc_ValueError, "no dtype has the letter '%c'", letters[k]);
            return NULL;
        }
    }
    asked = read_dtype(u, dtype, types);
    if (asked < 0) return NULL;
    sig =
        asked ? cu_ufunc_resolve_asked(op, kinds, types) : cu_ufunc_resolve(op, kinds);
    if (sig < 0) {
        cu_ufunc_no_loop(op, kinds);
        return py_raise();
    }
    return signature_text(u, &u->sigs[sig]);
}

PyObject *
py_identity_value(cu_identity identity)
{
    switch (identity) {
    case CUPRIC_IDENTITY_ZERO: return PyLong_FromLong(0);
    case CUPRIC_IDENTITY_ONE: return PyLong_FromLong(1);
    case CUPRIC_IDENTITY_MINUS_ONE: return PyLong_FromLong(-1);
    case CUPRIC_IDENTITY_MINUS_INFINITY: return PyFloat_FromDouble(-INFINITY);
    case CUPRIC_IDENTITY_NOT_A_NUMBER: return PyFloat_FromDouble(NAN);
    default: Py_RETURN_NONE;
    }
}

static PyObject *
get_identity(PyObject *self, void *unused)
{
    (void)unused;
    return py_identity_value(cu_ufuncs[((py_ufunc *)self)->op].identity);
}

static PyObject *
get_none(PyObject *self, void *unused)
{
    (void)self;
    (void)unused;
    Py_RETURN_NONE;
}

static PyObject *
get_signature(PyObject *self, void *unused)
{
    (void)unused;
    return py_ufunc_signature(((py_ufunc *)self)->op);
}

static PyObject *
get_doc(PyObject *self, void *unused)
{
    PyObject *types = get_types(self, NULL);
    PyObject *r = types ? py_ufunc_doc(((py_ufunc *)self)->op, types) : NULL;

    (void)unused;
    Py_XDECREF(types);
    return r;
}

static PyObject *
repr(PyObject *self)
{
    return PyUnicode_FromFormat("<ufunc 'cupric_%s'>", name_of(self));
}

static PyGetSetDef attributes[] = {
    {"name", get_name, NULL, "The name, as a str.", NULL},
    {"__name__", get_name, NULL, NULL, NULL},
    {"__qualname__", get_name, NULL, NULL, NULL},
    {"__doc__", get_doc, NULL, NULL, NULL},
    {"__signature__", get_signature, NULL, NULL, NULL},
    {"nin", get_count, NULL, "The number of inputs.", (void *)COUNT_NIN},
    {"nout", get_count, NULL, "The number of outputs.", (void *)COUNT_NOUT},
    {"nargs", get_count, NULL, "Inputs and outputs together.", (void *)COUNT_NARGS},
    {"ntypes", get_count, NULL, "The number of signatures.", (void *)COUNT_NTYPES},
    {"types", get_types, NULL, "The signatures, as NumPy writes them.", NULL},
    {"_computed", get_types, NULL, "Of each of `types`, what it is computed in.",
     (void *)1},
    {"_code", get_code, NULL, "The row's expression, in CUDA C++.", NULL},
    {"_family", get_family, NULL, "The family of special functions, or None.", NULL},
    {"_integers", get_integers, NULL, "What a large Python int is to the row.", NULL},
    {"identity", get_identity, NULL, "What an empty reduction gives, or None.", NULL},
    {"signature", get_none, NULL, "None: the operation is element by element.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject py_ufunc_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric.ufunc",
    .tp_doc = "An operation on arrays, element by element.\n\n"
              "Examples\n--------\n"
              ">>> cp.add(cp.arange(3), 1)\n"
              "array([1, 2, 3])\n"
              ">>> cp.add.reduce(cp.arange(4))\n"
              "array(6)\n",
    .tp_basicsize = sizeof(py_ufunc),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_vectorcall_offset = offsetof(py_ufunc, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_repr = repr,
    .tp_methods = py_ufunc_methods,
    .tp_getset = attributes,
};

int
py_ufunc_init(PyObject *module)
{
    PyObject *special; /* borrowed */

    if (cu_ufuncs_init()) return py_raise_int();
    if (PyType_Ready(&py_ufunc_type) < 0) return -1;
    if (PyModule_AddObjectRef(module, "ufunc", (PyObject *)&py_ufunc_type) < 0)
        return -1;
    special = PyModule_New("cupric._core.special");
    if (special == NULL || PyModule_AddObject(module, "special", special) < 0) {
        Py_XDECREF(special);
        return -1;
    }
    for (int op = 0; op < CUPRIC_N_UFUNCS; op++) {
        py_ufunc *o = &objects[op];
        if (o->vectorcall == NULL) {
            PyObject_Init((PyObject *)o, &py_ufunc_type);
            o->vectorcall = call;
            o->op = op;
        }
        if (PyModule_AddObjectRef(cu_ufuncs[op].family ? special : module,
                                  cu_ufuncs[op].name, (PyObject *)o) < 0) {
            return -1;
        }
    }
    return 0;
}
