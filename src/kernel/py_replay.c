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
 * What was copied to the host before the first launch, of a small array that was passed, is
 * kept with the recording, which serves while the array holds the same: the values of a
 * structure or a window decide what is launched wherever they lie.
 * Whatever is not sure is not kept, and the function runs again the next time. It runs on
 * the device of the arrays (layout/py_placed.h), which a key has, not the current one.
 */
#include <Python.h>

#include <stdlib.h>
#include <string.h>
#include <structmember.h>

#include "kernel/py_replay_plan.h"
#include "layout/py_placed.h"
#include "py_wrapper.h"

enum {
    SETS = 16, /* a function keeps SETS * WAYS recordings */
    WAYS = 4,
};

/* ---- functions -------------------------------------------------------------------------- */

typedef struct py_replayed {
    py_wrapper wrapper;
    py_plan **plans;   /* owned: SETS sets of WAYS, or NULL before the first */
    unsigned next;     /* which way of a set makes room */
    long long replays; /* so far */
} py_replayed;

static py_plan *
plan_find(const py_replayed *self, const py_replay_key *k)
{
    py_plan **set = self->plans;

    if (set == NULL) return NULL;
    set += k->hash % SETS * WAYS;
    for (int i = 0; i < WAYS; i++) {
        const py_plan *p = set[i];
        if (p && p->hash == k->hash && p->nkey == k->n &&
            memcmp(p->key, k->words, (size_t)k->n * sizeof *p->key) == 0 &&
            py_plan_agrees(p, k)) {
            return set[i];
        }
    }
    return NULL;
}

/* Steals `p`, which takes the place of another once a set is full. */
static void
plan_keep(py_replayed *self, py_plan *p)
{
    py_plan **set, *old;

    if (self->plans == NULL) self->plans = calloc(SETS * WAYS, sizeof(py_plan *));
    if (self->plans == NULL) {
        py_plan_unref(p);
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
    py_plan_unref(old);
}

/* Arrays on other devices may come beside the first: their elements may be all that is
 * asked for, and launches take no arrays of two devices. */
static PyObject *
run(py_replayed *self, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    const Py_ssize_t nkw = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
    cu_device *device = py_device_of(args, PyVectorcall_NARGS(nargsf) + nkw);

    return py_call_on(device, self->wrapper.function, args, nargsf, kwnames);
}

static PyObject *
record_call(py_replayed *self, const py_replay_key *k, PyObject *const *args,
            size_t nargsf, PyObject *kwnames)
{
    py_recorder r; /* what is not counted is not set: it is large */
    PyObject *result;
    py_plan *p = NULL;

    r.outer = py_recording;
    r.opaque = false;
    r.nlaunches = r.nuses = r.nreads = 0;
    r.accesses = 0;
    cu_accesses_begin();
    r.start = cu_accesses_count();
    py_recording = &r;
    result = run(self, args, nargsf, kwnames);
    py_recording = r.outer;
    cu_accesses_end();
    if (result) p = py_plan_new(k, &r, result);
    py_recorder_release(&r);
    if (p) plan_keep(self, p);
    return result;
}

static PyObject *
replayed_call(PyObject *o, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    py_replayed *self = (py_replayed *)o;
    py_replay_key k; /* as above */
    py_plan *p;

    if (!py_replay_key_read(&k, args, PyVectorcall_NARGS(nargsf), kwnames)) {
        return run(self, args, nargsf, kwnames);
    }
    p = plan_find(self, &k);
    if (CUPRIC_UNLIKELY(p == NULL)) return record_call(self, &k, args, nargsf, kwnames);
    self->replays++;
    return py_plan_call(p, &k);
}

/* ---- the type ---------------------------------------------------------------------------- */

static PyObject *
replayed_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    return py_wrapper_new(type, args, kwargs, replayed_call);
}

static void
forget(py_replayed *self)
{
    py_plan **plans = self->plans;

    self->plans = NULL;
    for (int i = 0; plans && i < SETS * WAYS; i++) py_plan_unref(plans[i]);
    free(plans);
}

static int
replayed_clear(PyObject *o)
{
    forget((py_replayed *)o);
    return py_wrapper_clear(o);
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
    {"_forget", replayed_forget, METH_NOARGS,
     "_forget()\n--\n\nForget all recordings."},
    {NULL},
};

static PyGetSetDef replayed_getset[] = {
    {"_kept", replayed_get_kept, NULL, "How many recordings there are.", NULL},
    {NULL},
};

static PyMemberDef replayed_members[] = {
    {"_replays", T_LONGLONG, offsetof(py_replayed, replays), READONLY,
     "How many calls were replayed."},
    {NULL},
};

static PyTypeObject replayed_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cupric._core._Replayed",
    .tp_doc = "A function whose calls are recorded and replayed: see "
              "cupric._lib.kernels.replayed.",
    .tp_basicsize = sizeof(py_replayed),
    PY_WRAPPER_TYPE,
    .tp_new = replayed_new,
    .tp_clear = replayed_clear,
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
