/* host/cuda_source.c: what a scan of device code finds.
 *
 * Only namespace scope is understood: bodies of functions and classes are skipped by their
 * brackets. Preprocessor lines are marked and, but for the flags, passed over.
 */
#include "host/cuda_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cuda_tokens.h"

#define MAX_NESTING 256 /* of namespaces */

/* ---- what is declared ------------------------------------------------------------------- */

static cu_status
add_symbol(cu_source_facts *f, const char *prefix, const cu_token *name, bool is_kernel,
           bool is_definition)
{
    const size_t n = strlen(prefix) + (size_t)name->length + 1;
    char *text = malloc(n);

    if (!text) return cu_fail(CUPRIC_ERR_MEMORY, "no memory to read a kernel's source");
    snprintf(text, n, "%s%.*s", prefix, name->length, name->text);
    for (int i = 0; i < f->nsymbols; i++) {
        if (strcmp(f->symbols[i].name, text) == 0) {
            f->symbols[i].ambiguous |= is_definition;
            free(text);
            return CUPRIC_OK;
        }
    }
    cu_source_symbol *symbols =
        realloc(f->symbols, (size_t)(f->nsymbols + 1) * sizeof *symbols);
    if (!symbols) {
        free(text);
        return cu_fail(CUPRIC_ERR_MEMORY, "no memory to read a kernel's source");
    }
    f->symbols = symbols;
    symbols[f->nsymbols++] = (cu_source_symbol){text, is_kernel, false};
    return CUPRIC_OK;
}

/* What one declaration at namespace scope says, as it is read. */
typedef struct declaration {
    bool kernel, variable, is_extern, is_type, is_template;
    bool initialised;         /* an `=` came: parentheses are no parameters */
    const cu_token *function; /* its name */
    const cu_token *body;     /* its `{` */
    const cu_token *variables[16];
    int nvariables;
} declaration;

static void
note_variable(declaration *d, const cu_token *t)
{
    const cu_token *next = t + 1;

    if (d->nvariables == 16 || d->initialised || d->function) return;
    if (cu_token_is(next, "[") || cu_token_is(next, "=") || cu_token_is(next, ";") ||
        cu_token_is(next, ",") || (cu_token_is(next, "{") && !d->is_type)) {
        d->variables[d->nvariables++] = t;
    }
}

static void
note_word(declaration *d, const cu_token *t)
{
    if (cu_token_is(t, "__global__")) d->kernel = true;
    if (cu_token_is(t, "__device__") || cu_token_is(t, "__constant__") ||
        cu_token_is(t, "__managed__")) {
        d->variable = true;
    }
    if (cu_token_is(t, "extern") && t[1].kind != CUPRIC_TOKEN_STRING)
        d->is_extern = true;
    if (cu_token_is(t, "struct") || cu_token_is(t, "class") ||
        cu_token_is(t, "union") || cu_token_is(t, "enum") ||
        cu_token_is(t, "typedef") || cu_token_is(t, "using") ||
        cu_token_is(t, "__shared__")) {
        d->is_type = true;
    }
    note_variable(d, t);
}

/* Read one declaration into *d; the token after it. */
static const cu_token *
read_declaration(const cu_token *t, declaration *d)
{
    while (t->kind != CUPRIC_TOKEN_END && !cu_token_is(t, ";") &&
           !cu_token_is(t, "}")) {
        if (t->directive) {
            t++;
        } else if (t->kind == CUPRIC_TOKEN_WORD) {
            note_word(d, t);
            if (cu_token_takes_parentheses(t) && cu_token_is(t + 1, "(")) {
                t = cu_token_skip_brackets(t + 1);
            } else if (!d->function && !d->initialised && cu_token_is(t + 1, "(") &&
                       !cu_token_is(t, "operator")) {
                d->function = t;
                t = cu_token_skip_brackets(t + 1);
            } else if (!d->initialised && cu_token_is(t + 1, "<") &&
                       !cu_token_is(t, "operator")) {
                t = cu_token_skip_angles(t + 1);
            } else {
                t++;
            }
        } else if (cu_token_is(t, "{")) {
            if (d->function) d->body = t;
            t = cu_token_skip_brackets(t);
            if (d->function) return t;
        } else if (cu_token_is(t, "(") || cu_token_is(t, "[")) {
            t = cu_token_skip_brackets(t);
        } else {
            if (cu_token_is(t, "=")) d->initialised = true;
            if (cu_token_is(t, ",")) d->initialised = false;
            t++;
        }
    }
    return cu_token_is(t, ";") ? t + 1 : t;
}

static cu_status read_scope(const cu_token **at, const char *prefix,
                            cu_source_facts *f);

static cu_status
read_namespace(const cu_token **at, const char *prefix, cu_source_facts *f)
{
    char inner[512];
    size_t n = (size_t)snprintf(inner, sizeof inner, "%s", prefix);
    const cu_token *t = *at + 1;

    for (; t->kind != CUPRIC_TOKEN_END && !cu_token_is(t, "{") &&
           !cu_token_is(t, ";") && !cu_token_is(t, "=");
         t++) {
        if (n + (size_t)t->length + 3 > sizeof inner) break;
        n += (size_t)snprintf(inner + n, sizeof inner - n, "%.*s", t->length, t->text);
    }
    if (!cu_token_is(t, "{")) {
        declaration d = {0};
        *at = read_declaration(t, &d);
        return CUPRIC_OK;
    }
    if (n > strlen(prefix)) strcpy(inner + n, "::");
    *at = t + 1;
    return read_scope(at, inner, f);
}

static cu_status
add_function(cu_source_facts *f, const declaration *d, const cu_token *end)
{
    const cu_source_function one = {
        strndup(d->function->text, (size_t)d->function->length), d->body, end, false};
    cu_source_function *functions =
        realloc(f->functions, (size_t)(f->nfunctions + 1) * sizeof *functions);

    if (functions) f->functions = functions;
    if (!functions || !one.name) {
        free(one.name);
        return cu_fail(CUPRIC_ERR_MEMORY, "no memory to read a kernel's source");
    }
    functions[f->nfunctions++] = one;
    return CUPRIC_OK;
}

static cu_status
keep_declaration(const declaration *d, const cu_token *end, const char *prefix,
                 cu_source_facts *f)
{
    cu_status st = CUPRIC_OK;

    if (d->body && !d->is_type) st = add_function(f, d, end);
    if (st) return st;
    if (d->is_template || d->is_extern) return CUPRIC_OK;
    if (d->function) {
        if (!d->kernel) return CUPRIC_OK;
        return add_symbol(f, prefix, d->function, true, cu_token_is(end - 1, "}"));
    }
    if (!d->variable || d->is_type) return CUPRIC_OK;
    for (int i = 0; i < d->nvariables && !st; i++) {
        st = add_symbol(f, prefix, d->variables[i], false, false);
    }
    return st;
}

static cu_status
read_scope(const cu_token **at, const char *prefix, cu_source_facts *f)
{
    const cu_token *t = *at;
    cu_status st = CUPRIC_OK;

    if (f->depth == MAX_NESTING) {
        return cu_fail(CUPRIC_ERR_COMPILE, "namespaces are nested more than %d deep",
                       MAX_NESTING);
    }
    f->depth++;
    while (t->kind != CUPRIC_TOKEN_END && !st) {
        declaration d = {0};
        if (cu_token_is(t, "}")) {
            t++;
            break;
        }
        if (t->directive || cu_token_is(t, ";")) {
            t++;
            continue;
        }
        if (cu_token_is(t, "inline") && cu_token_is(t + 1, "namespace")) t++;
        if (cu_token_is(t, "namespace")) {
            st = read_namespace(&t, prefix, f);
            continue;
        }
        if (cu_token_is(t, "extern") && t[1].kind == CUPRIC_TOKEN_STRING) {
            t += 2;
            if (cu_token_is(t, "{")) {
                t++;
                st = read_scope(&t, prefix, f);
                continue;
            }
        }
        while (cu_token_is(t, "template") && cu_token_is(t + 1, "<")) {
            d.is_template = true;
            t = cu_token_skip_angles(t + 1);
        }
        const cu_token *before = t;
        t = read_declaration(t, &d);
        st = st ? st : keep_declaration(&d, t, prefix, f);
        if (t == before && t->kind != CUPRIC_TOKEN_END && !cu_token_is(t, "}")) t++;
    }
    f->depth--;
    *at = t;
    return st;
}

/* ---- flags -------------------------------------------------------------------------------- */

static bool
makes_wait(const cu_token *t)
{
    return cu_token_starts(t, "__syncthreads") || cu_token_is(t, "__syncwarp") ||
           cu_token_starts(t, "__shfl") || cu_token_is(t, "__ballot_sync") ||
           cu_token_is(t, "__any_sync") || cu_token_is(t, "__all_sync") ||
           cu_token_is(t, "__uni_sync") || cu_token_is(t, "__activemask") ||
           cu_token_starts(t, "__match_") || cu_token_starts(t, "__reduce_") ||
           cu_token_is(t, "cooperative_groups") || cu_token_starts(t, "__barrier_sync");
}

/* Headers that lie in cuda/: they add no kernels and nothing that waits. */
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
    const char *start = t->text + 1, *end;
    char name[128];

    end = *t->text == '"' || *t->text == '<' ? strpbrk(start, "\">\n") : NULL;
    if (!end || *end == '\n' || (size_t)(end - start) >= sizeof name) return false;
    memcpy(name, start, (size_t)(end - start));
    name[end - start] = '\0';
    if (!strncmp(name, "cupric/", 7) || !strncmp(name, "cupy/", 5)) return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) return true;
    }
    return false;
}

static void
read_flags(const cu_token *t, cu_source_facts *f)
{
    for (; t->kind != CUPRIC_TOKEN_END; t++) {
        if (!t->directive) continue;
        if (cu_token_is(t, "#")) {
            if (cu_token_starts(t + 1, "if")) f->conditional = true;
            if (cu_token_is(t + 1, "include") && !is_own_header(t + 2))
                f->includes = true;
        } else if (cu_token_is(t, "__global__") || cu_token_is(t, "__device__") ||
                   cu_token_is(t, "__constant__")) {
            f->conditional = true; /* in a macro */
        }
    }
}

/* ---- who waits ---------------------------------------------------------------------------- */

static bool
names_one_that_waits(const cu_source_facts *f, const cu_token *t)
{
    for (int i = 0; i < f->nfunctions; i++) {
        if (f->functions[i].waits && cu_token_is(t, f->functions[i].name)) return true;
    }
    return false;
}

static bool
body_waits(const cu_source_facts *f, const cu_source_function *one)
{
    for (const cu_token *t = one->begin; t < (const cu_token *)one->end; t++) {
        if (t->kind == CUPRIC_TOKEN_WORD &&
            (makes_wait(t) || names_one_that_waits(f, t)))
            return true;
    }
    return false;
}

/* A function waits that has the words, or names one that waits. Words in a class or a
 * macro may be anybody's. */
static void
find_waits(const cu_token *t, cu_source_facts *f)
{
    int next = 0; /* functions are in the order of the text */
    bool more = true;

    for (; t->kind != CUPRIC_TOKEN_END; t++) {
        while (next < f->nfunctions && t >= (const cu_token *)f->functions[next].end)
            next++;
        if (next < f->nfunctions && t >= (const cu_token *)f->functions[next].begin)
            continue;
        if (t->kind == CUPRIC_TOKEN_WORD && makes_wait(t)) f->waits = true;
    }
    while (more) {
        more = false;
        for (int i = 0; i < f->nfunctions; i++) {
            cu_source_function *one = &f->functions[i];
            if (one->waits || !body_waits(f, one)) continue;
            one->waits = more = true;
        }
    }
}

bool
cu_source_waits(const cu_source_facts *f, const char *name)
{
    const size_t length = strcspn(name, "<");
    bool found = false;
    size_t start = 0;

    if (f->waits) return true;
    for (size_t i = 0; i < length; i++) {
        if (name[i] == ':' || name[i] == ' ') start = i + 1;
    }
    for (int i = 0; i < f->nfunctions; i++) {
        const cu_source_function *one = &f->functions[i];
        if (strlen(one->name) != length - start ||
            strncmp(one->name, name + start, length - start))
            continue;
        if (one->waits) return true;
        found = true;
    }
    return !found;
}

static bool
has_textures(const char *text)
{
    static const char *const names[] = {"tex1D",  "tex2D",  "tex3D",
                                        "surf1D", "surf2D", "surf3D"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strstr(text, names[i])) return true;
    }
    return false;
}

cu_status
cu_source_scan(const char *text, cu_source_facts *out)
{
    cu_tokens list = {0};
    cu_source_facts facts = {.textures = has_textures(text)};
    cu_status st = cu_tokenize(text, &list);

    if (!st) {
        const cu_token *t = list.at;
        read_flags(t, &facts);
        while (t->kind != CUPRIC_TOKEN_END && !st) st = read_scope(&t, "", &facts);
        find_waits(list.at, &facts);
    }
    free(list.at);
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
    for (int i = 0; i < f->nsymbols; i++) free(f->symbols[i].name);
    for (int i = 0; i < f->nfunctions; i++) free(f->functions[i].name);
    free(f->symbols);
    free(f->functions);
    *f = (cu_source_facts){0};
}
