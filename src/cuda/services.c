/* cuda/services.c: what every plugin needs of the core's root, in this library: failing,
 * and the table of dtypes.
 */
#include "cuda/services.h"

#include "dtype.h"

const cu_services *cu_cuda_services;

cu_status
cu_vfail(cu_status st, const char *fmt, va_list args)
{
    return cu_cuda_services->vfail(st, fmt, args);
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
