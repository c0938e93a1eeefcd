/* host/block.c: runs blocks of threads, as a plain loop or as fibers that take turns.
 *
 * A module without barriers and warp operations has its own loop over threads. In others
 * a thread may have to wait for its neighbours, so it runs on a fiber. A fiber is made
 * only when a thread has to wait: until then one fiber runs thread after thread, which
 * costs no more than the loop. Threads that can go on have the right of way over threads
 * that have not begun, so a warp that reduces by shuffles needs 32 fibers, not 1024.
 *
 *     not begun --> running --> waiting (block or warp) --> ready --> running --> done
 *
 * All threads of a block are on one thread of the system: nothing here is locked.
 */
#define _GNU_SOURCE /* REG_RIP, dl_iterate_phdr */
#include "host/block.h"

#include <errno.h>
#include <link.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "host/fiber.h"

#define MAX_THREADS CUPRIC_MAX_BLOCK_THREADS
#define MAX_WARPS (MAX_THREADS / CUPRIC_WARP_SIZE)

typedef enum lane_state { IDLE, WAITS_BLOCK, WAITS_WARP } lane_state;

/* One thread of the block. */
typedef struct lane {
    cu_fiber *fiber; /* borrowed: where it waits */
    cupric_warp_op *op;
    cupric_index index;
    lane_state state;
} lane;

/* Lanes of a warp that wait for the same set of lanes. */
typedef struct convergence {
    unsigned mask, arrived;
} convergence;

typedef struct warp_state {
    unsigned live; /* lanes that have not returned */
    int nconvergences;
    convergence convergences[CUPRIC_WARP_SIZE];
} warp_state;

/* What a thread of the system needs to run blocks. Made once, kept. */
typedef struct worker {
    struct worker *next; /* of all, guarded by workers_lock */
    pthread_t thread;

    /* the job at hand */
    cu_block_launch
        *launch; /* lives while in_kernel, and is read by this thread alone */
    const bool *cancelled;
    const cupric_entry *entry;
    void *const *args;
    cupric_place *place;
    cu_block_failure *why;

    /* the block at hand */
    int nthreads, begun, live, current;
    int arrived, votes; /* at the barrier; those with a true predicate */
    int results[3];     /* of the last barrier, by kind */
    bool relaxed;       /* the kernel asked which lanes are active */
    int ready_head, nready;
    uint16_t ready[MAX_THREADS]; /* a ring */
    lane lanes[MAX_THREADS];
    warp_state warps[MAX_WARPS];

    /* fibers */
    cu_fiber *home; /* owned: the thread of the system itself */
    int nfibers, nfree;
    cu_fiber *fibers[MAX_THREADS + 1]; /* owned */
    cu_fiber *free[MAX_THREADS + 1];   /* borrowed: without a thread to run */
    cu_fiber *running;                 /* borrowed */

    cu_races *races; /* owned, where they are looked for */
    jmp_buf escape;  /* of plain loops */
    bool in_fibers;
    bool asks; /* whether `asking` has given way to `home` so that it asks */
    cu_fiber *asking;
    atomic_bool in_kernel; /* read by handlers of signals, and who sends them */
} worker;

static pthread_mutex_t workers_lock = PTHREAD_MUTEX_INITIALIZER;
static worker *workers; /* guarded by workers_lock */

static pthread_key_t worker_key;
static pthread_once_t worker_once = PTHREAD_ONCE_INIT;
/* Of the initial TLS model, as handlers of signals read it: any other may allocate. */
static _Thread_local worker *this_worker __attribute__((tls_model("initial-exec")));

static void
worker_free(void *arg)
{
    worker *w = arg;

    pthread_mutex_lock(&workers_lock);
    for (worker **p = &workers; *p; p = &(*p)->next) {
        if (*p != w) continue;
        *p = w->next;
        break;
    }
    pthread_mutex_unlock(&workers_lock);
    for (int i = 0; i < w->nfibers; i++) cu_fiber_free(w->fibers[i]);
    cu_fiber_free(w->home);
    cu_races_free(w->races);
    free(w);
}

static void
make_key(void)
{
    pthread_key_create(&worker_key, worker_free);
}

static worker *
worker_get(void)
{
    if (this_worker) return this_worker;
    pthread_once(&worker_once, make_key);
    worker *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    if (cu_fiber_adopt(&w->home)) {
        free(w);
        return NULL;
    }
    pthread_setspecific(worker_key, w);
    w->thread = pthread_self();
    pthread_mutex_lock(&workers_lock);
    w->next = workers;
    workers = w;
    pthread_mutex_unlock(&workers_lock);
    return this_worker = w;
}

bool
cu_block_is_running(void)
{
    return this_worker && atomic_load(&this_worker->in_kernel);
}

/* A handler of this thread's sees it in order, another thread soon enough. */
static inline void
set_in_kernel(worker *w, bool in)
{
    atomic_store_explicit(&w->in_kernel, in, memory_order_release);
}

static void
fail_block(worker *w, const char *text)
{
    if (w->why->failed) return;
    w->why->failed = true;
    snprintf(w->why->text, sizeof w->why->text, "%s", text);
}

/* ---- turns --------------------------------------------------------------------------- */

static void
push_ready(worker *w, int t)
{
    w->lanes[t].state = IDLE;
    w->ready[(w->ready_head + w->nready++) % MAX_THREADS] = (uint16_t)t;
}

static int
pop_ready(worker *w)
{
    const int t = w->ready[w->ready_head];

    w->ready_head = (w->ready_head + 1) % MAX_THREADS;
    w->nready--;
    return t;
}

static void
set_current(worker *w, int t)
{
    w->current = t;
    w->place->thread = w->lanes[t].index;
}

/* Where races are looked for, the last thread is the first to run: what happened to be in
 * order may show. */
static int
nth_thread(const worker *w, int n)
{
    return CUPRIC_UNLIKELY(w->races) ? w->nthreads - 1 - n : n;
}

static void
switch_to(worker *w, cu_fiber *to)
{
    cu_fiber *from = w->running;

    if (from == to) return;
    w->running = to;
    cu_fiber_switch(from, to);
}

static void describe_deadlock(worker *w);
static bool relax(worker *w);
static void thread_done(worker *w);

/* What a fiber does: thread after thread, for as long as the process lives. */
static void
fiber_main(void *arg)
{
    worker *w = arg;

    for (;;) {
        w->entry->thread(w->args);
        thread_done(w);
    }
}

static cu_fiber *
fiber_take(worker *w)
{
    cu_fiber *f;

    if (w->nfree) return w->free[--w->nfree];
    if (w->nfibers > MAX_THREADS || cu_fiber_new(fiber_main, w, &f)) return NULL;
    return w->fibers[w->nfibers++] = f;
}

/* The block is over, well or badly: back to the caller of run_fibers. */
static void
leave_block(worker *w)
{
    switch_to(w, w->home);
}

/* The current thread waits. Returns when it is its turn again. */
static void
wait_turn(worker *w)
{
    const int self = w->current;

    w->lanes[self].fiber = w->running;
    if (!w->nready && w->begun == w->nthreads && !relax(w)) {
        describe_deadlock(w);
        leave_block(w);
    }
    if (w->nready) {
        const int t = pop_ready(w);
        set_current(w, t);
        switch_to(w, w->lanes[t].fiber);
        return;
    }
    cu_fiber *f = fiber_take(w);
    if (!f) {
        fail_block(w, "CUDA_ERROR_OUT_OF_MEMORY: no memory for the stacks of a block");
        leave_block(w);
    }
    set_current(w, nth_thread(w, w->begun++));
    switch_to(w, f);
}

/* ---- races ----------------------------------------------------------------------------- */

static void
end_by_race(worker *w, const cu_race *race)
{
    const cupric_index b = w->place->block;
    char text[sizeof w->why->text];

    snprintf(text, sizeof text, "block (%u, %u, %u)", b.x, b.y, b.z);
    fail_block(w, text);
    w->why->race = *race;
    leave_block(w);
}

/* The current thread's last write is made. */
static void
settle(worker *w)
{
    cu_race race;

    if (CUPRIC_LIKELY(!w->races)) return;
    if (cu_races_settle(w->races, &race)) end_by_race(w, &race);
}

static void
runtime_access(const void *p, size_t nbytes, cupric_access kind, const void *at)
{
    worker *const w = this_worker;
    cu_race race;

    if (!w || !w->races || !w->in_fibers) return;
    if (cu_races_access(w->races, w->current, p, nbytes, kind, at, &race)) {
        end_by_race(w, &race);
    }
}

/* ---- convergence of a warp ------------------------------------------------------------- */

static void
exchange(worker *w, int first, unsigned members)
{
    unsigned ballot = 0;

    for (int i = 0; i < CUPRIC_WARP_SIZE; i++) {
        if (members >> i & 1 && w->lanes[first + i].op->source) ballot |= 1u << i;
    }
    for (int i = 0; i < CUPRIC_WARP_SIZE; i++) {
        if (!(members >> i & 1)) continue;
        cupric_warp_op *op = w->lanes[first + i].op;
        op->members = members;
        if (op->kind == CUPRIC_WARP_BALLOT) {
            op->result = ballot;
        } else if (op->kind == CUPRIC_WARP_SHUFFLE) {
            const unsigned from = (unsigned)op->source % CUPRIC_WARP_SIZE;
            if (members >> from & 1) {
                const cupric_warp_op *other = w->lanes[first + from].op;
                if (other->in) memcpy(op->out, other->in, op->nbytes);
            }
        } else if (op->kind == CUPRIC_WARP_GATHER) {
            for (int j = 0; j < CUPRIC_WARP_SIZE; j++) {
                if (!(members >> j & 1) || !w->lanes[first + j].op->in) continue;
                memcpy((char *)op->out + j * op->nbytes, w->lanes[first + j].op->in,
                       op->nbytes);
            }
        }
    }
}

/* All lanes are there: exchange, and let those that waited go on. */
static void
converge(worker *w, int warp, int which)
{
    warp_state *s = &w->warps[warp];
    const int first = warp * CUPRIC_WARP_SIZE;
    const unsigned members = s->convergences[which].arrived;

    if (CUPRIC_UNLIKELY(w->races)) cu_races_converge(w->races, warp, members);
    s->convergences[which] = s->convergences[--s->nconvergences];
    exchange(w, first, members);
    for (int i = 0; i < CUPRIC_WARP_SIZE; i++) {
        if (members >> i & 1 && w->lanes[first + i].state == WAITS_WARP) {
            push_ready(w, first + i);
        }
    }
}

static int
find_convergence(warp_state *s, unsigned mask)
{
    for (int i = 0; i < s->nconvergences; i++) {
        if (s->convergences[i].mask == mask) return i;
    }
    s->convergences[s->nconvergences] = (convergence){mask, 0};
    return s->nconvergences++;
}

static bool
complete(const warp_state *s, const convergence *m)
{
    return !(m->mask & s->live & ~m->arrived);
}

static void
runtime_warp(unsigned mask, cupric_warp_op *op)
{
    worker *w = this_worker;
    settle(w);
    const int self = w->current, warp = self / CUPRIC_WARP_SIZE;
    const unsigned bit = 1u << self % CUPRIC_WARP_SIZE;
    warp_state *s = &w->warps[warp];
    const int which = find_convergence(s, mask | bit);

    w->lanes[self].op = op;
    s->convergences[which].arrived |= bit;
    if (complete(s, &s->convergences[which])) {
        converge(w, warp, which);
        return;
    }
    w->lanes[self].state = WAITS_WARP;
    wait_turn(w);
}

/* ---- the block's barrier ---------------------------------------------------------------- */

static void
open_barrier(worker *w)
{
    if (CUPRIC_UNLIKELY(w->races)) cu_races_barrier(w->races);
    w->results[CUPRIC_BARRIER_COUNT] = w->votes;
    w->results[CUPRIC_BARRIER_AND] = w->votes == w->arrived;
    w->results[CUPRIC_BARRIER_OR] = w->votes > 0;
    w->arrived = w->votes = 0;
    for (int t = 0; t < w->nthreads; t++) {
        if (w->lanes[t].state == WAITS_BLOCK) push_ready(w, t);
    }
}

static int
runtime_barrier(cupric_barrier_kind kind, int predicate)
{
    worker *w = this_worker;

    settle(w);
    w->arrived++;
    w->votes += predicate != 0;
    if (w->arrived == w->live) {
        open_barrier(w);
    } else {
        w->lanes[w->current].state = WAITS_BLOCK;
        wait_turn(w);
    }
    return w->results[kind];
}

/* The current thread has returned from the kernel; choose what its fiber does next.
 * Threads that returned are not waited for, as on the GPU. */
static void
thread_done(worker *w)
{
    const int self = w->current, warp = self / CUPRIC_WARP_SIZE;
    warp_state *s = &w->warps[warp];

    settle(w);
    w->live--;
    s->live &= ~(1u << self % CUPRIC_WARP_SIZE);
    for (int i = s->nconvergences - 1; i >= 0; i--) {
        if (complete(s, &s->convergences[i])) converge(w, warp, i);
    }
    if (w->live && w->arrived == w->live) open_barrier(w);
    if (!w->nready && w->begun == w->nthreads && w->live && !relax(w))
        describe_deadlock(w);

    if (w->nready) {
        const int t = pop_ready(w);
        set_current(w, t);
        w->free[w->nfree++] = w->running;
        switch_to(w, w->lanes[t].fiber);
    } else if (w->begun < w->nthreads) {
        set_current(w, nth_thread(w, w->begun++));
    } else {
        w->free[w->nfree++] = w->running;
        leave_block(w);
    }
}

/* ---- the rest of the runtime -------------------------------------------------------------- */

static unsigned
runtime_active(void)
{
    worker *w = this_worker;

    if (!w->in_fibers) return 1;
    w->relaxed = true;
    return w->warps[w->current / CUPRIC_WARP_SIZE].live;
}

static void
runtime_yield(void)
{
    worker *w = this_worker;

    if (!w->in_fibers || (!w->nready && w->begun == w->nthreads)) return;
    push_ready(w, w->current);
    wait_turn(w);
}

static void
runtime_trap(const char *error, const char *message)
{
    worker *w = this_worker;
    const cupric_place *p = w->place;
    char text[sizeof w->why->text];

    snprintf(text, sizeof text, "%s (block (%u, %u, %u), thread (%u, %u, %u): %s)",
             error, p->block.x, p->block.y, p->block.z, p->thread.x, p->thread.y,
             p->thread.z, message);
    fail_block(w, text);
    if (w->in_fibers) leave_block(w);
    longjmp(w->escape, 1);
}

const cupric_runtime cu_block_runtime = {
    .barrier = runtime_barrier,
    .warp = runtime_warp,
    .active = runtime_active,
    .yield = runtime_yield,
    .trap = runtime_trap,
    .access = runtime_access,
};

/* __activemask() cannot know which lanes will take the same branch, so a kernel that
 * asked is completed with the lanes that arrived. */
static bool
relax(worker *w)
{
    if (!w->relaxed) return false;
    for (int i = 0; i < MAX_WARPS && i * CUPRIC_WARP_SIZE < w->nthreads; i++) {
        while (w->warps[i].nconvergences) converge(w, i, 0);
    }
    return w->nready > 0;
}

static void
describe_deadlock(worker *w)
{
    int at_block = 0, at_warp = 0;
    char text[512];

    for (int t = 0; t < w->nthreads; t++) {
        at_block += w->lanes[t].state == WAITS_BLOCK;
        at_warp += w->lanes[t].state == WAITS_WARP;
    }
    snprintf(
        text, sizeof text,
        "CUDA_ERROR_LAUNCH_TIMEOUT: the threads of block (%u, %u, %u) wait for each "
        "other for ever: %d at __syncthreads(), %d at a warp operation whose mask "
        "names lanes that do not come. Barriers and warp operations must be reached "
        "by every thread that they name",
        w->place->block.x, w->place->block.y, w->place->block.z, at_block, at_warp);
    fail_block(w, text);
}

/* ---- ending what runs ---------------------------------------------------------------- */

#define RETRY_MS                                                                       \
    2 /* before a thread that could not be stopped is sent the signal again */

static bool
is_over(const cu_block_launch *l)
{
    return atomic_load(&l->failed) ||
           (l->cancelled && __atomic_load_n(l->cancelled, __ATOMIC_RELAXED));
}

static void
leave_kernel(worker *w)
{
    fail_block(w, "the launch was ended");
    if (w->in_fibers) leave_block(w);
    longjmp(w->escape, 1);
}

/* The thread-local variables of the module that a launch is of, as of this thread: its
 * place and shared memory. */
typedef struct variables {
    const cu_block_launch *launch;
    void *at, *copy; /* copy: owned */
    size_t nbytes;
} variables;

static int
find_variables(struct dl_phdr_info *info, size_t size, void *arg)
{
    variables *v = arg;
    bool is_it = false;
    size_t nbytes = 0;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        const uintptr_t begin = (uintptr_t)(info->dlpi_addr + h->p_vaddr);
        if (h->p_type == PT_TLS) nbytes = h->p_memsz;
        if (h->p_type == PT_LOAD) is_it |= begin == v->launch->code.begin;
    }
    if (!is_it) return 0;
    v->at = info->dlpi_tls_data;
    v->nbytes = nbytes;
    return 1;
}

static void
variables_keep(variables *v)
{
    dl_iterate_phdr(find_variables, v);
    if (!v->at) return;
    v->copy = malloc(v->nbytes);
    if (v->copy) memcpy(v->copy, v->at, v->nbytes);
}

static void
variables_restore(variables *v)
{
    if (v->copy) memcpy(v->at, v->copy, v->nbytes);
    free(v->copy);
}

/* Ask the program, as a thread that is in no kernel: its answer may run this one. */
static bool
ask(worker *w)
{
    variables kept = {.launch = w->launch};
    bool wants_end;

    variables_keep(&kept);
    set_in_kernel(w, false);
    this_worker = NULL;
    wants_end = w->launch->wants_end();
    if (this_worker) worker_free(this_worker);
    this_worker = w;
    pthread_setspecific(worker_key, w);
    variables_restore(&kept);
    set_in_kernel(w, true);
    if (wants_end) {
        w->launch->was_ended = true;
        atomic_store(&w->launch->failed, true);
    }
    return wants_end;
}

/* On the thread's own stack: that of a fiber is too small for a program's handlers. */
static void
answer(worker *w)
{
    cu_fiber *const asking = w->asking;

    w->asks = false;
    if (ask(w)) {
        fail_block(w, "the launch was ended");
        return;
    }
    switch_to(w, asking);
}

static uintptr_t
interrupted_at(const void *context)
{
    const ucontext_t *c = context;
#if defined(__x86_64__)
    return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)c->uc_mcontext.pc;
#else
    (void)c;
    return 0; /* nowhere */
#endif
}

typedef struct code_search {
    uintptr_t address;
    cu_block_code found;
} code_search;

static int
search_library(struct dl_phdr_info *info, size_t size, void *arg)
{
    code_search *search = arg;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        const uintptr_t begin = (uintptr_t)(info->dlpi_addr + h->p_vaddr);
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_X)) continue;
        if (search->address < begin || search->address >= begin + h->p_memsz) continue;
        search->found = (cu_block_code){begin, begin + h->p_memsz};
        return 1;
    }
    return 0;
}

cu_block_code
cu_block_code_around(const void *address)
{
    code_search search = {.address = (uintptr_t)address};

    dl_iterate_phdr(search_library, &search);
    return search.found;
}

static bool
is_within(uintptr_t at, cu_block_code code)
{
    return at >= code.begin && at < code.end;
}

static struct sigaction urgent_before; /* the program's own handler */
static cu_block_code mathematics;      /* libm's code */

static void
on_urgent(int number, siginfo_t *info, void *context)
{
    worker *const w = this_worker;
    const int error = errno;

    if (info->si_code != SI_TKILL) {
        const struct sigaction *p = &urgent_before;
        if (p->sa_flags & SA_SIGINFO) {
            p->sa_sigaction(number, info, context);
        } else if (p->sa_handler != SIG_DFL && p->sa_handler != SIG_IGN) {
            p->sa_handler(number);
        }
        return;
    }
    if (!w || !atomic_load(&w->in_kernel)) return;
    const uintptr_t at = interrupted_at(context);
    if (!is_within(at, w->launch->code) && !is_within(at, mathematics)) return;
    if (is_over(w->launch)) leave_kernel(w);
    if (!w->launch->wants_end) return;
    if (w->in_fibers) {
        w->asks = true;
        w->asking = w->running;
        switch_to(w, w->home);
    } else if (ask(w)) {
        leave_kernel(w);
    }
    errno = error;
}

static void
find_mathematics(void)
{
    mathematics = cu_block_code_around((const void *)(uintptr_t)&lgamma);
}

/* Whatever the program has installed since. */
static void
install_urgent(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct sigaction action = {.sa_sigaction = on_urgent,
                               .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
    struct sigaction now;

    pthread_once(&once, find_mathematics);
    if (sigaction(SIGURG, NULL, &now) || now.sa_sigaction == on_urgent) return;
    urgent_before = now;
    sigemptyset(&action.sa_mask);
    sigaction(SIGURG, &action, NULL);
}

static bool
signal_locked(const cu_block_launch *launch, const bool *cancelled)
{
    bool any = false;

    for (worker *w = workers; w; w = w->next) {
        const bool is_meant = launch ? w->launch == launch : w->cancelled == cancelled;
        if (!is_meant || !atomic_load(&w->in_kernel)) continue;
        pthread_kill(w->thread, SIGURG);
        any = true;
    }
    return any;
}

void
cu_block_stop(const cu_block_launch *launch, const bool *cancelled, int ms)
{
    const struct timespec pause = {.tv_nsec = RETRY_MS * 1000000};

    for (int waited = 0; waited <= ms; waited += RETRY_MS) {
        pthread_mutex_lock(&workers_lock);
        install_urgent();
        const bool any = signal_locked(launch, cancelled);
        pthread_mutex_unlock(&workers_lock);
        if (!any) return;
        nanosleep(&pause, NULL);
    }
}

void
cu_block_ask(pthread_t thread)
{
    pthread_mutex_lock(&workers_lock);
    install_urgent();
    for (worker *w = workers; w; w = w->next) {
        if (!pthread_equal(w->thread, thread) || !atomic_load(&w->in_kernel)) continue;
        pthread_kill(thread, SIGURG);
    }
    pthread_mutex_unlock(&workers_lock);
}

/* ---- blocks --------------------------------------------------------------------------------- */

static void
begin_block(worker *w)
{
    w->begun = 1;
    w->live = w->nthreads;
    w->arrived = w->votes = 0;
    w->ready_head = w->nready = 0;
    w->relaxed = false;
    for (int i = 0; i * CUPRIC_WARP_SIZE < w->nthreads; i++) {
        const int lanes = w->nthreads - i * CUPRIC_WARP_SIZE;
        w->warps[i].live = lanes >= CUPRIC_WARP_SIZE ? ~0u : (1u << lanes) - 1;
        w->warps[i].nconvergences = 0;
    }
    for (int t = 0; t < w->nthreads; t++) w->lanes[t].state = IDLE;
}

/* After a failure fibers stand in the middle of threads that will never go on. */
static void
restart_fibers(worker *w)
{
    w->nfree = 0;
    for (int i = 0; i < w->nfibers; i++) {
        cu_fiber_restart(w->fibers[i]);
        w->free[w->nfree++] = w->fibers[i];
    }
}

static void
number_threads(worker *w, cupric_index block)
{
    int t = 0;

    for (unsigned z = 0; z < block.z; z++) {
        for (unsigned y = 0; y < block.y; y++) {
            for (unsigned x = 0; x < block.x; x++) {
                w->lanes[t++].index = (cupric_index){x, y, z};
            }
        }
    }
    w->nthreads = t;
}

/* With the module's variables, as of this thread, but for the place. */
static void
begin_races(worker *w)
{
    variables v = {.launch = w->launch};

    if (!w->races) w->races = cu_races_new();
    if (!w->races) return;
    dl_iterate_phdr(find_variables, &v);
    cu_races_begin(w->races, v.at, v.nbytes, w->place->dynamic_shared,
                   w->launch->shared_bytes);
}

static void
run_fibers(worker *w, const cupric_job *job, long long begin, long long end)
{
    cupric_place *p = w->place;
    const cupric_index grid = job->grid;

    number_threads(w, job->block);
    p->block_dim = job->block;
    p->grid_dim = grid;
    p->dynamic_shared = job->dynamic_shared;
    w->in_fibers = true;
    for (long long b = begin; b < end && !w->why->failed; b++) {
        p->block.x = (unsigned)(b % grid.x);
        p->block.y = (unsigned)(b / grid.x % grid.y);
        p->block.z = (unsigned)(b / grid.x / grid.y);
        begin_block(w);
        if (CUPRIC_UNLIKELY(cu_host_races_wanted())) begin_races(w);
        cu_fiber *f = fiber_take(w);
        if (!f) {
            fail_block(w,
                       "CUDA_ERROR_OUT_OF_MEMORY: no memory for the stacks of a block");
            break;
        }
        set_current(w, nth_thread(w, 0));
        w->running = w->home;
        switch_to(w, f);
        while (w->asks) answer(w);
    }
    w->in_fibers = false;
    if (w->why->failed) restart_fibers(w);
}

void
cu_block_run(cu_block_launch *launch, const cupric_job *job, long long begin,
             long long end, cu_block_failure *why)
{
    worker *w = worker_get();

    if (!w) {
        why->failed = true;
        snprintf(why->text, sizeof why->text,
                 "CUDA_ERROR_OUT_OF_MEMORY: no memory for "
                 "the threads of a block");
        return;
    }
    w->launch = launch;
    w->cancelled = launch->cancelled;
    w->entry = launch->entry;
    w->args = job->args;
    w->place = launch->module->place();
    w->why = why;
    if (!w->entry->run) {
        set_in_kernel(w, true);
        run_fibers(w, job, begin, end);
    } else if (!setjmp(w->escape)) {
        set_in_kernel(w, true);
        w->entry->run(job, begin, end);
    }
    set_in_kernel(w, false);
}
