/* host/traps.c: see traps.h.
 *
 * Why a handler: users write C++, in which no tool can find the divisions to be guarded
 * (types decide, and libraries divide, too), a guard in the compiled code would cost every
 * division that is right, and no compiler has an option for one that goes on. The handler
 * costs nothing until a division fails. It reads the instruction and writes its results:
 *
 *     [prefixes] [REX] F6|F7 /6|/7 operand      div (/6), idiv (/7) by register or memory
 *     low half:  AL | AX | EAX | RAX            -> quotient
 *     high half: AH | DX | EDX | RDX            -> remainder
 */
#define _GNU_SOURCE /* REG_RAX … */
#include "host/traps.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "host/block.h"

#define CHECK_NS 100000

#if defined(__x86_64__)

/* ---- the instruction ----------------------------------------------------------------- */

typedef struct division {
    int nbytes; /* of the operand: 1, 2, 4 or 8 */
    bool is_signed;
    uint64_t divisor;
    const unsigned char *next; /* the instruction after it */
} division;

typedef struct decoder {
    const unsigned char *at;
    greg_t *registers;
    unsigned rex; /* 0: none */
    bool narrow, short_addresses, of_thread;
} decoder;

/* Registers by the number that instructions have for them. */
static greg_t *
register_at(const decoder *d, unsigned number)
{
    static const unsigned char places[] = {
        REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
        REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

    return &d->registers[places[number & 15]];
}

static void
skip_prefixes(decoder *d)
{
    for (;; d->at++) {
        switch (*d->at) {
        case 0x66: d->narrow = true; continue;
        case 0x67: d->short_addresses = true; continue;
        case 0x64: d->of_thread = true; continue; /* fs */
        case 0x2e:
        case 0x36:
        case 0x3e:
        case 0x26:
        case 0x65:
        case 0xf2:
        case 0xf3: continue;
        }
        break;
    }
    if ((*d->at & 0xf0) == 0x40) d->rex = *d->at++;
}

static int64_t
displacement(decoder *d, int nbytes)
{
    int8_t small = 0;
    int32_t large = 0;

    memcpy(nbytes == 1 ? (void *)&small : (void *)&large, d->at, (size_t)nbytes);
    d->at += nbytes;
    return nbytes == 1 ? small : large;
}

/* What the byte after ModRM adds: base + index * scale. */
static uint64_t
scaled_address(decoder *d, unsigned mod)
{
    const unsigned sib = *d->at++;
    const unsigned index = (sib >> 3 & 7) | (d->rex & 2) << 2;
    const unsigned base = (sib & 7) | (d->rex & 1) << 3;
    uint64_t address = 0;

    if (index != 4) address = (uint64_t)*register_at(d, index) << (sib >> 6);
    if ((base & 7) == 5 && mod == 0) return address + (uint64_t)displacement(d, 4);
    return address + (uint64_t)*register_at(d, base);
}

static uint64_t
operand_address(decoder *d, unsigned modrm)
{
    const unsigned mod = modrm >> 6, rm = modrm & 7;
    uint64_t address;

    if (rm == 4) {
        address = scaled_address(d, mod);
    } else if (rm == 5 && mod == 0) {
        address = (uint64_t)displacement(d, 4);
        address += (uint64_t)(uintptr_t)d->at; /* nothing follows: the next one */
    } else {
        address = (uint64_t)*register_at(d, rm | (d->rex & 1) << 3);
    }
    if (mod == 1) address += (uint64_t)displacement(d, 1);
    if (mod == 2) address += (uint64_t)displacement(d, 4);
    if (d->short_addresses) address = (uint32_t)address;
    if (d->of_thread) address += (uint64_t)(uintptr_t)__builtin_thread_pointer();
    return address;
}

static uint64_t
operand_register(const decoder *d, unsigned modrm, int nbytes)
{
    const unsigned number = modrm & 7;

    if (nbytes == 1 && !d->rex && number >= 4) /* AH, CH, DH, BH */
        return (uint64_t)*register_at(d, number - 4) >> 8;
    return (uint64_t)*register_at(d, number | (d->rex & 1) << 3);
}

static bool
decode(greg_t *registers, division *out)
{
    decoder d = {.at = (const unsigned char *)registers[REG_RIP],
                 .registers = registers};

    skip_prefixes(&d);
    const unsigned opcode = *d.at++, modrm = *d.at++, which = modrm >> 3 & 7;
    if ((opcode & 0xfe) != 0xf6 || (which & 6) != 6) return false;
    out->nbytes = opcode == 0xf6 ? 1 : d.rex & 8 ? 8 : d.narrow ? 2 : 4;
    out->is_signed = which == 7;
    out->divisor = 0;
    if (modrm >> 6 == 3) {
        const uint64_t value = operand_register(&d, modrm, out->nbytes);
        memcpy(&out->divisor, &value, (size_t)out->nbytes);
    } else {
        /* The instruction has read it already, so that it is there. */
        const uint64_t address = operand_address(&d, modrm);
        memcpy(&out->divisor, (const void *)(uintptr_t)address, (size_t)out->nbytes);
    }
    out->next = d.at;
    return true;
}

/* As much of a register as an instruction of that width writes. */
static void
write_register(greg_t *at, uint64_t value, int nbytes)
{
    uint64_t all = nbytes == 4 ? 0 : (uint64_t)*at;

    memcpy(&all, &value, (size_t)nbytes);
    *at = (greg_t)all;
}

static bool
give_result(greg_t *registers)
{
    division d;

    if (!decode(registers, &d)) return false;
    const uint64_t low = (uint64_t)registers[REG_RAX];
    const bool by_zero = d.divisor == 0;
    const uint64_t quotient = by_zero ? UINT64_MAX : d.is_signed ? 0 - low : UINT64_MAX;
    const uint64_t remainder = by_zero || !d.is_signed ? UINT64_MAX : 0;

    if (d.nbytes == 1) {
        const uint64_t both = (quotient & 0xff) | (remainder & 0xff) << 8;
        write_register(&registers[REG_RAX], both, 2);
    } else {
        write_register(&registers[REG_RAX], quotient, d.nbytes);
        write_register(&registers[REG_RDX], remainder, d.nbytes);
    }
    registers[REG_RIP] = (greg_t)(uintptr_t)d.next;
    return true;
}

/* ---- the handler --------------------------------------------------------------------- */

/* What was there before, which the handler reads at any time: a new one is written to the
 * other place. Writers have the lock. */
static struct sigaction previous[2];
static atomic_int which_previous;
static pthread_mutex_t install_lock = PTHREAD_MUTEX_INITIALIZER;

/* A division fails again under the previous handler; a signal that was sent is passed on,
 * and this handler stays. */
static void
pass_on(int number, siginfo_t *info, void *context)
{
    const struct sigaction *p = &previous[atomic_load(&which_previous)];

    if (info->si_code > 0) {
        sigaction(number, p, NULL);
    } else if (p->sa_handler == SIG_DFL) {
        sigaction(number, p, NULL);
        raise(number);
    } else if (p->sa_handler != SIG_IGN) {
        if (p->sa_flags & SA_SIGINFO) {
            p->sa_sigaction(number, info, context);
        } else {
            p->sa_handler(number);
        }
    }
}

static void
on_division(int number, siginfo_t *info, void *context)
{
    if (cu_block_is_running()) {
        greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
        if (info->si_code == FPE_INTDIV && give_result(registers)) return;
        /* A handler that was installed over this one, as faulthandler's is, has reported
         * the division, put this one back and raises the signal for it. */
        if (info->si_code == SI_TKILL && info->si_pid == getpid()) return;
    }
    pass_on(number, info, context);
}

void
cu_host_traps_install(void)
{
    struct sigaction action = {.sa_sigaction = on_division,
                               .sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigaction now;

    if (sigaction(SIGFPE, NULL, &now) || now.sa_sigaction == on_division) return;
    sigemptyset(&action.sa_mask);
    pthread_mutex_lock(&install_lock);
    if (!sigaction(SIGFPE, NULL, &now) && now.sa_sigaction != on_division) {
        const int other = !atomic_load(&which_previous);
        previous[other] = now;
        atomic_store(&which_previous, other);
        sigaction(SIGFPE, &action, NULL);
    }
    pthread_mutex_unlock(&install_lock);
}

void
cu_host_traps_keep(int64_t now)
{
    static _Atomic int64_t last = -CHECK_NS;

    if (CUPRIC_LIKELY(now - atomic_load_explicit(&last, memory_order_relaxed) <
                      CHECK_NS)) {
        return;
    }
    atomic_store_explicit(&last, now, memory_order_relaxed);
    cu_host_traps_install();
}

#else /* divisions give 0 without a signal */

void
cu_host_traps_install(void)
{
}

void
cu_host_traps_keep(int64_t now)
{
    (void)now;
}

#endif
