/* host/past_caches.c: see past_caches.h. */
#include "host/past_caches.h"

#include <stdatomic.h>
#include <stdio.h>

#include "host/threads.h"

#define USUAL ((int64_t)32 << 20)
#define MOST ((int64_t)64 << 20) /* what is larger is shared by many */

/* Of the last-level cache, by Linux: the C library's answer is of all processors together
 * on some machines. */
static int64_t
last_level_bytes(void)
{
    long long n = 0;
    char unit = 0;
    FILE *f = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");

    if (f) {
        if (fscanf(f, "%lld%c", &n, &unit) != 2) n = 0;
        fclose(f);
    }
    if (unit == 'K') n <<= 10;
    if (unit == 'M') n <<= 20;
    if (n <= 0) return USUAL;
    return n < MOST ? n : MOST;
}

bool
cu_host_past_caches(int64_t read, int64_t written)
{
#if defined(__x86_64__)
    static _Atomic int64_t found;
    int64_t size = atomic_load_explicit(&found, memory_order_relaxed);

    if (size == 0) {
        size = last_level_bytes();
        atomic_store_explicit(&found, size, memory_order_relaxed);
    }
    if (cu_host_least) return written >= 64;
    return written >= size / 4 && 3 * read + written >= size / 2 * 3;
#else
    (void)read, (void)written;
    return false;
#endif
}
