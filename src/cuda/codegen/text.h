/* cuda/codegen/text.h: writing the source of a kernel. */
#ifndef CUPRIC_CUDA_CODEGEN_TEXT_H
#define CUPRIC_CUDA_CODEGEN_TEXT_H

#include <stdbool.h>

#include "cuda/codegen.h"

typedef struct text {
    char *at;
    size_t nbytes, used;
    const char *name; /* of the kernels, without their numbers */
} text;

/* Text beyond nbytes is counted and dropped. */
__attribute__((format(printf, 2, 3))) void cu_emit(text *t, const char *fmt, ...);
/* The functions that expressions call; those of complex numbers take longest to read. */
void cu_emit_headers(text *t, const char *math, const char *kernels);
/* The head of kernel k: its attributes, name and parameter. */
void cu_emit_kernel(text *t, int k, int threads, const char *params);
/* `blocks` of a processor at least, which limits registers; 0: as the compiler likes. */
void cu_emit_bounded_kernel(text *t, int k, int threads, int blocks,
                            const char *params);

/* ---- what a key says ----------------------------------------------------------------- */

static inline const char *
type_name(int t)
{
    return t < CUPRIC_N_DTYPES ? cu_dtypes[t].ctype : "nothing";
}

/* The type in which 16-bit floats are accumulated. */
static inline int
computed(int t)
{
    return t == CUPRIC_FLOAT16 || t == CUPRIC_BFLOAT16 ? CUPRIC_FLOAT32 : t;
}

static inline int
stored(const cu_kernel_key *key, int i)
{
    return key->type[i] & 0x7f;
}

static inline bool
is_immediate(const cu_kernel_key *key, int i)
{
    return (key->type[i] & CUPRIC_KEY_IMMEDIATE) != 0;
}

static inline const char *
index_type(const cu_kernel_key *key)
{
    return key->flags & CUPRIC_KEY_WIDE ? "long long" : "int";
}

static inline bool
is_complex(int t)
{
    return t < CUPRIC_N_DTYPES && cu_dtypes[t].kind == 'c';
}

#endif
