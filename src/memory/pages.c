/* pages.c: reserving a range of addresses, and moving pages about in it. */
#include "memory/pages.h"

#include <string.h>
#include <sys/mman.h>

#include "env.h"

/* Addresses cost nothing, and spare ones mean fewer searches and chunks that can grow. Where
 * so many are not to be had, half as many are tried, as long as a pool could use them. */
#define RANGE_FACTOR 8       /* times the device's memory */
#define SPARE_MAX_UNITS 4096 /* units left free behind a chunk, at most */
#define PAGES_MIN 256        /* of a chunk, where that many of one unit fit */
#define SPAN_MAX 32          /* units of a page */

/* Of a page of n units the first has span n; `before` counts the units before this one. */
struct cu_slot {
    cu_page page;
    uint32_t span; /* 0: nothing is mapped */
    uint32_t before;
};

static void *
table_new(size_t nbytes)
{
    void *table = mmap(NULL, nbytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return table == MAP_FAILED ? NULL : table;
}

void
cu_pages_init(cu_pages *p, const cu_device *device)
{
    const cu_backend *backend = device->backend;
    const char *kind = cu_setting("CUPRIC_POOL");
    size_t unit, n, least;
    void *base = NULL;

    *p = (cu_pages){.device = device};
    if (!backend->page_unit || (kind && strcmp(kind, "plain") == 0)) return;
    unit = backend->page_unit(device->ordinal);
    if (unit == 0) return;
    least = device->info.total_bytes / unit;
    n = least * RANGE_FACTOR;
    while (n == 0 || backend->range_new(device->ordinal, n * unit, &base)) {
        n /= 2;
        if (n == 0 || n < least) return;
    }
    p->slot = table_new(n * sizeof *p->slot);
    if (!p->slot) {
        backend->range_free(device->ordinal, base, n * unit);
        return;
    }
    p->base = base;
    p->unit = unit;
    p->n = n;
}

void
cu_pages_release(cu_pages *p)
{
    if (!p->base) return;
    munmap(p->slot, p->n * sizeof *p->slot);
    p->device->backend->range_free(p->device->ordinal, p->base, p->n * p->unit);
    *p = (cu_pages){0};
}

static size_t
index_of(const cu_pages *p, const char *at)
{
    return (size_t)(at - p->base) / p->unit;
}

/* ---- free addresses ---------------------------------------------------------------- */

/* The first of n unmapped units in a row, from `begin` on and before `end`; or `end`. */
static size_t
find_row(const cu_pages *p, size_t begin, size_t end, size_t n)
{
    size_t row = 0;

    for (size_t i = begin; i < end; i++) {
        row = p->slot[i].span ? 0 : row + 1;
        if (row == n) return i + 1 - n;
    }
    return end;
}

char *
cu_pages_find(cu_pages *p, size_t n)
{
    size_t spare = n < SPARE_MAX_UNITS ? n : SPARE_MAX_UNITS;
    size_t at;

    at = find_row(p, p->cursor, p->n, n);
    if (at == p->n) {
        at = find_row(p, 0, p->n, n);
        if (at == p->n) return NULL;
    }
    /* A unit alone is a chunk of small blocks, which does not grow. */
    p->cursor = at + n + (n > 1 ? spare : 0);
    if (p->cursor > p->n) p->cursor = 0;
    return p->base + at * p->unit;
}

bool
cu_pages_is_vacant(const cu_pages *p, const char *at, size_t n)
{
    size_t first;

    if (!cu_pages_hold(p, at)) return false;
    first = index_of(p, at);
    return n <= p->n - first && find_row(p, first, first + n, n) == first;
}

char *
cu_pages_begin(const cu_pages *p, char *ptr, char *end)
{
    size_t i = index_of(p, ptr + p->unit - 1);
    char *at = p->base + i * p->unit;

    if (at >= end) return end;
    if (p->slot[i].before) at += (p->slot[i].span - p->slot[i].before) * p->unit;
    return at < end ? at : end;
}

size_t
cu_pages_whole(const cu_pages *p, char **at, const char *end, size_t max)
{
    char *begin = cu_pages_begin(p, *at, (char *)end);
    size_t n = 0;

    *at = begin;
    while (n < max) {
        size_t span;
        if (begin + n * p->unit >= end) break;
        span = p->slot[index_of(p, begin) + n].span;
        if (begin + (n + span) * p->unit > end) break;
        n += span;
    }
    return n;
}

/* ---- pages ------------------------------------------------------------------------- */

/* The units of the next page where n are wanted: a power of two. */
static size_t
next_span(size_t n, size_t whole)
{
    size_t span = 1;

    while (span * 2 <= whole / PAGES_MIN && span * 2 <= SPAN_MAX) span *= 2;
    while (span > n) span /= 2;
    return span;
}

static cu_status
map_one(cu_pages *p, char *at, const cu_piece *piece)
{
    const cu_device *d = p->device;
    cu_slot *slot = &p->slot[index_of(p, at)];
    cu_status st = d->backend->map(d->ordinal, at, piece->page, piece->span * p->unit);

    if (st) return st;
    for (size_t i = 0; i < piece->span; i++) {
        slot[i] = (cu_slot){piece->page, (uint32_t)piece->span, (uint32_t)i};
    }
    return CUPRIC_OK;
}

cu_status
cu_pages_grow(cu_pages *p, char *at, size_t n, size_t whole)
{
    const cu_device *d = p->device;
    size_t done = 0;
    cu_status st = CUPRIC_OK;

    while (done < n && !st) {
        cu_piece piece = {0, next_span(n - done, whole)};
        st = d->backend->page_new(d->ordinal, piece.span * p->unit, &piece.page);
        if (st) break;
        st = map_one(p, at + done * p->unit, &piece);
        if (st) {
            cu_pages_drop(p, 1, &piece);
        } else {
            done += piece.span;
        }
    }
    if (st && done) cu_pages_return(p, at, done);
    return st;
}

cu_status
cu_pages_map(cu_pages *p, char *at, size_t n, const cu_piece *pieces)
{
    size_t done = 0; /* units */

    for (size_t i = 0; i < n; i++) {
        cu_status st = map_one(p, at + done * p->unit, &pieces[i]);
        if (st) {
            cu_slot *slot = &p->slot[index_of(p, at)];
            if (done) p->device->backend->unmap(p->device->ordinal, at, done * p->unit);
            memset(slot, 0, done * sizeof *slot);
            return st;
        }
        done += pieces[i].span;
    }
    return CUPRIC_OK;
}

size_t
cu_pages_unmap(cu_pages *p, char *at, size_t n, cu_piece *pieces)
{
    cu_slot *slot = &p->slot[index_of(p, at)];
    size_t count = 0;

    p->device->backend->unmap(p->device->ordinal, at, n * p->unit);
    for (size_t i = 0; i < n; i += slot[i].span) {
        pieces[count++] = (cu_piece){slot[i].page, slot[i].span};
    }
    memset(slot, 0, n * sizeof *slot);
    return count;
}

void
cu_pages_drop(const cu_pages *p, size_t n, const cu_piece *pieces)
{
    const cu_device *d = p->device;

    for (size_t i = 0; i < n; i++) {
        d->backend->page_free(d->ordinal, pieces[i].page, pieces[i].span * p->unit);
    }
}

void
cu_pages_return(cu_pages *p, char *at, size_t n)
{
    const cu_device *d = p->device;
    cu_slot *slot = &p->slot[index_of(p, at)];

    d->backend->unmap(d->ordinal, at, n * p->unit);
    for (size_t i = 0; i < n; i += slot[i].span) {
        d->backend->page_free(d->ordinal, slot[i].page, slot[i].span * p->unit);
    }
    memset(slot, 0, n * sizeof *slot);
}
