/* tests/kernel/includes_lister.c: the headers of a source, where no compiler tells. */
#include <stdlib.h>

#include "kernel/includes.h"

cu_depends *
list_new(const char *source, const char *const *options, int n)
{
    const cu_compile args = {source, "kernel.cu", options, n, NULL, 0};
    cu_depends *d = calloc(1, sizeof *d);

    if (d) cu_includes_find(&args, &(cu_blob){0}, d);
    return d;
}

int
holds(const cu_depends *d)
{
    return cu_depends_hold(d);
}
