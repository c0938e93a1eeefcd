/* kernel/disk.h: the folder of compiled kernels.
 *
 * Files are written beside and renamed, so that a reader sees all of a file or none of
 * it, whoever else writes; what is read is checked by its hash. Nothing here fails: where
 * a folder cannot be used, kernels are compiled by each process.
 */
#ifndef CUPRIC_KERNEL_DISK_H
#define CUPRIC_KERNEL_DISK_H

#include <stdbool.h>

#include "device/backend.h"
#include "kernel/depends.h"
#include "kernel/sha256.h"

/* The folder's path, whether it is there or not; false where there is no place for it, or
 * kernels are to be kept in memory alone. */
bool cu_disk_folder(char *path, size_t n);

/* The binary of a key, for the caller to free, and what it depends on, to be released
 * (NULL: not wanted). False where there is none, where it is damaged or another's, and
 * where a dependency has changed. */
bool cu_disk_read(const unsigned char key[CUPRIC_SHA256_NBYTES], cu_depends *depends,
                  cu_blob *out);

/* Keep a binary with its dependencies, and its source beside it for people to read. */
void cu_disk_write(const unsigned char key[CUPRIC_SHA256_NBYTES],
                   const cu_depends *depends, const cu_blob *binary,
                   const char *source);

#endif
