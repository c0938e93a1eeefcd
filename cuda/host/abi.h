/* abi.h: what a compiled kernel module and the host device agree on.
 *
 * A module is a shared object that exports cupric_module. The host device fills in the
 * runtime when it loads the module, and runs kernels through the entries. Read by C
 * (src/host) and by the C++ that kernels are compiled as.
 */
#ifndef CUPRIC_HOST_ABI_H
#define CUPRIC_HOST_ABI_H

#define CUPRIC_MODULE_ABI 4u
#define CUPRIC_MODULE_SYMBOL "cupric_module"
#define CUPRIC_WARP_SIZE 32

typedef struct cupric_index {
    unsigned x, y, z;
} cupric_index;

/* Where the calling thread is. Each module has one per operating-system thread. */
typedef struct cupric_place {
    cupric_index thread, block, block_dim, grid_dim;
    void *dynamic_shared; /* of the block, 64-byte aligned */
} cupric_place;

typedef enum cupric_warp_kind {
    CUPRIC_WARP_SYNC,
    CUPRIC_WARP_SHUFFLE, /* out = the `in` of lane `source`, else left alone */
    CUPRIC_WARP_BALLOT,  /* result = lanes whose `source` is not 0 */
    CUPRIC_WARP_GATHER   /* out[lane] = in of each lane taking part */
} cupric_warp_kind;

/* One thread's part in an operation of its warp. */
typedef struct cupric_warp_op {
    cupric_warp_kind kind;
    unsigned nbytes; /* of `in` */
    const void *in;
    void *out;
    int source;
    unsigned result;
    unsigned members; /* set: the lanes that took part */
} cupric_warp_op;

typedef enum cupric_barrier_kind {
    CUPRIC_BARRIER_COUNT,
    CUPRIC_BARRIER_AND,
    CUPRIC_BARRIER_OR
} cupric_barrier_kind;

typedef enum cupric_access {
    CUPRIC_ACCESS_READ,
    CUPRIC_ACCESS_WRITE,
    CUPRIC_ACCESS_ATOMIC
} cupric_access;

/* What the host device does for a running kernel. */
typedef struct cupric_runtime {
    int (*barrier)(cupric_barrier_kind kind, int predicate);
    void (*warp)(unsigned mask, cupric_warp_op *op);
    unsigned (*active)(void); /* lanes of this warp that have not returned */
    void (*yield)(void);
    /* Ends the launch, which fails with this message. Does not return. */
    void (*trap)(const char *error, const char *message);
    /* An access to memory is about to be made; `at` is the instruction after it. Called by
     * kernels that were compiled to be looked at for races. */
    void (*access)(const void *p, unsigned long nbytes, cupric_access kind,
                   const void *at);
} cupric_runtime;

/* The blocks [begin, end) of a grid, numbered with x fastest. */
typedef struct cupric_job {
    cupric_index grid, block;
    void *const *args;
    void *dynamic_shared;
} cupric_job;

/* A kernel or a global variable (address is set). A kernel whose threads wait for each
 * other has `thread`, to be run by fibers, any other `run`. */
typedef struct cupric_entry {
    const char *name;
    /* every thread of the blocks, one after the other */
    void (*run)(const cupric_job *job, long long begin, long long end);
    void (*thread)(void *const *args); /* the thread that the place says */
    const unsigned *param_nbytes;
    unsigned nparams;
    void *address;
    unsigned long long nbytes;
} cupric_entry;

typedef struct cupric_module_info {
    unsigned abi;
    unsigned nentries;
    const cupric_entry *entries;
    cupric_place *(*place)(void);   /* of the calling operating-system thread */
    const cupric_runtime **runtime; /* set by the host device */
} cupric_module_info;

/* Kernels that come compiled: a library of many modules, its units, which exports this
 * table under CUPRIC_KERNELS_SYMBOL. Its units share one place and one runtime. */
#define CUPRIC_KERNELS_SYMBOL "cupric_kernels"

typedef struct cupric_shipped {
    unsigned long long key[2]; /* of source, options and name: kernel/cache.h */
    unsigned unit;
    const char *name; /* of the entry in its unit */
} cupric_shipped;

typedef struct cupric_kernels_info {
    unsigned abi, nkernels, nunits;
    unsigned long long device_code; /* what the headers were: src/host/shipped.c */
    const cupric_shipped *kernels;  /* by key, ascending */
    const cupric_module_info *const *units;
} cupric_kernels_info;

#endif
