/* host/cuda_declaration.h: one declaration of CUDA C++, as far as its names go.
 *
 * What a declaration means is the compiler's to say. Read here is where it ends, and what
 * it declares: brackets are skipped whole, so that nothing has to be understood of types,
 * parameters, initialisers and bodies.
 */
#ifndef CUPRIC_HOST_CUDA_DECLARATION_H
#define CUPRIC_HOST_CUDA_DECLARATION_H

#include <stdbool.h>

#include "host/cuda_tokens.h"

#define CUPRIC_MAX_DECLARATORS 16

typedef struct cu_declaration {
    bool is_kernel; /* __global__ */
    bool
        is_variable; /* in the device's memory: __device__, __constant__, __managed__ */
    bool is_extern;  /* a variable that is defined elsewhere */
    bool is_class;   /* struct, class, union, enum: braces may hold its members */
    bool is_alias;   /* no variable: typedef, using, or shared memory */
    bool is_template; /* or an instance of one */
    bool is_operator;
    const cu_token *function;   /* its name, or NULL; of an operator the word itself */
    const cu_token *parameters; /* its `(` */
    const cu_token *body;       /* its `{`; NULL: a prototype */
    const cu_token *variables[CUPRIC_MAX_DECLARATORS];
    int nvariables;
} cu_declaration;

/* Read the declaration at `t`, behind `extern "C"`. Returns the token after its `;` or its
 * body, or a `}` that closes the scope around it. */
const cu_token *cu_declaration_read(const cu_token *t, cu_declaration *out);

#endif
