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

cu_status
cu_tokenize(const char *p, cu_tokens *out)
{
    bool directive = false, line_start = true;

    while (*p) {
        const char *start = p;
        cu_token_kind kind = CUPRIC_TOKEN_PUNCTUATION;
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
            kind = CUPRIC_TOKEN_NUMBER;
            while (is_word(*p) || *p == '.' || (*p == '\'' && is_word(p[1]))) p++;
        } else if (is_word(*p)) {
            kind = CUPRIC_TOKEN_WORD;
            while (is_word(*p)) p++;
            if (*p == '"' && is_raw_prefix(start, p)) {
                kind = CUPRIC_TOKEN_STRING;
                p = skip_raw_string(p);
            }
        } else if (*p == '"' || *p == '\'') {
            kind = CUPRIC_TOKEN_STRING;
            p = skip_quoted(p);
        } else {
            p += p[0] == ':' && p[1] == ':' ? 2 : 1;
        }
        cu_status st =
            add_token(out, (cu_token){start, (int)(p - start), kind, directive});
        if (st) return st;
    }
    return add_token(out, (cu_token){p, 0, CUPRIC_TOKEN_END, false});
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

const cu_token *
cu_token_skip_angles(const cu_token *t)
{
    int depth = 0;

    for (; t->kind != CUPRIC_TOKEN_END; t++) {
        if (cu_token_is(t, "(") || cu_token_is(t, "{")) {
            t = cu_token_skip_brackets(t) - 1;
        } else if (cu_token_is(t, "<")) {
            depth++;
        } else if (cu_token_is(t, ">") && --depth == 0) {
            return t + 1;
        } else if (cu_token_is(t, ";")) {
            return t;
        }
    }
    return t;
}

bool
cu_token_takes_parentheses(const cu_token *t)
{
    static const char *const words[] = {
        "__launch_bounds__", "__attribute__",    "__align__", "alignas", "decltype",
        "__builtin_align__", "__cluster_dims__", "noexcept",  "sizeof"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (cu_token_is(t, words[i])) return true;
    }
    return false;
}
