/* block.c: cutting, joining and finding blocks. What they are is drawn in arena.h. */
#include <stdlib.h>
#include <string.h>

#include "memory/arena.h"

#define SCAN_MAX 128 /* blocks of a class that are looked at for the best fit */

/* ---- block structs ----------------------------------------------------------------- */

cu_block *
cu_block_new_locked(cu_pool *pool)
{
    cu_block *b = pool->spare;

    if (b) {
        pool->spare = b->list_next;
    } else {
        b = malloc(sizeof *b);
        if (!b) return NULL;
    }
    memset(b, 0, sizeof *b);
    b->pool = pool;
    b->storage.device = pool->device;
    b->storage.block = b;
    return b;
}

void
cu_block_drop_locked(cu_pool *pool, cu_block *b)
{
    b->list_next = pool->spare;
    pool->spare = b;
}

/* ---- the lists of free blocks ------------------------------------------------------ */

/* Classes grow by a quarter of a power of two: all sizes of one are within 25%. */
static int
class_of(size_t size)
{
    size_t units = size / UNIT;
    int log2 = 63 - __builtin_clzll((unsigned long long)units);

    if (log2 < 2) return (int)units;
    return log2 * 4 + (int)(units >> (log2 - 2) & 3);
}

void
cu_block_insert_locked(cu_block *b)
{
    cu_arena *a = b->owner;
    int small = b->chunk->small;
    int c = class_of(b->size);
    cu_block **head = &a->list[small][c];

    b->state = FREE;
    b->list_prev = NULL;
    b->list_next = *head;
    if (*head) (*head)->list_prev = b;
    *head = b;
    a->used[small][c / 64] |= (uint64_t)1 << (c % 64);
}

void
cu_block_remove_locked(cu_block *b)
{
    cu_arena *a = b->owner;
    int small = b->chunk->small;
    int c = class_of(b->size);

    if (b->list_next) b->list_next->list_prev = b->list_prev;
    if (b->list_prev) {
        b->list_prev->list_next = b->list_next;
    } else {
        a->list[small][c] = b->list_next;
        if (!b->list_next) a->used[small][c / 64] &= ~((uint64_t)1 << (c % 64));
    }
}

/* Append the next block by address, which is in no list, to `b`. */
static void
block_absorb_next_locked(cu_pool *pool, cu_block *b)
{
    cu_block *next = b->next;

    b->size += next->size;
    b->fresh = b->fresh && next->fresh;
    b->next = next->next;
    if (b->next) {
        b->next->prev = b;
    } else {
        b->chunk->last = b;
    }
    cu_block_drop_locked(pool, next);
}

static bool
joinable(const cu_block *b, const cu_block *neighbour)
{
    return neighbour && neighbour->state == FREE && neighbour->owner == b->owner;
}

cu_block *
cu_block_join_locked(cu_pool *pool, cu_block *b)
{
    if (joinable(b, b->next)) {
        cu_block_remove_locked(b->next);
        block_absorb_next_locked(pool, b);
    }
    if (joinable(b, b->prev)) {
        b = b->prev;
        cu_block_remove_locked(b);
        block_absorb_next_locked(pool, b);
    }
    cu_block_insert_locked(b);
    return b;
}

/* Make the arena's cached blocks free ones. */
void
cu_arena_join_cached_locked(cu_pool *pool, cu_arena *a)
{
    if (!a->cached_bytes) return;
    for (size_t i = 0; i < N_BINS; i++) {
        cu_block *b;
        while ((b = a->bin[i]) != NULL) {
            a->bin[i] = b->list_next;
            cu_block_join_locked(pool, b);
        }
    }
    a->cached_bytes = 0;
}

/* The first list from `c` on that is not empty, or -1. */
static int
find_list(const cu_arena *a, int small, int c)
{
    for (int word = c / 64; word < N_CLASSES / 64; word++) {
        uint64_t bits = a->used[small][word];
        if (word == c / 64) bits &= ~(uint64_t)0 << (c % 64);
        if (bits) return word * 64 + __builtin_ctzll(bits);
    }
    return -1;
}

/* Bytes to leave before a request in a block, so that the pages around it are whole and
 * can be moved away: a large one starts with a page, others lie in one unit. */
static size_t
before_page(const cu_block *b, size_t size)
{
    const cu_pages *pages = &b->pool->pages;
    size_t before;

    if (!b->chunk->paged) return 0;
    if (size < pages->unit) {
        before = (uintptr_t)b->ptr & (pages->unit - 1);
        return before + size <= pages->unit ? 0 : pages->unit - before;
    }
    before = (size_t)(cu_pages_begin(pages, b->ptr, b->ptr + b->size) - b->ptr);
    if (before > size / 8) before = -(uintptr_t)b->ptr & (pages->unit - 1);
    return before;
}

/* A block that serves a request worse the larger the result: those that it fits into only
 * off the page's beginning come last. */
static size_t
badness(const cu_block *b, size_t size)
{
    return b->size - size < before_page(b, size) ? SIZE_MAX : b->size;
}

cu_block *
cu_arena_find_best_locked(const cu_arena *a, int small, size_t size)
{
    cu_block *off_page = NULL;

    for (int c = find_list(a, small, class_of(size)); c >= 0;
         c = c + 1 < N_CLASSES ? find_list(a, small, c + 1) : -1) {
        cu_block *best = NULL;
        size_t least = SIZE_MAX;
        int seen = 0;
        for (cu_block *b = a->list[small][c]; b; b = b->list_next) {
            size_t bad;
            if (b->size < size) continue;
            bad = badness(b, size);
            if (bad == SIZE_MAX && !off_page) off_page = b;
            if (bad < least) {
                best = b;
                least = bad;
            }
            if (least == size || ++seen == SCAN_MAX) break;
        }
        if (best) return best;
    }
    return off_page;
}

/* Cut a block after `size` bytes. The rest, in no list, or NULL without memory for it. */
cu_block *
cu_block_cut_locked(cu_pool *pool, cu_block *b, size_t size)
{
    cu_block *rest = cu_block_new_locked(pool);

    if (!rest) return NULL;
    rest->owner = b->owner;
    rest->chunk = b->chunk;
    rest->ptr = b->ptr + size;
    rest->size = b->size - size;
    rest->fresh = b->fresh;
    rest->prev = b;
    rest->next = b->next;
    if (rest->next) {
        rest->next->prev = rest;
    } else {
        rest->chunk->last = rest;
    }
    b->next = rest;
    b->size = size;
    return rest;
}

cu_block *
cu_block_carve_locked(cu_pool *pool, cu_block *b, size_t size)
{
    size_t before = before_page(b, size);
    cu_block *rest;

    if (before && before <= b->size - size) {
        rest = cu_block_cut_locked(pool, b, before);
        if (rest) {
            cu_block_insert_locked(b);
            b = rest;
        }
    }
    if (b->size > size) {
        rest = cu_block_cut_locked(pool, b, size);
        if (rest) cu_block_insert_locked(rest);
    }
    b->fresh = false;
    return b;
}

cu_block *
cu_arena_take_locked(cu_pool *pool, cu_arena *from, int small, size_t size,
                     cu_arena *to)
{
    cu_block *b = cu_arena_find_best_locked(from, small, size);

    if (!b) return NULL;
    cu_block_remove_locked(b);
    b = cu_block_carve_locked(pool, b, size);
    b->owner = to;
    return b;
}
