/* cuda/fft.c: Fourier transforms by cuFFT.
 *
 * A pass transforms up to three axes at once. cuFFT takes operands as they lie where the
 * strides of the pass's axes are multiples of each other and the other axes are one, or
 * a few calls' outer one; else they are copied. More axes, and axes named twice, take
 * passes one after the other; the real side is the first pass forward and the last one
 * back.
 */
#include <string.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/fft_plans.h"
#include "cuda/linear.h"
#include "cuda/memory.h"
#include "device/axes.h"

#define MAX_PIECES 16 /* calls of cuFFT in place of a copy */
#define SHORT 8 /* real numbers in a row of which half of the terms gain nothing */
#define FEW (1ll << 16) /* real numbers that are transformed apart sooner than copied */

typedef struct pass {
    int rank;
    int axes[MAX_RANK];
    cu_fft_kind kind;
    bool inverse;
    int64_t n_last; /* the last axis's length on the real side */
} pass;

/* The view with the pass's axes last, in their order. */
static void
move_axes(const cu_view *v, const pass *p, cu_view *out)
{
    bool moved[CUPRIC_MAXDIMS] = {false};
    int at = 0;

    *out = *v;
    for (int i = 0; i < p->rank; i++) moved[p->axes[i]] = true;
    for (int d = 0; d < v->ndim; d++) {
        if (moved[d]) continue;
        out->shape[at] = v->shape[d];
        out->strides[at++] = v->strides[d];
    }
    for (int i = 0; i < p->rank; i++) {
        out->shape[at] = v->shape[p->axes[i]];
        out->strides[at++] = v->strides[p->axes[i]];
    }
}

static bool
is_wide(cu_dtype t)
{
    return t == CUPRIC_FLOAT64 || t == CUPRIC_COMPLEX128;
}

/* The dtype that cuFFT takes for outputs of some type. */
static cu_dtype
input_type(const pass *p, cu_dtype out)
{
    if (p->kind == CUPRIC_FFT_R2C)
        return is_wide(out) ? CUPRIC_FLOAT64 : CUPRIC_FLOAT32;
    return is_wide(out) ? CUPRIC_COMPLEX128 : CUPRIC_COMPLEX64;
}

/* ---- operands as they lie ---------------------------------------------------------------- */

/* How the last `rank` axes of a view lie, and rows `row` bytes apart (0: there is one);
 * false where no embed says it. An axis of length 1 lies as in dense memory. */
static bool
layout_of(const cu_view *v, int rank, int64_t row, cu_fft_layout *out)
{
    const int64_t item = cu_itemsize(v->dtype);
    int64_t dense = item, inner = 0;

    for (int i = rank - 1; i >= 0; i--) {
        const int64_t n = v->shape[v->ndim - rank + i];
        const int64_t stride = n > 1 ? v->strides[v->ndim - rank + i] : dense;
        if (stride <= 0 || stride % item) return false;
        if (i == rank - 1) {
            out->step = stride / item;
        } else {
            out->embed[i + 1] = stride / inner;
            if (stride % inner || stride / inner < v->shape[v->ndim - rank + i + 1])
                return false;
        }
        inner = stride;
        dense = stride * n;
    }
    out->embed[0] = v->shape[v->ndim - rank];
    out->row = row ? row / item : dense / item;
    return row % item == 0;
}

/* Real numbers, too, begin where complex ones may. */
static bool
is_aligned(const cu_view *v, int64_t piece)
{
    const uintptr_t size = is_wide(v->dtype) ? 16 : 8;

    return ((uintptr_t)v->ptr | (uintptr_t)piece) % size == 0;
}

/* What cuFFT does from `in` to `out`, whose axes are last; false where it cannot without
 * copies, or is slower: of many real numbers apart, 2048 x 4882 float32 along the first
 * axis on an H100, it takes 255 us, and 33 of dense ones, whose copies take 70; complex
 * ones 125, and 64 and 123. */
static bool
describe(const pass *p, const cu_view *in, const cu_view *out, cu_fft_work *w)
{
    cu_view from = *in, to = *out;
    int64_t *const strides[2] = {from.strides, to.strides};
    const int batch = in->ndim - p->rank;
    const int n = cu_axes_join(from.shape, 2, strides, batch);
    const bool has_rows = n > 0, has_pieces = n > 1;

    if (n > 2 || (has_pieces && from.shape[0] > MAX_PIECES)) return false;
    if (has_rows && (from.strides[n - 1] <= 0 || to.strides[n - 1] <= 0)) return false;
    memset(w, 0, sizeof *w);
    w->kind = (int)p->kind;
    w->wide = is_wide(out->dtype);
    w->rank = p->rank;
    for (int i = 0; i < p->rank; i++) w->n[i] = out->shape[batch + i];
    if (p->kind == CUPRIC_FFT_R2C) w->n[p->rank - 1] = p->n_last;
    w->batch = has_rows ? from.shape[n - 1] : 1;
    w->pieces = has_pieces ? from.shape[0] : 1;
    w->in_piece = has_pieces ? from.strides[0] : 0;
    w->out_piece = has_pieces ? to.strides[0] : 0;
    if (!is_aligned(in, w->in_piece) || !is_aligned(out, w->out_piece) ||
        !layout_of(in, p->rank, has_rows ? from.strides[n - 1] : 0, &w->in) ||
        !layout_of(out, p->rank, has_rows ? to.strides[n - 1] : 0, &w->out)) {
        return false;
    }
    if (p->kind == CUPRIC_FFT_C2C || (w->in.step == 1 && w->out.step == 1)) return true;
    return cu_cuda_view_size(p->kind == CUPRIC_FFT_R2C ? in : out) <= FEW;
}

/* ---- one pass ---------------------------------------------------------------------------- */

/* Operands with the axes last, by cuFFT, which describe() has seen. */
static cu_status
transform(const pass *p, const cu_view *in, const cu_view *out, double scale,
          cu_stream *s)
{
    cu_fft_work w;
    cu_status st;

    if (!describe(p, in, out, &w)) {
        return cu_fail(CUPRIC_ERR_DEVICE, "a Fourier transform of memory in no order");
    }
    st = cu_cuda_fft_run(&w, in->ptr, out->ptr, p->inverse, s);
    return st || scale == 1 ? st : cu_cuda_scale(out, scale, s);
}

/* Whether a C-ordered copy of `in` as it lies, its axes in their places, can be
 * transformed to `out`, whose axes are last. */
static bool
fits_copied(const pass *p, const cu_view *in, cu_dtype t, const cu_view *out)
{
    cu_view dense = *in, moved;
    cu_fft_work w;

    dense.dtype = t;
    cu_cuda_view_dense(&dense, NULL);
    move_axes(&dense, p, &moved);
    return describe(p, &moved, out, &w);
}

/* Into memory beside `out`, whose axes are last, from a copy with axes last. */
static cu_status
run_copied(const pass *p, const cu_view *in, cu_dtype t, const cu_view *out,
           double scale, cu_stream *s)
{
    cu_view from, to = *out;
    void *made = NULL; /* owned */
    cu_status st = cu_cuda_dense_copy(in, t, &from, s);

    if (st) return st;
    if (!cu_cuda_is_dense(out) || !is_aligned(out, 0)) {
        st = cu_cuda_scratch_get(
            (size_t)(cu_cuda_view_size(&to) * cu_itemsize(to.dtype)), &made, s);
        if (!st) cu_cuda_view_dense(&to, made);
    }
    if (!st) st = transform(p, &from, &to, scale, s);
    if (!st && made) st = cu_cuda_copy_view(&to, out, s);
    cu_cuda_scratch_put(from.ptr, 0, s);
    cu_cuda_scratch_put(made, 0, s);
    return st;
}

/* Transform `in` into `out`, whose memory may be the same. */
static cu_status
run_pass(const pass *p, const cu_view *in, const cu_view *out, double scale,
         cu_stream *s)
{
    const cu_dtype t = input_type(p, out->dtype);
    cu_view from, to, copy;
    cu_fft_work w;
    cu_status st;

    move_axes(in, p, &from);
    move_axes(out, p, &to);
    if (scale != 1 && !cu_cuda_scales(out))
        return run_copied(p, &from, t, &to, scale, s);
    /* The transform back to real numbers overwrites its input. */
    if (p->kind != CUPRIC_FFT_C2R && in->dtype == t && describe(p, &from, &to, &w)) {
        return transform(p, &from, &to, scale, s);
    }
    if (!fits_copied(p, in, t, &to)) return run_copied(p, &from, t, &to, scale, s);
    st = cu_cuda_dense_copy(in, t, &copy, s);
    if (st) return st;
    move_axes(&copy, p, &from);
    st = transform(p, &from, &to, scale, s);
    cu_cuda_scratch_put(copy.ptr, 0, s);
    return st;
}

/* ---- passes ------------------------------------------------------------------------------- */

/* How many of the axes ending at `end` one pass can take: three that differ. */
static int
take_axes(const cu_fft *args, int end)
{
    int begin = end - 1;

    while (begin > 0 && end - begin < MAX_RANK) {
        for (int i = begin; i < end; i++) {
            if (args->axes[i] == args->axes[begin - 1]) return end - begin;
        }
        begin--;
    }
    return end - begin;
}

static int
make_passes(const cu_fft *args, pass *out)
{
    int n = 0;

    for (int end = args->naxes; end > 0; n++) {
        const int rank = take_axes(args, end);
        pass *p = &out[n];
        *p = (pass){.rank = rank,
                    .kind = CUPRIC_FFT_C2C,
                    .inverse = args->inverse,
                    .n_last = args->n_last};
        for (int i = 0; i < rank; i++) p->axes[i] = args->axes[end - rank + i];
        end -= rank;
    }
    /* Real to complex, the real side has the last axes and goes first; back, it is last
     * and the transform to real is always the inverse one, the other never. */
    out[0].kind = args->kind;
    if (args->kind == CUPRIC_FFT_C2R) {
        for (int i = 0; i < n / 2; i++) {
            const pass p = out[i];
            out[i] = out[n - 1 - i];
            out[n - 1 - i] = p;
        }
    }
    if (args->kind != CUPRIC_FFT_C2C) {
        for (int i = 0; i < n; i++) out[i].inverse = args->kind == CUPRIC_FFT_C2R;
    }
    return n;
}

/* Real numbers that do not lie side by side are copied to rows, see describe(), and a copy
 * back would cost as much again: 16 x 262144 float64 along the first axis on an H100, 98 us
 * with it and 59 without. Rows along the last axes are in C order. */
bool
cu_cuda_fft_by_rows(const cu_fft *args)
{
    return args->naxes <= MAX_RANK && cu_cuda_view_size(&args->in) > FEW;
}

/* Of dense rows, those that have to be converted, and those so short that a piece of half
 * a row is slow to copy. 2^22 numbers on an H100, us, by half of the terms and as complex
 * ones: uint8, rows of 8, 144 and 80, of 1024, 81 and 78; float64, rows of 8, 122 and 90, of
 * 16, both 87, of 1024, 66 and 87. */
bool
cu_cuda_fft_as_complex(const cu_fft *args)
{
    const int axis = args->axes[args->naxes - 1];
    const int64_t n = args->in.shape[axis];
    const cu_dtype real = is_wide(args->out.dtype) ? CUPRIC_FLOAT64 : CUPRIC_FLOAT32;

    if (args->naxes > 1 || n <= 2 ||
        args->in.strides[axis] != cu_itemsize(args->in.dtype)) {
        return false;
    }
    return n <= SHORT || args->in.dtype != real;
}

cu_status
cu_cuda_fft(const cu_fft *args, cu_stream *s)
{
    pass passes[CUPRIC_MAXDIMS];
    cu_view from = args->in, between = args->in;
    void *scratch = NULL; /* owned */
    int n;
    cu_status st = cu_cuda_context(s->ordinal);

    if (st || cu_cuda_view_size(&args->out) == 0) return st;
    if (args->naxes == 0) return cu_cuda_copy_view(&args->in, &args->out, s);
    n = make_passes(args, passes);
    if (args->kind == CUPRIC_FFT_C2R && n > 1) {
        /* The passes before the last keep the complex shape. */
        between.dtype = input_type(&passes[n - 1], args->out.dtype);
        st = cu_cuda_scratch_get(
            (size_t)(cu_cuda_view_size(&between) * cu_itemsize(between.dtype)),
            &scratch, s);
        if (st) return st;
        cu_cuda_view_dense(&between, scratch);
    } else {
        between = args->out;
    }
    for (int i = 0; i < n && !st; i++) {
        const bool last = i == n - 1;
        const cu_view *to = last ? &args->out : &between;
        st = run_pass(&passes[i], &from, to, last ? args->scale : 1, s);
        from = *to;
    }
    cu_cuda_scratch_put(scratch, 0, s);
    return st;
}
