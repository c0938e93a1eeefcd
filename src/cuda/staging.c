/* cuda/staging.c: large copies from and to ordinary memory. See staging.h. */
#include "cuda/staging.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "cuda/device.h"
#include "cuda/entries.h"

#define MAX_LANES 8
#define PIECE ((size_t)2 << 20) /* bytes of one half of a lane's buffer */

/* One thread's way: two halves of pinned memory, each with the event that frees it. */
typedef struct lane {
    char *half[2];
    CUevent done[2];
    int ordinal; /* of the events' device */
} lane;

typedef struct copy_job {
    char *device;
    char *host;
    size_t nbytes, next; /* next: first byte that nobody has taken; atomic */
    bool to_device;
    int ordinal;
    CUstream stream;
    CUresult result; /* the first failure; atomic */
} copy_job;

typedef struct work {
    copy_job *job;
    lane *lane;
    pthread_t thread;
} work;

static lane lanes[MAX_LANES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held during a copy */

static bool
take_piece(copy_job *job, size_t *begin, size_t *n)
{
    *begin = __atomic_fetch_add(&job->next, PIECE, __ATOMIC_RELAXED);
    if (*begin >= job->nbytes || __atomic_load_n(&job->result, __ATOMIC_RELAXED)) {
        return false;
    }
    *n = job->nbytes - *begin < PIECE ? job->nbytes - *begin : PIECE;
    return true;
}

static CUresult
send_pieces(copy_job *job, lane *l)
{
    size_t begin, n;
    CUresult r = CUDA_SUCCESS;

    for (int k = 0; !r && take_piece(job, &begin, &n); k ^= 1) {
        r = cu_drv()->EventSynchronize(l->done[k]);
        if (r) break;
        memcpy(l->half[k], job->host + begin, n);
        r = cu_drv()->MemcpyHtoDAsync(cu_cuda_ptr(job->device + begin), l->half[k], n,
                                      job->stream);
        if (!r) r = cu_drv()->EventRecord(l->done[k], job->stream);
    }
    return r;
}

static CUresult
receive_pieces(copy_job *job, lane *l)
{
    size_t begin[2], n[2] = {0, 0};
    CUresult r = CUDA_SUCCESS;
    int k = 0;
    bool more = true;

    /* Ask for a piece, then unpack the one before. */
    while (!r && (more || n[k ^ 1])) {
        n[k] = 0;
        more = more && take_piece(job, &begin[k], &n[k]);
        if (more) {
            r = cu_drv()->EventSynchronize(l->done[k]);
            if (!r) {
                r = cu_drv()->MemcpyDtoHAsync(
                    l->half[k], cu_cuda_ptr(job->device + begin[k]), n[k], job->stream);
            }
            if (!r) r = cu_drv()->EventRecord(l->done[k], job->stream);
        } else {
            n[k] = 0;
        }
        k ^= 1;
        if (!r && n[k]) {
            r = cu_drv()->EventSynchronize(l->done[k]);
            if (!r) memcpy(job->host + begin[k], l->half[k], n[k]);
            n[k] = 0;
        }
    }
    return r;
}

static void *
run_lane(void *arg)
{
    work *w = arg;
    copy_job *job = w->job;
    CUresult r, none = CUDA_SUCCESS;

    r = cu_drv()->CtxSetCurrent(cu_cuda_device_at(job->ordinal)->context);
    if (!r)
        r = job->to_device ? send_pieces(job, w->lane) : receive_pieces(job, w->lane);
    if (r) {
        __atomic_compare_exchange_n(&job->result, &none, r, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
    }
    return NULL;
}

/* ---- lanes --------------------------------------------------------------------------- */

static CUresult
make_lane(lane *l, int ordinal)
{
    void *buffer = NULL;
    CUresult r = CUDA_SUCCESS;

    if (l->half[0] && l->ordinal == ordinal) return CUDA_SUCCESS;
    if (!l->half[0]) {
        r = cu_drv()->MemHostAlloc(&buffer, 2 * PIECE, CU_MEMHOSTALLOC_PORTABLE);
        if (r) return r;
        l->half[0] = buffer;
        l->half[1] = l->half[0] + PIECE;
    }
    for (int k = 0; k < 2 && !r; k++) {
        if (l->done[k]) cu_drv()->EventDestroy(l->done[k]);
        l->done[k] = NULL;
        r = cu_drv()->EventCreate(&l->done[k], CU_EVENT_DISABLE_TIMING);
    }
    l->ordinal = r ? -1 : ordinal;
    return r;
}

/* How many lanes a copy of so many bytes pays for. */
static int
wanted_lanes(size_t nbytes)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t pieces = (nbytes + PIECE - 1) / PIECE;
    int n = cores < 2 ? 1 : cores / 2 < MAX_LANES ? (int)(cores / 2) : MAX_LANES;

    return pieces < (size_t)n ? (int)pieces : n;
}

static cu_status
run(copy_job *job)
{
    work works[MAX_LANES];
    int n = wanted_lanes(job->nbytes), started = 1;
    CUresult r = CUDA_SUCCESS;

    /* That stream is another in every thread. */
    if (job->stream == CU_STREAM_PER_THREAD) n = 1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n && !r; i++) {
        r = make_lane(&lanes[i], job->ordinal);
        if (r && i > 0) {
            n = i;
            r = CUDA_SUCCESS;
        }
    }
    if (!r) {
        for (int i = 0; i < n; i++) works[i] = (work){.job = job, .lane = &lanes[i]};
        for (; started < n; started++) {
            if (pthread_create(&works[started].thread, NULL, run_lane,
                               &works[started])) {
                break;
            }
        }
        run_lane(&works[0]);
        for (int i = 1; i < started; i++) pthread_join(works[i].thread, NULL);
        r = job->result;
    }
    pthread_mutex_unlock(&lock);
    return r ? cu_cuda_fail(r, "copying memory") : CUPRIC_OK;
}

cu_status
cu_cuda_staged_to_device(void *dst, const void *src, size_t nbytes, cu_stream *s)
{
    copy_job job = {.device = dst,
                    .host = (char *)src,
                    .nbytes = nbytes,
                    .to_device = true,
                    .ordinal = s->ordinal,
                    .stream = cu_cuda_stream(s)};

    return run(&job);
}

cu_status
cu_cuda_staged_to_host(void *dst, const void *src, size_t nbytes, cu_stream *s)
{
    copy_job job = {.device = (char *)src,
                    .host = dst,
                    .nbytes = nbytes,
                    .ordinal = s->ordinal,
                    .stream = cu_cuda_stream(s)};

    return run(&job);
}
