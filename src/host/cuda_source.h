/* host/cuda_source.h: what the host device has to know of a kernel's source.
 *
 * C++ compiles device code once the keywords are macros, but for three things: which
 * kernels and variables there are (to make a table of them), whether threads wait for
 * each other, and `extern __shared__` arrays, which C++ cannot say. A scan of the tokens
 * answers the first two and finds the third.
 */
#ifndef CUPRIC_HOST_CUDA_SOURCE_H
#define CUPRIC_HOST_CUDA_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

typedef struct cu_source_symbol {
    char *name; /* owned: with its namespaces */
    bool is_kernel;
    bool ambiguous; /* overloaded: its name alone does not say which */
} cu_source_symbol;

/* A function at namespace scope, with its body. */
typedef struct cu_source_function {
    char *name;              /* owned: without its namespaces */
    const void *begin, *end; /* private: tokens, while scanning */
    bool waits;              /* for its neighbours, itself or in what it calls */
} cu_source_function;

/* {0} is empty. */
typedef struct cu_source_facts {
    cu_source_symbol *symbols;     /* owned */
    cu_source_function *functions; /* owned */
    int nsymbols, nfunctions;
    bool waits;       /* barriers or warp operations occur outside of functions */
    bool conditional; /* only the preprocessor can say what is there */
    bool includes;    /* headers other than those that the host device brings */
    bool textures;    /* may be sampled, or surfaces accessed */
    unsigned headers; /* for the compilation: rows of its table of optional headers */
    int depth;        /* private: namespaces open while scanning */
} cu_source_facts;

cu_status cu_source_scan(const char *text, cu_source_facts *out);
void cu_source_facts_clear(cu_source_facts *f);

/* Whether threads of a kernel wait for each other: of "namespace::name<arguments>". A
 * name of several functions counts for all; what is not known waits. */
bool cu_source_waits(const cu_source_facts *f, const char *name);

/* The text with `extern __shared__` arrays and __noinline__ replaced; lines keep their
 * numbers. The caller
 * frees *out. */
cu_status cu_source_rewrite(const char *text, char **out);

#endif
