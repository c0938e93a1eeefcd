/* host/traps.h: integer divisions that have no result do not end the process.
 *
 * A kernel may divide an integer by zero, or the least one by -1. A GPU goes on with some
 * number, AArch64 with 0, but x86 raises SIGFPE, by default the end of the process. Its
 * handler here gives such a division inside a kernel a result, all bits set, as NVIDIA's
 * GPUs do, and lets the kernel go on after it. All other signals of the kind get the
 * handler that was there before: Python's, faulthandler's, the program's own.
 */
#ifndef CUPRIC_HOST_TRAPS_H
#define CUPRIC_HOST_TRAPS_H

#include <stdint.h>

/* Have the handler in place, whatever the program has installed since. Any thread. */
void cu_host_traps_install(void);

/* The same, at most once in 0.1 ms: it takes a system call, which a short kernel's
 * launch should not wait for. `now` is cu_host_now_ns. A handler that slips in between is
 * found by whoever watches the launch (watch.h, runner.c). */
void cu_host_traps_keep(int64_t now);

#endif
