/* cuda/fft.c: Fourier transforms by cuFFT.
 *
 * A pass transforms up to three axes at once, which cuFFT wants last and in C order:
 * operands that are not so are copied. More axes, and axes named twice, take passes one
 * after the other; the real side is the first pass forward and the last one back.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/graph.h"
#include "cuda/libraries.h"
#include "cuda/linear.h"
#include "cuda/memory.h"
#include "cuda/services.h"

#define MAX_RANK 3
#define MAX_PLANS 256  /* of all devices */
#define USUAL_PLANS 32 /* of a device */

/* What is used of cufft.h, whose numbers do not change. */
enum { R2C = 0x2a, C2R = 0x2c, C2C = 0x29, D2Z = 0x6a, Z2D = 0x6c, Z2Z = 0x69 };
enum { FORWARD = -1, INVERSE = 1 };

static struct {
    int (*create)(int *plan);
    int (*make)(int plan, int rank, long long *n, long long *inembed, long long istride,
                long long idist, long long *onembed, long long ostride, long long odist,
                int type, long long batch, size_t *work);
    int (*set_stream)(int plan, CUstream s);
    int (*destroy)(int plan);
    int (*c2c)(int plan, void *in, void *out, int direction);
    int (*r2c)(int plan, void *in, void *out);
    int (*c2r)(int plan, void *in, void *out);
    int (*z2z)(int plan, void *in, void *out, int direction);
    int (*d2z)(int plan, void *in, void *out);
    int (*z2d)(int plan, void *in, void *out);
} fft;

static const char *const entries[] = {
    "cufftCreate",  "cufftMakePlanMany64", "cufftSetStream", "cufftDestroy",
    "cufftExecC2C", "cufftExecR2C",        "cufftExecC2R",   "cufftExecZ2Z",
    "cufftExecD2Z", "cufftExecZ2D",
};
#define N_ENTRIES (sizeof entries / sizeof *entries)

/* What a plan is made for. The stream too: a plan has one work area. */
typedef struct plan_key {
    int ordinal, type, rank, unused;
    long long n[MAX_RANK], batch;
    uint64_t stream;
    uint64_t capture; /* the graph's plan; 0: nobody's */
} plan_key;

static struct {
    plan_key key;
    int plan;
    int64_t bytes; /* of its work area */
    uint64_t used; /* when last, 0: the place is free */
} plans[MAX_PLANS];
static int nplaces; /* those behind it were never used */
static struct {
    bool limited; /* else the limits are the usual ones */
    cu_fft_cache of;
} caches[CUPRIC_CUDA_MAXDEVICES];
static uint64_t clock_now;

/* A graph's plans, with their work areas, are the graph's own while it lives. */
typedef struct held_plan {
    plan_key key;
    int plan;
    struct held_plan *next;
} held_plan;

static held_plan *held; /* owned, each by its graph */
static bool loaded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held while work is queued */

static cu_status
fft_failed(int status)
{
    static const char *const names[] = {
        "CUFFT_SUCCESS",      "CUFFT_INVALID_PLAN",  "CUFFT_ALLOC_FAILED",
        "CUFFT_INVALID_TYPE", "CUFFT_INVALID_VALUE", "CUFFT_INTERNAL_ERROR",
        "CUFFT_EXEC_FAILED",  "CUFFT_SETUP_FAILED",  "CUFFT_INVALID_SIZE",
    };
    const int known = (int)(sizeof names / sizeof *names);

    return cu_fail(status == 2 ? CUPRIC_ERR_MEMORY : CUPRIC_ERR_DEVICE,
                   "%s (%d): a Fourier transform failed",
                   status >= 0 && status < known ? names[status] : "cuFFT", status);
}

/* With the lock held. */
static cu_status
load_library(void)
{
    void *slots[N_ENTRIES];
    cu_status st;

    if (loaded) return CUPRIC_OK;
    st = cu_cuda_library_table(CUPRIC_CUFFT, entries, slots, N_ENTRIES);
    if (st) return st;
    memcpy(&fft, slots, sizeof fft);
    loaded = true;
    return CUPRIC_OK;
}

static cu_fft_cache *
cache_of(int ordinal)
{
    cu_fft_cache *c = &caches[ordinal].of;

    if (!caches[ordinal].limited) {
        c->max_plans = USUAL_PLANS;
        c->max_bytes = -1;
        caches[ordinal].limited = true;
    }
    return c;
}

/* Place `i` becomes free; its plan is the caller's. */
static int
place_clear(int i)
{
    cu_fft_cache *c = cache_of(plans[i].key.ordinal);

    c->plans--;
    c->bytes -= plans[i].bytes;
    plans[i].used = 0;
    return plans[i].plan;
}

/* The place whose plan has not been used for longest; -1 if there is none. */
static int
oldest_of(int ordinal)
{
    int oldest = -1;

    for (int i = 0; i < nplaces; i++) {
        if (!plans[i].used || plans[i].key.ordinal != ordinal) continue;
        if (oldest < 0 || plans[i].used < plans[oldest].used) oldest = i;
    }
    return oldest;
}

/* Keep at most so many plans of a device, whose context is current, and what its limits
 * allow. */
static void
trim(int ordinal, int64_t max_plans)
{
    const cu_fft_cache *c = cache_of(ordinal);

    while (c->plans > 0 &&
           (c->plans > max_plans || (c->max_bytes >= 0 && c->bytes > c->max_bytes))) {
        fft.destroy(place_clear(oldest_of(ordinal)));
    }
}

static cu_status
plan_make(const plan_key *key, cu_stream *s, int *out, int64_t *bytes)
{
    CUstreamCaptureMode mode;
    long long n[MAX_RANK];
    size_t work = 0;
    int plan = 0, status;
    cu_status st = load_library();

    if (st) return st;
    memcpy(n, key->n, sizeof n);
    /* It allocates. */
    mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    status = fft.create(&plan);
    if (!status) {
        status = fft.make(plan, key->rank, n, NULL, 1, 0, NULL, 1, 0, key->type,
                          key->batch, &work);
        if (!status) status = fft.set_stream(plan, cu_cuda_stream(s));
        if (status) fft.destroy(plan);
    }
    cu_cuda_capture_mode(mode);
    if (status) return fft_failed(status);
    *out = plan;
    *bytes = (int64_t)work;
    return CUPRIC_OK;
}

/* The graph is gone. */
static void
held_release(void *arg)
{
    held_plan *h = arg, **link;
    CUstreamCaptureMode mode;

    pthread_mutex_lock(&lock);
    for (link = &held; *link != h;) link = &(*link)->next;
    *link = h->next;
    pthread_mutex_unlock(&lock);
    mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    fft.destroy(h->plan);
    cu_cuda_capture_mode(mode);
    free(h);
}

/* Take the plan for `key` from the table; false if there is none. */
static bool
table_take(const plan_key *key, int *out)
{
    for (int i = 0; i < nplaces; i++) {
        if (!plans[i].used || memcmp(&plans[i].key, key, sizeof *key) != 0) continue;
        *out = place_clear(i);
        return true;
    }
    return false;
}

/* Making a plan, and cuFFT's own beginning, use the default stream, which a capture of a
 * blocking stream forbids: it is refused before anything of cuFFT's is called. What the
 * driver knows of a stream of somebody else's cannot be asked: to ask ends the capture. */
static cu_status
make_for_capture(const plan_key *key, cu_stream *s, int *out)
{
    int64_t bytes;

    if (table_take(key, out)) return CUPRIC_OK;
    if (!(s->flags & (CUPRIC_STREAM_NON_BLOCKING | CUPRIC_STREAM_EXTERNAL))) {
        return cu_cuda_capture_refused(
            "a Fourier transform of a new shape on a blocking stream: call it once "
            "before, or use Stream(non_blocking=True)");
    }
    return plan_make(key, s, out, &bytes);
}

static cu_status
plan_for_capture(const plan_key *key, cu_stream *s, int *out)
{
    plan_key mine = *key;
    held_plan *h;
    cu_status st = cu_cuda_capture_id(s, &mine.capture);

    if (st) return st;
    for (h = held; h; h = h->next) {
        if (memcmp(&h->key, &mine, sizeof mine) == 0) break;
    }
    if (!h) {
        h = malloc(sizeof *h);
        if (!h) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a Fourier transform");
        st = make_for_capture(key, s, &h->plan);
        if (!st) {
            st = cu_cuda_capture_keep(cu_cuda_stream(s), h, held_release);
            if (st) fft.destroy(h->plan);
        }
        if (st) {
            free(h);
            return st;
        }
        h->key = mine;
        h->next = held;
        held = h;
    }
    *out = h->plan;
    return CUPRIC_OK;
}

/* A place for a plan of a device, whose context is current again afterwards. */
static cu_status
place_take(int ordinal, int *out)
{
    cu_status st = CUPRIC_OK;
    int oldest = 0;

    trim(ordinal,
         cache_of(ordinal)->max_plans > 1 ? cache_of(ordinal)->max_plans - 1 : 0);
    for (int i = 0; i < MAX_PLANS; i++) {
        if (!plans[i].used) {
            if (i >= nplaces) nplaces = i + 1;
            *out = i;
            return CUPRIC_OK;
        }
        if (plans[i].used < plans[oldest].used) oldest = i;
    }
    st = cu_cuda_context(plans[oldest].key.ordinal);
    if (!st) fft.destroy(place_clear(oldest));
    *out = oldest;
    return st ? st : cu_cuda_context(ordinal);
}

/* With the lock held. */
static cu_status
plan_get(const plan_key *key, cu_stream *s, int *out)
{
    cu_fft_cache *c = cache_of(key->ordinal);
    int64_t bytes = 0;
    int place = 0;
    cu_status st;

    if (cu_cuda_is_captured(cu_cuda_stream(s))) return plan_for_capture(key, s, out);
    for (int i = 0; i < nplaces; i++) {
        if (plans[i].used && memcmp(&plans[i].key, key, sizeof *key) == 0) {
            plans[i].used = ++clock_now;
            *out = plans[i].plan;
            return CUPRIC_OK;
        }
    }
    st = place_take(key->ordinal, &place);
    if (st) return st;
    st = plan_make(key, s, &plans[place].plan, &bytes);
    if (st == CUPRIC_ERR_MEMORY) {
        cu_cuda_services->free_memory(s->backend, s->ordinal);
        st = plan_make(key, s, &plans[place].plan, &bytes);
    }
    if (st) return st;
    plans[place].key = *key;
    plans[place].bytes = bytes;
    plans[place].used = ++clock_now;
    c->plans++;
    c->bytes += bytes;
    *out = plans[place].plan;
    return CUPRIC_OK;
}

void
cu_cuda_fft_drop_plans(int ordinal)
{
    pthread_mutex_lock(&lock);
    trim(ordinal, 0);
    pthread_mutex_unlock(&lock);
}

cu_status
cu_cuda_fft_cache(int ordinal, const cu_fft_cache *limits, cu_fft_cache *out)
{
    cu_status st = CUPRIC_OK;
    cu_fft_cache *c;

    pthread_mutex_lock(&lock);
    c = cache_of(ordinal);
    if (limits && limits->max_plans > MAX_PLANS) {
        st = cu_fail(CUPRIC_ERR_VALUE, "at most %d plans can be kept, not %lld",
                     MAX_PLANS, (long long)limits->max_plans);
    }
    if (!st && limits) {
        c->max_plans = limits->max_plans;
        c->max_bytes = limits->max_bytes;
        if (c->plans > 0) st = cu_cuda_context(ordinal);
        if (!st) trim(ordinal, c->max_plans);
    }
    *out = *c;
    pthread_mutex_unlock(&lock);
    return st;
}

static int
execute(int plan, int type, void *in, void *out, int direction)
{
    switch (type) {
    case C2C: return fft.c2c(plan, in, out, direction);
    case Z2Z: return fft.z2z(plan, in, out, direction);
    case R2C: return fft.r2c(plan, in, out);
    case D2Z: return fft.d2z(plan, in, out);
    case C2R: return fft.c2r(plan, in, out);
    default: return fft.z2d(plan, in, out);
    }
}

/* ---- one pass ---------------------------------------------------------------------------- */

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

static int
type_of(cu_fft_kind kind, bool wide)
{
    switch (kind) {
    case CUPRIC_FFT_R2C: return wide ? D2Z : R2C;
    case CUPRIC_FFT_C2R: return wide ? Z2D : C2R;
    default: return wide ? Z2Z : C2C;
    }
}

/* Dense operands with the axes last. */
static cu_status
transform_dense(const pass *p, const cu_view *in, const cu_view *out, cu_stream *s)
{
    const bool wide = cu_itemsize(in->dtype) == (p->kind == CUPRIC_FFT_R2C ? 8 : 16);
    plan_key key;
    int plan = 0, status = 0;
    cu_status st;

    memset(&key, 0, sizeof key);
    key.ordinal = s->ordinal;
    key.type = type_of(p->kind, wide);
    key.rank = p->rank;
    key.batch = 1;
    key.stream = s->id;
    for (int d = 0; d < in->ndim - p->rank; d++) key.batch *= in->shape[d];
    for (int i = 0; i < p->rank; i++) key.n[i] = in->shape[in->ndim - p->rank + i];
    if (p->kind != CUPRIC_FFT_C2C) key.n[p->rank - 1] = p->n_last;
    pthread_mutex_lock(&lock);
    st = plan_get(&key, s, &plan);
    if (!st) {
        status =
            execute(plan, key.type, in->ptr, out->ptr, p->inverse ? INVERSE : FORWARD);
        trim(key.ordinal, cache_of(key.ordinal)->max_plans);
    }
    pthread_mutex_unlock(&lock);
    return st ? st : status ? fft_failed(status) : CUPRIC_OK;
}

/* The dtypes that cuFFT takes and gives for outputs of some type. */
static cu_dtype
input_type(const pass *p, cu_dtype out)
{
    const bool wide = out == CUPRIC_COMPLEX128 || out == CUPRIC_FLOAT64;

    if (p->kind == CUPRIC_FFT_R2C) return wide ? CUPRIC_FLOAT64 : CUPRIC_FLOAT32;
    return wide ? CUPRIC_COMPLEX128 : CUPRIC_COMPLEX64;
}

/* Whether cuFFT takes it as it lies: dense, and real numbers, too, where complex ones may
 * begin. */
static bool
takes(const cu_view *v, cu_dtype numbers)
{
    return cu_cuda_is_dense(v) && (uintptr_t)v->ptr % (size_t)cu_itemsize(numbers) == 0;
}

/* Transform `in` into `out`, whose memory may be the same. */
static cu_status
run_pass(const pass *p, const cu_view *in, const cu_view *out, double scale,
         cu_stream *s)
{
    cu_view from, to, target;
    const cu_dtype t = input_type(p, out->dtype);
    const bool is_real = p->kind == CUPRIC_FFT_C2R;
    const bool wide = cu_itemsize(t) == (p->kind == CUPRIC_FFT_R2C ? 8 : 16);
    const cu_dtype numbers = wide ? CUPRIC_COMPLEX128 : CUPRIC_COMPLEX64;
    void *copied = NULL, *made = NULL; /* owned */
    cu_status st = CUPRIC_OK;

    move_axes(in, p, &from);
    move_axes(out, p, &target);
    /* The transform back to real numbers overwrites its input. */
    if (is_real || from.dtype != t || !takes(&from, numbers)) {
        cu_view dense;
        st = cu_cuda_dense_copy(&from, t, &dense, s);
        if (st) return st;
        from = dense;
        copied = dense.ptr;
    }
    to = target;
    if (!takes(&target, numbers)) {
        st = cu_cuda_scratch_get(
            (size_t)(cu_cuda_view_size(&to) * cu_itemsize(to.dtype)), &made, s);
        if (!st) cu_cuda_view_dense(&to, made);
    }
    if (!st) st = transform_dense(p, &from, &to, s);
    if (!st && scale != 1) {
        st = cu_cuda_scale(to.ptr, wide ? CUPRIC_FLOAT64 : CUPRIC_FLOAT32,
                           cu_cuda_view_size(&to) * (is_real ? 1 : 2), scale, s);
    }
    if (!st && made) st = cu_cuda_copy_view(&to, &target, s);
    cu_cuda_scratch_put(copied, 0, s);
    cu_cuda_scratch_put(made, 0, s);
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
