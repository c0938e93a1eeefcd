/* host/block.h: the threads of a block that wait for each other. */
#ifndef CUPRIC_HOST_BLOCK_H
#define CUPRIC_HOST_BLOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../../cuda/host/abi.h"
#include "host/races.h"
#include "status.h"

#define CUPRIC_MAX_BLOCK_THREADS 1024

/* What running kernels call; the same for every module. */
extern const cupric_runtime cu_block_runtime;

/* Why a launch ended early, in words. {0} is none. */
typedef struct cu_block_failure {
    bool failed;
    char text[768];
    cu_race race; /* if that is why; the text then says no more than the block */
} cu_block_failure;

/* Code: the addresses [begin, end). {0} is none. */
typedef struct cu_block_code {
    uintptr_t begin, end;
} cu_block_code;

/* The code of the library that an address of code is in. */
cu_block_code cu_block_code_around(const void *address);

/* What blocks of one launch have in common. Of the launch; outlives all cu_block_run. */
typedef struct cu_block_launch {
    const cupric_module_info *module;
    const cupric_entry *entry;
    cu_block_code code;    /* the kernel's: where its threads may be stopped */
    const bool *cancelled; /* by another thread; NULL: by none */
    atomic_bool failed;    /* or stopped: no other block need begin */
    /* Whether the program wants the launch to end: asked by cu_block_ask, in the thread
     * that runs blocks. NULL: it is not asked. */
    bool (*wants_end)(void);
    bool was_ended;      /* it said so */
    size_t shared_bytes; /* dynamic, of a block */
} cu_block_launch;

/* Run the blocks [begin, end) of `job` on the calling thread; stops at the first failure,
 * which is described in *why. Any thread. */
void cu_block_run(cu_block_launch *launch, const cupric_job *job, long long begin,
                  long long end, cu_block_failure *why);

/* ---- ending what runs ----------------------------------------------------------------
 *
 * A thread that runs a kernel is sent a signal, SIGURG. In the kernel's own code, or in the
 * library of mathematics, it holds no lock and leaves nothing half done but what the kernel
 * writes: there the handler leaves the block as a trap does. Anywhere else it returns, and
 * the sender tries again. */

/* Stop the threads that run blocks of a launch, or of all those that are cancelled by a
 * flag, one of which is NULL. Waits until they have left, at most for about `ms`. */
void cu_block_stop(const cu_block_launch *launch, const bool *cancelled, int ms);

/* Have `thread`, if it runs a kernel, ask wants_end of its launch now. */
void cu_block_ask(pthread_t thread);

/* Whether the calling thread is inside a kernel; a handler of signals may ask. */
bool cu_block_is_running(void);

#endif
