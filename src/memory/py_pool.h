/* memory/py_pool.h: pools, hooks and allocators, for the files of this folder that serve
 * arrays on Python's terms: py_hooks.c, py_pool.c above it, py_allocator.c above both. */
#ifndef CUPRIC_MEMORY_PY_POOL_H
#define CUPRIC_MEMORY_PY_POOL_H

#include <Python.h>

#include "memory/pool.h"

/* Memory of a pool, with the hook called where there is one. The GIL is held. */
cu_status py_hooks_alloc(cu_pool *pool, cu_device *d, size_t nbytes, cu_storage **out);
/* Stands in for cu_pool_return while there is a hook. */
void py_hooks_return(cu_storage *s);
/* The function called with (event, keyword arguments); Py_None: none. */
void py_hooks_set(PyObject *f);
bool py_hooks_active(void);

extern PyObject *py_default_pool;   /* owned, for ever: a MemoryPool */
extern PyObject *py_default_malloc; /* owned, for ever: its bound method malloc */

/* An allocator is a callable or None: -1 with TypeError for others. */
int py_allocator_check(PyObject *allocator);
/* The MemoryPool whose malloc the allocator is, borrowed, or NULL. A NULL allocator is the
 * default pool's. */
PyObject *py_pool_behind(PyObject *allocator);
/* Memory of a MemoryPool on `d`. */
cu_status py_pool_serve(PyObject *self, cu_device *d, size_t nbytes, cu_storage **out);

#endif
