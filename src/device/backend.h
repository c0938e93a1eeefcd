/* device/backend.h: the one interface to hardware.
 *
 * A backend is a plugin (_host.so, _cuda.so) that exports cupric_backend(). Everything
 * above this file knows hardware through the table it returns and nothing else.
 *
 * Rules for callers
 * - Device memory is opaque: only a backend reads or writes it. Host memory enters and
 *   leaves through copy().
 * - Work is queued on a stream and may run later; results are visible to later work on
 *   the same stream, and to the host after stream_sync (host: when the call returns).
 * - Argument structs are read during the call and may live on the caller's stack.
 * - No function needs the GIL, and a caller may hold it: a backend that itself calls
 *   Python takes it.
 *
 * Rules for backends
 * - Fail by `return cu_fail(…)` with every output untouched.
 * - An entry marked optional may be NULL; all others are filled.
 */
#ifndef CUPRIC_DEVICE_BACKEND_H
#define CUPRIC_DEVICE_BACKEND_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "dtype.h"
#include "status.h"

#define CUPRIC_BACKEND_ABI 14
#define CUPRIC_MAXDIMS 64
/* An array, a value and an index for each axis; spare. */
#define CUPRIC_MAXOPERANDS 68

typedef struct cu_backend cu_backend;
typedef struct cu_event cu_event;       /* the backend's */
typedef struct cu_module cu_module;     /* the backend's: a loaded kernel binary */
typedef struct cu_function cu_function; /* the backend's: one kernel of a module */
typedef struct cu_graph cu_graph;       /* the backend's: recorded work */
typedef uint64_t cu_page;               /* the backend's: physical memory; never 0 */

/* A queue of work on one device. Made by device/stream.h, which owns the count. */
typedef struct cu_stream {
    const cu_backend *backend; /* static */
    int ordinal;               /* of the device, within the backend */
    void *handle;              /* the backend's; NULL is the default stream */
    int refcount;              /* device/stream.c's own */
    uint32_t flags;            /* CUPRIC_STREAM_* */
    int priority;
    uint64_t id; /* unique, never reused; 0 for a default stream */
    /* CUPRIC_STREAM_PTDS: pthread_self() of the thread whose own default stream it is.
     * Another thread may ask whether it is at rest, and wait for it. */
    uintptr_t thread;
} cu_stream;

enum {
    CUPRIC_STREAM_NON_BLOCKING = 1,
    CUPRIC_STREAM_PTDS = 2,
    CUPRIC_STREAM_EXTERNAL = 4
};
enum { CUPRIC_EVENT_NO_TIMING = 1, CUPRIC_EVENT_BLOCKING = 2, CUPRIC_EVENT_IPC = 4 };

/* What other threads may do meanwhile, as in CUDA. */
typedef enum cu_capture_mode {
    CUPRIC_CAPTURE_GLOBAL,
    CUPRIC_CAPTURE_THREAD_LOCAL,
    CUPRIC_CAPTURE_RELAXED
} cu_capture_mode;

/* ---- what an operation works on -------------------------------------------------- */

/* An operand of an iteration: memory, or one value passed by value. */
typedef struct cu_operand {
    /* Device address of the element at index 0…0; NULL: `imm` is the value. */
    char *ptr;
    /* As stored; the backend converts to and from the signature's type. */
    cu_dtype dtype;
    cu_scalar imm;
    /* Bytes per dimension of the iteration; 0 where broadcast. */
    int64_t strides[CUPRIC_MAXDIMS];
} cu_operand;

/* An iteration space, made in one place (ops/iter.c): dimensions of length 1 are gone,
 * neighbours that can be joined are joined, the fastest dimension is the last. */
typedef struct cu_iter {
    int ndim;
    int nops;        /* operands: inputs, then outputs, then (if masked) a bool mask */
    int64_t size;    /* elements, the product of shape; never 0 in a backend call */
    bool contiguous; /* ndim <= 1 and every operand is dense, or an immediate */
    bool index64;    /* some operand spans 2**31 bytes or the size needs it */
    bool masked;     /* the last operand says where to write */
    int64_t shape[CUPRIC_MAXDIMS];
    cu_operand op[CUPRIC_MAXOPERANDS];
} cu_iter;

/* A plain strided view, for the verbs that libraries do (matmul, linalg, fft, sort). */
typedef struct cu_view {
    char *ptr;
    cu_dtype dtype;
    int ndim;
    int64_t shape[CUPRIC_MAXDIMS];
    int64_t strides[CUPRIC_MAXDIMS]; /* bytes */
} cu_view;

/* out = op(in…): row `op` of ops/elementwise.def in its `sig`-th signature. */
typedef struct cu_elementwise {
    int op, sig, nin, nout;
    const cu_iter *it;
} cu_elementwise;

/* Reduce. `op` is a row of elementwise.def (a binary operation as the combiner) or, from
 * CUPRIC_N_UFUNCS on, a row of reduce.def. The first `nkeep` dimensions of the iteration
 * remain, the others are reduced (the output's strides are 0 there). Masked elements
 * count as absent. An empty reduction is the caller's (it stores the identity). */
typedef struct cu_reduce {
    int op, sig, nin, nkeep;
    const cu_iter *it;
    bool has_initial;
    cu_scalar initial; /* in the signature's result dtype */
    int64_t count;     /* elements reduced into each output */
    double param;      /* what the row's finish expression calls `param` (ddof, …) */
} cu_reduce;

/* Running reduction along the iteration's last dimension (never joined with others). */
typedef struct cu_scan {
    int op, sig;
    const cu_iter *it;
} cu_scan;

/* Reductions of the slices [starts[j], starts[j+1]) of the last dimension (NumPy's
 * reduceat: a start that is not below its successor takes one element). The output's
 * last dimension has length nstarts; `it` describes all but that dimension. */
typedef struct cu_reduceat {
    int op, sig;
    const cu_iter *it;             /* input, output */
    int64_t length;                /* of the reduced axis */
    int64_t in_stride, out_stride; /* bytes along it */
    const int64_t *starts;         /* checked by the caller, borrowed */
    int64_t nstarts;
    bool on_device; /* where the starts lie; else in host memory */
} cu_reduceat;

/* Indexed access: operand 0 the array, 1 the values, 2… int64 index arrays. The address
 * of an element is operand 0's at the iteration index plus the sum over k of
 * wrap(index_k, length[k]) * stride[k]. Negative indices count from the end; others
 * out of range wrap, or with `check` set fail with CUPRIC_ERR_INDEX. */
typedef struct cu_index {
    const cu_iter *it;
    int nindex;
    int64_t length[CUPRIC_MAXDIMS];
    int64_t stride[CUPRIC_MAXDIMS]; /* bytes in the array */
    int axis[CUPRIC_MAXDIMS];       /* of the array, for messages */
    bool check;
    int op, sig;   /* scatter_op only: array = op(array, value) in index order */
    bool distinct; /* scatter: no place is named twice */
} cu_index;

/* Rows of bytes laid side by side: row r of `out` is row r of from[0], of from[1], …, each
 * dense, with nbytes[k] bytes to a row. */
typedef struct cu_join {
    int n;
    const char *const *from;
    const int64_t *nbytes;
    int64_t rows;
    char *out;
} cu_join;

/* What is chosen by the elements of `mask` that are not zero, in C order: the elements of
 * `values`, of mask's shape, or where its ptr is NULL their coordinates, as int64
 * out[axis * count + k]. How many there are only the device knows: `alloc` is called once,
 * with no fewer than the count and no more than mask's size, for memory for so many. */
typedef struct cu_select {
    cu_view mask, values;
    cu_status (*alloc)(void *arg, int64_t n, char **out);
    void *arg;
} cu_select;

typedef struct cu_sort {
    cu_view data; /* sorted in place along its last axis, which is contiguous */
    /* Device; NULL for a plain sort, else receives the argsort, in C order, and the
     * data is left as it was. */
    int64_t *order;
    /* Where the data comes from: dense memory of its shape, and the data is dense too;
     * NULL: it is sorted in place. */
    const char *source;
    bool stable, descending;
    int64_t kth; /* >= 0: partition around it suffices */
} cu_sort;

/* counts[b] += 1, or the value's weight, for each of `size` dense values between edges b
 * and b + 1; the last bin has its upper edge too. Without edges a value, an integer, is
 * its own b. Others count nowhere, NaN among them. Real numbers; edges are compared in
 * their own dtype, which is int64, uint64, float32 or float64. */
typedef struct cu_histogram {
    const char *values;
    cu_dtype dtype;
    int64_t size;
    const char *edges; /* nbins + 1, ascending; NULL for none */
    cu_dtype edge_dtype;
    bool even;             /* edges are about evenly apart */
    const double *weights; /* NULL: 1 each */
    int64_t nbins;         /* below 2**31 */
    char *counts;          /* int64 or, with weights, float64; zeroed by the caller */
} cu_histogram;

typedef enum cu_linalg_kind {
    CUPRIC_LINALG_SOLVE,    /* a (…,n,n), b (…,n,k) -> x */
    CUPRIC_LINALG_INV,      /* a -> a**-1 */
    CUPRIC_LINALG_DET,      /* a -> det (…) */
    CUPRIC_LINALG_SLOGDET,  /* a -> sign (…), logabsdet (…) */
    CUPRIC_LINALG_CHOLESKY, /* a -> L */
    /* a (…,m,n) -> q, r; flag 0 reduced, 1 complete, 2 raw: as LAPACK's geqrf has them,
     * (…,n,m), whose column i has row i of R and below it reflector i without its 1, and
     * the reflectors' scales (…,min(m,n)). */
    CUPRIC_LINALG_QR,
    CUPRIC_LINALG_SVD,      /* a -> u, s, vh; flag 1 full_matrices */
    CUPRIC_LINALG_SVDVALS,  /* a -> s */
    CUPRIC_LINALG_EIGH,     /* a -> w, v; flag 1 upper triangle */
    CUPRIC_LINALG_EIGVALSH, /* a -> w */
    CUPRIC_LINALG_EIG,      /* a -> w, v, both complex */
    CUPRIC_LINALG_EIGVALS,  /* a -> w, complex */
    /* a (m,n), b (m,k) -> x, where a x is nearest to b; int32, how many singular values are
     * above `rcond` times the largest; and all of them. On the host. */
    CUPRIC_LINALG_LSTSQ,
    /* a (…,m,n) -> both factors in one (…,m,n), without the ones of the lower; int32
     * (…,min(m,n)): the row, from 1, that row i was exchanged with. A column without a
     * pivot leaves 0 in the upper factor. */
    CUPRIC_LINALG_LU,
    /* a (…,n,n), b (…,n,k) -> x; flag: CUPRIC_TRIANGULAR_… Nothing is looked at: a zero on
     * the diagonal gives what a division by it gives. */
    CUPRIC_LINALG_TRIANGULAR,
    CUPRIC_N_LINALG
} cu_linalg_kind;

/* Bits of the flag of CUPRIC_LINALG_TRIANGULAR: the triangle that is read, and whether its
 * diagonal counts as ones. */
enum { CUPRIC_TRIANGULAR_UPPER = 1, CUPRIC_TRIANGULAR_UNIT = 2 };

typedef struct cu_linalg {
    cu_linalg_kind kind;
    int flag;
    double rcond; /* of CUPRIC_LINALG_LSTSQ */
    int nin, nout;
    cu_view in[2], out[3];
} cu_linalg;

typedef enum cu_fft_kind { CUPRIC_FFT_C2C, CUPRIC_FFT_R2C, CUPRIC_FFT_C2R } cu_fft_kind;

/* Transform over `naxes` axes of views of equal ndim, multiplied by `scale`. R2C and C2R
 * halve the last listed axis; its full length is `n_last`. */
typedef struct cu_fft {
    cu_fft_kind kind;
    bool inverse;
    cu_view in, out;
    int naxes;
    int axes[CUPRIC_MAXDIMS];
    int64_t n_last;
    double scale;
} cu_fft;

/* The discrete cosine or sine transform of `type` 1 to 4 along one axis, multiplied by
 * `scale`; `orthogonal`: with the factors of the terms at the ends that make it so. The
 * views have one shape and one dtype; of a complex one, both parts are transformed. They
 * may be the same memory, in the same order. */
typedef struct cu_dct {
    int type;
    bool sine, orthogonal;
    int axis;
    cu_view in, out;
    double scale;
} cu_dct;

/* What is kept of a device's transforms to make them again at once, and what may be. */
typedef struct cu_fft_cache {
    int64_t plans, bytes;         /* and the memory that they work in */
    int64_t max_plans, max_bytes; /* negative bytes: no limit */
} cu_fft_cache;

typedef enum cu_random_kind {
    CUPRIC_RANDOM_BITS,        /* raw 32- or 64-bit words, by dtype */
    CUPRIC_RANDOM_UNIFORM,     /* param[0] + (param[1] - param[0]) * [0, 1) */
    CUPRIC_RANDOM_NORMAL,      /* param[0] + param[1] * standard normal */
    CUPRIC_RANDOM_INTEGERS,    /* uniform in [lo, hi], hi included */
    CUPRIC_RANDOM_EXPONENTIAL, /* param[0] * standard exponential */
    CUPRIC_N_RANDOM
} cu_random_kind;

/* Fill n contiguous elements from Philox 4x32-10 under (key, counter): element j depends
 * on (key, counter, j) alone, whatever the device and the launch. Bits are of integers,
 * integers may be bool, the other kinds real floating numbers: ops/py_random.c checks. */
typedef struct cu_random {
    cu_random_kind kind;
    cu_dtype dtype;
    char *out;
    int64_t n;
    uint64_t key, counter;
    double param[2];
    uint64_t lo, hi; /* as the dtype's bits, sign-extended to 64 */
} cu_random;

typedef enum cu_boundary {
    CUPRIC_BOUNDARY_FILL,
    CUPRIC_BOUNDARY_WRAP,
    CUPRIC_BOUNDARY_SYMM,
    CUPRIC_BOUNDARY_NONE /* nothing is there: those products are left out of the sum */
} cu_boundary;

/* Direct convolution of views of one ndim and one dtype, C-contiguous:
 * out[i] = sum_j in[i + start - j] * kernel[j] (kernel conjugated and not reversed when
 * `correlate`: out[i] = sum_j in[i + start + j] * conj(kernel[j])), with elements outside
 * `in` supplied by the boundary rule. */
typedef struct cu_convolve {
    cu_view in, kernel, out;
    int64_t start[CUPRIC_MAXDIMS];
    cu_boundary boundary;
    cu_scalar fill;
    bool correlate;
} cu_convolve;

/* c = a @ b over batch dimensions: views (…, m, k), (…, k, n), (…, m, n) of one dtype and
 * ndim, batch strides 0 where broadcast, matrix strides arbitrary for a and b. */
typedef struct cu_matmul {
    cu_view a, b, c;
    /* Of the host device alone: a, of whose rows each meets one column, is conjugated. */
    bool conjugates;
} cu_matmul;

/* ---- kernels from source ---------------------------------------------------------- */

/* Bytes that the callee allocates with malloc and the caller frees. {0} is empty. */
typedef struct cu_blob {
    char *data;
    size_t nbytes;
} cu_blob;

typedef struct cu_compile {
    const char *source;         /* CUDA C++ */
    const char *file;           /* the name that messages show */
    const char *const *options; /* as NVRTC takes them: -I, -D, --std=… */
    int noptions;
    const char *const *names; /* kernels and globals wanted, instances included */
    int nnames;
    /* Not NULL: the C++ of a unit of this name is wanted, which a library of kernels that
     * come compiled is made of, instead of a binary. Of the host device alone. */
    const char *unit;
} cu_compile;

/* Of a launch whose arrays have no more bytes in all, the host device need not assume that
 * it takes long before it has run the kernel once. */
#define CUPRIC_SMALL_LAUNCH ((size_t)64 << 10)

typedef struct cu_launch {
    unsigned grid[3], block[3];
    unsigned shared_bytes; /* dynamic shared memory of a block */
    bool cooperative;
    bool is_small; /* known to be: see CUPRIC_SMALL_LAUNCH */
} cu_launch;

typedef enum cu_function_attr {
    CUPRIC_FUNC_MAX_THREADS,
    CUPRIC_FUNC_SHARED_BYTES,
    CUPRIC_FUNC_CONST_BYTES,
    CUPRIC_FUNC_LOCAL_BYTES,
    CUPRIC_FUNC_REGISTERS,
    CUPRIC_FUNC_PTX_VERSION,
    CUPRIC_FUNC_BINARY_VERSION,
    CUPRIC_FUNC_CACHE_MODE_CA,
    CUPRIC_FUNC_MAX_DYNAMIC_SHARED, /* settable */
    CUPRIC_FUNC_CARVEOUT,           /* settable */
    CUPRIC_FUNC_PARAMS, /* how many parameters; -1 where that is not known */
    CUPRIC_N_FUNC_ATTRS,
    CUPRIC_FUNC_PARAM_NBYTES = 256 /* + i: the size of the i-th parameter */
} cu_function_attr;

/* Where the binaries of the built-in kernels came from, of all devices of a backend. */
typedef enum cu_kernel_count {
    CUPRIC_KERNELS_SHIPPED, /* compiled, with the package */
    CUPRIC_KERNELS_ON_DISK,
    CUPRIC_KERNELS_COMPILED, /* by this process */
    CUPRIC_KERNELS_ORDERED,  /* to be compiled, while general ones serve */
    CUPRIC_N_KERNEL_COUNTS
} cu_kernel_count;

/* ---- the table --------------------------------------------------------------------- */

typedef enum cu_copy_kind {
    CUPRIC_COPY_TO_DEVICE,       /* src is host memory, free to reuse on return */
    CUPRIC_COPY_TO_HOST,         /* dst is valid on return: waits for the stream */
    CUPRIC_COPY_ON_DEVICE,       /* one device */
    CUPRIC_COPY_ASYNC_TO_DEVICE, /* src is pinned and stays as it is until a sync */
    CUPRIC_COPY_ASYNC_TO_HOST
} cu_copy_kind;

typedef struct cu_device_info {
    char name[128];
    char pci_bus_id[32];
    int capability_major, capability_minor; /* 0, 0 on the host */
    int multiprocessors;                    /* host: threads used */
    int max_threads_per_block, warp_size;
    int max_block[3];
    int max_grid[3];
    size_t shared_bytes_per_block;
    size_t total_bytes;
    int clock_khz;
} cu_device_info;

/* Whose memory an address is in, by CUDA's numbers. */
typedef enum cu_pointer_kind {
    CUPRIC_POINTER_UNKNOWN, /* the host's, ordinary; or nobody's */
    CUPRIC_POINTER_HOST,    /* the host's, within the devices' reach */
    CUPRIC_POINTER_DEVICE,
    CUPRIC_POINTER_MANAGED
} cu_pointer_kind;

typedef struct cu_pointer_info {
    cu_pointer_kind kind;
    int ordinal; /* of the device; -1: none */
    void *device_ptr, *host_ptr;
} cu_pointer_info;

typedef enum cu_library { CUPRIC_LIBRARY_BLAS, CUPRIC_LIBRARY_SOLVER } cu_library;

/* A program or library that a backend works with, as it was found on this machine. */
typedef struct cu_component {
    char name[32];
    char version[160]; /* empty: not known */
    char path[2048];   /* empty: not found */
} cu_component;

struct cu_backend {
    uint32_t abi;     /* CUPRIC_BACKEND_ABI: the loader refuses any other */
    const char *name; /* "host", "cuda" */
    int dlpack_type;  /* kDLCPU, kDLCUDA */

#define VERB(result, name, parameters) result(*name) parameters;
#define CUDA VERB
#define HOST VERB
#include "device/verbs.def"

    /* of copy, convert and search */
    /* Optional, else any: bytes at most that `copy` moves on the device as fast as
     * `convert` does. */
    size_t most_copied;
    /* Optional: whether `search` takes values of another dtype than the vector's, which it
     * converts to that. */
    bool search_converts;
};

/* What the core lends a plugin: plugins do not link against it. */
typedef struct cu_services {
    cu_status (*vfail)(cu_status st, const char *fmt, va_list args);
    const char *(*setting)(const char *name); /* a switch of env.c, or NULL */
    const char *package_dir; /* the folder of the installed package: headers are in
                                package_dir/include */
    /* Compiled kernels that outlive the process; `id` names all that one depends on.
     * False where there is none; the binary is the caller's to free. */
    bool (*cache_read)(const char *id, cu_blob *binary);
    void (*cache_write)(const char *id, const cu_blob *binary, const char *source);
    /* A backend lacks memory of its own: let the pools return what they do not use. Waits
     * for the device; not from within alloc, page_new or map. */
    void (*free_memory)(const cu_backend *backend, int ordinal);
    void (*fork_hold)(pthread_mutex_t *lock); /* fork.h */
} cu_services;

/* The one symbol a plugin exports. NULL if it cannot work here, with a message. */
typedef const cu_backend *cu_backend_entry(const cu_services *core);

#endif
