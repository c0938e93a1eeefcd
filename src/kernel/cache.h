/* kernel/cache.h: compiled kernels, kept in memory and on disk.
 *
 * A binary is looked for among the modules that are loaded, then in the user's cache
 * folder, and is compiled if it is in neither. The key holds what is known before a
 * compilation: source, options, names, and the backend's compiler_id. What the compiler
 * read besides is kept with the binary, which serves as long as that has not changed.
 */
#ifndef CUPRIC_KERNEL_CACHE_H
#define CUPRIC_KERNEL_CACHE_H

#include "device/device.h"

/* The module of a source on `device`, loaded once per process and never unloaded. Any
 * thread, without the GIL. With CUPRIC_ERR_COMPILE, *log has the compiler's messages and
 * the caller frees it; otherwise it is empty. */
cu_status cu_cache_module(cu_device *device, const cu_compile *args, cu_module **out,
                          cu_blob *log);

/* A binary that the caller brought: loaded once per content. */
cu_status cu_cache_binary(cu_device *device, const void *data, size_t nbytes,
                          cu_module **out);

/* Lend the folder on disk to the backends, for their own kernels. Before any is loaded. */
void cu_cache_lend(void);

/* How many sources were compiled in this process, and how many came from disk. */
void cu_cache_counts(int64_t *compiled, int64_t *read);

#endif
