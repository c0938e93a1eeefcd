/* host/cuda_tokens.c: device code to tokens. */
#include "host/cuda_tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static cu_status
add_token(cu_tokens *list, cu_token t)
{
    if (list->n == list->capacity) {
        const int capacity = list->capacity ? 2 * list->capacity : 256;
        cu_token *at = realloc(list->at, (size_t)capacity * sizeof *at);
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

/* A bracket that is spelled by two characters: how many are there, 0 for none. `<::` is a
 * `<` before a name of the global namespace. */
static int
read_digraph(const char *p, const char **says)
{
    static const struct {
        const char *spelled, *says;
    } digraphs[] = {{"<%", "{"}, {"%>", "}"}, {"<:", "["}, {":>", "]"}, {"%:", "#"}};

    if (!strncmp(p, "<::", 3) && p[3] != ':' && p[3] != '>') return 0;
    for (size_t i = 0; i < sizeof digraphs / sizeof *digraphs; i++) {
        if (strncmp(p, digraphs[i].spelled, 2)) continue;
        *says = digraphs[i].says;
        return 2;
    }
    return 0;
}

/* Past a backslash and the end of its line; `p` where there is none. */
static const char *
skip_splice(const char *p)
{
    if (*p != '\\') return p;
    if (p[1] == '\n') return p + 2;
    return p[1] == '\r' && p[2] == '\n' ? p + 3 : p;
}

/* Whether a line says that what follows is from a system header: # 12 "name" 1 3 */
static bool
read_line_marker(const char *p, bool *system)
{
    while (*p == ' ' || *p == '\t') p++;
    if (!isdigit((unsigned char)*p)) return false;
    while (*p && *p != '"' && *p != '\n') p++;
    if (*p != '"') return false;
    p = skip_quoted(p);
    *system = false;
    for (; *p && *p != '\n'; p++) *system |= *p == '3';
    return true;
}

/* The token at *p, which is moved behind it. */
static cu_token
read_token(const char **at)
{
    const char *p = *at;
    cu_token t = {.start = p, .text = p, .kind = CUPRIC_TOKEN_PUNCTUATION};

    if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
        t.kind = CUPRIC_TOKEN_NUMBER;
        while (is_word(*p) || *p == '.' || (*p == '\'' && is_word(p[1]))) p++;
    } else if (is_word(*p)) {
        t.kind = CUPRIC_TOKEN_WORD;
        while (is_word(*p)) p++;
        if (*p == '"' && is_raw_prefix(t.start, p)) {
            t.kind = CUPRIC_TOKEN_STRING;
            p = skip_raw_string(p);
        }
    } else if (*p == '"' || *p == '\'') {
        t.kind = CUPRIC_TOKEN_STRING;
        p = skip_quoted(p);
    } else {
        const int digraph = read_digraph(p, &t.text);
        p += digraph ? digraph : p[0] == ':' && p[1] == ':' ? 2 : 1;
        t.length = digraph ? 1 : 0;
    }
    t.nbytes = (int)(p - t.start);
    if (!t.length) t.length = t.nbytes;
    *at = p;
    return t;
}

cu_status
cu_tokenize(const char *p, cu_tokens *out)
{
    bool directive = false, line_start = true, system = false;

    while (*p) {
        const char *spliced = skip_splice(p);
        if (spliced > p) {
            if (out->n && is_word(*spliced) && is_word(p[-1])) out->spliced = true;
            p = spliced;
        } else if (*p == '\n') {
            directive = false;
            line_start = true;
            p++;
        } else if (isspace((unsigned char)*p)) {
            p++;
        } else if (*p == '/' && (p[1] == '/' || p[1] == '*')) {
            p = skip_comment(p);
        } else {
            cu_token t = read_token(&p);
            if (line_start && cu_token_is(&t, "#")) {
                directive = true;
                read_line_marker(p, &system);
            }
            line_start = false;
            t.directive = directive;
            t.system = system;
            cu_status st = add_token(out, t);
            if (st) return st;
        }
    }
    return add_token(out, (cu_token){.start = p, .text = p, .kind = CUPRIC_TOKEN_END});
}

bool
cu_token_is(const cu_token *t, const char *text)
{
    return (size_t)t->length == strlen(text) &&
           !memcmp(t->text, text, (size_t)t->length);
}

bool
cu_token_starts(const cu_token *t, const char *text)
{
    const size_t n = strlen(text);
    return (size_t)t->length >= n && !memcmp(t->text, text, n);
}

const cu_token *
cu_token_skip_brackets(const cu_token *t)
{
    int depth = 0;

    for (; t->kind != CUPRIC_TOKEN_END; t++) {
        if (t->directive || t->kind != CUPRIC_TOKEN_PUNCTUATION) continue;
        const char c = *t->text;
        if (c == '(' || c == '[' || c == '{') depth++;
        if ((c == ')' || c == ']' || c == '}') && --depth == 0) return t + 1;
    }
    return t;
}

/* Whether the `<` or `>` at `t` is part of `<<`, `<=`, `>=`, `->`: no bracket. A `>>` closes
 * two. */
static bool
is_operator(const cu_token *t)
{
    const char *next = cu_token_end(t);

    if (*next == '=') return true;
    if (*t->text == '<') return *next == '<' || t->start[-1] == '<';
    return t->start[-1] == '-';
}

const cu_token *
cu_token_skip_angles(const cu_token *t)
{
    int depth = 0;

    for (; t->kind != CUPRIC_TOKEN_END; t++) {
        if (cu_token_is(t, "(") || cu_token_is(t, "{") || cu_token_is(t, "[")) {
            t = cu_token_skip_brackets(t) - 1;
        } else if (cu_token_is(t, "<")) {
            depth += depth == 0 || !is_operator(t);
        } else if (cu_token_is(t, ">") && !is_operator(t) && --depth == 0) {
            return t + 1;
        } else if (cu_token_is(t, ";") || cu_token_is(t, "}")) {
            return t;
        }
    }
    return t;
}

/* operator(), operator[], operator+=, operator new[], operator""_km, operator float *. */
const cu_token *
cu_token_skip_operator(const cu_token *t)
{
    t++;
    if (cu_token_is(t, "(") && cu_token_is(t + 1, ")")) return t + 2;
    while (t->kind != CUPRIC_TOKEN_END && !cu_token_is(t, "(") &&
           !cu_token_is(t, ";") && !cu_token_is(t, "{") && !cu_token_is(t, "}")) {
        t++;
    }
    return t;
}

bool
cu_token_is_one_of(const cu_token *t, const char *const *words, int n)
{
    for (int i = 0; i < n; i++) {
        if (cu_token_is(t, words[i])) return true;
    }
    return false;
}

const char *
cu_token_end(const cu_token *t)
{
    return t->start + t->nbytes;
}

bool
cu_token_takes_parentheses(const cu_token *t)
{
    static const char *const words[] = {"__launch_bounds__",
                                        "__attribute__",
                                        "__attribute",
                                        "__align__",
                                        "alignas",
                                        "decltype",
                                        "__declspec",
                                        "__builtin_align__",
                                        "__cluster_dims__",
                                        "__block_size__",
                                        "__maxnreg__",
                                        "noexcept",
                                        "sizeof",
                                        "explicit",
                                        "requires",
                                        "typeof",
                                        "__typeof__",
                                        "__extension__",
                                        "_Pragma",
                                        "__pragma"};

    return cu_token_is_one_of(t, words, sizeof words / sizeof *words);
}
