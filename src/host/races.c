/* host/races.c: see races.h.
 *
 * A cell for each byte has its last write and two reads by different threads, each with
 * the count of barriers (`epoch`) and the thread's own count of convergences (its clock).
 * Within an epoch a thread knows of another of its warp up to `known[self][other]`: a vector
 * clock. Of writes over writes only those count that change the bytes, which shows when the
 * write has been made, at the next access or wait.
 */
#include "host/races.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

#define THREADS 1024
#define NOBODY 0xffffu
#define LONGEST 64 /* bytes of an access whose values are compared */

typedef struct mark {
    uint16_t thread;
    uint8_t kind;
    uint32_t clock;
    const void *at;
} mark;

typedef struct cell {
    uint32_t epoch;
    mark write, reads[2];
} cell;

typedef struct memory {
    const char *begin;
    size_t nbytes;
    cell *cells; /* owned */
    size_t room; /* of cells */
} memory;

struct cu_races {
    uint32_t epoch;
    memory parts[2]; /* variables, dynamic */
    uint32_t known[THREADS][CUPRIC_WARP_SIZE];
    bool is_pending; /* a write over another's: `race` if it changes `before` */
    cu_race race;
    const char *pending_at;
    size_t pending_nbytes;
    char before[LONGEST];
};

static bool wanted; /* written when the device is loaded */

void
cu_host_races_configure(const char *setting)
{
    wanted = setting && strcmp(setting, "races") == 0;
}

bool
cu_host_races_wanted(void)
{
    return wanted;
}

cu_races *
cu_races_new(void)
{
    return calloc(1, sizeof(cu_races));
}

void
cu_races_free(cu_races *r)
{
    if (!r) return;
    free(r->parts[0].cells);
    free(r->parts[1].cells);
    free(r);
}

/* Where there is no memory for cells, the part is not looked at. */
static void
memory_set(memory *m, const void *begin, size_t nbytes)
{
    if (nbytes > m->room) {
        free(m->cells);
        m->cells = calloc(nbytes, sizeof *m->cells);
        m->room = m->cells ? nbytes : 0;
    }
    m->begin = begin;
    m->nbytes = m->cells ? nbytes : 0;
}

void
cu_races_begin(cu_races *r, const void *variables, size_t nvariables,
               const void *dynamic, size_t ndynamic)
{
    memory_set(&r->parts[0], variables, nvariables);
    memory_set(&r->parts[1], dynamic, ndynamic);
    cu_races_barrier(r);
    memset(r->known, 0, sizeof r->known);
    for (int t = 0; t < THREADS; t++) r->known[t][t % CUPRIC_WARP_SIZE] = 1;
}

void
cu_races_barrier(cu_races *r)
{
    r->epoch++;
}

void
cu_races_converge(cu_races *r, int warp, unsigned members)
{
    uint32_t(*const known)[CUPRIC_WARP_SIZE] = &r->known[warp * CUPRIC_WARP_SIZE];
    uint32_t all[CUPRIC_WARP_SIZE] = {0};

    for (int i = 0; i < CUPRIC_WARP_SIZE; i++) {
        for (int j = 0; members >> i & 1 && j < CUPRIC_WARP_SIZE; j++) {
            if (known[i][j] > all[j]) all[j] = known[i][j];
        }
    }
    for (int i = 0; i < CUPRIC_WARP_SIZE; i++) {
        if (!(members >> i & 1)) continue;
        memcpy(known[i], all, sizeof all);
        known[i][i]++;
    }
}

/* Whether what `m` says came before what `thread` does now. */
static bool
is_before(const cu_races *r, const mark *m, int thread)
{
    if (m->thread == NOBODY || m->thread == thread) return true;
    if (m->thread / CUPRIC_WARP_SIZE != thread / CUPRIC_WARP_SIZE) return false;
    return r->known[thread][m->thread % CUPRIC_WARP_SIZE] >= m->clock;
}

/* The access that this one meets, or NULL. */
static const mark *
find_conflict(const cu_races *r, const cell *c, const mark *now)
{
    const bool writes = now->kind != CUPRIC_ACCESS_READ;

    if (!is_before(r, &c->write, now->thread) &&
        !(c->write.kind == CUPRIC_ACCESS_ATOMIC && now->kind == CUPRIC_ACCESS_ATOMIC)) {
        return &c->write;
    }
    for (int k = 0; k < 2 && writes; k++) {
        if (!is_before(r, &c->reads[k], now->thread)) return &c->reads[k];
    }
    return NULL;
}

static void
note_access(cell *c, const mark *now)
{
    if (now->kind != CUPRIC_ACCESS_READ) {
        c->write = *now;
    } else if (c->reads[0].thread == NOBODY || c->reads[0].thread == now->thread) {
        c->reads[0] = *now;
    } else {
        c->reads[1] = *now;
    }
}

static cell *
fresh(cell *c, uint32_t epoch)
{
    if (c->epoch == epoch) return c;
    c->epoch = epoch;
    c->write.thread = c->reads[0].thread = c->reads[1].thread = NOBODY;
    return c;
}

bool
cu_races_settle(cu_races *r, cu_race *out)
{
    if (CUPRIC_LIKELY(!r->is_pending)) return false;
    r->is_pending = false;
    if (!memcmp(r->before, r->pending_at, r->pending_nbytes)) return false;
    *out = r->race;
    return true;
}

/* A write over a write is judged when it has been made. */
static bool
is_race_now(cu_races *r, const cu_race *race, const char *p, size_t nbytes)
{
    const bool both_write = race->first.kind == CUPRIC_ACCESS_WRITE &&
                            race->second.kind == CUPRIC_ACCESS_WRITE;

    if (!both_write || nbytes > LONGEST) return true;
    r->is_pending = true;
    r->race = *race;
    r->pending_at = p;
    r->pending_nbytes = nbytes;
    memcpy(r->before, p, nbytes);
    return false;
}

bool
cu_races_access(cu_races *r, int thread, const void *p, size_t nbytes,
                cupric_access kind, const void *at, cu_race *out)
{
    const mark now = {(uint16_t)thread, (uint8_t)kind,
                      r->known[thread][thread % CUPRIC_WARP_SIZE], at};
    bool is_race = cu_races_settle(r, out);

    for (int k = 0; k < 2 && !is_race; k++) {
        const memory *const m = &r->parts[k];
        const size_t offset = (size_t)((const char *)p - m->begin);
        cu_race race = {.found = true, .is_dynamic = k, .offset = offset};
        if (offset >= m->nbytes || nbytes > m->nbytes - offset) continue;
        for (size_t i = 0; i < nbytes; i++) {
            cell *const c = fresh(&m->cells[offset + i], r->epoch);
            const mark *const other = race.second.at ? NULL : find_conflict(r, c, &now);
            if (other) {
                race.first = (cu_race_side){other->thread, other->kind, other->at};
                race.second = (cu_race_side){thread, kind, at};
            }
            note_access(c, &now);
        }
        if (race.second.at) is_race = is_race_now(r, &race, p, nbytes);
        if (is_race) *out = race;
        break;
    }
    return is_race;
}
