/* kernel/depends.h: the files that a compiled kernel depends on, and whether they changed.
 *
 * A list holds what was found under each path when it was added: the content of a file,
 * or that there was none. A header that appears earlier on the search path changes what a
 * source means as much as one that was edited.
 */
#ifndef CUPRIC_KERNEL_DEPENDS_H
#define CUPRIC_KERNEL_DEPENDS_H

#include <stdbool.h>

#include "device/backend.h"
#include "kernel/sha256.h"

typedef struct cu_depend cu_depend;

/* {0} is empty. */
typedef struct cu_depends {
    cu_depend *at; /* owned */
    int n, capacity;
    bool unknown; /* there are others, which could not be found out */
} cu_depends;

/* Add what is there now under an absolute path. Without memory: `unknown` is set. */
void cu_depends_add(cu_depends *d, const char *path);
bool cu_depends_has(const cu_depends *d, const char *path);
void cu_depends_release(cu_depends *d);

/* Whether every path leads to what it led to. */
bool cu_depends_hold(const cu_depends *d);

/* Whether no file changed after the time `since_ns` of cu_depends_now: what a compiler
 * that was started then has read is what the list holds. */
bool cu_depends_settled(const cu_depends *d, int64_t since_ns);
int64_t cu_depends_now(void); /* by the clock of file systems */

/* Add the list's paths and contents to a hash. */
void cu_depends_hash(const cu_depends *d, cu_sha256 *h);

/* As bytes, for the caller to free, and back; false where they are no such bytes, or
 * where memory is short. */
bool cu_depends_write(const cu_depends *d, cu_blob *out);
bool cu_depends_read(cu_depends *d, const char *data, size_t nbytes);

/* A file's text, zero-terminated, for the caller to free. NULL where `path` is no regular
 * file, or a huge one. Never waits for a FIFO or a device. */
char *cu_depends_text(const char *path, size_t *nbytes);

#endif
