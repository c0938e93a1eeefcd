/* host/services.h: what the core does for this backend, and a clock. */
#ifndef CUPRIC_HOST_SERVICES_H
#define CUPRIC_HOST_SERVICES_H

#include "device/backend.h"

extern const cu_services *cu_host_services; /* static; set by backend.c, first of all */

int64_t cu_host_now_ns(void); /* CLOCK_MONOTONIC */

#endif
