/* host/cuda_tokens.h: the tokens of CUDA C++.
 *
 * Comments and white space are left out. Tokens of preprocessor lines are marked.
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
    const char *text; /* borrowed from the source */
    int length;
    cu_token_kind kind;
    bool directive; /* in a preprocessor line */
} cu_token;

/* {0} is empty; free `at`. */
typedef struct cu_tokens {
    cu_token *at; /* owned; the last is END */
    int n, capacity;
} cu_tokens;

/* *out is to be freed after a failure, too. */
cu_status cu_tokenize(const char *text, cu_tokens *out);

/* Whether a token is the text, or begins with it. */
bool cu_token_is(const cu_token *t, const char *text);
bool cu_token_starts(const cu_token *t, const char *text);

/* Whether it is a word whose parentheses do not declare a function: an attribute. */
bool cu_token_takes_parentheses(const cu_token *t);

/* The token after the bracket that closes the one at `t`; after `<…>`. */
const cu_token *cu_token_skip_brackets(const cu_token *t);
const cu_token *cu_token_skip_angles(const cu_token *t);

#endif
