/* host/fiber.h: threads of control that take turns on one thread of the system.
 *
 * A fiber belongs to the thread that made it: it is switched to and freed there. Nothing
 * is preempted. AddressSanitizer and ThreadSanitizer are told of every switch.
 */
#ifndef CUPRIC_HOST_FIBER_H
#define CUPRIC_HOST_FIBER_H

#include "status.h"

typedef struct cu_fiber cu_fiber;

/* The calling thread itself, as something to switch back to. The caller owns *out. */
cu_status cu_fiber_adopt(cu_fiber **out);

/* A fiber that will run entry(arg), which must not return. The caller owns *out. Its
 * stack has CUPRIC_FIBER_STACK bytes, touched pages only being memory. */
cu_status cu_fiber_new(void (*entry)(void *), void *arg, cu_fiber **out);

/* Leave `from`, the running fiber, for `to`. Returns when somebody switches to `from`. */
void cu_fiber_switch(cu_fiber *from, cu_fiber *to);

/* Forget what a fiber that is not running was doing; it will begin again. */
void cu_fiber_restart(cu_fiber *f);

void cu_fiber_free(cu_fiber *f); /* NULL is fine; not the running one */

/* Local arrays of a kernel live here; a GPU thread has up to 512 KiB. */
#define CUPRIC_FIBER_STACK (512u << 10)

#endif
