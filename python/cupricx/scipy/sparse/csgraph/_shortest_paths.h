/* _shortest_paths.h: what the kernels of _shortest_paths.cuh and Python share. */

enum { PATH_THREADS = 256 };
enum { WIDE_ROW = 16 }; /* edges, that a warp takes together */
enum { NO_PREDECESSOR = -9999 };

/* `rows` searches among n nodes; paths are no longer than limit. size: rows * n, in `pieces`: of
 * PATH_THREADS each on a GPU, a search each on the host. several: all starts are of one search.
 * negative: of the lengths some are. round: of a sweep, from 1 on. */
struct path_sizes {
    long long n, rows, size, pieces;
    double limit;
    int round;
    bool several, negative;
};
