/* cuda/binaries.h: the kernels of the package's own sources, loaded.
 *
 * Looked for in the archive that comes with the package, then on disk, and compiled if it
 * is in neither. The compiler and its headers are touched only then. Where there is no
 * compiler and the archive has no machine code for the device, the driver compiles the
 * archive's assembly.
 */
#ifndef CUPRIC_CUDA_BINARIES_H
#define CUPRIC_CUDA_BINARIES_H

#include <stdbool.h>

#include "device/backend.h"

/* The `n` kernels of args->source, called args->file and their numbers, or the one that
 * args->names has. `fuses`: args->options let products and sums become one operation.
 * `what` is for CUPRIC_DEBUG. The functions are static. */
cu_status cu_cuda_binary_get(int ordinal, const cu_compile *args, bool fuses,
                             const char *what, int n, cu_function **out);

/* The same, if they come compiled for the device: otherwise false. */
bool cu_cuda_binary_ships(int ordinal, const cu_compile *args, bool fuses,
                          const char *what, int n, cu_function **out);

/* One more, for CUPRIC_DEBUG and cu_cuda_kernel_counts. */
void cu_cuda_count_kernel(cu_kernel_count from, const char *what);

#endif
