/* cuda/workspace.h: memory of a stream's own, for kernels whose blocks wait for each
 * other.
 *
 * A workspace begins with counters that are zero whenever a kernel starts: kernels leave
 * them as they found them. Flags are words that hold what earlier kernels wrote, which
 * was never the epoch given now. As work on one stream is in order, and the memory is
 * that stream's alone, a kernel may be queued without clearing anything first. Where that
 * does not hold (a stream being captured, a default stream per thread, too many streams)
 * the memory is made for the one launch and cleared.
 */
#ifndef CUPRIC_CUDA_WORKSPACE_H
#define CUPRIC_CUDA_WORKSPACE_H

#include "device/backend.h"

#define CUPRIC_WORKSPACE_COUNTERS 1024

typedef struct cu_workspace {
    void *counters; /* device: CUPRIC_WORKSPACE_COUNTERS of 32 bits */
    void *memory;   /* device: at least what was asked for */
    void *flags;    /* device: the same */
    uint32_t epoch; /* what no flag is */
    void *scratch;  /* private: to give back, or NULL */
    size_t nbytes;  /* private */
} cu_workspace;

/* `nbytes` for partial results, `nflags` 8-byte flags: one of them may be 0. Any thread.
 * The memory is for the kernels that the caller queues until cu_workspace_put. */
cu_status cu_workspace_get(size_t nbytes, size_t nflags, cu_workspace *w, cu_stream *s);
void cu_workspace_put(cu_workspace *w, cu_stream *s);

/* The stream is about to go: nothing uses its workspace any more after what is queued. */
void cu_workspace_drop(int ordinal, void *handle);

#endif
