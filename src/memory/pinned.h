/* memory/pinned.h: host memory that devices can reach, reused. */
#ifndef CUPRIC_MEMORY_PINNED_H
#define CUPRIC_MEMORY_PINNED_H

#include <stddef.h>

#include "device/device.h"
#include "status.h"

typedef struct cu_pinned_pool cu_pinned_pool; /* opaque: the struct is in pinned.c */

/* Host memory: of a pool when `pool` is set, else of its own. */
typedef struct cu_pinned {
    const cu_backend *backend; /* static */
    void *ptr;
    size_t nbytes;        /* asked for */
    size_t size;          /* held */
    cu_pinned_pool *pool; /* holds a reference */
    void *owner;          /* what the pool's source gave, NULL: the backend's memory */
    struct cu_pinned *next; /* private */
} cu_pinned;

/* Where a pool takes memory from in the backend's place. No lock is held at the calls. */
typedef struct cu_pinned_source {
    /* `size` bytes at *ptr until `give(*owner)`. Called once more, when the pool has
     * returned what is free, after it failed with CUPRIC_ERR_MEMORY. */
    cu_status (*take)(void *arg, size_t size, void **ptr, void **owner);
    void (*give)(void *owner);
    void *arg; /* borrowed: must last for as long as memory is asked of the pool */
} cu_pinned_source;

/* A NULL `source` is the backend. The caller owns *out, one reference. */
cu_status cu_pinned_pool_new(const cu_pinned_source *source, cu_pinned_pool **out);
void cu_pinned_pool_unref(cu_pinned_pool *pool); /* NULL is fine */

/* nbytes (0 is fine) that devices of `backend` reach; a NULL pool allocates afresh. The
 * caller owns *out. Any thread, no GIL. */
cu_status cu_pinned_alloc(cu_pinned_pool *pool, const cu_backend *backend,
                          size_t nbytes, cu_pinned **out);
/* Back to where it came from. NULL is fine. No copy may still use it. */
void cu_pinned_free(cu_pinned *block);

size_t cu_pinned_pool_n_free(cu_pinned_pool *pool);
void cu_pinned_pool_trim(cu_pinned_pool *pool); /* free blocks go back */

#endif
