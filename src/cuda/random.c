/* cuda/random.c: fills from Philox, the bits of which are laid down in cupric/philox.hpp
 * and cupric/distributions.hpp. */
#include "cuda/entries.h"
#include "cuda/kernels.h"

static cu_status
check(const cu_random *args)
{
    const char kind = cu_dtypes[args->dtype].kind;
    const bool integral = kind != 'f' && kind != 'c';
    const bool wanted =
        args->kind == CUPRIC_RANDOM_BITS || args->kind == CUPRIC_RANDOM_INTEGERS;

    if (kind != 'c' && integral == wanted) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_TYPE, "random numbers of this kind cannot be %s",
                   cu_dtypes[args->dtype].name);
}

/* Integers are made as unsigned ones of their width. */
static cu_dtype
made_as(cu_dtype t)
{
    if (cu_dtypes[t].kind == 'f') return t;
    switch (cu_itemsize(t)) {
    case 1: return CUPRIC_UINT8;
    case 2: return CUPRIC_UINT16;
    case 4: return CUPRIC_UINT32;
    default: return CUPRIC_UINT64;
    }
}

cu_status
cu_cuda_random(const cu_random *args, cu_stream *s)
{
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_RANDOM);
    const cu_kernels *kernels;
    cu_random fill = *args;
    cu_status st = check(args);

    if (st || args->n == 0) return st;
    /* Bits of a bool: a number from 0 to 1. */
    if (args->dtype == CUPRIC_BOOL && args->kind == CUPRIC_RANDOM_BITS) {
        fill.kind = CUPRIC_RANDOM_INTEGERS;
        fill.lo = 0;
        fill.hi = 1;
    }
    const bool eight = cu_itemsize(fill.dtype) == 8;
    const bool wide = eight && (fill.hi - fill.lo) >> 32;
    const bool integers = fill.kind == CUPRIC_RANDOM_INTEGERS;
    const int per_block = eight && (!integers || wide) ? 2 : 4;
    key.op = (uint16_t)fill.kind;
    key.type[0] = (uint8_t)made_as(fill.dtype);
    key.layout = integers && wide;
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;
    const cu_random_params p = {
        .out = fill.out,
        .n = fill.n,
        .key = fill.key,
        .counter = fill.counter,
        .param = {fill.param[0], fill.param[1]},
        .lo = (unsigned long long)fill.lo,
        .hi = (unsigned long long)fill.hi,
    };
    const int64_t each = per_block * CUPRIC_RANDOM_EACH * CUPRIC_BLOCK; /* of a block */
    return cu_kernels_launch(kernels, 0, cu_blocks_of(fill.n, each), 1, &p, s);
}
