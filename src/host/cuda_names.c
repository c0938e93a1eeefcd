/* host/cuda_names.c: names that every kernel knows as macros, and a source has for itself:
 *
 *     __constant__ float M_PI = 3.14f;
 *     #ifndef INFINITY
 *     #define INFINITY 1e30f
 *     #endif
 */
#include <stdlib.h>

#include "host/cuda_source.h"

#define N(array) ((int)(sizeof(array) / sizeof *(array)))

static const char *const names[] = {
    "INFINITY", "NAN",     "HUGE_VAL",   "HUGE_VALF", "NULL",     "offsetof", "M_E",
    "M_PI",     "M_LOG2E", "M_LOG10E",   "M_LN2",     "M_LN10",   "M_PI_2",   "M_PI_4",
    "M_1_PI",   "M_2_PI",  "M_2_SQRTPI", "M_SQRT2",   "M_SQRT1_2"};

/* Whether a name at `t` is declared: a type stands before it, and behind it what follows a
 * declarator; or it is assigned to, as the second of several is. */
static bool
is_declared(const cu_token *first, const cu_token *t)
{
    static const char *const verbs[] = {"return", "case", "else", "throw",
                                        "and",    "or",   "not",  "co_yield"};
    static const char *const ends[] = {"=", ";", "[", ",", "{", ")", "("};

    if (t == first || t->directive || !cu_token_is_one_of(t + 1, ends, N(ends)))
        return false;
    if (cu_token_is(t + 1, "=") && !cu_token_is(t + 2, "=")) return true;
    return t[-1].kind == CUPRIC_TOKEN_WORD &&
           !cu_token_is_one_of(t - 1, verbs, N(verbs));
}

static bool
is_defined(const cu_token *first, const cu_token *t)
{
    return t > first && t->directive && cu_token_is(t - 1, "define");
}

cu_status
cu_source_put_undefs(const char *source, FILE *f)
{
    cu_tokens list = {0};
    bool done[N(names)] = {false};
    cu_status st = cu_tokenize(source, &list);

    for (const cu_token *t = list.at; !st && t->kind != CUPRIC_TOKEN_END; t++) {
        if (t->kind != CUPRIC_TOKEN_WORD) continue;
        for (int i = 0; i < N(names); i++) {
            if (done[i] || !cu_token_is(t, names[i])) continue;
            if (!is_declared(list.at, t) && !is_defined(list.at, t)) continue;
            fprintf(f, "#undef %s\n", names[i]);
            done[i] = true;
        }
    }
    free(list.at);
    return st;
}
