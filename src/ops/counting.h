/* ops/counting.h: how often values occur. */
#ifndef CUPRIC_OPS_COUNTING_H
#define CUPRIC_OPS_COUNTING_H

#include "layout/array.h"

typedef struct cu_counting {
    const cu_array *values; /* any shape; real numbers */
    const cu_array *edges; /* one axis, ascending, int64, uint64 or floating of at least
                                32 bits; NULL: integers are their own bins */
    const cu_array *weights; /* of the values' shape; NULL: each counts once */
    bool even;               /* edges are about evenly apart */
    int64_t nbins;           /* below 2**31; with edges, one less than there are */
} cu_counting;

/* *out is a new array of nbins int64 or, with weights, float64. Values outside of all bins
 * count nowhere. */
cu_status cu_array_count(const cu_counting *what, cu_array *out);

#endif
