/* memory/py_memory.h: memory, pointers into it, pools and allocators as Python sees them. */
#ifndef CUPRIC_MEMORY_PY_MEMORY_H
#define CUPRIC_MEMORY_PY_MEMORY_H

#include <Python.h>

#include "memory/storage.h"

/* Add the types and functions to `module`; -1 with an exception on failure. */
int py_memory_init(PyObject *module);
int py_pool_init(PyObject *module);
int py_allocator_init(PyObject *module);
int py_pinned_init(PyObject *module);

/* A MemoryPointer to byte `offset` of a storage, which it refs. New reference. */
PyObject *py_pointer_new(cu_storage *s, ptrdiff_t offset);

/* The memory behind a MemoryPointer: an owned *storage that keeps alive whatever the
 * pointer's memory needs, and the byte in it. -1 with a TypeError for other objects. */
int py_pointer_storage(PyObject *o, cu_storage **storage, ptrdiff_t *offset);

/* ---- for the files of this folder -------------------------------------------------- */

typedef struct py_memory {
    PyObject_HEAD
    cu_storage *storage; /* owned; NULL once freed */
    /* Of a BaseMemory of a program's own: what it has set, of which the storage is made. */
    struct {
        bool own;
        void *ptr;
        size_t size;
        int device_id; /* plus 1; 0: the current one's */
    } set;
} py_memory;

extern PyTypeObject py_BaseMemoryType;
extern PyTypeObject py_PooledMemoryType;
extern PyTypeObject py_MemoryPointerType;

/* A memory object's storage, borrowed; NULL with a ValueError when it was freed. */
cu_storage *py_memory_storage(PyObject *mem);

/* A memory object for `s`, which it steals. New reference. */
PyObject *py_memory_wrap(cu_storage *s);

/* The release of memory that a Python object keeps alive: drops `arg`, that object. */
void py_memory_release_owner(void *ptr, void *arg);

PyObject *py_memory_get_device(PyObject *mem, void *closure);
PyObject *py_memory_get_device_id(PyObject *mem, void *closure);

/* A pointer to the start of a new memory object, which steals `s`. */
PyObject *py_pointer_steal(cu_storage *s);

int py_pointer_init(PyObject *module);

/* A PyArg converter to a size_t: ValueError below 0. */
int py_size_convert(PyObject *o, size_t *out);

#endif
