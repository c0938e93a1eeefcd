/* layout/py_object.h: the Python objects that every layer above handles.
 *
 * The ndarray's behaviour (its methods and protocols) is array/'s; here is what the
 * layers below need to recognise arrays, to make them and to read arguments.
 */
#ifndef CUPRIC_LAYOUT_PY_OBJECT_H
#define CUPRIC_LAYOUT_PY_OBJECT_H

#include "layout/array.h"
#include "py_numpy.h"
#include "py_status.h"

/* Whoever reads an array may do so without the GIL, or call Python code on the way, while
 * another thread sets its shape. What a reader has got therefore never changes: a new
 * shape is another cu_array, to which `now` points from then on, and all that an array
 * ever had stay until it is freed. */
typedef struct py_array {
    PyObject_HEAD
    const cu_array *now; /* &a, or that of a py_layout */
    cu_array a;          /* as it was made; a.storage NULL: never initialised */
    PyObject *base;      /* owned: the array this is a view of, or NULL */
    PyObject *weakrefs;  /* Python's */
} py_array;

extern PyTypeObject py_array_type; /* array/py_array.c */

static inline bool
py_array_check(PyObject *o)
{
    return Py_TYPE(o) == &py_array_type || PyType_IsSubtype(Py_TYPE(o), &py_array_type);
}

/* The array as it is now. What this gave stays as it is while `o` lives: call it once, and
 * let all that a function does go by that. */
static inline const cu_array *
py_array_get(PyObject *o)
{
    return ((py_array *)o)->now;
}
/* The same as what is written to: its elements are, its description never. */
static inline cu_array *
py_array_target(PyObject *o)
{
    return (cu_array *)((py_array *)o)->now;
}
/* The same for an array that was just made and that nobody else has seen yet. */
static inline cu_array *
py_array_edit(PyObject *o)
{
    return &((py_array *)o)->a;
}

/* Give the array the axes and flags of *like, whose storage and dtype are its own. 0, or -1
 * with MemoryError. */
int py_array_set_layout(PyObject *o, const cu_array *like);
/* Free what py_array_set_layout made; for the array's end. */
void py_array_free_layouts(py_array *self);

/* A Python array around *a (whose reference it steals, also on failure), of `type`, a
 * view of `base` when that is not NULL. Calls __array_finalize__(parent) for a subclass;
 * `parent` may be NULL. New reference. */
PyObject *py_array_wrap(cu_array *a, PyTypeObject *type, PyObject *base,
                        PyObject *parent);
/* The common case: a new array of the exact type. */
PyObject *py_array_new(cu_array *a);
/* A view of `of`, of its type. */
PyObject *py_array_new_view(cu_array *a, PyObject *of);

/* ---- dtypes -------------------------------------------------------------------------- */

/* NumPy's dtype object: new reference. bfloat16 needs the ml_dtypes package. */
PyObject *py_dtype_new(cu_dtype t);
/* Anything numpy.dtype accepts to a cu_dtype. 0, or -1 with TypeError set: the message
 * names dtypes that cupric does not have. None is float64. */
int py_dtype_convert(PyObject *o, cu_dtype *out);
/* The cu_dtype of a NumPy descriptor, or CUPRIC_NO_DTYPE (no exception set). */
cu_dtype py_dtype_from_descr(PyArray_Descr *descr);
/* The same for times, structures and plain bytes (dtype.h's opaque dtypes) as well: where
 * elements are made, moved or seen differently, and nothing is computed. */
int py_dtype_convert_any(PyObject *o, cu_dtype *out);
/* The same for a new array of shape[0…*ndim-1], which gets the axes of a subarray dtype,
 * '(2,)f4', as well. */
int py_dtype_convert_new(PyObject *o, cu_dtype *out, int *ndim, int64_t *shape);
/* The dtype of a NumPy descriptor, opaque ones too: 1, or 0 when there is none (no
 * exception), or -1. */
int py_dtype_find(PyArray_Descr *descr, cu_dtype *out);
/* NumPy's dtype object of an opaque dtype: new reference. */
PyObject *py_opaque_new(cu_dtype t);
/* 0, or -1 with TypeError when the elements of `a` are opaque to the function `what`. */
int py_require_numbers(const cu_array *a, const char *what);
/* NumPy's casting rule by its name: whether `from` may become `to`; -1 and an exception
 * for an unknown rule. `rule` NULL is same_kind. */
int py_can_cast(cu_dtype from, cu_dtype to, const char *rule);
/* NumPy's ComplexWarning where elements of dtype `from` are cast to `to`, and imaginary parts
 * are dropped: 0, or -1 where warnings are errors. It may run Python code. */
int py_warn_dropped(cu_dtype from, cu_dtype to);
static inline int
py_warn_complex(cu_dtype from, cu_dtype to)
{
    return CUPRIC_LIKELY(from == to) ? 0 : py_warn_dropped(from, to);
}

/* ---- scalars ------------------------------------------------------------------------- */

typedef enum py_weak { PY_STRONG, PY_WEAK_INT, PY_WEAK_FLOAT, PY_WEAK_COMPLEX } py_weak;

/* A scalar argument: a NumPy scalar has a dtype of its own; a Python number adapts to
 * the arrays it meets (NEP 50). */
typedef struct py_scalar {
    py_weak weak;
    cu_dtype dtype;     /* strong: its dtype; weak: what it is alone (int64, …) */
    cu_scalar value;    /* strong: in its dtype */
    int64_t i;          /* weak int that fits int64 */
    uint64_t u;         /* weak int above that, up to uint64's range */
    bool above, beyond; /* it is in `u`; it fits neither (re has its value) */
    double re, im;      /* any weak kind */
} py_scalar;

/* 1 when `o` is a Python or NumPy scalar (read into *out), 0 when it is something else,
 * -1 on an exception. A 0-d NumPy array is something else. */
int py_scalar_read(PyObject *o, py_scalar *out);
/* Its value in dtype `t`: 0, or -1 with OverflowError when a Python integer does not fit
 * (NumPy's words). */
int py_scalar_store(const py_scalar *s, cu_dtype t, cu_scalar *out);
/* A NumPy scalar object of one element: new reference. */
PyObject *py_scalar_new(cu_dtype t, const void *bytes);

/* Whether work over `size` elements is worth letting other Python threads run. */
static inline bool
py_is_long(int64_t size)
{
    return size > 32768;
}
/* Let go of the GIL for it where it is; py_resume takes what this gave. */
static inline PyThreadState *
py_suspend(int64_t size)
{
    return py_is_long(size) ? PyEval_SaveThread() : NULL;
}
static inline void
py_resume(PyThreadState *state)
{
    if (state) PyEval_RestoreThread(state);
}

/* ---- arguments ----------------------------------------------------------------------- */

/* A tuple of lengths: new reference. */
PyObject *py_shape_new(int ndim, const int64_t *shape);
/* MemoryError where `n` array objects are more than the host's memory holds: what a call
 * asks before it makes an object for each of a number that came from outside. 0 or -1. */
int py_require_objects(int64_t n, const char *what);
/* _core._require_objects(n, what): the same for functions in Python. */
PyObject *py_require_objects_for(PyObject *self, PyObject *args);
/* How a function ends that CuPy writes as `return a.name(…)`: `r`, but where that is NULL
 * because the first argument is a NumPy array, what that array's own method returns for the
 * other arguments. */
PyObject *py_or_numpy_method(PyObject *r, const char *name, PyObject *const *args,
                             Py_ssize_t nargs, PyObject *kwnames);
/* TypeError "Unsupported type <class …>", as CuPy words it, and what to write instead. Most
 * of those who see it mix arrays of the host and of a device, and many inside another package
 * (matplotlib), where neither is theirs. */
void py_raise_unsupported(PyObject *o);
/* _core._unsupported(o): that TypeError, for functions in Python to raise. */
PyObject *py_unsupported(PyObject *self, PyObject *o);
#define CUPRIC_HOST_ARRAY                                                              \
    "a NumPy array is on the host. Please use `cupric.asarray(a)` to copy it to the "  \
    "device, or `x.get()` to copy the device's arrays to the host."

#endif
