/* py_gil.h: the GIL, for a thread that has released it and needs Python once more. */
#ifndef CUPRIC_PY_GIL_H
#define CUPRIC_PY_GIL_H

#include <Python.h>

#include <unistd.h>

/* PyGILState_Ensure, but where the interpreter has ended: it would read what is gone. A
 * daemon thread can come here while the process runs its exit handlers, and waits for
 * their end, as it does in the interpreter itself from Python 3.14 on. */
static inline PyGILState_STATE
py_gil_take(void)
{
    while (!Py_IsInitialized()) pause();
    return PyGILState_Ensure();
}

#endif
