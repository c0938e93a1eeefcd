/* cuda/word.c: see word.h. The words lie in one piece of pinned memory, each in a cache
 * line of its own; a bit says which are free. */
#include "cuda/word.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "cuda/driver.h"
#include "cuda/entries.h"

#define NWORDS 64
#define WORD_STRIDE 16 /* words from one to the next */
#define NOT_SET (-1)
#define SPINS (1 << 14) /* at the word, before the driver waits */

static int64_t *words; /* guarded by the lock until set; never freed */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint64_t free_words = ~UINT64_C(0);

static cu_status
words_get(int64_t **out)
{
    void *memory = NULL;
    cu_status st = CUPRIC_OK;

    *out = __atomic_load_n(&words, __ATOMIC_ACQUIRE);
    if (CUPRIC_LIKELY(*out != NULL)) return CUPRIC_OK;
    pthread_mutex_lock(&lock);
    if (!words) {
        st = cu_cuda_alloc_pinned(NWORDS * WORD_STRIDE * sizeof *words, &memory);
        if (!st) __atomic_store_n(&words, (int64_t *)memory, __ATOMIC_RELEASE);
    }
    *out = words;
    pthread_mutex_unlock(&lock);
    return st;
}

cu_status
cu_cuda_word_take(int64_t **out)
{
    uint64_t there = atomic_load(&free_words);
    int64_t *all;
    cu_status st = words_get(&all);

    if (st) return st;
    for (;;) {
        if (there == 0) {
            sched_yield();
            there = atomic_load(&free_words);
        } else if (atomic_compare_exchange_weak(&free_words, &there,
                                                there & (there - 1))) {
            break;
        }
    }
    *out = all + __builtin_ctzll(there) * WORD_STRIDE;
    __atomic_store_n(*out, NOT_SET, __ATOMIC_RELEASE);
    return CUPRIC_OK;
}

void
cu_cuda_word_put(int64_t *word)
{
    atomic_fetch_or(&free_words, UINT64_C(1) << (word - words) / WORD_STRIDE);
}

cu_status
cu_cuda_word_wait(int64_t *word, cu_stream *s, int64_t *value)
{
    cu_status st;

    for (int i = 0; i < SPINS; i++) {
        *value = __atomic_load_n(word, __ATOMIC_ACQUIRE);
        if (*value != NOT_SET) return CUPRIC_OK;
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    st = cu_cuda_stream_sync(s);
    if (st) return st;
    *value = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    if (*value == NOT_SET) *value = 0; /* a driver that runs nothing, as tests have */
    return CUPRIC_OK;
}
