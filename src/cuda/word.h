/* cuda/word.h: a number that a kernel tells the host, which waits for it.
 *
 * A kernel writes it straight into the host's memory, where it is seen a microsecond
 * later; copying it there and waiting for the stream takes several times as long.
 */
#ifndef CUPRIC_CUDA_WORD_H
#define CUPRIC_CUDA_WORD_H

#include "device/backend.h"

/* Take a word, for a number that is not negative; device code writes to the same address.
 * Waits while all of them are taken. */
cu_status cu_cuda_word_take(int64_t **out);

/* Wait for work on `s` to set the word; 0 where the work did not set it. */
cu_status cu_cuda_word_wait(int64_t *word, cu_stream *s, int64_t *value);

/* Give it back: no kernel will write to it any more. */
void cu_cuda_word_put(int64_t *word);

#endif
