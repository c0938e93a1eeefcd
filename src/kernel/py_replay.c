/* kernel/py_replay.c: calls of library functions, recorded once and replayed.
 *
 * A library function in Python reads its arguments, decides what to launch, and launches
 * it: for small arrays that takes longer than the work. All of it follows from what is
 * known of the arguments before any element is read, the *key*: dtypes, shapes and strides
 * of arrays, numbers, names of modes, the values of small NumPy arrays and lists. So the
 * first call with a key runs the function and records its launches, and the next ones
 * repeat these with the new arrays:
 *
 *     call -> key -> found: replay its launches            (no Python)
 *                 -> not found: run the function, recorded -> keep the recording
 *
 * A recording is kept only where it is all that the call did. The storages count accesses
 * (memory/storage.h); where there were others than those of the launches recorded, some
 * other operation read or wrote an array. Each address in a launch must lie in an array
 * that was passed, in the result, or in memory that was allocated and freed meanwhile.
 * Elementwise operations and conversions are recorded beside launches, as iterations, and
 * copies of NumPy arrays to new arrays with the elements copied: as nothing was read from a
 * device, they too follow from the key.
 * Whatever is not sure is not kept, and the function runs again the next time.
 */
#include <Python.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <structmember.h>

#include "kernel/py_kernel.h"
#include "kernel/record.h"
#include "layout/py_args.h"

enum {
    KEY_WORDS = 256,
    KEY_NBYTES = 1024, /* of a NumPy array or a string that a key holds */
    MAX_DEPTH = 4,     /* of sequences in sequences */
    MAX_ARRAYS = 8,
    MAX_TYPES = 4,
    MAX_LAUNCHES = 24,
    MAX_SLOTS = 96,
    MAX_TEMPORARIES = 16,
    UPLOAD_NBYTES = 4096,
    VIEWS = 2048, /* bytes of a launch's values that hold an address and more */
    SETS = 16,    /* a function keeps SETS * WAYS recordings */
    WAYS = 4,
};

/* Arrays beyond this are not recorded: there a call's overhead is nothing, and recording
 * keeps temporary memory until the call is done. */
#define LARGE ((int64_t)64 << 20)

/* ---- keys ---------------------------------------------------------------------------- */

typedef struct call_key {
    int n, narrays, ntypes;
    uint64_t hash;
    PyObject *arrays[MAX_ARRAYS]; /* borrowed, in their order */
    PyObject *types[MAX_TYPES];   /* borrowed: known by their addresses */
    uint64_t words[KEY_WORDS];    /* n are set */
} call_key;

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
    TAG_NUMPY,
    TAG_SCALAR,
    TAG_DTYPE,
    TAG_TYPE,
} tag;

static bool
put(call_key *k, uint64_t word)
{
    if (k->n == KEY_WORDS) return false;
    k->words[k->n++] = word;
    return true;
}

/* A tag, two small numbers and bytes. */
static bool
put_bytes(call_key *k, tag t, unsigned what, const void *data, size_t nbytes)
{
    const size_t n = (nbytes + 7) / 8;

    if (nbytes > KEY_NBYTES || n + 1 > (size_t)(KEY_WORDS - k->n)) return false;
    k->words[k->n] = (uint64_t)t | (uint64_t)what << 8 | (uint64_t)nbytes << 32;
    if (n) {
        k->words[k->n + (int)n] = 0; /* the last may be set in part */
        memcpy(k->words + k->n + 1, data, nbytes);
    }
    k->n += 1 + (int)n;
    return true;
}

static bool
put_array(call_key *k, PyObject *o)
{
    const cu_array *a = py_array_get(o);
    const int n = a->ndim;

    if (k->narrays == MAX_ARRAYS || a->storage == NULL) return false;
    if (a->size * cu_itemsize(a->dtype) > LARGE) return false;
    if (2 + 2 * n > KEY_WORDS - k->n) return false;
    for (int i = 0; i < k->narrays; i++) {
        if (CUPRIC_UNLIKELY(cu_arrays_overlap(a, py_array_get(k->arrays[i]))))
            return false;
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
put_numpy(call_key *k, PyArrayObject *a)
{
    const int n = PyArray_NDIM(a);

    if (!is_number_type(PyArray_TYPE(a)) || !PyArray_ISCARRAY_RO(a)) return false;
    const unsigned what = (unsigned)PyArray_TYPE(a) | (unsigned)n << 8;
    return put_bytes(k, TAG_NUMPY, what, PyArray_DIMS(a),
                     (size_t)n * sizeof(npy_intp)) &&
           put_bytes(k, TAG_NUMPY, 0, PyArray_DATA(a), (size_t)PyArray_NBYTES(a));
}

static bool
put_scalar(call_key *k, PyObject *o)
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
put_text(call_key *k, PyObject *o)
{
    Py_ssize_t n;
    const char *s = PyUnicode_AsUTF8AndSize(o, &n);

    if (s) return put_bytes(k, TAG_TEXT, 0, s, (size_t)n);
    PyErr_Clear(); /* a lone surrogate */
    return false;
}

static bool put_value(call_key *k, PyObject *o, int depth);

static bool
put_sequence(call_key *k, tag t, PyObject *o, int depth)
{
    PyObject **const at = PySequence_Fast_ITEMS(o);
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(o);

    if (depth == MAX_DEPTH || n > KEY_WORDS || !put_bytes(k, t, (unsigned)n, NULL, 0))
        return false;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!put_value(k, at[i], depth + 1)) return false;
    }
    return true;
}

static bool
put_int(call_key *k, PyObject *o)
{
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(o, &overflow);

    return !overflow && put(k, TAG_INT) && put(k, (uint64_t)value);
}

static bool
put_float(call_key *k, double value)
{
    uint64_t word;

    memcpy(&word, &value, sizeof word);
    return put(k, TAG_FLOAT) && put(k, word);
}

static bool
put_type(call_key *k, PyObject *o)
{
    if (k->ntypes == MAX_TYPES) return false;
    k->types[k->ntypes++] = o;
    return put(k, TAG_TYPE) && put(k, (uint64_t)(uintptr_t)o);
}

/* False where the key cannot tell all that a function may ask of the value. Runs no
 * Python code. */
static bool
put_value(call_key *k, PyObject *o, int depth)
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

static bool
key_read(call_key *k, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
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

/* ---- recordings ---------------------------------------------------------------------- */

typedef enum step_kind {
    STEP_LAUNCH,
    STEP_UPLOAD,
    STEP_ELEMENTWISE,
    STEP_CONVERT
} step_kind;

/* A launch with its values, but for addresses; or a copy from the host: of value 0 to the
 * address of argument 0; or an operation over an iteration, whose operands are the
 * arguments. Never changed: recordings share it. */
typedef struct launch {
    int refcount; /* under the GIL */
    step_kind kind;
    cu_device *device;
    cu_function *function; /* of a launch, else NULL */
    PyObject *kernel;      /* owned; of a launch, else NULL */
    cu_launch config;
    cu_elementwise call; /* of an operation; without its iteration */
    int nargs;
    unsigned place[PY_LAUNCHED_MAX]; /* of each value in `bytes` */
    unsigned nbytes[PY_LAUNCHED_MAX];
    unsigned char *bytes; /* owned */
} launch;

/* Where a launch was given an address. */
typedef struct use {
    int launch, arg;
    cu_storage *storage; /* owned: so that no other takes its place meanwhile */
    char *address;
} use;

typedef struct recorder {
    struct recorder *outer;
    uint64_t start;    /* this thread's accesses before */
    uint64_t accesses; /* of the launches */
    bool opaque;       /* something happened that cannot be repeated */
    int nlaunches, nuses;
    launch *launches[MAX_LAUNCHES]; /* owned */
    use uses[MAX_SLOTS];
} recorder;

static _Thread_local __attribute__((tls_model("initial-exec"))) recorder *recording;

bool
py_is_recording(void)
{
    return recording != NULL;
}

static void
launch_unref(launch *l)
{
    if (l == NULL || --l->refcount) return;
    Py_XDECREF(l->kernel);
    free(l->bytes);
    free(l);
}

/* Values as the backend takes them: each in 16 bytes or at a multiple of 64, zeros behind
 * it (py_launch.c). NULL: no memory. */
static launch *
launch_new(const py_launched *from)
{
    launch *l = calloc(1, sizeof *l);
    size_t n = 0;

    if (l == NULL) return NULL;
    l->refcount = 1;
    l->kind = from->function ? STEP_LAUNCH : STEP_UPLOAD;
    l->device = from->device;
    l->function = from->function;
    l->kernel = Py_XNewRef(from->kernel);
    l->config = *from->config;
    l->nargs = from->nargs;
    for (int i = 0; i < l->nargs; i++) {
        const bool large = from->nbytes[i] > 16;
        if (large) n = (n + 63) & ~(size_t)63;
        l->place[i] = (unsigned)n;
        l->nbytes[i] = (unsigned)from->nbytes[i];
        n += large ? (from->nbytes[i] + 63) & ~(size_t)63 : 16;
    }
    n = (n + 64) & ~(size_t)63;
    l->bytes = aligned_alloc(64, n);
    if (l->bytes == NULL) {
        launch_unref(l);
        return NULL;
    }
    memset(l->bytes, 0, n);
    for (int i = 0; i < l->nargs; i++) {
        memcpy(l->bytes + l->place[i], from->values[i], from->nbytes[i]);
    }
    return l;
}

static void
recorder_add(recorder *r, launch *l, const py_launched *from)
{
    if (r->opaque) return;
    if (r->nlaunches == MAX_LAUNCHES || r->nuses + l->nargs > MAX_SLOTS) {
        r->opaque = true;
        return;
    }
    for (int i = 0; i < l->nargs; i++) {
        cu_storage *const storage = from->storages[i];
        if (storage == NULL) continue;
        r->uses[r->nuses++] =
            (use){r->nlaunches, i, cu_storage_ref(storage),
                  from->to ? from->to : *(char *const *)from->values[i]};
        r->accesses++;
    }
    l->refcount++;
    r->launches[r->nlaunches++] = l;
}

/* Add a launch to the recordings of this thread; `l` is NULL for one not seen before. */
static void
record(launch *l, const py_launched *from)
{
    launch *made = l ? NULL : launch_new(from);

    if (made) l = made;
    for (recorder *r = recording; r; r = r->outer) {
        if (l == NULL) {
            r->opaque = true;
        } else {
            recorder_add(r, l, from);
        }
    }
    launch_unref(made);
}

void
py_record_launch(const py_launched *from)
{
    if (from) {
        record(NULL, from);
    } else {
        for (recorder *r = recording; r; r = r->outer) r->opaque = true;
    }
}

void
py_record_upload(const cu_array *a, const void *data)
{
    static const cu_launch none;
    void *const value = (void *)data;
    const size_t nbytes = (size_t)(a->size * cu_itemsize(a->dtype));
    const py_launched l = {cu_array_device(a),
                           NULL,
                           NULL,
                           &none,
                           1,
                           &value,
                           {nbytes},
                           {a->storage},
                           (char *)a->storage->ptr + a->offset};

    if (nbytes) py_record_launch(nbytes <= UPLOAD_NBYTES ? &l : NULL);
}

/* An iteration with `call`, or a conversion. NULL: no memory. */
static launch *
launch_of_iteration(cu_device *device, const cu_elementwise *call, const cu_iter *it)
{
    const size_t nbytes = offsetof(cu_iter, op) + (size_t)it->nops * sizeof it->op[0];
    launch *l = calloc(1, sizeof *l);

    if (l == NULL) return NULL;
    l->refcount = 1;
    l->kind = call ? STEP_ELEMENTWISE : STEP_CONVERT;
    l->device = device;
    if (call) l->call = *call;
    l->nargs = it->nops;
    l->nbytes[0] = (unsigned)nbytes;
    l->bytes = malloc(nbytes);
    if (l->bytes == NULL) {
        launch_unref(l);
        return NULL;
    }
    memcpy(l->bytes, it, nbytes);
    return l;
}

static void
record_iteration(launch *l, const cu_iter *it, cu_storage *const *storages)
{
    void *values[PY_LAUNCHED_MAX];
    py_launched from = {.nargs = it->nops, .values = values};

    for (int i = 0; i < it->nops; i++) {
        values[i] = (void *)&it->op[i].ptr;
        from.storages[i] = storages[i];
    }
    record(l, &from);
}

void
cu_record_iteration(cu_device *device, const cu_elementwise *call, const cu_iter *it,
                    cu_storage *const *storages)
{
    launch *l;

    if (recording == NULL) return;
    l = it->nops <= PY_LAUNCHED_MAX ? launch_of_iteration(device, call, it) : NULL;
    if (l) {
        record_iteration(l, it, storages);
        launch_unref(l);
    } else {
        py_record_launch(NULL);
    }
}

static void
recorder_release(recorder *r)
{
    for (int i = 0; i < r->nlaunches; i++) launch_unref(r->launches[i]);
    for (int i = 0; i < r->nuses; i++) cu_storage_unref(r->uses[i].storage);
}

/* ---- plans: what is kept of a recording ------------------------------------------------ */

typedef enum origin { FROM_ARGUMENT, FROM_RESULT, FROM_TEMPORARY } origin;

/* An address of a launch: so many bytes from the first element of an array. */
typedef struct slot {
    origin from;
    int launch, arg, which; /* which: the number of the array or the temporary */
    int64_t offset;
} slot;

/* Memory that lives from one launch to another. */
typedef struct temporary {
    size_t nbytes;
    int first, last;
} temporary;

typedef struct replay_plan {
    int refcount; /* under the GIL */
    uint64_t hash;
    int nkey, ntypes, nlaunches, nslots, ntemporaries;
    uint64_t *key;              /* owned */
    PyObject *types[MAX_TYPES]; /* owned */
    cu_device *device;
    launch *launches[MAX_LAUNCHES]; /* owned */
    slot *slots;                    /* owned; by launch */
    temporary temporaries[MAX_TEMPORARIES];
    int result; /* the number of the array that is returned; -1: a new one */
    cu_dtype dtype;
    int ndim;
    int64_t *shape; /* owned */
} replay_plan;

static void
plan_unref(replay_plan *p)
{
    if (p == NULL || --p->refcount) return;
    for (int i = 0; i < p->nlaunches; i++) launch_unref(p->launches[i]);
    for (int i = 0; i < p->ntypes; i++) Py_DECREF(p->types[i]);
    free(p->key);
    free(p->slots);
    free(p->shape);
    free(p);
}

static bool
lies_in(const cu_array *a, const use *u)
{
    int64_t lo, hi;
    const int64_t at = u->address - (char *)a->storage->ptr;

    if (a->storage != u->storage) return false;
    cu_array_extent(a, &lo, &hi);
    return lo <= at && at < hi;
}

/* Whether nobody has a storage but `others` and the recordings of this thread. */
static bool
is_ours(const cu_storage *storage, const recorder *r, int others)
{
    int users = others;

    for (; r; r = r->outer) {
        for (int i = 0; i < r->nuses; i++) users += r->uses[i].storage == storage;
    }
    return atomic_load(&storage->refcount) == users;
}

/* The temporary that an address lies in: one more where it is not known yet. -1 where the
 * memory is somebody's who will have it after the call. */
static int
plan_temporary(replay_plan *p, const recorder *r, int number)
{
    const use *u = &r->uses[number];

    if (!is_ours(u->storage, r, 0)) return -1;
    for (int i = 0; i < number; i++) {
        if (r->uses[i].storage != u->storage) continue;
        const int which = p->slots[i].which;
        p->temporaries[which].last = u->launch;
        return which;
    }
    if (p->ntemporaries == MAX_TEMPORARIES) return -1;
    p->temporaries[p->ntemporaries] =
        (temporary){u->storage->nbytes, u->launch, u->launch};
    return p->ntemporaries++;
}

static bool
plan_slot(replay_plan *p, const call_key *k, const recorder *r, const cu_array *result,
          int number)
{
    const use *u = &r->uses[number];
    slot *s = &p->slots[number];

    *s = (slot){FROM_ARGUMENT, u->launch, u->arg, 0, 0};
    for (int i = 0; i < k->narrays; i++) {
        const cu_array *a = py_array_get(k->arrays[i]);
        if (!lies_in(a, u)) continue;
        s->which = i;
        s->offset = u->address - ((char *)a->storage->ptr + a->offset);
        return true;
    }
    if (result && result->storage == u->storage) {
        s->from = FROM_RESULT;
        s->offset = u->address - (char *)u->storage->ptr;
        return true;
    }
    s->from = FROM_TEMPORARY;
    s->which = plan_temporary(p, r, number);
    s->offset = u->address - (char *)u->storage->ptr;
    return s->which >= 0;
}

/* What the call returned: one of the arrays passed, or a new one as `empty` makes it, that
 * nobody else has. */
static bool
plan_result(replay_plan *p, const call_key *k, const recorder *r, PyObject *result)
{
    const cu_array *a;

    p->result = -1;
    for (int i = 0; i < k->narrays; i++) {
        if (k->arrays[i] != result) continue;
        p->result = i;
        return true;
    }
    if (!Py_IS_TYPE(result, &py_array_type) || ((py_array *)result)->base) return false;
    a = py_array_get(result);
    if (a->size == 0 || a->offset || !cu_array_is_contiguous(a) ||
        Py_REFCNT(result) > 1)
        return false;
    if (!is_ours(a->storage, r, 1)) return false;
    p->dtype = a->dtype;
    p->ndim = a->ndim;
    p->shape = malloc((size_t)(a->ndim + 1) * sizeof *p->shape);
    if (p->shape) memcpy(p->shape, a->shape, (size_t)a->ndim * sizeof *p->shape);
    return p->shape != NULL;
}

/* On every device that is touched there is one stream: the current one. */
static bool
plan_device(replay_plan *p, const call_key *k, PyObject *result)
{
    p->device = p->launches[0]->device;
    for (int i = 0; i < p->nlaunches; i++) {
        if (p->launches[i]->device != p->device) return false;
    }
    for (int i = 0; i < k->narrays; i++) {
        if (cu_array_device(py_array_get(k->arrays[i])) != p->device) return false;
    }
    return cu_array_device(py_array_get(result)) == p->device;
}

/* The bytes of values that a replay copies, as it changes them: all that hold more than
 * an address. */
static bool
plan_fits(const replay_plan *p)
{
    for (int l = 0; l < p->nlaunches; l++) {
        unsigned n = 0;
        for (int i = 0; i < p->nslots; i++) {
            if (p->slots[i].launch != l || p->launches[l]->function == NULL) continue;
            n += (p->launches[l]->nbytes[p->slots[i].arg] + 63) & ~63u;
        }
        if (n > VIEWS) return false;
    }
    return true;
}

/* NULL where the recording is not all that the call did, or cannot be repeated. */
static replay_plan *
plan_new(const call_key *k, const recorder *r, PyObject *result)
{
    replay_plan *p;
    const cu_array *made;
    bool ok;

    if (r->opaque || r->nlaunches == 0) return NULL;
    if (cu_accesses_count() - r->start != r->accesses) return NULL;
    p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->refcount = 1;
    p->hash = k->hash;
    p->key = malloc((size_t)k->n * sizeof *p->key);
    p->slots = calloc((size_t)r->nuses + 1, sizeof *p->slots);
    ok = p->key && p->slots && plan_result(p, k, r, result);
    if (ok) {
        p->nkey = k->n;
        memcpy(p->key, k->words, (size_t)k->n * sizeof *p->key);
        for (; p->ntypes < k->ntypes; p->ntypes++)
            p->types[p->ntypes] = Py_NewRef(k->types[p->ntypes]);
        for (; p->nlaunches < r->nlaunches; p->nlaunches++) {
            p->launches[p->nlaunches] = r->launches[p->nlaunches];
            p->launches[p->nlaunches]->refcount++;
        }
        made = p->result < 0 ? py_array_get(result) : NULL;
        for (; ok && p->nslots < r->nuses; p->nslots++)
            ok = plan_slot(p, k, r, made, p->nslots);
        ok = ok && plan_device(p, k, result) && plan_fits(p);
    }
    if (!ok) {
        plan_unref(p);
        p = NULL;
    }
    return p;
}

/* ---- replays -------------------------------------------------------------------------- */

/* One call as it is replayed. */
typedef struct replay {
    replay_plan *plan; /* owned */
    cu_stream *stream;
    const cu_array *arrays[MAX_ARRAYS];
    const cu_array *result;                   /* a new one, or NULL */
    cu_storage *temporaries[MAX_TEMPORARIES]; /* owned while they are needed */
    int slot;                                 /* the next */
} replay;

static cu_status
replay_allocate(replay *c, int step)
{
    const replay_plan *p = c->plan;
    cu_status st = CUPRIC_OK;

    for (int i = 0; i < p->ntemporaries && !st; i++) {
        if (p->temporaries[i].first != step) continue;
        st = cu_storage_new(p->device, p->temporaries[i].nbytes, &c->temporaries[i]);
    }
    return st;
}

static void
replay_free(replay *c, int step)
{
    const replay_plan *p = c->plan;

    for (int i = 0; i < p->ntemporaries; i++) {
        if (p->temporaries[i].last > step) continue;
        cu_storage_unref(c->temporaries[i]);
        c->temporaries[i] = NULL;
    }
}

/* The storage that a slot is an address of, and the address, for `access`. */
static cu_storage *
replay_address(const replay *c, const slot *s, int access, char **out)
{
    cu_storage *storage;
    int64_t offset = s->offset;

    if (s->from == FROM_TEMPORARY) {
        storage = c->temporaries[s->which];
    } else {
        const cu_array *a = s->from == FROM_RESULT ? c->result : c->arrays[s->which];
        storage = a->storage;
        offset += a->offset;
    }
    *out = cu_storage_access(storage, access) + offset;
    return storage;
}

static cu_status
replay_upload(replay *c, int step)
{
    const launch *l = c->plan->launches[step];
    char *to;
    cu_storage *const storage =
        replay_address(c, &c->plan->slots[c->slot++], CUPRIC_WRITE, &to);
    const cu_status st = l->device->backend->copy(to, l->bytes, l->nbytes[0],
                                                  CUPRIC_COPY_TO_DEVICE, c->stream);
    if (st == CUPRIC_OK && CUPRIC_UNLIKELY(recording != NULL)) {
        record(c->plan->launches[step],
               &(py_launched){.nargs = 1, .storages = {storage}, .to = to});
    }
    return st;
}

static cu_status
replay_launch(replay *c, int step)
{
    const replay_plan *p = c->plan;
    launch *l = p->launches[step];
    void *values[PY_LAUNCHED_MAX];
    cu_storage *storages[PY_LAUNCHED_MAX];
    char *addresses[PY_LAUNCHED_MAX];
    _Alignas(64) unsigned char views[VIEWS];
    unsigned used = 0;
    cu_status st;

    for (int i = 0; i < l->nargs; i++) {
        values[i] = l->bytes + l->place[i];
        storages[i] = NULL;
    }
    for (; c->slot < p->nslots && p->slots[c->slot].launch == step; c->slot++) {
        const slot *s = &p->slots[c->slot];
        const int i = s->arg;
        storages[i] = replay_address(c, s, CUPRIC_READ | CUPRIC_WRITE | CUPRIC_ESCAPE,
                                     &addresses[i]);
        if (l->nbytes[i] == sizeof *addresses) {
            values[i] = &addresses[i];
        } else { /* a View: its shape and strides follow */
            memcpy(views + used, values[i], l->nbytes[i]);
            memcpy(views + used, &addresses[i], sizeof *addresses);
            values[i] = views + used;
            used += (l->nbytes[i] + 63) & ~63u;
        }
    }
    Py_BEGIN_ALLOW_THREADS
    st = c->stream->backend->launch(l->function, &l->config, values, c->stream);
    Py_END_ALLOW_THREADS
    if (st == CUPRIC_OK && CUPRIC_UNLIKELY(recording != NULL)) {
        py_launched again = {l->device, l->function, l->kernel, &l->config, l->nargs,
                             values,    {0},         {0},       NULL};
        memcpy(again.storages, storages, sizeof *storages * (size_t)l->nargs);
        record(l, &again);
    }
    return st;
}

static cu_status
replay_iteration(replay *c, int step)
{
    const replay_plan *p = c->plan;
    launch *l = p->launches[step];
    const cu_backend *backend = c->stream->backend;
    cu_storage *storages[PY_LAUNCHED_MAX];
    cu_iter it; /* what is not used is not set: it is large */
    cu_elementwise call = l->call;
    cu_status st;

    memcpy(&it, l->bytes, l->nbytes[0]);
    call.it = &it;
    for (int i = 0; i < l->nargs; i++) storages[i] = NULL;
    for (; c->slot < p->nslots && p->slots[c->slot].launch == step; c->slot++) {
        const slot *s = &p->slots[c->slot];
        storages[s->arg] =
            replay_address(c, s, CUPRIC_READ | CUPRIC_WRITE, &it.op[s->arg].ptr);
    }
    Py_BEGIN_ALLOW_THREADS
    st = l->kind == STEP_ELEMENTWISE ? backend->elementwise(&call, c->stream)
                                     : backend->convert(&it, c->stream);
    Py_END_ALLOW_THREADS
    if (st == CUPRIC_OK && CUPRIC_UNLIKELY(recording != NULL)) {
        record_iteration(l, &it, storages);
    }
    return st;
}

static cu_status
replay_step(replay *c, int step)
{
    switch (c->plan->launches[step]->kind) {
    case STEP_LAUNCH: return replay_launch(c, step);
    case STEP_UPLOAD: return replay_upload(c, step);
    default: return replay_iteration(c, step);
    }
}

static cu_status
replay_launches(replay *c)
{
    const int n = c->plan->nlaunches;
    cu_status st = CUPRIC_OK;

    for (int step = 0; step < n && !st; step++) {
        st = replay_allocate(c, step);
        if (!st) st = replay_step(c, step);
        replay_free(c, step);
    }
    if (st) replay_free(c, n);
    return st;
}

static PyObject *
replay_call(replay_plan *p, const call_key *k)
{
    replay c = {.plan = p, .stream = cu_stream_current(p->device)};
    cu_array made;
    cu_status st = CUPRIC_OK;
    PyObject *result = NULL;

    for (int i = 0; i < k->narrays; i++) c.arrays[i] = py_array_get(k->arrays[i]);
    p->refcount++; /* other threads may drop it while this one launches */
    if (p->result < 0) {
        st = cu_array_init(&made, p->device, p->dtype, p->ndim, p->shape, 'C');
        if (st) goto done;
        c.result = &made;
    }
    st = replay_launches(&c);
    if (p->result >= 0) {
        if (!st) result = Py_NewRef(k->arrays[p->result]);
    } else if (st) {
        cu_array_release(&made);
    } else {
        result = py_array_new(&made);
    }

done:
    plan_unref(p);
    return st ? py_raise() : result;
}

/* ---- functions -------------------------------------------------------------------------- */

typedef struct py_replayed {
    PyObject_HEAD
    vectorcallfunc call;
    PyObject *function; /* owned */
    PyObject *dict;     /* owned */
    PyObject *weakrefs;
    replay_plan **plans; /* owned: SETS sets of WAYS, or NULL before the first */
    unsigned next;       /* which way of a set makes room */
    long long replays;   /* so far */
} py_replayed;

static replay_plan *
plan_find(const py_replayed *self, const call_key *k)
{
    replay_plan **set = self->plans;

    if (set == NULL) return NULL;
    set += k->hash % SETS * WAYS;
    for (int i = 0; i < WAYS; i++) {
        const replay_plan *p = set[i];
        if (p && p->hash == k->hash && p->nkey == k->n &&
            memcmp(p->key, k->words, (size_t)k->n * sizeof *p->key) == 0) {
            return set[i];
        }
    }
    return NULL;
}

/* Steals `p`, which takes the place of another once a set is full. */
static void
plan_keep(py_replayed *self, replay_plan *p)
{
    replay_plan **set, *old;

    if (self->plans == NULL) self->plans = calloc(SETS * WAYS, sizeof(replay_plan *));
    if (self->plans == NULL) {
        plan_unref(p);
        return;
    }
    set = self->plans + p->hash % SETS * WAYS;
    for (int i = 0; i < WAYS; i++) {
        if (set[i]) continue;
        set[i] = p;
        return;
    }
    set += self->next++ % WAYS;
    old = *set;
    *set = p;
    plan_unref(old);
}

static PyObject *
record_call(py_replayed *self, const call_key *k, PyObject *const *args, size_t nargsf,
            PyObject *kwnames)
{
    recorder r; /* what is not counted is not set: it is large */
    PyObject *result;
    replay_plan *p = NULL;

    r.outer = recording;
    r.opaque = false;
    r.nlaunches = r.nuses = 0;
    r.accesses = 0;
    cu_accesses_begin();
    r.start = cu_accesses_count();
    recording = &r;
    result = PyObject_Vectorcall(self->function, args, nargsf, kwnames);
    recording = r.outer;
    cu_accesses_end();
    if (result) p = plan_new(k, &r, result);
    recorder_release(&r);
    if (p) plan_keep(self, p);
    return result;
}

static PyObject *
replayed_call(PyObject *o, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    py_replayed *self = (py_replayed *)o;
    call_key k; /* as above */
    replay_plan *p;

    if (!key_read(&k, args, PyVectorcall_NARGS(nargsf), kwnames)) {
        return PyObject_Vectorcall(self->function, args, nargsf, kwnames);
    }
    p = plan_find(self, &k);
    if (CUPRIC_UNLIKELY(p == NULL)) return record_call(self, &k, args, nargsf, kwnames);
    self->replays++;
    return replay_call(p, &k);
}

/* ---- the type ---------------------------------------------------------------------------- */

static PyObject *
replayed_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"function", NULL};
    PyObject *function;
    py_replayed *self;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:_Replayed", names, &function))
        return NULL;
    self = (py_replayed *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->call = replayed_call;
    self->function = Py_NewRef(function);
    return (PyObject *)self;
}

static void
forget(py_replayed *self)
{
    replay_plan **plans = self->plans;

    self->plans = NULL;
    for (int i = 0; plans && i < SETS * WAYS; i++) plan_unref(plans[i]);
    free(plans);
}

static int
replayed_traverse(PyObject *o, visitproc visit, void *arg)
{
    Py_VISIT(((py_replayed *)o)->function);
    Py_VISIT(((py_replayed *)o)->dict);
    return 0;
}

static int
replayed_clear(PyObject *o)
{
    py_replayed *self = (py_replayed *)o;

    forget(self);
    Py_CLEAR(self->function);
    Py_CLEAR(self->dict);
    return 0;
}

static void
replayed_dealloc(PyObject *o)
{
    PyObject_GC_UnTrack(o);
    if (((py_replayed *)o)->weakrefs) PyObject_ClearWeakRefs(o);
    replayed_clear(o);
    Py_TYPE(o)->tp_free(o);
}

static PyObject *
replayed_repr(PyObject *o)
{
    return PyObject_Repr(((py_replayed *)o)->function);
}

/* As a method of a class, and as inspect knows routines. */
static PyObject *
replayed_get(PyObject *o, PyObject *instance, PyObject *owner)
{
    (void)owner;
    if (instance == NULL || instance == Py_None) return Py_NewRef(o);
    return PyMethod_New(o, instance);
}

static PyObject *
replayed_reduce(PyObject *o, PyObject *unused)
{
    (void)unused;
    return PyObject_GetAttrString(o, "__qualname__");
}

static PyObject *
replayed_forget(PyObject *o, PyObject *unused)
{
    (void)unused;
    forget((py_replayed *)o);
    Py_RETURN_NONE;
}

static PyObject *
replayed_get_kept(PyObject *o, void *unused)
{
    const py_replayed *self = (py_replayed *)o;
    long n = 0;

    (void)unused;
    for (int i = 0; self->plans && i < SETS * WAYS; i++) n += self->plans[i] != NULL;
    return PyLong_FromLong(n);
}

static PyMethodDef replayed_methods[] = {
    {"__reduce__", replayed_reduce, METH_NOARGS, NULL},
    {"_forget", replayed_forget, METH_NOARGS,
     "_forget()\n--\n\nForget all recordings."},
    {NULL},
};

static PyGetSetDef replayed_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {"_kept", replayed_get_kept, NULL, "How many recordings there are.", NULL},
    {NULL},
};

static PyMemberDef replayed_members[] = {
    {"_replays", T_LONGLONG, offsetof(py_replayed, replays), READONLY,
     "How many calls were replayed."},
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(py_replayed, call), READONLY, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(py_replayed, dict), READONLY, NULL},
    {NULL},
};

static PyTypeObject replayed_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric._core._Replayed",
    .tp_doc = "A function whose calls are recorded and replayed: see "
              "cupric._lib.replayed.",
    .tp_basicsize = sizeof(py_replayed),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_new = replayed_new,
    .tp_dealloc = replayed_dealloc,
    .tp_traverse = replayed_traverse,
    .tp_clear = replayed_clear,
    .tp_repr = replayed_repr,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(py_replayed, call),
    .tp_dictoffset = offsetof(py_replayed, dict),
    .tp_weaklistoffset = offsetof(py_replayed, weakrefs),
    .tp_descr_get = replayed_get,
    .tp_methods = replayed_methods,
    .tp_getset = replayed_getset,
    .tp_members = replayed_members,
};

static PyObject *
not_replayed(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    py_record_launch(NULL);
    Py_RETURN_NONE;
}

int
py_replay_init(PyObject *module)
{
    static PyMethodDef functions[] = {
        {"_not_replayed", not_replayed, METH_NOARGS,
         "_not_replayed()\n--\n\nThe call that is recorded does what its launches do "
         "not show, as a warning: it is not kept."},
        {NULL},
    };

    if (PyType_Ready(&replayed_type) < 0 ||
        PyModule_AddObjectRef(module, "_Replayed", (PyObject *)&replayed_type) < 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, functions);
}
