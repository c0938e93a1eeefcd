/* cuda/graph.h: captures, for those whose calls a capture changes. */
#ifndef CUPRIC_CUDA_GRAPH_H
#define CUPRIC_CUDA_GRAPH_H

#include <stdatomic.h>

#include "cuda/driver.h"

extern atomic_int cu_cuda_ncaptures; /* ours that are open */

bool cu_cuda_capture_lookup(CUstream stream);
cu_status cu_cuda_capture_refused(const char *what) __attribute__((cold));
/* Whether our captures on a device are open. */
bool cu_cuda_capture_on(int ordinal);

/* Whether what `stream` is given is recorded, be it by a capture of ours. */
static inline bool
cu_cuda_is_captured(CUstream stream)
{
    if (CUPRIC_LIKELY(!atomic_load_explicit(&cu_cuda_ncaptures, memory_order_relaxed)))
        return false;
    return cu_cuda_capture_lookup(stream);
}

/* Fails where the stream is being captured, before the driver does, which would spoil the
 * capture. `what` says what cannot be recorded. */
static inline cu_status
cu_cuda_capture_refuse(CUstream stream, const char *what)
{
    return cu_cuda_is_captured(stream) ? cu_cuda_capture_refused(what) : CUPRIC_OK;
}

/* Set the thread's capture mode; returns the one before. Relaxed, it may take memory while
 * a stream is captured: memory is made at once and harms no capture. */
CUstreamCaptureMode cu_cuda_capture_mode(CUstreamCaptureMode mode);

/* Release `p` with the graph that `stream` is being captured into. */
cu_status cu_cuda_capture_keep(CUstream stream, void *p, void (*release)(void *p));

#endif
