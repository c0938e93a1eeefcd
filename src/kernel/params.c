/* kernel/params.c: the parameter lists of user kernels.
 *
 *     list  = [param {"," param}]
 *     param = {"raw" | "_non_const"} type name
 *     type  = one letter, a placeholder for any dtype | the name of a dtype
 */
#include "kernel/params.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MAX_WORDS 8

/* Other names that NumPy has for a dtype and for which one name of ours is meant. */
static const struct alias {
    const char *name;
    cu_dtype dtype;
} aliases[] = {
    {"bool_", CUPRIC_BOOL},          {"intp", CUPRIC_INT64},
    {"uintp", CUPRIC_UINT64},        {"float_", CUPRIC_FLOAT64},
    {"complex_", CUPRIC_COMPLEX128},
};

static cu_dtype
dtype_named(const char *name)
{
    for (int t = 0; t < CUPRIC_N_DTYPES; t++) {
        if (strcmp(cu_dtypes[t].name, name) == 0) return (cu_dtype)t;
    }
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (strcmp(aliases[i].name, name) == 0) return aliases[i].dtype;
    }
    return CUPRIC_NO_DTYPE;
}

static bool
is_identifier(const char *s)
{
    if (!isalpha((unsigned char)*s) && *s != '_') return false;
    while (isalnum((unsigned char)*s) || *s == '_') s++;
    return *s == '\0';
}

/* The words of [text, end), each cut at the size of a name. */
static int
split(const char *text, const char *end, char words[][CUPRIC_PARAM_NAME])
{
    int n = 0;

    while (text < end) {
        size_t length = 0;
        while (text < end && isspace((unsigned char)*text)) text++;
        while (text + length < end && !isspace((unsigned char)text[length])) length++;
        if (length == 0) break;
        if (n == MAX_WORDS || length >= CUPRIC_PARAM_NAME) return -1;
        memcpy(words[n], text, length);
        words[n++][length] = '\0';
        text += length;
    }
    return n;
}

static cu_status
parse_param(const char *text, const char *end, bool output, cu_param *p)
{
    char words[MAX_WORDS][CUPRIC_PARAM_NAME];
    const int length = (int)(end - text), n = split(text, end, words);

    if (n < 2) {
        return cu_fail(CUPRIC_ERR_VALUE,
                       "Syntax error: '%.*s' is not a parameter: a type and a name are "
                       "needed",
                       length, text);
    }
    *p = (cu_param){.dtype = CUPRIC_NO_DTYPE, .is_const = !output};
    memcpy(p->type, words[n - 2], CUPRIC_PARAM_NAME);
    memcpy(p->name, words[n - 1], CUPRIC_PARAM_NAME);
    if (strlen(p->type) != 1) {
        p->dtype = dtype_named(p->type);
        if (p->dtype == CUPRIC_NO_DTYPE) {
            return cu_fail(
                CUPRIC_ERR_VALUE,
                "Wrong type %s: the name of a dtype (float32, int64, …) or a "
                "single letter is needed",
                p->type);
        }
    } else if (!isalpha((unsigned char)p->type[0])) {
        return cu_fail(CUPRIC_ERR_VALUE, "Wrong type %s", p->type);
    }
    for (int i = 0; i < n - 2; i++) {
        if (strcmp(words[i], "raw") == 0) {
            p->raw = true;
        } else if (strcmp(words[i], "_non_const") == 0) {
            p->is_const = false;
        } else {
            return cu_fail(CUPRIC_ERR_VALUE, "Unknown keyword \"%s\" in '%.*s'",
                           words[i], length, text);
        }
    }
    return CUPRIC_OK;
}

cu_status
cu_params_parse(const char *text, bool outputs, cu_params *p)
{
    while (*text) {
        const char *end = text + strcspn(text, ",");
        const int n = p->nin + p->nout;
        const char *word = text + strspn(text, " \t\r\n");
        if (word == end && *end == '\0')
            break; /* an empty list, or a comma at the end */
        if (n == CUPRIC_MAXPARAMS) {
            return cu_fail(CUPRIC_ERR_VALUE, "a kernel can have %d parameters",
                           CUPRIC_MAXPARAMS);
        }
        cu_status st = parse_param(text, end, outputs, &p->at[n]);
        if (st) return st;
        p->nin += !outputs;
        p->nout += outputs;
        text = end + (*end == ',');
    }
    return CUPRIC_OK;
}

cu_status
cu_params_check(const cu_params *p)
{
    const int n = p->nin + p->nout;

    for (int i = 0; i < n; i++) {
        const char *name = p->at[i].name;
        if (!is_identifier(name)) {
            return cu_fail(CUPRIC_ERR_VALUE, "'%s' cannot be the name of a parameter",
                           name);
        }
        if (strcmp(name, "i") == 0 || strcmp(name, "_ind") == 0) {
            return cu_fail(CUPRIC_ERR_VALUE,
                           "Can not use '%s' as a parameter name: it is "
                           "the index of the loop",
                           name);
        }
        for (int j = 0; j < i; j++) {
            if (strcmp(name, p->at[j].name) == 0) {
                return cu_fail(CUPRIC_ERR_VALUE, "two parameters are called '%s'",
                               name);
            }
        }
    }
    return CUPRIC_OK;
}
