/* host/queue.h: what a stream is given, in the order it was given.
 *
 * The functions are entries of the host device's table, in place of those that do the
 * work: each does it at once, or, where its stream is being captured or the call is for the
 * runner, makes a step of the call with a copy of its arguments.
 */
#ifndef CUPRIC_HOST_QUEUE_H
#define CUPRIC_HOST_QUEUE_H

#include "device/backend.h"

#define VERB(result, name, parameters)
#define QUEUED(result, name, parameters) result cu_host_queue_##name parameters;
#define HOST QUEUED
#include "device/verbs.def"

#endif
