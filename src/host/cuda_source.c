/* host/cuda_source.c: what a scan of device code finds.
 *
 * Namespaces and blocks of `extern "C"` are entered, any other brackets are skipped whole.
 * Preprocessor lines are passed over; where they could hide a declaration, or make one, the
 * scan says so (`hidden`), and the text is read again behind the preprocessor.
 */
#include "host/cuda_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cuda_declaration.h"

#define MAX_NESTING 256 /* of namespaces */
#define N(array) ((int)(sizeof(array) / sizeof *(array)))

static cu_status
no_memory(void)
{
    return cu_fail(CUPRIC_ERR_MEMORY, "no memory to read a kernel's source");
}

/* Room for one more element behind `n` others in the array that *array points to, which is
 * full at each power of two. False without memory, *array as it was. */
static bool
grow(void *array, int n, size_t nbytes)
{
    void *at;

    if (n & (n - 1)) return true;
    memcpy(&at, array, sizeof at);
    at = realloc(at, (size_t)(n ? 2 * n : 1) * nbytes);
    if (at) memcpy(array, &at, sizeof at);
    return at != NULL;
}

/* ---- kernels and variables ---------------------------------------------------------------- */

/* Where a scan stands. */
typedef struct scope {
    const char *prefix; /* "outer::inner::" */
    bool c_linkage;
} scope;

/* The parameters of a kernel as they may stand in the type of a pointer. */
static char *
parameters_text(const cu_token *open)
{
    const cu_token *end = cu_token_skip_brackets(open);
    const size_t nbytes =
        (size_t)(end[-1].start - open->start) + 2 * (size_t)(end - open);
    char *text = malloc(nbytes + 1), *at = text;
    bool is_default = false;

    if (!text) return NULL;
    for (const cu_token *t = open + 1; t < end - 1; t++) {
        const cu_token *next = t + 1;
        if (cu_token_is(t, "=")) is_default = true;
        if (cu_token_is(t, ",")) is_default = false;
        if (cu_token_is(t, "(") || cu_token_is(t, "{"))
            next = cu_token_skip_brackets(t);
        for (; t < next && !is_default; t++)
            at += sprintf(at, "%.*s ", t->length, t->text);
        t = next - 1;
    }
    *at = '\0';
    return text;
}

/* The symbol of a name; a new one where there is none, NULL without memory. */
static cu_source_symbol *
symbol_of(cu_source_facts *f, const scope *s, const cu_token *name, bool is_kernel)
{
    const size_t n = strlen(s->prefix) + (size_t)name->length + 1;
    char *text = malloc(n);

    if (!text) return NULL;
    snprintf(text, n, "%s%.*s", s->prefix, name->length, name->text);
    for (int i = 0; i < f->nsymbols; i++) {
        if (strcmp(f->symbols[i].name, text)) continue;
        free(text);
        return &f->symbols[i];
    }
    if (!grow(&f->symbols, f->nsymbols, sizeof *f->symbols)) {
        free(text);
        return NULL;
    }
    f->symbols[f->nsymbols] = (cu_source_symbol){.name = text, .is_kernel = is_kernel};
    return &f->symbols[f->nsymbols++];
}

static cu_status
add_kernel(cu_source_facts *f, const cu_declaration *d, const scope *s)
{
    cu_source_symbol *symbol = symbol_of(f, s, d->function, true);

    if (!symbol) return no_memory();
    symbol->templates += d->is_template;
    if (d->is_template) return CUPRIC_OK;
    symbol->definitions += d->body != NULL;
    if (d->body && (s->c_linkage || !symbol->parameters)) {
        free(symbol->parameters);
        symbol->parameters = parameters_text(d->parameters);
        if (!symbol->parameters) return no_memory();
    }
    symbol->c_linkage |= s->c_linkage;
    return CUPRIC_OK;
}

static cu_status
add_variables(cu_source_facts *f, const cu_declaration *d, const scope *s)
{
    for (int i = 0; i < d->nvariables; i++) {
        cu_source_symbol *symbol = symbol_of(f, s, d->variables[i], false);
        if (!symbol) return no_memory();
        symbol->c_linkage |= s->c_linkage;
    }
    return CUPRIC_OK;
}

static cu_status
add_function(cu_source_facts *f, const cu_declaration *d, const cu_token *begin,
             const cu_token *end)
{
    char *name = strndup(d->function->text, (size_t)d->function->length);

    if (!name || !grow(&f->functions, f->nfunctions, sizeof *f->functions)) {
        free(name);
        return no_memory();
    }
    f->functions[f->nfunctions++] =
        (cu_source_function){.name = name, .begin = begin, .body = d->body, .end = end};
    return CUPRIC_OK;
}

/* Operators are called without their names: what is in them may happen anywhere. */
static cu_status
keep_declaration(cu_source_facts *f, const cu_declaration *d, const cu_token *begin,
                 const cu_token *end, const scope *s)
{
    cu_status st = CUPRIC_OK;

    if (begin->system) return CUPRIC_OK;
    if (d->function && !d->is_operator) {
        st = add_function(f, d, begin, end);
        return !st && d->is_kernel ? add_kernel(f, d, s) : st;
    }
    if (d->is_variable && !d->is_alias && !d->is_extern && !d->is_template)
        st = add_variables(f, d, s);
    return st;
}

/* ---- scopes ------------------------------------------------------------------------------- */

/* Whether a macro of the text stands among what makes the declarations. */
static void
look_for_macros(cu_source_facts *f, const cu_token *t, const cu_token *end)
{
    while (t < end && !f->hidden) {
        if (cu_token_is(t, "(") || cu_token_is(t, "{") || cu_token_is(t, "[")) {
            t = cu_token_skip_brackets(t);
            continue;
        }
        for (int i = 0; i < f->nmacros && t->kind == CUPRIC_TOKEN_WORD; i++) {
            const cu_token *name = f->macros[i];
            f->hidden |= !t->directive && t->length == name->length &&
                         !memcmp(t->text, name->text, (size_t)t->length);
        }
        t++;
    }
}

static cu_status read_scope(const cu_token **at, const scope *s, cu_source_facts *f);

/* The `{` of a namespace, whose name is appended to `prefix`; else what follows it. */
static const cu_token *
read_namespace_name(const cu_token *t, char *prefix, size_t nprefix)
{
    size_t n = strlen(prefix);

    for (t++;
         t->kind == CUPRIC_TOKEN_WORD || cu_token_is(t, "::") || cu_token_is(t, "[");) {
        if (cu_token_is(t, "[")) {
            t = cu_token_skip_brackets(t);
        } else if (cu_token_takes_parentheses(t) && cu_token_is(t + 1, "(")) {
            t = cu_token_skip_brackets(t + 1);
        } else {
            if (!cu_token_is(t, "inline") && n + (size_t)t->length + 3 < nprefix)
                n += (size_t)sprintf(prefix + n, "%.*s", t->length, t->text);
            t++;
        }
    }
    return t;
}

static cu_status
read_namespace(const cu_token **at, const scope *s, cu_source_facts *f)
{
    char prefix[512];
    const size_t before = strlen(s->prefix);
    const cu_token *t;
    const scope inner = {prefix, s->c_linkage};

    snprintf(prefix, sizeof prefix, "%s", s->prefix);
    t = read_namespace_name(*at, prefix, sizeof prefix);
    look_for_macros(f, *at, t);
    if (!cu_token_is(t, "{")) { /* an alias */
        cu_declaration d;
        *at = cu_declaration_read(t, &d);
        return CUPRIC_OK;
    }
    if (strlen(prefix) > before) strcat(prefix, "::");
    *at = t + 1;
    return read_scope(at, &inner, f);
}

static cu_status
read_declaration(const cu_token **at, const scope *s, cu_source_facts *f)
{
    const cu_token *begin = *at;
    cu_declaration d;

    *at = cu_declaration_read(begin, &d);
    if (*at == begin) (*at)++; /* a `}` or `;` that nothing opened */
    look_for_macros(f, begin, *at);
    return keep_declaration(f, &d, begin, *at, s);
}

static bool
opens_linkage(const cu_token *t)
{
    return cu_token_is(t, "extern") && t[1].kind == CUPRIC_TOKEN_STRING;
}

/* extern "C" before one declaration, or around many. */
static cu_status
read_linkage(const cu_token **at, const scope *s, cu_source_facts *f)
{
    const cu_token *t = *at + 2;
    const scope inner = {s->prefix, cu_token_is(t - 1, "\"C\"")};

    if (!cu_token_is(t, "{")) {
        *at = t;
        return read_declaration(at, &inner, f);
    }
    *at = t + 1;
    return read_scope(at, &inner, f);
}

static cu_status
read_scope(const cu_token **at, const scope *s, cu_source_facts *f)
{
    const cu_token *t = *at;
    cu_status st = CUPRIC_OK;

    if (f->depth == MAX_NESTING) {
        return cu_fail(CUPRIC_ERR_COMPILE, "namespaces are nested more than %d deep",
                       MAX_NESTING);
    }
    f->depth++;
    while (t->kind != CUPRIC_TOKEN_END && !cu_token_is(t, "}") && !st) {
        if (t->directive || cu_token_is(t, ";") ||
            (cu_token_is(t, "inline") && cu_token_is(t + 1, "namespace"))) {
            t++;
        } else if (cu_token_is(t, "namespace")) {
            st = read_namespace(&t, s, f);
        } else if (opens_linkage(t)) {
            st = read_linkage(&t, s, f);
        } else {
            st = read_declaration(&t, s, f);
        }
    }
    f->depth--;
    *at = t->kind == CUPRIC_TOKEN_END || st ? t : t + 1;
    return st;
}

/* ---- preprocessor lines ------------------------------------------------------------------- */

/* Headers that lie in cuda/: they add no kernels and nothing that waits, and include nothing
 * of the C++ library, which some of cupy/ do. */
static bool
is_own_header(const cu_token *t)
{
    static const char *const names[] = {"cuComplex.h",
                                        "cuda_fp16.h",
                                        "cuda_bf16.h",
                                        "cuda_runtime.h",
                                        "cuda.h",
                                        "cooperative_groups.h",
                                        "math_constants.h",
                                        "math.h",
                                        "stdio.h",
                                        "stdint.h",
                                        "assert.h",
                                        "vector_types.h",
                                        "device_launch_parameters.h",
                                        "limits.h",
                                        "float.h",
                                        "stddef.h",
                                        "cuda_runtime_api.h",
                                        "device_functions.h",
                                        "math_functions.h",
                                        "sm_20_atomic_functions.h",
                                        "vector_functions.h",
                                        "thrust/complex.h",
                                        "cooperative_groups/reduce.h",
                                        "stdbool.h"};
    static const char *const with_library[] = {"cupy/cuda_workaround.h",
                                               "cupy/pair.cuh", "cupy/tuple.cuh",
                                               "cupric/standard.hpp"};
    const char *start = t->text + 1, *end;
    char name[128];

    end = *t->text == '"' || *t->text == '<' ? strpbrk(start, "\">\n") : NULL;
    if (!end || *end == '\n' || (size_t)(end - start) >= sizeof name) return false;
    memcpy(name, start, (size_t)(end - start));
    name[end - start] = '\0';
    for (int i = 0; i < N(with_library); i++) {
        if (strcmp(name, with_library[i]) == 0) return false;
    }
    if (!strncmp(name, "cupric/", 7) || !strncmp(name, "cupy/", 5)) return true;
    for (int i = 0; i < N(names); i++) {
        if (strcmp(name, names[i]) == 0) return true;
    }
    return false;
}

/* Words that the scan or cu_source_rewrite looks for. */
static bool
is_read(const cu_token *t)
{
    static const char *const words[] = {
        "__global__",      "__device__",   "__constant__", "__managed__", "__shared__",
        "__forceinline__", "__noinline__", "inline",       "__inline__",  "extern",
        "namespace",       "template",     "operator",     "struct",      "class",
        "union",           "enum",         "typedef",      "using",       "asm",
        "__asm__",         "__asm"};

    return cu_token_is_one_of(t, words, N(words));
}

/* #define name …: a macro that makes declarations, or holds one bracket of a pair, hides
 * what there is. Returns the last token of the line. */
static const cu_token *
read_macro(const cu_token *t, cu_source_facts *f, cu_status *st)
{
    int depth = 0;

    if (!grow(&f->macros, f->nmacros, sizeof *f->macros)) {
        *st = no_memory();
        return t;
    }
    f->macros[f->nmacros++] = t;
    for (t++; t->directive && !cu_token_is(t, "#"); t++) {
        const char c = t->kind == CUPRIC_TOKEN_PUNCTUATION ? *t->text : ' ';
        depth +=
            (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        if (is_read(t)) f->hidden = true;
    }
    if (depth) f->hidden = true;
    return t - 1;
}

static cu_status
read_directives(const cu_token *t, cu_source_facts *f)
{
    cu_status st = CUPRIC_OK;

    for (; t->kind != CUPRIC_TOKEN_END && !st; t++) {
        if (!t->directive || !cu_token_is(t, "#")) continue;
        if (cu_token_starts(t + 1, "if")) f->hidden = true;
        if (cu_token_starts(t + 1, "include") && !is_own_header(t + 2))
            f->includes = true;
        if (cu_token_is(t + 1, "define")) t = read_macro(t + 2, f, &st);
    }
    return st;
}

static bool
has_textures(const char *text)
{
    static const char *const names[] = {"tex1D",  "tex2D",  "tex3D",
                                        "surf1D", "surf2D", "surf3D"};

    for (int i = 0; i < N(names); i++) {
        if (strstr(text, names[i])) return true;
    }
    return false;
}

/* ---- the whole ---------------------------------------------------------------------------- */

cu_status
cu_source_scan(const char *text, cu_source_facts *out)
{
    cu_tokens list = {0};
    cu_source_facts facts = {.textures = has_textures(text)};
    const scope global = {"", false};
    cu_status st = cu_tokenize(text, &list);

    if (!st) st = read_directives(list.at, &facts);
    if (!st) {
        const cu_token *t = list.at;
        facts.hidden |= list.spliced;
        while (t->kind != CUPRIC_TOKEN_END && !st) st = read_scope(&t, &global, &facts);
        if (!st) cu_source_find_waits(list.at, &facts);
    }
    free(list.at);
    free(facts.macros);
    facts.macros = NULL;
    if (st) {
        cu_source_facts_clear(&facts);
    } else {
        *out = facts;
    }
    return st;
}

void
cu_source_facts_clear(cu_source_facts *f)
{
    for (int i = 0; i < f->nsymbols; i++) {
        free(f->symbols[i].name);
        free(f->symbols[i].parameters);
    }
    for (int i = 0; i < f->nfunctions; i++) free(f->functions[i].name);
    free(f->symbols);
    free(f->functions);
    *f = (cu_source_facts){0};
}
