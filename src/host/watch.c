/* host/watch.c: see watch.h.
 *
 *     launches:  even -- begin --> odd -- end --> even      written by the main thread alone
 */
#define _GNU_SOURCE
#include "host/watch.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host/block.h"
#include "host/threads.h"
#include "host/traps.h"

#define POLL_MS 50
#define IDLE_POLLS 20

static struct watch {
    _Atomic uint32_t launches; /* a futex of the watching thread */
    atomic_bool awake;
    bool started, registered;
    pthread_t main_thread;
} watch;

static _Thread_local signed char is_main; /* 0: not known yet, -1: it is another */

static void
pause_ms(int ms)
{
    const struct timespec t = {.tv_nsec = (long)ms * 1000000};

    nanosleep(&t, NULL);
}

/* A store of the main thread that came before it read `awake` is seen after the pause. */
static void
sleep_until_launch(struct watch *w, uint32_t seen)
{
    atomic_store(&w->awake, false);
    pause_ms(1);
    while (atomic_load(&w->launches) == seen) {
        syscall(SYS_futex, &w->launches, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
    }
    atomic_store(&w->awake, true);
}

static void *
watch_main(void *arg)
{
    struct watch *const w = arg;
    uint32_t seen = atomic_load(&w->launches);
    int idle = 0;

    for (;;) {
        pause_ms(POLL_MS);
        const uint32_t now = atomic_load(&w->launches);
        idle = now == seen && now % 2 == 0 ? idle + 1 : 0;
        if (now == seen && now % 2) {
            cu_host_traps_install();
            cu_block_ask(w->main_thread);
        }
        seen = now;
        if (idle < IDLE_POLLS) continue;
        sleep_until_launch(w, seen);
        idle = 0;
    }
    return NULL;
}

/* In a forked child only the forking thread lives. */
static void
forget_in_child(void)
{
    watch.started = false;
    atomic_store(&watch.awake, false);
}

static void
start(struct watch *w)
{
    sigset_t others, before;
    pthread_t thread;

    if (!w->registered) {
        w->registered = pthread_atfork(NULL, NULL, forget_in_child) == 0;
    }
    w->main_thread = pthread_self();
    cu_host_signals_of_others(&others);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    w->started = pthread_create(&thread, NULL, watch_main, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!w->started) return;
    pthread_detach(thread);
    atomic_store(&w->awake, true);
}

static bool
find_whether_main(void)
{
    is_main = syscall(SYS_gettid) == getpid() ? 1 : -1;
    return is_main > 0;
}

bool
cu_host_watch_begin(void)
{
    struct watch *const w = &watch;
    const uint32_t n = atomic_load_explicit(&w->launches, memory_order_relaxed);

    if (is_main < 0 || (is_main == 0 && !find_whether_main()) || n % 2) return false;
    atomic_store_explicit(&w->launches, n + 1, memory_order_release);
    if (CUPRIC_LIKELY(atomic_load_explicit(&w->awake, memory_order_relaxed)))
        return true;
    if (w->started) {
        syscall(SYS_futex, &w->launches, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    } else {
        start(w);
    }
    return true;
}

void
cu_host_watch_end(void)
{
    const uint32_t n = atomic_load_explicit(&watch.launches, memory_order_relaxed);

    atomic_store_explicit(&watch.launches, n + 1, memory_order_release);
}
