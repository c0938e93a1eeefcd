/* _label.h: what kernels of _label.cuh take by value. */

/* Words of a tile of a GPU. */
enum { CELLS_LOG2 = 7, CELLS = 1 << CELLS_LOG2 };
enum { LABEL_THREADS = 256, SCANNED = 32 };
enum { PACK_BYTES = 16 }; /* of labels that a thread writes at once */

/* `rows` rows of n elements, in `pieces` (_label.cuh), which are the host's shares of the
 * rows, and a GPU's tiles of 2^depth_log2 by 2^height_log2 rows. `linked`: neighbours in a
 * row belong together. `mask`: the bits of an element that tell of a number but 0. */
struct label_sizes {
    long long rows, n, width, pieces, mask;
    int ndim, nlinks, depth_log2, height_log2;
    bool linked;
};
