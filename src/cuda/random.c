/* cuda/random.c: fills from Philox, the bits of which are laid down in cupric/philox.hpp
 * and cupric/distributions.hpp. */
#include "cuda/entries.h"
#include "cuda/kernels.h"
#include "device/units.h"

cu_status
cu_cuda_random(const cu_random *args, cu_stream *s)
{
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_RANDOM);
    const cu_kernels *kernels;
    cu_status st;

    if (args->n == 0) return CUPRIC_OK;
    const bool eight = cu_itemsize(args->dtype) == 8;
    const bool wide = eight && (args->hi - args->lo) >> 32;
    const bool integers = args->kind == CUPRIC_RANDOM_INTEGERS;
    /* Integers are made as unsigned ones of their width. */
    const cu_dtype made_as = cu_dtypes[args->dtype].kind == 'f'
                                 ? args->dtype
                                 : cu_unit_dtype(cu_itemsize(args->dtype));
    const int per_block = eight && (!integers || wide) ? 2 : 4;
    key.op = (uint16_t)args->kind;
    key.type[0] = (uint8_t)made_as;
    key.layout = integers && wide;
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;
    const cu_random_params p = {
        .out = args->out,
        .n = args->n,
        .key = args->key,
        .counter = args->counter,
        .param = {args->param[0], args->param[1]},
        .lo = (unsigned long long)args->lo,
        .hi = (unsigned long long)args->hi,
    };
    const int64_t each = per_block * CUPRIC_RANDOM_EACH * CUPRIC_BLOCK; /* of a block */
    return cu_kernels_launch(kernels, 0, cu_blocks_of(args->n, each), 1, &p, s);
}
