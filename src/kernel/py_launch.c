/* kernel/py_launch.c: launches of kernels from Python.
 *
 * The kernel reads as many bytes of an argument as its parameter has: where the two cannot
 * agree (a float, which is 8 bytes, for a `float` parameter of 4) the launch is refused.
 */
#include <Python.h>

#include <string.h>

#include "device/py_device.h"
#include "kernel/py_arguments.h"

#define MAX_GRID 2147483647ll
/* Of py_launch_declared: the threads of a block where each takes an element; on the host, the
 * elements that are worth a block, and how many blocks a core gets at most. Rows take
 * unequal time more often. */
#define ELEMENTS_BLOCK 256
#define HOST_CHUNK 8192
#define CHUNKS 4
#define ROW_CHUNKS 16

/* ---- what the kernel takes ------------------------------------------------------------------------ */

/* A kernel is not told of arguments that it has no parameter for: as a launch by the driver
 * does, which ignores them. */
static int
check_count(int count, const py_arguments *args)
{
    if (count > args->n) {
        PyErr_Format(PyExc_TypeError, "the kernel takes %d arguments, %d were given",
                     count, args->n);
        return -1;
    }
    return PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                            "the kernel takes %d arguments, %d were given: the last %d "
                            "are ignored",
                            count, args->n, args->n - count);
}

/* Whether an integer is the same in its first `nbytes` bytes, signed or unsigned. */
static bool
fits(const py_argument *a, size_t nbytes)
{
    const unsigned rest = 64 - 8 * (unsigned)nbytes;
    uint64_t u;

    memcpy(&u, a->bytes, sizeof u);
    return u << rest >> rest == u ||
           (a->kind == 'i' && (int64_t)(u << rest) >> rest == (int64_t)u);
}

static int
raise_cut(int i, const py_argument *a, size_t nbytes)
{
    int64_t value;

    memcpy(&value, a->bytes, sizeof value);
    if (a->kind == 'u') {
        PyErr_Format(
            PyExc_OverflowError,
            "argument %d, %llu, does not fit the kernel's parameter of %zu bytes", i,
            (unsigned long long)value, nbytes);
    } else {
        PyErr_Format(
            PyExc_OverflowError,
            "argument %d, %lld, does not fit the kernel's parameter of %zu bytes", i,
            (long long)value, nbytes);
    }
    return -1;
}

static int
check_arguments(const cu_backend *backend, cu_function *f, const py_arguments *args)
{
    int count, nbytes;

    if (backend->function_get(f, CUPRIC_FUNC_PARAMS, &count)) return py_raise_int();
    if (count < 0) return 0;
    if (CUPRIC_UNLIKELY(count != args->n) && check_count(count, args) < 0) return -1;
    for (int i = 0; i < count; i++) {
        const py_argument *a = &args->at[i];
        const cu_function_attr which = (cu_function_attr)(CUPRIC_FUNC_PARAM_NBYTES + i);
        if (backend->function_get(f, which, &nbytes)) return py_raise_int();
        const size_t want = (size_t)nbytes;
        const bool is_number = a->kind == 'f' || a->kind == 'c';
        const bool widens = strchr("biu", a->kind) && want <= PY_SLOT / 2;
        if (want == a->nbytes) continue;
        if (widens) {
            if (want > a->nbytes || fits(a, want)) continue;
            return raise_cut(i, a, want);
        }
        if (want > a->nbytes || is_number || a->kind == 'p') {
            PyErr_Format(PyExc_TypeError,
                         "argument %d has %zu bytes, the kernel's parameter %zu%s", i,
                         a->nbytes, want,
                         is_number ? ": pass a number of its type, as numpy.float32(x)"
                                   : "");
            return -1;
        }
    }
    return 0;
}

/* (1,), (1, 2), (1, 2, 3) or 1 */
static int
read_dims(PyObject *o, const char *what, unsigned *dims)
{
    PyObject *fast;
    Py_ssize_t n;

    dims[0] = dims[1] = dims[2] = 1;
    if (PyLong_Check(o) || PyArray_IsScalar(o, Integer)) {
        const long long value = PyLong_AsLongLong(o);
        if (value == -1 && PyErr_Occurred()) return -1;
        dims[0] = value < 0 || value > UINT32_MAX ? 0 : (unsigned)value;
        return 0;
    }
    fast = py_arguments_tuple(o, "grid and block must be tuples of one to three ints");
    if (fast == NULL) return -1;
    n = PyTuple_GET_SIZE(fast);
    if (n < 1 || n > 3) {
        PyErr_Format(PyExc_ValueError, "%s must have one to three lengths, not %zd",
                     what, n);
        Py_DECREF(fast);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *index = PyNumber_Index(PyTuple_GET_ITEM(fast, i));
        const long long value = index ? PyLong_AsLongLong(index) : -1;
        Py_XDECREF(index);
        if (value == -1 && PyErr_Occurred()) {
            Py_DECREF(fast);
            return -1;
        }
        dims[i] = value < 0 || value > UINT32_MAX ? 0 : (unsigned)value;
    }
    Py_DECREF(fast);
    return 0;
}

/* As much as a launch needs; more than there can be fails there. */
static int
read_shared(PyObject *shared, cu_launch *config)
{
    const long long value = shared ? PyLong_AsLongLong(shared) : 0;

    if (value == -1 && PyErr_Occurred()) return -1;
    config->shared_bytes =
        value < 0 || value > UINT32_MAX ? UINT32_MAX : (unsigned)value;
    return 0;
}

/* ---- launches --------------------------------------------------------------------------- */

/* Tell the recordings of this thread. Of memory that is not an array's nobody knows where
 * it will be the next time. */
static void
record(const py_arguments *a, cu_function *f, PyObject *kernel, const cu_launch *config,
       void *const *pointers)
{
    py_launched l = {.device = a->device,
                     .function = f,
                     .kernel = kernel,
                     .config = config,
                     .nargs = a->n,
                     .values = pointers};
    bool repeats = a->n <= PY_LAUNCHED_MAX && a->naddresses <= PY_LAUNCHED_MAX;

    for (int i = 0; i < a->n && repeats; i++) {
        const py_argument *one = &a->at[i];
        l.nbytes[i] = one->nbytes;
        repeats = !one->offered && !one->is_unowned;
    }
    for (int i = 0; i < a->naddresses && repeats; i++) {
        l.addresses[l.naddresses++] = a->addresses[i];
    }
    py_record_launch(repeats ? &l : NULL);
}

static bool
is_small(const py_arguments *a)
{
    size_t nbytes = 0;

    for (int i = 0; i < a->n; i++) {
        if (a->at[i].is_unowned) return false; /* of unknown size */
    }
    for (int i = 0; i < a->naddresses; i++) {
        nbytes += a->addresses[i].storage->nbytes;
    }
    return nbytes <= CUPRIC_SMALL_LAUNCH;
}

/* A launch whose grid and block `shape` decides once the device is known, where it is
 * given; it returns false where there is nothing to do. */
typedef bool (*shape_launch)(const cu_device *device, const py_work *work,
                             cu_launch *config);

static int
launch(py_find_function find, void *arg, cu_launch *config, shape_launch shape,
       const py_work *work, const py_argument_source *from, PyObject *stream)
{
    py_arguments a;
    void *pointers[PY_MAX_ARGUMENTS];
    cu_function *f;
    cu_stream *s;
    cu_status st;
    int r = -1;

    py_arguments_init(&a);
    if (py_arguments_read(from, &a) < 0) goto done;
    if (a.device == NULL) a.device = cu_device_current();
    if (a.device == NULL) {
        py_raise();
        goto done;
    }
    if (shape && !shape(a.device, work, config)) {
        r = 0;
        goto done;
    }
    if (shape) config->is_small = is_small(&a);
    if (find(arg, a.device, &f) < 0) goto done;
    if (check_arguments(a.device->backend, f, &a) < 0) goto done;
    if (py_stream_on(stream, a.device, &s) < 0) goto done;
    for (int i = 0; i < a.naddresses; i++) {
        cu_storage_used_on(a.addresses[i].storage, s);
    }
    for (int i = 0; i < a.n; i++) {
        pointers[i] = a.at[i].large ? a.at[i].large : (void *)a.at[i].bytes;
    }
    Py_BEGIN_ALLOW_THREADS
    st = s->backend->launch(f, config, pointers, s);
    Py_END_ALLOW_THREADS
    r = st ? py_raise_int() : 0;
    if (r == 0 && CUPRIC_UNLIKELY(py_is_recording())) {
        record(&a, f, (PyObject *)arg, config, pointers);
    }

done:
    py_arguments_release(&a);
    return r;
}

int
py_launch(py_find_function find, void *arg, PyObject *grid, PyObject *block,
          PyObject *args, PyObject *shared, PyObject *stream, bool cooperative)
{
    cu_launch config = {.cooperative = cooperative};
    const py_argument_source from = {.tuple = args};

    if (read_dims(grid, "grid", config.grid) < 0) return -1;
    if (read_dims(block, "block", config.block) < 0) return -1;
    if (read_shared(shared, &config) < 0) return -1;
    return launch(find, arg, &config, NULL, NULL, &from, stream);
}

static int few_blocks, block_of_elements; /* see py_launch_shape_as_device */

void
py_launch_shape_as_device(int blocks, int elements)
{
    few_blocks = blocks;
    block_of_elements = elements;
}

/* On a CPU a block is a loop over its share of the work. */
static bool
shape_work(const cu_device *device, const py_work *work, cu_launch *config)
{
    const bool elements = work->threads == 0;
    const int64_t threads = elements ? ELEMENTS_BLOCK : work->threads;
    const int64_t cores =
        device->info.multiprocessors > 0 ? device->info.multiprocessors : 1;
    int64_t blocks = elements ? (work->n + threads - 1) / threads : work->n;

    if (work->n <= 0) return false;
    if (CUPRIC_UNLIKELY(few_blocks)) { /* as on a GPU, but few */
        config->block[0] = (unsigned)(elements ? block_of_elements : threads);
        if (elements) blocks = (work->n + block_of_elements - 1) / block_of_elements;
        config->grid[0] = (unsigned)(blocks < few_blocks ? blocks : few_blocks);
        return true;
    }
    if (device->info.capability_major == 0) {
        const int64_t most = cores * (elements ? CHUNKS : ROW_CHUNKS);
        if (elements) blocks = (work->n + HOST_CHUNK - 1) / HOST_CHUNK;
        config->grid[0] = (unsigned)(blocks < most ? blocks : most);
        return true;
    }
    config->block[0] = (unsigned)threads;
    config->grid[0] = (unsigned)(blocks < MAX_GRID ? blocks : MAX_GRID);
    return true;
}

int
py_launch_declared(py_find_function find, void *arg, const py_parameter *params, int n,
                   PyObject *const *values, const py_work *work, PyObject *shared)
{
    cu_launch config = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    const py_argument_source from = {NULL, params, values, n};

    if (read_shared(shared, &config) < 0) return -1;
    return launch(find, arg, &config, shape_work, work, &from, NULL);
}
