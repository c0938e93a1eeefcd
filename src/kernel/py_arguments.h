/* kernel/py_arguments.h: Python values as a kernel's arguments. */
#ifndef CUPRIC_KERNEL_PY_ARGUMENTS_H
#define CUPRIC_KERNEL_PY_ARGUMENTS_H

#include "kernel/py_kernel.h"

#define PY_MAX_ARGUMENTS 256
#define PY_SLOT 16          /* bytes */
#define PY_FEW_ARGUMENTS 16 /* that need no memory of their own */

/* A value in a slot of its own, padded with zeros, whose address the backend is given. */
typedef struct py_argument {
    _Alignas(PY_SLOT) unsigned char bytes[PY_SLOT];
    void *large;       /* owned: where it does not fit the slot */
    size_t nbytes;     /* given */
    char kind;         /* p pointer, i u integer, f c floating, b bool, V bytes */
    PyObject *offered; /* owned: the array of another package's object, or NULL */
    bool is_unowned;   /* a pointer to memory that is not an array's */
} py_argument;

typedef struct py_arguments {
    int n;
    cu_device *device; /* of the arrays; NULL: none came */
    int naddresses;    /* of storages, in the order of the arguments */
    py_address addresses[PY_MAX_ARGUMENTS];
    py_argument *at; /* owned, where it is not `few` */
    py_argument few[PY_FEW_ARGUMENTS];
} py_arguments;

/* Where arguments come from: a tuple of values, or a value for each declared parameter. */
typedef struct py_argument_source {
    PyObject *tuple;            /* borrowed; NULL: parameters are declared */
    const py_parameter *params; /* borrowed, with the values */
    PyObject *const *values;
    int n;
} py_argument_source;

/* No arguments yet: not all of it is set, as it is large. */
static inline void
py_arguments_init(py_arguments *a)
{
    a->n = a->naddresses = 0;
    a->device = NULL;
    a->at = a->few;
}

/* Read them: -1 with an exception. Release *out in any case. */
int py_arguments_read(const py_argument_source *from, py_arguments *out);
void py_arguments_release(py_arguments *a);
/* A list might change while its elements are read: a tuple of them, a new reference; NULL
 * with TypeError and `message` where it is none. */
PyObject *py_arguments_tuple(PyObject *o, const char *message);

#endif
