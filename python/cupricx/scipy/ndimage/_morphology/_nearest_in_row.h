/* _nearest_in_row.h: how kernels of _nearest_in_row.cuh cut rows. */

enum { ROW_SEGMENT = 4096 };                          /* elements */
enum { ROW_WARPS = 8, ROW_THREADS = ROW_WARPS * 32 }; /* a GPU's warp for a segment */
