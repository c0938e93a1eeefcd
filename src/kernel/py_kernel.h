/* kernel/py_kernel.h: user kernels as Python sees them, and what their types share. */
#ifndef CUPRIC_KERNEL_PY_KERNEL_H
#define CUPRIC_KERNEL_PY_KERNEL_H

#include "kernel/cache.h"
#include "kernel/plan.h"
#include "kernel/text.h"
#include "layout/py_object.h"

/* Add the types to `module`; -1 with an exception on failure. */
int py_kernel_init(PyObject *module);
int py_library_init(PyObject *module);

/* ---- for the files of this folder --------------------------------------------------- */

extern PyTypeObject py_ElementwiseKernelType;
extern PyTypeObject py_ReductionKernelType;
extern PyTypeObject py_RawKernelType;
extern PyTypeObject py_RawModuleType;
extern PyTypeObject py_FunctionType;
extern PyTypeObject py_ModuleType;

/* Strings of a tuple of str, borrowed from it while it lives. */
typedef struct py_strings {
    PyObject *tuple; /* owned; never NULL once read */
    const char **at; /* owned */
    int n;
} py_strings;

/* A str, or a sequence of them, or None; `what` names it in messages. */
int py_strings_read(PyObject *o, const char *what, py_strings *out);
void py_strings_release(py_strings *s);

/* The module of a source: compiled without the GIL. -1 with CompileException, which holds
 * the compiler's messages and the numbered source. */
int py_kernel_compile(cu_device *device, const cu_compile *args, cu_module **out);

/* One compiled source of a kernel, for a combination of dtypes and layouts. */
typedef struct py_variant {
    cu_plan_key key;
    cu_function *function;
    char *code; /* owned */
} py_variant;

typedef struct py_variants {
    py_variant *at; /* owned */
    int n;
} py_variants;

/* The function for a key, or NULL. */
cu_function *py_variants_find(py_variants *v, const cu_plan_key *key);
/* Compile `source`, which is stolen (also on failure), and remember its kernel `name`. */
cu_function *py_variants_add(py_variants *v, const cu_plan_key *key, cu_text *source,
                             const char *name, const py_strings *options);
void py_variants_release(py_variants *v);
PyObject *py_variants_codes(const py_variants *v); /* {dtypes: code} */
PyObject *py_variants_code(const py_variants *v);  /* of the first */

/* The attributes in_params, out_params and params of a kernel: tuples of what CuPy calls
 * ParameterInfo, with name, ctype, dtype, raw. */
PyObject *py_params_list(const cu_params *p, const char *which);
/* The attributes nin, nout and nargs. */
PyObject *py_params_count(const cu_params *p, const char *which);

/* The parameters [begin, end) as a user writes them: "T x, raw float32 y". */
PyObject *py_params_text(const cu_params *p, int begin, int end);
/* "<cupric.ElementwiseKernel 'square': T x -> T y>" */
PyObject *py_params_repr(PyObject *kernel, PyObject *name, const cu_params *p);

/* What pickle calls: type(*args, **keywords); steals both. */
PyObject *py_reduce_call(PyObject *callable, PyObject *args, PyObject *keywords);

/* The bytes of text of a str argument, or NULL with TypeError naming `what`. */
const char *py_text_read(PyObject *o, const char *what);
bool py_is_kernel_name(const char *name);

/* Launches: grid, block, args and shared memory from Python. `f` may be NULL: then
 * `find(arg, device, &f)` is asked once the device is known from the arguments. */
typedef int (*py_find_function)(void *arg, cu_device *device, cu_function **out);
int py_launch(py_find_function find, void *arg, PyObject *grid, PyObject *block,
              PyObject *args, PyObject *shared, PyObject *stream, bool cooperative);
/* `n` pieces of work: elements, which threads of a block share out, where `threads` is 0;
 * else pieces that a block of so many threads takes. On the host device a block of one
 * thread takes a run of them. Nothing is launched for none. */
typedef struct py_work {
    long long n;
    int threads;
} py_work;
int py_raw_find(void *kernel, cu_device *device,
                cu_function **out); /* of a RawKernel */

/* A parameter as a kernel's code declares it (py_instance.c). */
typedef enum py_parameter_kind {
    PY_PARAMETER_ANY,     /* whatever the value is */
    PY_PARAMETER_POINTER, /* to the first element of an array */
    PY_PARAMETER_VIEW,    /* an array with its shape and strides */
    PY_PARAMETER_VIEWS,   /* up to `count` of them */
    PY_PARAMETER_NUMBER,
    PY_PARAMETER_RECORD, /* a structure by value */
    PY_PARAMETER_KINDS
} py_parameter_kind;

typedef struct py_parameter {
    PyObject *name; /* owned: interned */
    py_parameter_kind kind;
    int dtype; /* of the number or the elements; CUPRIC_NO_DTYPE: any */
    int ndim, count;
    PyObject *record; /* owned: NumPy's dtype of a structure; or NULL */
} py_parameter;

/* Launch with a value for each of n parameters. */
int py_launch_declared(py_find_function find, void *arg, const py_parameter *params,
                       int n, PyObject *const *values, const py_work *work,
                       PyObject *shared);
/* Tests only: on the host device work is launched as on a GPU, as up to `blocks` blocks,
 * each of `elements` threads where the work is elements; 0: as usual. */
void py_launch_shape_as_device(int blocks, int elements);
int py_instance_init(PyObject *module);

/* An array that a kernel takes with its shape and strides (py_view.c). */
extern PyTypeObject py_ViewType;
PyObject *py_view_new(PyObject *module, PyObject *array);
PyObject *py_view_array(PyObject *view); /* borrowed */

/* ---- recorded calls (py_replay.c) ----------------------------------------------------- */

enum { PY_LAUNCHED_MAX = 64 };

/* An address of a storage, `offset` bytes into a value of a launch. */
typedef struct py_address {
    int arg;
    unsigned offset;
    cu_storage *storage; /* borrowed */
} py_address;

/* A launch that was made, as recordings take it. All is borrowed. */
typedef struct py_launched {
    cu_device *device;
    cu_function *function;
    PyObject *kernel; /* that `function` lives with */
    const cu_launch *config;
    int nargs; /* <= PY_LAUNCHED_MAX */
    void *const *values;
    size_t nbytes[PY_LAUNCHED_MAX];
    int naddresses;
    py_address addresses[PY_LAUNCHED_MAX];
    char *to; /* of a copy: the address itself; else NULL */
} py_launched;

/* Whether this thread records a call. */
bool py_is_recording(void);
/* Add a launch to the recordings; NULL: one that cannot be repeated. */
void py_record_launch(const py_launched *l);
/* Add a copy from the host into all of a new, contiguous array. */
void py_record_upload(const cu_array *a, const void *data);
/* Add a copy to the host of all of an array. */
void py_record_download(const cu_array *a, const void *data);
int py_replay_init(PyObject *module);

/* What the device's driver knows a module or a kernel by, as an int. */
PyObject *py_module_handle(const cu_device *device, cu_module *m);
PyObject *py_function_handle(const cu_device *device, cu_function *f);

PyObject *py_function_new(PyObject *owner, cu_function *f, cu_device *device,
                          const char *name);

#endif
