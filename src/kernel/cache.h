/* kernel/cache.h: compiled kernels, kept in memory and on disk.
 *
 * A binary is looked for among the kernels that come compiled with a package, the modules
 * that are loaded and the user's cache folder, and is compiled if it is nowhere. What
 * comes compiled is found by source, options and names alone, without asking for a
 * compiler. The other key holds its identity, compiler_id, too. What the compiler
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

/* What a kernel that comes compiled is found by. */
void cu_cache_shipped_key(const cu_compile *args, uint64_t key[2]);

/* Look for kernels that come compiled in another folder too, besides the package's own: it
 * stays. CUPRIC_ERR_VALUE where there are too many. */
cu_status cu_cache_add_folder(const char *path);

/* A binary that the caller brought: loaded once per content. */
cu_status cu_cache_binary(cu_device *device, const void *data, size_t nbytes,
                          cu_module **out);

/* Lend the folder on disk to the backends, for their own kernels. Before any is loaded. */
void cu_cache_share(void);

/* How many sources were compiled in this process, and how many came from disk. */
void cu_cache_counts(int64_t *compiled, int64_t *read);
/* How many came compiled with a package. */
int64_t cu_cache_shipped(void);

#endif
