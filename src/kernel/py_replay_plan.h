/* kernel/py_replay_plan.h: what is kept of a recording, and calls that repeat it. */
#ifndef CUPRIC_KERNEL_PY_REPLAY_PLAN_H
#define CUPRIC_KERNEL_PY_REPLAY_PLAN_H

#include "kernel/py_record.h"
#include "kernel/py_replay_key.h"

enum { PY_PLAN_TEMPORARIES = 16 };

typedef enum origin { FROM_ARGUMENT, FROM_RESULT, FROM_TEMPORARY } origin;

/* An address, `at` bytes into an argument of a launch: `offset` bytes from the first
 * element of an array. */
typedef struct slot {
    origin from;
    int launch, arg, which; /* which: the number of the array or the temporary */
    unsigned at;
    int64_t offset;
} slot;

/* Memory that lives from one launch to another. */
typedef struct temporary {
    size_t nbytes;
    int first, last;
} temporary;

/* What an array held that the call read on the host. */
typedef struct content {
    int which; /* the number of the array */
    size_t nbytes;
    unsigned char bytes[PY_READ_NBYTES];
} content;

typedef struct py_plan {
    int refcount; /* under the GIL */
    uint64_t hash;
    int nkey, ntypes, nlaunches, nslots, ntemporaries, ncontents;
    uint64_t *key;                 /* owned */
    PyObject *types[PY_KEY_TYPES]; /* owned */
    cu_device *device;
    py_step *launches[PY_RECORDER_STEPS]; /* owned */
    slot *slots;                          /* owned; by launch */
    content *contents;                    /* owned */
    temporary temporaries[PY_PLAN_TEMPORARIES];
    int result; /* the number of the array that is returned; -1: a new one */
    cu_dtype dtype;
    int ndim;
    int64_t *shape; /* owned */
} py_plan;

/* NULL where the recording is not all that the call did, or cannot be repeated. */
py_plan *py_plan_new(const py_replay_key *k, const py_recorder *r, PyObject *result);
void py_plan_unref(py_plan *p);
/* Whether a call with the plan's key does the same: arrays that the host read hold what
 * they held. */
bool py_plan_agrees(const py_plan *p, const py_replay_key *k);
/* What the call returned that was recorded, of the arrays of `k`; NULL with an exception. */
PyObject *py_plan_call(py_plan *p, const py_replay_key *k);

#endif
