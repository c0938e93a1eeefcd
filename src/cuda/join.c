/* cuda/join.c: arrays side by side: one launch for up to MOST of them. */
#include "cuda/entries.h"
#include "cuda/kernels.h"

#define MOST 16   /* JOIN_MOST of cupric/kernels/join.hpp */
#define EACH 1024 /* units of a block */

/* The widest unit, up to 16 bytes, that all addresses and lengths are multiples of. */
static int64_t
unit_of(const cu_join *args)
{
    uint64_t all = 16 | (uint64_t)(uintptr_t)args->out;

    for (int k = 0; k < args->n; k++) {
        if (args->nbytes[k] == 0) continue;
        all |= (uint64_t)(uintptr_t)args->from[k] | (uint64_t)args->nbytes[k];
    }
    return (int64_t)(all & -all);
}

static cu_dtype
moved_as(int64_t unit)
{
    switch (unit) {
    case 1: return CUPRIC_UINT8;
    case 2: return CUPRIC_UINT16;
    case 4: return CUPRIC_UINT32;
    case 8: return CUPRIC_UINT64;
    default: return CUPRIC_COMPLEX128;
    }
}

/* Up to MOST of the arrays, from `first` on, whose rows begin at `out`. */
static cu_status
join_some(const cu_join *args, int first, int n, int64_t unit, int64_t pitch, char *out,
          cu_stream *s)
{
    static const int64_t none[1] = {0};
    const int64_t *const strides[] = {none};
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_JOIN);
    const cu_kernels *kernels;
    int64_t start[MOST + 1] = {0};
    cu_params p;
    cu_status st;

    for (int k = 0; k < n; k++)
        start[k + 1] = start[k] + args->nbytes[first + k] / unit;
    const int64_t size = start[n] * args->rows;
    if (size == 0) return CUPRIC_OK;
    key.type[0] = (uint8_t)moved_as(unit);
    if (pitch / unit * args->rows > INT32_MAX) key.flags |= CUPRIC_KEY_WIDE;
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;
    p.used = 0;
    cu_params_pointer(&p, out);
    cu_params_int(&p, pitch / unit);
    cu_params_int(&p, n);
    cu_params_int(&p, size);
    for (int k = 0; k < MOST; k++) {
        cu_params_pointer(&p, k < n ? args->from[first + k] : NULL);
    }
    for (int k = 0; k <= MOST; k++) cu_params_int(&p, start[k < n ? k : n]);
    cu_params_space(&p, 1, 1, &start[n], 1, strides);
    return cu_kernels_launch(kernels, 0, cu_blocks_of(size, EACH), 1, &p, s);
}

cu_status
cu_cuda_join(const cu_join *args, cu_stream *s)
{
    const int64_t unit = unit_of(args);
    int64_t pitch = 0;
    char *out = args->out;
    cu_status st = CUPRIC_OK;

    for (int k = 0; k < args->n; k++) pitch += args->nbytes[k];
    for (int first = 0; !st && first < args->n; first += MOST) {
        const int n = args->n - first < MOST ? args->n - first : MOST;
        st = join_some(args, first, n, unit, pitch, out, s);
        for (int k = 0; k < n; k++) out += args->nbytes[first + k];
    }
    return st;
}
