/* host/runner.c: see runner.h.
 *
 *     runner.task:  NULL -- given ----> set -- done, waited for ----> NULL
 *                                        \--- given up, done -------> NULL
 */
#define _GNU_SOURCE
#include "host/runner.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host/block.h"
#include "host/threads.h"
#include "host/traps.h"

#define POLL_MS 50   /* between looks for signals */
#define GRACE_MS 100 /* for a cancelled call to end at a piece */

atomic_int cu_host_attention;

typedef struct request {
    cu_status (*fn)(void *arg);
    void *arg;
    cu_status status;
    bool done;
} request;

static struct runner {
    pthread_mutex_t lock;
    pthread_cond_t given, changed; /* changed: done, settled, or a request */
    bool started;
    const cu_host_task *task; /* borrowed from whoever waits; NULL: nothing to do */
    cu_host_task kept;        /* the task when it was given up */
    cu_stream stream;
    bool done;
    atomic_bool given_up; /* changes under the lock */
    bool cancelled;       /* atomic: threads.h reads it */
    request *request;     /* of the runner, for whoever waits; NULL: none */
    cu_status status;
    bool failed; /* `message` says why */
    char message[4096];
} runner = {.lock = PTHREAD_MUTEX_INITIALIZER,
            .given = PTHREAD_COND_INITIALIZER,
            .changed = PTHREAD_COND_INITIALIZER};

static _Thread_local bool is_runner;

/* ---- the thread ---------------------------------------------------------------------- */

static void
task_end_locked(struct runner *r)
{
    r->done = true;
    if (r->given_up) {
        free(r->kept.memory);
        r->task = NULL;
        r->given_up = false;
        atomic_fetch_sub(&cu_host_attention, 1);
    }
    pthread_cond_broadcast(&r->changed);
}

static void *
runner_main(void *arg)
{
    struct runner *const r = arg;

    is_runner = true;
    cu_host_threads_cancel_by(&r->cancelled);
    pthread_mutex_lock(&r->lock);
    for (;;) {
        while (!r->task || r->done) pthread_cond_wait(&r->given, &r->lock);
        cu_status (*run)(const void *, cu_stream *) = r->task->run;
        const void *const call = r->task->call;
        pthread_mutex_unlock(&r->lock);
        const cu_status st = run(call, &r->stream);
        pthread_mutex_lock(&r->lock);
        r->status = st;
        task_end_locked(r);
    }
    return NULL;
}

/* In a forked child only the forking thread lives: what was in flight will not be done. */
static void
before_fork(void)
{
    pthread_mutex_lock(&runner.lock);
}

static void
after_fork(void)
{
    pthread_mutex_unlock(&runner.lock);
}

static void
after_fork_in_child(void)
{
    if (runner.given_up) atomic_fetch_sub(&cu_host_attention, 1);
    runner.started = runner.done = false;
    runner.given_up = false;
    runner.task = NULL;
    runner.request = NULL;
    pthread_cond_init(&runner.given, NULL);
    pthread_cond_init(&runner.changed, NULL);
    pthread_mutex_unlock(&runner.lock);
}

/* Libraries take their threads' memory away when a process exits; a call that is in flight
 * there must not find it gone. */
static void
at_exit(int status, void *unused)
{
    (void)unused;
    if (!cu_host_in_flight()) return;
    fflush(NULL);
    _exit(status);
}

static bool
start_locked(void)
{
    static bool registered; /* inherited by children, as the handlers are */
    sigset_t others, before;
    pthread_t thread;

    if (runner.started) return true;
    if (!registered) {
        pthread_atfork(before_fork, after_fork, after_fork_in_child);
        on_exit(at_exit, NULL);
        registered = true;
    }
    cu_host_signals_of_others(&others);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    runner.started = pthread_create(&thread, NULL, runner_main, &runner) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (runner.started) pthread_detach(thread);
    return runner.started;
}

/* ---- waiting ------------------------------------------------------------------------- */

static struct timespec
from_now(int ms)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += (long)ms * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

/* Until something changes, at most for `ms`; false then. */
static bool
wait_locked(int ms)
{
    const struct timespec until = from_now(ms);

    return pthread_cond_timedwait(&runner.changed, &runner.lock, &until) == 0;
}

/* Do what the runner asks for, as the thread that called: with its GIL. */
static void
answer_locked(void **gil)
{
    request *const q = runner.request;

    runner.request = NULL;
    pthread_mutex_unlock(&runner.lock);
    cu_host_gil_take(*gil);
    q->status = q->fn(q->arg);
    *gil = cu_host_gil_release();
    pthread_mutex_lock(&runner.lock);
    q->done = true;
    pthread_cond_broadcast(&runner.changed);
}

static bool
is_interrupted_locked(void)
{
    bool raised;

    pthread_mutex_unlock(&runner.lock);
    raised = cu_host_interrupted();
    pthread_mutex_lock(&runner.lock);
    return raised;
}

/* The call ends at its next piece, and whoever waits does nothing for it any more. */
static void
cancel_locked(const cu_host_task *t)
{
    const struct timespec until = from_now(GRACE_MS);
    int failed = 0;

    __atomic_store_n(&runner.cancelled, true, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&runner.changed);
    pthread_mutex_unlock(&runner.lock);
    cu_block_stop(NULL, &runner.cancelled, GRACE_MS);
    pthread_mutex_lock(&runner.lock);
    while (!runner.done && !failed) {
        failed = t->stays
                     ? pthread_cond_wait(&runner.changed, &runner.lock)
                     : pthread_cond_timedwait(&runner.changed, &runner.lock, &until);
    }
}

static void
give_up_locked(const cu_host_task *t)
{
    runner.kept = *t;
    runner.task = &runner.kept;
    runner.given_up = true;
    atomic_fetch_add(&cu_host_attention, 1);
}

/* Wait for the task that was given. CUPRIC_ERR_PYTHON where a signal ended the waiting. */
static cu_status
wait_for_task_locked(const cu_host_task *t, bool *gone)
{
    void *gil = cu_host_gil_release();
    cu_status st = CUPRIC_OK;

    while (!runner.done && !st) {
        if (runner.request) {
            answer_locked(&gil);
        } else if (!wait_locked(POLL_MS)) {
            cu_host_traps_install();
            if (is_interrupted_locked()) st = CUPRIC_ERR_PYTHON;
        }
    }
    if (!runner.done) cancel_locked(t);
    if (runner.done) {
        runner.task = NULL;
        runner.done = false;
        if (!st) st = runner.status;
    } else {
        give_up_locked(t);
        *gone = true;
    }
    if (gil) { /* whoever has the GIL may want the lock */
        pthread_mutex_unlock(&runner.lock);
        cu_host_gil_take(gil);
        pthread_mutex_lock(&runner.lock);
    }
    return st;
}

bool
cu_host_in_flight(void)
{
    return atomic_load(&runner.given_up) && !is_runner;
}

cu_status
cu_host_drain(void)
{
    cu_status st = CUPRIC_OK;
    void *gil;

    if (!cu_host_in_flight()) return CUPRIC_OK;
    gil = cu_host_gil_release();
    pthread_mutex_lock(&runner.lock);
    while (runner.given_up && !st) {
        if (wait_locked(POLL_MS)) continue;
        if (is_interrupted_locked()) st = CUPRIC_ERR_PYTHON;
    }
    pthread_mutex_unlock(&runner.lock);
    cu_host_gil_take(gil);
    return st;
}

/* ---- tasks --------------------------------------------------------------------------- */

bool
cu_host_use_runner(void)
{
    return !is_runner && syscall(SYS_gettid) == getpid();
}

/* Give the runner a task and wait; false where it cannot take one: a handler of signals,
 * called while a task is waited for, calls the device itself. */
static bool
run_by_runner(const cu_host_task *t, const cu_stream *s, bool *gone, cu_status *st)
{
    pthread_mutex_lock(&runner.lock);
    if (runner.task || !start_locked()) {
        pthread_mutex_unlock(&runner.lock);
        return false;
    }
    runner.task = t;
    runner.stream = *s;
    runner.done = runner.failed = false;
    __atomic_store_n(&runner.cancelled, false, __ATOMIC_RELAXED);
    pthread_cond_signal(&runner.given);
    *st = wait_for_task_locked(t, gone);
    if (*st && *st != CUPRIC_ERR_PYTHON && runner.failed) {
        cu_fail(*st, "%s", runner.message);
    }
    pthread_mutex_unlock(&runner.lock);
    return true;
}

cu_status
cu_host_task_do(const cu_host_task *t, const cu_stream *s, bool *gone)
{
    cu_stream stream = *s;
    cu_status st = cu_host_drain();

    if (st) return st;
    if (cu_host_use_runner() && run_by_runner(t, s, gone, &st)) return st;
    return t->run(t->call, &stream);
}

cu_status
cu_host_task_run(const cu_host_task *t, const cu_stream *s)
{
    bool gone = false;
    const cu_status st = cu_host_task_do(t, s, &gone);

    if (!gone) free(t->memory);
    return st;
}

/* ---- for the runner ------------------------------------------------------------------ */

bool
cu_host_on_runner(void)
{
    return is_runner;
}

cu_status
cu_host_on_caller(cu_status (*fn)(void *arg), void *arg)
{
    request q = {fn, arg, CUPRIC_ERR_RUNTIME, false};

    if (!is_runner) return fn(arg);
    pthread_mutex_lock(&runner.lock);
    runner.request = &q;
    pthread_cond_broadcast(&runner.changed);
    /* Whoever takes the request answers it; after a signal nobody takes it. */
    while (!q.done && !(runner.request && runner.cancelled)) {
        pthread_cond_wait(&runner.changed, &runner.lock);
    }
    runner.request = NULL;
    pthread_mutex_unlock(&runner.lock);
    return q.status;
}

bool
cu_host_runner_fail(const char *fmt, va_list args)
{
    if (!is_runner) return false;
    vsnprintf(runner.message, sizeof runner.message, fmt, args);
    runner.failed = true;
    return true;
}
