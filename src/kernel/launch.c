/* kernel/launch.c: see launch.h. */
#include "kernel/launch.h"

#include <stdio.h>
#include <time.h>

#include "env.h"

static double
now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static cu_status
launch_and_tell(cu_function *f, const cu_launch *config, void *const *args,
                cu_stream *s)
{
    const unsigned *g = config->grid, *b = config->block;
    double start;
    cu_status st = s->backend->stream_sync(s);

    if (st) return st;
    start = now_us();
    st = s->backend->launch(f, config, args, s);
    if (!st) st = s->backend->stream_sync(s);
    fprintf(stderr,
            "cupric: launch on %s device %d, grid (%u, %u, %u), block (%u, %u, %u), "
            "%u bytes shared: %s, %.1f us\n",
            s->backend->name, s->ordinal, g[0], g[1], g[2], b[0], b[1], b[2],
            config->shared_bytes, st ? "failed" : "done", now_us() - start);
    return st;
}

cu_status
cu_kernel_launch(cu_function *f, const cu_launch *config, void *const *args,
                 cu_stream *s)
{
    static int64_t level = -1; /* read once; a race would read the same */
    if (level < 0) level = cu_setting_int("CUPRIC_DEBUG", 0);
    if (CUPRIC_UNLIKELY(level >= 2)) return launch_and_tell(f, config, args, s);
    return s->backend->launch(f, config, args, s);
}
