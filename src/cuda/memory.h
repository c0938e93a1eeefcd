/* cuda/memory.h: scratch memory, and what the driver keeps of it. */
#ifndef CUPRIC_CUDA_MEMORY_H
#define CUPRIC_CUDA_MEMORY_H

#include "device/backend.h"

/* Device memory for the duration of work on a stream, ordered after it and freed when it
 * is done; for what an operation needs besides its operands. */
cu_status cu_cuda_scratch_get(size_t nbytes, void **out, cu_stream *s);
void cu_cuda_scratch_put(void *ptr, size_t nbytes, cu_stream *s);

/* Give back what the driver keeps of scratch memory. Waits for the device. */
void cu_cuda_scratch_trim(int ordinal);

#endif
