/* exhausted.c: what is reported when a pool runs out of memory. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "memory/arena.h"

#define N_LARGEST 5

/* The sizes of the largest live blocks, in descending order; returns how many. */
static int
largest_live_locked(const cu_pool *pool, size_t sizes[N_LARGEST])
{
    int n = 0;

    for (const cu_chunk *c = pool->chunks; c; c = c->next) {
        for (const cu_block *b = c->first; b; b = b->next) {
            int at = n;

            if (b->state != LIVE) continue;
            while (at > 0 && sizes[at - 1] < b->size) at--;
            if (at == N_LARGEST) continue;
            if (n < N_LARGEST) n++;
            for (int i = n - 1; i > at; i--) sizes[i] = sizes[i - 1];
            sizes[at] = b->size;
        }
    }
    return n;
}

static size_t
append(char *text, size_t size, size_t length, const char *fmt, ...)
{
    va_list args;
    int n;

    if (length >= size) return length;
    va_start(args, fmt);
    n = vsnprintf(text + length, size - length, fmt, args);
    va_end(args);
    return n < 0 ? length : length + (size_t)n;
}

/* "12,345,678 bytes" */
typedef struct bytes_text {
    char text[40];
} bytes_text;

static bytes_text
in_bytes(size_t n)
{
    char digits[24];
    bytes_text out;
    int length = snprintf(digits, sizeof digits, "%zu", n);
    int at = 0;

    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) out.text[at++] = ',';
        out.text[at++] = digits[i];
    }
    memcpy(out.text + at, " bytes", 7);
    return out;
}

cu_status
cu_pool_exhausted(cu_pool *pool, size_t nbytes)
{
    cu_device *d = pool->device;
    size_t sizes[N_LARGEST];
    size_t device_free = 0, device_total = 0, used, total, limit;
    size_t length = 0;
    char text[768];
    cu_status st;
    int n;

    st = cu_device_check(d);
    if (st) return st;
    pthread_mutex_lock(&pool->lock);
    n = largest_live_locked(pool, sizes);
    used = pool->used;
    total = pool->total;
    limit = pool->limit;
    pthread_mutex_unlock(&pool->lock);
    d->backend->mem_info(d->ordinal, &device_free, &device_total);

    length =
        append(text, sizeof text, length,
               "Out of memory allocating %s on %s device %d (allocated so far: %s, "
               "cached and free: %s",
               in_bytes(nbytes).text, d->backend->name, d->ordinal, in_bytes(used).text,
               in_bytes(total - used).text);
    if (limit) {
        length = append(text, sizeof text, length, ", limit set to: %s",
                        in_bytes(limit).text);
    }
    length = append(text, sizeof text, length, "; device memory free: %s of %s",
                    in_bytes(device_free).text, in_bytes(device_total).text);
    for (int i = 0; i < n; i++) {
        length =
            append(text, sizeof text, length, "%s%s",
                   i ? ", " : "; largest blocks in use: ", in_bytes(sizes[i]).text);
    }
    append(text, sizeof text, length, ").");
    return cu_fail(CUPRIC_ERR_MEMORY, "%s", text);
}
