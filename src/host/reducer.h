/* host/reducer.h: the pieces that reductions, scans and reduceat are put together from.
 *
 * An operation is resolved to a cu_reducer: how an element becomes an accumulator
 * (`map`, a conversion of dtype, or nothing), how accumulators combine (cu_combiner),
 * and what makes a result of one (`finish`). Kernels know one type each and contiguous
 * memory; the drivers (reduce.cpp, scan.cpp) choose the order of the work and bring
 * what is strided, of another dtype or masked into buffers that fit the first-level
 * cache.
 */
#ifndef CUPRIC_HOST_REDUCER_H
#define CUPRIC_HOST_REDUCER_H

#include "device/backend.h"

/* Elements that are combined in one go before partial results are paired up. The error
 * of a sum grows with LEAF / lanes + log2(n / LEAF). Also the length of the buffers. */
#define CUPRIC_REDUCE_LEAF 1024

/* acc[j] = acc[j] op x[j], j < n */
typedef void cu_combine_zip(void *acc, const void *x, int64_t n);
/* *acc = *acc op x[i], in order, i < n; where out is not NULL, out[i] = *acc */
typedef void cu_combine_run(void *acc, const void *x, int64_t n, void *out);
/* out[r] = x[r][0] op … op x[r][n-1], paired as is fast; n > 0, rows row_stride bytes
 * apart */
typedef void cu_combine_rows(void *out, const void *x, int64_t nrows,
                             int64_t row_stride, int64_t n);
/* acc[j] = x[0][j] op … op x[nrows-1][j], j < n, after `fresh` starts anew; else
 * combined with what acc holds */
typedef void cu_combine_cols(void *acc, const void *x, int64_t nrows,
                             int64_t row_stride, int64_t n, bool fresh);

/* An operation on one accumulator type. `rows` and `cols` are there for operations
 * whose operands may be grouped and swapped at will; others are `run` from left to
 * right. */
typedef struct cu_combiner {
    cu_combine_zip *zip;
    cu_combine_run *run;
    cu_combine_rows *rows;
    cu_combine_cols *cols;
    bool ordered; /* operands of these may be grouped, not swapped */
} cu_combiner;

/* dst[j] = the accumulator of element j: strides in bytes, dst contiguous. `y` is NULL
 * where the row has one input. */
typedef void cu_reduce_map(void *dst, const void *x, int64_t x_stride, const void *y,
                           int64_t y_stride, int64_t n, double param);
/* *acc = the sum of what map makes of n elements, n <= CUPRIC_REDUCE_LEAF, in the order in
 * which cu_combine_rows adds. */
typedef void cu_reduce_fold(void *acc, const void *x, int64_t x_stride, const void *y,
                            int64_t y_stride, int64_t n, double param);
/* dst[j] = the result of acc[j], which `count` elements went into; both contiguous. */
typedef void cu_reduce_finish(void *dst, const void *acc, int64_t n, double count,
                              double param);

/* What the position of the extreme element is taken of. */
typedef enum cu_arg_kind {
    CUPRIC_ARG_NONE,
    CUPRIC_ARG_MAX,    /* NaN is the largest */
    CUPRIC_ARG_MIN,    /* NaN is the smallest */
    CUPRIC_ARG_NANMAX, /* NaN is passed over; -1 when there is nothing else */
    CUPRIC_ARG_NANMIN
} cu_arg_kind;

/* Places that fit the narrowest elements, beside which they are kept. */
#define CUPRIC_ARG_PLACES 127

/* best[j], where[j] = x[r][j], index + r for each r < nrows in order where x[r][j] is
 * further out than best[j], j < n; after `fresh` row 0 is taken as it is.
 * nrows <= CUPRIC_ARG_PLACES. */
typedef void cu_arg_cols(void *best, int64_t *where, const void *x, int64_t row_stride,
                         int64_t index, int64_t nrows, int64_t n, bool fresh);
/* best[j % width], where[j % width] = best[j], where[j] for each j in [width, n) that is
 * further out, or equal and before it. */
typedef void cu_arg_join(void *best, int64_t *where, int64_t width, int64_t n);
/* The first i < n whose x[i] equals *best or, with it, is NaN; -1 if there is none. */
typedef int64_t cu_arg_find(const void *x, int64_t n, const void *best);
/* index[k] = the place of the extreme of row k, of n dense elements `step` bytes after the
 * row before it, or -1 where nothing is usable; k < nrows. False where rows are shorter
 * than `shortest`, or longer than places in a lane may be or a cache holds. */
typedef bool cu_arg_short(const void *x, int64_t step, int64_t n, int64_t nrows,
                          int64_t *index);
/* Whether *x is further out than *best. */
typedef bool cu_arg_better(const void *x, const void *best);

typedef struct cu_arg_kernels {
    cu_arg_cols *cols;
    cu_arg_join *join;
    cu_arg_find *find;
    cu_arg_better *better;
    bool (*usable)(
        const void *x); /* false for a NaN that is passed over; NULL: none is */
    cu_arg_short *short_rows;
    int64_t shortest; /* of these, in elements */
    bool at_once;     /* faster than to find the extreme first, and then its place */
} cu_arg_kernels;

/* One signature of one operation. dtypes: `in` what map takes and `out` what finish
 * gives are float where the signature says float16 or bfloat16. */
typedef struct cu_reducer {
    cu_dtype in[2], acc, out;
    cu_dtype result;            /* the signature's own output */
    const cu_combiner *combine; /* NULL: there is no such signature */
    cu_reduce_map *map;         /* NULL: the element itself */
    cu_reduce_fold *fold;       /* not NULL: map and combine in one */
    cu_reduce_finish *finish;   /* NULL: the accumulator itself */
    const cu_arg_kernels *arg;  /* instead of the accumulator's own */
    bool skips_nans; /* elements of the first input that are NaN are left out */
    bool has_identity;
    bool starts_at_identity; /* and combining with it can change a value */
    bool absorbs;            /* a value that nothing changes: */
    cu_scalar absorbing;
    cu_scalar identity; /* in acc */
    /* Not 0: made in two passes, by the row of the mean and by the other row, in its
     * signature of the same number. */
    int mean, about_mean;
    /* Not NULL: of the least and the greatest, by rows `least` and `greatest` in their
     * signatures of the result's dtype. high[j] = the result of both, j < n. */
    void (*join_extremes)(void *high, const void *low, int64_t n);
    int least, greatest;
} cu_reducer;

#ifdef __cplusplus
extern "C" {
#endif

/* Once, before the rest: choose kernels for this machine. */
void cu_reducers_init(void);
void cu_combiners_init(void); /* called by the above */

/* Row `op` (of ufunc.def, then reduce.def) in its `sig`-th signature, static. NULL with
 * a message if that cannot be reduced by. */
const cu_reducer *cu_reducer_get(int op, int sig);

/* Both are static; NULL for rows without. */
const cu_combiner *cu_combiner_get(int op, cu_dtype acc);
const cu_arg_kernels *cu_arg_kernels_base(cu_arg_kind kind, cu_dtype t);
const cu_arg_kernels *cu_arg_kernels_v3(cu_arg_kind kind, cu_dtype t);

/* The map of a row of reduce.def, compiled for AVX2; NULL where there is none. */
cu_reduce_map *cu_reduce_map_v3(int row, int sig);
cu_reduce_fold *cu_reduce_fold_v3(int row, int sig);

#ifdef __cplusplus
}
#endif
#endif
