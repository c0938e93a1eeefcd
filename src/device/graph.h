/* device/graph.h: work captured from streams, to be launched as often as wanted.
 *
 * A launch writes where the captured work wrote. Memory that was allocated during the
 * capture is therefore the graph's own (memory/capture.h).
 */
#ifndef CUPRIC_DEVICE_GRAPH_H
#define CUPRIC_DEVICE_GRAPH_H

#include "device/device.h"

typedef struct cu_captured cu_captured; /* opaque: a graph and what it keeps */

/* Record what `s`, a stream of `d`, is given from now on. The recording is the stream's
 * until cu_graph_end; a stream that goes meanwhile takes it along. */
cu_status cu_graph_begin(cu_device *d, cu_stream *s, cu_capture_mode mode);
/* The caller owns *out. The stream records no more, even where this fails. */
cu_status cu_graph_end(cu_stream *s, cu_captured **out);
/* Whether what `s` is given is recorded, be it by us or by another library. */
cu_status cu_graph_is_recorded(cu_stream *s, bool *out);

/* `s` was told to wait for an event: if that drew it into one of our captures, it
 * allocates from the graph's memory from now on. */
cu_status cu_graph_join(cu_stream *s);

/* Release `p` with the graph that `s` is being captured into; fails where it is not. */
cu_status cu_graph_keep(cu_stream *s, void *p, void (*release)(void *p));

/* The pools' part (memory/capture.h), set once before any capture. */
typedef struct cu_graph_memory {
    cu_status (*begin)(cu_stream *s, void **out);
    cu_status (*join)(void *memory, cu_stream *s);
    void (*end)(void *memory);
    void (*free)(void *memory); /* the graph runs no more */
} cu_graph_memory;

void cu_graph_set_memory(const cu_graph_memory *memory);

cu_device *cu_captured_device(const cu_captured *c);
cu_graph *cu_captured_graph(const cu_captured *c); /* borrowed */
cu_status cu_captured_launch(cu_captured *c, cu_stream *s);
/* Waits for the last launch. NULL is fine. */
void cu_captured_free(cu_captured *c);

#endif
