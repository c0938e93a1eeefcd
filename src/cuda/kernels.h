/* cuda/kernels.h: the kernels of built-in operations: found, and made at first use.
 *
 * A lookup by key is a hash of 16 bytes and no lock. A kernel that is not there yet is
 * compiled under one lock.
 */
#ifndef CUPRIC_CUDA_KERNELS_H
#define CUPRIC_CUDA_KERNELS_H

#include "cuda/codegen.h"
#include "device/backend.h"

typedef struct cu_kernels {
    cu_kernel_key key;
    cu_function *entry[CUPRIC_KERNEL_ENTRIES]; /* [0] is NULL while they are made */
    int vector; /* of a reduction: cu_cuda_reduce_vector_size */
} cu_kernels;

/* The kernels of `key` on the stream's device; static. */
cu_status cu_kernels_get(const cu_kernel_key *key, const cu_stream *s,
                         const cu_kernels **out);

/* The same where nothing has to be compiled, nor looked for on disk; otherwise *out is
 * NULL. */
cu_status cu_kernels_find(const cu_kernel_key *key, const cu_stream *s,
                          const cu_kernels **out);

/* How a verb gets its kernels, and which it lacks. */
typedef struct cu_attempt {
    bool waits; /* for the compiler */
    bool lacks;
    cu_kernel_key lacking;
} cu_attempt;

/* By cu_kernels_get where the attempt waits, else by cu_kernels_find: *out is NULL and the
 * attempt `lacks` the key. */
cu_status cu_kernels_try(cu_attempt *attempt, const cu_kernel_key *key,
                         const cu_stream *s, const cu_kernels **out);

/* Have them made by a thread of their own, after which they are found. Nothing is told
 * where that fails. */
void cu_kernels_order(const cu_kernel_key *key, const cu_stream *s);

/* A launch along one dimension, and parts along another. */
typedef struct cu_shape {
    int64_t blocks, parts; /* parts: 0 is 1 */
    int threads;
    int64_t shared_nbytes;
} cu_shape;

/* Launch kernel `entry` with one parameter, a struct. Too many blocks are an error, none
 * are nothing to do. */
cu_status cu_kernels_launch(const cu_kernels *kernels, int entry, int64_t blocks,
                            int parts, const void *params, cu_stream *s);
cu_status cu_kernels_launch_shaped(const cu_kernels *kernels, int entry,
                                   const cu_shape *shape, const void *params,
                                   cu_stream *s);

static inline int64_t
cu_blocks_of(int64_t n, int64_t each)
{
    return (n + each - 1) / each;
}

/* ---- parameters ---------------------------------------------------------------------- */

/* A kernel's parameters, written front to back: a head of cupric/kernels/params.h, then
 * slots, then spaces. */
#define CUPRIC_PARAMS_NBYTES 45056
typedef struct cu_params {
    _Alignas(16) char data[CUPRIC_PARAMS_NBYTES];
    size_t used;
} cu_params;

static inline void
cu_params_add(cu_params *p, const void *bytes, size_t nbytes)
{
    __builtin_memcpy(p->data + p->used, bytes, nbytes);
    p->used += nbytes;
}

static inline void
cu_params_start(cu_params *p, const void *head, size_t nbytes)
{
    p->used = 0;
    cu_params_add(p, head, nbytes);
}

static inline cu_slot
cu_slot_at(const void *ptr)
{
    return (cu_slot){{(unsigned long long)(uintptr_t)ptr, 0}};
}

static inline cu_slot
cu_slot_of_scalar(const cu_scalar *value)
{
    cu_slot slot;
    _Static_assert(sizeof slot == sizeof *value, "a scalar fills a slot");
    __builtin_memcpy(&slot, value, sizeof slot);
    return slot;
}

static inline cu_slot
cu_slot_of(const cu_operand *op)
{
    return op->ptr ? cu_slot_at(op->ptr) : cu_slot_of_scalar(&op->imm);
}

/* The slots of operands [first, end) of an iteration. */
static inline void
cu_params_slots(cu_params *p, const cu_iter *it, int first, int end)
{
    for (int k = first; k < end; k++) {
        const cu_slot slot = cu_slot_of(&it->op[k]);
        cu_params_add(p, &slot, sizeof slot);
    }
}

/* A `space` of `rank` dimensions: ndim of them, strides[d][k] of noperands. */
void cu_params_space(cu_params *p, int rank, int ndim, const int64_t *shape,
                     int noperands, const int64_t *const *strides);
/* Dimensions [first, last) of an iteration. */
void cu_params_iter(cu_params *p, const cu_iter *it, int first, int last,
                    int noperands);
/* The leading dimensions of a view. */
void cu_params_view(cu_params *p, const cu_view *v, int ndim, int rank);

/* A key with no types. */
static inline cu_kernel_key
cu_key(cu_family family)
{
    cu_kernel_key key = {0};
    key.family = (uint8_t)family;
    key.rank[0] = key.rank[1] = 1;
    __builtin_memset(key.type, CUPRIC_KEY_NO_TYPE, sizeof key.type);
    return key;
}

static inline uint8_t
cu_key_type(const cu_operand *op)
{
    return (uint8_t)(op->dtype | (op->ptr ? 0 : CUPRIC_KEY_IMMEDIATE));
}

#endif
