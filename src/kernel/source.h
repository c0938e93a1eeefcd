/* kernel/source.h: the CUDA C++ of ElementwiseKernel and ReductionKernel. */
#ifndef CUPRIC_KERNEL_SOURCE_H
#define CUPRIC_KERNEL_SOURCE_H

#include "kernel/plan.h"
#include "kernel/text.h"

/* What a user wrote; strings borrowed, "" where left out. `library`, or NULL: the code of a
 * kernel library, with which every source of it begins, before any type is known. */
typedef struct cu_elementwise_text {
    const char *name, *operation, *preamble, *loop_prep, *after_loop, *library;
} cu_elementwise_text;

typedef struct cu_reduction_text {
    const char *name, *map, *reduce, *post, *identity, *reduce_type, *preamble;
    bool plain; /* reduce_type is a dtype's: it needs no value to begin with */
} cu_reduction_text;

/* Find the parameters whose array the texts name, as `_raw_x`. */
void cu_source_find_views(cu_params *params, const char *const *texts, int n);

cu_status cu_source_elementwise(const cu_elementwise_text *what,
                                const cu_params *params, const cu_plan *plan,
                                cu_text *out);
cu_status cu_source_reduction(const cu_reduction_text *what, const cu_params *params,
                              const cu_plan *plan, cu_text *out);

#endif
