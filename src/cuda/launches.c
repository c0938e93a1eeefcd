/* cuda/launches.c: the names of the last launches, in a ring that no lock guards: the
 * message of a fault may miss one that is being noted.
 */
#include "cuda/launches.h"

#include <stdio.h>
#include <string.h>

#define RECENT 8 /* launches remembered for messages; a power of two */

static const char *recent[RECENT];
static unsigned nlaunched;

bool cu_cuda_awaits_launches;
bool cu_cuda_logs_launches;
static _Thread_local double moved_bytes; /* by the operation under way; 0: not known */

void
cu_cuda_launches_configure(const char *debug, int64_t level)
{
    cu_cuda_awaits_launches = debug && strstr(debug, "launch");
    cu_cuda_logs_launches = level >= 2;
}

void
cu_cuda_record_bytes(const cu_iter *it)
{
    double bytes = 0;

    for (int k = 0; k < it->nops; k++) {
        double elements = it->op[k].ptr ? 1 : 0;
        for (int d = 0; d < it->ndim; d++) {
            if (it->op[k].strides[d]) elements *= (double)it->shape[d];
        }
        bytes += elements * cu_itemsize(it->op[k].dtype);
    }
    moved_bytes = bytes;
}

double
cu_cuda_recorded_bytes(void)
{
    const double bytes = moved_bytes;

    moved_bytes = 0;
    return bytes;
}

void
cu_cuda_launched_names(char *out, size_t nout)
{
    const unsigned last = __atomic_load_n(&nlaunched, __ATOMIC_RELAXED);
    size_t used = 0;

    *out = '\0';
    for (unsigned i = 0; i < RECENT && i < last; i++) {
        const char *name =
            __atomic_load_n(&recent[(last - 1 - i) % RECENT], __ATOMIC_RELAXED);
        if (!name || used + strlen(name) + 3 > nout) break;
        used += (size_t)snprintf(out + used, nout - used, "%s%s", i ? ", " : "", name);
    }
}

void
cu_cuda_record_launch(const char *name)
{
    const unsigned i = __atomic_fetch_add(&nlaunched, 1, __ATOMIC_RELAXED);

    __atomic_store_n(&recent[i % RECENT], name, __ATOMIC_RELAXED);
}
