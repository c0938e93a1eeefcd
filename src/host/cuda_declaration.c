/* host/cuda_declaration.c: see cuda_declaration.h. */
#include "host/cuda_declaration.h"

#include <stddef.h>

#define N(array) ((int)(sizeof(array) / sizeof *(array)))

/* The state of a reader within one declaration. */
typedef struct reader {
    cu_declaration *d;
    bool initialised;  /* behind an `=`: until the next comma all is an expression */
    bool initialisers; /* behind the `:` of a constructor: braces of members come */
} reader;

static void
add_variable(reader *r, const cu_token *name)
{
    cu_declaration *d = r->d;

    if (d->nvariables < CUPRIC_MAX_DECLARATORS && !d->function)
        d->variables[d->nvariables++] = name;
}

/* Words that say what kind of declaration it is. */
static void
note_specifier(cu_declaration *d, const cu_token *t)
{
    static const char *const of_memory[] = {"__device__", "__constant__",
                                            "__managed__"};
    static const char *const of_classes[] = {"struct", "class", "union", "enum"};
    static const char *const of_aliases[] = {"typedef", "using", "__shared__"};

    if (cu_token_is(t, "__global__")) d->is_kernel = true;
    if (cu_token_is_one_of(t, of_memory, N(of_memory))) d->is_variable = true;
    if (cu_token_is(t, "extern")) d->is_extern = true;
    if (cu_token_is_one_of(t, of_classes, N(of_classes))) d->is_class = true;
    if (cu_token_is_one_of(t, of_aliases, N(of_aliases))) d->is_alias = true;
}

/* Whether `name` is what a declarator of a variable declares. */
static bool
ends_declarator(const reader *r, const cu_token *name)
{
    static const char *const ends[] = {"[", "=", ";", ","};
    const cu_token *next = name + 1;

    return cu_token_is_one_of(next, ends, N(ends)) ||
           (cu_token_is(next, "{") && !r->d->is_class);
}

/* The name in `(*name)(…)` and `(&name)[…]`; NULL for other parentheses. */
static const cu_token *
pointer_name(const cu_token *open)
{
    const cu_token *t = open + 1;

    if (!cu_token_is(t, "*") && !cu_token_is(t, "&")) return NULL;
    while (cu_token_is(t, "*") || cu_token_is(t, "&") || cu_token_is(t, "const")) t++;
    return t->kind == CUPRIC_TOKEN_WORD ? t : NULL;
}

/* Parentheses behind a word, or behind the arguments of a template. */
static const cu_token *
read_parentheses(reader *r, const cu_token *name, const cu_token *open)
{
    cu_declaration *d = r->d;
    const cu_token *pointer = pointer_name(open);

    if (d->function || r->initialised) return cu_token_skip_brackets(open);
    if (pointer) {
        add_variable(r, pointer);
        open = cu_token_skip_brackets(open);
        return cu_token_is(open, "(") ? cu_token_skip_brackets(open) : open;
    }
    d->function = name;
    d->parameters = open;
    return cu_token_skip_brackets(open);
}

static const cu_token *
read_operator(reader *r, const cu_token *t)
{
    const cu_token *open = cu_token_skip_operator(t);

    if (!cu_token_is(open, "(")) return open;
    r->d->is_operator = true;
    return read_parentheses(r, t, open);
}

static const cu_token *
read_word(reader *r, const cu_token *t)
{
    const cu_token *next = t + 1;

    if (r->initialised) return next;
    if (cu_token_is(t, "operator")) return read_operator(r, t);
    note_specifier(r->d, t);
    if (cu_token_is(t, "template")) {
        r->d->is_template = true;
        return cu_token_is(next, "<") ? cu_token_skip_angles(next) : next;
    }
    if (cu_token_takes_parentheses(t))
        return cu_token_is(next, "(") ? cu_token_skip_brackets(next) : next;
    if (r->d->function) return next;
    if (cu_token_is(next, "(")) return read_parentheses(r, t, next);
    if (cu_token_is(next, "<")) {
        next = cu_token_skip_angles(next);
        return cu_token_is(next, "(") ? read_parentheses(r, t, next) : next;
    }
    if (ends_declarator(r, t)) add_variable(r, t);
    return next;
}

/* A `{`. *ends: it is the last of the declaration. */
static const cu_token *
read_braces(reader *r, const cu_token *t, bool *ends)
{
    cu_declaration *d = r->d;
    const cu_token *next = cu_token_skip_brackets(t);
    const bool of_member =
        r->initialisers && !cu_token_is(t - 1, ")") && !cu_token_is(t - 1, "}");

    if (r->initialised || of_member) return next;
    if (d->function) {
        d->body = t;
        *ends = true;
    } else if (!d->is_class) { /* T x{…}, or nothing that is known */
        *ends = !cu_token_is(next, ";") && !cu_token_is(next, ",");
    }
    return next;
}

const cu_token *
cu_declaration_read(const cu_token *t, cu_declaration *out)
{
    cu_declaration d = {0};
    reader r = {.d = &d};
    bool ends = false;

    while (!ends && t->kind != CUPRIC_TOKEN_END && !cu_token_is(t, "}")) {
        if (t->directive) {
            t++;
        } else if (t->kind == CUPRIC_TOKEN_WORD) {
            t = read_word(&r, t);
        } else if (cu_token_is(t, "{")) {
            t = read_braces(&r, t, &ends);
        } else if (cu_token_is(t, "(") || cu_token_is(t, "[")) {
            t = cu_token_skip_brackets(t);
        } else {
            ends = cu_token_is(t, ";");
            if (cu_token_is(t, "=")) r.initialised = true;
            if (cu_token_is(t, ",")) r.initialised = false;
            if (cu_token_is(t, ":")) r.initialisers = d.function != NULL;
            t++;
        }
    }
    *out = d;
    return t;
}
