/* host/pending.c: entries that are not written yet. */
#include "host/entries.h"

#define PENDING(name, ...) \
    __attribute__((weak)) cu_status name(__VA_ARGS__) \
    { return cu_fail(CUPRIC_ERR_UNSUPPORTED, "%s is not available on the host device", #name); }
#pragma GCC diagnostic ignored "-Wunused-parameter"
PENDING(cu_host_elementwise, const cu_elementwise *args, cu_stream *s)
PENDING(cu_host_convert, const cu_iter *it, cu_stream *s)
PENDING(cu_host_reduce, const cu_reduce *args, cu_stream *s)
PENDING(cu_host_reduceat, const cu_reduceat *args, cu_stream *s)
PENDING(cu_host_scan, const cu_scan *args, cu_stream *s)
PENDING(cu_host_gather, const cu_index *args, cu_stream *s)
PENDING(cu_host_scatter, const cu_index *args, cu_stream *s)
PENDING(cu_host_scatter_op, const cu_index *args, cu_stream *s)
PENDING(cu_host_nonzero, const cu_view *in, int64_t count, int64_t *out, cu_stream *s)
PENDING(cu_host_arange, cu_dtype t, int64_t n, const cu_scalar *start,
                         const cu_scalar *step, void *out, cu_stream *s)
PENDING(cu_host_sort, const cu_sort *args, cu_stream *s)
PENDING(cu_host_search, const cu_view *sorted, const cu_view *values, bool right,
                         int64_t *out, cu_stream *s)
PENDING(cu_host_random, const cu_random *args, cu_stream *s)
PENDING(cu_host_convolve, const cu_convolve *args, cu_stream *s)
PENDING(cu_host_matmul, const cu_matmul *args, cu_stream *s)
PENDING(cu_host_linalg, const cu_linalg *args, cu_stream *s)
PENDING(cu_host_fft, const cu_fft *args, cu_stream *s)
PENDING(cu_host_compiler_id, int ordinal, const char **out)
PENDING(cu_host_compile, int ordinal, const cu_compile *args, cu_blob *binary,
                          cu_blob *log)
PENDING(cu_host_module_load, int ordinal, const void *binary, size_t nbytes,
                              cu_module **out)
__attribute__((weak)) void cu_host_module_free(cu_module *m) {}
PENDING(cu_host_module_function, cu_module *m, const char *name, cu_function **out)
PENDING(cu_host_module_global, cu_module *m, const char *name, void **ptr,
                                size_t *nbytes)
PENDING(cu_host_function_get, cu_function *f, cu_function_attr attr, int *value)
PENDING(cu_host_function_set, cu_function *f, cu_function_attr attr, int value)
PENDING(cu_host_launch, cu_function *f, const cu_launch *config, void *const *args,
                         cu_stream *s)
