/* memory/arena.h: the blocks of a pool, and who may use them. For pool.c and what it is
 * made of: block.c, chunk.c, arena.c, capture.c, exhausted.c.
 *
 * The backend's memory is taken in chunks, and a chunk is a row of blocks:
 *
 *     chunk:  [ live | cached | live | free ………… ]      block->prev, ->next: by address
 *
 * A block belongs to an arena, the memory that one stream may use at once. It is
 *   live    in use;
 *   pending given back, while other streams may still work on it: see use.c;
 *   cached  small and just freed: in its arena's bin of exactly that size, where the next
 *           request of the size finds it with one load and one store;
 *   free    in a list of its arena by size class, joined with its free neighbours.
 * Cached blocks are joined (they become free) only when memory is wanted that the lists do
 * not have. Small requests are cut from chunks of their own, 2 MiB each, so that they do
 * not pin large ones.
 *
 * Another stream may take an arena's memory when the arena's stream has no work pending,
 * or, when there is no other memory, behind an event that covers that work.
 *
 * While a stream is being captured into a graph it has private arenas, one in each pool it
 * allocates from. Their memory is the graph's: it is reused inside and by nobody else,
 * also after the capture, until the graph gives it up (capture.c). As no stream may be
 * asked meanwhile, it comes from the pool's idle arena, which is no stream's: what a
 * capture's begin finds at rest goes there, what graphs give up, and the rest of chunks
 * that captures needed. Any stream may take from it without asking.
 *
 * Invariants, under the lock: no two neighbours of one arena are both free; the blocks of
 * a chunk add up to it; used is the sum of the live blocks, total that of the chunks.
 */
#ifndef CUPRIC_MEMORY_ARENA_H
#define CUPRIC_MEMORY_ARENA_H

#include <pthread.h>
#include <stdint.h>

#include "memory/capture.h"
#include "memory/pages.h"
#include "memory/pool.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

#define UNIT ((size_t)CUPRIC_POOL_UNIT)
#define SMALL_MAX ((size_t)1 << 20)   /* the largest request that is called small */
#define SMALL_CHUNK ((size_t)2 << 20) /* what small requests are cut from */
#define N_BINS (SMALL_MAX / 512)
#define N_CLASSES 256 /* of free blocks: a power of two in four steps */

typedef struct cu_block cu_block;
typedef struct cu_chunk cu_chunk;
typedef struct cu_arena cu_arena;
typedef struct cu_use cu_use; /* use.c's: of a block by another stream */

typedef enum cu_block_state { LIVE, PENDING, CACHED, FREE } cu_block_state;

struct cu_block {
    cu_storage storage; /* first: a live block is handed out as its storage */
    cu_pool *pool;
    cu_arena *owner;
    cu_chunk *chunk;
    char *ptr;
    size_t size; /* bytes, a multiple of UNIT */
    cu_block_state state;
    bool fresh;                      /* no part of it was ever handed out */
    unsigned zone;                   /* bytes before what was asked for: see guard.c */
    cu_use *uses;                    /* owned: by other streams than the arena's */
    cu_block *prev, *next;           /* by address, in the chunk */
    cu_block *list_prev, *list_next; /* bin, pending (next only), class, spare */
};

struct cu_chunk {
    char *ptr;
    size_t nbytes;
    bool small;
    bool paged; /* made of pages, in the pool's range */
    cu_block *first, *last;
    cu_chunk *prev, *next;
};

struct cu_arena {
    /* Borrowed: the arena goes before the stream does. NULL: of idle memory, and of a
     * graph whose capture is over. */
    cu_stream *stream;
    cu_arena *next;
    cu_pool *pool;
    bool is_private;        /* a graph's: in no pool's list, see capture.c */
    cu_arena *capture_next; /* private arenas of one capture */
    uint64_t rested; /* pool->rest when its stream was last seen with nothing to do */
    size_t cached_bytes;
    cu_block *bin[N_BINS];            /* bin[i]: cached blocks of i + 1 units */
    cu_block *list[2][N_CLASSES];     /* free blocks, of large and of small chunks */
    uint64_t used[2][N_CLASSES / 64]; /* which lists are not empty */
};

struct cu_pool {
    pthread_mutex_t lock;
    cu_arena *recent; /* of the last allocation */
    cu_arena *arenas;
    cu_arena *idle; /* owned: free memory that no stream works on; NULL: none yet */
    size_t used;
    size_t total;
    size_t limit; /* 0: none */
    cu_device *device;
    cu_chunk *chunks;
    cu_use *uses;                     /* of all blocks */
    cu_block *pending, *pending_last; /* oldest first */
    cu_pages pages;
    bool asked_for_pages;
    uint64_t rest;   /* counts the times that arenas were asked; 0: all are at rest */
    cu_block *spare; /* block structs without memory */
    bool orphan;     /* given up by its owner: goes with its last block */
    bool deferred;   /* nothing is left of it, but a capture is going on */
    int n_private;   /* private arenas; keep the pool as live blocks do */
    cu_pool *next, *prev; /* in all_pools */
};

/* Whether the pool's memory is the host's, which we may poison. */
static inline bool
cu_pool_on_host(const cu_pool *pool)
{
    return cu_device_on_host(pool->device);
}

/* ---- block.c: the lists of free blocks ---- */

/* A block struct without memory, in no list; NULL without memory for it. */
cu_block *cu_block_new_locked(cu_pool *pool);
void cu_block_drop_locked(cu_pool *pool, cu_block *b);

/* Into and out of its arena's lists. No neighbour may be joinable. */
void cu_block_insert_locked(cu_block *b);
void cu_block_remove_locked(cu_block *b);

/* Enter a block, which is in no list, among the free ones. The free block it is now a part
 * of. */
cu_block *cu_block_join_locked(cu_pool *pool, cu_block *b);

/* Cut a block after `size` bytes. The rest, in no list, or NULL without memory for it. */
cu_block *cu_block_cut_locked(cu_pool *pool, cu_block *b, size_t size);

/* The part of a block in no list that serves a request; what is left over becomes free.
 * Without memory for the structs of the rest the whole is used. */
cu_block *cu_block_carve_locked(cu_pool *pool, cu_block *b, size_t size);

/* Make the arena's cached blocks free ones. */
void cu_arena_join_cached_locked(cu_pool *pool, cu_arena *a);

/* The free block of `a` to serve a request with, or NULL. `small`: of which chunks. */
cu_block *cu_arena_find_best_locked(const cu_arena *a, int small, size_t size);

/* Take it from the free blocks of `from` for `to`; NULL if there is none. */
cu_block *cu_arena_take_locked(cu_pool *pool, cu_arena *from, int small, size_t size,
                               cu_arena *to);

/* What a block is when it is given back: cached or free. */
static inline void
cu_block_enter_locked(cu_pool *pool, cu_block *b)
{
    if (CUPRIC_LIKELY(b->size <= SMALL_MAX)) {
        cu_block **bin = &b->owner->bin[b->size / UNIT - 1];
        b->state = CACHED;
        b->list_next = *bin;
        *bin = b;
        b->owner->cached_bytes += b->size;
    } else {
        cu_block_join_locked(pool, b);
    }
}

/* The first block in the arena's bin of a size, or NULL. */
static inline cu_block *
cu_arena_pop_locked(cu_arena *a, size_t size)
{
    cu_block *b = size <= SMALL_MAX ? a->bin[size / UNIT - 1] : NULL;

    if (!b) return NULL;
    a->bin[size / UNIT - 1] = b->list_next;
    a->cached_bytes -= size;
    return b;
}

/* ---- exhausted.c: the message that memory ran out ---- */

/* CUPRIC_ERR_MEMORY with the request, the use and what is free; or what the device says. */
cu_status cu_pool_exhausted(cu_pool *pool, size_t nbytes) __attribute__((cold));

/* ---- guard.c: red zones, for tests ---- */

/* Bytes before a request, and at least as many after it; 0: none, which is usual. */
extern _Atomic size_t cu_guard_zone;

static inline size_t
cu_guard_zone_of(const cu_pool *pool)
{
    const size_t zone = atomic_load_explicit(&cu_guard_zone, memory_order_relaxed);

    return CUPRIC_UNLIKELY(zone) && cu_pool_on_host(pool) ? zone : 0;
}

/* Fill the zones of a block that is handed out, and look at those of a live one. */
void cu_guard_lay_locked(cu_block *b);
void cu_guard_look_locked(cu_block *b);

/* ---- use.c: blocks that other streams use too ---- */

/* A block with uses is given back: true if it is pending now. */
bool cu_use_defer_locked(cu_pool *pool, cu_block *b);

/* Let go of pending blocks: of those whose events have happened, oldest first; of all,
 * behind their events on their own streams; of all, the device having been waited for. */
void cu_use_poll_locked(cu_pool *pool);
void cu_use_wait_locked(cu_pool *pool);
void cu_use_forget_locked(cu_pool *pool);

void cu_use_stream_ends_locked(cu_pool *pool, cu_stream *s);

/* ---- chunk.c: memory from the backend ---- */

/* Free, and no stream's work still uses it, as of the last look (pool->rest). */
bool cu_block_is_idle(const cu_block *b);

/* Hold at least nbytes more, one block of `a` in no list; NULL if they are not to be had. */
cu_block *cu_chunk_new_locked(cu_pool *pool, cu_arena *a, size_t nbytes, bool small);

/* The same by growing a chunk that ends in a free block of `a`. */
cu_block *cu_chunk_extend_locked(cu_pool *pool, cu_arena *a, size_t size);

/* The same from pages that lie idle: under free blocks of arenas that are at rest. */
cu_block *cu_chunk_remap_locked(cu_pool *pool, cu_arena *a, size_t nbytes);

/* Join neighbours that lie idle, whose they are. */
void cu_chunk_join_idle_locked(cu_pool *pool);

/* Give the backend what lies idle. */
void cu_chunk_return_plain_locked(cu_pool *pool);
void cu_chunk_return_pages_locked(cu_pool *pool);

/* ---- arena.c: whose memory it is ---- */

/* The arena of a stream, made when there is none; NULL without memory for it. The private
 * one while the stream is captured. */
cu_arena *cu_arena_find_locked(cu_pool *pool, cu_stream *s);

/* `size` bytes, a multiple of UNIT, when the arena's bin has none. NULL, with the pool fit
 * for use, when that takes waiting. */
cu_block *cu_arena_refill_locked(cu_pool *pool, cu_arena *a, size_t size);

/* The same by every means, when the device was waited for. NULL when no memory is left. */
cu_block *cu_arena_reclaim_locked(cu_pool *pool, cu_arena *a, size_t size);

/* Return what lies idle to the backend, when the device was waited for; with `all`, the
 * free memory of streams that have work again, too: the pool has no user any more. */
void cu_arena_trim_locked(cu_pool *pool, bool all);

/* A stream is about to end: its memory becomes the default stream's, after an event. */
void cu_arena_merge_locked(cu_pool *pool, cu_stream *s);

/* The arena that a stream has while it is not captured, made when there is none; NULL
 * without memory for it. */
cu_arena *cu_arena_of_locked(cu_pool *pool, cu_stream *s);
/* The same for what no stream works on. */
cu_arena *cu_arena_idle_locked(cu_pool *pool);

/* Ask the streams which of them have nothing to do, and make their free memory idle. */
void cu_arena_settle_locked(cu_pool *pool);

/* The capture of a private arena's stream is over: whoever uses its blocks from now on is
 * noted, that stream too. */
void cu_arena_forget_stream_locked(cu_pool *pool, cu_arena *a);

/* A private arena ends, and nothing runs on its memory, which becomes idle. */
void cu_arena_give_up_locked(cu_pool *pool, cu_arena *a);

/* pool.c's: do f(pool, arg) with each pool of a device (backend NULL: of all), its lock
 * held; and free a pool of which nothing is left in use. */
void cu_pool_for_each(const cu_backend *backend, int ordinal,
                      void (*f)(cu_pool *pool, void *arg), void *arg);
void cu_pool_destroy(cu_pool *pool);
void cu_pool_reap(void); /* those that a capture, now over, was in the way of */

/* capture.c's: whether any stream of the pool's device is being captured. Then no stream
 * may be asked or waited for and no memory returned: the pool only grows. */
bool cu_capture_is_active(const cu_pool *pool);
/* Whether a stream takes part in a capture. */
bool cu_capture_has(const cu_stream *s);
/* The private arena of `s`, made if need be; NULL when the stream is not captured. */
cu_status cu_capture_arena_locked(cu_pool *pool, cu_stream *s, cu_arena **out);

#endif
