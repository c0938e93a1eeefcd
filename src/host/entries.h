/* host/entries.h: the functions that the host device's table is made of.
 *
 * What each promises stands in device/backend.h beside the entry of the same name. All
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

/* device.c. Read CUPRIC_HOST_DEVICES; CUPRIC_ERR_VALUE if it is not a small number. */
cu_status cu_host_device_configure(const char *setting);
cu_status cu_host_device_count(int *out);
cu_status cu_host_device_info(int ordinal, cu_device_info *out);
cu_status cu_host_device_sync(int ordinal);
cu_status cu_host_mem_info(int ordinal, size_t *free_bytes, size_t *total_bytes);
cu_status cu_host_device_attribute(int ordinal, int which, int *out);
cu_status cu_host_versions(int *driver, int *runtime);
bool cu_host_component(int i, cu_component *out);
cu_status cu_host_peer_query(int ordinal, int peer, bool *out);
cu_status cu_host_peer_enable(int ordinal, int peer);
cu_status cu_host_profiler(int ordinal, bool on);
cu_status cu_host_pointer_info(const void *ptr, cu_pointer_info *out);
/* Bytes that this process may use at most: of the machine or of its control group. */
size_t cu_host_total_bytes(void);

/* memory.c */
cu_status cu_host_alloc(int ordinal, size_t nbytes, void **out);
void cu_host_free(int ordinal, void *ptr, size_t nbytes);
cu_status cu_host_alloc_pinned(size_t nbytes, void **out);
void cu_host_free_pinned(void *ptr, size_t nbytes);
cu_status cu_host_copy(void *dst, const void *src, size_t nbytes, cu_copy_kind kind,
                       cu_stream *s);
cu_status cu_host_copy_peer(int dst_ordinal, void *dst, int src_ordinal,
                            const void *src, size_t nbytes, cu_stream *s);
cu_status cu_host_fill(void *dst, int byte, size_t nbytes, cu_stream *s);
size_t cu_host_page_unit(int ordinal);
cu_status cu_host_range_new(int ordinal, size_t nbytes, void **out);
void cu_host_range_free(int ordinal, void *ptr, size_t nbytes);
cu_status cu_host_page_new(int ordinal, size_t nbytes, cu_page *out);
void cu_host_page_free(int ordinal, cu_page page, size_t nbytes);
cu_status cu_host_map(int ordinal, void *at, cu_page page, size_t nbytes);
void cu_host_unmap(int ordinal, void *at, size_t nbytes);
/* Memory of one call, in huge pages where it is large; NULL where the system has none. */
void *cu_host_scratch_new(size_t nbytes);
void cu_host_scratch_free(void *ptr, size_t nbytes);

/* stream.c */
cu_status cu_host_stream_new(int ordinal, uint32_t flags, int priority, void **out);
void cu_host_stream_free(int ordinal, void *handle);
cu_status cu_host_stream_sync(cu_stream *s);
cu_status cu_host_stream_query(cu_stream *s, bool *done);
cu_status cu_host_stream_wait(cu_stream *s, cu_event *e);
cu_status cu_host_stream_callback(cu_stream *s, void (*fn)(void *), void *arg);
cu_status cu_host_event_new(int ordinal, uint32_t flags, cu_event **out);
void cu_host_event_free(cu_event *e);
cu_status cu_host_event_record(cu_event *e, cu_stream *s);
cu_status cu_host_event_sync(cu_event *e);
cu_status cu_host_event_query(cu_event *e, bool *done);
cu_status cu_host_event_elapsed(cu_event *from, cu_event *to, float *ms);

/* elementwise.cpp, convert.cpp, reduce.cpp, scan.cpp */
cu_status cu_host_elementwise(const cu_elementwise *args, cu_stream *s);
cu_status cu_host_convert(const cu_iter *it, cu_stream *s);
cu_status cu_host_reduce(const cu_reduce *args, cu_stream *s);
cu_status cu_host_reduceat(const cu_reduceat *args, cu_stream *s);
cu_status cu_host_scan(const cu_scan *args, cu_stream *s);

/* index.cpp, select.cpp, arange.cpp */
cu_status cu_host_gather(const cu_index *args, cu_stream *s);
cu_status cu_host_scatter(const cu_index *args, cu_stream *s);
cu_status cu_host_scatter_op(const cu_index *args, cu_stream *s);
cu_status cu_host_select(const cu_select *args, int64_t *count, cu_stream *s);
cu_status cu_host_arange(cu_dtype t, int64_t n, const cu_scalar *start,
                         const cu_scalar *step, void *out, cu_stream *s);

/* sort.cpp, search.cpp, histogram.cpp */
cu_status cu_host_sort(const cu_sort *args, cu_stream *s);
cu_status cu_host_search(const cu_view *sorted, const cu_view *values, bool right,
                         int64_t *out, cu_stream *s);
cu_status cu_host_histogram(const cu_histogram *args, cu_stream *s);

/* random.cpp, convolve.cpp */
cu_status cu_host_random(const cu_random *args, cu_stream *s);
cu_status cu_host_convolve(const cu_convolve *args, cu_stream *s);

/* matmul.cpp, linalg.cpp, fft.cpp, py_numpy.c */
cu_status cu_host_matmul(const cu_matmul *args, cu_stream *s);
cu_status cu_host_linalg(const cu_linalg *args, cu_stream *s);
cu_status cu_host_fft(const cu_fft *args, cu_stream *s);
cu_status cu_host_dct(const cu_dct *args, cu_stream *s);
cu_status cu_host_fft_cache(int ordinal, const cu_fft_cache *limits, cu_fft_cache *out);

/* kernels: compile, load, launch */
cu_status cu_host_compiler_id(int ordinal, const char **out);
cu_status cu_host_compile(int ordinal, const cu_compile *args, cu_blob *binary,
                          cu_blob *log, cu_blob *files);
cu_status cu_host_module_load(int ordinal, const void *binary, size_t nbytes,
                              cu_module **out);
bool cu_host_module_shipped(int ordinal, const char *folder, const uint64_t key[2],
                            cu_module **out);
void cu_host_module_free(cu_module *m);
cu_status cu_host_module_function(cu_module *m, const char *name, cu_function **out);
cu_status cu_host_module_global(cu_module *m, const char *name, void **ptr,
                                size_t *nbytes);
cu_status cu_host_function_get(cu_function *f, cu_function_attr attr, int *value);
cu_status cu_host_function_set(cu_function *f, cu_function_attr attr, int value);
/* Shared memory that a block can have when its kernel asks. */
size_t cu_host_shared_bytes_optin(void);
/* What a launch takes, by the last one; INT64_MAX before the first. */
int64_t cu_host_launch_ns(const cu_function *f, const cu_launch *config);
/* Whether the kernel can be launched so. */
cu_status cu_host_launch_check(const cu_function *f, const cu_launch *config);
cu_status cu_host_launch(cu_function *f, const cu_launch *config, void *const *args,
                         cu_stream *s);

#ifdef __cplusplus
}
#endif
#endif
