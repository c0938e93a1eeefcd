/* host/threads.c: a pool of threads that sleep on one word.
 *
 * A job is announced by raising `generation`, on which idle workers sleep. A worker
 * joins through `gate`, a count of the workers inside with one bit that says whether
 * the job still admits any:
 *
 *     caller                          worker
 *     fill `job`, gate = OPEN
 *     generation++, wake       --->   gate: OPEN|k -> OPEN|k+1, or back to sleep
 *     take pieces                     take pieces
 *     gate &= ~OPEN                   gate--, wake the caller when 0 is left
 *     wait until gate == 0
 *
 * So the caller waits only for workers that have begun, never for one that the system
 * is slow to wake. `busy` is held by the caller for the whole job; whoever finds it
 * taken computes alone.
 */
#define _GNU_SOURCE
#include "host/threads.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define GATE_OPEN 0x80000000u
#define MAX_THREADS 1024
#define PIECES_OF_LONG 32   /* where the work can be cancelled, between two pieces */
#define PIECES_PER_THREAD 4 /* so that a thread the system holds up costs little */
#define SPINS 400 /* about 20 us: longer than a short pause between operations */

typedef struct job {
    void (*fn)(void *arg, int64_t begin, int64_t end);
    void *arg;
    int64_t n, piece;
    const bool *cancelled; /* by another thread; NULL: by none */
    _Atomic int64_t next;  /* first element that nobody has taken */
} job;

static struct pool {
    _Atomic uint32_t generation; /* futex of the workers */
    _Atomic uint32_t gate;       /* futex of the caller */
    _Atomic int sleeping;        /* workers in, or about to be in, futex_wait */
    atomic_flag busy;
    atomic_bool started;
    int workers; /* running; written before `started` */
    job job;
} pool = {.busy = ATOMIC_FLAG_INIT};

bool cu_host_least;

static _Atomic int threads_wanted; /* 0: not decided yet */
static _Thread_local bool in_worker;
static _Thread_local const bool *cancelled; /* see cu_host_threads_cancel_by */

void
cu_host_threads_cancel_by(const bool *flag)
{
    cancelled = flag;
}

const bool *
cu_host_threads_cancelled_by(void)
{
    return cancelled;
}

static inline bool
is_set(const bool *flag)
{
    return __builtin_expect(flag && __atomic_load_n(flag, __ATOMIC_RELAXED), 0);
}

static void
futex_wait(_Atomic uint32_t *word, uint32_t seen)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

static void
futex_wake(_Atomic uint32_t *word, int count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

static inline void
spin_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* The CPUs that this process may run on. */
static int
cpus_allowed(void)
{
    for (int n = 1024; n <= 1 << 20; n *= 2) {
        cpu_set_t *set = CPU_ALLOC(n);
        size_t nbytes = CPU_ALLOC_SIZE(n);
        int count = 0;
        if (!set) break;
        if (sched_getaffinity(0, nbytes, set) == 0) count = CPU_COUNT_S(nbytes, set);
        CPU_FREE(set);
        if (count > 0) return count;
    }
    return 1;
}

void
cu_host_threads_configure(const char *setting)
{
    long n = setting ? strtol(setting, NULL, 10) : 0;
    if (n <= 0) n = cpus_allowed();
    atomic_store(&threads_wanted, (int)(n > MAX_THREADS ? MAX_THREADS : n));
}

int
cu_host_threads(void)
{
    int n = atomic_load_explicit(&threads_wanted, memory_order_relaxed);
    if (__builtin_expect(n == 0, 0)) {
        cu_host_threads_configure(NULL);
        n = atomic_load_explicit(&threads_wanted, memory_order_relaxed);
    }
    return n;
}

static void
job_take_pieces(job *j)
{
    for (;;) {
        int64_t begin =
            atomic_fetch_add_explicit(&j->next, j->piece, memory_order_relaxed);
        if (begin >= j->n || is_set(j->cancelled)) return;
        j->fn(j->arg, begin, j->n - begin < j->piece ? j->n : begin + j->piece);
    }
}

/* Sleep until the generation is another than `seen`; returns it. */
static uint32_t
worker_wait(uint32_t seen)
{
    uint32_t now = seen;
    for (int i = 0; i < SPINS; i++) {
        now = atomic_load_explicit(&pool.generation, memory_order_acquire);
        if (now != seen) return now;
        spin_pause();
    }
    /* The count goes up before the word is read for the last time, and the caller
     * raises the word before it reads the count: one of the two sees the other. */
    atomic_fetch_add(&pool.sleeping, 1);
    while ((now = atomic_load(&pool.generation)) == seen) {
        futex_wait(&pool.generation, seen);
    }
    atomic_fetch_sub(&pool.sleeping, 1);
    return now;
}

static bool
worker_join(void)
{
    uint32_t gate = atomic_load_explicit(&pool.gate, memory_order_relaxed);
    while (gate & GATE_OPEN) {
        if (atomic_compare_exchange_weak_explicit(&pool.gate, &gate, gate + 1,
                                                  memory_order_acquire,
                                                  memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

static void *
worker_main(void *arg)
{
    uint32_t seen = (uint32_t)(uintptr_t)arg;
    in_worker = true;
    for (;;) {
        seen = worker_wait(seen);
        if (!worker_join()) continue;
        job_take_pieces(&pool.job);
        if (atomic_fetch_sub_explicit(&pool.gate, 1, memory_order_acq_rel) == 1) {
            futex_wake(&pool.gate, 1);
        }
    }
    return NULL;
}

void
cu_host_signals_of_others(sigset_t *out)
{
    static const int own[] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGSYS, SIGURG};

    sigfillset(out);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(out, own[i]);
}

/* In a forked child only the forking thread lives: forget the others. */
static void
pool_drop_in_child(void)
{
    atomic_store(&pool.gate, 0);
    atomic_store(&pool.sleeping, 0);
    pool.workers = 0;
    atomic_store(&pool.started, false);
    atomic_flag_clear(&pool.busy);
    in_worker = false;
}

/* The caller holds `busy`. Fewer threads than wanted is no failure. */
static void
pool_start_busy(void)
{
    static bool registered; /* inherited by children, as the handler is */
    uint32_t seen = atomic_load(&pool.generation);
    sigset_t others, before;
    pthread_attr_t attr;

    if (!registered) registered = pthread_atfork(NULL, NULL, pool_drop_in_child) == 0;
    cu_host_signals_of_others(&others);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    for (int i = 1; i < cu_host_threads(); i++) {
        pthread_t thread;
        if (pthread_create(&thread, &attr, worker_main, (void *)(uintptr_t)seen)) break;
        pool.workers++;
    }
    pthread_attr_destroy(&attr);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    atomic_store_explicit(&pool.started, true, memory_order_release);
}

/* Elements per piece: the last level of balance against the cost of taking one. Large
 * pieces are whole cache lines for every type, so that threads do not share lines. */
static int64_t
piece_size(int64_t n, int64_t grain, int threads)
{
    int64_t piece =
        n / ((int64_t)threads * (cancelled ? PIECES_OF_LONG : PIECES_PER_THREAD));
    if (piece < grain) piece = grain;
    if (piece >= cu_host_threshold(1024, n)) piece = (piece + 63) & ~INT64_C(63);
    return piece;
}

/* The caller holds `busy`. */
static void
pool_run_busy(void)
{
    job *j = &pool.job;
    int64_t pieces = (j->n - 1) / j->piece + 1;
    int wanted = pieces - 1 < pool.workers ? (int)(pieces - 1) : pool.workers;

    atomic_store_explicit(&pool.gate, GATE_OPEN, memory_order_release);
    atomic_fetch_add(&pool.generation, 1);
    if (atomic_load(&pool.sleeping) > 0) futex_wake(&pool.generation, wanted);
    job_take_pieces(j);

    uint32_t gate =
        atomic_fetch_and_explicit(&pool.gate, ~GATE_OPEN, memory_order_acq_rel) &
        ~GATE_OPEN;
    for (int i = 0; gate != 0; i++) {
        if (i < SPINS) {
            spin_pause();
        } else {
            futex_wait(&pool.gate, gate);
        }
        gate = atomic_load_explicit(&pool.gate, memory_order_acquire);
    }
}

/* In one piece, or where it can be cancelled in some more. */
static void
run_alone(int64_t n, int64_t grain, void (*fn)(void *, int64_t, int64_t), void *arg)
{
    job j = {.fn = fn, .arg = arg, .n = n, .piece = n, .cancelled = cancelled};

    if (cancelled && n > grain) j.piece = piece_size(n, grain, 1);
    job_take_pieces(&j);
}

void
cu_host_parallel(int64_t n, int64_t grain,
                 void (*fn)(void *arg, int64_t begin, int64_t end), void *arg)
{
    if (n <= 0 || is_set(cancelled)) return;
    grain = cu_host_threshold(grain, 1);
    if (grain < 1) grain = 1;
    if (n <= grain || in_worker || cu_host_threads() == 1 ||
        atomic_flag_test_and_set_explicit(&pool.busy, memory_order_acquire)) {
        run_alone(n, grain, fn, arg);
        return;
    }
    if (!atomic_load_explicit(&pool.started, memory_order_acquire)) pool_start_busy();
    if (pool.workers == 0) {
        atomic_flag_clear_explicit(&pool.busy, memory_order_release);
        run_alone(n, grain, fn, arg);
        return;
    }
    pool.job.fn = fn;
    pool.job.arg = arg;
    pool.job.n = n;
    pool.job.piece = piece_size(n, grain, pool.workers + 1);
    pool.job.cancelled = cancelled;
    atomic_store_explicit(&pool.job.next, 0, memory_order_relaxed);
    pool_run_busy();
    atomic_flag_clear_explicit(&pool.busy, memory_order_release);
}
