/* memory/pages.h: the addresses of a pool, and the physical pages behind them.
 *
 * A pool reserves more addresses than the device has memory. Pages are mapped where a
 * chunk is wanted, and taken from under free blocks to where a larger one is, so that
 * free memory is usable whatever lies between. For chunk.c, under the pool's lock.
 *
 *     base                                        base + n * unit
 *     | chunk      | chunk |            | chunk | ………………………… |
 *     | page | page| page  |            | page  |
 *
 * Making a page costs the same time whatever its size (45 µs on an H200), so large chunks
 * have large ones: a 256th of the request, from 2 to 64 MiB.
 */
#ifndef CUPRIC_MEMORY_PAGES_H
#define CUPRIC_MEMORY_PAGES_H

#include "device/device.h"
#include "status.h"

typedef struct cu_slot cu_slot; /* pages.c's: what is mapped in one unit */

/* A page by itself. */
typedef struct cu_piece {
    cu_page page;
    size_t span; /* units */
} cu_piece;

/* {0} is one without pages: cu_pages_init has not been called, or found none. */
typedef struct cu_pages {
    const cu_device *device; /* static */
    char *base;              /* owned: the range */
    size_t unit;             /* bytes; 0: there are no pages on this device */
    size_t n;                /* units that the range has room for */
    size_t cursor;           /* where the search for room begins */
    cu_slot *slot; /* owned: a mapping of its own, so that it costs what is used */
} cu_pages;

/* Reserve the range, where the device has pages and the settings do not say otherwise. */
void cu_pages_init(cu_pages *p, const cu_device *device);
void cu_pages_release(cu_pages *p); /* nothing is mapped any more */

static inline bool
cu_pages_hold(const cu_pages *p, const char *ptr)
{
    return p->base && ptr >= p->base && ptr < p->base + p->n * p->unit;
}

/* Where n units can be mapped in a row, with room behind them to grow if there is some;
 * NULL where there is no such place. */
char *cu_pages_find(cu_pages *p, size_t n);

/* Whether n units from `at` on, in the range or not, can be mapped. */
bool cu_pages_is_vacant(const cu_pages *p, const char *at, size_t n);

/* Where the first page begins from `ptr` on, which is in a chunk; `end` if none before. */
char *cu_pages_begin(const cu_pages *p, char *ptr, char *end);

/* Pages that lie whole in [*at, end): sets *at to the first of a row, and returns the
 * row's units: the fewest that are `max` or more, or all. */
size_t cu_pages_whole(const cu_pages *p, char **at, const char *end, size_t max);

/* Make pages of n units, as befits a request for `whole` units, and map them. All or none. */
cu_status cu_pages_grow(cu_pages *p, char *at, size_t n, size_t whole);

/* Unmap the pages of n units, whose work is done, into `pieces`; returns how many. */
size_t cu_pages_unmap(cu_pages *p, char *at, size_t n, cu_piece *pieces);

/* Map pieces in a row. On failure none of them is. */
cu_status cu_pages_map(cu_pages *p, char *at, size_t n, const cu_piece *pieces);
void cu_pages_drop(const cu_pages *p, size_t n, const cu_piece *pieces);

/* Unmap n units, whose work is done, and return their pages to the backend. */
void cu_pages_return(cu_pages *p, char *at, size_t n);

#endif
