/* host/block.h: the threads of a block that wait for each other. */
#ifndef CUPRIC_HOST_BLOCK_H
#define CUPRIC_HOST_BLOCK_H

#include <stdbool.h>

#include "../../cuda/host/abi.h"
#include "status.h"

#define CUPRIC_MAX_BLOCK_THREADS 1024

/* What running kernels call; the same for every module. */
extern const cupric_runtime cu_block_runtime;

/* Why a launch ended early, in words. {0} is none. */
typedef struct cu_block_failure {
    bool failed;
    char text[768];
} cu_block_failure;

/* Run the blocks [begin, end) of `job` on the calling thread; stops at the first failure,
 * which is described in *why. Any thread. */
void cu_block_run(const cupric_module_info *module, const cupric_entry *entry,
                  const cupric_job *job, long long begin, long long end,
                  cu_block_failure *why);

#endif
