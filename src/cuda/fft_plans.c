/* cuda/fft_plans.c: see fft_plans.h. */
#include "cuda/fft_plans.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/device.h"
#include "cuda/entries.h"
#include "cuda/graph.h"
#include "cuda/libraries.h"
#include "cuda/linear.h"
#include "cuda/services.h"

#define MAX_PLANS 256  /* of all devices */
#define USUAL_PLANS 32 /* of a device */

/* What is used of cufft.h, whose numbers do not change. */
enum { R2C = 0x2a, C2R = 0x2c, C2C = 0x29, D2Z = 0x6a, Z2D = 0x6c, Z2Z = 0x69 };
enum { FORWARD = -1, INVERSE = 1 };

static struct {
#define SYMBOL CUPRIC_SYMBOL_FIELD
#include "cuda/cufft.def"
#undef SYMBOL
} fft;

static const char *const entries[] = {
#define SYMBOL CUPRIC_SYMBOL_NAME
#include "cuda/cufft.def"
#undef SYMBOL
};
#define N_ENTRIES (sizeof entries / sizeof *entries)

/* What a plan is made for. The stream too: a plan has one work area. */
typedef struct plan_key {
    cu_fft_work work;
    int ordinal, type;
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
    cu_fft_work w = key->work; /* cuFFT's arguments are not const */
    CUstreamCaptureMode mode;
    size_t work = 0;
    int plan = 0, status;
    cu_status st = load_library();

    if (st) return st;
    /* It allocates. */
    mode = cu_cuda_capture_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
    status = fft.create(&plan);
    if (!status) {
        status =
            fft.make(plan, (int)w.rank, w.n, w.in.embed, w.in.step, w.in.row,
                     w.out.embed, w.out.step, w.out.row, key->type, w.batch, &work);
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

static int
type_of(const cu_fft_work *w)
{
    switch (w->kind) {
    case CUPRIC_FFT_R2C: return w->wide ? D2Z : R2C;
    case CUPRIC_FFT_C2R: return w->wide ? Z2D : C2R;
    default: return w->wide ? Z2Z : C2C;
    }
}

cu_status
cu_cuda_fft_run(const cu_fft_work *w, char *in, char *out, bool inverse, cu_stream *s)
{
    plan_key key;
    int plan = 0, status = 0;
    cu_status st;

    memset(&key, 0, sizeof key); /* keys are compared byte by byte */
    key.work = *w;
    key.ordinal = s->ordinal;
    key.type = type_of(w);
    key.stream = s->id;
    pthread_mutex_lock(&lock);
    st = plan_get(&key, s, &plan);
    for (int64_t i = 0; i < w->pieces && !st && !status; i++) {
        status = execute(plan, key.type, in + i * w->in_piece, out + i * w->out_piece,
                         inverse ? INVERSE : FORWARD);
    }
    if (!st) trim(key.ordinal, cache_of(key.ordinal)->max_plans);
    pthread_mutex_unlock(&lock);
    return st ? st : status ? fft_failed(status) : CUPRIC_OK;
}
