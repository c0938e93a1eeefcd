/* cuda/codegen.h: the source of a kernel, from a row of the operation tables.
 *
 * A key says all that a kernel depends on: the operation and its signature, the dtypes as
 * stored and the class of layout, never a shape. Nothing here needs a device.
 */
#ifndef CUPRIC_CUDA_CODEGEN_H
#define CUPRIC_CUDA_CODEGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cupric/kernels/params.h"
#include "dtype.h"
#include "ops/signature.h"

/* Families: what a source is made for, and which kernels it has. */
typedef enum cu_family {
    CUPRIC_KERNEL_ELEMENTWISE,
    CUPRIC_KERNEL_REDUCE,
    CUPRIC_KERNEL_REDUCEAT,
    CUPRIC_KERNEL_SCAN,
    CUPRIC_KERNEL_GATHER,
    CUPRIC_KERNEL_SCATTER,
    CUPRIC_KERNEL_SCATTER_OP,
    CUPRIC_KERNEL_CHECK_INDEX,
    CUPRIC_KERNEL_SELECT,
    CUPRIC_KERNEL_ARANGE,
    CUPRIC_KERNEL_SORT,
    CUPRIC_KERNEL_SEARCH,
    CUPRIC_KERNEL_RANDOM,
    CUPRIC_KERNEL_CONVOLVE,
    CUPRIC_KERNEL_HISTOGRAM,
    CUPRIC_KERNEL_JOIN,
    CUPRIC_N_FAMILIES
} cu_family;

enum {
    CUPRIC_LAYOUT_DENSE,
    CUPRIC_LAYOUT_UNALIGNED,
    CUPRIC_LAYOUT_STRIDED,
    CUPRIC_LAYOUT_TILED,
    CUPRIC_LAYOUT_ROWS,
    CUPRIC_LAYOUT_SINGLE, /* dense, an element of a thread: the shortest code */
    CUPRIC_LAYOUT_ANY     /* of a conversion: from any dtype, cupric/kernels/any.hpp */
};
/* Ways of turning over, in rank[1] of CUPRIC_LAYOUT_TILED: by tiles, a bit for each input
 * that is, and CUPRIC_TURNED_MASK for the mask, beside this one. */
enum {
    CUPRIC_TRANSPOSED_SHORT,
    CUPRIC_TRANSPOSED_WORDS,
    CUPRIC_TURNED_MASK = 16,
    CUPRIC_TRANSPOSED_TILES = 32
};
enum {
    CUPRIC_REDUCE_ROWS,
    CUPRIC_REDUCE_COLUMNS,
    CUPRIC_REDUCE_SERIAL,
    CUPRIC_REDUCE_DENSE_ROWS, /* from here on: see cupric/kernels/reduce_dense.hpp */
    CUPRIC_REDUCE_DENSE_NARROW,
    CUPRIC_REDUCE_DENSE_COLUMNS,
    CUPRIC_REDUCE_DENSE_FEW
};
/* Blocks of dense rows and columns on a multiprocessor. They fill the device; and a compiler
 * that knows how many registers are free issues all loads before it uses the first. */
#define CUPRIC_REDUCE_MIN_BLOCKS 2
enum {
    CUPRIC_SCAN_BLOCKS,
    CUPRIC_SCAN_SERIAL,
    CUPRIC_SCAN_DENSE_RUN, /* from here on: see cupric/kernels/scan_dense.hpp */
    CUPRIC_SCAN_DENSE_COLUMNS,
    CUPRIC_SCAN_SHARED /* dense, by way of shared memory */
};
#define CUPRIC_SCAN_MIN_BLOCKS 3 /* blocks of a dense scan on a multiprocessor */
enum { CUPRIC_SCATTER_ATOMIC, CUPRIC_SCATTER_SERIAL };

enum {
    CUPRIC_KEY_WIDE = 1,
    CUPRIC_KEY_MASKED = 2,
    CUPRIC_KEY_ORDER = 4,
    CUPRIC_KEY_WEIGHTED = 8
};

#define CUPRIC_KEY_IMMEDIATE 0x80 /* with a dtype in `type` */
#define CUPRIC_KEY_NO_TYPE 0x7f
#define CUPRIC_OP_CONVERT 0xffff /* as `op` of an elementwise kernel: r = a */
#define CUPRIC_KERNEL_ENTRIES 6  /* kernels of one source at most */
#define CUPRIC_SOURCE_NBYTES 8192
#define CUPRIC_KERNEL_NAME_NBYTES 128

typedef struct cu_kernel_key {
    uint8_t family, layout;
    uint16_t op;
    uint8_t sig;
    uint8_t rank[2]; /* of the iteration; of kept and reduced axes */
    uint8_t flags;
    uint8_t type[8]; /* stored dtypes: inputs, then outputs */
} cu_kernel_key;

/* A row of elementwise.def or, from the number of those on, of reduce.def. */
typedef struct cu_cuda_row {
    const char *name;
    int nin, nout;
    int identity; /* CUPRIC_ID_* */
    const char *signatures;
    const char *code;                   /* ufunc.def */
    const char *combine, *map, *finish; /* reduce.def */
    bool skips_nans;                    /* reduce.def */
    bool is_special;                    /* special.def */
    int traits, unit;                   /* of ops/columns.h */
} cu_cuda_row;

enum {
    CUPRIC_ID_ZERO,
    CUPRIC_ID_ONE,
    CUPRIC_ID_MINUS_ONE,
    CUPRIC_ID_MINUS_INFINITY,
    CUPRIC_ID_REORDERABLE,
    CUPRIC_ID_NONE
};

/* NULL where there is no such row. */
const cu_cuda_row *cu_cuda_row_get(int op);
/* The row of ufunc.def that a reduction by `op` combines with; -1 for positions,
 * moments and extremes. */
int cu_cuda_combiner(int op);
/* Whether the result is the index of an element. */
int cu_cuda_is_position(int op);
/* Whether a reduction or scan has to go through its elements from left to right. */
int cu_cuda_is_serial(int op);
/* Whether a reduction leaves elements out that are NaN, and counts the others. */
bool cu_cuda_skips(int op);
/* The dtypes of a signature, inputs then outputs; returns 0 where there is none. */
int cu_cuda_signature(int op, int sig, cu_dtype *types);

/* The signature of the same operation that gives the same results for operands converted to
 * its dtypes, of which there are few: integers of 64 bits, floats of 32. It is `sig`
 * itself where there is none, or where results depend on how wide an element is. */
int cu_cuda_wide_signature(int op, int sig);

/* The rank that there is code for: ndim or the next above. */
int cu_cuda_rank(int ndim);
/* Elements of a vector, vectors of a thread and threads of a block in an elementwise
 * kernel of dense operands or rows. */
typedef struct cu_dense_shape {
    int vector, unroll, threads;
} cu_dense_shape;
cu_dense_shape cu_cuda_dense_shape(const cu_kernel_key *key);

/* The same of CUPRIC_LAYOUT_STRIDED. */
cu_dense_shape cu_cuda_strided_shape(const cu_kernel_key *key);

/* Elements along the side of a tile of CUPRIC_TRANSPOSED_TILES. */
int cu_cuda_tile_side(const cu_kernel_key *key);

static inline int64_t
cu_elements_of_block(cu_dense_shape shape)
{
    return (int64_t)shape.threads * shape.unroll * shape.vector;
}

/* Columns of a thread in a reduction of dense columns. */
int cu_cuda_reduce_vector_size(const cu_kernel_key *key);
/* Elements of a tile of a dense scan. */
int cu_cuda_scan_tile(const cu_kernel_key *key);

/* Whether products and sums may become fused operations. What the host computes without,
 * so does the device; but a convolution is twice as fast with them. */
int cu_cuda_may_fuse(const cu_kernel_key *key);

/* Write the source; returns how many kernels it has, 0 if there is none for the key. They
 * are called by cu_cuda_kernel_name and their number, "add_float32_0". */
int cu_cuda_source(const cu_kernel_key *key, char *source, size_t nbytes);
/* A C identifier that says what the kernel does: CUPRIC_KERNEL_NAME_NBYTES suffice. */
void cu_cuda_kernel_name(const cu_kernel_key *key, char *name, size_t nbytes);

#endif
