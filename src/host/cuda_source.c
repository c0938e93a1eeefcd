/* host/cuda_source.c: a scan of device code, token by token.
 *
 * Only namespace scope is understood: bodies of functions and classes are skipped by their
 * brackets. Preprocessor lines are marked and, but for the flags, passed over.
 */
#include "host/cuda_source.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NESTING 256 /* of namespaces */

typedef enum token_kind { WORD, NUMBER, STRING, PUNCTUATION, END } token_kind;

typedef struct token {
    const char *text; /* borrowed from the source */
    int length;
    token_kind kind;
    bool directive; /* in a preprocessor line */
} token;

typedef struct tokens {
    token *at; /* owned; the last is END */
    int n, capacity;
} tokens;

/* ---- tokens ---------------------------------------------------------------------------- */

static cu_status
add_token(tokens *list, token t)
{
    if (list->n == list->capacity) {
        const int capacity = list->capacity ? 2 * list->capacity : 256;
        token *at = realloc(list->at, (size_t)capacity * sizeof *at);
        if (!at)
            return cu_fail(CUPRIC_ERR_MEMORY, "no memory to read a kernel's source");
        list->at = at;
        list->capacity = capacity;
    }
    list->at[list->n++] = t;
    return CUPRIC_OK;
}

static const char *
skip_comment(const char *p)
{
    if (p[1] == '/') {
        while (*p && *p != '\n') p += *p == '\\' && p[1] ? 2 : 1;
        return p;
    }
    const char *end = strstr(p + 2, "*/");
    return end ? end + 2 : p + strlen(p);
}

/* Past the closing quote, or the end of the line for a quote that is never closed. */
static const char *
skip_quoted(const char *p)
{
    const char quote = *p++;

    while (*p && *p != quote && *p != '\n') p += *p == '\\' && p[1] ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

/* R"tag( … )tag" */
static const char *
skip_raw_string(const char *p)
{
    char closing[20] = ")";
    const char *open = strchr(p, '(');
    const size_t length = open ? (size_t)(open - p - 1) : sizeof closing;

    if (length > sizeof closing - 3) return skip_quoted(p);
    memcpy(closing + 1, p + 1, length);
    strcpy(closing + 1 + length, "\"");
    const char *end = strstr(open, closing);
    return end ? end + strlen(closing) : p + strlen(p);
}

static bool
is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static bool
is_raw_prefix(const char *start, const char *end)
{
    return end > start && end[-1] == 'R' && end - start <= 3;
}

static cu_status
tokenize(const char *p, tokens *out)
{
    bool directive = false, line_start = true;

    while (*p) {
        const char *start = p;
        token_kind kind = PUNCTUATION;
        if (*p == '\n') {
            directive = false;
            line_start = true;
            p++;
            continue;
        }
        if (*p == '\\' && (p[1] == '\n' || (p[1] == '\r' && p[2] == '\n'))) {
            p += p[1] == '\n' ? 2 : 3;
            continue;
        }
        if (isspace((unsigned char)*p)) {
            p++;
            continue;
        }
        if (*p == '/' && (p[1] == '/' || p[1] == '*')) {
            p = skip_comment(p);
            continue;
        }
        if (*p == '#' && line_start) directive = true;
        line_start = false;
        if (isdigit((unsigned char)*p)) {
            kind = NUMBER;
            while (is_word(*p) || *p == '.' || (*p == '\'' && is_word(p[1]))) p++;
        } else if (is_word(*p)) {
            kind = WORD;
            while (is_word(*p)) p++;
            if (*p == '"' && is_raw_prefix(start, p)) {
                kind = STRING;
                p = skip_raw_string(p);
            }
        } else if (*p == '"' || *p == '\'') {
            kind = STRING;
            p = skip_quoted(p);
        } else {
            p += p[0] == ':' && p[1] == ':' ? 2 : 1;
        }
        cu_status st =
            add_token(out, (token){start, (int)(p - start), kind, directive});
        if (st) return st;
    }
    return add_token(out, (token){p, 0, END, false});
}

static bool
is(const token *t, const char *text)
{
    return (size_t)t->length == strlen(text) &&
           !memcmp(t->text, text, (size_t)t->length);
}

static bool
starts(const token *t, const char *text)
{
    const size_t n = strlen(text);
    return (size_t)t->length >= n && !memcmp(t->text, text, n);
}

/* The token after the bracket that closes the one at `t`. */
static const token *
skip_brackets(const token *t)
{
    int depth = 0;

    for (; t->kind != END; t++) {
        if (t->directive || t->kind != PUNCTUATION) continue;
        const char c = *t->text;
        if (c == '(' || c == '[' || c == '{') depth++;
        if ((c == ')' || c == ']' || c == '}') && --depth == 0) return t + 1;
    }
    return t;
}

/* Past `<…>`. */
static const token *
skip_angles(const token *t)
{
    int depth = 0;

    for (; t->kind != END; t++) {
        if (is(t, "(") || is(t, "{")) {
            t = skip_brackets(t) - 1;
        } else if (is(t, "<")) {
            depth++;
        } else if (is(t, ">") && --depth == 0) {
            return t + 1;
        } else if (is(t, ";")) {
            return t;
        }
    }
    return t;
}

/* ---- what is declared ------------------------------------------------------------------- */

static cu_status
add_symbol(cu_source_facts *f, const char *prefix, const token *name, bool is_kernel,
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

static bool
takes_parentheses(const token *t)
{
    static const char *const words[] = {
        "__launch_bounds__", "__attribute__",    "__align__", "alignas", "decltype",
        "__builtin_align__", "__cluster_dims__", "noexcept",  "sizeof"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (is(t, words[i])) return true;
    }
    return false;
}

/* What one declaration at namespace scope says, as it is read. */
typedef struct declaration {
    bool kernel, variable, is_extern, is_type, is_template;
    bool initialised;      /* an `=` came: parentheses are no parameters */
    const token *function; /* its name */
    const token *body;     /* its `{` */
    const token *variables[16];
    int nvariables;
} declaration;

static void
note_variable(declaration *d, const token *t)
{
    const token *next = t + 1;

    if (d->nvariables == 16 || d->initialised || d->function) return;
    if (is(next, "[") || is(next, "=") || is(next, ";") || is(next, ",") ||
        (is(next, "{") && !d->is_type)) {
        d->variables[d->nvariables++] = t;
    }
}

static void
note_word(declaration *d, const token *t)
{
    if (is(t, "__global__")) d->kernel = true;
    if (is(t, "__device__") || is(t, "__constant__") || is(t, "__managed__")) {
        d->variable = true;
    }
    if (is(t, "extern") && t[1].kind != STRING) d->is_extern = true;
    if (is(t, "struct") || is(t, "class") || is(t, "union") || is(t, "enum") ||
        is(t, "typedef") || is(t, "using") || is(t, "__shared__")) {
        d->is_type = true;
    }
    note_variable(d, t);
}

/* Read one declaration into *d; the token after it. */
static const token *
read_declaration(const token *t, declaration *d)
{
    while (t->kind != END && !is(t, ";") && !is(t, "}")) {
        if (t->directive) {
            t++;
        } else if (t->kind == WORD) {
            note_word(d, t);
            if (takes_parentheses(t) && is(t + 1, "(")) {
                t = skip_brackets(t + 1);
            } else if (!d->function && !d->initialised && is(t + 1, "(") &&
                       !is(t, "operator")) {
                d->function = t;
                t = skip_brackets(t + 1);
            } else if (!d->initialised && is(t + 1, "<") && !is(t, "operator")) {
                t = skip_angles(t + 1);
            } else {
                t++;
            }
        } else if (is(t, "{")) {
            if (d->function) d->body = t;
            t = skip_brackets(t);
            if (d->function) return t;
        } else if (is(t, "(") || is(t, "[")) {
            t = skip_brackets(t);
        } else {
            if (is(t, "=")) d->initialised = true;
            if (is(t, ",")) d->initialised = false;
            t++;
        }
    }
    return is(t, ";") ? t + 1 : t;
}

static cu_status read_scope(const token **at, const char *prefix, cu_source_facts *f);

static cu_status
read_namespace(const token **at, const char *prefix, cu_source_facts *f)
{
    char inner[512];
    size_t n = (size_t)snprintf(inner, sizeof inner, "%s", prefix);
    const token *t = *at + 1;

    for (; t->kind != END && !is(t, "{") && !is(t, ";") && !is(t, "="); t++) {
        if (n + (size_t)t->length + 3 > sizeof inner) break;
        n += (size_t)snprintf(inner + n, sizeof inner - n, "%.*s", t->length, t->text);
    }
    if (!is(t, "{")) {
        declaration d = {0};
        *at = read_declaration(t, &d);
        return CUPRIC_OK;
    }
    if (n > strlen(prefix)) strcpy(inner + n, "::");
    *at = t + 1;
    return read_scope(at, inner, f);
}

static cu_status
add_function(cu_source_facts *f, const declaration *d, const token *end)
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
keep_declaration(const declaration *d, const token *end, const char *prefix,
                 cu_source_facts *f)
{
    cu_status st = CUPRIC_OK;

    if (d->body && !d->is_type) st = add_function(f, d, end);
    if (st) return st;
    if (d->is_template || d->is_extern) return CUPRIC_OK;
    if (d->function) {
        if (!d->kernel) return CUPRIC_OK;
        return add_symbol(f, prefix, d->function, true, is(end - 1, "}"));
    }
    if (!d->variable || d->is_type) return CUPRIC_OK;
    for (int i = 0; i < d->nvariables && !st; i++) {
        st = add_symbol(f, prefix, d->variables[i], false, false);
    }
    return st;
}

static cu_status
read_scope(const token **at, const char *prefix, cu_source_facts *f)
{
    const token *t = *at;
    cu_status st = CUPRIC_OK;

    if (f->depth == MAX_NESTING) {
        return cu_fail(CUPRIC_ERR_COMPILE, "namespaces are nested more than %d deep",
                       MAX_NESTING);
    }
    f->depth++;
    while (t->kind != END && !st) {
        declaration d = {0};
        if (is(t, "}")) {
            t++;
            break;
        }
        if (t->directive || is(t, ";")) {
            t++;
            continue;
        }
        if (is(t, "inline") && is(t + 1, "namespace")) t++;
        if (is(t, "namespace")) {
            st = read_namespace(&t, prefix, f);
            continue;
        }
        if (is(t, "extern") && t[1].kind == STRING) {
            t += 2;
            if (is(t, "{")) {
                t++;
                st = read_scope(&t, prefix, f);
                continue;
            }
        }
        while (is(t, "template") && is(t + 1, "<")) {
            d.is_template = true;
            t = skip_angles(t + 1);
        }
        const token *before = t;
        t = read_declaration(t, &d);
        st = st ? st : keep_declaration(&d, t, prefix, f);
        if (t == before && t->kind != END && !is(t, "}")) t++;
    }
    f->depth--;
    *at = t;
    return st;
}

/* ---- flags -------------------------------------------------------------------------------- */

static bool
makes_wait(const token *t)
{
    return starts(t, "__syncthreads") || is(t, "__syncwarp") || starts(t, "__shfl") ||
           is(t, "__ballot_sync") || is(t, "__any_sync") || is(t, "__all_sync") ||
           is(t, "__uni_sync") || is(t, "__activemask") || starts(t, "__match_") ||
           starts(t, "__reduce_") || is(t, "cooperative_groups") ||
           starts(t, "__barrier_sync");
}

/* Headers that lie in cuda/: they add no kernels and nothing that waits. */
static bool
is_own_header(const token *t)
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
read_flags(const token *t, cu_source_facts *f)
{
    for (; t->kind != END; t++) {
        if (!t->directive) continue;
        if (is(t, "#")) {
            if (starts(t + 1, "if")) f->conditional = true;
            if (is(t + 1, "include") && !is_own_header(t + 2)) f->includes = true;
        } else if (is(t, "__global__") || is(t, "__device__") ||
                   is(t, "__constant__")) {
            f->conditional = true; /* in a macro */
        }
    }
}

/* ---- who waits ---------------------------------------------------------------------------- */

static bool
names_one_that_waits(const cu_source_facts *f, const token *t)
{
    for (int i = 0; i < f->nfunctions; i++) {
        if (f->functions[i].waits && is(t, f->functions[i].name)) return true;
    }
    return false;
}

static bool
body_waits(const cu_source_facts *f, const cu_source_function *one)
{
    for (const token *t = one->begin; t < (const token *)one->end; t++) {
        if (t->kind == WORD && (makes_wait(t) || names_one_that_waits(f, t)))
            return true;
    }
    return false;
}

/* A function waits that has the words, or names one that waits. Words in a class or a
 * macro may be anybody's. */
static void
find_waits(const token *t, cu_source_facts *f)
{
    int next = 0; /* functions are in the order of the text */
    bool more = true;

    for (; t->kind != END; t++) {
        while (next < f->nfunctions && t >= (const token *)f->functions[next].end)
            next++;
        if (next < f->nfunctions && t >= (const token *)f->functions[next].begin)
            continue;
        if (t->kind == WORD && makes_wait(t)) f->waits = true;
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

cu_status
cu_source_scan(const char *text, cu_source_facts *out)
{
    tokens list = {0};
    cu_source_facts facts = {0};
    cu_status st = tokenize(text, &list);

    if (!st) {
        const token *t = list.at;
        read_flags(t, &facts);
        while (t->kind != END && !st) st = read_scope(&t, "", &facts);
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

/* ---- extern __shared__ ---------------------------------------------------------------------- */

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
append_tokens(text *out, const token *from, const token *to)
{
    for (; from < to; from++) {
        append(out, from->text, (size_t)from->length);
        append_word(out, " ");
    }
}

/* The type's tokens without attributes. */
static void
append_type(text *out, const token *from, const token *to)
{
    while (from < to) {
        if (is(from, "extern") || is(from, "__shared__")) {
            from++;
        } else if (takes_parentheses(from) && is(from + 1, "(")) {
            from = skip_brackets(from + 1);
        } else {
            append_tokens(out, from, from + 1);
            from++;
        }
    }
}

typedef struct shared_array {
    const token *name, *bracket, *end; /* end: the `;`, or what follows the brackets */
} shared_array;

/* Whether an `extern` begins a dynamic shared array. */
static bool
find_shared(const token *t, shared_array *out)
{
    bool shared = false;
    const bool directive = t->directive;

    for (; t->kind != END && t->directive == directive; t++) {
        if (takes_parentheses(t) && is(t + 1, "(")) {
            t = skip_brackets(t + 1) - 1;
        } else if (is(t, "__shared__")) {
            shared = true;
        } else if (is(t, "[")) {
            if (!shared || !is(t + 1, "]")) return false;
            *out = (shared_array){t - 1, t, t + 2};
            while (is(out->end, "[")) out->end = skip_brackets(out->end);
            return true;
        } else if (is(t, ";") || is(t, "{") || is(t, "}") || is(t, "(")) {
            return false;
        }
    }
    return false;
}

static void
append_shared(text *out, const token *start, const shared_array *a, bool in_function)
{
    const token *rest = a->bracket + 2;

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
opens_namespace(const token *first, const token *t)
{
    if (t > first + 1 && t[-1].kind == STRING && is(t - 2, "extern")) return true;
    while (t > first && (t[-1].kind == WORD || is(t - 1, "::"))) {
        if (is(--t, "namespace")) return true;
    }
    return false;
}

cu_status
cu_source_rewrite(const char *source, char **out)
{
    tokens list = {0};
    text result = {0};
    const char *copied = source;
    int depth = 0; /* of braces that are not namespaces */
    char stack[256] = {0};
    int nstack = 0;
    cu_status st = tokenize(source, &list);

    for (const token *t = list.at; !st && t->kind != END; t++) {
        shared_array a;
        if (!t->directive && is(t, "{")) {
            const char opaque = !opens_namespace(list.at, t);
            if (nstack < (int)sizeof stack) stack[nstack] = opaque;
            nstack++;
            depth += opaque;
        } else if (!t->directive && is(t, "}") && nstack > 0) {
            if (--nstack < (int)sizeof stack) depth -= stack[nstack];
        } else if (is(t, "__noinline__") && !is(t - (t > list.at), "(")) {
            /* no macro: the C++ library writes __attribute__((__noinline__)) */
            append(&result, copied, (size_t)(t->text - copied));
            append_word(&result, "__attribute__((noinline))");
            copied = t->text + t->length;
        } else if (is(t, "extern") && find_shared(t, &a)) {
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
