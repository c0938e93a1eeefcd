/* kernel/py_replay_key.h: what is known of a call's arguments before any element is read. */
#ifndef CUPRIC_KERNEL_PY_REPLAY_KEY_H
#define CUPRIC_KERNEL_PY_REPLAY_KEY_H

#include "layout/py_object.h"

enum {
    PY_KEY_WORDS = 256,
    PY_KEY_ARRAYS = 8,
    PY_KEY_TYPES = 4,
};

/* dtypes, shapes and strides of arrays, numbers, names, the values of small NumPy arrays and
 * lists: calls whose keys are alike do the same. */
typedef struct py_replay_key {
    int n, narrays, ntypes;
    uint64_t hash;
    PyObject *arrays[PY_KEY_ARRAYS]; /* borrowed, in their order, each once */
    PyObject *types[PY_KEY_TYPES];   /* borrowed: known by their addresses */
    uint64_t words[PY_KEY_WORDS];    /* n are set */
} py_replay_key;

/* false: of some argument it cannot be told, or none is an array. */
bool py_replay_key_read(py_replay_key *k, PyObject *const *args, Py_ssize_t nargs,
                        PyObject *kwnames);

#endif
