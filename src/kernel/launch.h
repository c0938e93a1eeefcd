/* kernel/launch.h: the one place from which kernels of users are launched. */
#ifndef CUPRIC_KERNEL_LAUNCH_H
#define CUPRIC_KERNEL_LAUNCH_H

#include "device/device.h"

/* Queue a launch on `s`. With CUPRIC_DEBUG=2 and above, wait for it and tell grid, block
 * and time on stderr. */
cu_status cu_kernel_launch(cu_function *f, const cu_launch *config, void *const *args,
                           cu_stream *s);

#endif
