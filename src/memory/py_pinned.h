/* memory/py_pinned.h: pinned memory and pointers into it, for the pool of them. */
#ifndef CUPRIC_MEMORY_PY_PINNED_H
#define CUPRIC_MEMORY_PY_PINNED_H

#include <Python.h>

#include "memory/pinned.h"

typedef struct py_pinned {
    PyObject_HEAD
    void *ptr;
    Py_ssize_t size;
    cu_pinned *block;   /* owned: where the memory is; NULL: a subclass's, or freed */
    PyObject *pool;     /* owned: the PinnedMemoryPool it is of, or NULL */
    Py_ssize_t exports; /* buffers handed out */
} py_pinned;

typedef struct py_pinned_pointer {
    PyObject_HEAD
    PyObject *mem; /* owned: a PinnedMemory */
    Py_ssize_t offset;
} py_pinned_pointer;

extern PyTypeObject py_PinnedMemoryType;
extern PyTypeObject py_PooledPinnedMemoryType;
extern PyTypeObject py_PinnedMemoryPointerType;
extern PyTypeObject py_PinnedMemoryPoolType;

/* Allocate the memory of a py_pinned, of a pool or (NULL) its own; -1 with an
 * exception. */
int py_pinned_fill(PyObject *self, cu_pinned_pool *pool, size_t size);

/* A pointer to a byte of `mem`, which is borrowed. New reference. */
PyObject *py_pinned_pointer_new(PyObject *mem, Py_ssize_t offset);

#endif
