/* cuda/archive.h: the kernels that come compiled with the package.
 *
 * One file, written when the package is built (tools/kernel_archive.py) and mapped when
 * the first kernel is looked for. A kernel is found by a hash of all that its binary
 * depends on, so that what is found is never older than the code that asks. Nothing here
 * needs a device, the driver or the compiler.
 */
#ifndef CUPRIC_CUDA_ARCHIVE_H
#define CUPRIC_CUDA_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cu_archive cu_archive; /* opaque: the struct is in archive.c */

/* Map the file. NULL where there is none, where it is damaged, or where it was made for
 * other device code than `code` names. The caller owns it. */
cu_archive *cu_archive_open(const char *path, uint64_t code);
void cu_archive_close(cu_archive *a); /* NULL is fine */

/* The names of the kernels of an entry, each ended by '\0', in order; NULL where there is
 * none of that hash. Kernels that were compiled together are loaded together: *unit. */
const char *cu_archive_find(const cu_archive *a, uint64_t hash, int *unit);

/* The image of a unit, as the driver takes it, of all architectures; NULL where it is
 * damaged. Borrowed from the archive, as the names are. */
const void *cu_archive_image(const cu_archive *a, int unit);

int cu_archive_units(const cu_archive *a);
int cu_archive_size(const cu_archive *a); /* entries */

/* Whether there is machine code for compute capability major.minor: that of its own
 * architecture or of a lower one with the same major number. For others the driver
 * compiles the assembly that is there too. */
bool cu_archive_has_code_for(const cu_archive *a, int major, int minor);

/* What an entry is found by: the kernel's source, whether products and sums may be fused,
 * and, of a source with several, the kernel's name ("" for all of them). */
uint64_t cu_archive_hash(const char *source, bool fuses, const char *name);

/* What the file is checked by: of words `step` bytes apart of n bytes, a multiple of 8. */
uint64_t cu_archive_checksum(const void *data, size_t n, size_t step);

#endif
