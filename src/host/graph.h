/* host/graph.h: captures of streams, and the graphs that come of them. What is recorded is
 * a list of steps, which queue.c makes.
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

#define CUPRIC_HOST_TRACKED_STREAMS 16 /* of a recording: those that are told apart */

/* What comes before an event of a recording: so many steps of each of its streams. Read
 * and written by the functions below. */
typedef struct cu_host_point {
    uint64_t id; /* of the recording; 0: none */
    uint32_t steps[CUPRIC_HOST_TRACKED_STREAMS];
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

#endif
