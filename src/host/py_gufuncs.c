/* host/py_gufuncs.c: the inner loops of NumPy's generalized ufuncs. See host/gufuncs.h. */
#define _GNU_SOURCE
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/gufuncs.h"
#include "py_gil.h"

#define MAX_OPERANDS 7
#define MAX_CORE 4 /* axes of one operand's matrix, and sizes in a signature, at most */

#define LINALG "numpy.linalg._umath_linalg"
#define FFT "numpy.fft._pocketfft_umath"

/* Where each is, and the dtypes of its operands: t the first's, s and c the real and the
 * complex one of its precision, i int32. */
static const struct {
    const char *module, *name, *types;
} known[CU_N_GUFUNCS] = {
    [CU_GUFUNC_MATMUL] = {"numpy", "matmul", "ttt"},
    [CU_GUFUNC_VECDOT] = {"numpy", "vecdot", "ttt"},
    [CU_GUFUNC_SOLVE] = {LINALG, "solve", "ttt"},
    [CU_GUFUNC_INV] = {LINALG, "inv", "tt"},
    [CU_GUFUNC_DET] = {LINALG, "det", "tt"},
    [CU_GUFUNC_SLOGDET] = {LINALG, "slogdet", "tts"},
    [CU_GUFUNC_CHOLESKY] = {LINALG, "cholesky_lo", "tt"},
    [CU_GUFUNC_SVD_REDUCED] = {LINALG, "svd_s", "ttst"},
    [CU_GUFUNC_SVD_COMPLETE] = {LINALG, "svd_f", "ttst"},
    [CU_GUFUNC_SVDVALS] = {LINALG, "svd", "ts"},
    [CU_GUFUNC_EIGH_LOWER] = {LINALG, "eigh_lo", "tst"},
    [CU_GUFUNC_EIGH_UPPER] = {LINALG, "eigh_up", "tst"},
    [CU_GUFUNC_EIGVALSH_LOWER] = {LINALG, "eigvalsh_lo", "ts"},
    [CU_GUFUNC_EIGVALSH_UPPER] = {LINALG, "eigvalsh_up", "ts"},
    [CU_GUFUNC_QR] = {LINALG, "qr_r_raw", "tt"},
    [CU_GUFUNC_QR_REDUCED] = {LINALG, "qr_reduced", "ttt"},
    [CU_GUFUNC_QR_COMPLETE] = {LINALG, "qr_complete", "ttt"},
    [CU_GUFUNC_LSTSQ] = {LINALG, "lstsq", "ttstsis"},
    [CU_GUFUNC_FFT] = {FFT, "fft", "tst"},
    [CU_GUFUNC_IFFT] = {FFT, "ifft", "tst"},
    [CU_GUFUNC_RFFT_EVEN] = {FFT, "rfft_n_even", "tsc"},
    [CU_GUFUNC_RFFT_ODD] = {FFT, "rfft_n_odd", "tsc"},
    [CU_GUFUNC_IRFFT] = {FFT, "irfft", "tss"},
};

static const struct {
    cu_dtype dtype;
    char number, real, pair; /* NumPy's */
} dtypes[] = {
    {CUPRIC_FLOAT32, NPY_FLOAT, NPY_FLOAT, NPY_CFLOAT},
    {CUPRIC_FLOAT64, NPY_DOUBLE, NPY_DOUBLE, NPY_CDOUBLE},
    {CUPRIC_COMPLEX64, NPY_CFLOAT, NPY_FLOAT, NPY_CFLOAT},
    {CUPRIC_COMPLEX128, NPY_CDOUBLE, NPY_DOUBLE, NPY_CDOUBLE},
};

/* Filled once, under the GIL; the ufuncs live as long as NumPy. */
static struct {
    bool filled;
    const PyUFuncObject *ufunc[CU_N_GUFUNCS];
    struct {
        PyUFuncGenericFunction loop;
        void *data;
    } loops[CU_N_GUFUNCS][CUPRIC_N_DTYPES];
} found;

/* Whether loop number j is one for these operands, the first of dtypes[i]. */
static bool
takes(const PyUFuncObject *f, int j, const char *types, size_t i)
{
    for (int k = 0; k < f->nargs; k++) {
        const char wanted = types[k] == 't'   ? dtypes[i].number
                            : types[k] == 's' ? dtypes[i].real
                            : types[k] == 'i' ? NPY_INT
                                              : dtypes[i].pair;
        if (f->types[f->nargs * j + k] != wanted) return false;
    }
    return true;
}

static void
find_loops(cu_gufunc which, const PyUFuncObject *f)
{
    const char *types = known[which].types;

    if (f->nargs != (int)strlen(types) || f->core_num_dim_ix > MAX_CORE ||
        (!f->core_enabled && f->core_num_dim_ix == 0))
        return;
    found.ufunc[which] = f;
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        for (int j = 0; j < f->ntypes; j++) {
            if (!takes(f, j, types, i)) continue;
            found.loops[which][dtypes[i].dtype].loop = f->functions[j];
            found.loops[which][dtypes[i].dtype].data = f->data ? f->data[j] : NULL;
            break;
        }
    }
}

/* ---- forks, and the end -------------------------------------------------------------- */

/* A BLAS has locks of its own, which a child of fork would find held by threads that it
 * does not have, and memory, which it lets go of as the process ends. Both wait for the
 * loops that run, which need no GIL, but for no more than so long: then they go on. */
#define WAIT_S 5

static pthread_rwlock_t running = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static _Thread_local bool is_forking; /* this thread; no loop begins */

static void
before_fork(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += WAIT_S;
    is_forking = pthread_rwlock_timedwrlock(&running, &until) == 0;
}

static void
after_fork(void)
{
    if (is_forking) pthread_rwlock_unlock(&running);
    is_forking = false;
}

/* The lock knows its holder by a number that is the parent's. */
static void
after_fork_in_child(void)
{
    running = (pthread_rwlock_t)PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
    is_forking = false;
}

/* ---- the loops ------------------------------------------------------------------------ */

/* Without an import, whose lock a fork might find taken: the package has imported them. */
static void
fill(void)
{
    PyGILState_STATE gil = py_gil_take();
    PyObject *type, *value, *trace; /* owned */

    PyErr_Fetch(&type, &value, &trace);
    for (int i = 0; i < CU_N_GUFUNCS; i++) {
        PyObject *name = PyUnicode_FromString(known[i].module);    /* owned */
        PyObject *module = name ? PyImport_GetModule(name) : NULL; /* owned */
        PyObject *f =
            module ? PyObject_GetAttrString(module, known[i].name) : NULL; /* kept */
        if (f && strcmp(Py_TYPE(f)->tp_name, "numpy.ufunc") == 0) {
            find_loops(i, (const PyUFuncObject *)f);
        }
        PyErr_Clear();
        Py_XDECREF(module);
        Py_XDECREF(name);
    }
    PyErr_Restore(type, value, trace);
    if (!found.filled) {
        pthread_atfork(before_fork, after_fork, after_fork_in_child);
        atexit(before_fork);
    }
    __atomic_store_n(&found.filled, true, __ATOMIC_RELEASE);
    PyGILState_Release(gil);
}

/* ---- calls --------------------------------------------------------------------------- */

/* Whether there are elements, which lie as a loop expects. */
static bool
suits(const cu_view *v)
{
    const int width = cu_itemsize(v->dtype) < 8 ? cu_itemsize(v->dtype) : 8;
    int64_t bits = (int64_t)(intptr_t)v->ptr;

    for (int d = 0; d < v->ndim; d++) {
        if (v->shape[d] == 0) return false;
        bits |= v->strides[d];
    }
    return bits % width == 0;
}

/* The sizes of a loop and its strides after those along the batch: of each operand's own
 * axes. */
static void
read_core(const PyUFuncObject *f, int batch, const cu_view *const *operands,
          npy_intp *sizes, npy_intp *steps)
{
    for (int k = 0; k < f->nargs; k++) {
        for (int i = 0; i < f->core_num_dims[k]; i++) {
            sizes[f->core_dim_ixs[f->core_offsets[k] + i]] =
                operands[k]->shape[batch + i];
            *steps++ = operands[k]->strides[batch + i];
        }
    }
}

bool
cu_gufunc_run(cu_gufunc which, int batch, const cu_view *const *operands)
{
    const cu_dtype t = operands[0]->dtype;
    char *data[MAX_OPERANDS], *place[MAX_OPERANDS];
    npy_intp sizes[1 + MAX_CORE], steps[MAX_OPERANDS * (1 + MAX_CORE)];
    int64_t index[CUPRIC_MAXDIMS] = {0};
    int inner = 0, n, d; /* the loop runs along one axis of the batch, the longest */
    const cu_view *out;

    if (!__atomic_load_n(&found.filled, __ATOMIC_ACQUIRE)) fill();
    if (found.loops[which][t].loop == NULL) return false;
    n = found.ufunc[which]->nargs;
    out = operands[n - 1];
    for (int k = 0; k < n; k++) {
        if (!suits(operands[k])) return false;
    }
    for (d = 1; d < batch; d++) {
        if (out->shape[d] > out->shape[inner]) inner = d;
    }
    sizes[0] = batch ? out->shape[inner] : 1;
    for (int k = 0; k < n; k++) {
        data[k] = operands[k]->ptr;
        steps[k] = batch ? operands[k]->strides[inner] : 0;
    }
    read_core(found.ufunc[which], batch, operands, sizes + 1, steps + n);
    pthread_rwlock_rdlock(&running);
    do {
        memcpy(place, data, sizeof place); /* a loop may move what it is given */
        found.loops[which][t].loop(place, sizes, steps, found.loops[which][t].data);
        for (d = batch - 1; d >= 0; d--) {
            const bool wraps = d == inner || ++index[d] == out->shape[d];
            for (int k = 0; k < n && d != inner; k++) {
                data[k] += operands[k]->strides[d] * (wraps ? 1 - out->shape[d] : 1);
            }
            if (!wraps) break;
            index[d] = 0;
        }
    } while (d >= 0);
    pthread_rwlock_unlock(&running);
    return true;
}
