/* status.c: the last failure of each thread, kept until the boundary asks for it. */
#include "status.h"

#include <stdio.h>

#define MESSAGE_BYTES 4096

static _Thread_local char message[MESSAGE_BYTES];
static _Thread_local cu_status status;

cu_status
cu_vfail(cu_status st, const char *fmt, va_list args)
{
    /* The arguments may hold the previous message (a cause being put in context), so
     * the text is made beside it first. */
    char text[MESSAGE_BYTES];

    vsnprintf(text, sizeof text, fmt, args);
    snprintf(message, sizeof message, "%s", text);
    status = st;
    return st;
}

cu_status
cu_fail(cu_status st, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    cu_vfail(st, fmt, args);
    va_end(args);
    return st;
}

const char *
cu_error_message(void)
{
    return message;
}

cu_status
cu_error_status(void)
{
    return status;
}
