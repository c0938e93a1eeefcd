/* host/cuda_rewrite.c: what C++ cannot be made to accept by macros, replaced in a kernel's
 * source:
 *
 *     extern __shared__ T x[];    an array whose size a launch gives: a pointer to it
 *     extern __shared__ T x[9];   to CUDA a definition: so without `extern`
 *     extern "C" __device__ T x;  likewise; to C++ only a block of `extern "C"` defines
 *     __forceinline__ inline      words that say `inline` twice, which C++ refuses
 *     __noinline__                no macro: the C++ library writes it in attributes
 *     asm("ld.global …")          PTX, which nothing but a GPU can run: ends the launch
 */
#include <stdlib.h>
#include <string.h>

#include "host/cuda_declaration.h"
#include "host/cuda_source.h"
#include "host/cuda_tokens.h"

#define N(array) ((int)(sizeof(array) / sizeof *(array)))
#define MAX_BRACES 256 /* that are told apart */

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
append_token(text *out, const cu_token *t)
{
    append(out, t->text, (size_t)t->length);
    append_word(out, " ");
}

static void
append_tokens(text *out, const cu_token *from, const cu_token *to)
{
    for (; from < to; from++) append_token(out, from);
}

/* ---- the pass over the tokens ------------------------------------------------------------- */

typedef struct rewriter {
    text out;
    const char *copied;          /* up to here the source stands in `out` */
    const cu_token *first;       /* of all tokens */
    const cu_token *declaration; /* where the one at hand begins, or a statement */
    bool is_inline, is_shared;   /* its words so far say so */
    int nbraces, nopaque;        /* open braces; those that are not namespaces */
    bool opaque[MAX_BRACES];
} rewriter;

/* Copy the source up to `t`, and pass over the tokens [t, end) but for their lines. */
static void
replace_begin(rewriter *r, const cu_token *t)
{
    append(&r->out, r->copied, (size_t)(t->start - r->copied));
    r->copied = t->start;
}

static void
replace_end(rewriter *r, const cu_token *last)
{
    for (; r->copied < cu_token_end(last); r->copied++) {
        if (*r->copied == '\n') append_word(&r->out, "\n");
    }
}

static void
replace(rewriter *r, const cu_token *t, const cu_token *last, const char *with)
{
    replace_begin(r, t);
    append_word(&r->out, with);
    replace_end(r, last);
}

/* ---- shared arrays ------------------------------------------------------------------------ */

typedef struct shared_array {
    const cu_token *start, *external; /* the declaration, its `extern` */
    const cu_token *name, *bracket;   /* NULL: of a size, or no array */
} shared_array;

/* Whether the declaration is of extern and shared memory. */
static bool
find_shared(const cu_token *start, shared_array *out)
{
    bool shared = false;
    shared_array a = {.start = start};
    const cu_token *t = start;

    for (; t->kind == CUPRIC_TOKEN_WORD || cu_token_is(t, "::") ||
           cu_token_is(t, "*") || cu_token_is(t, "<");
         t++) {
        if (t->directive) return false;
        if (cu_token_is(t, "extern")) a.external = t;
        if (cu_token_is(t, "__shared__")) shared = true;
        if (cu_token_takes_parentheses(t) && cu_token_is(t + 1, "("))
            t = cu_token_skip_brackets(t + 1) - 1;
        else if (cu_token_is(t, "<"))
            t = cu_token_skip_angles(t) - 1;
    }
    if (cu_token_is(t, "[") && cu_token_is(t + 1, "]")) {
        a.name = t - 1;
        a.bracket = t;
    }
    *out = a;
    return shared && a.external;
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
            append_token(out, from++);
        }
    }
}

/* The declaration of one array: `rest` are its further dimensions, up to `end`. */
static void
append_shared(text *out, const shared_array *a, const cu_token *name,
              const cu_token *rest, const cu_token *end, bool in_function)
{
    if (!in_function) {
        append_word(out, "static const ::cupric_host::shared_array<");
        append_type(out, a->start, a->name);
        append_tokens(out, rest, end);
        append_word(out, "> ");
        append_token(out, name);
        return;
    }
    append_type(out, a->start, a->name);
    append_word(out, "(*const ");
    append_token(out, name);
    append_word(out, ")");
    append_tokens(out, rest, end);
    append_word(out, " = (");
    append_type(out, a->start, a->name);
    append_word(out, "(*)");
    append_tokens(out, rest, end);
    append_word(out, ")::cupric_host::dynamic_shared()");
}

/* Replace the declaration of dynamic arrays; its last token before the `;`. */
static const cu_token *
replace_shared(rewriter *r, const shared_array *a)
{
    const cu_token *name = a->name, *end;

    replace_begin(r, a->start);
    for (;;) {
        end = name + 3;
        while (cu_token_is(end, "[")) end = cu_token_skip_brackets(end);
        append_shared(&r->out, a, name, name + 3, end, r->nopaque > 0);
        while (cu_token_takes_parentheses(end) && cu_token_is(end + 1, "("))
            end = cu_token_skip_brackets(end + 1);
        if (!cu_token_is(end, ",") || end[1].kind != CUPRIC_TOKEN_WORD ||
            !cu_token_is(end + 2, "[") || !cu_token_is(end + 3, "]"))
            break;
        append_word(&r->out, "; ");
        name = end + 1;
    }
    replace_end(r, end - 1);
    return end - 1;
}

/* ---- words -------------------------------------------------------------------------------- */

/* The second of the words that say `inline`. */
static void
note_inline(rewriter *r, const cu_token *t)
{
    static const char *const forced[] = {"__forceinline__", "__global__"};

    if (r->is_inline) {
        replace(r, t, t,
                cu_token_is_one_of(t, forced, N(forced))
                    ? "__attribute__((always_inline))"
                    : "");
    }
    r->is_inline = true;
}

static void
note_noinline(rewriter *r, const cu_token *t)
{
    if (cu_token_is(t, "__noinline__")) replace(r, t, t, "__attribute__((noinline))");
}

/* asm volatile ("…" : … ); the last token. An empty one, which only keeps the compiler from
 * moving things, stays. */
static const cu_token *
replace_asm(rewriter *r, const cu_token *t)
{
    const cu_token *open = t + 1;
    bool empty = true;

    while (open->kind == CUPRIC_TOKEN_WORD) open++;
    if (!cu_token_is(open, "(") || r->nopaque == 0) return t;
    for (const cu_token *s = open + 1; s->kind == CUPRIC_TOKEN_STRING; s++)
        empty &= s->length == 2;
    const cu_token *last = cu_token_skip_brackets(open) - 1;
    if (!empty) replace(r, t, last, "::cupric_host::inline_ptx(__FILE__, __LINE__)");
    return last;
}

/* extern "C" before a variable of the device; the last token that was read. */
static const cu_token *
replace_linkage(rewriter *r, const cu_token *t)
{
    cu_declaration d;

    if (cu_token_is(t + 2, "{") || r->nopaque > 0) return t + 1;
    cu_declaration_read(t + 2, &d);
    if (d.is_variable && !d.is_extern && !d.function) replace(r, t, t + 1, "");
    return t + 1;
}

static const cu_token *
read_storage(rewriter *r, const cu_token *t)
{
    shared_array a;
    const bool is_shared = cu_token_is(t, "__shared__");

    if (!is_shared && t[1].kind == CUPRIC_TOKEN_STRING) return replace_linkage(r, t);
    if (find_shared(r->declaration, &a)) {
        if (a.name) return replace_shared(r, &a);
        if (t == a.external) replace(r, t, t, "");
    }
    if (is_shared && r->is_shared) replace(r, t, t, "");
    r->is_shared |= is_shared;
    return t;
}

/* The last token that was read. */
static const cu_token *
read_word(rewriter *r, const cu_token *t)
{
    static const char *const inlines[] = {"inline",          "__inline",
                                          "__inline__",      "__inline_hint__",
                                          "__forceinline__", "__global__"};
    static const char *const asms[] = {"asm", "__asm__", "__asm"};

    if (cu_token_is(t, "extern") || cu_token_is(t, "__shared__"))
        return read_storage(r, t);
    if (cu_token_takes_parentheses(t) && cu_token_is(t + 1, "("))
        return cu_token_skip_brackets(t + 1) - 1;
    if (cu_token_is_one_of(t, asms, N(asms))) return replace_asm(r, t);
    if (cu_token_is_one_of(t, inlines, N(inlines))) note_inline(r, t);
    note_noinline(r, t);
    /* An instance of a template is never called inline. */
    if (cu_token_is(t, "template") && !cu_token_is(t + 1, "<")) r->is_inline = true;
    return t;
}

/* ---- brackets ----------------------------------------------------------------------------- */

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

static void
read_punctuation(rewriter *r, const cu_token *t)
{
    if (cu_token_is(t, "{")) {
        const bool opaque = !opens_namespace(r->first, t);
        if (r->nbraces < MAX_BRACES) r->opaque[r->nbraces] = opaque;
        r->nbraces++;
        r->nopaque += opaque;
    } else if (cu_token_is(t, "}") && r->nbraces > 0) {
        r->nopaque -= --r->nbraces < MAX_BRACES ? r->opaque[r->nbraces] : 1;
    }
    if (!strchr("*&:[]", *t->text) || cu_token_is(t, ":")) {
        r->declaration = t + 1;
        r->is_inline = r->is_shared = false;
    }
}

cu_status
cu_source_rewrite(const char *source, char **out)
{
    cu_tokens list = {0};
    rewriter r = {.copied = source};
    cu_status st = cu_tokenize(source, &list);

    r.first = r.declaration = list.at;
    for (const cu_token *t = list.at; !st && t->kind != CUPRIC_TOKEN_END; t++) {
        if (t->directive || t->system) {
            r.declaration = t + 1;
            if (t->directive && !cu_token_is(t - (t > list.at), "("))
                note_noinline(&r, t);
        } else if (t->kind == CUPRIC_TOKEN_WORD) {
            t = read_word(&r, t);
        } else if (t->kind == CUPRIC_TOKEN_PUNCTUATION) {
            read_punctuation(&r, t);
        }
    }
    append(&r.out, r.copied, strlen(r.copied));
    free(list.at);
    if (!st && r.out.failed) {
        st = cu_fail(CUPRIC_ERR_MEMORY, "no memory to compile a kernel");
    }
    if (st) {
        free(r.out.data);
    } else {
        *out = r.out.data;
    }
    return st;
}
