/* guard.c: red zones around blocks of the host, which tests look at.
 *
 *     block:  [ zone | what the request is | zone, and what was rounded up ]
 *
 * A write outside what was asked for is to hit a zone, and not another array of which no
 * test reads every byte. Neighbours have two zones between them. A graph's memory has none
 * that are looked at: its launches go on writing to blocks that were freed meanwhile and
 * cut anew.
 */
#include <stdio.h>
#include <string.h>

#include "memory/arena.h"

#define PATTERN 0xA5

_Atomic size_t cu_guard_zone;

/* The first finding since somebody asked. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char finding[200];

bool
cu_pool_guard(bool on)
{
    return atomic_exchange(&cu_guard_zone, on ? UNIT : 0) != 0;
}

/* ---- one block ----------------------------------------------------------------------- */

static unsigned char *
behind(const cu_block *b)
{
    return (unsigned char *)b->ptr + b->zone + b->storage.nbytes;
}

static size_t
bytes_behind(const cu_block *b)
{
    return b->size - b->zone - b->storage.nbytes;
}

void
cu_guard_lay_locked(cu_block *b)
{
#if !defined(__SANITIZE_ADDRESS__) /* to which the zones are memory that nobody has */
    memset(b->ptr, PATTERN, b->zone);
    memset(behind(b), PATTERN, bytes_behind(b));
#else
    (void)behind, (void)bytes_behind, (void)b;
#endif
}

static void
report(const cu_block *b, const unsigned char *at)
{
    const unsigned char *begin = (unsigned char *)b->ptr + b->zone;
    const bool before = at < begin;
    const size_t distance = (size_t)(before ? begin - at : at - behind(b));

    pthread_mutex_lock(&lock);
    if (!finding[0]) {
        snprintf(finding, sizeof finding,
                 "a block of %zu bytes was written outside: at byte %zu %s",
                 b->storage.nbytes, before ? distance : distance + 1,
                 before ? "before its beginning" : "after its end");
        fprintf(stderr, "cupric: %s\n", finding);
    }
    pthread_mutex_unlock(&lock);
}

#if !defined(__SANITIZE_ADDRESS__)
static bool
look(const cu_block *b, const unsigned char *zone, size_t nbytes)
{
    for (size_t i = 0; i < nbytes; i++) {
        if (CUPRIC_UNLIKELY(zone[i] != PATTERN)) {
            report(b, zone + i);
            return false;
        }
    }
    return true;
}
#endif

void
cu_guard_look_locked(cu_block *b)
{
    if (b->owner->is_private || cu_storage_in_flight(b->pool->device)) return;
#if !defined(__SANITIZE_ADDRESS__)
    if (!look(b, (unsigned char *)b->ptr, b->zone) ||
        !look(b, behind(b), bytes_behind(b))) {
        cu_guard_lay_locked(b); /* told once */
    }
#else
    (void)report;
#endif
}

/* ---- all of them --------------------------------------------------------------------- */

static void
look_at_all(cu_pool *pool, void *unused)
{
    (void)unused;
    for (const cu_chunk *c = pool->chunks; c; c = c->next) {
        for (cu_block *b = c->first; b; b = b->next) {
            if (b->state == LIVE && b->zone) cu_guard_look_locked(b);
        }
    }
}

bool
cu_pool_guard_finding(char *out, size_t size)
{
    bool found;

    cu_pool_for_each(NULL, 0, look_at_all, NULL);
    pthread_mutex_lock(&lock);
    found = finding[0] != '\0';
    snprintf(out, size, "%s", finding);
    finding[0] = '\0';
    pthread_mutex_unlock(&lock);
    return found;
}
