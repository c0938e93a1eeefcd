/* memory/pool.h: device memory, reused in stream order. */
#ifndef CUPRIC_MEMORY_POOL_H
#define CUPRIC_MEMORY_POOL_H

#include <stddef.h>

#include "memory/storage.h"

#define CUPRIC_POOL_UNIT 512 /* sizes are rounded up to this many bytes */

typedef struct cu_pool cu_pool; /* opaque: the struct is in pool.c */

/* A pool on `device`; the caller owns *out. */
cu_status cu_pool_new(cu_device *device, cu_pool **out);

/* Give the pool up. What is free goes back to the backend at once, live blocks when
 * their last user is gone. NULL is fine. */
void cu_pool_free(cu_pool *pool);

/* The pool that serves arrays on `device`; borrowed, for ever. Made on first use, with
 * the limit that CUPRIC_MEMORY_LIMIT sets. */
cu_status cu_pool_default(cu_device *device, cu_pool **out);

/* At least `nbytes` > 0 bytes, usable on `s` at once; the caller owns *out. Any thread,
 * no GIL. Fails with CUPRIC_ERR_MEMORY, the pool fit for use. */
cu_status cu_pool_alloc(cu_pool *pool, size_t nbytes, cu_stream *s, cu_storage **out);

/* storage.c's: the last user of a pool's storage is gone. */
void cu_pool_return(cu_storage *storage);

/* The block that a pool's storage occupies, in bytes: nbytes rounded up. */
size_t cu_pool_block_bytes(const cu_storage *storage);

typedef struct cu_pool_stats {
    size_t used_bytes;    /* in live blocks, as rounded */
    size_t total_bytes;   /* held from the backend */
    size_t n_free_blocks; /* blocks given back and kept */
    size_t limit;         /* of total_bytes; 0: none */
} cu_pool_stats;

void cu_pool_get_stats(cu_pool *pool, cu_pool_stats *out);

/* No more than `limit` bytes from the backend from now on; 0: no limit. Fails with
 * CUPRIC_ERR_VALUE when it exceeds the device's memory. */
cu_status cu_pool_set_limit(cu_pool *pool, size_t limit);
/* The same as a fraction in [0, 1] of the device's memory. */
cu_status cu_pool_set_limit_fraction(cu_pool *pool, double fraction);

/* Return what is free to the backend, page by page or chunk by chunk. Waits for the
 * device when there is something to return. */
void cu_pool_trim(cu_pool *pool);
/* The same with every pool of a device: somebody else needs the memory. */
void cu_pool_trim_all(const cu_backend *backend, int ordinal);

/* What helps a pool that is short of memory, in a thread that wants some: calls wait(pool)
 * in a way that lets others go on and, when that was not enough (`thorough`), lets go of
 * garbage before. NULL: nothing; wait is called. */
typedef void cu_helper(cu_pool *pool, bool thorough, void (*wait)(cu_pool *pool));
void cu_pool_set_helper(cu_helper *f);

cu_device *cu_pool_device(const cu_pool *pool);

/* The device of the pool, any pool, that holds an address, or NULL. */
cu_device *cu_pool_find_device(const void *ptr);

/* For tests: whether blocks on the host that are handed out from now on have red zones
 * around them, which are looked at when a block is freed. What it was before. */
bool cu_pool_guard(bool on);

/* For tests: look at the zones of all blocks in use, and give the first finding since the
 * last call, which names the block's size. False: there is none. */
bool cu_pool_guard_finding(char *out, size_t size);

/* For tests: the n-th allocation from now, in any pool and thread, fails. 0: none.
 * Returns the previous count, 0 when it has struck. */
long cu_pool_fail_after(long n);

#endif
