/* kernel/py_replay_key.c: see py_replay_key.h. */
#include "kernel/py_replay_key.h"

#include <string.h>

#include "layout/py_args.h"

enum {
    KEY_NBYTES = 1024, /* of a NumPy array or a string that a key holds */
    MAX_DEPTH = 4,     /* of sequences in sequences */
};

/* Arrays beyond this are not recorded: there a call's overhead is nothing, and recording
 * keeps temporary memory until the call is done. */
#define LARGE ((int64_t)64 << 20)

/* What stands in a key, in the low byte of a value's first word. */
typedef enum tag {
    TAG_NONE = 1,
    TAG_FALSE,
    TAG_TRUE,
    TAG_INT,
    TAG_FLOAT,
    TAG_COMPLEX,
    TAG_TEXT,
    TAG_TUPLE,
    TAG_LIST,
    TAG_ARRAY,
    TAG_AGAIN,
    TAG_NUMPY,
    TAG_SCALAR,
    TAG_DTYPE,
    TAG_TYPE,
} tag;

static bool
put(py_replay_key *k, uint64_t word)
{
    if (k->n == PY_KEY_WORDS) return false;
    k->words[k->n++] = word;
    return true;
}

/* A tag, two small numbers and bytes. */
static bool
put_bytes(py_replay_key *k, tag t, unsigned what, const void *data, size_t nbytes)
{
    const size_t n = (nbytes + 7) / 8;

    if (nbytes > KEY_NBYTES || n + 1 > (size_t)(PY_KEY_WORDS - k->n)) return false;
    k->words[k->n] = (uint64_t)t | (uint64_t)what << 8 | (uint64_t)nbytes << 32;
    if (n) {
        k->words[k->n + (int)n] = 0; /* the last may be set in part */
        memcpy(k->words + k->n + 1, data, nbytes);
    }
    k->n += 1 + (int)n;
    return true;
}

/* Whether arrays differ as objects alone. */
static bool
are_alike(const cu_array *a, const cu_array *b)
{
    const size_t nbytes = (size_t)a->ndim * sizeof *a->shape;

    return a->storage == b->storage && a->offset == b->offset && a->dtype == b->dtype &&
           a->ndim == b->ndim && memcmp(a->shape, b->shape, nbytes) == 0 &&
           memcmp(a->strides, b->strides, nbytes) == 0;
}

/* Array i once more: itself, or another that is alike. Addresses in launches are then
 * taken for those of the first, as in each call with the key. */
static bool
put_again(py_replay_key *k, int i, PyObject *o)
{
    const cu_array *a = py_array_get(o), *b = py_array_get(k->arrays[i]);
    const bool itself = o == k->arrays[i];

    if (!itself && !are_alike(a, b)) return false;
    return put(k, (uint64_t)TAG_AGAIN | (uint64_t)itself << 8 |
                      (uint64_t)(a->flags & CUPRIC_WRITEABLE) << 16 |
                      (uint64_t)i << 32);
}

static bool
put_array(py_replay_key *k, PyObject *o)
{
    const cu_array *a = py_array_get(o);
    const int n = a->ndim;

    if (k->narrays == PY_KEY_ARRAYS || a->storage == NULL) return false;
    if (a->size * cu_itemsize(a->dtype) > LARGE) return false;
    if (2 + 2 * n > PY_KEY_WORDS - k->n) return false;
    for (int i = 0; i < k->narrays; i++) {
        if (CUPRIC_UNLIKELY(cu_arrays_overlap(a, py_array_get(k->arrays[i]))))
            return put_again(k, i, o);
    }
    k->arrays[k->narrays++] = o;
    put(k, (uint64_t)TAG_ARRAY | (uint64_t)(a->flags & CUPRIC_WRITEABLE) << 8 |
               (uint64_t)n << 16 | (uint64_t)a->dtype << 32);
    put(k, (uint64_t)(uintptr_t)cu_array_device(a));
    for (int i = 0; i < n; i++) {
        k->words[k->n++] = (uint64_t)a->shape[i];
        k->words[k->n++] = (uint64_t)a->strides[i];
    }
    return true;
}

static bool
is_number_type(int t)
{
    return t <= NPY_CDOUBLE || t == NPY_HALF;
}

static bool
put_numpy(py_replay_key *k, PyArrayObject *a)
{
    const int n = PyArray_NDIM(a);

    if (!is_number_type(PyArray_TYPE(a)) || !PyArray_ISCARRAY_RO(a)) return false;
    const unsigned what = (unsigned)PyArray_TYPE(a) | (unsigned)n << 8;
    return put_bytes(k, TAG_NUMPY, what, PyArray_DIMS(a),
                     (size_t)n * sizeof(npy_intp)) &&
           put_bytes(k, TAG_NUMPY, 0, PyArray_DATA(a), (size_t)PyArray_NBYTES(a));
}

static bool
put_scalar(py_replay_key *k, PyObject *o)
{
    PyArray_Descr *d = PyArray_DescrFromScalar(o);
    unsigned char value[32] = {0};
    bool ok = d && is_number_type(d->type_num);

    if (ok) {
        PyArray_ScalarAsCtype(o, value);
        ok = put_bytes(k, TAG_SCALAR, (unsigned)d->type_num, value,
                       (size_t)PyDataType_ELSIZE(d));
    }
    Py_XDECREF(d);
    PyErr_Clear();
    return ok;
}

static bool
put_text(py_replay_key *k, PyObject *o)
{
    Py_ssize_t n;
    const char *s = PyUnicode_AsUTF8AndSize(o, &n);

    if (s) return put_bytes(k, TAG_TEXT, 0, s, (size_t)n);
    PyErr_Clear(); /* a lone surrogate */
    return false;
}

static bool put_value(py_replay_key *k, PyObject *o, int depth);

static bool
put_sequence(py_replay_key *k, tag t, PyObject *o, int depth)
{
    PyObject **const at = PySequence_Fast_ITEMS(o);
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(o);

    if (depth == MAX_DEPTH || n > PY_KEY_WORDS ||
        !put_bytes(k, t, (unsigned)n, NULL, 0))
        return false;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!put_value(k, at[i], depth + 1)) return false;
    }
    return true;
}

static bool
put_int(py_replay_key *k, PyObject *o)
{
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(o, &overflow);

    return !overflow && put(k, TAG_INT) && put(k, (uint64_t)value);
}

static bool
put_float(py_replay_key *k, double value)
{
    uint64_t word;

    memcpy(&word, &value, sizeof word);
    return put(k, TAG_FLOAT) && put(k, word);
}

static bool
put_type(py_replay_key *k, PyObject *o)
{
    if (k->ntypes == PY_KEY_TYPES) return false;
    k->types[k->ntypes++] = o;
    return put(k, TAG_TYPE) && put(k, (uint64_t)(uintptr_t)o);
}

/* False where the key cannot tell all that a function may ask of the value. Runs no
 * Python code. */
static bool
put_value(py_replay_key *k, PyObject *o, int depth)
{
    if (Py_IS_TYPE(o, &py_array_type)) return put_array(k, o);
    if (PyLong_CheckExact(o)) return put_int(k, o);
    if (PyUnicode_CheckExact(o)) return put_text(k, o);
    if (PyFloat_CheckExact(o)) return put_float(k, PyFloat_AS_DOUBLE(o));
    if (o == Py_None) return put(k, TAG_NONE);
    if (PyBool_Check(o)) return put(k, o == Py_True ? TAG_TRUE : TAG_FALSE);
    if (PyArray_CheckExact(o)) return put_numpy(k, (PyArrayObject *)o);
    if (PyTuple_CheckExact(o)) return put_sequence(k, TAG_TUPLE, o, depth);
    if (PyList_CheckExact(o)) return put_sequence(k, TAG_LIST, o, depth);
    if (PyType_Check(o)) return put_type(k, o);
    if (PyArray_IsScalar(o, Number) || PyArray_IsScalar(o, Bool))
        return put_scalar(k, o);
    if (PyComplex_CheckExact(o)) {
        const Py_complex value = PyComplex_AsCComplex(o);
        return put_bytes(k, TAG_COMPLEX, 0, &value, sizeof value);
    }
    if (PyArray_DescrCheck(o)) {
        const PyArray_Descr *d = (PyArray_Descr *)o;
        return is_number_type(d->type_num) && PyArray_ISNBO(d->byteorder) &&
               put(k, (uint64_t)TAG_DTYPE | (uint64_t)d->type_num << 32);
    }
    return false;
}

static uint64_t
hash_words(const uint64_t *words, int n)
{
    uint64_t h = (uint64_t)n;

    for (int i = 0; i < n; i++) {
        h = (h ^ words[i]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

bool
py_replay_key_read(py_replay_key *k, PyObject *const *args, Py_ssize_t nargs,
                   PyObject *kwnames)
{
    const Py_ssize_t nkeywords = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;

    k->n = k->narrays = k->ntypes = 0;
    put(k, (uint64_t)nargs);
    for (Py_ssize_t i = 0; i < nargs; i++) {
        if (!put_value(k, args[i], 0)) return false;
    }
    for (Py_ssize_t i = 0; i < nkeywords; i++) {
        if (!put_text(k, PyTuple_GET_ITEM(kwnames, i))) return false;
        if (!put_value(k, args[nargs + i], 0)) return false;
    }
    k->hash = hash_words(k->words, k->n);
    return k->narrays > 0;
}
