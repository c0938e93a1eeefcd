/* host/status.c: what every plugin needs of the core's root, in this library: failing,
 * and the table of dtypes.
 */
#include "status.h"

#include "host/entries.h"
#include "host/runner.h"

cu_status
cu_vfail(cu_status st, const char *fmt, va_list args)
{
    if (cu_host_runner_fail(fmt, args)) return st;
    return cu_host_services->vfail(st, fmt, args);
}

#include "plugin_root.inc"
