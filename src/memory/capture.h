/* memory/capture.h: memory for streams whose work is captured into a graph.
 *
 * A graph runs again at addresses that were handed out while it was captured, so what it
 * uses must be nobody else's for as long as it lives:
 *
 *     cu_capture_begin(s, &c)      from now on `s` allocates from memory of its own
 *     cu_capture_join(c, t)        the same for a stream that takes part
 *     cu_capture_end(c)            s and t allocate as before; the memory stays the graph's
 *     cu_capture_free(c)           the graph is gone: anybody has its memory
 *
 * Inside, a freed block is used again at once on its stream, and no other stream gets it.
 * The memory is taken from what lay free and idle when the capture began, or new.
 * Arrays may outlive the capture, which is how results are read, and the graph too.
 *
 * While any stream of a device is captured its pools only grow: they ask and wait for no
 * stream and return no memory, which would end the capture.
 */
#ifndef CUPRIC_MEMORY_CAPTURE_H
#define CUPRIC_MEMORY_CAPTURE_H

#include "device/device.h"
#include "status.h"

typedef struct cu_capture cu_capture;

/* Let graphs (device/graph.h) have such memory; once, before any capture. */
void cu_capture_register(void);

/* From now on `s` allocates, in every pool of its device, from memory that is *out's,
 * which the caller owns. Fails where `s` is in a capture. Any thread. */
cu_status cu_capture_begin(cu_stream *s, cu_capture **out);

/* Let a stream that waits for the captured one take part. Harmless if it does. */
cu_status cu_capture_join(cu_capture *c, cu_stream *s);

/* The streams of the capture allocate as before. Harmless when called again. */
void cu_capture_end(cu_capture *c);

/* Nothing that was captured runs any more. Ends the capture if that was not done. NULL is
 * fine. */
void cu_capture_free(cu_capture *c);

/* Whether any stream of the device is being captured. */
bool cu_capture_is_active_on(const cu_backend *backend, int ordinal);

#endif
