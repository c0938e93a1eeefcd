/* cuda/entries.h: the functions that the CUDA device's table is made of.
 *
 * What each promises stands in device/backend.h beside the entry of the same name. Work
 * is queued on the stream and runs later; every function may be called from any thread,
 * with or without the GIL.
 */
#ifndef CUPRIC_CUDA_ENTRIES_H
#define CUPRIC_CUDA_ENTRIES_H

#include "device/backend.h"

/* device.c */
cu_status cu_cuda_device_count(int *out);
cu_status cu_cuda_device_info(int ordinal, cu_device_info *out);
cu_status cu_cuda_mem_info(int ordinal, size_t *free_bytes, size_t *total_bytes);

/* platform.c */
cu_status cu_cuda_device_attribute(int ordinal, int which, int *out);
cu_status cu_cuda_versions(int *driver, int *runtime);
cu_status cu_cuda_profiler(int ordinal, bool on);
cu_status cu_cuda_native(int ordinal, const char *name, void **out);
cu_status cu_cuda_pointer_info(const void *ptr, cu_pointer_info *out);
cu_status cu_cuda_library_handle(cu_stream *s, cu_library which, void **out);

/* peers.c */
cu_status cu_cuda_peer_query(int ordinal, int peer, bool *out);
cu_status cu_cuda_peer_enable(int ordinal, int peer);

/* memory.c */
cu_status cu_cuda_alloc(int ordinal, size_t nbytes, void **out);
cu_status cu_cuda_alloc_managed(int ordinal, size_t nbytes, void **out);
void cu_cuda_free(int ordinal, void *ptr, size_t nbytes);
cu_status cu_cuda_alloc_pinned(size_t nbytes, void **out);
void cu_cuda_free_pinned(void *ptr, size_t nbytes);
cu_status cu_cuda_copy(void *dst, const void *src, size_t nbytes, cu_copy_kind kind,
                       cu_stream *s);
cu_status cu_cuda_copy_peer(int dst_ordinal, void *dst, int src_ordinal,
                            const void *src, size_t nbytes, cu_stream *s);
cu_status cu_cuda_fill(void *dst, int byte, size_t nbytes, cu_stream *s);

/* pages.c */
size_t cu_cuda_page_unit(int ordinal);
cu_status cu_cuda_range_new(int ordinal, size_t nbytes, void **out);
void cu_cuda_range_free(int ordinal, void *ptr, size_t nbytes);
cu_status cu_cuda_page_new(int ordinal, size_t nbytes, cu_page *out);
void cu_cuda_page_free(int ordinal, cu_page page, size_t nbytes);
cu_status cu_cuda_map(int ordinal, void *at, cu_page page, size_t nbytes);
void cu_cuda_unmap(int ordinal, void *at, size_t nbytes);

/* stream.c */
cu_status cu_cuda_device_sync(int ordinal);
cu_status cu_cuda_stream_new(int ordinal, uint32_t flags, int priority, void **out);
void cu_cuda_stream_free(int ordinal, void *handle);
cu_status cu_cuda_stream_sync(cu_stream *s);
cu_status cu_cuda_stream_query(cu_stream *s, bool *done);
cu_status cu_cuda_stream_wait(cu_stream *s, cu_event *e);
cu_status cu_cuda_stream_callback(cu_stream *s, void (*fn)(void *), void *arg);
cu_status cu_cuda_event_new(int ordinal, uint32_t flags, cu_event **out);
void cu_cuda_event_free(cu_event *e);
cu_status cu_cuda_event_record(cu_event *e, cu_stream *s);
cu_status cu_cuda_event_sync(cu_event *e);
cu_status cu_cuda_event_query(cu_event *e, bool *done);
cu_status cu_cuda_event_elapsed(cu_event *from, cu_event *to, float *ms);

/* graph.c */
cu_status cu_cuda_capture_begin(cu_stream *s, cu_capture_mode mode);
cu_status cu_cuda_capture_end(cu_stream *s, cu_graph **out);
cu_status cu_cuda_capture_id(cu_stream *s, uint64_t *out);
cu_status cu_cuda_graph_launch(cu_graph *g, cu_stream *s);
cu_status cu_cuda_graph_upload(cu_graph *g, cu_stream *s);
cu_status cu_cuda_graph_print(cu_graph *g, unsigned flags, const char *path);
void cu_cuda_graph_handles(const cu_graph *g, void **graph, void **executable);
void cu_cuda_graph_free(cu_graph *g);

/* elementwise.c, reductions.c, reduceat.c */
cu_status cu_cuda_elementwise(const cu_elementwise *args, cu_stream *s);
/* More is copied by a kernel: 40 MB on an H100 in 30 us, by the driver in 33, 1 GiB in 716
 * and 736. */
#define CUPRIC_CUDA_MOST_COPIED (4u << 20)
cu_status cu_cuda_convert(const cu_iter *it, cu_stream *s);
cu_status cu_cuda_reduce(const cu_reduce *args, cu_stream *s);
cu_status cu_cuda_reduceat(const cu_reduceat *args, cu_stream *s);
cu_status cu_cuda_scan(const cu_scan *args, cu_stream *s);

/* index.c, join.c, select.c, arange.c */
cu_status cu_cuda_gather(const cu_index *args, cu_stream *s);
cu_status cu_cuda_scatter(const cu_index *args, cu_stream *s);
cu_status cu_cuda_scatter_op(const cu_index *args, cu_stream *s);
cu_status cu_cuda_join(const cu_join *args, cu_stream *s);
cu_status cu_cuda_select(const cu_select *args, int64_t *count, cu_stream *s);
cu_status cu_cuda_arange(cu_dtype t, int64_t n, const cu_scalar *start,
                         const cu_scalar *step, void *out, cu_stream *s);

/* sort.c, search.c, histogram.c */
cu_status cu_cuda_sort(const cu_sort *args, cu_stream *s);
cu_status cu_cuda_search(const cu_view *sorted, const cu_view *values, bool right,
                         int64_t *out, cu_stream *s);
cu_status cu_cuda_histogram(const cu_histogram *args, cu_stream *s);

/* random.c, convolve.c */
cu_status cu_cuda_random(const cu_random *args, cu_stream *s);
cu_status cu_cuda_convolve(const cu_convolve *args, cu_stream *s);

/* blas.c, solver.c, fft.c */
cu_status cu_cuda_matmul(const cu_matmul *args, cu_stream *s);
cu_status cu_cuda_linalg(const cu_linalg *args, cu_stream *s);
bool cu_cuda_fft_by_rows(const cu_fft *args);
bool cu_cuda_fft_as_complex(const cu_fft *args);
cu_status cu_cuda_fft(const cu_fft *args, cu_stream *s);
cu_status cu_cuda_fft_cache(int ordinal, const cu_fft_cache *limits, cu_fft_cache *out);

/* kernels.c */
void cu_cuda_kernels_stop(void);

/* binaries.c */
void cu_cuda_kernel_counts(int64_t *out);

/* libraries.c, nvrtc.c, module.c */
bool cu_cuda_component(int i, cu_component *out);
cu_status cu_cuda_compiler_id(int ordinal, const char **out);
cu_status cu_cuda_compile(int ordinal, const cu_compile *args, cu_blob *binary,
                          cu_blob *log, cu_blob *files);
cu_status cu_cuda_module_load(int ordinal, const void *binary, size_t nbytes,
                              cu_module **out);
bool cu_cuda_module_shipped(int ordinal, const char *folder, const uint64_t key[2],
                            cu_module **out);
void cu_cuda_module_free(cu_module *m);
cu_status cu_cuda_module_function(cu_module *m, const char *name, cu_function **out);
cu_status cu_cuda_module_global(cu_module *m, const char *name, void **ptr,
                                size_t *nbytes);
void *cu_cuda_module_handle(const cu_module *m);
void *cu_cuda_function_handle(const cu_function *f);
cu_status cu_cuda_function_get(cu_function *f, cu_function_attr attr, int *value);
cu_status cu_cuda_function_set(cu_function *f, cu_function_attr attr, int value);
cu_status cu_cuda_launch(cu_function *f, const cu_launch *config, void *const *args,
                         cu_stream *s);

#endif
