/* status.c: the last failure of each thread, kept until the boundary asks for it. */
#include "status.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MESSAGE_BYTES 4096

/* On the heap, from a thread's first failure to its end: the space for thread-local
 * variables is small and shared by all libraries of the process. */
static _Thread_local char *message;
static _Thread_local cu_status status;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key;

static void
thread_exit(void *text)
{
    message = NULL;
    free(text);
}

static void
make_exit_key(void)
{
    pthread_key_create(&exit_key, thread_exit);
}

cu_status
cu_vfail(cu_status st, const char *fmt, va_list args)
{
    /* The arguments may hold the previous message (a cause being put in context), so
     * the text is made beside it first. */
    char text[MESSAGE_BYTES];

    vsnprintf(text, sizeof text, fmt, args);
    status = st;
    if (!message) {
        message = malloc(MESSAGE_BYTES);
        pthread_once(&once, make_exit_key);
        pthread_setspecific(exit_key, message);
    }
    if (message) snprintf(message, MESSAGE_BYTES, "%s", text);
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
    return message ? message : "out of memory";
}

cu_status
cu_error_status(void)
{
    return status;
}
