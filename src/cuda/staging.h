/* cuda/staging.h: copies between the device and ordinary memory of the host.
 *
 * The device reaches pinned memory only. A large copy passes through a pinned buffer of
 * each of a few threads, two halves in turn: one is filled while the other travels.
 */
#ifndef CUPRIC_CUDA_STAGING_H
#define CUPRIC_CUDA_STAGING_H

#include "device/backend.h"

#define CUPRIC_STAGED_FROM ((size_t)2 << 20) /* bytes; below, the driver's own way */

cu_status cu_cuda_staged_to_device(void *dst, const void *src, size_t nbytes,
                                   cu_stream *s);
/* All of it has arrived on return. */
cu_status cu_cuda_staged_to_host(void *dst, const void *src, size_t nbytes,
                                 cu_stream *s);

#endif
