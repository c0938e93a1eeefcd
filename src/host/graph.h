/* host/graph.h: recording what a stream is given, and doing it later.
 *
 * The functions are entries of the host device's table, in place of those that do the
 * work: each does it at once, or, where its stream is being captured, notes the call with
 * a copy of its arguments.
 */
#ifndef CUPRIC_HOST_GRAPH_H
#define CUPRIC_HOST_GRAPH_H

#include "device/backend.h"

void cu_host_graph_init(void); /* once, before the rest */

cu_status cu_host_capture_begin(cu_stream *s, cu_capture_mode mode);
cu_status cu_host_capture_end(cu_stream *s, cu_graph **out);
cu_status cu_host_capture_id(cu_stream *s, uint64_t *out);
cu_status cu_host_graph_launch(cu_graph *g, cu_stream *s);
cu_status cu_host_graph_upload(cu_graph *g, cu_stream *s);
cu_status cu_host_graph_print(cu_graph *g, unsigned flags, const char *path);
void cu_host_graph_handles(const cu_graph *g, void **graph, void **executable);
void cu_host_graph_free(cu_graph *g);

#define CUPRIC_HOST_STREAMS_TOLD 16 /* of a recording: those that are told apart */

/* What comes before an event of a recording: so many steps of each of its streams. Read
 * and written by the functions below. */
typedef struct cu_host_point {
    uint64_t id; /* of the recording; 0: none */
    uint32_t steps[CUPRIC_HOST_STREAMS_TOLD];
} cu_host_point;

/* Where the recording is that `s` takes part in. *out is {0} before the first call. */
void cu_host_capture_mark(const cu_stream *s, cu_host_point *out);
/* The recording that an event is of; 0: none. */
uint64_t cu_host_capture_marked(const cu_host_point *p);
/* What `s` is given comes after `p`: it takes part in that recording from now on, if it
 * is still open. Fails where `s` is being captured and `p` is of another recording, or of
 * none (`recorded`: it has happened). */
cu_status cu_host_capture_join(cu_stream *s, const cu_host_point *p, bool recorded);
/* Fails where the stream is being captured: `what` cannot be recorded. */
cu_status cu_host_capture_refuse(const cu_stream *s, const char *what);

/* The same for waiting for a whole device. */
cu_status cu_host_capture_refuse_device(int ordinal);

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
cu_status cu_host_queue_launch(cu_function *f, const cu_launch *config,
                               void *const *args, cu_stream *s);

#endif
