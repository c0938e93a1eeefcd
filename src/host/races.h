/* host/races.h: threads of a block that meet in shared memory without a barrier.
 *
 * With CUPRIC_CHECK=races kernels are compiled so that each access to memory is told
 * (cuda/host/races.hpp), and the threads of a block run last first. Two accesses of the
 * same byte of shared memory by different threads, one of them a write and not both atomic,
 * must be ordered: by a barrier of the block, or of the warp that names both. On a GPU
 * either may come first; here the first pair that is not ordered ends the launch. Threads
 * that write what is there already do not count.
 *
 * All of a block is on one thread of the system, so that nothing is locked.
 */
#ifndef CUPRIC_HOST_RACES_H
#define CUPRIC_HOST_RACES_H

#include <stdbool.h>
#include <stddef.h>

#include "../../cuda/host/abi.h"

typedef struct cu_races cu_races;

/* One of the two accesses. */
typedef struct cu_race_side {
    int thread; /* of the block */
    cupric_access kind;
    const void *at; /* the instruction after it; NULL: not known */
} cu_race_side;

typedef struct cu_race {
    bool found, is_dynamic;
    size_t
        offset; /* bytes, in the variables of the module or in dynamic shared memory */
    cu_race_side first, second;
} cu_race;

/* The text of CUPRIC_CHECK, or NULL: once, when the device is loaded. And whether it asks for
 * this. */
void cu_host_races_configure(const char *setting);
bool cu_host_races_wanted(void);

/* For the blocks that a thread runs; NULL where there is no memory. */
cu_races *cu_races_new(void);
void cu_races_free(cu_races *r);

/* A block begins: its variables, as of this thread, and its dynamic shared memory. */
void cu_races_begin(cu_races *r, const void *variables, size_t nvariables,
                    const void *dynamic, size_t ndynamic);
/* All threads have met, or those of a warp in `members`. */
void cu_races_barrier(cu_races *r);
void cu_races_converge(cu_races *r, int warp, unsigned members);
/* An access that is about to be made: whether it, or the one before, is a race. */
bool cu_races_access(cu_races *r, int thread, const void *p, size_t nbytes,
                     cupric_access kind, const void *at, cu_race *out);
/* Whether the last access was one: nobody has run since. */
bool cu_races_settle(cu_races *r, cu_race *out);

#endif
