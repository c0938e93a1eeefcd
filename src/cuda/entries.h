/* cuda/entries.h: the functions that the CUDA device's table is made of.
 *
 * What each promises stands in device/verbs.def, beside its row. Work
 * is queued on the stream and runs later; every function may be called from any thread,
 * with or without the GIL.
 */
#ifndef CUPRIC_CUDA_ENTRIES_H
#define CUPRIC_CUDA_ENTRIES_H

#include "device/backend.h"

#define VERB(result, name, parameters) result cu_cuda_##name parameters;
#define CUDA VERB
#include "device/verbs.def"

/* More is copied by a kernel: 40 MB on an H100 in 30 us, by the driver in 33, 1 GiB in 716
 * and 736. */
#define CUPRIC_CUDA_MOST_COPIED (4u << 20)

#endif
