/* host/cuda_rewrite.c: what C++ cannot be made to accept by macros, replaced in a kernel's
 * source: dynamic shared arrays, whose size a launch gives, and __noinline__. */
#include <stdlib.h>
#include <string.h>

#include "host/cuda_source.h"
#include "host/cuda_tokens.h"

/* A text that grows. */
typedef struct text {
    char *data; /* owned */
    size_t n, capacity;
    bool failed;
} text;

static void
append(text *out, const char *data, size_t n)
{
    if (out->failed) return;
    if (out->n + n + 1 > out->capacity) {
        const size_t capacity = 2 * (out->n + n + 1);
        char *bigger = realloc(out->data, capacity);
        if (!bigger) {
            out->failed = true;
            return;
        }
        out->data = bigger;
        out->capacity = capacity;
    }
    memcpy(out->data + out->n, data, n);
    out->n += n;
    out->data[out->n] = '\0';
}

static void
append_word(text *out, const char *word)
{
    append(out, word, strlen(word));
}

static void
append_tokens(text *out, const cu_token *from, const cu_token *to)
{
    for (; from < to; from++) {
        append(out, from->text, (size_t)from->length);
        append_word(out, " ");
    }
}

/* The type's tokens without attributes. */
static void
append_type(text *out, const cu_token *from, const cu_token *to)
{
    while (from < to) {
        if (cu_token_is(from, "extern") || cu_token_is(from, "__shared__")) {
            from++;
        } else if (cu_token_takes_parentheses(from) && cu_token_is(from + 1, "(")) {
            from = cu_token_skip_brackets(from + 1);
        } else {
            append_tokens(out, from, from + 1);
            from++;
        }
    }
}

typedef struct shared_array {
    const cu_token *name, *bracket,
        *end; /* end: the `;`, or what follows the brackets */
} shared_array;

/* Whether an `extern` begins a dynamic shared array. */
static bool
find_shared(const cu_token *t, shared_array *out)
{
    bool shared = false;
    const bool directive = t->directive;

    for (; t->kind != CUPRIC_TOKEN_END && t->directive == directive; t++) {
        if (cu_token_takes_parentheses(t) && cu_token_is(t + 1, "(")) {
            t = cu_token_skip_brackets(t + 1) - 1;
        } else if (cu_token_is(t, "__shared__")) {
            shared = true;
        } else if (cu_token_is(t, "[")) {
            if (!shared || !cu_token_is(t + 1, "]")) return false;
            *out = (shared_array){t - 1, t, t + 2};
            while (cu_token_is(out->end, "["))
                out->end = cu_token_skip_brackets(out->end);
            return true;
        } else if (cu_token_is(t, ";") || cu_token_is(t, "{") || cu_token_is(t, "}") ||
                   cu_token_is(t, "(")) {
            return false;
        }
    }
    return false;
}

static void
append_shared(text *out, const cu_token *start, const shared_array *a, bool in_function)
{
    const cu_token *rest = a->bracket + 2;

    if (!in_function) {
        append_word(out, "static const ::cupric_host::shared_array<");
        append_type(out, start, a->name);
        append_tokens(out, rest, a->end);
        append_word(out, "> ");
        append_tokens(out, a->name, a->name + 1);
    } else {
        append_type(out, start, a->name);
        append_word(out, "(*const ");
        append_tokens(out, a->name, a->name + 1);
        append_word(out, ")");
        append_tokens(out, rest, a->end);
        append_word(out, " = (");
        append_type(out, start, a->name);
        append_word(out, "(*)");
        append_tokens(out, rest, a->end);
        append_word(out, ")::cupric_host::dynamic_shared()");
    }
    for (const char *p = start->text; p < a->end[-1].text; p++) {
        if (*p == '\n') append_word(out, start->directive ? "\\\n" : "\n");
    }
}

/* Whether the `{` at `t` opens a namespace or a linkage block. */
static bool
opens_namespace(const cu_token *first, const cu_token *t)
{
    if (t > first + 1 && t[-1].kind == CUPRIC_TOKEN_STRING &&
        cu_token_is(t - 2, "extern"))
        return true;
    while (t > first && (t[-1].kind == CUPRIC_TOKEN_WORD || cu_token_is(t - 1, "::"))) {
        if (cu_token_is(--t, "namespace")) return true;
    }
    return false;
}

cu_status
cu_source_rewrite(const char *source, char **out)
{
    cu_tokens list = {0};
    text result = {0};
    const char *copied = source;
    int depth = 0; /* of braces that are not namespaces */
    char stack[256] = {0};
    int nstack = 0;
    cu_status st = cu_tokenize(source, &list);

    for (const cu_token *t = list.at; !st && t->kind != CUPRIC_TOKEN_END; t++) {
        shared_array a;
        if (!t->directive && cu_token_is(t, "{")) {
            const char opaque = !opens_namespace(list.at, t);
            if (nstack < (int)sizeof stack) stack[nstack] = opaque;
            nstack++;
            depth += opaque;
        } else if (!t->directive && cu_token_is(t, "}") && nstack > 0) {
            if (--nstack < (int)sizeof stack) depth -= stack[nstack];
        } else if (cu_token_is(t, "__noinline__") &&
                   !cu_token_is(t - (t > list.at), "(")) {
            /* no macro: the C++ library writes __attribute__((__noinline__)) */
            append(&result, copied, (size_t)(t->text - copied));
            append_word(&result, "__attribute__((noinline))");
            copied = t->text + t->length;
        } else if (cu_token_is(t, "extern") && find_shared(t, &a)) {
            append(&result, copied, (size_t)(t->text - copied));
            append_shared(&result, t, &a, depth > 0 || t->directive);
            t = a.end - 1;
            copied = t->text + t->length;
        }
    }
    append(&result, copied, strlen(copied));
    free(list.at);
    if (!st && result.failed) {
        st = cu_fail(CUPRIC_ERR_MEMORY, "no memory to compile a kernel");
    }
    if (st) {
        free(result.data);
    } else {
        *out = result.data;
    }
    return st;
}
