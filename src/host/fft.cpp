/* host/fft.cpp: Fourier transforms, axis by axis, by the engine of fft_engine.hpp; rows
 * of an odd number of real points by the loops of NumPy's pocketfft, and what neither
 * takes by numpy.fft.
 */
#include <stdlib.h>

#include "host/entries.h"
#include "host/fft_lines.h"
#include "host/gufuncs.h"
#include "host/numpy.h"
#include "host/parallel.hpp"

namespace {

constexpr int64_t LONGEST = 1 << 22; /* NumPy's loop cannot say that it lacked memory */
constexpr int64_t UNIT = 1 << 14;    /* points worth a thread's waking */

/* Move `axis` of a view behind the others. */
cu_view
with_axis_last(const cu_view &v, int axis)
{
    cu_view r = v;

    for (int d = axis; d < v.ndim - 1; d++) {
        r.shape[d] = v.shape[d + 1];
        r.strides[d] = v.strides[d + 1];
    }
    r.shape[v.ndim - 1] = v.shape[axis];
    r.strides[v.ndim - 1] = v.strides[axis];
    return r;
}

/* Join the axes but the last that lie behind one another in both views: a loop plans its
 * transform anew each time that it is called. */
void
join(cu_view *a, cu_view *b)
{
    const int last = a->ndim - 1;
    int n = 0;

    for (int d = 0; d < last; d++) {
        if (n && a->strides[n - 1] == a->strides[d] * a->shape[d] &&
            b->strides[n - 1] == b->strides[d] * b->shape[d]) {
            a->shape[n - 1] *= a->shape[d];
            b->shape[n - 1] = a->shape[n - 1];
        } else {
            a->shape[n] = b->shape[n] = a->shape[d];
            n++;
        }
        a->strides[n - 1] = a->strides[d];
        b->strides[n - 1] = b->strides[d];
    }
    cu_view *const views[2] = {a, b};
    for (cu_view *v : views) {
        v->shape[n] = v->shape[last];
        v->strides[n] = v->strides[last];
        v->ndim = n + 1;
    }
}

cu_fft_engine *
engine()
{
#if defined(CUPRIC_HOST_CHOOSES)
    return cu_host_cpu_level() >= 3 ? cu_fft_engine_v3 : cu_fft_engine_base;
#else
    return cu_fft_engine_base;
#endif
}

/* Where the parts of both views can be read and written as they lie. */
bool
is_aligned(const cu_view &v)
{
    const int64_t size = cu_itemsize(v.dtype) / (v.dtype >= CUPRIC_COMPLEX64 ? 2 : 1);
    uint64_t bits = (uint64_t)(uintptr_t)v.ptr;
    for (int d = 0; d < v.ndim; d++) bits |= (uint64_t)v.strides[d];
    return bits % (uint64_t)size == 0;
}

/* Whether both are of the dtypes that a transform of one precision has. */
bool
types_suit(const cu_fft_lines &call, const cu_view &in, const cu_view &out)
{
    const cu_dtype real = call.single ? CUPRIC_FLOAT32 : CUPRIC_FLOAT64;
    const cu_dtype complex = call.single ? CUPRIC_COMPLEX64 : CUPRIC_COMPLEX128;
    return in.dtype == (call.kind == CU_FFT_FROM_REAL ? real : complex) &&
           out.dtype == (call.kind == CU_FFT_TO_REAL ? real : complex);
}

/* All rows of two views, the axis last, by the engine: along the longest of the other axes
 * at once, and one by one along the rest. */
bool
run_engine(cu_fft_lines *call, const cu_view &in, const cu_view &out)
{
    const int batch = in.ndim - 1;
    int64_t at[CUPRIC_MAXDIMS] = {0};
    int along = 0;

    call->in_step = in.strides[batch];
    call->out_step = out.strides[batch];
    call->in = in.ptr;
    call->out = out.ptr;
    call->rows = 1;
    for (int d = 1; d < batch; d++) {
        if (in.shape[d] > in.shape[along]) along = d;
    }
    if (batch) {
        call->rows = in.shape[along];
        call->in_row = in.strides[along];
        call->out_row = out.strides[along];
    }
    for (;;) {
        int d = batch - 1;
        if (!engine()(call)) return false;
        for (; d >= 0; d--) {
            if (d == along) continue;
            call->in += in.strides[d];
            call->out += out.strides[d];
            if (++at[d] < in.shape[d]) break;
            call->in -= in.strides[d] * in.shape[d];
            call->out -= out.strides[d] * out.shape[d];
            at[d] = 0;
        }
        if (d < 0) return true;
    }
}

/* Whether the engine has made the transform `which`. */
bool
try_engine(cu_gufunc which, const cu_view &in, const cu_view &out, double scale)
{
    const int last = in.ndim - 1;
    cu_fft_lines call = {};
    call.single = out.dtype == CUPRIC_COMPLEX64 || out.dtype == CUPRIC_FLOAT32;
    call.scale = scale;
    switch (which) {
    case CU_GUFUNC_FFT: call.kind = CU_FFT_COMPLEX; break;
    case CU_GUFUNC_IFFT: call.kind = CU_FFT_COMPLEX; break;
    case CU_GUFUNC_RFFT_EVEN: call.kind = CU_FFT_FROM_REAL; break;
    case CU_GUFUNC_IRFFT: call.kind = CU_FFT_TO_REAL; break;
    default: return false;
    }
    call.inverse = which == CU_GUFUNC_IFFT;
    call.n = which == CU_GUFUNC_RFFT_EVEN ? in.shape[last] : out.shape[last];
    if (call.kind != CU_FFT_COMPLEX) {
        const int64_t complex_points =
            which == CU_GUFUNC_IRFFT ? in.shape[last] : out.shape[last];
        if (call.n % 2 || complex_points != call.n / 2 + 1) return false;
    } else if (in.shape[last] != call.n) {
        return false;
    }
    return types_suit(call, in, out) && is_aligned(in) && is_aligned(out) &&
           run_engine(&call, in, out);
}

/* One axis, of all rows. */
bool
run_axis(cu_gufunc which, const cu_view &from, const cu_view &to, int axis,
         double scale)
{
    const bool is_long = from.shape[axis] > LONGEST || to.shape[axis] > LONGEST;
    const cu_dtype real = cu_itemsize(to.dtype) == 4 || to.dtype == CUPRIC_COMPLEX64
                              ? CUPRIC_FLOAT32
                              : CUPRIC_FLOAT64;
    const float single = (float)scale;
    cu_view in = with_axis_last(from, axis), out = with_axis_last(to, axis);
    int along = 0;
    bool done = true;

    join(&in, &out);
    if (try_engine(which, in, out, scale)) return true;
    if (is_long) return false;
    const int batch = in.ndim - 1;
    const int64_t length =
        in.shape[batch] > out.shape[batch] ? in.shape[batch] : out.shape[batch];
    for (int d = 1; d < batch; d++) {
        if (in.shape[d] > in.shape[along]) along = d;
    }
    parallel(batch ? in.shape[along] : 1, UNIT / length + 1,
             [&](int64_t begin, int64_t end) {
                 cu_view a = in, b = out, factor = {};
                 const cu_view *const operands[3] = {&a, &factor, &b};
                 factor.ptr = real == CUPRIC_FLOAT32 ? (char *)&single : (char *)&scale;
                 factor.dtype = real;
                 if (batch) {
                     a.ptr += begin * a.strides[along];
                     b.ptr += begin * b.strides[along];
                     a.shape[along] = b.shape[along] = end - begin;
                 }
                 if (cu_gufunc_run(which, batch, operands)) return;
                 __atomic_store_n(&done, false, __ATOMIC_RELAXED);
             });
    return done;
}

/* The length of the real side along axis number i of those transformed. */
int64_t
length_of(const cu_fft *args, int i)
{
    if (args->kind != CUPRIC_FFT_C2C && i == args->naxes - 1) return args->n_last;
    return args->out.shape[args->axes[i]];
}

/* The factor of each axis: as NumPy has it, each its own where all together are 1/n. */
struct scales {
    const cu_fft *args;
    bool each;

    explicit scales(const cu_fft *a) : args(a), each(true)
    {
        double points = 1;
        for (int i = 0; i < a->naxes; i++) points *= (double)length_of(a, i);
        each = a->scale == 1 / points;
    }

    double operator()(int i) const
    {
        if (each) return 1 / (double)length_of(args, i);
        return i == args->naxes - 1 ? args->scale : 1.0;
    }
};

/* A complex array of the view's shape in C order, in memory that is freed with it. */
struct temporary {
    cu_view v;

    explicit temporary(const cu_view &like) : v(like)
    {
        int64_t step = cu_itemsize(like.dtype);
        for (int d = like.ndim - 1; d >= 0; d--) {
            v.strides[d] = step;
            step *= like.shape[d];
        }
        v.ptr = (char *)malloc((size_t)step);
    }
    ~temporary() { free(v.ptr); }
    temporary(const temporary &) = delete;
    temporary &operator=(const temporary &) = delete;
};

bool
is_in_place(const cu_fft *args)
{
    return args->in.ptr == args->out.ptr;
}

/* Whether the engine takes all axes, unless memory is lacking. */
bool
engine_takes(const cu_fft *args)
{
    cu_fft_lines call = {};
    call.kind = CU_FFT_COMPLEX;
    call.single = args->out.dtype == CUPRIC_COMPLEX64;
    return types_suit(call, args->in, args->out) && is_aligned(args->in) &&
           is_aligned(args->out);
}

bool
run_complex(const cu_fft *args)
{
    const cu_gufunc which = args->inverse ? CU_GUFUNC_IFFT : CU_GUFUNC_FFT;
    const scales scale(args);
    const cu_view *from = &args->in;

    for (int i = args->naxes - 1; i >= 0; i--) {
        if (!run_axis(which, *from, args->out, args->axes[i], scale(i))) return false;
        from = &args->out;
    }
    return true;
}

bool
run_from_real(const cu_fft *args)
{
    const int last = args->naxes - 1;
    const cu_gufunc half = args->n_last % 2 ? CU_GUFUNC_RFFT_ODD : CU_GUFUNC_RFFT_EVEN;
    const scales scale(args);

    if (!run_axis(half, args->in, args->out, args->axes[last], scale(last)))
        return false;
    for (int i = last - 1; i >= 0; i--) {
        if (!run_axis(CU_GUFUNC_FFT, args->out, args->out, args->axes[i], scale(i)))
            return false;
    }
    return true;
}

bool
run_to_real(const cu_fft *args)
{
    const int last = args->naxes - 1, axis = args->axes[last];
    const scales scale(args);

    if (last == 0)
        return run_axis(CU_GUFUNC_IRFFT, args->in, args->out, axis, scale(0));
    const temporary between(args->in);
    if (between.v.ptr == NULL) return false;
    for (int i = 0; i < last; i++) {
        const cu_view &from = i ? between.v : args->in;
        if (!run_axis(CU_GUFUNC_IFFT, from, between.v, args->axes[i], scale(i)))
            return false;
    }
    return run_axis(CU_GUFUNC_IRFFT, between.v, args->out, axis, scale(last));
}

} // namespace

cu_status
cu_host_fft(const cu_fft *args, cu_stream *s)
{
    bool done = args->naxes > 0;

    (void)s;
    /* What has been transformed in part cannot be begun again. */
    if (is_in_place(args)) {
        if (!done || !engine_takes(args)) return cu_numpy_fft(args);
        if (run_complex(args)) return CUPRIC_OK;
        return cu_fail(CUPRIC_ERR_MEMORY,
                       "out of memory: Fourier transform in place, which is left "
                       "undone in part");
    }
    if (done) {
        switch ((int)args->kind) {
        case CUPRIC_FFT_C2C: done = run_complex(args); break;
        case CUPRIC_FFT_R2C: done = run_from_real(args); break;
        default: done = run_to_real(args);
        }
    }
    return done ? CUPRIC_OK : cu_numpy_fft(args);
}

pthread_mutex_t cu_fft_plans_lock = PTHREAD_MUTEX_INITIALIZER;

void
cu_fft_init(void)
{
    cu_host_services->fork_hold(&cu_fft_plans_lock);
}

/* Of complex numbers, the parts one after the other. */
cu_status
cu_host_dct(const cu_dct *args, cu_stream *s)
{
    cu_view in = with_axis_last(args->in, args->axis);
    cu_view out = with_axis_last(args->out, args->axis);
    const bool is_complex = in.dtype >= CUPRIC_COMPLEX64;
    cu_fft_lines call = {};

    (void)s;
    join(&in, &out);
    call.kind = args->sine ? CU_FFT_SINE : CU_FFT_COSINE;
    call.type = args->type;
    call.orthogonal = args->orthogonal;
    call.single = in.dtype == CUPRIC_FLOAT32 || in.dtype == CUPRIC_COMPLEX64;
    call.n = in.shape[in.ndim - 1];
    call.scale = args->scale;
    for (int part = 0; part < (is_complex ? 2 : 1); part++) {
        if (!run_engine(&call, in, out)) {
            return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: cosine transform");
        }
        in.ptr += call.single ? sizeof(float) : sizeof(double);
        out.ptr += call.single ? sizeof(float) : sizeof(double);
    }
    return CUPRIC_OK;
}
