/* _sparse_products.h: how rows of a product of sparse matrices are computed. */
enum {
    ROW_THREADS = 128,
    GROUP = 8,               /* threads that go through a row of b together */
    LIGHT = 2048,            /* products of a row that are sorted in shared memory */
    BITMAP_WORDS = 8192,     /* of shared memory, else: 32 KiB */
    BITMAP_COLUMNS = 262144, /* their bits */
    SEGMENT = 1024,          /* elements of the result that a warp sums */
    SEGMENT_THREADS = 32,
    SHORT = 48 /* products of a row of the host that are sorted by insertion */
};

struct sparse_sizes {
    long long rows, columns; /* of the result */
    long long pieces;        /* blocks: rows on a GPU, on the host runs of rows */
    long long scratch;       /* words of a piece, on the host */
    int light; /* most products of a row that is sorted; the others are heavy */
};
