/* cuda/codegen/text.c: see text.h. */
#include "cuda/codegen/text.h"

#include <stdarg.h>
#include <stdio.h>

void
cu_emit(text *t, const char *fmt, ...)
{
    va_list args;
    int n;

    if (t->used >= t->nbytes) return;
    va_start(args, fmt);
    n = vsnprintf(t->at + t->used, t->nbytes - t->used, fmt, args);
    va_end(args);
    t->used += (size_t)n;
}

void
cu_emit_headers(text *t, const char *math, const char *kernels)
{
    cu_emit(t, "#include \"cupric/%s.hpp\"\n", math);
    cu_emit(t, "#include \"cupric/kernels/%s.hpp\"\n", kernels);
}

void
cu_emit_bounded_kernel(text *t, int k, int threads, int blocks, const char *params)
{
    cu_emit(t, "extern \"C\" __global__ void __launch_bounds__(%d", threads);
    if (blocks) cu_emit(t, ", %d", blocks);
    cu_emit(t, ") %s_%d(const __grid_constant__ %s p)\n", t->name, k, params);
}

void
cu_emit_kernel(text *t, int k, int threads, const char *params)
{
    cu_emit_bounded_kernel(t, k, threads, 0, params);
}
