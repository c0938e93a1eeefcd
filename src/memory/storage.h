/* memory/storage.h: the memory behind an array, shared by the array and its views.
 *
 * A storage knows its device, the stream that used it last and whether its address was
 * handed to code outside the core. cu_storage_access is the one way to an address.
 */
#ifndef CUPRIC_MEMORY_STORAGE_H
#define CUPRIC_MEMORY_STORAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/device.h"
#include "status.h"

typedef struct cu_storage cu_storage;

/* What an accessor wants an address for. */
typedef enum cu_access {
    CUPRIC_READ = 1,
    CUPRIC_WRITE = 2,
    CUPRIC_ESCAPE = 4 /* the address leaves the core: for good */
} cu_access;

/* Read by hot paths; written by storage.c only. */
struct cu_storage {
    atomic_int refcount;
    bool escaped;
    cu_device *device; /* static */
    void *ptr;         /* NULL when nbytes is 0 */
    size_t nbytes;     /* asked for */
    void *block;       /* the pool's, or NULL for memory of others */
    uint64_t stream;   /* the id of the one it was allocated on; ~0: of none now */
    uint64_t noted;    /* 1 + the id of another that used it last; 0: none did */
    void (*release)(void *ptr, void *arg); /* called last for memory of others */
    void *release_arg;
};

/* `nbytes` of memory (0 is fine: no memory at all) on `device`, from the thread's
 * allocator (set_allocator) or else the device's pool, usable on the current stream of
 * that device. The caller owns *out. Any thread; needs the GIL only when a Python
 * allocator is set. */
cu_status cu_storage_new(cu_device *device, size_t nbytes, cu_storage **out);

/* Memory that somebody else owns: `release(ptr, arg)` runs when the last user is gone,
 * with no locks held, possibly without the GIL. Marked escaped. */
cu_status cu_storage_wrap(cu_device *device, void *ptr, size_t nbytes,
                          void (*release)(void *ptr, void *arg), void *arg,
                          cu_storage **out);

/* Memory straight from the backend, past pools and allocators. */
cu_status cu_storage_direct(cu_device *device, size_t nbytes, cu_storage **out);
/* The same, of memory that the host uses too. */
cu_status cu_storage_managed(cu_device *device, size_t nbytes, cu_storage **out);

/* Copy between any two devices, those of different backends included, in the order of
 * `s`, a stream of either, and of the other device's current stream: it comes after what
 * that was given, and before what that will be given. Where the host must carry it the
 * call waits for the copy. */
cu_status cu_storage_copy(cu_device *dst_device, void *dst, cu_device *src_device,
                          const void *src, size_t nbytes, cu_stream *s);

/* What serves cu_storage_new from now on in place of the default pools; NULL: nothing. */
typedef cu_status cu_allocator(cu_device *device, size_t nbytes, cu_storage **out);
void cu_storage_set_allocator(cu_allocator *f);

/* What is done with a pool's storage whose last user is gone, in place of cu_pool_return,
 * which it calls; NULL: nothing else. */
typedef void cu_release_hook(cu_storage *s);
void cu_storage_set_release_hook(cu_release_hook *f);

/* Whether a call that was given up still runs on a CPU, and may write to what is freed. On
 * other devices they see to that themselves. */
bool cu_storage_in_flight(const cu_device *d);

void cu_storage_free(cu_storage *s); /* storage.c's: when the count reaches 0 */

static inline cu_storage *
cu_storage_ref(cu_storage *s)
{
    atomic_fetch_add_explicit(&s->refcount, 1, memory_order_relaxed);
    return s;
}

static inline void
cu_storage_unref(cu_storage *s)
{
    if (s && atomic_fetch_sub_explicit(&s->refcount, 1, memory_order_acq_rel) == 1) {
        cu_storage_free(s);
    }
}

/* No stream owns it any more: each that uses it from now on is noted. */
static inline void
cu_storage_disown(cu_storage *s)
{
    __atomic_store_n(&s->stream, UINT64_MAX, __ATOMIC_RELAXED);
    __atomic_store_n(&s->noted, 0, __ATOMIC_RELAXED);
}

/* use.c's: note that work of `stream` uses a pool's storage of another stream. */
void cu_storage_note(cu_storage *s, cu_stream *stream);

/* Work that `stream` was given uses the storage, which will not be reused before that is
 * done. For streams other than the thread's current one on the storage's device, which
 * cu_storage_access notes; before the last reference goes. Any thread. */
static inline void
cu_storage_used_on(cu_storage *s, cu_stream *stream)
{
    if (s->block && s->stream != stream->id) cu_storage_note(s, stream);
}

/* storage.c's: count an access, and note it where it is another stream's. */
void cu_storage_note_access(cu_storage *s);

/* Count this thread's accesses to memory of arrays until the matching `end`; pairs may be
 * nested. What is counted in between is the difference of two counts. */
void cu_accesses_begin(void);
void cu_accesses_end(void);
uint64_t cu_accesses_count(void);

/* The address, for the use stated (an `or` of cu_access) on the thread's current stream.
 * Deferred work that the use must not overtake will be run here. */
static inline char *
cu_storage_access(cu_storage *s, int access)
{
    if (CUPRIC_UNLIKELY(__atomic_load_n(&cu_accesses_noted, __ATOMIC_RELAXED))) {
        cu_storage_note_access(s);
    }
    if (access & CUPRIC_ESCAPE) s->escaped = true;
    return (char *)s->ptr;
}

#endif
