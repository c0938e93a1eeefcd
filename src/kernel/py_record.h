/* kernel/py_record.h: what a call launches and runs, while it is recorded. */
#ifndef CUPRIC_KERNEL_PY_RECORD_H
#define CUPRIC_KERNEL_PY_RECORD_H

#include "kernel/py_kernel.h"

enum {
    PY_RECORDER_STEPS = 24,
    PY_RECORDER_USES = 96,
    PY_RECORDER_READS = 4,
    PY_READ_NBYTES = 1024,
};

typedef enum step_kind {
    STEP_LAUNCH,
    STEP_UPLOAD,
    STEP_ELEMENTWISE,
    STEP_CONVERT
} step_kind;

/* A launch with its values, but for addresses; or a copy from the host: of value 0 to the
 * address of argument 0; or an operation over an iteration, whose operands are the
 * arguments. Never changed: recordings share it. */
typedef struct py_step {
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
} py_step;

/* Where a launch was given an address: `at` bytes into an argument. */
typedef struct py_use {
    int launch, arg;
    unsigned at;
    cu_storage *storage; /* owned: so that no other takes its place meanwhile */
    char *address;
} py_use;

/* What was copied to the host, of dense memory, before anything was launched. */
typedef struct py_read {
    const char *address;
    size_t nbytes;
    unsigned char bytes[PY_READ_NBYTES];
} py_read;

typedef struct py_recorder {
    struct py_recorder *outer;
    uint64_t start;    /* this thread's accesses before */
    uint64_t accesses; /* of the launches and reads */
    bool opaque;       /* something happened that cannot be repeated */
    int nlaunches, nuses, nreads;
    py_step *launches[PY_RECORDER_STEPS]; /* owned */
    py_use uses[PY_RECORDER_USES];
    py_read reads[PY_RECORDER_READS];
} py_recorder;

/* The innermost recording of this thread, or NULL. */
extern _Thread_local __attribute__((tls_model("initial-exec")))
py_recorder *py_recording;

void py_step_unref(py_step *l);
/* Add a step to the recordings of this thread; `l` is NULL for a launch not seen before. */
void py_record_step(py_step *l, const py_launched *from);
/* Add one over an iteration; storages[k]: operand k's, or NULL. */
void py_record_iteration(py_step *l, const cu_iter *it, cu_storage *const *storages);
void py_recorder_release(py_recorder *r);

#endif
