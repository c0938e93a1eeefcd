/* device/kernel_name.h: names of kernels as programs write them: "scale<float, 4>". */
#ifndef CUPRIC_DEVICE_KERNEL_NAME_H
#define CUPRIC_DEVICE_KERNEL_NAME_H

#include <ctype.h>
#include <stdbool.h>

/* Names are the same when they differ in blanks only. */
static inline bool
cu_kernel_name_is(const char *a, const char *b)
{
    for (;;) {
        while (isspace((unsigned char)*a)) a++;
        while (isspace((unsigned char)*b)) b++;
        if (*a != *b) return false;
        if (!*a) return true;
        a++;
        b++;
    }
}

#endif
