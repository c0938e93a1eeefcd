/* cuda/services.c: what every plugin needs of the core's root, in this library: failing,
 * and the table of dtypes.
 */
#include "cuda/services.h"

const cu_services *cu_cuda_services;

cu_status
cu_vfail(cu_status st, const char *fmt, va_list args)
{
    return cu_cuda_services->vfail(st, fmt, args);
}

#include "plugin_root.inc"
