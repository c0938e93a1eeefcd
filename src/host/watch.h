/* host/watch.h: launches that the main thread runs itself.
 *
 * A launch that was short the last time is run by the calling thread: to give it to the
 * runner would take many times as long. Nobody can tell whether it will be short again, and
 * Python's handlers of signals run in the main thread. So a thread looks every 50 ms; a
 * launch that it finds twice is asked by cu_block_ask whether it is to end. Where nothing
 * was launched for a second, the thread sleeps.
 */
#ifndef CUPRIC_HOST_WATCH_H
#define CUPRIC_HOST_WATCH_H

#include <stdbool.h>

/* Before and after a launch in the calling thread. False: it is not watched, and does not
 * end: another thread than the main one, or within a launch. */
bool cu_host_watch_begin(void);
void cu_host_watch_end(void);

#endif
