/* host/services.c: what every plugin needs of the core's root, in this library: failing,
 * and the table of dtypes; and the clock.
 */
#include "host/services.h"

#include <time.h>

#include "host/runner.h"

const cu_services *cu_host_services;

cu_status
cu_vfail(cu_status st, const char *fmt, va_list args)
{
    if (cu_host_runner_fail(fmt, args)) return st;
    return cu_host_services->vfail(st, fmt, args);
}

int64_t
cu_host_now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#include "plugin_root.inc"
