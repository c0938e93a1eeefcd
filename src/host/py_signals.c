/* host/py_signals.c: Python's part in waiting: signals, and the GIL. See host/runner.h. */
#include <Python.h>

#include "host/runner.h"
#include "py_gil.h"

bool
cu_host_interrupted(void)
{
    const PyGILState_STATE gil = py_gil_take();
    /* A handler does not run on top of another exception. */
    const bool raised = !PyErr_Occurred() && PyErr_CheckSignals() != 0;

    PyGILState_Release(gil);
    return raised;
}

void *
cu_host_gil_release(void)
{
    PyThreadState *const mine = PyGILState_GetThisThreadState();
#if PY_VERSION_HEX >= 0x030d0000
    PyThreadState *const current = PyThreadState_GetUnchecked();
#else
    PyThreadState *const current = _PyThreadState_UncheckedGet();
#endif

    return mine && mine == current ? PyEval_SaveThread() : NULL;
}

void
cu_host_gil_take(void *state)
{
    if (state) PyEval_RestoreThread(state);
}
