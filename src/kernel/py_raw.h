/* kernel/py_raw.h: CUDA C++ as the user wrote it, for RawKernel and RawModule. */
#ifndef CUPRIC_KERNEL_PY_RAW_H
#define CUPRIC_KERNEL_PY_RAW_H

#include "kernel/py_kernel.h"

/* A source, or a binary from a file. Shared by a RawModule and the kernels got from it. */
typedef struct py_raw_code {
    PyObject *code;             /* owned: str or None */
    PyObject *path;             /* owned: str or None */
    PyObject *backend;          /* owned: str */
    PyObject *jitify;           /* owned: as given */
    PyObject *name_expressions; /* owned: tuple or None */
    py_strings options, names;  /* names: of kernels that only the compiler can find */
    bool translate_cucomplex, cooperative;
} py_raw_code;

void py_raw_code_release(py_raw_code *c);
int py_raw_code_copy(py_raw_code *out, const py_raw_code *c);
/* The compiled or loaded module; -1 with an exception. */
int py_raw_code_load(const py_raw_code *c, cu_device *device, cu_module **out);
/* What a constructor takes by name besides code, name and path: a new dict. */
PyObject *py_raw_code_keywords(const py_raw_code *c);
/* A constructor's `backend`: -1 with ValueError where it is none. */
int py_raw_backend_check(PyObject *backend);

/* A RawKernel of `name` in the code, compiled for the current device. New reference. */
PyObject *py_raw_kernel_from(PyObject *module, const py_raw_code *code, PyObject *name);

/* The getter of a bool, `closure` bytes into the object. */
PyObject *py_raw_get_flag(PyObject *o, void *closure);

#endif
