/* kernels/params.h: what a kernel and its launch agree on, for C and for the compilers of
 * device code: the parameters, and the numbers by which both cut up the work.
 *
 * A kernel takes one struct by value. Where its size depends on how many operands or
 * dimensions there are, which are parameters of templates, the rest is a `head` here. The
 * kernel's struct derives from that, and adds slots and spaces (kernels/space.hpp) in the
 * order in which src/cuda/kernels.h writes them. Every field has 8 bytes: no padding.
 */
#ifndef CUPRIC_KERNELS_PARAMS_H
#define CUPRIC_KERNELS_PARAMS_H

#ifdef __cplusplus
#include "cupric/target.hpp"

CUPRIC_BEGIN
#endif

/* An operand: its address, or its value. */
typedef struct cu_slot {
    unsigned long long word[2];
} cu_slot;

/* A dimension: n / length = (umulhi(n, multiplier) + n) >> shift for n < 2**31. */
typedef struct cu_axis {
    long long length;
    unsigned int multiplier, shift;
} cu_axis;

enum { CUPRIC_BLOCK = 256 }; /* threads of a block of nearly every kernel */

/* ---- elementwise --------------------------------------------------------------------- */

/* Elements along the side of a tile of elementwise_tiled and of transposed_words, by the size
 * of one, of the widest operand. */
#define CUPRIC_TILED_SIDE(nbytes) ((nbytes) <= 4 ? 64 : 32)
#define CUPRIC_WORDS_SIDE(nbytes) (128 / (nbytes))

typedef struct cu_dense_head {
    long long n;
} cu_dense_head;

/* Behind it slots, then each operand's step from row to row, and from column to column. */
typedef struct cu_tiled_head {
    long long rows, cols, row_tiles, col_tiles;
} cu_tiled_head;

/* Behind it a space of three operands: from, to, mask. */
typedef struct cu_any_head {
    cu_slot op[3];
    long long dtype; /* that is read: its number of src/dtypes.def */
    long long immediate, masked;
    long long first, n;
} cu_any_head;

/* ---- reductions ---------------------------------------------------------------------- */

enum {
    CUPRIC_REDUCE_ACROSS = 32, /* results of a block of reduce_columns */
    CUPRIC_REDUCE_DENSE_BLOCK =
        512, /* threads at most of a block of dense rows, columns */
    CUPRIC_REDUCE_NARROW =
        16384, /* bytes of the rows of a block of dense narrow ones */
    CUPRIC_REDUCE_NARROW_VECTORS =
        2, /* vectors of a thread, where rows make up whole ones */
    CUPRIC_REDUCE_FEW_VECTORS = 2 /* vectors of a thread of reduce_dense_few */
};

typedef struct cu_reduce_head {
    cu_slot initial; /* in the signature's result type */
    double count, param;
    long long has_initial, lanes, parts;
    char *scratch;
    unsigned int *arrived; /* one for each x, zero before and after */
} cu_reduce_head;

typedef struct cu_dense_reduce_head {
    cu_slot op[2];   /* in, out */
    cu_slot initial; /* in the signature's result type */
    double count, param;
    long long has_initial;
    long long n;           /* reduced elements of a row; rows of columns, as seen */
    long long lanes, ways; /* narrow: ways is the rows of a block */
    long long part, parts; /* part: rows of one, columns */
    char *scratch;
    unsigned int *arrived;
    long long step;        /* columns: bytes from row to row, as seen */
    long long width, wide; /* columns: results side by side, and as seen */
    long long tiles, fold, tail, aligned;
} cu_dense_reduce_head;

/* A part of a long slice, that any block may take. */
typedef struct cu_reduceat_part {
    long long task;
    unsigned int first;   /* of the slice's parts: its place in the queue */
    unsigned int arrived; /* of the first: parts that are done */
} cu_reduceat_part;

typedef struct cu_reduceat_head {
    cu_slot op[2]; /* in, out */
    const long long *starts;
    long long nstarts, length, in_stride, out_stride;
    long long lanes, across;
    long long part;            /* elements of one, of slices that have more */
    cu_reduceat_part *queue;   /* or NULL */
    long long capacity;        /* parts that the queue has room for */
    unsigned long long *count; /* of parts that were to go there; zero before */
    char *scratch;             /* a partial result for each part */
} cu_reduceat_head;

/* ---- scans --------------------------------------------------------------------------- */

enum {
    CUPRIC_SCAN_ITEMS = 8
}; /* of a thread at a time at most: chunks are whole tiles */

typedef struct cu_scan_head {
    cu_slot op[2]; /* in, out */
    long long n, in_stride, out_stride, chunk, chunks;
    char *carry; /* [row][chunk] */
} cu_scan_head;

/* Elements of a thread, by the larger one of the input's and the accumulator's size: a
 * tile has 32 KiB of 4 or 8 bytes each, as many elements of smaller types as of those of
 * 4 bytes, and half of that of 16. */
#define CUPRIC_SCAN_EACH(nbytes) ((nbytes) <= 4 ? 32 : (nbytes) == 8 ? 16 : 4)

/* Elements of a vector, by the larger one of the input's and the output's size. */
#define CUPRIC_SCAN_VECTOR(each, nbytes)                                               \
    (16 / (nbytes) < (each) ? 16 / (nbytes) : (each))

/* Columns of a tile that others depend on, at most, by the same. */
#define CUPRIC_SCAN_MAX_COLUMNS(nbytes) ((nbytes) > 2 ? 32 : 64)

/* Tiles that are copied ahead, and a block's shared memory for it, by compute
 * capability: older chips have no more. */
#define CUPRIC_SCAN_AHEAD(major) ((major) >= 8 ? 2 : 1)
#define CUPRIC_SCAN_NBYTES(major) ((major) >= 8 ? 75776 : 49152)

typedef struct cu_dense_scan_head {
    cu_slot op[2];      /* in, out */
    long long n, width; /* of all: elements of a sequence; sequences side by side */
    long long in_step, out_step; /* bytes from an element of a sequence to its next */
    long long columns, length, ways, each;
    long long rows;            /* the rest: whether sequences are rows, */
    long long in_row, out_row; /* bytes from one to the next; 0: without gaps */
    long long stacks, across;  /* of tiles: in all, and side by side in the width */
    long long down, group;     /* tiles of a stack, and of a group */
    long long tiles;
    long long tiles_per_block;     /* 0: by ticket */
    unsigned int *ticket;          /* zero before and after */
    unsigned long long *published; /* aggregates of tiles, then of groups:
                                    [tile][stack][column] */
    long long epoch;
} cu_dense_scan_head;

/* ---- indexing and selection ---------------------------------------------------------- */

enum { CUPRIC_SCATTER_FEW = 1024 }; /* elements, and threads, of scatter_few */

/* An entry of scatter_note's table. */
typedef struct cu_scatter_entry {
    unsigned long long place;
    long long last;
} cu_scatter_entry;

/* Behind it slots, then the length of each indexed axis, then the strides. */
typedef struct cu_index_head {
    long long immediate;       /* the value is in its slot */
    unsigned long long *found; /* of check_index; the table of the scatters */
    long long which;           /* index array of check_index; entries of scatter_note's
                                  table less 1; the lowest place of scatter_mark */
} cu_index_head;

enum {
    CUPRIC_SELECT_ROWS = 16, /* of a segment, each 32 elements */
    CUPRIC_SELECT_SEGMENT = 32 * CUPRIC_SELECT_ROWS,
    CUPRIC_SELECT_WARPS = CUPRIC_BLOCK / 32,
    CUPRIC_SELECT_ONE = 1024, /* threads of select_starts and select_few */
    CUPRIC_SELECT_FEW = CUPRIC_SELECT_ONE / 32 * CUPRIC_SELECT_SEGMENT /* elements */
};

typedef struct cu_select_head {
    const char *mask, *values;
    char *out;
    long long *starts, *warps, *total; /* total: the host's memory */
    unsigned int *bits;                /* 32 elements of the mask each; or NULL */
    long long count, chunk, blocks, ndim;
    long long dense_mask, dense_values, narrow; /* in C order; offsets fit in an int */
} cu_select_head;

/* ---- order --------------------------------------------------------------------------- */

enum { CUPRIC_SORT_ITEMS = 8 }; /* of a thread */

/* Threads of a block that sorts keys of so many bytes. */
#define CUPRIC_SORT_THREADS(nbytes) ((nbytes) > 8 ? 256 : 512)

typedef struct cu_sort_head {
    cu_slot op[1]; /* the rows, dense along the last axis */
    long long n, tiles, width, group;
    long long dense; /* rows follow each other */
    long long descending, last;
    const char *source;        /* dense rows that tiles come from, if not the rows */
    char *keys[2], *places[2]; /* from [0], to [1]; no keys: the rows themselves */
    long long *order;
} cu_sort_head;

typedef struct cu_search_head {
    cu_slot op[1]; /* values */
    const char *sorted;
    long long length;
    long long converted; /* the values' dtype where it is another, or -1 */
    long long narrow;    /* values' places and offsets fit in an int */
    long long *out;
} cu_search_head;

/* ---- all that has no space ----------------------------------------------------------- */

typedef struct cu_arange_params {
    cu_slot start, step;
    char *out;
    long long n;
} cu_arange_params;

enum { CUPRIC_RANDOM_EACH = 2 }; /* Philox blocks of a thread */

typedef struct cu_random_params {
    char *out;
    long long n;
    unsigned long long key, counter;
    double param[2];
    unsigned long long lo, hi;
} cu_random_params;

typedef struct cu_histogram_params {
    const char *values;
    const double *weights;
    const char *edges;
    char *counts;
    long long n, nbins, copies;
} cu_histogram_params;

enum { CUPRIC_JOIN_MAX = 16 }; /* arrays */

/* Units of a thread. Those of 16 bytes fill the memory bus by one each: 160 MB take an H200
 * 40.9 us, by four 42.3. */
#define CUPRIC_JOIN_ITEMS(nbytes) ((nbytes) < 16 ? 4 : 1)

/* Behind it a space of one dimension, the units of a row. */
typedef struct cu_join_head {
    char *out;
    long long pitch, n, size; /* size: of all rows */
    const char *from[CUPRIC_JOIN_MAX];
    long long start[CUPRIC_JOIN_MAX + 1];
} cu_join_head;

/* ---- convolution --------------------------------------------------------------------- */

enum {
    CUPRIC_CONVOLVE_BLOCK = 128, /* threads of a block with tiles */
    CUPRIC_CONVOLVE_NBYTES = 16, /* of a vector */
    CUPRIC_CONVOLVE_VECTORS = 4, /* of a thread, one dimension */
    CUPRIC_CONVOLVE_DOWN = 8,    /* threads of a column of a block, two dimensions */
    CUPRIC_CONVOLVE_ACROSS = CUPRIC_CONVOLVE_BLOCK / CUPRIC_CONVOLVE_DOWN
};

/* Rows of outputs of a thread, where vectors have so many elements. Four rows where they
 * have four leave registers for more warps, which hide more than longer windows do. */
#define CUPRIC_CONVOLVE_ROWS(vector) ((vector) == 4 ? 4 : 8)

/* What is outside of `in`; CUPRIC_OUTSIDE_NOTHING adds no products. */
enum {
    CUPRIC_OUTSIDE_FILL,
    CUPRIC_OUTSIDE_WRAP,
    CUPRIC_OUTSIDE_SYMMETRIC,
    CUPRIC_OUTSIDE_NOTHING
};

/* Behind it, by dimension: lengths of in, kernel and out, base, piece. */
typedef struct cu_convolve_head {
    const char *in, *kernel;
    char *out;
    cu_slot fill;
    long long correlate, boundary; /* CUPRIC_OUTSIDE_… */
    long long nkernel, nout;
} cu_convolve_head;

#ifdef __cplusplus
CUPRIC_END
#endif

#endif
