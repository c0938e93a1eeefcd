/* cuda/join.c: arrays side by side: one launch for up to CUPRIC_JOIN_MAX of them. */
#include "cuda/entries.h"
#include "cuda/kernels.h"
#include "device/axes.h"
#include "device/units.h"

/* The widest unit, up to 16 bytes, that all addresses and lengths are multiples of. */
static int64_t
unit_of(const cu_join *args)
{
    uint64_t all = (uint64_t)(uintptr_t)args->out;

    for (int k = 0; k < args->n; k++) {
        if (args->nbytes[k] == 0) continue;
        all |= (uint64_t)(uintptr_t)args->from[k] | (uint64_t)args->nbytes[k];
    }
    return cu_unit_dividing(all);
}

/* Up to CUPRIC_JOIN_MAX of the arrays, from `first` on, whose rows begin at `out`. */
static cu_status
join_some(const cu_join *args, int first, int n, int64_t unit, int64_t pitch, char *out,
          cu_stream *s)
{
    static const int64_t none[1] = {0};
    const int64_t *const strides[] = {none};
    cu_kernel_key key = cu_key(CUPRIC_KERNEL_JOIN);
    const cu_kernels *kernels;
    cu_join_head head = {.out = out, .pitch = pitch / unit, .n = n};
    cu_params p;
    cu_status st;

    for (int k = 0; k < CUPRIC_JOIN_MAX; k++) {
        const bool there = k < n;
        head.from[k] = there ? args->from[first + k] : NULL;
        head.start[k + 1] =
            head.start[k] + (there ? args->nbytes[first + k] / unit : 0);
    }
    const int64_t row = head.start[n];
    head.size = row * args->rows;
    if (head.size == 0) return CUPRIC_OK;
    key.type[0] = (uint8_t)cu_unit_dtype(unit);
    if (cu_is_wide(pitch / unit * args->rows)) key.flags |= CUPRIC_KEY_WIDE;
    st = cu_kernels_get(&key, s, &kernels);
    if (st) return st;
    cu_params_start(&p, &head, sizeof head);
    cu_params_space(&p, 1, 1, &row, 1, strides);
    const int64_t each = CUPRIC_JOIN_ITEMS(unit) * CUPRIC_BLOCK; /* units of a block */
    return cu_kernels_launch(kernels, 0, cu_blocks_of(head.size, each), 1, &p, s);
}

cu_status
cu_cuda_join(const cu_join *args, cu_stream *s)
{
    const int64_t unit = unit_of(args);
    int64_t pitch = 0;
    char *out = args->out;
    cu_status st = CUPRIC_OK;

    for (int k = 0; k < args->n; k++) pitch += args->nbytes[k];
    for (int first = 0; !st && first < args->n; first += CUPRIC_JOIN_MAX) {
        const int left = args->n - first;
        const int n = left < CUPRIC_JOIN_MAX ? left : CUPRIC_JOIN_MAX;
        st = join_some(args, first, n, unit, pitch, out, s);
        for (int k = 0; k < n; k++) out += args->nbytes[first + k];
    }
    return st;
}
