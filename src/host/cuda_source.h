/* host/cuda_source.h: what the host device has to know of a kernel's source.
 *
 * C++ compiles device code once the keywords are macros, but for a few things: which
 * kernels and variables there are (to make a table of them), whether threads wait for
 * each other, and what C++ cannot say (cu_source_rewrite). The declarations of the text
 * answer the first two. What is not understood is left to the compiler: nothing but the
 * words named here is ever changed.
 */
#ifndef CUPRIC_HOST_CUDA_SOURCE_H
#define CUPRIC_HOST_CUDA_SOURCE_H

#include <stdbool.h>
#include <stdio.h>

#include "host/cuda_tokens.h"
#include "status.h"

typedef struct cu_source_symbol {
    char *name;       /* owned: with its namespaces */
    char *parameters; /* owned: of a kernel, without default arguments; or NULL */
    bool is_kernel;
    bool c_linkage;  /* extern "C": known without its namespaces */
    int definitions; /* of a kernel; 0: there are prototypes alone */
    int templates;   /* of the same name */
} cu_source_symbol;

/* A function at namespace scope. */
typedef struct cu_source_function {
    char *name; /* owned: without its namespaces */
    bool waits; /* for its neighbours, itself or in what it calls */
    /* private, while scanning: the declaration; its body, NULL of a prototype */
    const cu_token *begin, *body, *end;
} cu_source_function;

/* {0} is empty. */
typedef struct cu_source_facts {
    cu_source_symbol *symbols;     /* owned */
    cu_source_function *functions; /* owned */
    int nsymbols, nfunctions;
    bool waits;       /* what makes threads wait occurs outside of functions */
    bool hidden;      /* only the preprocessor can say what is there */
    bool includes;    /* headers other than those that the host device brings */
    bool textures;    /* may be sampled, or surfaces accessed */
    unsigned headers; /* for the compilation: cu_unit_headers */
    /* private, while scanning: */
    const cu_token **macros; /* owned: the names that the text defines */
    int nmacros;
    int depth; /* namespaces open */
} cu_source_facts;

/* Read a source, or what the preprocessor made of it. */
cu_status cu_source_scan(const char *text, cu_source_facts *out);
void cu_source_facts_clear(cu_source_facts *f);

/* Whether threads of a kernel wait for each other: of "namespace::name<arguments>". A
 * name of several functions counts for all; what is not known waits. */
bool cu_source_waits(const cu_source_facts *f, const char *name);

/* Find which functions wait, for cu_source_waits; `t` are all tokens of the text. */
void cu_source_find_waits(const cu_token *t, cu_source_facts *f);

/* The text with what C++ does not know replaced; lines keep their numbers. The caller frees
 * *out. */
cu_status cu_source_rewrite(const char *text, char **out);

/* Write #undef lines for those macros of every kernel that a source has for itself. */
cu_status cu_source_put_undefs(const char *source, FILE *f);

#endif
