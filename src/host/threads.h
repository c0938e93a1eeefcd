/* host/threads.h: the threads that the host device computes with.
 *
 * One pool per process, made by the first call that has work to share. A forked child
 * makes its own. Every function may be called from any thread, with or without the GIL.
 */
#ifndef CUPRIC_HOST_THREADS_H
#define CUPRIC_HOST_THREADS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The text of CUPRIC_NUM_THREADS, or NULL for as many threads as the process may use
 * CPUs. Called once, when the backend is loaded, before anything is computed. */
void cu_host_threads_configure(const char *setting);

/* For tests, _CUPRIC_TESTING=least: whether the sizes from which work is divided, among
 * threads or into blocks, are at their least, so that small arrays cross them. Constant
 * once something is computed. */
extern bool cu_host_least;

/* A size that decides how work is divided: `usual`, or `least` in such tests. */
static inline int64_t
cu_host_threshold(int64_t usual, int64_t least)
{
    return __builtin_expect(cu_host_least, 0) ? least : usual;
}

/* The threads that compute, the calling one included; at least 1, constant once
 * asked. */
int cu_host_threads(void);

/* Run fn(arg, begin, end) over pieces that together are [0, n), each of at least
 * `grain` but for the last. Returns when all are done; the calling thread takes part.
 * Runs as one piece in the calling thread when n <= grain, when there is one thread,
 * inside another call, and while another thread has the pool: so calls never wait for
 * each other. Which thread runs which piece, and where pieces end, varies from call to
 * call. */
void cu_host_parallel(int64_t n, int64_t grain,
                      void (*fn)(void *arg, int64_t begin, int64_t end), void *arg);

/* What the calling thread computes ends at the next piece once *flag is set, unfinished:
 * its cu_host_parallel returns early, and later ones at once. The flag is for ever. */
void cu_host_threads_cancel_by(const bool *flag);
const bool *cu_host_threads_cancelled_by(void); /* NULL: by none */

/* The signals that a thread of ours leaves to the program's threads: all but those that
 * its own instructions raise, for which the system would otherwise end the process without
 * asking a handler, and SIGURG, by which block.c is told to stop. */
void cu_host_signals_of_others(sigset_t *out);

#ifdef __cplusplus
}
#endif
#endif
