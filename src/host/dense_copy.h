/* host/dense_copy.h: memmove without what it meets on AMD's processors.
 *
 * The C library copies some 2 KiB to 1 MiB by `rep movsb`. Zen 3 and 4 move it byte by byte
 * where the destination begins less than 16 bytes behind the source, modulo a page: 26 times
 * slower, and twice up to 32. Blocks of a pool begin at multiples of a page's parts, so that
 * all that shifts elements (roll, insert, x[1:] = y[:-1]) meets it.
 */
#ifndef CUPRIC_HOST_DENSE_COPY_H
#define CUPRIC_HOST_DENSE_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t cu_copied_words
    __attribute__((vector_size(16), aligned(1), may_alias));

/* The whole lines of 64 bytes, first to last: how many bytes. */
static inline size_t
cu_copy_lines(char *dst, const char *src, size_t nbytes)
{
    size_t i = 0;
    for (; i + 64 <= nbytes; i += 64) {
        const cu_copied_words *from = (const cu_copied_words *)(src + i);
        cu_copied_words *to = (cu_copied_words *)(dst + i);
        const cu_copied_words a = from[0], b = from[1], c = from[2], d = from[3];
        to[0] = a, to[1] = b, to[2] = c, to[3] = d;
        __asm__ volatile("" ::: "memory"); /* or compilers make a memcpy of the loop */
    }
    return i;
}

/* First to last: `dst` is not within `src`. */
static inline void
cu_dense_copy_near(char *dst, const char *src, size_t nbytes)
{
    const size_t i = cu_copy_lines(dst, src, nbytes);

    memcpy(dst + i, src + i, nbytes - i);
}

/* memmove. */
static inline void
cu_dense_copy(void *dst, const void *src, size_t nbytes)
{
    const uintptr_t apart = (uintptr_t)dst - (uintptr_t)src, behind = apart & 4095;

    if (behind && behind < 32 && nbytes > 1024 && nbytes <= (size_t)1 << 20 &&
        apart >= nbytes) {
        cu_dense_copy_near((char *)dst, (const char *)src, nbytes);
    } else {
        memmove(dst, src, nbytes);
    }
}

#define CUPRIC_SHORT_ROW_BYTES 1024

/* A short row, which a call would take longer for: words, of which the last two may share
 * some bytes. The rows do not overlap. */
static inline void
cu_row_copy(char *dst, const char *src, size_t nbytes)
{
    typedef cu_copied_words words;

    if (nbytes >= 8 && nbytes < sizeof(words)) {
        uint64_t first, last;
        memcpy(&first, src, sizeof first);
        memcpy(&last, src + nbytes - sizeof last, sizeof last);
        memcpy(dst, &first, sizeof first);
        memcpy(dst + nbytes - sizeof last, &last, sizeof last);
        return;
    }
    if (nbytes < sizeof(words) || nbytes > CUPRIC_SHORT_ROW_BYTES) {
        cu_dense_copy(dst, src, nbytes);
        return;
    }
    for (size_t i = cu_copy_lines(dst, src, nbytes); i + sizeof(words) < nbytes;
         i += sizeof(words))
        *(words *)(dst + i) = *(const words *)(src + i);
    nbytes -= sizeof(words);
    *(words *)(dst + nbytes) = *(const words *)(src + nbytes);
}

#endif
