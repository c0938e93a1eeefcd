/* _lexsort.h: what _lexsort.cuh and _lexsort.py share. */

enum {
    KEYS = 3,     /* at most */
    THREADS = 256 /* of a block, at most */
};

/* `keys` of x are compared, an element with others by `lanes` threads, a power of two.
 * `pieces` of the elements: blockDim.x / lanes of a row, the last one less. */
struct lexsort_sizes {
    long long pieces;
    int keys, lanes;
};
