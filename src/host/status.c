/* host/status.c: what every plugin needs of the core's root, in this library: failing,
 * and the table of dtypes.
 */
#include "status.h"

#include "dtype.h"
#include "host/entries.h"
#include "host/runner.h"

cu_status
cu_vfail(cu_status st, const char *fmt, va_list args)
{
    if (cu_host_runner_fail(fmt, args)) return st;
    return cu_host_services->vfail(st, fmt, args);
}

cu_status
cu_fail(cu_status st, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    st = cu_vfail(st, fmt, args);
    va_end(args);
    return st;
}

cu_dtype_info cu_dtypes[CUPRIC_N_DTYPES] = {
#define DTYPE(NAME, name, ch, ctype, size, kind) {#name, #ctype, ch, kind, size},
#include "dtypes.def"
#undef DTYPE
};
