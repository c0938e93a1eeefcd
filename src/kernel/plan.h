/* kernel/plan.h: one launch of a generated kernel: its operands, its loop, its bytes.
 *
 * Operands that are not raw are seen through the axes of the loop. Axes of length 1 are
 * dropped and neighbours joined where every operand allows it, so that the commonest
 * kernels have one axis; the order of the elements stays C's, which `i` counts in.
 */
#ifndef CUPRIC_KERNEL_PLAN_H
#define CUPRIC_KERNEL_PLAN_H

#include "kernel/params.h"
#include "layout/array.h"

typedef enum cu_kernel_form {
    CUPRIC_FORM_VALUE,
    CUPRIC_FORM_DENSE,
    CUPRIC_FORM_STRIDED,
    CUPRIC_FORM_VIEW, /* strided, with the shape of the loop: what `_raw_x` is */
    CUPRIC_FORM_RAW,
    CUPRIC_FORM_RAW_CONTIGUOUS
} cu_kernel_form;

/* How an operand reaches the kernel: part of what the source depends on. */
typedef struct cu_kernel_operand {
    const cu_array *array; /* borrowed; NULL: `value` */
    cu_scalar value;       /* in `dtype` */
    cu_dtype dtype;
    cu_kernel_form form;
    bool written;
    int64_t steps[CUPRIC_MAXDIMS]; /* bytes, along the axes of the loop */
} cu_kernel_operand;

/* Axes [0, nkeep) are the outputs', the others are reduced; nkeep is ndim for a kernel
 * that does not reduce. */
typedef struct cu_plan {
    int nops, ndim, nkeep;
    bool columns; /* of a reduction: neighbours in memory go to different outputs */
    int64_t shape[CUPRIC_MAXDIMS];
    cu_kernel_operand op[CUPRIC_MAXPARAMS];
} cu_plan;

/* What distinguishes one generated source of a kernel from another. */
typedef struct cu_plan_key {
    const cu_device *device;
    unsigned char n, ndim, nkeep, columns;
    unsigned short op[CUPRIC_MAXPARAMS][3]; /* dtype, form, axes of a raw one */
} cu_plan_key;

/* The loop over `shape`: sets form and steps of every operand. `params` says which are
 * raw. `permutation` (or NULL) orders the axes of inputs, kept before reduced; outputs of
 * a reduction have the kept axes only, from `noutputs_first` on. */
void cu_plan_loop(cu_plan *plan, const cu_params *params, int ndim,
                  const int64_t *shape, bool join);
void cu_plan_reduction(cu_plan *plan, const cu_params *params, int ndim,
                       const int64_t *shape, int nreduced, const int *axes, bool join);

/* Fewer forms, for kernels that come compiled: raw arrays with their strides; operands of
 * the loop all dense or all strided. */
void cu_plan_unify(cu_plan *plan);

void cu_plan_make_key(const cu_plan *plan, const cu_device *device, cu_plan_key *key);
bool cu_plan_same_key(const cu_plan_key *a, const cu_plan_key *b);

/* Elements of the outputs, and reduced into each. */
int64_t cu_plan_outputs(const cu_plan *plan);
int64_t cu_plan_reduced(const cu_plan *plan);

/* Launch over the loop. `block_size` is for devices whose blocks are threads. */
cu_status cu_plan_launch(const cu_plan *plan, cu_function *f, cu_device *device,
                         cu_stream *stream, unsigned block_size);

/* How the blocks and threads of a GPU share a reduction: the struct `split` of
 * cuda/include/cupric/kernel.hpp, then the launch. */
typedef struct cu_plan_split {
    int64_t lanes, across, part, parts;
    void *partial, *arrived; /* device memory, where parts > 1 */
    int64_t blocks, threads;
} cu_plan_split;

/* Into parts only where `may_cut`. The caller supplies what parts need: `arrived`, a zero
 * of 32 bits for each of `blocks`, and `partial`, a value for each part of each output. */
void cu_plan_share(const cu_plan *plan, const cu_device *device, bool may_cut,
                   cu_plan_split *split);
cu_status cu_plan_launch_reduction(const cu_plan *plan, const cu_plan_split *split,
                                   cu_function *f, cu_device *device,
                                   cu_stream *stream);

#endif
