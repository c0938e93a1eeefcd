/* _detrend.h: what the kernels that take off trends take by value. */

enum {
    DETREND_THREADS = 256,
    DETREND_PART = 1 << 14, /* elements of a segment that one block adds up at most */
};

/* Rows of n elements in `segments`, each of which is added up in `parts`. */
struct detrend_sizes {
    long long rows, n, segments, parts;
};
