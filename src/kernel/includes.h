/* kernel/includes.h: the headers that a source may include. */
#ifndef CUPRIC_KERNEL_INCLUDES_H
#define CUPRIC_KERNEL_INCLUDES_H

#include <stdbool.h>

#include "device/backend.h"
#include "kernel/depends.h"

/* Whether a source or its options name headers that are not the package's. */
bool cu_includes_any(const cu_compile *args);

/* Add to `out` each file that decides what the includes of a source come to: the headers,
 * those that these include, the places earlier on the search path where one of the same
 * name would be taken instead, and what __has_include asks about. `files` is the
 * compiler's own list, each path ended by a zero byte, or empty where it has none. What
 * conditions leave out is in the list as well: a list that is too long costs a
 * compilation, one that is too short a wrong kernel. Where a name cannot be told, as one
 * that a macro makes of parts, and the compiler has no list, out->unknown is set. */
void cu_includes_find(const cu_compile *args, const cu_blob *files, cu_depends *out);

#endif
