/* kernel/record.h: what recordings of calls (py_record.c) take of the array's operations. */
#ifndef CUPRIC_KERNEL_RECORD_H
#define CUPRIC_KERNEL_RECORD_H

#include "memory/storage.h"

/* Whether some thread may be recording a call: what others do costs no more than this. */
static inline bool
cu_may_record(void)
{
    return __atomic_load_n(&cu_accesses_noted, __ATOMIC_RELAXED) >= CUPRIC_NOTE_COUNT;
}

/* Add an operation that has run to the recordings of this thread, if there are any. `call`
 * is NULL for a conversion; storages[k] is operand k's, NULL for a value. */
void cu_record_iteration(cu_device *device, const cu_elementwise *call,
                         const cu_iter *it, cu_storage *const *storages);

#endif
