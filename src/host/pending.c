/* host/pending.c: entries that are not written yet. */
#include "host/entries.h"

#define PENDING(name, ...) \
    __attribute__((weak)) cu_status name(__VA_ARGS__) \
    { return cu_fail(CUPRIC_ERR_UNSUPPORTED, "%s is not available on the host device", #name); }
#pragma GCC diagnostic ignored "-Wunused-parameter"
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
