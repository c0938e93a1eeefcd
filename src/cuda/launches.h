/* cuda/launches.h: which kernels were launched last, and what CUPRIC_DEBUG tells of them.
 *
 * A fault of the device shows at a later call, so that its message names the kernels
 * launched before it.
 */
#ifndef CUPRIC_CUDA_LAUNCHES_H
#define CUPRIC_CUDA_LAUNCHES_H

#include "device/backend.h"

/* With CUPRIC_DEBUG=launch every launch is waited for, so that a fault shows at its
 * call; from level 2 on each is timed and told. Called once, when the plugin is loaded. */
void cu_cuda_launches_configure(const char *debug, int64_t level);
extern bool cu_cuda_awaits_launches;
extern bool cu_cuda_logs_launches;

/* A kernel is launched. `name` is there for ever. */
void cu_cuda_record_launch(const char *name);

/* Names of the kernels launched last, newest first, for a message; "" if none. */
void cu_cuda_launched_names(char *out, size_t nout);

/* What the thread's next launch reads and writes, to be told with its time. */
void cu_cuda_record_bytes(const cu_iter *it) __attribute__((cold));
/* The same, once: 0 where it is not known. */
double cu_cuda_recorded_bytes(void) __attribute__((cold));

static inline void
cu_cuda_log_bytes(const cu_iter *it)
{
    if (CUPRIC_UNLIKELY(cu_cuda_logs_launches)) cu_cuda_record_bytes(it);
}

#endif
