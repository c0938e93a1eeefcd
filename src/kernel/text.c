/* kernel/text.c: a text that grows. */
#include "kernel/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
grow(cu_text *t, size_t more)
{
    const size_t needed = t->nbytes + more + 1;
    const size_t capacity = needed > 2 * t->capacity ? needed : 2 * t->capacity;
    char *data;

    if (needed <= t->capacity) return 1;
    data = t->failed ? NULL : realloc(t->data, capacity);
    if (!data) {
        t->failed = 1;
        return 0;
    }
    t->data = data;
    t->capacity = capacity;
    return 1;
}

void
cu_text_put(cu_text *t, const char *s)
{
    const size_t n = strlen(s);

    if (!grow(t, n)) return;
    memcpy(t->data + t->nbytes, s, n + 1);
    t->nbytes += n;
}

void
cu_text_add(cu_text *t, const char *fmt, ...)
{
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (n < 0 || !grow(t, (size_t)n)) return;
    va_start(args, fmt);
    vsnprintf(t->data + t->nbytes, (size_t)n + 1, fmt, args);
    va_end(args);
    t->nbytes += (size_t)n;
}

cu_status
cu_text_status(const cu_text *t)
{
    if (!t->failed && t->data) return CUPRIC_OK;
    return cu_fail(CUPRIC_ERR_MEMORY, "no memory for the source of a kernel");
}

void
cu_text_release(cu_text *t)
{
    free(t->data);
    *t = (cu_text){0};
}
