/* host/memory.c: memory of the host device, and copies.
 *
 * Large blocks are mappings of their own, aligned to and advised to use huge pages:
 * first touches cost a fault per 2 MiB rather than per 4 KiB, and the memory goes back to
 * the system when the pool frees the block. Small ones come from the C library.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "host/dense_copy.h"
#include "host/entries.h"
#include "host/past_caches.h"
#include "host/runner.h"
#include "host/threads.h"

#define ALIGNMENT 256
#define HUGE_PAGE ((size_t)2 << 20)
#define MAPPED_FROM ((size_t)4 << 20) /* bytes from which a block is a mapping */
/* Pieces of a parallel copy or fill. Below two of them one core fills the bus about as
 * well, and waking a thread costs more than it gives. */
#define COPY_GRAIN ((int64_t)1 << 20)

static size_t
round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Map whole huge pages, aligned: one more than needed, and the ends given back. */
static void *
map_huge(size_t nbytes)
{
    size_t used = round_up(nbytes, HUGE_PAGE);
    size_t mapped = used + HUGE_PAGE;
    char *base =
        mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t before;

    if (base == MAP_FAILED) return NULL;
    before = round_up((uintptr_t)base, HUGE_PAGE) - (uintptr_t)base;
    if (before) munmap(base, before);
    munmap(base + before + used, HUGE_PAGE - before);
    madvise(base + before, used, MADV_HUGEPAGE);
    return base + before;
}

void *
cu_host_scratch_new(size_t nbytes)
{
    return nbytes >= MAPPED_FROM
               ? map_huge(nbytes)
               : aligned_alloc(ALIGNMENT, round_up(nbytes, ALIGNMENT));
}

void
cu_host_scratch_free(void *ptr, size_t nbytes)
{
    if (ptr && nbytes >= MAPPED_FROM) {
        munmap(ptr, round_up(nbytes, HUGE_PAGE));
    } else {
        free(ptr);
    }
}

static cu_status
block_alloc(size_t nbytes, void **out)
{
    size_t total = cu_host_total_bytes();
    void *ptr;

    /* The system promises more than it has and kills who uses it; a device does not. */
    if (nbytes > total) {
        return cu_fail(CUPRIC_ERR_MEMORY,
                       "out of memory: %zu bytes asked for, the host device has %zu",
                       nbytes, total);
    }
    ptr = cu_host_scratch_new(nbytes);
    if (ptr == NULL) {
        return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: the system refused %zu bytes",
                       nbytes);
    }
    *out = ptr;
    return CUPRIC_OK;
}

/* What a call in flight may still write is kept for ever: that is better than to wait for
 * a kernel which may never end. Pools ask first, so that this hardly happens. */
static void
block_free(void *ptr, size_t nbytes)
{
    if (CUPRIC_UNLIKELY(cu_host_in_flight())) return;
    cu_host_scratch_free(ptr, nbytes);
}

cu_status
cu_host_alloc(int ordinal, size_t nbytes, void **out)
{
    (void)ordinal;
    return block_alloc(nbytes, out);
}

cu_status
cu_host_alloc_managed(int ordinal, size_t nbytes, void **out)
{
    return cu_host_alloc(ordinal, nbytes, out);
}

void
cu_host_free(int ordinal, void *ptr, size_t nbytes)
{
    (void)ordinal;
    block_free(ptr, nbytes);
}

/* ---- pages ----------------------------------------------------------------------------
 *
 * A page is a right to so much memory: what is mapped is anonymous memory, made when it is
 * first touched and given back to the system when it is unmapped, so that a child of fork
 * has its own, as of any other memory.
 */

static atomic_size_t page_bytes;

size_t
cu_host_page_unit(int ordinal)
{
    (void)ordinal;
    return HUGE_PAGE;
}

cu_status
cu_host_range_new(int ordinal, size_t nbytes, void **out)
{
    char *base = mmap(NULL, nbytes + HUGE_PAGE, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    size_t before;

    (void)ordinal;
    if (base == MAP_FAILED) {
        return cu_fail(CUPRIC_ERR_MEMORY, "the system refused %zu bytes of addresses",
                       nbytes);
    }
    before = round_up((uintptr_t)base, HUGE_PAGE) - (uintptr_t)base;
    if (before) munmap(base, before);
    munmap(base + before + nbytes, HUGE_PAGE - before);
    *out = base + before;
    return CUPRIC_OK;
}

void
cu_host_range_free(int ordinal, void *ptr, size_t nbytes)
{
    (void)ordinal;
    if (!cu_host_in_flight()) munmap(ptr, nbytes);
}

cu_status
cu_host_page_new(int ordinal, size_t nbytes, cu_page *out)
{
    size_t total = cu_host_total_bytes();

    (void)ordinal;
    if (atomic_fetch_add(&page_bytes, nbytes) + nbytes > total) {
        atomic_fetch_sub(&page_bytes, nbytes);
        return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: the host device has %zu",
                       total);
    }
    *out = 1;
    return CUPRIC_OK;
}

void
cu_host_page_free(int ordinal, cu_page page, size_t nbytes)
{
    (void)ordinal, (void)page;
    atomic_fetch_sub(&page_bytes, nbytes);
}

cu_status
cu_host_map(int ordinal, void *at, cu_page page, size_t nbytes)
{
    (void)ordinal, (void)page;
    if (mprotect(at, nbytes, PROT_READ | PROT_WRITE)) {
        return cu_fail(CUPRIC_ERR_MEMORY, "out of memory: the system refused %zu bytes",
                       nbytes);
    }
    madvise(at, nbytes, MADV_HUGEPAGE);
    return CUPRIC_OK;
}

void
cu_host_unmap(int ordinal, void *at, size_t nbytes)
{
    void *gone;

    (void)ordinal;
    if (CUPRIC_UNLIKELY(cu_host_in_flight())) return;
    gone = mmap(at, nbytes, PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    /* The system has no room for one mapping more: the memory at least goes back. */
    if (gone == MAP_FAILED) madvise(at, nbytes, MADV_DONTNEED);
}

/* No bus to cross: memory that is pinned elsewhere is ordinary here. */
cu_status
cu_host_alloc_pinned(size_t nbytes, void **out)
{
    return block_alloc(nbytes, out);
}

void
cu_host_free_pinned(void *ptr, size_t nbytes)
{
    block_free(ptr, nbytes);
}

typedef struct copy_job {
    char *dst;
    const char *src;
    bool past_caches;
} copy_job;

static void
copy_piece(void *arg, int64_t begin, int64_t end)
{
    const copy_job *job = arg;
    if (job->past_caches) {
        cu_copy_past_caches(job->dst + begin, job->src + begin, end - begin);
    } else {
        cu_dense_copy(job->dst + begin, job->src + begin, (size_t)(end - begin));
    }
}

static void
copy_bytes(void *dst, const void *src, size_t nbytes)
{
    int64_t n = (int64_t)nbytes;
    copy_job job = {dst, src, cu_host_past_caches(n, n)};
    uintptr_t d = (uintptr_t)dst, s = (uintptr_t)src;

    if (d < s + nbytes && s < d + nbytes) {
        memmove(dst, src, nbytes);
    } else {
        cu_host_parallel(n, COPY_GRAIN, copy_piece, &job);
    }
}

cu_status
cu_host_copy(void *dst, const void *src, size_t nbytes, cu_copy_kind kind, cu_stream *s)
{
    (void)kind, (void)s;
    copy_bytes(dst, src, nbytes);
    return CUPRIC_OK;
}

cu_status
cu_host_copy_peer(int dst_ordinal, void *dst, int src_ordinal, const void *src,
                  size_t nbytes, cu_stream *s)
{
    (void)dst_ordinal, (void)src_ordinal, (void)s;
    copy_bytes(dst, src, nbytes);
    return CUPRIC_OK;
}

typedef struct fill_job {
    char *dst;
    int byte;
} fill_job;

static void
fill_piece(void *arg, int64_t begin, int64_t end)
{
    const fill_job *job = arg;
    memset(job->dst + begin, job->byte, (size_t)(end - begin));
}

cu_status
cu_host_fill(void *dst, int byte, size_t nbytes, cu_stream *s)
{
    fill_job job = {dst, byte};

    (void)s;
    cu_host_parallel((int64_t)nbytes, COPY_GRAIN, fill_piece, &job);
    return CUPRIC_OK;
}
