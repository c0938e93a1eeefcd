/* host/fiber.c: stacks, and the switch between them.
 *
 * A switch saves the registers that the calling convention lets a callee not touch on the
 * stack that is left, and takes them from the other:
 *
 *     top    | return address  |  <- fiber_begin, before the first switch
 *            | saved registers |  <- sp of a fiber that is not running
 *            | …               |
 *     bottom | guard page      |
 *
 * That is written out for x86-64 and AArch64; elsewhere ucontext does it, at the price of
 * two system calls a switch.
 */
#include "host/fiber.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBER_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define FIBER_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define FIBER_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define FIBER_TSAN 1
#endif
#if FIBER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if FIBER_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#if !defined(__x86_64__) && !defined(__aarch64__)
#define FIBER_UCONTEXT 1
#include <ucontext.h>
#endif

/* The kernel allows a process some 65530 mappings, and a guard page costs one. */
#define MAX_GUARDS 16384

struct cu_fiber {
    void *sp; /* while not running */
    char *mapping;
    size_t nbytes; /* of the mapping, guard included */
    size_t colour; /* bytes left free at the top */
    bool guarded;
    void (*entry)(void *);
    void *arg;
#if FIBER_UCONTEXT
    ucontext_t context;
#endif
#if FIBER_ASAN
    void *fake_stack;
    const void *bottom;
    size_t stack_nbytes;
#endif
#if FIBER_TSAN
    void *tsan;
#endif
};

static atomic_int nguards;
static atomic_uint ncolours;

/* Who left last, for the fiber that arrives. */
static _Thread_local cu_fiber *leaving;
static _Thread_local cu_fiber *arriving;

#if !FIBER_UCONTEXT
/* Save the registers here, *save = sp, sp = load, restore the registers there. */
void cu_fiber_swap(void **save, void *load) __attribute__((visibility("hidden")));
#endif

#if defined(__x86_64__)
#define SAVED_WORDS 6
__asm__(".text\n"
        ".p2align 4\n"
        ".hidden cu_fiber_swap\n"
        ".globl cu_fiber_swap\n"
        ".type cu_fiber_swap, @function\n"
        "cu_fiber_swap:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size cu_fiber_swap, . - cu_fiber_swap\n");
#elif defined(__aarch64__)
#define SAVED_WORDS 20 /* x19 … x30, d8 … d15 */
__asm__(".text\n"
        ".p2align 4\n"
        ".hidden cu_fiber_swap\n"
        ".globl cu_fiber_swap\n"
        ".type cu_fiber_swap, %function\n"
        "cu_fiber_swap:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size cu_fiber_swap, . - cu_fiber_swap\n");
#endif

static void
arrived(void)
{
#if FIBER_ASAN
    const void *bottom;
    size_t nbytes;

    __sanitizer_finish_switch_fiber(arriving->fake_stack, &bottom, &nbytes);
    leaving->bottom = bottom;
    leaving->stack_nbytes = nbytes;
#endif
}

static void
fiber_begin(void)
{
    cu_fiber *self = arriving;

    arrived();
    self->entry(self->arg);
    abort(); /* an entry must not return */
}

void
cu_fiber_restart(cu_fiber *f)
{
#if FIBER_UCONTEXT
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->mapping;
    f->context.uc_stack.ss_size = f->nbytes;
    f->context.uc_link = NULL;
    makecontext(&f->context, fiber_begin, 0);
#else
    void **top = (void **)(f->mapping + f->nbytes - f->colour);

#if defined(__x86_64__)
    *--top = NULL; /* a called function finds sp 8 below a multiple of 16 */
    *--top = (void *)fiber_begin;
    top -= SAVED_WORDS;
    for (int i = 0; i < SAVED_WORDS; i++) top[i] = NULL;
#else
    top -= SAVED_WORDS;
    for (int i = 0; i < SAVED_WORDS; i++) top[i] = NULL;
    top[11] = (void *)fiber_begin; /* x30 */
#endif
    f->sp = top;
#endif
#if FIBER_ASAN
    /* Frames that were left for good have poisoned redzones. */
    __asan_unpoison_memory_region(f->mapping + (f->guarded ? getpagesize() : 0),
                                  f->nbytes - (f->guarded ? (size_t)getpagesize() : 0));
    f->fake_stack = NULL;
    f->bottom = f->mapping;
    f->stack_nbytes = f->nbytes;
#endif
}

static bool
guard(char *mapping, size_t page)
{
    if (atomic_fetch_add(&nguards, 1) < MAX_GUARDS &&
        mprotect(mapping, page, PROT_NONE) == 0) {
        return true;
    }
    atomic_fetch_sub(&nguards, 1);
    return false;
}

cu_status
cu_fiber_adopt(cu_fiber **out)
{
    cu_fiber *f = calloc(1, sizeof *f);

    if (!f) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a fiber");
#if FIBER_TSAN
    f->tsan = __tsan_get_current_fiber();
#endif
    *out = f;
    return CUPRIC_OK;
}

cu_status
cu_fiber_new(void (*entry)(void *), void *arg, cu_fiber **out)
{
    const size_t page = (size_t)getpagesize();
    cu_fiber *f = calloc(1, sizeof *f);

    if (!f) return cu_fail(CUPRIC_ERR_MEMORY, "no memory for a fiber");
    f->nbytes = CUPRIC_FIBER_STACK + page;
    f->mapping = mmap(NULL, f->nbytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (f->mapping == MAP_FAILED) {
        free(f);
        return cu_fail(CUPRIC_ERR_MEMORY,
                       "no memory for the stack of a kernel's thread");
    }
    f->guarded = guard(f->mapping, page);
    /* The tops of all stacks would fall into the same few lines of the cache. */
    f->colour = atomic_fetch_add(&ncolours, 1) % 16 * 256;
    f->entry = entry;
    f->arg = arg;
#if FIBER_TSAN
    f->tsan = __tsan_create_fiber(0);
#endif
    cu_fiber_restart(f);
    *out = f;
    return CUPRIC_OK;
}

void
cu_fiber_switch(cu_fiber *from, cu_fiber *to)
{
    leaving = from;
    arriving = to;
#if FIBER_ASAN
    __sanitizer_start_switch_fiber(&from->fake_stack, to->bottom, to->stack_nbytes);
#endif
#if FIBER_TSAN
    __tsan_switch_to_fiber(to->tsan, 0);
#endif
#if FIBER_UCONTEXT
    swapcontext(&from->context, &to->context);
#else
    cu_fiber_swap(&from->sp, to->sp);
#endif
    arrived();
}

void
cu_fiber_free(cu_fiber *f)
{
    if (!f) return;
    if (f->mapping) {
#if FIBER_TSAN
        __tsan_destroy_fiber(f->tsan);
#endif
        munmap(f->mapping, f->nbytes);
        if (f->guarded) atomic_fetch_sub(&nguards, 1);
    }
    free(f);
}
