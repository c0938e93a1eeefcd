/* host/compiler.h: the C++ compiler that kernels are compiled with. */
#ifndef CUPRIC_HOST_COMPILER_H
#define CUPRIC_HOST_COMPILER_H

#include "status.h"

typedef struct cu_compiler {
    char *words[8]; /* the command: a path, perhaps after ccache's; NULL-terminated */
    int nwords;
    char include[4096];      /* the folder of device headers */
    char include_host[4200]; /* and of the host's own */
    char id[1024]; /* what a binary depends on besides its source and options */
} cu_compiler;

void cu_compiler_init(void); /* once, before the rest */

/* The compiler, static; looked for once it is needed, and again while there is none.
 * CUPRIC_ERR_COMPILE with what to install. Any thread. */
cu_status cu_compiler_get(const cu_compiler **out);

#endif
