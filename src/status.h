/* status.h: how a function of the core reports failure.
 *
 * A function that can fail returns a cu_status. Where the cause is known it is put in
 * words once, with cu_fail; callers pass the status up, and the boundary to Python turns
 * it into an exception (py_raise in py_status.h). The message is kept per thread.
 */
#ifndef CUPRIC_STATUS_H
#define CUPRIC_STATUS_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cu_status {
    CUPRIC_OK = 0,
    CUPRIC_ERR_VALUE,       /* ValueError */
    CUPRIC_ERR_TYPE,        /* TypeError */
    CUPRIC_ERR_INDEX,       /* IndexError */
    CUPRIC_ERR_AXIS,        /* numpy.exceptions.AxisError */
    CUPRIC_ERR_OVERFLOW,    /* OverflowError */
    CUPRIC_ERR_MEMORY,      /* cupric.cuda.memory.OutOfMemoryError (a MemoryError) */
    CUPRIC_ERR_LINALG,      /* numpy.linalg.LinAlgError */
    CUPRIC_ERR_COMPILE,     /* cupric.cuda.compiler.CompileException */
    CUPRIC_ERR_DEVICE,      /* cupric.cuda.runtime.CUDARuntimeError (a RuntimeError) */
    CUPRIC_ERR_RUNTIME,     /* RuntimeError */
    CUPRIC_ERR_IMPORT,      /* ImportError */
    CUPRIC_ERR_OS,          /* OSError */
    CUPRIC_ERR_UNSUPPORTED, /* NotImplementedError */
    CUPRIC_ERR_WAITED,      /* cupricx.DeviceSynchronized (a RuntimeError) */
    CUPRIC_ERR_PYTHON,      /* a Python exception is set already */
    CUPRIC_N_STATUS
} cu_status;

/* Record a message for this thread and return `st`, so that `return cu_fail(…)` reads
 * as one statement. printf's format; the message is cut at 4 KiB. Any thread, no GIL. */
cu_status cu_fail(cu_status st, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));
cu_status cu_vfail(cu_status st, const char *fmt, va_list args)
    __attribute__((format(printf, 2, 0), cold));

/* The message of this thread's last failure; borrowed, until the next cu_fail here. */
const char *cu_error_message(void);

/* Its status. */
cu_status cu_error_status(void);

#ifdef __cplusplus
}
#endif

#define CUPRIC_LIKELY(x) __builtin_expect(!!(x), 1)
#define CUPRIC_UNLIKELY(x) __builtin_expect(!!(x), 0)

#endif
