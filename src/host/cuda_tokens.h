/* host/cuda_tokens.h: the tokens of CUDA C++.
 *
 * Comments and white space are left out. Tokens of preprocessor lines are marked, and so
 * are those of system headers in a text that the preprocessor wrote.
 */
#ifndef CUPRIC_HOST_CUDA_TOKENS_H
#define CUPRIC_HOST_CUDA_TOKENS_H

#include <stdbool.h>

#include "status.h"

typedef enum cu_token_kind {
    CUPRIC_TOKEN_WORD,
    CUPRIC_TOKEN_NUMBER,
    CUPRIC_TOKEN_STRING,
    CUPRIC_TOKEN_PUNCTUATION,
    CUPRIC_TOKEN_END
} cu_token_kind;

typedef struct cu_token {
    const char *start; /* in the source, borrowed */
    const char *text;  /* what it says: where it stands, or the bracket of a digraph */
    int nbytes;        /* in the source */
    int length;        /* of the text */
    cu_token_kind kind;
    bool directive; /* in a preprocessor line */
    bool system;    /* in a system header */
} cu_token;

/* {0} is empty; free `at`. */
typedef struct cu_tokens {
    cu_token *at; /* owned; the last is END */
    int n, capacity;
    bool spliced; /* a word is broken by a backslash at the end of a line */
} cu_tokens;

/* *out is to be freed after a failure, too. */
cu_status cu_tokenize(const char *text, cu_tokens *out);

/* Whether a token is the text, or begins with it. */
bool cu_token_is(const cu_token *t, const char *text);
bool cu_token_starts(const cu_token *t, const char *text);

bool cu_token_is_one_of(const cu_token *t, const char *const *words, int n);

/* Where a token ends in the source. */
const char *cu_token_end(const cu_token *t);

/* Whether it is a word whose parentheses do not declare a function: an attribute. */
bool cu_token_takes_parentheses(const cu_token *t);

/* The token after the bracket that closes the one at `t`; after `<…>`. */
const cu_token *cu_token_skip_brackets(const cu_token *t);
const cu_token *cu_token_skip_angles(const cu_token *t);

/* The token after the name of an operator, of which `t` is the word `operator`. */
const cu_token *cu_token_skip_operator(const cu_token *t);

#endif
