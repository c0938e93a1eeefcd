/* host/queue.h: what a stream is given, in the order it was given.
 *
 * The functions are entries of the host device's table, in place of those that do the
 * work: each does it at once, or, where its stream is being captured or the call is for the
 * runner, makes a step of the call with a copy of its arguments.
 */
#ifndef CUPRIC_HOST_QUEUE_H
#define CUPRIC_HOST_QUEUE_H

#include "device/backend.h"

cu_status cu_host_queue_copy(void *dst, const void *src, size_t nbytes,
                             cu_copy_kind kind, cu_stream *s);
cu_status cu_host_queue_copy_peer(int dst_ordinal, void *dst, int src_ordinal,
                                  const void *src, size_t nbytes, cu_stream *s);
cu_status cu_host_queue_fill(void *dst, int byte, size_t nbytes, cu_stream *s);
cu_status cu_host_queue_callback(cu_stream *s, void (*fn)(void *), void *arg);
cu_status cu_host_queue_elementwise(const cu_elementwise *args, cu_stream *s);
cu_status cu_host_queue_convert(const cu_iter *it, cu_stream *s);
cu_status cu_host_queue_reduce(const cu_reduce *args, cu_stream *s);
cu_status cu_host_queue_reduceat(const cu_reduceat *args, cu_stream *s);
cu_status cu_host_queue_scan(const cu_scan *args, cu_stream *s);
cu_status cu_host_queue_gather(const cu_index *args, cu_stream *s);
cu_status cu_host_queue_scatter(const cu_index *args, cu_stream *s);
cu_status cu_host_queue_scatter_op(const cu_index *args, cu_stream *s);
cu_status cu_host_queue_select(const cu_select *args, int64_t *count, cu_stream *s);
cu_status cu_host_queue_arange(cu_dtype t, int64_t n, const cu_scalar *start,
                               const cu_scalar *step, void *out, cu_stream *s);
cu_status cu_host_queue_sort(const cu_sort *args, cu_stream *s);
cu_status cu_host_queue_search(const cu_view *sorted, const cu_view *values, bool right,
                               int64_t *out, cu_stream *s);
cu_status cu_host_queue_histogram(const cu_histogram *args, cu_stream *s);
cu_status cu_host_queue_random(const cu_random *args, cu_stream *s);
cu_status cu_host_queue_convolve(const cu_convolve *args, cu_stream *s);
cu_status cu_host_queue_matmul(const cu_matmul *args, cu_stream *s);
cu_status cu_host_queue_linalg(const cu_linalg *args, cu_stream *s);
cu_status cu_host_queue_fft(const cu_fft *args, cu_stream *s);
cu_status cu_host_queue_dct(const cu_dct *args, cu_stream *s);
cu_status cu_host_queue_launch(cu_function *f, const cu_launch *config,
                               void *const *args, cu_stream *s);

#endif
