/* host/cuda_waits.c: which functions of a source make threads wait for each other.
 *
 * A function waits that has the words, or names one that waits. What stands outside of
 * functions, in a class, a macro or a table of pointers, may be used by any. Headers that
 * come with the package are not read here: the words are those of their functions, too.
 */
#include <stdlib.h>
#include <string.h>

#include "host/cuda_source.h"

#define N(array) ((int)(sizeof(array) / sizeof *(array)))

static bool
makes_wait(const cu_token *t)
{
    static const char *const words[] = {
        "__syncwarp",   "__ballot_sync", "__any_sync",  "__all_sync",
        "__uni_sync",   "__activemask",  "__nanosleep", "cooperative_groups",
        "cub",          "barrier",       "wait",        "block_reduce",
        "warp_reduce",  "block_compact", "shuffle_up",  "shuffle_down",
        "shuffle_from", "scan_rows",     "reduce_runs"};
    static const char *const beginnings[] = {
        "__syncthreads",   "__shfl",         "__match_",
        "__reduce_",       "__barrier_sync", "block_inclusive",
        "block_exclusive", "warp_inclusive", "warp_exclusive"};

    if (!strchr("_bcrsw", *t->text)) return false;
    for (int i = 0; i < N(beginnings); i++) {
        if (cu_token_starts(t, beginnings[i])) return true;
    }
    return cu_token_is_one_of(t, words, N(words));
}

/* The functions that are known to wait. */
typedef struct waiting {
    const char **names; /* owned; the names borrowed */
    int n;
} waiting;

static bool
word_waits(const waiting *w, const cu_token *t)
{
    if (t->kind != CUPRIC_TOKEN_WORD || t->system) return false;
    return makes_wait(t) || cu_token_is_one_of(t, w->names, w->n);
}

static bool
any_waits(const waiting *w, const cu_token *t, const cu_token *end)
{
    for (; t < end; t++) {
        if (word_waits(w, t)) return true;
    }
    return false;
}

/* Whether a token outside of the functions waits, which are in the order of the text. */
static bool
outside_waits(const waiting *w, const cu_token *t, const cu_source_facts *f)
{
    for (int i = 0; i < f->nfunctions; i++) {
        if (any_waits(w, t, f->functions[i].begin)) return true;
        t = f->functions[i].end;
    }
    for (; t->kind != CUPRIC_TOKEN_END; t++) {
        if (word_waits(w, t)) return true;
    }
    return false;
}

void
cu_source_find_waits(const cu_token *t, cu_source_facts *f)
{
    waiting w = {.names = calloc((size_t)f->nfunctions + 1, sizeof *w.names)};
    bool more = true;

    if (!w.names) { /* to wait is always right */
        f->waits = true;
        return;
    }
    while (more) {
        more = false;
        for (int i = 0; i < f->nfunctions; i++) {
            cu_source_function *one = &f->functions[i];
            if (one->waits || !one->body || !any_waits(&w, one->body, one->end))
                continue;
            one->waits = more = true;
            w.names[w.n++] = one->name;
        }
    }
    f->waits = outside_waits(&w, t, f);
    free(w.names);
}

bool
cu_source_waits(const cu_source_facts *f, const char *name)
{
    const size_t length = strcspn(name, "<");
    bool found = false;
    size_t start = 0;

    if (f->waits) return true;
    for (size_t i = 0; i < length; i++) {
        if (strchr(": &)*", name[i])) start = i + 1;
    }
    for (int i = 0; i < f->nfunctions; i++) {
        const cu_source_function *one = &f->functions[i];
        if (!one->body || strlen(one->name) != length - start ||
            strncmp(one->name, name + start, length - start))
            continue;
        if (one->waits) return true;
        found = true;
    }
    return !found;
}
