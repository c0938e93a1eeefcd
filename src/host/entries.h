/* host/entries.h: the functions that the host device's table is made of.
 *
 * What each promises stands in device/verbs.def, beside its row. All
 * work is done when a call returns, so streams are only looked at by name, and every
 * function may be called from any thread, with or without the GIL.
 */
#ifndef CUPRIC_HOST_ENTRIES_H
#define CUPRIC_HOST_ENTRIES_H

#include "device/backend.h"
#include "host/services.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VERB(result, name, parameters) result cu_host_##name parameters;
#define HOST VERB
#include "device/verbs.def"

/* device.c. Read CUPRIC_HOST_DEVICES; CUPRIC_ERR_VALUE if it is not a small number. */
cu_status cu_host_device_configure(const char *setting);
/* Bytes that this process may use at most: of the machine or of its control group. */
size_t cu_host_total_bytes(void);

/* memory.c. Memory of one call, in huge pages where it is large; NULL where the system has
 * none. */
void *cu_host_scratch_new(size_t nbytes);
void cu_host_scratch_free(void *ptr, size_t nbytes);

/* launch.c. Shared memory that a block can have when its kernel asks. */
size_t cu_host_shared_bytes_optin(void);
/* What a launch takes, by the last one; INT64_MAX before the first. */
int64_t cu_host_launch_ns(const cu_function *f, const cu_launch *config);
/* Whether the kernel can be launched so. */
cu_status cu_host_launch_check(const cu_function *f, const cu_launch *config);

#ifdef __cplusplus
}
#endif
#endif
