/* host/runner.h: long calls of the main thread, which a signal can end.
 *
 * Python's signal handlers run in the main thread, between its instructions. So a call that
 * may take long is done by a thread of its own, the runner, while the main thread waits,
 * looks for signals, and leaves with the exception that a handler raised:
 *
 *     main thread       give -> wait … signal: cancel, wait a little -> give up, raise
 *     runner                    run the call … to its end, which may be long after
 *
 * A cancelled call ends at its next piece (threads.h), a user's kernel where it is
 * (block.h). One that cannot be stopped, inside LAPACK, goes on, with arguments that are its
 * own; what it works on
 * is then in flight: every later call to the device waits first until it is done, streams
 * and events say that they are not, and nothing is unmapped. What the call was to write is
 * undefined. Calls of other threads run as they come: no signal ends them.
 */
#ifndef CUPRIC_HOST_RUNNER_H
#define CUPRIC_HOST_RUNNER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "device/backend.h"

/* Not 0: streams are being captured (graph.c), or a call that was given up is in flight. */
extern atomic_int cu_host_attention;

typedef struct cu_host_task {
    cu_status (*run)(const void *call, cu_stream *s);
    const void *call; /* its arguments */
    void *memory;     /* owned, from malloc: what `call` lies in */
    bool stays;       /* works on memory of the host's: is never given up */
} cu_host_task;

/* Do the task, by the runner where a signal is to end it; frees its memory. When nothing
 * is in flight any more. CUPRIC_ERR_PYTHON: a signal handler raised. Any thread. */
cu_status cu_host_task_run(const cu_host_task *t, const cu_stream *s);
/* The same, but for the memory: it is the caller's still unless *gone was set. */
cu_status cu_host_task_do(const cu_host_task *t, const cu_stream *s, bool *gone);

/* Whether a long call from this thread is one for the runner. */
bool cu_host_use_runner(void);

/* Whether a call that was given up still runs; and wait until none does. */
bool cu_host_in_flight(void);
cu_status cu_host_drain(void);

/* In the runner: have the thread that waits for the call do fn(arg). Fails when it has
 * gone. In any other thread: do it. */
cu_status cu_host_on_caller(cu_status (*fn)(void *arg), void *arg);

/* Whether this thread is the runner. */
bool cu_host_on_runner(void);

/* In the runner: keep the message of a failure for the thread that waits. False in any
 * other thread. */
bool cu_host_runner_fail(const char *fmt, va_list args);

/* py_signals.c: whether a signal handler has raised, which is Python's exception then; and
 * let go of the GIL where this thread has it, for cu_host_gil_take. */
bool cu_host_interrupted(void);
void *cu_host_gil_release(void);
void cu_host_gil_take(void *state);

#endif
