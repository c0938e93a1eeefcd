/* host/step.h: a call that is done later: recorded in a graph, or run by the runner. */
#ifndef CUPRIC_HOST_STEP_H
#define CUPRIC_HOST_STEP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "device/backend.h"
#include "host/runner.h"

typedef struct cu_host_step cu_host_step;
struct cu_host_step {
    cu_host_step *next;
    const char *name; /* of the verb; static */
    cu_status (*run)(const void *call, cu_stream *s);
    _Alignas(16) char call[];
};

/* A step with space for nbytes of arguments, in no list; the caller owns it. NULL where
 * memory is short, which has been reported. */
cu_host_step *cu_host_step_new(const char *name,
                               cu_status (*run)(const void *, cu_stream *),
                               size_t nbytes);

/* Append a step to the recording of `s`, or run it in the order of the stream. Steals it.
 * NULL is a failure that has been reported. */
cu_status cu_host_step_add(cu_host_step *st, const cu_stream *s);

/* Whether the stream is being captured: one load where nothing is. */
bool cu_host_is_recorded(const cu_stream *s);

bool cu_host_runs_in_place_now(const cu_stream *s, bool is_long);

/* A call, or a graph, that took as long the last time is for the runner. */
#define CUPRIC_HOST_LONG_NS 5000000

/* Whether a call is to be done in place, as almost all are: not recorded, not for the
 * runner (runner.h), which is for long ones and those that come after one in flight. */
static inline bool
cu_host_runs_in_place(const cu_stream *s, bool is_long)
{
    if (CUPRIC_LIKELY(!atomic_load_explicit(&cu_host_attention, memory_order_relaxed) &&
                      !is_long)) {
        return true;
    }
    return cu_host_runs_in_place_now(s, is_long);
}

#endif
