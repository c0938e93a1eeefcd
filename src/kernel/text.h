/* kernel/text.h: a text that grows. */
#ifndef CUPRIC_KERNEL_TEXT_H
#define CUPRIC_KERNEL_TEXT_H

#include <stddef.h>

#include "status.h"

/* {0} is empty. A failed allocation is remembered, so that it need be asked for once. */
typedef struct cu_text {
    char *data; /* owned, zero-terminated; NULL while empty */
    size_t nbytes, capacity;
    int failed;
} cu_text;

void cu_text_add(cu_text *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void cu_text_put(cu_text *t, const char *s); /* as it is */
cu_status cu_text_status(const cu_text *t);
void cu_text_release(cu_text *t);

#endif
