/* device/device.h: the devices of this process, and each thread's current one.
 *
 * A cu_device is static: made when its backend is loaded, valid until the process ends.
 * Devices of every backend are numbered through one table per backend; `ordinal` is what
 * Python calls Device.id, and the backend in use decides what 0 means.
 */
#ifndef CUPRIC_DEVICE_DEVICE_H
#define CUPRIC_DEVICE_DEVICE_H

#include "device/backend.h"

#define CUPRIC_MAXDEVICES 64 /* of all backends */

typedef struct cu_device {
    const cu_backend *backend; /* static */
    int ordinal;
    int index;                 /* in the process-wide table, over all backends */
    cu_stream *default_stream; /* owned, for ever */
    /* Of threads that entered no stream: the same, or NULL where each has its own. */
    cu_stream *implicit_stream;
    void *pool; /* memory/pool.c's cu_pool, made on first use */
    cu_device_info info;
} cu_device;

/* Whether any other backend can use the device's memory as the host's: kDLCPU. */
static inline bool
cu_device_on_host(const cu_device *d)
{
    return d->backend->dlpack_type == 1;
}

/* Load the backends and make the device table. CUPRIC_DEVICE=host|cuda chooses the
 * backend that device numbers mean; CUDA when a driver and a device are there. Called by
 * the first use; safe from several threads. */
cu_status cu_devices_init(void);

/* End the backends' threads: the process is about to end. */
void cu_devices_stop(void);

/* Why CUDA is not the backend in use, for people; NULL where it is. Static. */
const char *cu_device_passed_over(void);

/* The number of devices of the backend in use; 0 when cu_devices_init fails. */
int cu_device_count(void);

/* Whether `d` can be used in this process: CUPRIC_ERR_DEVICE in a child forked after its
 * backend was loaded, unless the backend is the host's. */
cu_status cu_device_check(const cu_device *d);

/* CUPRIC_ERR_VALUE: an operation was given arrays on both of these. */
cu_status cu_device_differs(const cu_device *a, const cu_device *b);

/* Device `ordinal` of the backend in use; CUPRIC_ERR_DEVICE if there is none. */
cu_status cu_device_get(int ordinal, cu_device **out);
/* Device `ordinal` of the named backend ("host" is always there). */
cu_status cu_device_find(const char *backend, int ordinal, cu_device **out);

/* This thread's current device and its current stream there: borrowed. Where the backend
 * that was asked for cannot be loaded this is a device whose memory cannot be had: the
 * first allocation says why. */
cu_device *cu_device_current(void);

void cu_device_set_current(cu_device *d);

/* The folder of the installed package. */
const char *cu_device_package_dir(void);

/* This thread's current stream on `d` (the default stream unless one was entered; the
 * thread's own with CUPY_CUDA_PER_THREAD_DEFAULT_STREAM). */
cu_stream *cu_stream_current(cu_device *d);
void cu_stream_set_current(cu_device *d, cu_stream *s); /* refs s; NULL: the default */
/* Why accesses to memory are noted (memory/storage.h); 0: they are not. CUPRIC_NOTE_STREAMS
 * once any thread made a stream other than a default one its current one, and
 * CUPRIC_NOTE_COUNT for each thread that counts its accesses. */
extern unsigned cu_accesses_noted;
enum { CUPRIC_NOTE_STREAMS = 1, CUPRIC_NOTE_COUNT = 2 };

cu_status cu_stream_new(cu_device *d, uint32_t flags, int priority, cu_stream **out);
/* The calling thread's own default stream, borrowed, until the thread ends. The driver's
 * name for it is the same in every thread; ours is one object for each. */
cu_status cu_stream_own(cu_device *d, cu_stream **out);
/* A stream that others own, by its handle. */
cu_status cu_stream_wrap(cu_device *d, void *handle, cu_stream **out);
cu_stream *cu_stream_ref(cu_stream *s);
void cu_stream_unref(cu_stream *s); /* NULL is fine */

/* Let what `s` is given from now on wait for all that `other` has been given, a stream of
 * any device of the same backend. Does not block. */
cu_status cu_stream_join(cu_stream *s, cu_stream *other);

/* CUPRIC_ERR_WAITED where this thread forbids itself to wait for devices, else
 * CUPRIC_OK: asked by what a program waits in, before it does. */
cu_status cu_wait_check(void);
/* Returns what was set before. */
bool cu_wait_allow(bool allowed);
/* How often this thread was allowed to wait. */
uint64_t cu_wait_count(void);

/* `hook` runs when the last user of a stream is gone, before its handle is: the pools let
 * go of it. One hook. */
void cu_stream_on_free(void (*hook)(cu_stream *s));

/* What plugins call when they lack memory, see cu_services. */
void cu_device_set_free_memory(void (*f)(const cu_backend *backend, int ordinal));

/* What plugins keep compiled kernels with, see cu_services; before any is loaded. */
void cu_device_set_cache(bool (*read)(const char *id, cu_blob *binary),
                         void (*write)(const char *id, const cu_blob *binary,
                                       const char *source));

#endif
