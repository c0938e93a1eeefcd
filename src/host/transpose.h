/* host/transpose.h: a matrix copied with its axes exchanged. */
#ifndef CUPRIC_HOST_TRANSPOSE_H
#define CUPRIC_HOST_TRANSPOSE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Elements of so many bytes have a transposition of their own. */
static inline bool
cu_host_transposes(int itemsize)
{
    return itemsize <= 16; /* 1, 2, 4, 8 or 16 */
}

/* to[j][i] = from[i][j] for i < rows, j < columns. The elements of a row are neighbours in
 * both matrices, rows are `…_stride` bytes apart; the matrices do not overlap. */
void cu_host_transpose(int itemsize, char *to, int64_t to_stride, const char *from,
                       int64_t from_stride, int64_t rows, int64_t columns);

#ifdef __cplusplus
}
#endif
#endif
